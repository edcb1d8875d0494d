"""The events at a table of any game: frozen values, and the output of one frame of the loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from armoon.engine.holding import Hangs
from armoon.engine.setup import Intake, Record, TableSetup
from armoon.hands.one_hand_watch import WatchReport
from armoon.values.pieces import GripIntent
from armoon.world.process import Replaced


class Start(Protocol):
    """The set-up of the game itself: with the intakes, enough to replay it."""

    def to_record(self) -> Record:
        """Return it as JSON values."""


@dataclass(frozen=True)
class Began:
    """A match begins, or goes on."""

    game: str
    table: TableSetup
    start: Start


@dataclass(frozen=True)
class Gripped:
    """The grip has entered another phase; None: nothing grips any more."""

    grip: GripIntent | None


@dataclass(frozen=True)
class Hung:
    """A held object hangs in the air from now on, or was taken again (ruling T3)."""

    hangs: Hangs


@dataclass(frozen=True)
class TableTurned:
    """The table is turned this far from now on, counter-clockwise as seen from above."""

    turned_rad: float


@dataclass(frozen=True)
class Noticed:
    """The players should be given this sentence, by its message key."""

    key: str


@dataclass(frozen=True)
class Closed:
    """The match is over, or was left: nothing follows."""


#: The events of the engine; each game adds its own.
EngineEvent = Began | Intake | Gripped | Hung | TableTurned | WatchReport | Replaced | Noticed | Closed

Kind = TypeVar("Kind")
Event = TypeVar("Event", covariant=True)


@dataclass(frozen=True)
class Happened(Generic[Event]):
    """One event of a match, with the game by its rules before and after it."""

    tick: int
    event: Event
    before: Any
    state: Any


@dataclass(frozen=True)
class Output:
    """The result of one frame of the loop."""

    events: tuple[Happened[Any], ...]
    """Everything that happened, in order; the first is the intake."""
    state: Any

    def happened(self, *kinds: type[Kind]) -> tuple[Happened[Kind], ...]:
        return tuple(happened for happened in self.events if isinstance(happened.event, kinds))

    def of(self, *kinds: type[Kind]) -> tuple[Kind, ...]:
        return tuple(happened.event for happened in self.happened(*kinds))
