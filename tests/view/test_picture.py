"""The renderer's picture, tested pixel by pixel in an offscreen context."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from support.arrays import Mask, Picture, differs

from armoon import geometry
from armoon.errors import DisplayError
from armoon.games.moon.kind import create_rising_moon
from armoon.gl import HeadlessSurface, load_shader
from armoon.values.paper import FAR_END_M, HEIGHT_M, HELD_X_M
from armoon.values.pieces import Base, Box, Ladder, LadderSet
from armoon.values.poses import IDENTITY_QUAT, Pose, Vec3
from armoon.values.scene import DieFace, Mood, Scene, SceneHand, SceneHud, ScenePiece, ScenePlayer, SceneProp

pytestmark = pytest.mark.gl

WIDTH, HEIGHT = 640, 360
CAMERA = geometry.CameraModel(WIDTH, HEIGHT, 482.5, 482.5, 321.3, 177.9)
TABLE_FROM_CAMERA = geometry.pose_looking_at((0.0, -0.50, 0.24), (0.0, 0.0, 0.10))
EMPTY_HUD = SceneHud()
GREY = np.full((HEIGHT, WIDTH, 3), 90, dtype=np.uint8)


def make_cube(piece: str, half: Vec3) -> Ladder:
    box = Box((0.0, 0.0, 0.0), IDENTITY_QUAT, half, "rung")
    return Ladder(piece, True, (box,), 0.003, (1e-6, 1e-6, 1e-6), 0.1, 1.0)


LADDERS = LadderSet(0, (make_cube("L01", (0.003, 0.003, 0.003)), make_cube("L02", (0.03, 0.002, 0.03))))
BASE = Base((Box((0.0, 0.0, 0.01), IDENTITY_QUAT, (0.05, 0.05, 0.01), "base"),), 0.02, ())
FAR_LID = Pose((3.0, 3.5, 0.0))
#: Renderers shared by tests, because creating one takes a second.
RENDERERS: dict[object, Any] = {}
SURFACE = (WIDTH, HEIGHT, RENDERERS)


def draw_picture(
    surface: HeadlessSurface,
    scene: Scene,
    *,
    mirrored: bool = False,
    camera: geometry.CameraModel = CAMERA,
    frame: Picture = GREY,
    plain_light: bool = True,
) -> Picture:
    from armoon.view.scene.light import LAMP
    from armoon.view.scene.renderer import Renderer

    surface.make_current()
    key = (mirrored, camera, plain_light)
    if key not in RENDERERS:
        light = replace(LAMP, grade=0.0) if plain_light else None
        RENDERERS[key] = Renderer(
            LADDERS,
            BASE,
            camera,
            TABLE_FROM_CAMERA,
            mirrored,
            WIDTH,
            HEIGHT,
            lid=FAR_LID,
            light=light,
            backdrop=create_rising_moon(),
        )
    RENDERERS[key].draw_scene(scene, frame)
    return surface.read_bgr()


def make_scene(*pieces: ScenePiece, hands: tuple[SceneHand, ...] = (), **fields: object) -> Scene:
    return Scene(0, pieces, hands, **{"hud": EMPTY_HUD, **fields})  # type: ignore[arg-type]


def find_centre(mask: Mask) -> geometry.Array:
    rows, columns = np.nonzero(mask)
    return np.array([columns.mean(), rows.mean()])


PLACES = [(-0.12, 0.05, 0.20), (0.10, -0.10, 0.16), (0.15, 0.10, 0.24), (-0.05, 0.0, 0.22)]


@pytest.mark.parametrize("mirrored", [False, True])
def test_pieces_are_drawn_at_their_camera_projection(surface: HeadlessSurface, mirrored: bool) -> None:
    nothing = draw_picture(surface, make_scene(), mirrored=mirrored)
    errors = []
    for place in PLACES:
        drawn = draw_picture(surface, make_scene(ScenePiece("L01", Pose(place))), mirrored=mirrored)
        corners = np.array(place) + 0.003 * np.array(list(itertools.product((-1, 1), repeat=3)))
        expected = geometry.project_table_points(CAMERA, TABLE_FROM_CAMERA, corners)
        middle = (expected.min(axis=0) + expected.max(axis=0)) / 2.0
        if mirrored:
            middle[0] = WIDTH - 1 - middle[0]
        mask = differs(drawn, nothing)
        # Look only around the cube, because its shadow on the table is elsewhere.
        near = np.hypot(*(np.indices((HEIGHT, WIDTH))[::-1] - middle[:, None, None])) < 12.0
        assert (mask & near).sum() > 9
        rows, columns = np.nonzero(mask & near)
        centre = np.array([(columns.min() + columns.max()) / 2.0, (rows.min() + rows.max()) / 2.0])
        errors.append(float(np.linalg.norm(centre - middle)))
    assert np.mean(errors) <= 0.5


def make_flat_hand(depth_m: float, at_px: tuple[float, float]) -> SceneHand:
    fan = [(0.0, 0.0)]
    for finger, angle in enumerate((-0.9, -0.35, 0.0, 0.3, 0.6)):
        for joint in range(4):
            reach = (0.04 if finger == 0 else 0.085) + 0.022 * joint
            fan.append((reach * np.sin(angle), -reach * np.cos(angle)))
    scale = CAMERA.fx / depth_m
    points = tuple((at_px[0] + x * scale, at_px[1] + (y + 0.09) * scale) for x, y in fan)
    return SceneHand(points, (depth_m,) * 21, None, 0.0, 0.01)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("depths_m", [(0.12,), (0.22, 0.30)], ids=["one very near", "two hands"])
def test_nothing_is_drawn_over_near_hands(
    surface: HeadlessSurface, depths_m: tuple[float, ...], mirrored: bool
) -> None:
    (x, y), (_, ground) = geometry.project_table_points(
        CAMERA, TABLE_FROM_CAMERA, [(0.0, 0.0, 0.13), (0.0, 0.0, 0.0)]
    )
    offsets_px = {1: (0.0,), 2: (-60.0, 110.0)}[len(depths_m)]
    hands = tuple(
        make_flat_hand(depth, (x + offset_px, (y + ground) / 2.0))
        for depth, offset_px in zip(depths_m, offsets_px, strict=True)
    )
    frame = GREY.copy()
    skin = np.zeros((HEIGHT, WIDTH), dtype=np.uint8)
    for hand in hands:
        for a, b in ((a, a + 1) for finger in range(5) for a in range(1 + 4 * finger, 4 + 4 * finger)):
            start, end = ([round(value) for value in hand.points_px[k]] for k in (a, b))
            across = round(2.0 * 0.008 * CAMERA.fx / hand.depths_m[a])
            cv2.line(frame, start, end, (140, 170, 210), across, cv2.LINE_AA)
            cv2.line(skin, start, end, (255,), max(1, across - 8))
    pieces = tuple(ScenePiece("L02", Pose((0.05 * k - 0.05, 0.0, 0.10 + 0.05 * k))) for k in range(3))
    drawn = draw_picture(surface, make_scene(*pieces, hands=hands), mirrored=mirrored, frame=frame)
    bare = np.ascontiguousarray(frame[:, ::-1]) if mirrored else frame
    skin = np.ascontiguousarray(skin[:, ::-1]) if mirrored else skin
    without = draw_picture(surface, make_scene(*pieces), mirrored=mirrored, frame=frame)
    assert differs(without, bare)[skin > 0].sum() > 300, "drawn objects would cover the hands"
    assert differs(drawn, bare)[skin > 0].sum() <= 10


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_hand_hides_only_objects_behind_it(surface: HeadlessSurface, mirrored: bool) -> None:
    place = (0.13, 0.0, 0.20)  # beside the middle, where a hand that isn't mirrored would hide nothing
    piece = ScenePiece("L02", Pose(place))
    x, y = geometry.project_table_points(CAMERA, TABLE_FROM_CAMERA, [place])[0]
    column, row = round(WIDTH - 1 - x if mirrored else x), round(y)
    free = draw_picture(surface, make_scene(piece), mirrored=mirrored)
    before = draw_picture(
        surface, make_scene(piece, hands=(make_flat_hand(0.40, (x, y)),)), mirrored=mirrored
    )
    behind = draw_picture(
        surface, make_scene(piece, hands=(make_flat_hand(0.65, (x, y)),)), mirrored=mirrored
    )
    assert np.abs(free[row, column].astype(int) - 90).max() > 30
    assert np.abs(before[row, column].astype(int) - 90).max() <= 2
    assert np.abs(behind[row, column].astype(int) - free[row, column]).max() <= 2


def place_prop(camera_from_grip: Pose) -> SceneProp:
    return SceneProp(geometry.pose_compose(TABLE_FROM_CAMERA, camera_from_grip))


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_paper_ladder_hides_only_objects_behind_it(surface: HeadlessSurface, mirrored: bool) -> None:
    place = (0.13, 0.0, 0.20)
    piece = ScenePiece("L02", Pose(place))
    camera_from_table = geometry.pose_inverse(TABLE_FROM_CAMERA)
    x, y, z = geometry.pose_apply(camera_from_table, place)
    level = geometry.quat_from_axis_angle((1.0, 0.0, 0.0), math.pi)

    def card(nearer: float) -> SceneProp:
        return place_prop(Pose((x * nearer + HELD_X_M, y * nearer, z * nearer), level))

    u, v = geometry.project_table_points(CAMERA, TABLE_FROM_CAMERA, [place])[0]
    column, row = round(WIDTH - 1 - u if mirrored else u), round(v)
    free = draw_picture(surface, make_scene(piece), mirrored=mirrored)
    before = draw_picture(surface, make_scene(piece, prop=card(0.85)), mirrored=mirrored)
    behind = draw_picture(surface, make_scene(piece, prop=card(1.15)), mirrored=mirrored)
    assert np.abs(free[row, column].astype(int) - 90).max() > 30
    assert np.abs(before[row, column].astype(int) - 90).max() <= 2
    assert np.abs(behind[row, column].astype(int) - free[row, column]).max() <= 2
    hidden = differs(before, free)
    half_px = 0.5 * HEIGHT_M * CAMERA.fy / (0.85 * z)
    rows = np.nonzero(hidden.any(axis=1))[0]
    # The mask has a quarter of the picture's resolution.
    assert v - half_px - 6.0 < rows.min()
    assert rows.max() < v + half_px + 6.0


def test_a_held_ladder_is_connected_to_the_paper_ladders_end(surface: HeadlessSurface) -> None:
    place = (0.02, 0.0, 0.20)
    held_at = (place[0] + HELD_X_M, place[1], place[2])
    grip = Pose(held_at)
    empty = draw_picture(surface, make_scene(prop=SceneProp(grip)))
    with_held = draw_picture(surface, make_scene(prop=SceneProp(grip, held_at)))
    ends = [(place[0] + FAR_END_M, 0.0, place[2]), held_at]
    (left, _), (right, _) = geometry.project_table_points(CAMERA, TABLE_FROM_CAMERA, ends)
    columns = np.nonzero(differs(with_held, empty).any(axis=0))[0]
    assert columns.min() == pytest.approx(left, abs=4.0)
    assert columns.max() == pytest.approx(right, abs=4.0)


def test_a_shadow_darkens_the_table_but_not_a_hand_above_it(surface: HeadlessSurface) -> None:
    nothing = draw_picture(surface, make_scene())
    drawn = draw_picture(surface, make_scene(ScenePiece("L02", Pose((0.10, -0.02, 0.05)))))
    darker = (nothing.astype(int) - drawn.astype(int)).min(axis=2) > 6
    assert darker.sum() > 150
    x, y = find_centre(darker)
    covered = draw_picture(
        surface,
        make_scene(ScenePiece("L02", Pose((0.10, -0.02, 0.05))), hands=(make_flat_hand(0.30, (x, y)),)),
    )
    assert np.abs(covered[round(y), round(x)].astype(int) - 90).max() <= 3


def test_a_paper_ladder_hides_the_tears_behind_it(surface: HeadlessSurface) -> None:
    card = place_prop(Pose((HELD_X_M, -0.010, 0.08), geometry.quat_from_axis_angle((1.0, 0.0, 0.0), math.pi)))
    without, with_tears = (
        draw_picture(surface, make_scene(prop=card, hud=replace(EMPTY_HUD, tears_left=tears)))
        for tears in (0, 5)
    )
    assert not differs(with_tears, without).any()


def test_the_sad_moon_cries(surface: HeadlessSurface) -> None:
    moved = []
    for face in (1.0, -1.0):
        # Until the moon is at rest and shows the face, and a little longer.
        pictures = {
            tick: draw_picture(surface, replace(make_scene(structure_top_m=0.1, mood=Mood(face)), tick=tick))
            for tick in (*range(0, 600, 6), 620)
        }
        x, y, radius = RENDERERS[(False, CAMERA, True)]._backdrop.disc
        rows, columns = np.indices((HEIGHT, WIDTH))
        on_face = np.hypot(columns - x, HEIGHT - 1 - rows - y) < 0.85 * radius
        moved.append((differs(pictures[594], pictures[620]) & on_face).sum())
    assert moved[0] == 0
    assert moved[1] > 10


FULL_HUD = SceneHud(
    "armoon",
    (ScenePlayer("Lune", 1, False), ScenePlayer("Basile", 0, True), ScenePlayer("Ada", 2, False, True)),
    4,
    DieFace.TWO_LADDERS,
    "Touch exactly two ladders",
    "Open your fingers to let go",
    "Touching 2 of 2",
    True,
    "18 ladders left",
    "21.4 cm",
    "Well placed: it touches two ladders",
    True,
    "Paused",
)


def test_drawing_leaves_no_gl_error_and_repeats_the_same_picture(surface: HeadlessSurface) -> None:
    from support.gl_kit import read_gl_error

    place = (0.1, 0.0, 0.18)
    full = make_scene(
        ScenePiece("L01", Pose((-0.1, 0.0, 0.1)), "offered"),
        ScenePiece("L02", Pose(place), "held"),
        hands=(make_flat_hand(0.45, (400.0, 120.0)),),
        hud=FULL_HUD,
        contact_points=(place,),
        drop_line=(place, (0.1, 0.0, 0.0)),
    )
    first = draw_picture(surface, full, plain_light=False)
    assert read_gl_error() == ""
    assert (draw_picture(surface, full, plain_light=False) == first).all()


def test_the_camera_picture_is_undistorted(surface: HeadlessSurface) -> None:
    camera = replace(CAMERA, distortion=(-0.25, 0.08, 0.001, -0.0005, 0.0))
    rows, columns = np.indices((HEIGHT, WIDTH))
    shade = 128 + 60 * np.sin(columns / 23.0) * np.cos(rows / 19.0)
    frame = np.repeat(shade[..., None], 3, axis=2).astype(np.uint8)
    drawn = draw_picture(surface, make_scene(), camera=camera, frame=frame)
    truth = cv2.undistort(frame, camera.matrix(), np.array(camera.distortion))
    # The lower right has no moon and no cloud.
    corner = slice(HEIGHT // 2, HEIGHT - 20), slice(int(WIDTH * 0.75), WIDTH - 20)
    assert np.abs(drawn[corner].astype(int) - truth[corner]).mean() < 1.0


def test_a_broken_shader_reports_the_compilers_message(
    surface: HeadlessSurface, monkeypatch: pytest.MonkeyPatch
) -> None:
    from armoon import gl

    surface.make_current()
    monkeypatch.setattr(
        gl, "load_shader", lambda name: load_shader(name).replace("gl_Position", "gl_Positron")
    )
    with pytest.raises(DisplayError, match=r"feed\.vert.*gl_Positron"):
        gl.ShaderProgram("feed.vert", "inset.frag")


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        ((1920, 1080), (1280, 720)),
        ((1024, 600), (1024, 576)),
        ((640, 360), (640, 360)),
        ((360, 640), (360, 202)),
    ],
)
def test_a_window_fits_on_its_screen(screen: tuple[int, int], size: tuple[int, int]) -> None:
    from armoon.view.window import fit_to_screen

    assert fit_to_screen((1280, 720), screen) == size
