"""Choose and confirm: the other half of every input, for switches, keys, pads, voices and a hand that rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.choosing import Offered
from armoon.values.features import Feature
from armoon.values.intents import Command

if TYPE_CHECKING:
    from armoon.engine.match import Match


class Choosable:
    """What of a game can be chosen; a game with more to offer than a die and listed moves says so itself."""

    match: Match

    @property
    def asks_for_roll(self) -> bool:
        """A click anywhere rolls the die."""
        return False

    def act(self, act: Act) -> tuple[Command, ...]:
        """Return the game's own commands for an act; usually none."""
        return ()

    @property
    def searching(self) -> bool:
        """What can be chosen is still being looked for."""
        return False

    def choices(self) -> tuple[Offered, ...]:
        """Return what can be chosen now, besides what every table's page offers."""
        if self.match.over or self.match.hands_rest:
            return ()
        if self.asks_for_roll:
            return (Offered("roll", text("choose.roll")),)
        if Feature.CHOOSE in self.match.has:
            return tuple(Offered(name, text(f"choose.move_{name}")) for name in _MOVES)
        return ()

    def choose(self, name: str) -> tuple[Command, ...]:
        """One of them was confirmed; what is no longer offered comes to nothing."""
        if name not in {one.name for one in self.choices()}:
            return ()
        if name == "roll":
            return (Command(Act.ROLL, "choice"),)
        return self.act(_MOVES[name])

    def look_at(self, name: str | None) -> None:
        """Note the offer that is being considered, or None."""
        return


#: Through the moves that the rules list, by what goes through them.
_MOVES = {"play": Act.TAKE, "next": Act.RIGHT, "before": Act.LEFT}
