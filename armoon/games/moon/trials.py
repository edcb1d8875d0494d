"""Trials: built-in tasks, tasks of the day and the player's own, as an option and as listed on pages.

A task is one TOML file (``docs/trials.md``). On the command line it is a name; logs and saves contain the whole task.
"""

from __future__ import annotations

import datetime
import functools
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from armoon.codec import MalformedError, convert
from armoon.codec.files import read_bytes
from armoon.errors import WorldError
from armoon.games.moon.editions import CROOKED, FACES, STRAIGHT, Counts, Die, PieceId, Task, TaskKind
from armoon.games.shared import shuffled
from armoon.messages import centimetres, language, text
from armoon.options.kinds import Kind
from armoon.settings.files import trials_folder
from armoon.values.poses import Pose, PoseRow
from armoon.values.text import quote_text
from armoon.world.checks import check_pose


def name_of_day(day: datetime.date) -> str:
    return f"today-{day.isoformat()}"


def deal_ladders(day: datetime.date, ladders: int) -> tuple[tuple[PieceId, ...], tuple[Die, ...]]:
    """Return the ladders in order, and a face for each; every six faces are the die's six sides, shuffled."""
    seed = day.toordinal()
    deal = shuffled(seed, (*STRAIGHT[2:], *CROOKED), "today")[:ladders]
    faces: list[Die] = []
    while len(faces) < ladders:
        order = shuffled(seed, [str(k) for k in range(len(FACES))], f"faces {len(faces)}")
        faces += [FACES[int(k)] for k in order]
    return deal, tuple(faces[:ladders])


if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HOUSE = Path(__file__).with_name("tasks")
SUFFIX = ".toml"
#: Maximum size of a task's file, about a page of text.
LARGEST_BYTES = 64 * 1024
#: Maximum number of cached files; there are 34 built-in ones.
MAX_FILES = 128
#: Maximum length of a title that fits a card.
LONGEST_TITLE = 34
#: Number of days whose tasks are offered, today's first.
DAYS = 7
#: Name for the current day's task.
TODAY = "today"


@dataclass(frozen=True)
class TaskFile:
    """The content of a task's file; the file's name is the task's name."""

    kind: TaskKind
    title: Mapping[str, str]
    """Titles by language; English is required."""
    tears: int
    medals: tuple[int, int, int]
    deal: tuple[PieceId, ...] = ()
    faces: tuple[Die, ...] = ()
    ladders: int = 0
    """Number of ladders that the date deals, in the kind "today"; otherwise 0."""
    goal_m: float | None = None
    standing: tuple[tuple[PieceId, PoseRow], ...] = ()

    def __post_init__(self) -> None:
        titles = list(self.title.values())
        if "en" not in self.title or not all(0 < len(title) <= LONGEST_TITLE for title in titles):
            raise ValueError(f"a title has 1 to {LONGEST_TITLE} letters, and an English one is there")
        if (self.kind is TaskKind.TODAY) is not (1 <= self.ladders <= 20):
            raise ValueError("1 to 20 ladders by the date belong to the kind today, and to it alone")

    def make_task(self, name: str, day: datetime.date) -> Task:
        for piece, row in self.standing:
            try:
                check_pose(piece, Pose.from_row(row))
            except WorldError as error:
                raise ValueError(f"{piece} stands at no proper place") from error
        deal, faces = self.deal, self.faces
        if self.kind is TaskKind.TODAY:
            name, (deal, faces) = name_of_day(day), deal_ladders(day, self.ladders)
        return Task(name, self.kind, deal, faces, self.tears, self.medals, self.goal_m, self.standing)


#: A task with its title in the current language.
Titled = tuple[Task, str]


def load_tasks(day: datetime.date, own: Path | None = None) -> tuple[Mapping[str, Titled], tuple[str, ...]]:
    """Return the built-in tasks of a day and those in the folder ``own``, and a sentence for each unusable file.

    The tasks are in the order of their kinds, then of the files' names.
    """
    return _load(day, own, language(), _stamp(own))


def find_task(word: str, own: Path | None = None) -> Task:
    day = datetime.date.today()
    if word.startswith(f"{TODAY}-"):
        day = datetime.date.fromisoformat(word.removeprefix(f"{TODAY}-"))
    entry = load_tasks(day, own)[0].get(name_of_day(day) if word == TODAY else word)
    if entry is None:
        raise ValueError(word)
    return entry[0]


def read_task(path: Path, day: datetime.date) -> Titled:
    try:
        stat = path.stat()
        file = _file(path, stat.st_mtime_ns, stat.st_size)
        task = file.make_task(path.stem, day)
    except MalformedError as error:
        raise ValueError(str(error)) from error
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise ValueError(quote_text(str(error))) from error
    title = file.title.get(language(), file.title["en"])
    return task, f"{title}, {day:%d.%m.}" if task.kind is TaskKind.TODAY else title


@functools.lru_cache(maxsize=MAX_FILES)
def _file(path: Path, changed_ns: int, size: int) -> TaskFile:
    return convert(TaskFile, tomllib.loads(read_bytes(path, LARGEST_BYTES).decode()), exact=True)


@functools.lru_cache(maxsize=2 * DAYS)
def _load(
    day: datetime.date, own: Path | None, spoken: str, stamp: object
) -> tuple[Mapping[str, Titled], tuple[str, ...]]:
    tasks: dict[str, Titled] = {}
    troubles: list[str] = []
    for folder in (HOUSE, own):
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder is not None else ():
            try:
                task, title = read_task(path, day)
            except ValueError as error:
                troubles.append(text("trials.broken", path=path, why=error))
                continue
            tasks.setdefault(task.name, (task, title))
    kinds = list(TaskKind)
    ordered = sorted(tasks.items(), key=lambda item: kinds.index(item[1][0].kind))
    return dict(ordered), tuple(troubles)


def _stamp(own: Path | None) -> object:
    if own is None:
        return None
    try:
        return tuple(sorted((path.name, path.stat().st_mtime_ns) for path in own.glob(f"*{SUFFIX}")))
    except OSError:
        return None


class TrialKind(Kind):
    """The kind of an option whose value is a task."""

    metavar = "NAME"

    def read(self, value: object) -> Task:
        if isinstance(value, str):
            return find_task(value, trials_folder())
        if not isinstance(value, Mapping):
            raise ValueError(value)
        return convert(Task, value, exact=True)

    def describe_allowed(self) -> str:
        return text("option.allowed.trial")


def trials_today() -> tuple[tuple[Titled, ...], tuple[str, ...]]:
    """Return all tasks with their titles, the previous days' after today's, and what ``load_tasks`` couldn't use."""
    today, own = datetime.date.today(), trials_folder()
    tasks, troubles = load_tasks(today, own)
    days = [today - datetime.timedelta(days=ago) for ago in range(1, DAYS)]
    before = [load_tasks(day, own)[0].get(name_of_day(day)) for day in days]
    first, *others = tasks.values()
    return (first, *(trial for trial in before if trial is not None), *others), troubles


def score_text(task: Task, score: int | None) -> str:
    if score is None:
        return text("trials.missed")
    if task.counts is Counts.HEIGHT:
        return centimetres(score / 1000.0) if score else text("trials.none_yet")
    return text(f"trials.{task.counts.value}", count=score)
