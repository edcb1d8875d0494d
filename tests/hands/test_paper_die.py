"""The rendered paper die is read when it lies on a known table, or when a face is held up to the camera."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from support.hands_kit import photograph_faces

from armoon import geometry
from armoon.camera.board import draw_board, load_board
from armoon.camera.profiles import make_table_seat
from armoon.camera.sources import Image
from armoon.hands.card_finder import get_dictionary
from armoon.hands.paper_pieces import DIE_STILL_S, DieReader
from armoon.values.paper import DIE_EDGE_M, DIE_FACES, DIE_TAG_M, DIE_TAGS
from armoon.values.poses import Pose, Quat

SEAT = make_table_seat(1280, 720)
#: Rotations that bring each face up.
UP: tuple[Quat, ...] = (
    (0.0, 0.0, 0.0, 1.0),
    geometry.quat_from_axis_angle((1.0, 0.0, 0.0), math.pi),
    geometry.quat_from_axis_angle((0.0, 1.0, 0.0), -math.pi / 2.0),
    geometry.quat_from_axis_angle((0.0, 1.0, 0.0), math.pi / 2.0),
    geometry.quat_from_axis_angle((1.0, 0.0, 0.0), math.pi / 2.0),
    geometry.quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0),
)
#: Width of a face's texture (tag and white margin), in pixels.
_DOTS = 300


def draw_face_texture(face: int) -> Image:
    picture = np.full((_DOTS, _DOTS), 235, np.uint8)
    per_m = _DOTS / DIE_EDGE_M
    side = round(DIE_TAG_M * per_m)
    tag = cv2.aruco.generateImageMarker(get_dictionary(), DIE_TAGS[face], side)
    left = round(0.003 * per_m)
    picture[left : left + side, left : left + side] = np.where(tag > 0, 235, 30)
    return picture


def render_die(die: Pose, camera: geometry.CameraModel, camera_from_table: Pose, seed: int = 0) -> Image:
    turn = geometry.mat_from_quat(die.rotation)
    eye = np.array(geometry.pose_inverse(camera_from_table).position)
    faces = []
    for face, (out, right) in enumerate(DIE_FACES):
        corners = [
            DIE_EDGE_M / 2.0 * (np.array(out) + x * np.array(right) + y * np.cross(out, right))
            for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
        places = np.array(corners) @ turn.T + die.position
        if (turn @ np.array(out)) @ (places.mean(axis=0) - eye) < 0.0:
            faces.append((draw_face_texture(face), places))
    return photograph_faces(faces, camera, camera_from_table, seed)


def lay_die(face: int, x: float = 0.05, y: float = -0.05, turned: float = 0.4, tilt: float = 0.0) -> Pose:
    """Return the pose of a die with ``face`` up, rotated about the vertical, and tilted if it leans on something."""
    turn = geometry.quat_multiply(geometry.quat_from_axis_angle((0.0, 0.0, 1.0), turned), UP[face])
    turn = geometry.quat_multiply(geometry.quat_from_axis_angle((1.0, 0.0, 0.0), tilt), turn)
    return Pose((x, y, DIE_EDGE_M / 2.0), turn)


#: Value of a tilted die.
ASKS = 0


def read_looks(reader: DieReader, *dice: Pose | None, begin: int = 0) -> list[int | None]:
    """Return the value read from each picture; pictures are 1.5 times as far apart as necessary."""
    camera_from_table = geometry.pose_inverse(SEAT.table_from_camera)
    values = []
    for k, die in enumerate(dice, start=begin):
        empty = np.full((SEAT.camera.height, SEAT.camera.width), 110, np.uint8)
        grey = empty if die is None else render_die(die, SEAT.camera, camera_from_table, k)
        values.append(reader.read_die(grey, 1.5 * DIE_STILL_S * k, SEAT.camera, SEAT.table_from_camera))
    return values


@pytest.mark.parametrize("face", range(6))
@pytest.mark.parametrize("turned", [0.0, 0.8, 2.2])
def test_the_upper_face_is_read_in_two_looks(face: int, turned: float) -> None:
    die = lay_die(face, turned=turned)
    assert read_looks(DieReader(), None, die, die, die) == [None, None, face // 2 + 1, None]


def test_a_moving_die_is_not_read_until_it_is_still() -> None:
    path = [lay_die(2, x=0.02 * k, turned=0.3 * k) for k in range(4)]
    assert read_looks(DieReader(), None, *path) == [None] * 5
    assert read_looks(DieReader(), None, *path, path[-1])[-1] == 2


def test_a_lying_die_counts_once_until_it_is_picked_up_or_thrown_again() -> None:
    reader, die = DieReader(), lay_die(4)
    assert read_looks(reader, die, die, die) == [None] * 3, "it was already there"
    assert read_looks(reader, None, None, die, die, die, begin=3)[2:] == [None, 3, None]
    other = lay_die(0)
    assert read_looks(reader, other, other, begin=8) == [None, 1]
    pushed = lay_die(0, x=0.06)
    assert read_looks(reader, pushed, pushed, begin=10) == [None, None]
    thrown = lay_die(0, x=0.12)
    assert read_looks(reader, thrown, thrown, begin=12) == [None, 1]


def test_the_player_is_asked_about_a_leaning_die() -> None:
    leaning = lay_die(0, tilt=math.radians(35.0))
    assert read_looks(DieReader(), None, leaning, leaning) == [None, None, ASKS]


@pytest.mark.parametrize("face", [0, 3, 4])
def test_without_a_known_table_a_face_is_held_up_to_the_camera(face: int) -> None:
    out, right = (np.array(axis) for axis in DIE_FACES[face])
    # The face points at the camera, which looks along z; slightly tilted.
    axes: geometry.Array = np.stack([right, -np.cross(out, right), -out])
    turn = cv2.Rodrigues(np.array([0.2, -0.15, 0.4]))[0] @ axes
    held = Pose((0.03, 0.02, 0.40), geometry.quat_from_matrix(turn))
    reader, still = DieReader(), Pose((0.0, 0.0, 0.0))
    assert reader.read_die(np.full((720, 1280), 110, np.uint8), -1.0, SEAT.camera, None) is None
    pictures = [render_die(held, SEAT.camera, still, seed) for seed in range(3)]
    values = [reader.read_die(grey, 0.4 * k, SEAT.camera, None) for k, grey in enumerate(pictures)]
    assert values == [None, face // 2 + 1, None]


def test_no_die_is_found_in_a_printed_board_or_noise() -> None:
    board = draw_board(load_board(), 90)[:720, :1280]
    noise = np.random.default_rng(3).integers(0, 255, (720, 1280), dtype=np.uint8)
    for picture in map(np.ascontiguousarray, (board, noise)):
        reader = DieReader()
        for k in range(3):
            assert reader.read_die(picture, 0.4 * k, SEAT.camera, SEAT.table_from_camera) is None
