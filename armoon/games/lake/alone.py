"""A lake game between bots without camera, hands or picture."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.games.lake.bots.bot import choose
from armoon.games.lake.rules.game import apply, initial
from armoon.games.lake.rules.values import LakeState, Strength
from armoon.messages import text


def bot_names(strengths: Sequence[Strength]) -> tuple[str, ...]:
    return tuple(f"{text(f'lake.bot.{s.value}')} {seat}" for seat, s in enumerate(strengths, start=1))


def play_bots(strengths: Sequence[Strength], seed: int, *, first: int = 0) -> LakeState:
    state = initial(bot_names(strengths), seed, first_chooser=first)
    while not state.over:
        state = apply(state, choose(state, strengths[state.player]))
    return state
