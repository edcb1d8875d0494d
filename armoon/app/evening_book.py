"""An evening's book: written at the end of a party, or later from logs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from rich.progress import Progress

from armoon.app.filming import Logged, Telling, clip_name, clips_of, tellings
from armoon.broadcast.happenings import Happening
from armoon.codec.files import write_whole
from armoon.engine.logbook import BEGAN, LogReader
from armoon.errors import ArmoonError, LogError
from armoon.games.contract.presenting import Presented
from armoon.messages import language, text
from armoon.party.evening.facts import NEEDED, Played, played
from armoon.party.evening.page import Evening, ShownClip, evening_page
from armoon.party.votes import Kept
from armoon.sinks.evening import Told

#: Number and size of the book's clips. They are stored in the page itself, a megabyte each.
CLIPS, CLIP_SIZE, CLIP_TIER = 3, (640, 360), "plain"
#: A log's name tells when it began.
_STAMP = "%Y%m%d-%H%M%S"


def told_of_logs(logs: Sequence[Path]) -> list[Told]:
    """Return what happened in logged games, stepped again. Raises LogError."""
    made = []
    with Progress(transient=True) as progress:
        for log in logs:
            logged = Logged(log)
            task = progress.add_task(log.name, total=max(logged.length_s, 1e-6))
            told = Told(began(log), log=log)
            try:
                first_s: float | None = None
                for at_s, one in logged.happened():
                    first_s = at_s if first_s is None else first_s
                    progress.update(task, completed=at_s - first_s)
                    if isinstance(one, NEEDED):
                        told.happened.append((at_s, one))
                told.seats = Presented(logged.game).broadcasts.standing().seats
            finally:
                logged.close()
            made.append(told)
    return made


def began(log: Path) -> datetime:
    """When a logged game began: by its header, in older logs by their name, else by the file."""
    with suppress(LogError, ValueError):
        return datetime.fromisoformat(str(LogReader(log).header.get(BEGAN)))
    with suppress(ValueError):
        return datetime.strptime(log.stem[-15:], _STAMP)
    try:
        return datetime.fromtimestamp(log.stat().st_mtime)
    except OSError:
        return datetime.now()


def evening_of(
    games: Sequence[Told], guests: Kept | None = None, clips: Sequence[ShownClip] = ()
) -> Evening | None:
    """Return the book's values; None where nothing was played."""
    kept = [one for told in games if (one := _played(told)) is not None]
    if not kept:
        return None
    shown = guests.guests.values() if guests is not None and guests.names_shown else ()
    points = [(one.name, one.points) for one in shown if one.points and not one.banned]
    points.sort(key=lambda one: (-one[1], one[0].casefold()))
    day = min((one.day for one in kept if one.day is not None), default=datetime.now())
    return Evening(day, tuple(kept), tuple(points), tuple(clips))


def write_evening(path: Path, evening: Evening) -> None:
    """Write the evening's book. Raises ArmoonError if the disk doesn't take it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, evening_page(evening).encode())
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise ArmoonError(
            text("evening.not_written", path=path, why=why), remedy=text("evening.not_written_remedy")
        ) from error


def log_clips(games: Sequence[Told], count: int, say: Callable[[str], None]) -> list[ShownClip]:
    """Return the best clips of logged games, drawn here. Raises LogError, DisplayError."""
    found = []
    with tempfile.TemporaryDirectory(prefix="armoon-evening-") as folder:
        for log, most in _best(games, count):
            found += [
                ShownClip(telling.title, telling.words, path.read_bytes())
                for telling, path in clips_of(log, Path(folder), (CLIP_SIZE,), CLIP_TIER, say, most)
            ]
    return found


def party_clips(games: Sequence[Told], count: int) -> list[ShownClip]:
    """Return the same, drawn by a program of its own: where a window was open, nothing can be drawn without one."""
    found = []
    size = f"{CLIP_SIZE[0]}x{CLIP_SIZE[1]}"
    with tempfile.TemporaryDirectory(prefix="armoon-evening-") as folder:
        for log, most in _best(games, count):
            asked = ["clips", str(log), folder, "--size", size, "--tier", CLIP_TIER, "--best", str(most)]
            with suppress(KeyboardInterrupt):
                subprocess.run([sys.executable, "-m", "armoon", *asked], check=False)
            told = next(one for one in games if one.log == log)
            for place, telling in enumerate(_tellings(told)[:most], 1):
                path = Path(folder) / clip_name(log, place, telling.kind, CLIP_SIZE)
                with suppress(OSError):
                    found.append(ShownClip(telling.title, telling.words, path.read_bytes()))
    return found


def _best(games: Sequence[Told], count: int) -> list[tuple[Path, int]]:
    """Return how many of the evening's best clips come from each log."""
    ranked = sorted(
        ((telling.rank, one.log) for one in games if one.log is not None for telling in _tellings(one)),
        key=lambda pair: -pair[0],
    )[:count]
    logs = list(dict.fromkeys(log for _, log in ranked))
    return [(log, sum(other == log for _, other in ranked)) for log in logs]


def _tellings(told: Told) -> tuple[Telling, ...]:
    return tellings(told.happened, language())


def _played(told: Told) -> Played | None:
    happened: list[Happening] = [one for _, one in told.happened]
    return played(happened, told.day, told.seats)
