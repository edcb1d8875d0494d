"""A lake game between bots without camera, hands or picture, printed line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armoon.games.lake.bots.bot import choose
from armoon.games.lake.rules.game import apply, initial, outcome
from armoon.games.lake.rules.lines import move_lines, outcome_lines, score_lines
from armoon.games.lake.rules.values import LakeState, Strength
from armoon.games.lake.table.setup import spoken
from armoon.messages import text


def bot_names(strengths: Sequence[Strength]) -> tuple[str, ...]:
    """Return a name for each bot: its strength and its seat."""
    return tuple(f"{text(f'lake.bot.{s.value}')} {seat}" for seat, s in enumerate(strengths, start=1))


def play_bots(
    strengths: Sequence[Strength],
    seed: int,
    *,
    names: Sequence[str] = (),
    say: Callable[[str], object] = print,
    first: int = 0,
) -> LakeState:
    """Play a whole game and tell its moves and its score; returns the last position.

    ``names`` are the bots' own where none are given. Raises IllegalSetup where names and bots don't go together.
    """
    state = initial(tuple(names) or bot_names(strengths), seed, first_chooser=first)
    while not state.over:
        move = choose(state, strengths[state.player])
        for line in move_lines(state, move):
            say(spoken(line))
        state = apply(state, move)
    result = outcome(state)
    assert result is not None  # the game is over
    for line in (*score_lines(state), *outcome_lines(state, result)):
        say(spoken(line))
    return state
