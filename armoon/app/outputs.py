"""Which sinks there are: of the program and of a game. A further one is a file and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from armoon.app.pictures import Pictures
from armoon.engine.logbook import LogWriter
from armoon.party.recorder import Recorder
from armoon.sinks.film import FilmSink
from armoon.sinks.log import LogSink
from armoon.sinks.save import Keeper, SaveSink
from armoon.sinks.sink import Sink
from armoon.sinks.sound import SoundSink
from armoon.sound.player import Player


@dataclass(frozen=True)
class Opened:
    """What is there for the program's sinks to be made of."""

    pictures: Pictures
    """Window or offscreen surface."""
    record: Path | None
    """Where the film goes; None: there is none."""
    rate_hz: float
    """The film's rate."""
    player: Player | None
    """The loudspeaker, where anybody listens."""


@dataclass(frozen=True)
class OpenedGame:
    """What is there for a game's own sinks to be made of."""

    log: LogWriter
    keeper: Keeper | None
    """None: nothing is saved."""


def _film(opened: Opened) -> Sink | None:
    if opened.record is None:
        return None
    renderer = opened.pictures.renderer
    opened.pictures.kept = True
    recorder = Recorder(opened.record, renderer.width, renderer.height, opened.rate_hz)
    return FilmSink(recorder, opened.pictures.take_picture)


#: The program's sinks beside the terminal, in the order in which they see a moment.
SINKS: tuple[Callable[[Opened], Sink | None], ...] = (
    lambda opened: opened.pictures,
    lambda opened: None if opened.player is None else SoundSink(opened.player),
    _film,
)
#: A game's own sinks.
GAME_SINKS: tuple[Callable[[OpenedGame], Sink | None], ...] = (
    lambda opened: None if opened.keeper is None else SaveSink(opened.keeper),
    lambda opened: LogSink(opened.log),
)


def sinks_of(opened: Opened) -> tuple[Sink, ...]:
    """The program's sinks that are wanted. Raises ArmoonError for what can't be written."""
    made = (make(opened) for make in SINKS)
    return tuple(sink for sink in made if sink is not None)


def game_sinks_of(log: LogWriter, keeper: Keeper | None) -> tuple[Sink, ...]:
    """The sinks of one game."""
    made = (make(OpenedGame(log, keeper)) for make in GAME_SINKS)
    return tuple(sink for sink in made if sink is not None)
