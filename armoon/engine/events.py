"""The engine's events, common to all games, and the output of one frame of the loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from armoon.engine.holding import ParkingState
from armoon.engine.setup import Intake, TableSetup
from armoon.hands.one_hand_watch import WatchReport
from armoon.values.pieces import GripIntent
from armoon.world.process import WorldReplaced


@dataclass(frozen=True)
class MatchBegan:
    """A match begins or is resumed."""

    game: str
    table: TableSetup
    start: Any
    """The game's own set-up, with a method ``to_record``; with ``table`` and the intakes it suffices for a replay."""


@dataclass(frozen=True)
class GripChanged:
    """The grip has entered another phase; None: it has ended."""

    grip: GripIntent | None


@dataclass(frozen=True)
class ParkingChanged:
    """A held object was parked in the air or taken from there (ruling T3)."""

    parking: ParkingState


@dataclass(frozen=True)
class TableTurned:
    """The table has been turned to this angle, counter-clockwise as seen from above."""

    turned_rad: float


@dataclass(frozen=True)
class NoticeShown:
    """The sentence with this message key is shown to the players."""

    key: str


@dataclass(frozen=True)
class MatchClosed:
    """The match is over or was left; this is its last event."""


#: The events of the engine; each game adds its own.
_InputEvent = Intake | GripChanged | ParkingChanged | TableTurned | WatchReport
EngineEvent = MatchBegan | _InputEvent | WorldReplaced | NoticeShown | MatchClosed

Kind = TypeVar("Kind")
Event = TypeVar("Event", covariant=True)


@dataclass(frozen=True)
class MatchEvent(Generic[Event]):
    """One event of a match, with the game's state before and after it."""

    tick: int
    event: Event
    before: Any
    state: Any


@dataclass(frozen=True)
class Output:
    """The result of one frame of the loop."""

    events: tuple[MatchEvent[Any], ...]
    """All match events in order."""
    state: Any

    def match_events(self, *kinds: type[Kind]) -> tuple[MatchEvent[Kind], ...]:
        return tuple([e for e in self.events if isinstance(e.event, kinds)])

    def events_of(self, *kinds: type[Kind]) -> tuple[Kind, ...]:
        return tuple([e.event for e in self.events if isinstance(e.event, kinds)])
