"""A trial in progress and at its end: texts on the glass, the value of the score, and the best run's ghost."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.task import Counts, Medal, Task
from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.result import BestRun
from armoon.games.moon.trials.tasks import said_score
from armoon.messages import text
from armoon.messages.numbers import centimetres
from armoon.values.scene import Ghost


def trial_texts(state: State, task: Task) -> tuple[str, ...]:
    """For the glass: how far the player has come, and what is next to be won."""
    if state.over:
        return ()
    score = state.trial_score
    if task.counts is Counts.DROPS:
        goal = centimetres(task.goal_m or 0.0)
        first = text("trials.now_goal", height=centimetres(state.top_m), goal=goal)
        score = state.turn  # if the ladder of this turn reached it
    else:
        first = text("trials.now", score=said_score(task, score))
    ahead = next_medal(task, score)
    return (first, *(() if ahead is None else (ahead,)))


def next_medal(task: Task, score: int | None) -> str | None:
    """Return the next medal and what it asks; None where there is none left to be won."""
    won = task.medal_of(score)
    return (None if won is None else _asked(task, won)) if task.fewer else _above(task, won)


def medal_lines(task: Task, score: int | None) -> list[str]:
    """Return the medal, and what the next one would have asked."""
    won = task.medal_of(score)
    said, above = text(f"trials.medal.{'none' if won is None else won.value}"), _above(task, won)
    return [said] if above is None else [said, above]


def _above(task: Task, won: Medal | None) -> str | None:
    medals = [None, *Medal]
    ahead = medals[medals.index(won) + 1 :]
    return _asked(task, ahead[0]) if ahead and ahead[0] is not None else None


def best_lines(task: Task, score: int | None, player: str, bests: Sequence[BestRun]) -> list[str]:
    """Whether it beats the player's own best and the table's, and what these are."""
    if not score:
        return []
    own = next((best for best in bests if best.player == player), None)
    top = bests[0] if bests else None
    lines = []
    if own is None or task.better(score, own.score):
        lines.append(text("trials.own_new"))
    else:
        lines.append(text("trials.own", score=said_score(task, own.score)))
    if top is None or task.better(score, top.score):
        lines.append(text("trials.table_new"))
    elif top.player != player:
        lines.append(text("trials.table", score=said_score(task, top.score), player=top.player))
    return [" ".join(lines)]


def best_ghost(match: MoonMatch, bests: Sequence[BestRun]) -> tuple[Ghost, ...]:
    """Where the best run had the ladder of this turn."""
    state = match.state
    if not bests or state.ladder is None or state.phase not in (Phase.DRAW, Phase.HOLD):
        return ()
    pose = bests[0].places.get(state.ladder)
    if pose is None:
        return ()
    return (Ghost(state.ladder, pose, label=text("trials.ghost", player=bests[0].player)),)


def _asked(task: Task, medal: Medal) -> str:
    score = said_score(task, task.medals[list(Medal).index(medal)])
    return text(f"trials.ask.{medal.value}", score=score)
