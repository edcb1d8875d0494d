"""Pictures match stored ones, and show aids, shadows and the side view correctly.

Comparisons need Mesa's software renderer, which draws the same on any machine; others only draw the pictures. After an
intended change, write new ones with ARMOON_WRITE_GOLDENS=1, and look at them.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from support.arrays import differs
from support.hud_kit import USUAL
from support.table_pictures import (
    CAMERA,
    CARRYING,
    FRAME,
    HEIGHT,
    HELD,
    JUDGED,
    RENDERERS,
    STANDING,
    TABLE_FROM_CAMERA,
    TOWER,
    WARNED,
    WIDTH,
    draw,
    hand_at,
    scene,
)

from armoon.games.moon.kind import create_rising_moon
from armoon.geometry import CameraModel, pose_apply, pose_looking_at, project_table_points, vec3
from armoon.gl import HeadlessSurface
from armoon.values.look import Look
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import HeightLine, Scene, SceneHand, ScenePiece
from armoon.view.aids import DisplayAids
from armoon.view.scene.solids import HALF_DEPTH_M, HALF_WIDTH_M, WALL_HEIGHT_M

pytestmark = pytest.mark.gl

FOLDER = Path(__file__).with_name("goldens")
#: Maximum mean difference in grey levels, and maximum share of pixels that differ by more than WRONG_LEVEL.
MAX_MEAN, WRONG_LEVEL, MAX_WRONG_SHARE = 1.0, 8, 0.001
SURFACE = (WIDTH, HEIGHT, RENDERERS)

GOLDENS = [
    ("carrying-plain", CARRYING, "plain"),
    ("carrying-full", CARRYING, "full"),
    ("judged-plain", JUDGED, "plain"),
    ("warned-plain", WARNED, "plain"),
]


@pytest.mark.parametrize(("name", "shown", "tier"), GOLDENS, ids=[golden[0] for golden in GOLDENS])
def test_the_picture_is_unchanged(surface: HeadlessSurface, name: str, shown: Scene, tier: str) -> None:
    drawn = draw(surface, shown, tier)
    path = FOLDER / f"{name}.png"
    if os.environ.get("ARMOON_WRITE_GOLDENS"):
        FOLDER.mkdir(exist_ok=True)
        cv2.imwrite(str(path), drawn, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    from pyglet.gl import gl_info

    if "llvmpipe" not in gl_info.get_renderer():
        assert drawn.std() > 20.0
        return
    golden = cv2.imread(str(path))
    assert golden is not None, f"{path} is missing"
    difference = np.abs(drawn.astype(int) - golden)
    assert difference.mean() <= MAX_MEAN
    assert (difference.max(axis=2) > WRONG_LEVEL).mean() <= MAX_WRONG_SHARE


def toggle_aid(aids: DisplayAids, name: str, *, on: bool) -> DisplayAids:
    flags: dict[str, Any] = {name: on}
    return replace(aids, **flags)


def test_every_aid_can_be_turned_off_separately(surface: HeadlessSurface) -> None:
    with_all = draw(surface, CARRYING)
    none = DisplayAids(drop_line=False, halo=False, inset=False, uncertainty=False, see_through=False)
    bare = draw(surface, CARRYING, aids=none)
    plain = replace(CARRYING, drop_line=None, pieces=(*STANDING, replace(CARRYING.pieces[-1], look="plain")))
    assert not differs(bare, draw(surface, plain, aids=none), by=0).any()
    for name in ("drop_line", "halo", "inset", "uncertainty"):
        without = draw(surface, CARRYING, aids=toggle_aid(DisplayAids(), name, on=False))
        alone = draw(surface, CARRYING, aids=toggle_aid(none, name, on=True))
        assert differs(without, with_all, by=12).sum() > 15, name
        assert differs(alone, bare, by=12).sum() > 15, name


@pytest.mark.parametrize("place", [(-0.06, -0.06, 0.10), (-0.06, -0.06, 0.24)], ids=["tower", "moon"])
def test_a_carrying_hand_is_transparent_over_hidden_objects(surface: HeadlessSurface, place: Vec3) -> None:
    """About half of the tower or moon shows through, and nothing without the aid or without a carried ladder."""
    before = hand_at(place)
    hand = replace(before, depths_m=tuple(depth - 0.06 for depth in before.depths_m))
    only = DisplayAids(drop_line=False, halo=False, inset=False, uncertainty=False)
    held = scene(hands=(hand,), drop_line=((0.3, 0.3, 0.2), (0.3, 0.3, 0.0)))
    glassy, opaque, idle = (
        draw(surface, shown, aids=aids)
        for shown, aids in (
            (held, only),
            (held, replace(only, see_through=False)),
            (scene(hands=(hand,)), only),
        )
    )
    bare = draw(surface, scene(), aids=only)
    assert not differs(opaque, idle, by=0).any()
    hidden = differs(bare, opaque, by=24)
    assert hidden.sum() > 100
    left = (
        np.abs(glassy.astype(float) - bare)[hidden].sum() / np.abs(opaque.astype(float) - bare)[hidden].sum()
    )
    assert 0.3 < left < 0.75


@pytest.mark.parametrize("hand_x", [0.12, None], ids=["a hand there", "no hand"])
def test_a_height_is_never_written_under_a_hand(surface: HeadlessSurface, hand_x: float | None) -> None:
    line = HeightLine((0.0, 0.0, 0.2), "214 mm", True)
    hands = () if hand_x is None else (hand_at((hand_x, 0.0, 0.19)),)
    written = differs(
        draw(surface, scene(height_lines=(line,), hands=hands)), draw(surface, scene(hands=hands))
    )
    columns = np.nonzero(written)[1]
    ends = project_table_points(CAMERA, TABLE_FROM_CAMERA, [(-0.095, 0.0, 0.2), (0.095, 0.0, 0.2)])[:, 0]
    assert bool(columns.min() < ends[0] - 8.0) is (hand_x is not None)
    assert bool(columns.max() > ends[1] + 8.0) is (hand_x is None)


def test_a_real_hands_shadow_is_not_darkened_twice(surface: HeadlessSurface) -> None:
    ladder = ScenePiece(HELD, Pose((0.10, -0.06, 0.10), (0.0, 0.7071, 0.0, 0.7071)))
    over = hand_at((0.0, -0.01, 0.24))
    table = slice(110, 170), slice(120, 300)

    def draw_with(hands: tuple[SceneHand, ...]) -> float:
        with_ladder = replace(scene(ladder, hands=hands), pieces=(ladder,))
        without = replace(with_ladder, pieces=())
        only = DisplayAids(halo=False)
        dark = draw(surface, without, "full", only).astype(int) - draw(surface, with_ladder, "full", only)
        return float(np.clip(dark[table], 0, None).sum())

    assert draw_with((over,)) < 0.9 * draw_with(())


def test_a_moved_camera_draws_the_same_picture_as_a_new_renderer(surface: HeadlessSurface) -> None:
    from armoon.view.scene.light import LAMP
    from armoon.view.scene.renderer import Renderer

    seat = pose_looking_at((-0.10, -0.45, 0.33), (0.0, 0.0, 0.08))
    camera = replace(CAMERA, fx=240.0, fy=240.0)
    before = draw(surface, JUDGED, "full")
    renderer = RENDERERS["one"]
    renderer.set_table(seat, camera)
    moved = draw(surface, JUDGED, "full")
    renderer.set_table(TABLE_FROM_CAMERA, CAMERA)
    back = draw(surface, JUDGED, "full")
    new_renderer = Renderer(
        TOWER.ladders,
        TOWER.base,
        camera,
        seat,
        False,
        WIDTH,
        HEIGHT,
        "full",
        light=LAMP,
        backdrop=create_rising_moon(),
    )
    new_renderer.draw_scene(JUDGED, FRAME)
    assert not differs(surface.read_bgr(), moved, by=0).any()
    assert not differs(before, back, by=0).any()
    assert differs(before, moved).mean() > 0.02


@pytest.mark.parametrize(
    ("size", "left_handed"),
    [((480, 270), False), ((640, 360), True), ((640, 480), False), ((360, 640), True)],
    ids=str,
)
def test_the_side_view_appears_near_the_tower_and_covers_nothing(
    surface: HeadlessSurface, size: tuple[int, int], left_handed: bool
) -> None:
    """The view covers no lid, tower or panel, and stays in place while it is visible."""
    from armoon.view.scene.light import LAMP
    from armoon.view.scene.renderer import Renderer

    surface.make_current()
    camera = CameraModel(*size, 0.82 * size[0], 0.82 * size[0], size[0] / 2.0 - 0.5, size[1] / 2.0 - 0.5)
    count = 0
    for eye in ((0.03, -0.50, 0.27), (0.10, -0.36, 0.22), (-0.12, -0.44, 0.15)):
        pose = pose_looking_at(eye, (0.06, 0.0, 0.09))
        lid = Pose((-0.17 if left_handed else 0.17, 0.0, 0.0))
        renderer = Renderer(TOWER.ladders, TOWER.base, camera, pose, False, *size, light=LAMP, lid=lid)
        renderer.aids = DisplayAids(look=Look(left_handed=left_handed))
        frame = np.asarray(cv2.resize(FRAME, size), np.uint8)
        places = set()
        for x in (0.40, 0.07, 0.05, 0.03, 0.40):
            held = ScenePiece(HELD, Pose((x, -0.03, 0.19), (0.27, 0.65, 0.27, 0.65)), "held")
            shown = scene(held, hud=USUAL, drop_line=((x, -0.03, 0.16), (x, -0.03, 0.0)))
            renderer.draw_scene(shown, frame)
            place = renderer.marks.inset.place
            if x > 0.2:
                assert place is None, "far from all ladders"
                continue
            if place is None:
                continue  # no place is free
            count += 1
            places.add(place)
            rails = [
                pose_apply(p.pose, end) for p in STANDING for end in np.vstack(TOWER.ladders[p.piece].rails)
            ]
            signs = np.array(list(itertools.product((-1, 1), (-1, 1), (0, 1))))
            corners = signs * (HALF_WIDTH_M, HALF_DEPTH_M, WALL_HEIGHT_M) + lid.position
            boxes = list(renderer.hud.boxes)
            for body in (rails, corners):
                points = np.asarray(project_table_points(camera, pose, [vec3(p) for p in body]))
                (left, top), (width, height) = points.min(axis=0), np.ptp(points, axis=0)
                boxes.append((left, size[1] - top - height, width, height))
            for box in boxes:
                apart = [place[k] + place[k + 2] <= box[k] or box[k] + box[k + 2] <= place[k] for k in (0, 1)]
                assert any(apart), (eye, x, place, box)
            assert place[0] >= 0
            assert place[0] + place[2] <= size[0]
        assert len(places) <= 1, "the side view stays in place"
    assert count >= 3
