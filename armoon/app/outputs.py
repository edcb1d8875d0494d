"""The files of one game: its log and its saved game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from armoon.engine.logbook import LogWriter
from armoon.errors import LogError
from armoon.messages import text
from armoon.settings.options import PlayOptions, games_folder
from armoon.sinks.log import LogSink
from armoon.sinks.save import Keeper, SaveSink
from armoon.sinks.sink import Sink

#: Of a file's name: date and time.
STAMP = "%Y%m%d-%H%M%S"


def begin_log(options: PlayOptions, say: Callable[[str], None], *, several: bool = False) -> LogWriter | None:
    """Return the log of a game: where the user wants it, else beside the saved games; where it goes is said.

    With ``several`` games in an evening each has one of its own, whose name tells when it began. Returns None, and
    says so, where no place was named and none can be written. Raises LogError.
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


def game_sinks_of(log: LogWriter | None, keeper: Keeper | None) -> tuple[Sink, ...]:
    """Return the sinks of one game: what saves it, and what logs it, where they can write."""
    saved = () if keeper is None else (SaveSink(keeper),)
    logged = () if log is None else (LogSink(log),)
    return (*saved, *logged)
