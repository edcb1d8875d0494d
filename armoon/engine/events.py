"""The engine's events, which all games share, and the output of a frame of the loop."""

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
    """A match was started or resumed."""

    game: str
    table: TableSetup
    start: Any
    """The game's own setup, with a method ``to_record``; a replay needs only this, ``table`` and the intakes."""


@dataclass(frozen=True)
class GripChanged:
    """The grip's phase changed."""

    grip: GripIntent | None
    """None if the grip has ended."""


@dataclass(frozen=True)
class ParkingChanged:
    """A held object was parked in the air, or taken again (ruling T3)."""

    parking: ParkingState


@dataclass(frozen=True)
class TableTurned:
    """The table was turned to this angle, counter-clockwise seen from above."""

    turned_rad: float


@dataclass(frozen=True)
class NoticeShown:
    """A notice with the text of this message key is due."""

    key: str


@dataclass(frozen=True)
class MatchClosed:
    """The match ended or was left; its last event."""


#: Events of the engine; each game adds its own.
_InputEvent = Intake | GripChanged | ParkingChanged | TableTurned | WatchReport
EngineEvent = MatchBegan | _InputEvent | WorldReplaced | NoticeShown | MatchClosed

Kind = TypeVar("Kind")
Event = TypeVar("Event", covariant=True)


@dataclass(frozen=True)
class MatchEvent(Generic[Event]):
    """An event of a match, with the game's state before and after it."""

    tick: int
    event: Event
    before: Any
    state: Any


@dataclass(frozen=True)
class Output:
    """The result of a frame of the loop."""

    events: tuple[MatchEvent[Any], ...]
    """All match events in order."""
    state: Any

    def match_events(self, *kinds: type[Kind]) -> tuple[MatchEvent[Kind], ...]:
        return tuple([e for e in self.events if isinstance(e.event, kinds)])

    def events_of(self, *kinds: type[Kind]) -> tuple[Kind, ...]:
        return tuple([e.event for e in self.events if isinstance(e.event, kinds)])
