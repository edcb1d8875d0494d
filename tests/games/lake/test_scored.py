"""Points are seen on their way, and count on a player's line only once they have come."""

from __future__ import annotations

import pytest
from support.lake_games import random_game

from armoon.engine.events import Happened
from armoon.games.lake.presenters.scene import LEAVE_TICKS, NOTHING, WAY_TICKS, Scoring
from armoon.games.lake.rules.game import points

COMES = LEAVE_TICKS + WAY_TICKS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_points_come_and_none_twice(players: int) -> None:
    scoring: Scoring = NOTHING
    won = lost = 0
    for number, (before, move, after) in enumerate(random_game(players, 3)):
        tick = 400 * number
        scoring = scoring.of(Happened(tick, move, before, after), tick)
        was, now = points(before), points(after)
        assert scoring.shown(after, tick) == tuple(min(a, b) for a, b in zip(was, now, strict=True))
        assert scoring.counters(after, tick) == ()
        flying = scoring.counters(after, tick + LEAVE_TICKS + WAY_TICKS // 2)
        changed = {seat: b - a for seat, (a, b) in enumerate(zip(was, now, strict=True)) if a != b}
        assert {one.seat: int(one.text.replace("−", "-")) for one in flying} == changed
        for one in flying:
            later = scoring.counters(after, tick + COMES - 1)
            there = next(other for other in later if other.seat == one.seat)
            assert (there.along > one.along) == (changed[one.seat] > 0), (
                "what is won comes, what is lost goes"
            )
            won, lost = won + (changed[one.seat] > 0), lost + (changed[one.seat] < 0)
        assert scoring.counters(after, tick + COMES) == ()
        assert scoring.shown(after, tick + COMES) == now
    assert won > 0
    assert lost > 0


def test_what_was_taken_back_doesnt_fly_on() -> None:
    before, move, after = next(one for one in random_game(2, 3) if points(one[0]) != points(one[2]))
    scoring = NOTHING.of(Happened(0, move, before, after), 0)
    middle = LEAVE_TICKS + WAY_TICKS // 2
    assert scoring.counters(after, middle)
    assert scoring.counters(before, middle) == ()
    assert scoring.shown(before, middle) == points(before)
