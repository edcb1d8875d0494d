"""The rendered hand's skeleton: its pads meet, its bones keep their length, and its pinch point is known."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armoon.geometry import Array, mat_from_quat, quat
from armoon.synthetic_camera import anatomy
from armoon.synthetic_camera.look import HANDS, HandVariant
from armoon.values.poses import Pose, Quat, Vec3

grips = st.floats(0.0, 1.0)
sides = st.sampled_from(["left", "right"])
scales = st.floats(0.7, 1.3)
metres = st.floats(-0.5, 0.5)
points = st.tuples(metres, metres, metres)
components = st.floats(-1.0, 1.0)
rotations = (
    st.tuples(components, components, components, components)
    .filter(lambda values: math.hypot(*values) > 0.1)
    .map(quat)
)


def measure_pinch(points: Array) -> float:
    across = np.linalg.norm(points[anatomy.THUMB_TIP] - points[anatomy.INDEX_TIP])
    return float(across / np.linalg.norm(points[anatomy.WRIST] - points[anatomy.MIDDLE_KNUCKLE]))


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.name)
def test_hands_of_every_shape_bring_their_pads_together_and_their_bones_keep_their_length(
    hand: HandVariant,
) -> None:
    thumb, index = anatomy.find_pads(anatomy.find_grip_angles(1.0, hand.stretch), hand.stretch)
    assert np.linalg.norm(thumb - index) < 1e-4
    assert measure_pinch(anatomy.compute_hand_landmarks(1.0, hand.stretch)) < 0.13
    assert measure_pinch(anatomy.compute_hand_landmarks(0.0, hand.stretch)) > 0.9
    opened, closed = (anatomy.compute_hand_landmarks(grip, hand.stretch) for grip in (0.0, 1.0))
    for start in (2, 3, *range(5, 8)):
        lengths = [np.linalg.norm(posed[start + 1] - posed[start]) for posed in (opened, closed)]
        assert lengths[0] == pytest.approx(lengths[1])


def test_closing_the_grip_never_opens_the_pinch() -> None:
    ratios = [measure_pinch(anatomy.compute_hand_landmarks(grip)) for grip in np.linspace(0.0, 1.0, 21)]
    assert all(later < earlier for earlier, later in pairwise(ratios))


@given(points, rotations, grips, sides, scales)
def test_a_placed_palm_has_its_pinch_point_at_the_requested_point(
    point: Vec3, rotation: Quat, grip: float, side: anatomy.Side, scale: float
) -> None:
    palm = anatomy.place_palm(point, rotation, grip, side, scale)
    assert palm.rotation == rotation
    assert anatomy.find_pinch_point(anatomy.HandState(palm, grip, side), scale) == pytest.approx(
        point, abs=1e-12
    )


@given(points, rotations, grips, sides)
def test_a_mirrored_hand_is_the_other_hand_with_mirrored_landmarks(
    point: Vec3, rotation: Quat, grip: float, side: anatomy.Side
) -> None:
    state = anatomy.HandState(Pose(point, rotation), grip, side)
    other = anatomy.mirror_hand(state)
    assert other.side != state.side
    assert np.linalg.det(mat_from_quat(other.palm.rotation)) == pytest.approx(1.0)
    assert anatomy.get_landmarks(other) == pytest.approx(
        anatomy.get_landmarks(state) * (-1.0, 1.0, 1.0), abs=1e-9
    )
