"""What a place leaves for the next ladder, as the demo's player thinks ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from benchmarks.structures.towers import starting_structure

from armoon.games.moon.player.ahead import Ahead
from armoon.placement.question import Question, is_good
from armoon.placement.seeker import Seeker
from armoon.values.places import Place, Wanted
from armoon.values.poses import Pose
from armoon.world.checks import Standing

START = starting_structure(2)
#: Starting ladders; one that is hooked over the first, and one that stands steeply on the second and leans on that: all
#: stand, but whatever is laid on them brings one of them down.
SLOTTED = (
    ("L01", Pose((-0.023998, -0.000000, 0.066940), (0.049325, 0.049325, 0.705384, 0.705384)), True),
    ("L02", Pose((0.023998, 0.000000, 0.066940), (-0.049325, -0.049325, 0.705384, 0.705384)), True),
)
HOOKED = Pose((-0.018851, -0.013415, 0.110377), (0.081405, 0.164569, 0.824315, 0.535533))
STEEP = Pose((0.005157, 0.002803, 0.151046), (-0.159210, -0.235734, 0.868969, 0.404937))


@pytest.fixture
def ahead() -> Iterator[Ahead]:
    one = Ahead(START.ladders, START.base)
    yield one
    one.close()


def left(ahead: Ahead, question: Question, place: Place) -> float:
    """What the place is known to leave once it was thought about."""
    for _ in ahead.look(question, [place], 1):
        pass
    return ahead.left(place)


def first_good(standing: Standing, piece: str) -> Place:
    seeker = Seeker(START.ladders, START.base)
    try:
        question = Question(tuple(standing), piece, Wanted(1, 2))
        found = (finding.place for finding in seeker.seek(question, 1) if finding is not None)
        return next(place for place in found if is_good(place))
    finally:
        seeker.close()


def test_a_place_is_known_to_leave_nothing_or_something(ahead: Ahead) -> None:
    safe = first_good(SLOTTED, "L07")
    asked = Question(SLOTTED, "L07", Wanted(1, 2))
    assert left(ahead, asked, safe) > 0.0
    hooked = (*SLOTTED, ("L07", HOOKED, False))
    steep = replace(safe, release=STEEP, rest=STEEP)
    assert left(ahead, replace(asked, standing=hooked, piece="L08"), steep) == 0.0
    ahead.forget()
    assert ahead.left(safe) == 0.0, "of another structure nothing is known yet"
