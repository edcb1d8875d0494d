"""What a game at the table answers, and what it does; the machine that asks is ``engine.match.Match``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol, final

from armoon.engine.capabilities import Crowded, Hovers, Judges, Reaches, Simulates
from armoon.engine.holding import Hanging, Hangs
from armoon.engine.setup import TableSetup
from armoon.engine.turntable import Rim, sight_passes
from armoon.values.acts import Feature
from armoon.values.pieces import Command, GripIntent, GripPhase
from armoon.values.poses import Vec3

#: A grip is meant for what its line of sight passes within this.
TAKEN_WITHIN_M = 0.03


class Position(Protocol):
    """The state of a game by its rules: a frozen value."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names, in the order of the seats."""

    @property
    def turn(self) -> int:
        """The number of the turn."""

    @property
    def player(self) -> int:
        """The seat that plays it."""

    @property
    def over(self) -> bool:
        """The rules have ended the game."""


class Played(ABC):
    """A game's side of its match."""

    game: ClassVar[str]
    """The name under which logs and saves know it."""
    rim: ClassVar[Rim | None] = None
    """Where a hand turns the table; None: only commands turn it."""

    table: TableSetup
    has: frozenset[Feature]
    """What can be asked of it."""
    _grip: GripIntent | None
    _hanging: Hanging
    _brought: Brought

    @final
    @property
    def grip(self) -> GripIntent | None:
        """The grip of the last tick, table frame."""
        return self._grip

    @final
    @property
    def players(self) -> tuple[str, ...]:
        return self.state.players

    @final
    @property
    def on_turn(self) -> tuple[int, int]:
        return self.state.turn, self.state.player

    @final
    @property
    def over(self) -> bool:
        return self.state.over

    @final
    @property
    def in_hand(self) -> bool:
        return self.holding and not self.waiting

    # What a game must say -----------------------------------------------------------------------------------

    setup: Any
    """What the game itself starts from, with `to_record` (``events.Start``)."""
    state: Position
    """The game by its rules."""

    @property
    @abstractmethod
    def at_rest(self) -> bool:
        """Nothing on the table moves."""

    @property
    @abstractmethod
    def holding(self) -> bool:
        """Something is in a hand's or a device's grip."""

    @property
    @abstractmethod
    def offered(self) -> Vec3 | None:
        """Where what a grip would take stands, table frame; None if there is nothing."""

    @abstractmethod
    def step(self, grip: GripIntent | None) -> None:
        """Phase 3: one tick of whatever moves on the table, following the grip. Not called while paused."""

    @abstractmethod
    def put_back(self) -> None:
        """Put back what is held.

        Its hand has been away for longer than the grace time, and a lost hand costs nothing.
        """

    # What a game may say ------------------------------------------------------------------------------------

    @final
    @property
    def bot(self) -> str | None:
        """The bot on turn, by its word in ``TableSetup.bots``; None for a person."""
        seat = self.state.player
        return None if self.over or seat >= len(self.table.bots) else self.table.bots[seat]

    @final
    @property
    def hands_rest(self) -> bool:
        """Hands are followed and do nothing: a bot is on turn that grips, as no move is chosen from a list."""
        return Feature.CHOOSE not in self.has and self.bot is not None

    @final
    @property
    def waiting(self) -> bool:
        """What is held hangs in the air where it was let go of (ruling T3), and no grip moves it."""
        return self.holding and self._hanging.hangs is not Hangs.NOT

    @final
    @property
    def frozen(self) -> bool:
        """What is held waits for a hand that is out of sight (ruling X2)."""
        return self._brought.simulates.held_freezes()

    def hear(self, commands: tuple[Command, ...]) -> None:
        """Handle the commands of a tick before it is stepped; also while paused."""
        return

    @final
    def close(self) -> None:
        self._brought.simulates.give_back()


class Plain(Reaches, Hovers, Crowded, Judges, Simulates):
    """What the engine does for a match that brings none of them."""

    def __init__(self, match: Played) -> None:
        self._match = match

    def would_take(self, grip: GripIntent) -> bool:
        offered = self._match.offered
        return offered is not None and sight_passes(grip, offered) <= TAKEN_WITHIN_M

    def takes_again(self, grip: GripIntent) -> bool:
        return self.would_take(grip)

    def held_freezes(self) -> bool:
        grip = self._match.grip
        return self._match.in_hand and (grip is None or grip.phase in (GripPhase.LOST, GripPhase.HOVER))


class Brought:
    """Who answers what of a match: itself where it has the capability, else ``Plain``."""

    def __init__(self, match: Played) -> None:
        plain = Plain(match)
        self.reaches: Reaches = match if isinstance(match, Reaches) else plain
        self.hovers: Hovers = match if isinstance(match, Hovers) else plain
        self.crowded: Crowded = match if isinstance(match, Crowded) else plain
        self.judges: Judges = match if isinstance(match, Judges) else plain
        self.simulates: Simulates = match if isinstance(match, Simulates) else plain
