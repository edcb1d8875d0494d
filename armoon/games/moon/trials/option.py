"""Trials as an option, typed by name and stored whole in logs and saves; and as pages and command line list them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from armoon.codec import convert
from armoon.games.moon.rules.task import Counts, Task
from armoon.games.moon.trials.tasks import load_tasks, task_named
from armoon.games.trials import Trial, Trials
from armoon.messages import text
from armoon.messages.numbers import centimetres
from armoon.settings.options import trials_folder


@dataclass(frozen=True)
class OfTrial:
    """A task (``options.kinds.Kind``)."""

    metavar: str = "NAME"

    def read(self, value: object) -> Task:
        """Return the task of that name, or the one that was written down."""
        if isinstance(value, str):
            return task_named(value, trials_folder())
        if not isinstance(value, Mapping):
            raise ValueError(value)
        return convert(Task, value, exact=True)

    def typed(self, words: str) -> object:
        """As it stands."""
        return words

    def allowed(self) -> str:
        """Where the names are listed."""
        return text("option.allowed.trial")


def trials_today() -> Trials:
    """All of them, in the players' language."""
    tasks = load_tasks(datetime.date.today(), trials_folder())
    return Trials(tuple(shown(one.task, one.title) for one in tasks.trials), tasks.troubles)


def shown(task: Task, title: str) -> Trial:
    """Return a task in words."""
    bronze, silver, gold = (said_score(task, asked) for asked in task.medals)
    kind = task.kind.value
    return Trial(
        task.name,
        text(f"trials.kind.{kind}"),
        text(f"trials.about.{kind}"),
        title if task.goal_m is None else f"{title}, {centimetres(task.goal_m)}",
        (bronze, silver, gold),
    )


def said_score(task: Task, score: int | None) -> str:
    """Return a score in the players' language."""
    if score is None:
        return text("trials.missed")
    if task.counts is Counts.HEIGHT:
        return centimetres(score / 1000.0)
    return text(f"trials.{task.counts.value}", count=score)
