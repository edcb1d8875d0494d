"""One followed hand: where it was before its fingers opened."""

from __future__ import annotations

import math

from support.hands_help import CAMERA, PALM_M, stick_hand

from armoon.hands.grips.followed import FollowedHand
from armoon.hands.grips.path import LOOK_BACK_FROM_S
from armoon.hands.grips.reading import Pace
from armoon.hands.grips.settings import GripSettings
from armoon.values.poses import Pose

FRAME_S = 1.0 / 30.0


def test_a_release_takes_the_place_from_a_little_before_the_gap_grew() -> None:
    """Tips slide over each other before they part, so the last frame of a tight gap is too late already."""
    hand = FollowedHand(1, CAMERA, GripSettings(palm_m=PALM_M), Pace())
    poses: list[Pose] = []
    for frame in range(60):
        place = (-0.06 + 0.003 * frame, 0.06, 0.5)
        pinched = 10 <= frame < 40
        changed = hand.see(stick_hand(place, pinch=1.0 if pinched else 0.0), frame * FRAME_S)
        poses.append(hand.path.pose(frame * FRAME_S))
        if changed and not hand.grip.closed:
            break
    assert changed
    assert not hand.grip.closed
    back = math.ceil(LOOK_BACK_FROM_S / FRAME_S)
    assert back == 3
    released = hand.path.before_opening.position
    assert math.dist(released, poses[39 - back].position) < 1e-9
    assert math.dist(released, poses[39].position) > 0.006
