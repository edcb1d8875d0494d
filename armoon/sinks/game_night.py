"""A sink that collects the summary of a game night."""

from __future__ import annotations

from datetime import datetime

from armoon.broadcast.happenings import Began, Happening, Seat
from armoon.party.summary import GameSummary
from armoon.sinks.sink import Moment, NamedSink


class GameNightSink(NamedSink):
    """Sums up each game; cheap enough for the game's loop."""

    word = "game_night"

    def __init__(self) -> None:
        self.games: list[GameSummary] = []

    def part(self, moment: Moment) -> tuple[tuple[Happening, ...], tuple[Seat, ...]] | None:
        """Return the events and the seats after them."""
        happened = () if moment.happened is None else tuple(moment.happened())
        if not happened:
            return None
        return happened, () if moment.standing is None else moment.standing().seats

    def take(self, part: tuple[tuple[Happening, ...], tuple[Seat, ...]]) -> None:
        """Add them to the game under way."""
        happened, seats = part
        for event in happened:
            if isinstance(event, Began):
                self.games.append(GameSummary(event, datetime.now(), event.seats))
            elif self.games:
                self.games[-1].add(event)
        if self.games and len(seats) == len(self.games[-1].seats):
            self.games[-1].seats = seats
