"""How a moon game ended, as the table of results stores it; of a trial the best results, and the best run's places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from armoon.games.moon.rules.editions import LINE_M, Mode, Options, Task
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.state import State
from armoon.games.moon.table.saving import GAME, resume_point, state_of
from armoon.games.moon.trials.tasks import said_score
from armoon.games.news import BestResult
from armoon.messages import text
from armoon.saves.files import SaveError
from armoon.saves.game_file import SUFFIX, GameFile
from armoon.saves.profiles import FigureCounts, Result, load_results
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from armoon.values.text import parse_count

#: How the file of results has "young climbers".
YOUNG = "young climbers"
#: ... and that players had handicaps.
HANDICAPS = "handicaps"


def result_of(game: str, state: State, date: str, figures: FigureCounts | None = None) -> Result:
    """Return a finished game's result under the saved game's name. Raises ValueError for an unfinished one."""
    end = outcome(state)
    if end is None:
        raise ValueError("the game isn't over")
    trial = state.options.trial
    return Result(
        game=game,
        date=date,
        edition=state.edition_name,
        variant=variant_of(state.options),
        players=state.players,
        winners=() if trial is not None else tuple(state.players[seat] for seat in end.winners),
        score=end.score,
        figures={} if figures is None else {player: dict(counts) for player, counts in figures.items()},
        kind=GAME,
        trial="" if trial is None else trial.name,
        reached=state.trial_score,
    )


def variant_of(options: Options) -> str:
    """Return the house options that make results incomparable, as the file of results keeps them."""
    if options.trial is not None:
        return ""
    parts = [YOUNG] if options.young_climbers else []
    parts += [] if options.tears is None else [f"{options.tears} tears"]
    parts += [] if options.supply_size is None else [f"{options.supply_size} ladders"]
    together = options.mode is Mode.COOPERATIVE and options.line_m != LINE_M
    parts += [f"{round(options.line_m * 100)} cm"] if together else []
    parts += [HANDICAPS] if options.handicaps else []
    return ", ".join(parts)


def variant_text(variant: str) -> str:
    return ", ".join(_part(part) for part in variant.split(", ") if part)


def _part(part: str) -> str:
    if part == YOUNG:
        return text("variant.young")
    if part == HANDICAPS:
        return text("variant.handicaps")
    said, _, what = part.partition(" ")
    count = parse_count(said)
    if count is None or what not in ("tears", "ladders", "cm"):
        return part
    return text(f"variant.{what}", count=count)


@dataclass(frozen=True)
class BestRun:
    """The best run."""

    player: str
    score: int
    places: Mapping[PieceId, Pose]
    """Where each ladder came to stand; none where its saved game is gone."""


def ranked(task: Task, results: Sequence[Result]) -> list[Result]:
    best: dict[str, Result] = {}
    for result in results:
        reached = result.reached or 0
        if result.trial != task.name or len(result.players) != 1 or not task.possible(reached):
            continue
        before = best.get(result.players[0])
        if before is None or task.better(reached, before.reached or 0):
            best[result.players[0]] = result
    sign = 1 if task.fewer else -1
    return sorted(best.values(), key=lambda one: (sign * (one.reached or 0), one.date, one.players))


def vouched(task: Task, results: Sequence[Result], folder: Path) -> list[Result]:
    """Return the task's results that replaying their saved games confirms; others were written by hand."""
    mine = [one for one in results if one.trial == task.name]
    return [
        one
        for one in mine
        if _came_to(folder / f"{one.game}{SUFFIX}") == (one.trial, one.players, one.reached)
    ]


def _came_to(path: Path) -> tuple[str, tuple[str, ...], int | None] | None:
    try:
        stamp = path.stat()
    except (OSError, ValueError):  # a name that no file can have
        return None
    return _replayed(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=4096)
def _replayed(path: Path, *_stamp: int) -> tuple[str, tuple[str, ...], int | None] | None:
    try:
        state = state_of(GameFile.read_saved(path))
    except SaveError:
        return None
    trial = state.options.trial
    return None if trial is None else (trial.name, state.players, state.trial_score)


def bests_of(task: Task, results: Sequence[Result]) -> tuple[BestResult, ...]:
    return tuple(
        BestResult(
            one.players[0],
            said_score(task, one.reached),
            medal.value if (medal := task.medal_of(one.reached)) is not None else "",
            one.date,
            one.game,
        )
        for one in ranked(task, results)
    )


def best_runs(task: Task, folder: Path) -> tuple[BestRun, ...]:
    try:
        best = ranked(task, vouched(task, load_results(folder).results, folder))
    except SaveError:
        return ()
    return tuple(
        BestRun(one.players[0], one.reached or 0, placed_in(folder, one.game, task) if k == 0 else {})
        for k, one in enumerate(best)
    )


def placed_in(folder: Path, game: str, task: Task) -> dict[PieceId, Pose]:
    """Return each ladder's pose when the turn after its own began; empty without a readable saved game."""
    try:
        places = resume_point(GameFile.read_saved(folder / f"{game}{SUFFIX}")).places
    except SaveError:
        return {}
    turns = enumerate(task.deal, start=2)
    return {piece: after[piece] for turn, piece in turns if piece in (after := dict(places.get(turn, ())))}
