"""Trials: built-in tasks, daily tasks and the player's own.

A task is one TOML file (``docs/trials.md``). On the command line it is a name; logs and saves contain the whole task.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping
from pathlib import Path

from armoon.codec import MalformedError, convert
from armoon.codec.files import read_bytes
from armoon.errors import WorldError, describe_reason
from armoon.games.moon.editions import CROOKED, FACES, STRAIGHT, Die, PieceId, Task, TaskKind, TrialMeasure
from armoon.games.shared import shuffled
from armoon.messages import centimetres, language, text
from armoon.options.kinds import Kind
from armoon.settings.files import trials_folder
from armoon.values.poses import Pose
from armoon.values.text import quote_text
from armoon.world.checks import check_pose

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Folder of the built-in tasks.
BUILT_IN = Path(__file__).with_name("tasks")
TASK_OF_THE_DAY = BUILT_IN / "today.toml"
#: Maximum size of a task's file, in bytes; the built-in ones have less than 2 kB.
MAX_BYTES = 64 * 1024
#: Maximum length of a title that fits on a card.
MAX_TITLE_CHARS = 34
#: Number of days whose tasks are offered, beginning with today.
DAYS = 7
#: Name for the current day's task.
TODAY = "today"
#: A task with its title in the current language.
TitledTask = tuple[Task, str]


def deal_ladders(day: datetime.date, ladders: int) -> tuple[tuple[PieceId, ...], tuple[Die, ...]]:
    """Return a day's ladders in order, with a face for each: the die's six sides, reshuffled every six ladders."""
    seed = day.toordinal()
    deal = shuffled(seed, (*STRAIGHT[2:], *CROOKED), "today")[:ladders]
    faces: list[Die] = []
    while len(faces) < ladders:
        order = shuffled(seed, [str(k) for k in range(len(FACES))], f"faces {len(faces)}")
        faces += [FACES[int(k)] for k in order]
    return deal, tuple(faces[:ladders])


def load_tasks(
    day: datetime.date, own_folder: Path | None = None
) -> tuple[Mapping[str, TitledTask], tuple[str, ...]]:
    """Return a day's built-in tasks and those in the folder ``own_folder``, and a sentence for each unusable file.

    The tasks are sorted by kind, then by the file's name.
    """
    tasks: dict[str, TitledTask] = {}
    problems: list[str] = []
    for folder in (BUILT_IN, own_folder):
        for path in sorted(folder.glob("*.toml")) if folder is not None else ():
            try:
                task, title = read_task(path, day)
            except ValueError as error:
                problems.append(text("trials.broken", path=path, why=error))
                continue
            tasks.setdefault(task.name, (task, title))
    kinds = list(TaskKind)
    ordered = sorted(tasks.items(), key=lambda item: kinds.index(item[1][0].kind))
    return dict(ordered), tuple(problems)


def find_task(name: str, own_folder: Path | None = None) -> Task:
    """Return the task of that name: built in, of a day, or from the folder ``own_folder``. Raises ValueError."""
    today = datetime.date.today()
    if name == TODAY or name.startswith(f"{TODAY}-"):
        day = today if name == TODAY else datetime.date.fromisoformat(name.removeprefix(f"{TODAY}-"))
        return read_task(TASK_OF_THE_DAY, day)[0]
    entry = load_tasks(today, own_folder)[0].get(name)
    if entry is None:
        raise ValueError(name)
    return entry[0]


def read_task(path: Path, day: datetime.date) -> TitledTask:
    """Return the task in a file, and its title. Raises ValueError.

    The task is named after the file. A task of the kind "today" has a number of ``ladders`` instead of ``deal`` and
    ``faces``, which depend on the date.
    """
    try:
        fields = tomllib.loads(read_bytes(path, MAX_BYTES).decode())
        titles, name = convert(dict[str, str], fields.pop("title", None)), path.stem
        if "en" not in titles or not all(0 < len(title) <= MAX_TITLE_CHARS for title in titles.values()):
            raise ValueError(
                f"an English title is required, and titles have 1 to {MAX_TITLE_CHARS} characters"
            )
        ladders = convert(int, fields.pop("ladders", 0))
        if (fields.get("kind") == TaskKind.TODAY.value) is not (1 <= ladders <= 20):
            raise ValueError('the kind "today" requires 1 to 20 ladders; other kinds have no "ladders"')
        if ladders:
            name, (deal, faces) = f"{TODAY}-{day.isoformat()}", deal_ladders(day, ladders)
            fields |= {"deal": deal, "faces": [face.value for face in faces]}
        task = convert(Task, {"name": name, **fields}, exact=True)
        for piece, row in task.standing:
            check_pose(piece, Pose.from_row(row))
    except MalformedError as error:
        raise ValueError(str(error)) from error
    except OSError as error:
        raise ValueError(describe_reason(error)) from error
    except (ValueError, RecursionError, WorldError) as error:
        raise ValueError(quote_text(str(error))) from error
    title = titles.get(language(), titles["en"])
    return task, f"{title}, {day:%d/%m}" if task.kind is TaskKind.TODAY else title


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


def load_offered_tasks() -> tuple[tuple[TitledTask, ...], tuple[str, ...]]:
    """Return all tasks, those of previous days after today's, and a sentence for each unusable file."""
    today = datetime.date.today()
    tasks, problems = load_tasks(today, trials_folder())
    days = [today - datetime.timedelta(days=ago) for ago in range(1, DAYS)]
    first, *others = tasks.values()
    return (first, *(read_task(TASK_OF_THE_DAY, day) for day in days), *others), problems


def format_score(task: Task, score: int | None) -> str:
    if score is None:
        return text("trials.missed")
    if task.measure is TrialMeasure.HEIGHT:
        return centimetres(score / 1000.0) if score else text("trials.none_yet")
    return text(f"trials.{task.measure.value}", count=score)
