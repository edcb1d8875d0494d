"""What a game at the table answers, and what it does; the machine that asks is ``engine.match.Match``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, final

from armoon.engine.hanging import Hanging, Hangs
from armoon.engine.intake import Intake
from armoon.engine.setup import TableSetup
from armoon.engine.turntable import Rim, sight_passes
from armoon.hands.watch.onehand import Zone
from armoon.values.features import Feature
from armoon.values.intents import Command, GripIntent, GripPhase
from armoon.values.poses import Vec2, Vec3

#: A grip is meant for what its line of sight passes within this.
TAKEN_WITHIN_M = 0.03


class Played(ABC):
    """A game's side of its match."""

    game: ClassVar[str]
    """The name under which logs and saves know it."""
    has: ClassVar[frozenset[Feature]] = frozenset()
    """What can be asked of it."""
    middle: ClassVar[Vec2] = (0.0, 0.0)
    """Where the upright axis is about which the table turns, table frame."""
    counted: ClassVar[str] = "move"
    """The kind of record by which a log's length is told."""

    table: TableSetup
    _grip: GripIntent | None
    _hanging: Hanging

    @final
    @property
    def in_hand(self) -> bool:
        """A grip that moves what is held."""
        return self.holding and not self.waiting

    # What a game must say -----------------------------------------------------------------------------------

    setup: Any
    """What the game itself starts from, with `to_record` (``events.Start``)."""
    state: Any
    """The game by its rules, a frozen value."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The names, in the order of the seats."""

    @property
    @abstractmethod
    def on_turn(self) -> tuple[int, int]:
        """The number of the turn and the seat that plays it."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """The rules have ended the game."""

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
        _, seat = self.on_turn
        return None if self.over or seat >= len(self.table.bots) else self.table.bots[seat]

    @property
    def hands_rest(self) -> bool:
        """Hands are followed and do nothing: a bot is on turn that grips itself."""
        return False

    @final
    @property
    def waiting(self) -> bool:
        """What is held hangs in the air where it was let go of (ruling T3), and no grip moves it."""
        return self.holding and self._hanging.hangs is not Hangs.NOT

    @property
    def frozen(self) -> bool:
        """What is held waits for a hand that is out of sight (ruling X2)."""
        return self.in_hand and (self._grip is None or self._grip.phase in (GripPhase.LOST, GripPhase.HOVER))

    def in_the_air(self, grip: GripIntent) -> bool:
        """Whether what is held, let go of by this grip, is far enough from everything to wait where it is."""
        return False

    def takes_again(self, grip: GripIntent) -> bool:
        """Whether a grip that closes takes what waits in the air."""
        return self.would_take(grip)

    def would_take(self, grip: GripIntent) -> bool:
        """Whether a grip that closes is meant for what is offered."""
        return self.offered is not None and sight_passes(grip, self.offered) <= TAKEN_WITHIN_M

    @property
    def rim(self) -> Rim | None:
        """Where a hand turns the table; None where it turns by wishes only."""
        return None

    @property
    def near_others(self) -> bool:
        """Whether what is held is near enough to something for fine steps."""
        return False

    @property
    def turnable(self) -> bool:
        """Whether the table may be turned now."""
        return True

    def expect(self, intake: Intake) -> None:
        """In a replay: what the intake tells of this frame's world beforehand."""
        return

    def hear(self, commands: tuple[Command, ...]) -> None:
        """Handle the commands of a tick before it is stepped; also while paused."""
        return

    def judge(self, *, second_hand: bool) -> None:
        """Phase 4, on the facts of the tick; also while paused. ``second_hand``: one is there and counts (F3)."""
        return

    def end_frame(self) -> None:
        """Tell what is known only at the end of a frame."""
        return

    def zone(self) -> Zone:
        """Where a second hand has no business while something is held."""
        return Zone()

    def close(self) -> None:
        """Give back what the game took."""
        return
