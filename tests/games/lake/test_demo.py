"""The lake played through the rendered camera: rendered frames, the real tracker, grips, moves and the log.

A whole game takes minutes: ``python -m benchmarks lake`` plays one at each seat.
"""

from __future__ import annotations

import json

import pytest
from benchmarks.lake import HEIGHT, WIDTH, LakeThroughCamera
from support.log_kit import records_of

from armoon.camera.seat import SEATS
from armoon.engine.records import intake_from_record
from armoon.games.lake.kind import KIND
from armoon.games.lake.rules.moves import MOVE_KINDS, Carry, Choose, Move

pytestmark = [pytest.mark.slow, pytest.mark.gl, pytest.mark.tracker]

#: Enough for a few moves.
CARRIES = 3
MOST_FRAMES = 900


@pytest.mark.parametrize("seat", sorted(SEATS))
def test_moves_are_played_through_camera_and_tracker(seat: str) -> None:
    played = LakeThroughCamera(SEATS[seat](WIDTH, HEIGHT), ("Ann", "Ben"), 3)
    records = records_of(played.game.match, played.game.match.opening)
    moves: list[Move] = []
    try:
        while sum(isinstance(move, Carry) for move in moves) < CARRIES:
            assert played.figures.frames < MOST_FRAMES
            out = played.step()
            records += records_of(played.game.match, out)
            moves += out.of(*MOVE_KINDS)
    finally:
        played.close()
    assert [type(move) for move in moves] == [Choose] * 2 + [Carry] * CARRIES
    assert played.figures.slips <= 1, "a slip now and then is a player's, more is the reading's"
    assert played.figures.frames_without_hand < 0.02 * played.figures.frames
    records += records_of(played.game.match, played.game.finish())
    logged = [json.loads(json.dumps(record)) for record in records]
    again = KIND.logged(logged[0])
    stepped = records_of(again, again.opening)
    for record in logged:
        if record["kind"] == "hands":
            stepped += records_of(again, again.advance(intake_from_record(record)))
    stepped += records_of(again, again.finish())
    assert [json.loads(json.dumps(record)) for record in stepped] == logged
