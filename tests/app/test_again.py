"""The last seconds, shown once more at their own pace."""

from __future__ import annotations

import numpy as np
import pytest

from armoon.app.again import AGAIN_S, AGAIN_WIDTH_PX, Again
from armoon.sinks.moment import Picture
from armoon.values.scene import Scene, SceneHud

RATE_HZ = 30.0
SMALL: Picture = np.zeros((9, 16, 3), np.uint8)


def scene(tick: int) -> Scene:
    return Scene(tick, (), (), SceneHud())


def watched(seconds: float) -> Again:
    """After so many seconds of pictures, each numbered by its tick."""
    again = Again()
    for k in range(round(seconds * RATE_HZ) + 1):
        again.remember(k / RATE_HZ, scene(k), SMALL)
    return again


def shown(again: Again, from_s: float, rate_hz: float = RATE_HZ) -> list[int]:
    """Which pictures are shown from a time on, so many times a second, until it is the present's turn."""
    ticks: list[int] = []
    for k in range(1000):
        picture = again.picture(from_s + k / rate_hz)
        if picture is None:
            return ticks
        ticks.append(picture[0].tick)
    raise AssertionError("the present never comes back")


@pytest.mark.parametrize("rate_hz", [11.0, 30.0, 60.0, 144.0])
def test_the_last_seconds_are_shown_again_in_their_order_and_pace(rate_hz: float) -> None:
    """However often the loop goes round, and whenever they are asked for."""
    again = watched(10.0)
    assert again.picture(10.0) is None, "nobody has asked yet"
    again.begin(10.4)
    ticks = shown(again, 10.4, rate_hz)
    first, last = (10.0 - AGAIN_S) * RATE_HZ, 10.0 * RATE_HZ
    assert ticks[0] == first
    assert last - ticks[-1] <= RATE_HZ / rate_hz + 1
    for k, tick in enumerate(ticks):
        assert tick == pytest.approx(first + k * RATE_HZ / rate_hz, abs=1)
    assert len(ticks) == pytest.approx(AGAIN_S * rate_hz, abs=2)
    assert again.picture(20.0) is None


def test_no_more_than_the_last_seconds_is_remembered() -> None:
    again = watched(60.0)
    again.begin(60.0)
    assert len(set(shown(again, 60.0))) <= AGAIN_S * RATE_HZ + 1


def test_pictures_are_kept_small() -> None:
    again = Again()
    again.remember(0.0, scene(0), np.zeros((720, 1280, 3), np.uint8))
    again.begin(0.0)
    picture = again.picture(0.0)
    assert picture is not None
    assert picture[1].shape == (360, AGAIN_WIDTH_PX, 3)
