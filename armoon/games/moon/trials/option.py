"""The option that makes a game a trial: typed by its name, stored whole in logs and saves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from armoon.codec import convert
from armoon.games.moon.rules.task import Task
from armoon.messages import text


@dataclass(frozen=True)
class OfTrial:
    """A task (``options.kinds.Kind``)."""

    metavar: str = "NAME"

    def read(self, value: object) -> Task:
        """Return the task of that name, or the one that was written down."""
        if isinstance(value, str):
            # Files are read where a trial is asked for.
            from armoon.games.moon.trials.tasks import task_named
            from armoon.settings.options import trials_folder

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
