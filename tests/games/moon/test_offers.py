"""The order in which places are offered: safe ones, and by turns with them those that climb."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from armoon.games.moon.choosing.offers import by_turns
from armoon.values.places import Place
from armoon.values.poses import Pose


def place(number: int, safety: float, reach_m: float, slips: int = 8) -> Place:
    pose = Pose((0.01 * number, 0.0, 0.15))
    return Place(pose, pose, ("L01",), reach_m > 0.0, 0.15 + reach_m, safety, slips, reach_m=reach_m)


#: From the safest on: all flat but the last two, of which the one is good.
PLACES = (
    place(1, 1.0, 0.0),
    place(2, 1.0, 0.001),
    place(3, 0.9, 0.0),
    place(4, 0.8, 0.03),
    place(5, 0.4, 0.05),
)


def numbers(places: Sequence[Place]) -> list[int]:
    return [round(one.release.position[0] / 0.01) for one in places]


def test_the_safest_comes_first_and_what_climbs_second() -> None:
    assert numbers(by_turns(PLACES)) == [1, 4, 2, 3, 5]


def test_what_rarely_holds_is_never_put_forward() -> None:
    assert numbers(by_turns((place(1, 0.9, 0.0), place(2, 0.8, 0.0), place(3, 0.5, 0.1)))) == [1, 2, 3]


@pytest.mark.parametrize("count", range(6))
def test_each_is_offered_once(count: int) -> None:
    assert sorted(numbers(by_turns(PLACES[:count]))) == list(range(1, count + 1))
