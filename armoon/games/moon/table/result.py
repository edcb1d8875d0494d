"""How a moon game ended, as the table of results stores it; of a trial the best results, and the best run's places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from armoon.games.moon.rules.editions import LINE_M, Mode, Options
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.task import Task
from armoon.games.moon.table.saving import resume_point
from armoon.games.moon.table.setup import GAME
from armoon.games.moon.trials.tasks import said_score
from armoon.games.trials import Best
from armoon.messages import text
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile
from armoon.saves.library import SUFFIX
from armoon.saves.results import FigureCounts, Result, load_results
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose

#: How the file of results has "young climbers".
YOUNG = "young climbers"
#: ... and that players had handicaps.
HANDICAPS = "handicaps"


def result_of(game: str, state: State, date: str, figures: FigureCounts | None = None) -> Result:
    """Return the result of a game that is over, under the saved game's name; ValueError while it isn't."""
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
    """Return the house options without which results can't be compared, as the file of results keeps them."""
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
    """Return a kept variant in the players' language."""
    return ", ".join(_part(part) for part in variant.split(", ") if part)


def _part(part: str) -> str:
    if part == YOUNG:
        return text("variant.young")
    if part == HANDICAPS:
        return text("variant.handicaps")
    count, _, what = part.partition(" ")
    if not count.isdecimal() or what not in ("tears", "ladders", "cm"):
        return part
    return text(f"variant.{what}", count=int(count))


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
        reached = result.reached or 0
        if result.trial != task.name or len(result.players) != 1 or not task.possible(reached):
            continue
        before = best.get(result.players[0])
        if before is None or task.better(reached, before.reached or 0):
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
