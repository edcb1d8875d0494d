"""The drawn lake: every colour and strength is distinguishable, and nothing covers the domes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.lake_table_kit import lake_setup
from support.screens_kit import fresh, in_game

from armoon.app.pictures import MAX_ZOOM
from armoon.camera.profiles import SEATS
from armoon.games.lake.layout import (
    DOME_RADIUS_M,
    FLOOR_M,
    STAR_PLACES,
    LakeScene,
    SceneDome,
    SceneMark,
    locate_stack_top,
)
from armoon.games.lake.presenters import build_lake_scene, frame_lake
from armoon.geometry import Array, project_table_points
from armoon.gl import HeadlessSurface
from armoon.screens.machine import build_page
from armoon.values.choices import FramingName
from armoon.values.page import TALL_ASPECT
from armoon.values.scene import Scene, SceneHud
from armoon.view.scene.camera_picture import Framing, crop_camera

pytestmark = pytest.mark.gl

WIDTH, HEIGHT = 640, 360
EMPTY_HUD = SceneHud()
GREY = np.full((HEIGHT, WIDTH, 3), 90, dtype=np.uint8)
COLOURS = ("amber", "jade", "ruby", "sapphire")
RENDERERS: dict[object, Any] = {}
SURFACE = (WIDTH, HEIGHT, RENDERERS)


def draw_lake(
    surface: HeadlessSurface, lake: LakeScene | None, seat: str = "table", tier: str = "plain"
) -> Any:
    from armoon.games.lake.board import LakeBoard
    from armoon.view.scene.renderer import Renderer

    surface.make_current()
    if (seat, tier) not in RENDERERS:
        profile = SEATS[seat](WIDTH, HEIGHT)
        RENDERERS[seat, tier] = Renderer(
            None,
            None,
            profile.camera,
            profile.table_from_camera,
            profile.mirrored,
            WIDTH,
            HEIGHT,
            tier,
            lid=None,
            board=LakeBoard(),
        )
    RENDERERS[seat, tier].draw_scene(Scene(0, (), (), EMPTY_HUD, board=lake), GREY)
    return surface.read_bgr().astype(int)


def make_lake(*domes: SceneDome, marks: tuple[SceneMark, ...] = ()) -> LakeScene:
    scene = build_lake_scene(lake_setup().match())
    return replace(scene, domes=domes, marks=marks)


def find_window(seat: str, star: int, floor: int = 0) -> tuple[slice, slice]:
    profile = SEATS[seat](WIDTH, HEIGHT)
    x, y, z = locate_stack_top(star, floor)
    points = [(x, y, z + FLOOR_M / 2.0), (x + DOME_RADIUS_M, y, z + FLOOR_M / 2.0)]
    (u, v), (right, _) = project_table_points(profile.camera, profile.table_from_camera, points)
    reach = abs(right - u)
    middle = WIDTH - 1 - u if profile.mirrored else u
    return (
        slice(round(v - 0.55 * reach), round(v + 0.55 * reach) + 1),
        slice(round(middle - reach), round(middle + reach) + 1),
    )


@pytest.mark.parametrize("seat", sorted(SEATS))
def test_domes_are_drawn_at_their_layout_positions(surface: HeadlessSurface, seat: str) -> None:
    nothing = draw_lake(surface, make_lake(), seat)
    for star in (0, 5, 12, 20, 27):
        drawn = draw_lake(surface, make_lake(SceneDome(STAR_PLACES[star], "ruby", 1)), seat)
        rows, columns = np.nonzero(np.abs(drawn - nothing).max(axis=2) > 60)
        window = find_window(seat, star)
        inside = np.abs(drawn - nothing)[window].max(axis=2) > 30
        assert inside.mean() > 0.7
        middle = (window[1].start + window[1].stop - 1) / 2.0
        assert abs(columns.mean() - middle) < 3.0
        assert len(rows) > 60


@pytest.mark.parametrize("seat", sorted(SEATS))
def test_strengths_and_colours_differ_in_grey_levels(surface: HeadlessSurface, seat: str) -> None:
    grey = {}
    for key in itertools.product(COLOURS, (1, 2, 3, 4)):
        picture = draw_lake(surface, make_lake(SceneDome(STAR_PLACES[20], *key)), seat)
        grey[key] = picture[find_window(seat, 20)].mean(axis=2)
    for colour in COLOURS:
        for a, b in itertools.combinations((1, 2, 3, 4), 2):
            assert (np.abs(grey[colour, a] - grey[colour, b]) > 30).sum() > 10, (colour, a, b)
    for one, other in itertools.combinations(COLOURS, 2):
        assert np.abs(grey[one, 2] - grey[other, 2]).mean() > 6.0, (one, other)


def test_the_points_can_be_counted(surface: HeadlessSurface) -> None:
    from armoon.games.lake.board import COLOURS as PAINTS

    assert set(PAINTS) == set(COLOURS)
    window = find_window("table", 24)
    counts = []
    for strength in (1, 2, 3, 4):
        picture = draw_lake(surface, make_lake(SceneDome(STAR_PLACES[24], "sapphire", strength)))[window]
        # Points are pale and blue has little red, so count the runs of bright red in the row with most of it.
        bright = picture[len(picture) // 2 :, :, 2] > 150
        row = bright[bright.sum(axis=1).argmax()]
        counts.append(int(row[0]) + int((row[1:] & ~row[:-1]).sum()))
    assert counts == [1, 2, 3, 4]


def test_the_full_tier_draws_domes_too(surface: HeadlessSurface) -> None:
    window = find_window("table", 20)
    nothing = draw_lake(surface, make_lake(), tier="full")[window]
    drawn = draw_lake(surface, make_lake(SceneDome(STAR_PLACES[20], "ruby", 3)), tier="full")[window]
    assert not RENDERERS["table", "full"].notices
    assert (np.abs(drawn - nothing).max(axis=2) > 25).mean() > 0.6


def project_rims(seat: str, size: tuple[int, int], aspect: float, left_handed: bool) -> Array:
    """Return the left and right ends of all domes (n,) as the player sees them, relative to the picture's width."""
    profile = SEATS[seat](*size)
    table = replace(lake_setup().table, mirrored=profile.mirrored, left_handed=left_handed)
    framing = Framing(profile.camera, profile.table_from_camera)
    framing.max_zoom = MAX_ZOOM[FramingName.NEAR]
    scene = Scene(0, (), (), EMPTY_HUD, framed=frame_lake(table))
    camera = crop_camera(profile.camera, framing.follow(scene, aspect))
    rims = [(x + side * DOME_RADIUS_M, y, FLOOR_M) for x, y, _ in STAR_PLACES for side in (-1.0, 1.0)]
    across = project_table_points(camera, profile.table_from_camera, rims)[:, 0] / camera.width
    return 1.0 - across if profile.mirrored else across


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (640, 480)])
@pytest.mark.parametrize("left_handed", [False, True])
def test_no_button_of_the_table_covers_a_dome(seat: str, size: tuple[int, int], left_handed: bool) -> None:
    shown = project_rims(seat, size, size[0] / size[1], left_handed)
    buttons = [widget.rect for widget in build_page(in_game(fresh())).widgets]
    edge = max(rect.x + rect.width for rect in buttons if rect.x < 0.2)
    assert float((1.0 - shown if left_handed else shown).min()) > edge + 0.005
    assert float(shown.max()) < 1.0
    assert float(shown.min()) > 0.0


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("left_handed", [False, True])
def test_a_tall_window_shows_the_whole_lake(seat: str, left_handed: bool) -> None:
    shown = project_rims(seat, (1280, 720), TALL_ASPECT, left_handed)
    assert 0.005 < shown.min() < shown.max() < 0.995
