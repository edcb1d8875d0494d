"""What counts as a flash, on pictures whose flashes are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from benchmarks.flashes import RATE_HZ, Flashes, Picture, flashes_of

HEIGHT, WIDTH = 144, 256


def shown(colour: Callable[[float], tuple[float, float, float]], share: float = 1.0) -> Flashes:
    """Two seconds of a night in which a field in the middle has this colour (red, green, blue) at each time."""
    pictures: list[Picture] = []
    for number in range(2 * RATE_HZ):
        picture = np.full((HEIGHT, WIDTH, 3), 40, np.uint8)
        high, wide = (round(size * share / 2.0) for size in (HEIGHT, WIDTH))
        middle = picture[HEIGHT // 2 - high : HEIGHT // 2 + high, WIDTH // 2 - wide : WIDTH // 2 + wide]
        middle[:] = np.round(np.array(colour(number / RATE_HZ)[::-1]) * 255.0)
        pictures.append(picture)
    return flashes_of(pictures)


def blinking(hertz: float, high: float, low: float = 0.1) -> Callable[[float], tuple[float, float, float]]:
    return lambda time_s: (high if (time_s * hertz) % 1.0 < 0.5 else low,) * 3


@pytest.mark.parametrize("hertz", [1.0, 3.0, 5.0])
def test_a_blinking_field_flashes_as_often_as_it_blinks(hertz: float) -> None:
    found = shown(blinking(hertz, 0.9))
    assert found.general == hertz
    assert found.red == 0


def test_what_is_small_faint_bright_throughout_or_slow_does_not_flash() -> None:
    assert shown(blinking(5.0, 0.9), 0.15).general == 0
    assert shown(blinking(5.0, 0.35)).general == 0
    assert shown(blinking(5.0, 1.0, 0.93)).general == 0
    assert shown(lambda time_s: (time_s / 2.0,) * 3).general == 0


def test_a_red_that_comes_and_goes_is_a_red_flash_even_where_it_is_dark() -> None:
    found = shown(lambda time_s: (0.55 if (time_s * 4.0) % 1.0 < 0.5 else 0.0, 0.0, 0.0))
    assert (found.general, found.red) == (0, 4)
