"""Pictures that the program paints for itself."""

from __future__ import annotations

import numpy as np

from armoon.view.scene.scenery import MOON_DISC, moon_picture


def test_no_lattice_shows_on_the_moon() -> None:
    """Blocks have edges along both axes: where it is lit, brightness changes that way no more than others."""
    picture = moon_picture()
    size = len(picture)
    y, x = ((np.mgrid[0:size, 0:size] + 0.5) / size * 2.0 - 1.0) / MOON_DISC
    lit = (np.hypot(x, y) < 0.8) & (0.42 * y > 0.62 * x - 0.1)
    change_y, change_x = np.gradient(picture[..., :3].mean(axis=2))
    change = (change_x + 1j * change_y)[lit]
    assert np.abs(change).mean() > 0.5, "it has seas and craters"
    along_axes = np.abs(change) @ np.exp(4j * np.angle(change)) / np.abs(change).sum()
    assert abs(along_axes) < 0.1


def test_the_moon_is_round_and_lit_from_the_upper_left_in_its_glow() -> None:
    """First row at the bottom."""
    picture = moon_picture().astype(int)
    size = len(picture)
    middle, radius = size // 2, MOON_DISC * size / 2.0
    inside, outside = round(0.94 * radius), round(1.06 * radius)
    for out, covers in ((inside, True), (outside, False)):
        for right, up in ((out, 0), (-out, 0), (0, out), (0, -out)):
            assert (picture[middle + up, middle + right, 3] == 255) is np.bool_(covers)
    near, far = round(0.5 * radius), round(0.6 * radius)
    bright, dark = (
        picture[middle + near, middle - far, :3].mean(),
        picture[middle - near, middle + far, :3].mean(),
    )
    assert bright > 2.0 * dark
    assert 0 < picture[middle, middle + outside, 3] < 200
    assert picture[0, 0, 3] == 0
