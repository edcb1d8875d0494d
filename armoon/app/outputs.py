"""Which sinks there are: of the program and of a game. A further one is a file and a line here."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from armoon.app.pictures import Pictures
from armoon.engine.logbook import LogWriter
from armoon.errors import LogError
from armoon.messages import text
from armoon.party.live.link import Live
from armoon.party.recorder import Recorder
from armoon.settings.options import PlayOptions, games_folder
from armoon.sinks.film import FilmSink
from armoon.sinks.live import LiveSink
from armoon.sinks.log import LogSink
from armoon.sinks.save import Keeper, SaveSink
from armoon.sinks.sink import Sink
from armoon.sinks.sound import SoundSink
from armoon.sound.player import Player
from armoon.sound.wood import RATE_HZ
from armoon.values.address import Address

#: Of a file's name: date and time.
STAMP = "%Y%m%d-%H%M%S"
#: Whoever shares a computer may read what was typed, but not this.
STREAM_KEY = "ARMOON_STREAM_KEY"


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
    stream: Address | None = None
    """Where pictures and sounds go as they are; None: nowhere."""
    say: Callable[[str], None] = print
    """Hears sentences, also from other threads."""


@dataclass(frozen=True)
class OpenedGame:
    """What is there for a game's own sinks to be made of."""

    log: LogWriter | None
    """None: none can be written."""
    keeper: Keeper | None
    """None: nothing is saved."""


def begin_log(options: PlayOptions, say: Callable[[str], None], *, several: bool = False) -> LogWriter | None:
    """The log of a game: where the user wants it, else beside the saved games; where it goes is said.

    With ``several`` games in an evening each has one of its own, whose name tells when it began. None, and said, where
    nobody named a place and none can be written. Raises LogError.
    """
    now, wanted = datetime.now(), options.log
    try:
        if wanted is None:
            log = LogWriter(games_folder() / f"armoon-{now:{STAMP}}.jsonl", named=False)
        elif several:
            log = LogWriter(wanted.with_name(f"{wanted.stem}-{now:{STAMP}}.jsonl"), named=False)
        else:
            log = LogWriter(wanted, replace=options.log_replaces)
    except LogError as error:
        if wanted is not None:
            raise
        say(str(error))
        return None
    say(text("start.log", path=log.path))
    return log


def _film(opened: Opened) -> Sink | None:
    return None if opened.record is None else film_of(opened.pictures, opened.record, opened.rate_hz)


def film_of(pictures: Pictures, path: Path, rate_hz: float) -> FilmSink:
    """A film of what is drawn from now on. Raises ArmoonError."""
    renderer = pictures.renderer
    recorder = Recorder(path, renderer.width, renderer.height, rate_hz, RATE_HZ)
    pictures.kept = True
    return FilmSink(recorder, pictures.picture)


def _live(opened: Opened) -> Sink | None:
    if opened.stream is None:
        return None
    renderer = opened.pictures.renderer
    opened.pictures.kept = True
    key = os.environ.get(STREAM_KEY, "")
    size = (renderer.width, renderer.height)
    live = Live(opened.stream, key, size, opened.rate_hz, RATE_HZ, opened.say)
    return LiveSink(live, opened.pictures.picture)


#: The program's sinks beside the terminal, in the order in which they see a moment.
SINKS: tuple[Callable[[Opened], Sink | None], ...] = (
    lambda opened: opened.pictures,
    lambda opened: None if opened.player is None else SoundSink(opened.player),
    _film,
    _live,
)
#: A game's own sinks.
GAME_SINKS: tuple[Callable[[OpenedGame], Sink | None], ...] = (
    lambda opened: None if opened.keeper is None else SaveSink(opened.keeper),
    lambda opened: None if opened.log is None else LogSink(opened.log),
)


def sinks_of(opened: Opened) -> tuple[Sink, ...]:
    """The program's sinks that are wanted. Raises ArmoonError for what can't be written."""
    made = (make(opened) for make in SINKS)
    return tuple(sink for sink in made if sink is not None)


def game_sinks_of(log: LogWriter | None, keeper: Keeper | None) -> tuple[Sink, ...]:
    """The sinks of one game."""
    made = (make(OpenedGame(log, keeper)) for make in GAME_SINKS)
    return tuple(sink for sink in made if sink is not None)
