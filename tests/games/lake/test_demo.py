"""The lake played through the rendered camera: rendered frames, the real tracker, grips, moves and the log."""

from __future__ import annotations

import json

import pytest
from support.log_kit import records_of

from armoon import __version__
from armoon.camera.profiles import SEATS, CameraSeat
from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import Output
from armoon.engine.logbook import intake_from_record
from armoon.engine.setup import Intake, table_at
from armoon.games.lake.kind import KIND
from armoon.games.lake.play import LakeGame
from armoon.games.lake.player import LakePlayer
from armoon.games.lake.rules.game import initial
from armoon.games.lake.rules.values import MOVE_KINDS, Carry, Choose, Move, Strength
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import FlewHome, LakeSetup, Refused
from armoon.hands.tracker import HandTracker, play_region
from armoon.players.demo import hand_habits
from armoon.synthetic_camera.anatomy import HandState, palm_for_grip
from armoon.synthetic_camera.look import StageLook
from armoon.synthetic_camera.rendered_camera import RenderedCamera

pytestmark = [pytest.mark.slow, pytest.mark.gl, pytest.mark.tracker]

#: Enough for a few moves.
CARRIES = 1
MOST_FRAMES = 900
RATE_HZ = 30
SEED = 3


class LakeThroughCamera:
    """A simulated player, its rendered hand, the tracker and a game, frame by frame."""

    def __init__(self, seat: CameraSeat) -> None:
        match = LakeMatch(table_at(seat, __version__), LakeSetup(initial(("Ann", "Ben"), SEED)))
        self.game = LakeGame(match)
        self.frames = self.frames_without_hand = self.slips = 0
        self._player = LakePlayer(hand_habits(seat), (Strength.WEAK,))
        self._camera = RenderedCamera(seat.camera, seat.table_from_camera, StageLook(seed=SEED))
        region = play_region(seat.camera, seat.table_from_camera)
        self._tracker = HandTracker(watch_second_hand=False, region=region)

    def step(self) -> Output:
        time_s = self.frames / RATE_HZ
        aim = self._player.look(self.game.sight(time_s))
        hand = HandState(palm_for_grip(aim.grip.position, aim.grip.rotation), aim.closing)
        hands = self._tracker.track(self._camera.render([hand]), time_s, self.frames)
        out = self.game.advance(Intake(time_s, TICKS_PER_SECOND // RATE_HZ, hands))
        self.frames += 1
        self.frames_without_hand += not hands.hands
        self.slips += len(out.of(FlewHome, Refused))
        return out

    def close(self) -> None:
        self._tracker.close()
        self._camera.close()
        self.game.close()


@pytest.mark.parametrize("seat", [pytest.param("mirror", marks=pytest.mark.long), "table"])
def test_moves_are_played_through_camera_and_tracker(seat: str) -> None:
    played = LakeThroughCamera(SEATS[seat](640, 360))
    records = records_of(played.game.match, played.game.match.opening)
    moves: list[Move] = []
    try:
        while sum(isinstance(move, Carry) for move in moves) < CARRIES:
            assert played.frames < MOST_FRAMES
            out = played.step()
            records += records_of(played.game.match, out)
            moves += out.of(*MOVE_KINDS)
    finally:
        played.close()
    assert [type(move) for move in moves] == [Choose] * 2 + [Carry] * CARRIES
    assert played.slips <= 1, "a slip now and then is a player's, more is the reading's"
    assert played.frames_without_hand < 0.02 * played.frames
    records += records_of(played.game.match, played.game.finish())
    logged = [json.loads(json.dumps(record)) for record in records]
    again = KIND.logged(logged[0])
    stepped = records_of(again, again.opening)
    for record in logged:
        if record["kind"] == "hands":
            stepped += records_of(again, again.advance(intake_from_record(record)))
    stepped += records_of(again, again.finish())
    assert [json.loads(json.dumps(record)) for record in stepped] == logged
