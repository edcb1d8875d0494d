"""An evening as a sink: the contents of its book, collected as they happen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from armoon.broadcast.happenings import Began, Happening, Seat
from armoon.party.evening.facts import NEEDED
from armoon.sinks.sink import Moment, NamedSink

#: Maximum number of happenings kept of one game.
MOST_HAPPENED = 4000


@dataclass
class Told:
    """One game, as far as it has come."""

    day: datetime
    happened: list[tuple[float, Happening]] = field(default_factory=list)
    seats: tuple[Seat, ...] = ()
    """The seats as they stood last."""
    log: Path | None = None
    """Where it is written down, if anywhere."""


class EveningSink(NamedSink):
    """Keeps what happened in each game; it is little, so it is done in the loop."""

    word = "evening"

    def __init__(self) -> None:
        self.games: list[Told] = []

    def part(self, moment: Moment) -> tuple[list[tuple[float, Happening]], tuple[Seat, ...]] | None:
        """Return the happenings as far as needed, and the score after them."""
        if moment.happened is None:
            return None
        found: list[tuple[float, Happening]] = [
            (moment.now_s, one) for one in moment.happened() if isinstance(one, NEEDED)
        ]
        if not found:
            return None
        return found, () if moment.standing is None else moment.standing().seats

    def take(self, part: tuple[list[tuple[float, Happening]], tuple[Seat, ...]]) -> None:
        """Keep it."""
        found, seats = part
        for at_s, one in found:
            if isinstance(one, Began):
                self.games.append(Told(datetime.now()))
            if self.games and len(self.games[-1].happened) < MOST_HAPPENED:
                self.games[-1].happened.append((at_s, one))
                self.games[-1].seats = seats or self.games[-1].seats

    def note_log(self, log: Path | None) -> None:
        """Note where the log of the game under way is written."""
        if self.games and self.games[-1].log is None:
            self.games[-1].log = log
