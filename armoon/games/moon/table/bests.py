"""The best scores of a trial, from the stored results; and the places of the best run's ladders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from armoon.games.moon.rules.task import Task
from armoon.games.moon.table.saving import resume_point
from armoon.games.moon.trials.listed import said_score
from armoon.games.trials import Best
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile
from armoon.saves.library import SUFFIX
from armoon.saves.results import Result, load_results
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose


@dataclass(frozen=True)
class BestRun:
    """The best run."""

    player: str
    score: int
    places: Mapping[PieceId, Pose]
    """Where each ladder came to stand; none where its saved game is gone."""


def ranked(task: Task, results: Sequence[Result]) -> list[Result]:
    """Return the best result of every player, the best first; of equal ones the older."""
    best: dict[str, Result] = {}
    for result in results:
        if result.trial != task.name or not result.reached or len(result.players) != 1:
            continue
        before = best.get(result.players[0])
        if before is None or task.better(result.reached, before.reached or 0):
            best[result.players[0]] = result
    sign = 1 if task.fewer else -1
    return sorted(best.values(), key=lambda one: (sign * (one.reached or 0), one.date, one.players))


def bests_of(task: Task, results: Sequence[Result]) -> tuple[Best, ...]:
    """Return the same, to be shown."""
    return tuple(
        Best(
            one.players[0],
            said_score(task, one.reached),
            medal.value if (medal := task.medal_of(one.reached)) is not None else "",
            one.date,
            one.game,
        )
        for one in ranked(task, results)
    )


def best_runs(task: Task, folder: Path) -> tuple[BestRun, ...]:
    """Every player's best run, the best first; of that one also where its ladders stood. None that can't be read."""
    try:
        best = ranked(task, load_results(folder).results)
    except SaveError:
        return ()
    return tuple(
        BestRun(one.players[0], one.reached or 0, placed_in(folder, one.game, task) if k == 0 else {})
        for k, one in enumerate(best)
    )


def placed_in(folder: Path, game: str, task: Task) -> dict[PieceId, Pose]:
    """Where each ladder stood when the turn after its own began; empty where the saved game is gone or broken."""
    try:
        places = resume_point(GameFile.open(folder / f"{game}{SUFFIX}")).places
    except SaveError:
        return {}
    stood: dict[PieceId, Pose] = {}
    for turn, piece in enumerate(task.deal, start=1):
        after = dict(places.get(turn + 1, ()))
        if piece in after:
            stood[piece] = after[piece]
    return stood
