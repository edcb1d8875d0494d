"""What the session needs of a game at the table, whichever it is."""

from __future__ import annotations

from typing import Protocol

from armoon.engine.intake import Intake, Outturn, Record
from armoon.engine.stopwatch import Stopwatch
from armoon.players.sight import Sight
from armoon.screens.events import Event
from armoon.screens.guide import GuideFacts
from armoon.sound.cues import SoundCue
from armoon.values.intents import Command
from armoon.values.poses import Vec3
from armoon.values.scene import Scene


class Game(Protocol):
    """A game in progress: intakes in; records, moves, pictures and sentences out."""

    @property
    def stopwatch(self) -> Stopwatch:
        """Where the time of its phases is added up."""

    @property
    def opening(self) -> Outturn:
        """What came out before the first turn of the loop."""

    @property
    def tick(self) -> int:
        """How many ticks have been played."""

    @property
    def over(self) -> bool:
        """The rules have ended it."""

    @property
    def at_rest(self) -> bool:
        """Nothing on the table moves."""

    @property
    def turns_played(self) -> int:
        """How many turns have had their verdict."""

    @property
    def asks_for_roll(self) -> bool:
        """A click anywhere rolls the die."""

    @property
    def offered(self) -> Vec3 | None:
        """Where what can be taken stands, table frame: a device's grip begins at its depth."""

    @property
    def holding(self) -> bool:
        """A hand carries something, and points at nothing."""

    def key(self, name: str) -> tuple[Command, ...]:
        """What a key asks for that means something in this game alone."""

    def header(self) -> Record:
        """The log's first line."""

    def turn(self, intake: Intake) -> Outturn:
        """Phases 2 to 4 of one turn of the loop."""

    def sentences(self, out: Outturn) -> list[str]:
        """What is to be said about what came out."""

    def news(self, out: Outturn, *, over: bool) -> list[Event]:
        """What the screens have to hear of what came out; with ``over``, the result."""

    def cues(self, out: Outturn) -> tuple[SoundCue, ...]:
        """The sounds since the last call, and of what came out."""

    def guide_facts(self) -> GuideFacts:
        """How the table stands, for the guided first game."""

    def scene(self, fraction: float, banner: str) -> Scene:
        """Phase 5: the picture as a value, ``fraction`` of the way from the last tick to the next."""

    def sight(self, time_s: float) -> Sight:
        """What a player who looks at the screen knows."""

    def finish(self) -> Outturn:
        """The closing records."""

    def close(self) -> None:
        """Give everything back."""
