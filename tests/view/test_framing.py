"""The picture shows the game as close as the structure allows, and the pointer points at the visible place."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from support.screens_kit import every_page, resize
from support.table_pictures import LAKE, STANDING, TOWER
from support.table_pictures import lake as lake_scene
from support.table_pictures import scene as moon_scene

from armoon.app.instant_replay import frame_structure
from armoon.camera.profiles import SEATS
from armoon.games.moon.scene import find_frame
from armoon.geometry import Array, project_table_points, vec3
from armoon.screens.machine import build_page
from armoon.values.choices import TextSize
from armoon.values.page import GAME_X, TALL_ASPECT
from armoon.values.poses import IDENTITY_POSE, Vec3
from armoon.values.scene import Scene, SceneHand, SceneHud, SlowFall
from armoon.view.scene import camera_picture
from armoon.view.scene.solids import HALF_DEPTH_M, HALF_WIDTH_M
from armoon.world.base import LID_X_M
from armoon.world.exact import PlacedBoxes

SIZES = ((640, 360), (1280, 720), (640, 480))
DROP: tuple[Vec3, Vec3] = ((0.0, 0.0, 0.1), (0.0, 0.0, 0.0))


def make_scene(top_m: float, tick: int = 0) -> Scene:
    return Scene(tick, (), (), SceneHud(), structure_top_m=top_m, framed=find_frame(top_m))


def make_framing(
    seat: str = "mirror", size: tuple[int, int] = (1280, 720), max_zoom: float = 1.7
) -> camera_picture.Framing:
    eye = SEATS[seat](*size)
    framing = camera_picture.Framing(eye.camera, eye.table_from_camera)
    framing.max_zoom = max_zoom
    return framing


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("top_m", [0.12, 0.15, 0.19, 0.28])
def test_the_picture_shows_all_important_points_with_the_base_low_in_the_middle(
    seat: str, size: tuple[int, int], top_m: float
) -> None:
    eye = SEATS[seat](*size)
    crop = make_framing(seat, size).follow(make_scene(top_m), size[0] / size[1])
    camera = camera_picture.crop_camera(eye.camera, crop)
    points = find_frame(top_m)
    x, y = project_table_points(camera, eye.table_from_camera, [points.middle])[0]
    assert x / camera.width == pytest.approx(0.5, abs=0.06)
    assert 0.55 < y / camera.height < 0.95
    # Points over the highest towers may be above the camera's picture, so no crop contains them.
    corners = [
        p for p in points.points if project_table_points(eye.camera, eye.table_from_camera, [p])[0, 1] > -1.0
    ]
    assert len(corners) >= len(points.points) - 2 * (top_m > 0.25)
    px = project_table_points(camera, eye.table_from_camera, corners)
    inside = (px > -1.0).all(axis=1) & (px < [camera.width, camera.height]).all(axis=1)
    assert inside.all() or crop == camera_picture.make_whole_crop(eye.camera)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("top_m", [0.12, 0.15, 0.19])
def test_an_upright_ladder_carried_nearer_keeps_foot_and_grip_in_the_picture(
    seat: str, size: tuple[int, int], top_m: float
) -> None:
    """The ladder is held by its middle, 2 cm above the structure, up to 6 cm in front of its middle or behind it."""
    eye = SEATS[seat](*size)
    crop = make_framing(seat, size).follow(make_scene(top_m), size[0] / size[1])
    ends = [(x, y, top_m + 0.02 + z) for x in (-0.02, 0.02) for y in (-0.06, 0.0, 0.06) for z in (0.0, 0.055)]
    px = project_table_points(camera_picture.crop_camera(eye.camera, crop), eye.table_from_camera, ends)
    assert (px > 0.0).all()
    assert (px < [crop.width - 1, crop.height - 1]).all()


@pytest.mark.parametrize("seat", SEATS)
def test_a_low_structure_is_shown_larger_than_a_high_one(seat: str) -> None:
    heights = [make_framing(seat).follow(make_scene(top_m), 16 / 9).height for top_m in (0.12, 0.19, 0.26)]
    assert heights[0] < heights[1] < heights[2]


def test_the_picture_glides_as_the_structure_grows_but_not_while_a_ladder_is_held() -> None:
    frame = make_framing()
    before = frame.follow(make_scene(0.12), 16 / 9)
    for tick in range(1, 200):
        assert frame.follow(replace(make_scene(0.24, tick), drop_line=DROP), 16 / 9) == before
    heights = [frame.follow(make_scene(0.24, tick), 16 / 9).height for tick in range(200, 500, 2)]
    assert heights == sorted(heights)
    assert max(b - a for a, b in itertools.pairwise(heights)) < 0.04 * before.height
    assert heights[-1] == pytest.approx(make_framing().follow(make_scene(0.24), 16 / 9).height, rel=0.02)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_place_in_the_shown_picture_maps_to_the_cameras(mirrored: bool) -> None:
    camera = SEATS["mirror"](1280, 720).camera
    crop = camera_picture.Crop(100, 50, 640, 360)
    corner = camera_picture.to_camera((0.0, 0.0), camera, crop, mirrored=mirrored)
    left = 1280 - 740 if mirrored else 100
    assert corner == pytest.approx((left / 1280, 50 / 720))
    for place in ((0.2, 0.7), (1.0, 1.0)):
        camera_place = camera_picture.to_camera(place, camera, crop, mirrored=mirrored)
        assert camera_picture.from_camera(camera_place, camera, crop, mirrored=mirrored) == pytest.approx(
            place
        )


def test_hands_and_frames_are_cropped_alike() -> None:
    camera = SEATS["table"](64, 36).camera
    crop = camera_picture.Crop(8, 4, 32, 18)
    frame = np.arange(64 * 36 * 3, dtype=np.uint32).astype(np.uint8).reshape(36, 64, 3)
    assert (camera_picture.crop_frame(frame, camera, crop) == frame[4:22, 8:40]).all()
    half = frame[::2, ::2]
    assert camera_picture.crop_frame(half, camera, crop).shape == (9, 16, 3)
    hand = SceneHand(((10.0, 6.0),) * 21, (0.5,) * 21, None, 0.0, 0.01)
    cropped = camera_picture.crop_scene(replace(make_scene(0.1), hands=(hand,)), crop)
    assert cropped.hands[0].points_px[0] == (2.0, 2.0)


@pytest.mark.parametrize("aspect", [TALL_ASPECT, 1.1, 1.0])
def test_a_tall_window_still_shows_base_and_lid(aspect: float) -> None:
    eye = SEATS["mirror"](1280, 720)
    crop = make_framing("mirror").follow(make_scene(0.15), aspect)
    assert crop.width / crop.height == pytest.approx(aspect, rel=0.01)
    points = [p for p in find_frame(0.15).points if abs(p[0]) < 0.2 or aspect > 1.05]
    px = project_table_points(camera_picture.crop_camera(eye.camera, crop), eye.table_from_camera, points)
    assert (px[:, 0] > -1.0).all()
    assert (px[:, 0] < crop.width).all()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("max_zoom", [1.0, 1.7])
def test_a_fall_moves_the_picture_towards_it_and_back(seat: str, max_zoom: float) -> None:
    view = make_framing(seat, max_zoom=max_zoom)
    usual = view.follow(make_scene(0.15), 16 / 9)
    place = (0.07, 0.0, 0.05)

    def crop_at(near: float, **more: object) -> camera_picture.Crop:
        fallen = replace(make_scene(0.15), slow_fall=SlowFall(place, 30.0 * near, near))
        return view.follow(replace(fallen, **more), 16 / 9)  # type: ignore[arg-type]

    def distance_from_middle(crop: camera_picture.Crop) -> float:
        eye = SEATS[seat](1280, 720)
        camera = camera_picture.crop_camera(eye.camera, crop)
        x, _ = project_table_points(camera, eye.table_from_camera, [place])[0]
        return abs(float(x) / camera.width - 0.5)

    crops = [crop_at(near) for near in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert crops[0] == usual
    assert [crop.height for crop in crops] == sorted((crop.height for crop in crops), reverse=True)
    assert crops[-1].height == pytest.approx(usual.height / camera_picture.FALL_ZOOM, abs=1.0)
    assert distance_from_middle(crops[-1]) < distance_from_middle(usual)
    for crop in crops:
        assert usual.left <= crop.left
        assert crop.left + crop.width <= usual.left + usual.width + 1
        assert usual.top <= crop.top
        assert crop.top + crop.height <= usual.top + usual.height + 1
    assert crop_at(1.0, drop_line=DROP) == usual, "the picture doesn't move while a ladder is held"
    assert crop_at(0.0) == usual
    view.is_eased = False
    assert crop_at(1.0) == usual, "the picture doesn't move with reduced motion"


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("top_m", [0.12, 0.15, 0.19, 0.24])
@pytest.mark.parametrize("lid_x_m", [LID_X_M, -LID_X_M], ids=["right", "left"])
def test_the_lid_is_beside_the_list_of_places(
    seat: str, size: tuple[int, int], top_m: float, lid_x_m: float
) -> None:
    eye = SEATS[seat](*size)
    is_right = (lid_x_m > 0.0) is not eye.mirrored
    bounds = GAME_X if is_right else (1.0 - GAME_X[1], 1.0 - GAME_X[0])
    frame, shown = make_framing(seat, size), replace(make_scene(top_m), framed=find_frame(top_m, lid_x_m))
    before = frame.follow(shown, size[0] / size[1])
    beside = make_framing(seat, size)
    beside.sides = bounds
    crop = beside.follow(shown, size[0] / size[1])
    assert crop.width <= 1.2 * before.width, "the game is at most slightly smaller"

    def measure_covered_share(shown_crop: camera_picture.Crop) -> float:
        x, y = np.meshgrid([lid_x_m - HALF_WIDTH_M, lid_x_m + HALF_WIDTH_M], [-HALF_DEPTH_M, HALF_DEPTH_M])
        corners = np.column_stack([x.ravel(), y.ravel(), np.zeros(4)])
        camera = camera_picture.crop_camera(eye.camera, shown_crop)
        px = (
            project_table_points(camera, eye.table_from_camera, list(map(vec3, corners)))[:, 0] / camera.width
        )
        covered = px.max() - bounds[1] if is_right else bounds[0] - px.min()
        return float(max(0.0, covered) / np.ptp(px))

    assert measure_covered_share(crop) <= measure_covered_share(before)
    if seat == "table" and is_right and size[0] / size[1] > 1.5:
        is_whole = crop == camera_picture.make_whole_crop(eye.camera)
        assert measure_covered_share(crop) <= (0.15 if is_whole else 0.0)


BUILT = [(TOWER.ladders[piece.piece].boxes, piece.pose) for piece in STANDING] + [
    (TOWER.base.boxes, IDENTITY_POSE)
]
#: Scenes, and the corners of all boxes of ladders and base, or of all pawns.
STRUCTURES = (
    (moon_scene(), np.vstack([PlacedBoxes(*placed).corners().reshape(-1, 3) for placed in BUILT])),
    (lake_scene(), np.vstack([body.corners for body in LAKE.list_bodies()])),
)


@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (720, 1280)], ids=str)
@pytest.mark.parametrize("text_size", [TextSize.NORMAL, TextSize.ENORMOUS])
@pytest.mark.parametrize("shown", STRUCTURES, ids=["moon", "lake"])
def test_no_panel_of_the_result_crosses_the_structure(
    shown: tuple[Scene, Array], text_size: TextSize, size: tuple[int, int]
) -> None:
    full = SEATS["mirror"](1280, 720).camera
    results = [state for name, state in every_page() if name.split()[0] in ("tower", "result")]
    for state, turn in itertools.product(results, range(8)):
        for page in map(build_page, resize(state, size, "en", text_size)):
            alone = frame_structure(shown[0], turn * math.tau / 8.0, page["tower"].rect)
            assert alone.seen_from is not None
            crop = camera_picture.Framing(full, alone.seen_from).follow(alone, size[0] / size[1])
            camera = camera_picture.crop_camera(full, crop)
            pixels = project_table_points(camera, alone.seen_from, shown[1])
            outline = cv2.convexHull((pixels / [crop.width, crop.height]).astype(np.float32))
            assert 0.0 < outline.min() < outline.max() < 1.0
            assert np.ptp(outline, axis=0).max() > 0.12, "the structure is large"
            for widget in page.widgets:
                rect = widget.rect
                x, y, right, low = rect.x, rect.y, rect.x + rect.width, rect.y + rect.height
                panel = np.array([(x, y), (right, y), (right, low), (x, low)], np.float32)
                crossed = cv2.intersectConvexConvex(outline, panel)[0] > 0.0
                assert crossed is (widget.name == "tower"), widget
