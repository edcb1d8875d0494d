"""The lake played through the rendered camera: rendered frames, the real tracker, grips, moves and the log.

A whole game takes minutes: ``python -m benchmarks lake`` plays one at each seat.
"""

from __future__ import annotations

import json

import pytest
from benchmarks.lake import HEIGHT, WIDTH, LakeThroughCamera

from armoon.camera.seat import SEATS
from armoon.engine.records import intake_from_record
from armoon.games.lake.kind import KIND
from armoon.games.lake.rules.moves import Carry, Choose, Move

pytestmark = [pytest.mark.slow, pytest.mark.gl, pytest.mark.tracker]

#: Enough for a few moves.
CARRIES = 3
MOST_FRAMES = 900


@pytest.mark.parametrize("seat", sorted(SEATS))
def test_moves_are_played_through_camera_and_tracker(seat: str) -> None:
    played = LakeThroughCamera(SEATS[seat](WIDTH, HEIGHT), ("Ann", "Ben"), 3)
    records = [played.game.header(), *played.game.opening.records]
    moves: list[Move] = []
    try:
        while sum(isinstance(move, Carry) for move in moves) < CARRIES:
            assert played.figures.frames < MOST_FRAMES
            out = played.step()
            records += out.records
            moves += [done.move for done in out.played]
    finally:
        played.close()
    assert [type(move) for move in moves] == [Choose] * 2 + [Carry] * CARRIES
    assert played.figures.slips <= 1, "a slip now and then is a player's, more is the reading's"
    assert played.figures.frames_without_hand < 0.02 * played.figures.frames
    records += played.game.finish().records
    logged = [json.loads(json.dumps(record)) for record in records]
    again = KIND.logged(logged[0])
    stepped = [logged[0], *again.opening.records]
    for record in logged:
        if record["kind"] == "hands":
            stepped += again.advance(intake_from_record(record)).records
    stepped += again.finish().records
    assert [json.loads(json.dumps(record)) for record in stepped] == logged
