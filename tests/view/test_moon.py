"""The moon behind the tower grows with the tower, and no panel covers it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.hud_kit import FULL, USUAL

from armoon.camera.profiles import SEATS
from armoon.geometry import project_table_points
from armoon.gl import HeadlessSurface, make_texture
from armoon.values.choices import SeatName
from armoon.values.poses import Vec3
from armoon.values.scene import Scene, SceneHud
from armoon.view.scene.camera_picture import get_clip_from_table

pytestmark = pytest.mark.gl

SURFACE: tuple[int, int, dict[str, Any]] = (64, 64, {})
SIZES = [(640, 360), (480, 270), (360, 640)]
TOPS_M = (0.0, 0.12, 0.18, 0.24, 0.30, 0.36)
#: A usual and the fullest head-up display, and the fullest without banner or verdict.
HUDS = {
    "usual": USUAL,
    "no banner": replace(FULL, banner=""),
    "stopped": replace(FULL, verdict_text="", verdict_good=None),
    "full": FULL,
}


def find_moon_discs(size: tuple[int, int], seat: str, hud: SceneHud) -> tuple[list[Vec3], list[Any]]:
    """Return the moon's disc (centre from the lower left, radius) for each of TOPS_M, and the panels' boxes."""
    from armoon.games.moon.sky import RisingMoon
    from armoon.view.hud import Hud

    profile = SEATS[seat](*size)
    display, moon = Hud(*size), RisingMoon()
    display.lay_out(hud)
    matrix = get_clip_from_table(profile.camera, profile.table_from_camera, profile.mirrored)
    moon.fit_view(matrix, *size, mirrored=profile.mirrored)
    discs = []
    for top_m in TOPS_M:
        moon.draw_backdrop(
            Scene(0, (), (), hud, structure_top_m=top_m), make_texture(1, 1, 1), display.boxes, calm=True
        )
        discs.append(moon.disc)
    return discs, list(display.boxes)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", HUDS)
def test_no_panel_covers_the_moon(surface: HeadlessSurface, size: tuple[int, int], name: str) -> None:
    surface.make_current()
    for seat in SeatName:
        discs, boxes = find_moon_discs(size, seat, HUDS[name])
        for (x, y, radius), (left, low, width, height) in itertools.product(discs, boxes):
            distance = np.hypot(max(left - x, 0.0, x - left - width), max(low - y, 0.0, y - low - height))
            assert distance >= radius, (seat, (x, y, radius), (left, low, width, height))
        for x, y, radius in discs:
            assert radius <= x <= size[0] - radius
            assert radius <= y <= size[1] - radius
            assert radius >= 0.02 * min(size)


def test_the_moon_quickly_moves_away_from_a_new_panel(surface: HeadlessSurface) -> None:
    from armoon.games.moon.sky import RisingMoon

    surface.make_current()
    profile, moon = SEATS[SeatName.TABLE](640, 360), RisingMoon()
    moon.fit_view(get_clip_from_table(profile.camera, profile.table_from_camera, profile.mirrored), 640, 360)
    mask = make_texture(1, 1, 1)
    moon.draw_backdrop(Scene(0, (), (), SceneHud(), structure_top_m=0.12), mask)
    _, y, radius = moon.disc
    panel = (0.0, y + 0.3 * radius, 640.0, 360.0)
    for tick in range(1, 16):
        moon.draw_backdrop(Scene(tick, (), (), SceneHud(), structure_top_m=0.12), mask, [panel])
    _, y, radius = moon.disc
    assert y + radius <= panel[1]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_moon_comes_nearer_as_the_tower_grows(surface: HeadlessSurface, size: tuple[int, int]) -> None:
    surface.make_current()
    discs, _ = find_moon_discs(size, SeatName.TABLE, SceneHud())
    radii = [radius for _, _, radius in discs]
    assert radii == sorted(radii)
    assert radii[-1] > 1.5 * radii[0] > 0.1 * min(size)
    highest = [y + radius for _, y, radius in discs]
    assert highest == sorted(highest)
    usual, _ = find_moon_discs(size, SeatName.TABLE, HUDS["usual"])
    assert usual[-1][2] > usual[0][2]


def test_the_moon_is_behind_the_tower_and_beside_a_face(surface: HeadlessSurface) -> None:
    """It is over the structure's axis; if the camera faces the player, it leaves the middle free instead."""
    surface.make_current()
    size = SIZES[0]
    seat = SEATS[SeatName.TABLE](*size)
    axis = project_table_points(seat.camera, seat.table_from_camera, [(0.0, 0.0, 0.3)])[0][0]
    for x, _, radius in find_moon_discs(size, SeatName.TABLE, HUDS["usual"])[0]:
        assert abs(x - axis) < radius
    for x, _, radius in find_moon_discs(size, SeatName.MIRROR, HUDS["usual"])[0]:
        assert x + radius < 0.4 * size[0]
