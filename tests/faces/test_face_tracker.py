"""The real face tracker on a photograph, with the face turned by warping its tracked mesh."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.face_kit import Image, load_astronaut, turn_face

from armoon import faces as tracker_module
from armoon.errors import TrackerError
from armoon.faces import MESH_POINTS, MODEL_PARTS, FaceTracker, Head, measure_head
from armoon.hands.model import ModelPart, find_package_folder
from armoon.values.poses import Vec3

pytestmark = [pytest.mark.tracker]


class WatchedTracker:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.points: list[Vec3] = []
        self.frames = 0

        def record_points(points: list[Vec3], size: tuple[int, int]) -> Head | None:
            self.points = points
            return measure_head(points, size)

        monkeypatch.setattr(tracker_module, "measure_head", record_points)
        self.tracker = FaceTracker()

    def track_heads(self, picture: Image, frames: int = 4) -> tuple[Head, ...]:
        for _ in range(frames):
            self.frames += 1
            tracked = self.tracker.track(picture, self.frames / 30.0, self.frames)
        return tracked.heads


@pytest.fixture(scope="module")
def watched_tracker() -> Iterator[WatchedTracker]:
    with pytest.MonkeyPatch.context() as patch:

        def refuse_connection(*_: object) -> None:
            raise AssertionError("the face tracker must not open a connection")

        patch.setattr(socket.socket, "connect", refuse_connection)
        watched = WatchedTracker(patch)
        yield watched
        watched.tracker.close()


@pytest.fixture
def frontal_face(watched_tracker: WatchedTracker) -> tuple[Image, list[Vec3], Head]:
    picture = load_astronaut()
    watched_tracker.track_heads(np.zeros_like(picture), 2)
    (head,) = watched_tracker.track_heads(picture)
    return picture, watched_tracker.points, head


def test_a_face_is_located(frontal_face: tuple[Image, list[Vec3], Head]) -> None:
    head = frontal_face[2]
    assert head.place == pytest.approx((0.455, 0.20), abs=0.01)
    assert head.width == pytest.approx(0.138, abs=0.01)
    assert abs(head.yaw_deg) < 4.0


@pytest.mark.parametrize("turn", [-15.0, -8.0, 8.0, 15.0])
def test_turning_the_head_is_recognised(
    watched_tracker: WatchedTracker, frontal_face: tuple[Image, list[Vec3], Head], turn: float
) -> None:
    picture, points, before = frontal_face
    (head,) = watched_tracker.track_heads(turn_face(picture, points, turn))
    yaw, pitch = head.yaw_deg - before.yaw_deg, head.pitch_deg - before.pitch_deg
    assert 0.4 * abs(turn) < yaw * np.sign(turn) < 1.6 * abs(turn)
    assert abs(pitch) < 3.0


@pytest.mark.parametrize("turn", [-8.0, 8.0])
def test_nodding_is_recognised(
    watched_tracker: WatchedTracker, frontal_face: tuple[Image, list[Vec3], Head], turn: float
) -> None:
    picture, points, before = frontal_face
    (head,) = watched_tracker.track_heads(turn_face(picture, points, 0.0, turn))
    assert 0.5 * abs(turn) < (head.pitch_deg - before.pitch_deg) * np.sign(turn) < 1.6 * abs(turn)
    assert abs(head.yaw_deg - before.yaw_deg) < 2.5


def test_an_open_mouth_is_recognised_and_is_not_taken_for_nodding(
    watched_tracker: WatchedTracker, frontal_face: tuple[Image, list[Vec3], Head]
) -> None:
    picture, points, before = frontal_face
    (head,) = watched_tracker.track_heads(turn_face(picture, points, 0.0, 0.0, 0.35))
    assert before.mouth < 0.18
    assert head.mouth > 0.22
    assert abs(head.pitch_deg - before.pitch_deg) < 3.0


def test_two_faces_are_returned_with_the_nearer_one_first(watched_tracker: WatchedTracker) -> None:
    picture = load_astronaut()
    near = picture[20:400, 150:450]
    far = cv2.resize(near, None, fx=0.85, fy=0.85)
    image = np.full((400, 620, 3), 90, np.uint8)
    image[: near.shape[0], 300:600] = near
    image[40 : 40 + far.shape[0], 20 : 20 + far.shape[1]] = far
    heads = watched_tracker.track_heads(image, 6)
    assert len(heads) == 2
    assert heads[0].width > 1.1 * heads[1].width
    assert heads[0].place[0] > 0.5 > heads[1].place[0]


def test_a_picture_without_a_face_has_none(watched_tracker: WatchedTracker) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    for picture in (np.zeros((480, 640, 3), np.uint8), noise, np.full((1, 1, 3), 90, np.uint8)):
        assert watched_tracker.track_heads(picture, 3) == ()


def test_a_face_that_leaves_the_picture_is_lost_within_a_few_frames(
    watched_tracker: WatchedTracker, frontal_face: tuple[Image, list[Vec3], Head]
) -> None:
    picture = frontal_face[0]
    for shift in range(0, 640, 60):
        watched_tracker.track_heads(
            np.roll(picture, shift, axis=1) * (np.arange(640) >= shift)[None, :, None].astype(np.uint8), 1
        )
    assert watched_tracker.track_heads(np.zeros_like(picture), 3) == ()


def test_invalid_points_are_not_a_face() -> None:
    nan = [(float("nan"), 0.0, 0.0)] * MESH_POINTS
    one_place = [(5.0, 5.0, 0.0)] * MESH_POINTS
    for points in (nan, one_place):
        assert measure_head(points, (640, 480)) is None


@pytest.mark.parametrize("part", MODEL_PARTS, ids=lambda part: part.member)
def test_a_changed_model_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: ModelPart
) -> None:
    for each in MODEL_PARTS:
        (tmp_path / each.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(find_package_folder() / each.path, tmp_path / each.path)
    data = bytearray((tmp_path / part.path).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / part.path).write_bytes(bytes(data))
    monkeypatch.setattr(tracker_module, "find_package_folder", lambda _network: tmp_path)
    with pytest.raises(TrackerError, match=r"face tracker's model .* is damaged") as caught:
        FaceTracker()
    assert "pip install" in caught.value.remedy
