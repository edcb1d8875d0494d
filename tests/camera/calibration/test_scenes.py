"""Under bad conditions, a table's pose is right or refused with a reason, but never wrong."""

from __future__ import annotations

import math

import pytest
from benchmarks.sheets import Scenes

from armoon.camera.plane_pose import PlaneFault

#: Reasons that may be given instead of a pose, by scene; scenes without any require a pose.
POSE_REQUIRED: set[PlaneFault] = set()
EXPECTED: dict[str, set[PlaneFault]] = {
    "board: good light": POSE_REQUIRED,
    "board: half covered": POSE_REQUIRED,
    "board: nearly all covered": {PlaneFault.COVERED, PlaneFault.ABSENT},
    "board: glare": POSE_REQUIRED,
    "board: all glare": {PlaneFault.GLARE},
    "board: low light": POSE_REQUIRED,
    "board: dark": {PlaneFault.DARK},
    "board: upside down": POSE_REQUIRED,
    "board: a second one": {PlaneFault.TWO},
    "board: blank paper beside it": POSE_REQUIRED,
    "board: a little bent": {PlaneFault.NOT_FLAT},
    "board: smeared": {PlaneFault.BLURRED},
    "board: none": {PlaneFault.ABSENT},
    "sheet: good light": POSE_REQUIRED,
    "sheet: turned": POSE_REQUIRED,
    "sheet: on its side": POSE_REQUIRED,
    "sheet: a finger on its edge": POSE_REQUIRED,
    "sheet: half covered": {PlaneFault.COVERED},
    "sheet: a third covered": {PlaneFault.COVERED, PlaneFault.OUTLINE},
    "sheet: glare": POSE_REQUIRED,
    "sheet: all glare": {PlaneFault.GLARE},
    "sheet: low light": POSE_REQUIRED,
    "sheet: dark": {PlaneFault.DARK},
    "sheet: a second one": {PlaneFault.TWO},
    "sheet: bent": {PlaneFault.NOT_FLAT},
    "sheet: none": {PlaneFault.ABSENT},
}


@pytest.fixture(scope="module")
def scenes() -> Scenes:
    return Scenes()


@pytest.mark.parametrize("name", EXPECTED)
def test_the_pose_is_right_or_a_reason_is_given(scenes: Scenes, name: str) -> None:
    outcome = scenes.play(name)
    if outcome.unseen is not None:
        assert outcome.unseen in EXPECTED[name]
        assert str(outcome.unseen).startswith("Can't see it, because ")
    else:
        # A correct pose despite the obstacle is accepted.
        assert outcome.error_mm < 3.0
        assert outcome.error_rad < math.radians(1.0)
    if not EXPECTED[name]:
        assert outcome.unseen is None
