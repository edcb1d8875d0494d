"""A game's files: sinks for its log and its saved game, and functions that write pictures and landmarks."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from armoon.codec import encode_json
from armoon.engine.events import MatchBegan, MatchEvent
from armoon.engine.logbook import INTAKE, LogReader, LogWriter, SavedGameWriter, WriteJob, records_of
from armoon.engine.setup import Record
from armoon.errors import LogError, describe_reason
from armoon.games.contract import load_kind
from armoon.messages import language, text
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.sink import Moment, Rule, Sink


class LogSink(Sink):
    """Writes a game's log; the game continues if the disk is full."""

    word = "log"
    rule = Rule.KEEPS
    #: Maximum number of waiting frames: more than a minute's. A slower disk counts as broken.
    capacity = 8192

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer
        self._records: Callable[[MatchEvent[Any]], Iterable[Record]] = records_of

    @property
    def path(self) -> Path:
        return self._writer.path

    def select(self, moment: Moment) -> tuple[MatchEvent[Any], ...] | None:
        return None if moment.output is None else moment.output.events

    def process(self, data: tuple[MatchEvent[Any], ...]) -> None:
        for match_event in data:
            if isinstance(match_event.event, MatchBegan):
                self._records = load_kind(match_event.event.game).encode_event
            for record in self._records(match_event):
                self._writer.write_record(record)

    def close(self) -> None:
        self._writer.close()


class SaveSink(Sink):
    """Writes the saved game before its events are shown."""

    word = "save"
    rule = Rule.AWAITED
    #: More than a whole game's events.
    capacity = 4096

    def __init__(self, writer: SavedGameWriter) -> None:
        self._writer = writer

    def select(self, moment: Moment) -> WriteJob | None:
        return None if moment.output is None else self._writer.prepare_write(moment.output)

    def process(self, data: WriteJob) -> None:
        data()

    def close(self) -> None:
        self._writer.close()


#: Format of date and time in a file's name.
STAMP = "%Y%m%d-%H%M%S"


def begin_log(
    options: PlayOptions, notify: Callable[[str], None], *, several: bool = False
) -> LogWriter | None:
    """Create a game's log at the named path or beside the saved games, and report its path to ``notify``.

    With ``several`` games in a session, each log's name contains the time. If the log can't be created, raise LogError
    for a named path; otherwise report it to ``notify`` and return None.
    """
    now, named_path = datetime.now(), options.log
    try:
        if named_path is None:
            log = LogWriter(games_folder() / f"armoon-{now:{STAMP}}.jsonl", named=False)
        elif several:
            stamped = named_path.with_name(f"{named_path.stem}-{now:{STAMP}}.jsonl")
            log = LogWriter(stamped, named=False)
        else:
            log = LogWriter(named_path, replace=options.log_replaces)
    except LogError as error:
        if named_path is not None:
            raise
        notify(str(error))
        return None
    notify(text("start.log", path=log.path))
    return log


def save_picture(folder: Path, suffix: str, content: bytes) -> str:
    """Write a picture beside the saved games; return a sentence with its name or the error."""
    path = folder / f"armoon-{datetime.now():{STAMP}}{suffix}"
    try:
        path.write_bytes(content)
    except OSError as error:
        return text("result.not_kept", why=describe_reason(error))
    return text("result.kept", name=path.name)


def save_kit(folder: Path, paper: str) -> str:
    """Write the paper kit beside the saved games; return a sentence with its path or the error."""
    from armoon.kit import make_kit_pages
    from armoon.printing import write_pdf

    path = folder / f"kit-{paper}-{language()}.pdf"
    try:
        path.write_bytes(write_pdf(make_kit_pages(paper)))
    except OSError as error:
        return text("result.not_kept", why=describe_reason(error))
    return text("kit.written", path=path)


def create_game_sinks(log: LogWriter | None, writer: SavedGameWriter | None) -> tuple[Sink, ...]:
    save_sinks = () if writer is None else (SaveSink(writer),)
    return save_sinks if log is None else (*save_sinks, LogSink(log))


#: Version and file name extension of landmark files.
VERSION = 1
SUFFIX = ".jsonl.gz"
#: Fields of a log's header and of a verdict that landmark files contain.
HEADER_FIELDS = ("game", "seat", "mirrored", "camera", "table_from_camera", "grip", "program")
VERDICT_FIELDS = ("turn", "die", "ok", "rulings", "ladder", "touched", "height_m", "fallen", "tears")


def digest_task(task: object) -> str:
    """Return the SHA-256, in hexadecimal, of a task as JSON with sorted keys."""
    plain = json.dumps(task, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def iter_landmark_lines(log: LogReader) -> Iterator[Record]:
    """Yield the lines of a trial's landmark file. Raises LogError if the log isn't a trial's."""
    options = log.header.get("options")
    task = options.get("trial") if isinstance(options, dict) else None
    if not isinstance(task, dict) or not isinstance(task.get("name"), str):
        raise LogError("fault.log.no_trial", path=log.path)
    header_fields = {name: log.header.get(name) for name in HEADER_FIELDS}
    yield {
        "kind": "landmarks",
        "version": VERSION,
        "trial": task["name"],
        "task": digest_task(task),
        **header_fields,
    }
    began_s, now_s = None, 0.0
    for record in log.records:
        if record["kind"] == INTAKE:
            now_s = record["now_s"]
            if record.get("hands") is not None:
                hands = record["hands"]
                began_s = hands["time_s"] if began_s is None else began_s
                yield {"kind": "hands", **hands, "time_s": hands["time_s"] - began_s}
        elif record["kind"] == "verdict":
            since_s = 0.0 if began_s is None else now_s - began_s
            yield {"kind": "verdict", "time_s": since_s, **{k: record.get(k) for k in VERDICT_FIELDS}}


def save_landmarks(log: Path | None, folder: Path) -> str:
    """Write a trial's landmarks, for a player who consents; return a sentence with the file's name or the error."""
    try:
        if log is None:
            raise LogError("fault.log.missing")
        lines = iter_landmark_lines(LogReader(log))
        first = next(lines)
        paths = (folder / f"landmarks-{first['trial']}-{number}{SUFFIX}" for number in itertools.count(1))
        path = next(path for path in paths if not path.exists())
        # For privacy, the compressed file contains neither a name nor a time.
        with path.open("xb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            for line in itertools.chain([first], lines):
                packed.write(encode_json(line) + b"\n")
    except (LogError, OSError) as error:
        return text("result.not_kept", why=describe_reason(error))
    return text("landmarks.kept", name=path.name, folder=path.parent)
