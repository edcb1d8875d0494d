"""Host corrections (X4): whatever a host does, in every mode and at every number of players, the game stays whole."""

from __future__ import annotations

import random

import pytest
from games.drivers.moon import MoonDriver
from support.doors_kit import Seats
from support.moon_invariants import check

from armoon.games.moon.rules import state as moves
from armoon.games.moon.rules.editions import EDITIONS, Mode, Options, trial_options
from armoon.games.moon.rules.game import apply, initial, legal
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Die, IllegalMove, IllegalSetup
from armoon.games.moon.trials.tasks import task_named
from armoon.values.acts import Act

MODES = {
    "competitive": Options(),
    "one tear": Options(tears=1),
    "short": Options(supply_size=2),
    "together": Options(mode=Mode.COOPERATIVE),
    "young climbers": Options(young_climbers=True),
    "practice": Options(practice=True),
    "trial": trial_options(task_named("today")),
}
#: More than any game has tears, so that every one of them is given and taken.
STEPS = 40
STARTS = 30


def test_a_correction_is_not_told_as_a_turns_verdict(seat: Seats) -> None:
    table = seat("moon", "--players", "Ann,Ben")
    MoonDriver().at_rest(table)
    table.ask(Act.ADD_TEAR, 1)
    table.rest(8.0)
    assert table.scene.hud.last_text.startswith("Overruled: Ben takes a tear")


def corrections(state: State) -> list[moves.Move]:
    seats = range(-1, len(state.players) + 1)
    tears = [moves.Overrule(act, seat) for act in (Act.GIVE_TEAR_BACK, Act.ADD_TEAR) for seat in seats]
    return [*tears, *(moves.Overrule(Act.UNDO, turns=turns) for turns in (0, 1, 3))]


def turn_moves(state: State) -> list[moves.Move]:
    possible = set(legal(state))
    if moves.Roll in possible:
        return [moves.Roll(state.next_face or Die.ONE)]
    if moves.Draw in possible and state.ladder is None:
        return [moves.Draw(state.supply[0])]
    return [kind() for kind in (moves.GiveUp, moves.Rest, moves.Share) if kind in possible]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", range(1, 7))
def test_corrections_never_break_a_game(edition: str, mode: str, count: int) -> None:
    names = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")[:count]
    try:
        first = initial(names, edition, 1, MODES[mode])
    except IllegalSetup:
        return
    every = corrections(first)
    for start in range(STARTS):
        chance = random.Random(start)
        state = first
        # Either one correction again and again, or any in turn with the players' moves.
        again = every[start : start + 1] if start < len(every) else every
        for _ in range(STEPS):
            move = chance.choice(again if chance.random() < 0.7 else turn_moves(state) or again)
            try:
                state = apply(state, move)
            except IllegalMove:
                continue
            check(state, first)
