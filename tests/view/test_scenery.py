"""Without a camera, each game has its own surroundings, which are drawn once per view."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.arrays import Picture, differs
from support.lake_table_kit import lake_setup

from armoon.app.pictures import make_renderer
from armoon.camera.profiles import make_table_seat
from armoon.camera.sources import BLANK_BGR, is_blank, make_blank
from armoon.engine.setup import make_setup
from armoon.games import GAMES
from armoon.games.contract import RenderSetup, load_kind
from armoon.games.moon.editions import EditionName
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import FirstPlayer
from armoon.geometry import pose_apply, pose_looking_at, project_table_points
from armoon.gl import HeadlessSurface, Target
from armoon.settings.preferences import PlayOptions
from armoon.values.choices import Slots
from armoon.values.look import Look
from armoon.values.poses import Vec3
from armoon.values.scene import Scene, SceneHud

pytestmark = pytest.mark.gl

WIDTH, HEIGHT = 640, 360
RENDERERS: dict[str, Any] = {}
SURFACE = (WIDTH, HEIGHT, RENDERERS)
SEAT = make_table_seat(WIDTH, HEIGHT)
#: Every game; the moon once for each edition.
TABLES = [*EditionName, *(name for name in GAMES if name != "moon")]
FRONT = pose_looking_at((0.30, -0.55, 0.35), (0.0, 0.0, 0.08))


def build_view(table: str) -> RenderSetup:
    if table == "lake":
        return load_kind("lake").build_render_setup(lake_setup().match())
    options = PlayOptions(game_options=MoonOptions(edition=EditionName(table)))
    kind = load_kind("moon")
    match = kind.create_match(make_setup(SEAT, "test"), options, FirstPlayer(), real_time=False)
    return kind.build_render_setup(match)


def draw_scenery(surface: HeadlessSurface, table: str, tier: str = "plain", **fields: Any) -> Picture:
    surface.make_current()
    if table not in RENDERERS:
        RENDERERS[table] = make_renderer(build_view(table), WIDTH, HEIGHT)
    renderer = RENDERERS[table]
    assert renderer.set_tier(tier) == tier, renderer.notices
    renderer.draw_scene(Scene(0, (), (), SceneHud(), **fields), make_blank(WIDTH, HEIGHT))
    return surface.read_bgr()


def measure_luminance(picture: Picture, places: list[Vec3]) -> float:
    """Return the median relative luminance of the pixels at these points of the table."""
    pixels = np.round(project_table_points(SEAT.camera, SEAT.table_from_camera, places)).astype(int)
    linear = (picture[pixels[:, 1], pixels[:, 0]].astype(float) / 255.0) ** 2.2
    return float(np.median(linear @ [0.0722, 0.7152, 0.2126]))


def measure_contrast_ratio(one: float, other: float) -> float:
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("table", TABLES)
def test_each_game_and_edition_has_its_surroundings(surface: HeadlessSurface, table: str) -> None:
    """Ground and background have several colours, and differ from the night sky and between games."""
    picture = draw_scenery(surface, table)
    ground, background = picture[220:, 40:200], picture[: HEIGHT // 5]
    for area in (ground, background):
        assert area.std(axis=(0, 1)).max() > 3.0
    assert differs(ground, np.full_like(ground, BLANK_BGR), 12).mean() > 0.5
    for other in TABLES[: TABLES.index(table)]:
        assert differs(draw_scenery(surface, other), picture, 24).mean() > 0.3, other


def test_surroundings_are_the_same_in_both_tiers(surface: HeadlessSurface) -> None:
    plain, full = draw_scenery(surface, TABLES[0]), draw_scenery(surface, TABLES[0], "full")
    assert not differs(plain[:60], full[:60], 2).any()


def test_surroundings_are_drawn_once_per_view(
    surface: HeadlessSurface, monkeypatch: pytest.MonkeyPatch
) -> None:
    from armoon.view.scene.scenery import Surroundings

    first = draw_scenery(surface, TABLES[0])
    painted: list[object] = []
    paint = Surroundings._paint

    def count_draw(self: Surroundings, into: Target) -> None:
        painted.append(into)
        paint(self, into)

    monkeypatch.setattr(Surroundings, "_paint", count_draw)
    assert not differs(draw_scenery(surface, TABLES[0]), first, 0).any()
    assert not painted
    moved_view = draw_scenery(surface, TABLES[0], seen_from=FRONT)
    assert len(painted) == 1
    assert differs(moved_view, first, 24).mean() > 0.3, "the surroundings stay in place when the view changes"


def test_a_cameras_picture_is_shown_unchanged(surface: HeadlessSurface) -> None:
    dark = np.full((HEIGHT, WIDTH, 3), BLANK_BGR, np.uint8)
    assert is_blank(make_blank(WIDTH, HEIGHT)[10:200, 20:300])
    assert not is_blank(dark)
    scenery = draw_scenery(surface, TABLES[0])
    RENDERERS[TABLES[0]].draw_scene(Scene(0, (), (), SceneHud()), dark)
    assert differs(surface.read_bgr(), scenery, 24)[200:].mean() > 0.3


def test_the_background_is_plain_in_high_contrast(surface: HeadlessSurface) -> None:
    rich = draw_scenery(surface, TABLES[0])
    renderer = RENDERERS[TABLES[0]]
    usual = renderer.aids
    renderer.aids = replace(usual, look=Look(contrast=True))
    plain = draw_scenery(surface, TABLES[0])
    renderer.aids = usual
    assert plain[200:, :200].std() < 0.4 * rich[200:, :200].std()
    assert not differs(draw_scenery(surface, TABLES[0]), rich, 0).any()


@pytest.mark.parametrize("camera", ["none", "demo"])
@pytest.mark.parametrize("slots", Slots)
def test_the_first_view_shows_both_rails_of_each_ladder(slots: Slots, camera: str) -> None:
    """Without a camera, the table is slightly rotated to make both rails of each starting ladder visible."""
    options = PlayOptions(camera=camera, game_options=MoonOptions(slots=slots))
    match = load_kind("moon").create_match(make_setup(SEAT, "test"), options, FirstPlayer(), real_time=False)
    assert math.radians(20.0) <= abs(match.turned_rad) <= math.radians(30.0) + 1e-9
    home = match.home_from_table()
    for piece, pose in zip(match.state.starting, match.base.slots, strict=True):
        ends = [
            project_table_points(
                SEAT.camera, SEAT.table_from_camera, [pose_apply(home, pose_apply(pose, end)) for end in rail]
            )
            for rail in match.ladders[piece].rails
        ]
        (low, high), (other_low, other_high) = ends
        along = (high - low) / np.hypot(*(high - low))
        distance = abs(np.cross(along, (other_low + other_high - low - high) / 2.0))
        assert distance > 0.11 * np.hypot(*(high - low)), piece


@pytest.mark.parametrize("table", EditionName)
@pytest.mark.parametrize("tier", ["plain", "full"])
def test_the_base_contrasts_with_its_ground(surface: HeadlessSurface, table: str, tier: str) -> None:
    picture = draw_scenery(surface, table, tier)
    angles = np.linspace(0.0, 2.0 * math.pi, 60, endpoint=False)
    top = [(0.03 * math.cos(a), 0.03 * math.sin(a), 0.022) for a in angles]
    ground = [(-0.02 + 0.12 * math.cos(a), 0.13 * math.sin(a), 0.0) for a in angles]
    assert measure_contrast_ratio(measure_luminance(picture, top), measure_luminance(picture, ground)) > 1.5
