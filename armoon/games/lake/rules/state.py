"""One position of the lake game, as a frozen value."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

from armoon.games.lake.rules.values import Colour, Ending, Part, Phase, Stack

#: How many colours each player has, by the number of players (ruling L2).
COLOURS_EACH = {2: 2, 3: 1, 4: 1}


@dataclass(frozen=True)
class State:
    """A position. Players are named by their seat, 0 first, clockwise."""

    players: tuple[str, ...]
    seed: int
    stars: tuple[Stack, ...]
    """What stands on each star, numbered clockwise."""
    colours: tuple[tuple[Colour, ...], ...]
    """What each player has chosen until now."""
    held: tuple[tuple[Part, ...], ...]
    """Each player's towers and halves of towers (ruling L6)."""
    player: int
    """Who is to choose, to carry or to split; when the game is over, whose turn it would be."""
    phase: Phase = Phase.CHOOSE
    turn: int = 0
    """Counted from 1 with the first carry; 0 while colours are chosen."""
    tower: Stack = ()
    """Completed in this turn and not yet split (ruling L6)."""
    quiet: int = 0
    """Carries in a row that emptied no star (ruling L11)."""
    ending: Ending | None = None
    before: State | None = field(default=None, compare=False, repr=False)
    """The position before the last choice or carry, so that it can be taken back."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    @property
    def free_colours(self) -> tuple[Colour, ...]:
        """The unchosen colours; once all have chosen, the neutral one, if any (ruling L2)."""
        chosen = tuple(itertools.chain.from_iterable(self.colours))
        return tuple(colour for colour in Colour if colour not in chosen)

    @property
    def neutral(self) -> Colour | None:
        """The colour that everyone may move, in a game of three (ruling L2)."""
        if self.phase is Phase.CHOOSE:
            return None
        return next(iter(self.free_colours), None)

    @property
    def movable_colours(self) -> tuple[Colour, ...]:
        """The colours that the player on turn may move; none while colours are chosen."""
        return () if self.phase is Phase.CHOOSE else self.colours[self.player] + self.free_colours

    @property
    def heirs(self) -> tuple[int, ...]:
        """The players who may get the half that the player on turn doesn't keep; none where towers stay whole (L6)."""
        count = len(self.players)
        if count == 2:
            return ()
        if count == 4:
            return ((self.player + 2) % count,)
        return tuple((self.player + step) % count for step in range(1, count))

    def owner(self, colour: Colour) -> int | None:
        """Return the colour's owner; None for the neutral one, or while it is unchosen."""
        return next((seat for seat, own in enumerate(self.colours) if colour in own), None)

    def alone(self) -> State:
        """Return the position without its history, to be handed to another process."""
        return replace(self, before=None)
