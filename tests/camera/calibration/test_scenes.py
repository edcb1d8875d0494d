"""Tables under bad conditions: the right pose, or a stated reason, never a wrong pose."""

from __future__ import annotations

import math

import pytest
from benchmarks.sheets import Scenes

from armoon.camera.plane_pose import Reason

#: Where nothing hinders, a pose must come; else the reasons that may be stated.
RIGHT: set[Reason] = set()
EXPECTED: dict[str, set[Reason]] = {
    "board: good light": RIGHT,
    "board: half covered": RIGHT,
    "board: nearly all covered": {Reason.COVERED, Reason.ABSENT},
    "board: glare": RIGHT,
    "board: all glare": {Reason.GLARE},
    "board: low light": RIGHT,
    "board: dark": {Reason.DARK},
    "board: upside down": RIGHT,
    "board: a second one": {Reason.TWO},
    "board: blank paper beside it": RIGHT,
    "board: bent": {Reason.NOT_FLAT},
    "board: a little bent": {Reason.NOT_FLAT},
    "board: smeared": {Reason.BLURRED},
    "board: none": {Reason.ABSENT},
    "sheet: good light": RIGHT,
    "sheet: turned": RIGHT,
    "sheet: on its side": RIGHT,
    "sheet: a finger on its edge": RIGHT,
    "sheet: half covered": {Reason.COVERED},
    "sheet: a third covered": {Reason.COVERED, Reason.OUTLINE},
    "sheet: glare": RIGHT,
    "sheet: all glare": {Reason.GLARE},
    "sheet: low light": RIGHT,
    "sheet: dark": {Reason.DARK},
    "sheet: a second one": {Reason.TWO},
    "sheet: bent": {Reason.NOT_FLAT},
    "sheet: none": {Reason.ABSENT},
}


@pytest.fixture(scope="module")
def scenes() -> Scenes:
    return Scenes()


@pytest.mark.parametrize("name", EXPECTED)
def test_right_or_stated(scenes: Scenes, name: str) -> None:
    outcome = scenes.play(name)
    if outcome.unseen is not None:
        assert outcome.unseen.reason in EXPECTED[name]
        assert str(outcome.unseen).startswith("Can't see it, because ")
    else:
        # A pose that comes in spite of the hindrance is welcome, if it is right.
        assert outcome.error_mm < 3.0
        assert outcome.error_rad < math.radians(1.0)
    if not EXPECTED[name]:
        assert outcome.unseen is None
