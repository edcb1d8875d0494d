"""The question to the search for places, about the ladder in the lid."""

from __future__ import annotations

from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.table.match import MoonMatch
from armoon.placement.question import MOST_S, Question
from armoon.values.places import STEADY, Slip
from armoon.world.structures.copying import standing_of


def question_now(
    match: MoonMatch,
    slip: Slip = STEADY,
    *,
    seed: int = 0,
    seconds: float = MOST_S,
    work_s: float | None = None,
) -> Question:
    """Where the ladder on turn would stand as its die asks; only where a die lies and a ladder is drawn.

    ``slip``: how the hand misses that is to let go; the rest as in ``Question``.
    """
    state = match.state
    assert state.die is not None
    assert state.ladder is not None
    standing = tuple(standing_of(match.facts))
    return Question(
        standing, state.ladder, wanted_by(state.die), slip, seed=seed, seconds=seconds, work_s=work_s
    )
