"""The results of all evenings for the pages: chart and high scores, the book of figures, trials."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from armoon.games import game_names
from armoon.games.contract.capabilities import Editions, Ranks, Tasks
from armoon.games.contract.kind import kind_of
from armoon.messages.numbers import enumerated
from armoon.saves.errors import SaveError
from armoon.saves.results import load_results
from armoon.screens.events import BookTold, HighScore, Making, ScoresTold, TrialLine, TrialsTold


def scores_told(game: str, folder: Path) -> ScoresTold:
    """Return the chart of a game, or of the first that has one, and its teams' best results.

    None that can't be read.
    """
    kinds = (kind_of(name) for name in (game, *game_names()) if name)
    chart = next((kind.chart() for kind in kinds if isinstance(kind, Ranks)), ())
    try:
        results = load_results(folder).results
    except SaveError:
        return ScoresTold(chart)
    best: dict[tuple[str, ...], HighScore] = {}
    for result in sorted(results, key=lambda one: (-(one.score or 0), one.date)):
        if result.score is None:
            continue
        kind = kind_of(result.kind or game_names()[0])
        rank = kind.rank(result.score) if isinstance(kind, Ranks) else ""
        variant = kind.variant(result.variant) if isinstance(kind, Editions) else result.variant
        told = (rank, variant, result.date[:10])
        line = HighScore(enumerated(result.players), result.score, " · ".join(part for part in told if part))
        best.setdefault((*sorted(result.players), result.variant), line)
    return ScoresTold(chart, tuple(best.values()))


def book_told(folder: Path) -> BookTold:
    """How often and when last each player has made each figure; unreadable files count as empty."""
    try:
        results = load_results(folder).results
    except SaveError:
        return BookTold()
    made: dict[str, dict[str, Making]] = {}
    for result in results:
        day = datetime.fromisoformat(result.date).date()
        for player, figures in result.figures.items():
            for figure, count in figures.items():
                before = made.setdefault(figure, {}).get(player, Making(player, 0, day))
                made[figure][player] = Making(player, before.count + count, max(before.last, day))
    rows = ((figure, sorted(by.values(), key=lambda one: -one.count)) for figure, by in made.items())
    return BookTold(tuple((figure, tuple(row)) for figure, row in rows))


def trials_told(folder: Path) -> TrialsTold:
    """Return the trials of every game, with the best of each player; without any that can't be read."""
    troubles: tuple[str, ...] = ()
    try:
        results = load_results(folder).results
    except SaveError as error:
        results, troubles = (), (str(error),)
    told: list[TrialLine] = []
    for name in game_names():
        kind = kind_of(name)
        if not isinstance(kind, Tasks):
            continue
        found = kind.trials()
        troubles += found.troubles
        told += [TrialLine(name, one, kind.bests(one.name, results, folder)) for one in found.trials]
    return TrialsTold(tuple(told), troubles)
