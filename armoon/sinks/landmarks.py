"""A trial's landmarks for research: an anonymous file, written from the game's log when its player says yes.

JSON lines, packed by gzip. The first names the task, with a digest of it, and how it was seen; then come the hands of
each frame, and each verdict, with times from the first frame on. No name, no date and no picture is in it.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from armoon.codec import encode_json
from armoon.engine.intake import Record
from armoon.engine.logbook import INTAKE, LogReader
from armoon.errors import LogError
from armoon.messages import text

VERSION = 1
SUFFIX = ".jsonl.gz"
#: What the file keeps of a log's header, and of a verdict; everything else stays out.
SEEN = ("game", "seat", "mirrored", "camera", "table_from_camera", "grip", "reading", "physics")
JUDGED = ("turn", "die", "ok", "ruling", "ladder", "touched", "height_m", "fallen", "tears")


def task_digest(task: Any) -> str:
    """Return the SHA-256 of a task as JSON with sorted keys, in hexadecimal."""
    return hashlib.sha256(encode_json(_sorted(task))).hexdigest()


def landmark_lines(log: LogReader) -> Iterator[Record]:
    """Yield the file's lines. Raises LogError for a log of anything but a trial."""
    options = log.header.get("options")
    task = options.get("trial") if isinstance(options, dict) else None
    if not isinstance(task, dict) or not isinstance(task.get("name"), str):
        raise LogError(f"{log.path} is no log of a trial.", remedy="Play a trial first.")
    seen = {name: log.header.get(name) for name in SEEN}
    yield {"kind": "landmarks", "version": VERSION, "trial": task["name"], "task": task_digest(task), **seen}
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
            yield {"kind": "verdict", "time_s": since_s, **{name: record.get(name) for name in JUDGED}}


def keep_landmarks(log: Path | None, folder: Path) -> str:
    """Write the file of the trial that was logged there; where it lies, or why it doesn't, as a sentence.

    Call it only when the player has said yes.
    """
    try:
        if log is None:
            raise LogError("There is no log of this trial.", remedy="Play it with a log.")
        lines = landmark_lines(LogReader(log))
        first = next(lines)
        path = next(path for path in _names(folder, first["trial"]) if not path.exists())
        # Neither the packed file's name nor a time is kept in it.
        with path.open("xb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            for line in itertools.chain([first], lines):
                packed.write(encode_json(line) + b"\n")
    except (LogError, OSError) as error:
        return text("result.not_kept", why=error.strerror if isinstance(error, OSError) else error)
    return text("landmarks.kept", name=path.name, folder=path.parent)


def _names(folder: Path, trial: str) -> Iterator[Path]:
    return (folder / f"landmarks-{trial}-{number}{SUFFIX}" for number in itertools.count(1))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list | tuple) else value
