"""The drawing tier: its choice at the start, its changes when frames are late, and shader errors."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armoon.errors import DisplayError
from armoon.geometry import CameraModel, pose_looking_at, project_table_points
from armoon.gl import HeadlessSurface, define_tier
from armoon.values.pieces import Base, Box, Ladder, LadderSet
from armoon.values.poses import IDENTITY_QUAT, Pose
from armoon.values.scene import Mood, Scene, SceneHud, ScenePiece
from armoon.view.scene.camera_picture import get_clip_from_table
from armoon.view.scene.layer import find_parts, make_box_corners
from armoon.view.scene.light import LAMP
from armoon.view.scene.tiers import TIERS, TierController, find_best_tier

BUDGET_MS = 16.0
FRAME_S = 1.0 / 60.0


def play_frames(controller: TierController, start_s: float, seconds: float, ms: float) -> list[str]:
    return [controller.add_frame(start_s + i * FRAME_S, ms) for i in range(round(seconds / FRAME_S))]


@pytest.mark.parametrize(
    ("costs", "chosen", "measured"),
    [
        ({"plain": 1.0, "full": 3.0}, "full", ["plain", "full"]),
        ({"plain": 1.0, "full": 15.0}, "plain", ["plain", "full"]),
        ({"plain": 9.0, "full": 1.0}, "plain", ["plain"]),
        ({"plain": 40.0, "full": 1.0}, "plain", ["plain"]),
        ({"plain": 1.0, "full": None}, "plain", ["plain", "full"]),
    ],
)
def test_the_full_tier_is_measured_only_if_it_may_be_within_the_budget(
    costs: dict[str, float | None], chosen: str, measured: list[str]
) -> None:
    calls: list[str] = []

    def cost(tier: str) -> float | None:
        calls.append(tier)
        return costs[tier]

    assert find_best_tier(cost, BUDGET_MS) == chosen
    assert calls == measured


def test_late_frames_lower_the_tier_within_a_fifth_of_a_second() -> None:
    controller = TierController("full", BUDGET_MS)
    tiers = play_frames(controller, 0.0, 2.0, 40.0)
    assert tiers.index("plain") <= 12
    assert tiers[-1] == "plain"


def list_intervals(controller: TierController, start_s: float, seconds: float, gap_s: float) -> list[int]:
    """Feed cheap frames ``gap_s`` apart, and return the tracker's interval in pictures after each one."""
    ends_s = np.arange(start_s, start_s + seconds, gap_s)
    return [controller.tracker_every for at_s in ends_s if controller.add_frame(float(at_s), 4.0)]


def test_too_few_pictures_lower_the_tier_and_then_the_tracker() -> None:
    controller = TierController("full", BUDGET_MS)
    assert list_intervals(controller, 0.0, 0.5, 0.045)[-1] == 1
    assert controller.tier == "plain"
    assert list_intervals(controller, 0.5, 2.0, 0.045)[-1] == 2


def test_the_tracker_recovers_before_the_tier_and_waits_longer_after_each_failure() -> None:
    controller = TierController("full", BUDGET_MS)
    list_intervals(controller, 0.0, 2.0, 0.045)
    recovery_times_s, at_s = [], 2.0
    for _ in range(3):
        began_s = at_s
        while controller.tracker_every == 2:
            controller.add_frame(at_s, 4.0)
            at_s += FRAME_S
        assert controller.tier == "plain"
        recovery_times_s.append(at_s - began_s)
        while controller.tracker_every == 1:
            controller.add_frame(at_s, 4.0)
            at_s += 0.045
    assert 7.0 < recovery_times_s[0] < 10.0
    assert all(later > 1.6 * sooner for sooner, later in itertools.pairwise(recovery_times_s))


def test_a_late_picture_in_a_fall_slows_the_tracker_until_the_fall_is_over() -> None:
    controller = TierController("plain", BUDGET_MS)
    gaps_s = [FRAME_S, 0.045, FRAME_S, FRAME_S]
    frames = [(gap_s, falls) for falls in (False, True, False) for gap_s in gaps_s]
    tracker_intervals, at_s = [], 0.0
    for gap_s, falls in frames:
        at_s += gap_s
        controller.add_frame(at_s, 4.0, is_falling=falls)
        tracker_intervals.append(controller.tracker_every)
    assert tracker_intervals == [1, 1, 1, 1, 1, 3, 3, 3, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("frames", "gap_s", "cost_ms"),
    [
        (60, 1.0, lambda number: 4.0),
        (600, FRAME_S, lambda number: 200.0 if number % 60 < 5 else 8.0),
        (7200, FRAME_S, lambda number: 0.7 * BUDGET_MS),
    ],
    ids=["a hidden window", "single hiccups", "frames that just fit"],
)
def test_frames_in_time_keep_their_tier(frames: int, gap_s: float, cost_ms: Callable[[int], float]) -> None:
    controller = TierController("full", BUDGET_MS)
    for number in range(frames):
        assert controller.add_frame(number * gap_s, cost_ms(number)) == "full"
        assert controller.tracker_every == 1


def test_easy_frames_raise_the_tier_slowly_and_never_above_the_highest() -> None:
    tiers = play_frames(TierController("plain", BUDGET_MS), 0.0, 60.0, 2.0)
    assert "full" not in tiers[: round(7.0 / FRAME_S)]
    assert tiers[-1] == "full"
    assert set(play_frames(TierController("plain", BUDGET_MS, highest="plain"), 0.0, 60.0, 2.0)) == {"plain"}


def test_a_tier_that_keeps_failing_is_tried_less_and_less_often() -> None:
    controller = TierController("plain", BUDGET_MS)
    raised_at_s = []
    tier = "plain"
    for i in range(round(400.0 / FRAME_S)):
        now_s = i * FRAME_S
        changed = controller.add_frame(now_s, 30.0 if tier == "full" else 3.0)
        if (tier, changed) == ("plain", "full"):
            raised_at_s.append(now_s)
        tier = changed
    intervals_s = np.diff([0.0, *raised_at_s])
    assert len(raised_at_s) >= 4
    assert (intervals_s[1:] > 1.6 * intervals_s[:-1]).all()


# Shader errors --------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 320, 180
CAMERA = CameraModel(WIDTH, HEIGHT, 241.0, 241.0, 160.0, 89.0)
TABLE_FROM_CAMERA = pose_looking_at((0.0, -0.50, 0.24), (0.0, 0.0, 0.10))
_BOX = Box((0.0, 0.0, 0.0), IDENTITY_QUAT, (0.03, 0.002, 0.03), "rung")
LADDERS = LadderSet(0, (Ladder("L01", True, (_BOX,), 0.003, (1e-6, 1e-6, 1e-6), 0.1, 1.0),))
BASE = Base((Box((0.0, 0.0, 0.01), IDENTITY_QUAT, (0.05, 0.05, 0.01), "base"),), 0.02, ())
HUD = SceneHud()
SCENE = Scene(0, (ScenePiece("L01", Pose((0.1, 0.0, 0.15))),), (), HUD)
GREY = np.full((HEIGHT, WIDTH, 3), 90, dtype=np.uint8)
SURFACE = (WIDTH, HEIGHT)


def make_tier_renderer(surface: HeadlessSurface, tier: str, **more: Any) -> Any:
    from armoon.view.scene.renderer import Renderer

    surface.make_current()
    return Renderer(LADDERS, BASE, CAMERA, TABLE_FROM_CAMERA, False, WIDTH, HEIGHT, tier, **more)


def break_shaders(monkeypatch: pytest.MonkeyPatch, *tiers: bool) -> None:
    from armoon import gl

    def break_shader(source: str, *, full: bool, hands: bool = True) -> str:
        text = define_tier(source, full=full, hands=hands)
        return text.replace("gl_Position", "gl_Positron") if full in tiers else text

    monkeypatch.setattr(gl, "define_tier", break_shader)


@pytest.mark.gl
@pytest.mark.parametrize(("choice", "notices"), [("full", 1), ("plain", 0)])
def test_the_plain_tier_is_used_if_a_shader_of_the_full_one_does_not_compile(
    surface: HeadlessSurface, monkeypatch: pytest.MonkeyPatch, choice: str, notices: int
) -> None:
    surface.make_current()
    break_shaders(monkeypatch, True)
    renderer = make_tier_renderer(surface, choice)
    assert renderer.tier == "plain"
    assert len(renderer.notices) == notices
    assert all("can't be drawn here" in notice and "compile" in notice for notice in renderer.notices)
    renderer.draw_scene(SCENE, GREY)
    assert surface.read_bgr().mean() > 30.0
    assert renderer.set_tier(choice) == "plain"
    assert len(renderer.notices) == notices


@pytest.mark.gl
def test_an_error_is_raised_if_the_plain_tier_does_not_compile_either(
    surface: HeadlessSurface, monkeypatch: pytest.MonkeyPatch
) -> None:
    surface.make_current()
    break_shaders(monkeypatch, False, True)
    with pytest.raises(DisplayError, match="doesn't compile"):
        make_tier_renderer(surface, "full")


@pytest.mark.gl
def test_choosing_a_tier_sets_it(surface: HeadlessSurface) -> None:
    renderer = make_tier_renderer(surface, "plain")
    from armoon.view.scene.tier_choice import choose_tier, measure_tier_ms

    assert choose_tier(renderer, 1e-3) == renderer.tier == "plain"
    assert choose_tier(renderer, 1e6) == renderer.tier == "full"
    cost = measure_tier_ms(renderer, "full")
    assert cost is not None
    assert cost > 0.0


@pytest.mark.gl
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("size", [(200, 112), (3, 2), (1, 1)])
def test_tiny_pictures_are_drawn(surface: HeadlessSurface, tier: str, size: tuple[int, int]) -> None:
    from support.gl_kit import read_gl_error

    renderer = make_tier_renderer(surface, tier)
    renderer.resize(*size)
    renderer.draw_scene(SCENE, GREY)
    assert read_gl_error() == ""
    renderer.resize(WIDTH, HEIGHT)
    renderer.draw_scene(SCENE, GREY)
    assert surface.read_bgr().mean() > 30.0


@pytest.mark.gl
def test_an_old_opengl_is_reported_in_one_message(surface: HeadlessSurface) -> None:
    if sys.platform != "linux":
        pytest.skip("only Mesa can pretend to be older")
    code = (
        "from armoon.errors import DisplayError\n"
        "from armoon.gl import HeadlessSurface\n"
        "try:\n    HeadlessSurface(64, 36)\n"
        "except DisplayError as error:\n    print('error:', error)\n"
        "else:\n    print('drawn')\n"
    )
    old = {**os.environ, "MESA_GL_VERSION_OVERRIDE": "3.0", "MESA_GLSL_VERSION_OVERRIDE": "130"}
    result = subprocess.run([sys.executable, "-c", code], env=old, capture_output=True, text=True, check=True)
    if result.stdout.startswith("drawn"):
        pytest.skip("this driver is not Mesa")
    assert result.stdout.startswith("error: No offscreen OpenGL 3.3 can be opened")
    assert "Traceback" not in result.stderr


@pytest.mark.gl
@pytest.mark.parametrize("tier", TIERS)
def test_multisampling_only_the_covered_part_changes_nothing(
    surface: HeadlessSurface, tier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from armoon.view.scene.solids import Solids

    renderer = make_tier_renderer(surface, tier)
    renderer.draw_scene(SCENE, GREY)
    parts = surface.read_bgr()
    everywhere = make_box_corners(np.full(3, -9.0), np.full(3, 9.0))[None]
    monkeypatch.setattr(Solids, "find_hulls", lambda self: everywhere)
    renderer.draw_scene(SCENE, GREY)
    # Shadows may be rounded differently if they are cropped elsewhere.
    assert np.abs(surface.read_bgr().astype(int) - parts.astype(int)).max() <= 1


def test_a_part_is_only_as_large_as_its_content() -> None:
    clip = get_clip_from_table(CAMERA, TABLE_FROM_CAMERA, False)
    small = make_box_corners(np.array([-0.02, -0.02, 0.0]), np.array([0.02, 0.02, 0.04]))
    parts = find_parts(small[None], clip, WIDTH, HEIGHT)
    u, v = project_table_points(CAMERA, TABLE_FROM_CAMERA, [(0.0, 0.0, 0.02)])[0]
    covering = [left < u < left + width and low < HEIGHT - v < low + high for left, low, width, high in parts]
    assert covering.count(True) == 1
    assert sum(width * height for _, _, width, height in parts) < 0.2 * WIDTH * HEIGHT
    assert find_parts(np.zeros((0, 8, 3)), clip, WIDTH, HEIGHT) == []
    behind = make_box_corners(np.array([-9.0, -9.0, -9.0]), np.array([9.0, 9.0, 9.0]))
    assert find_parts(behind[None], clip, WIDTH, HEIGHT) == [(0, 0, WIDTH, HEIGHT)]


@pytest.mark.gl
@pytest.mark.parametrize("tier", TIERS)
def test_a_repeated_frame_is_graded_correctly_from_the_cache(surface: HeadlessSurface, tier: str) -> None:
    still = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    still[: HEIGHT // 2] = 140
    changing = still.copy()
    still.flags.writeable = False
    alone = make_tier_renderer(surface, tier, light=LAMP)
    alone.draw_scene(SCENE, changing)
    wanted = surface.read_bgr().astype(int)
    renderer = make_tier_renderer(surface, tier, light=LAMP)
    for _ in range(3):
        renderer.draw_scene(SCENE, still)
        assert np.abs(surface.read_bgr().astype(int) - wanted).max() <= 1
    # Draw another frame, the first one on a darker evening, and an overwritten one.
    renderer.draw_scene(SCENE, np.zeros_like(still))
    assert np.abs(surface.read_bgr().astype(int) - wanted).max() > 30
    for _ in range(3):
        renderer.draw_scene(SCENE, still)
    assert np.abs(surface.read_bgr().astype(int) - wanted).max() <= 1
    dark = replace(SCENE, mood=Mood(dark=1.0), tick=SCENE.tick + 10_000)
    renderer.draw_scene(dark, still)
    alone.draw_scene(dark, changing)
    wanted = surface.read_bgr().astype(int)
    renderer.draw_scene(dark, still)
    assert np.abs(surface.read_bgr().astype(int) - wanted).max() <= 1
    changing[:] = 20
    renderer.draw_scene(dark, changing)
    assert np.abs(surface.read_bgr().astype(int) - wanted).max() > 30
