"""The choice of a camera's model, the upright model of a rotated camera, and the focus lock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from benchmarks.sheets import CAMERA, SheetStage, measure_registration_px

from armoon.camera import profiles
from armoon.camera.board import load_board
from armoon.camera.board_finder import BoardFinder
from armoon.camera.capture import Orientation, OrientedSource
from armoon.camera.sources import FocusLock, Frame, Image, lock_focus
from armoon.errors import CameraError
from armoon.geometry import Array, CameraModel
from armoon.messages import text

GOOD = profiles.Calibration(CAMERA, 0.1, 0.12, 15, 0.001)
NOWHERE = Path("/nowhere")
SIZE = (CAMERA.width, CAMERA.height)


def test_a_calibrated_camera_plays_with_its_profile(tmp_path: Path) -> None:
    profiles.save_profile(tmp_path, "webcam 3", GOOD)
    choice = profiles.choose_camera("3", *SIZE, tmp_path, devices=NOWHERE)
    assert (choice.name, choice.camera, choice.calibrated) == ("webcam 3", CAMERA, True)
    assert "webcam 3" in text(choice.origin_key, camera=choice.name)
    turned = profiles.choose_camera("3", *SIZE, tmp_path, Orientation(1), devices=NOWHERE)
    assert turned.camera == Orientation(1).turn_camera_upright(CAMERA)
    assert (turned.camera.width, turned.camera.height) == (CAMERA.height, CAMERA.width)


def test_any_other_camera_is_treated_as_a_common_webcam(tmp_path: Path) -> None:
    choice = profiles.choose_camera("/tmp/film.mp4", 640, 360, tmp_path / "none", devices=NOWHERE)
    assert (choice.camera, choice.calibrated) == (profiles.make_webcam_model(640, 360), False)
    assert choice.name in text(choice.origin_key, camera=choice.name)


def test_an_unsuitable_or_truncated_profile_is_reported(tmp_path: Path) -> None:
    path = profiles.save_profile(tmp_path, "webcam 3", GOOD)
    with pytest.raises(CameraError, match="480x360") as caught:
        profiles.choose_camera("3", 1280, 720, tmp_path, devices=NOWHERE)
    assert "--size 480x360" in caught.value.remedy
    profiles.save_profile(tmp_path, "webcam 3", replace(GOOD, camera=replace(CAMERA, fx=392.0)))
    path.write_text(path.read_text(encoding="utf-8")[:60], encoding="utf-8")
    with pytest.raises(CameraError, match="broken") as caught:
        profiles.choose_camera("3", *SIZE, tmp_path, devices=NOWHERE)
    assert "--restore" in caught.value.remedy
    assert profiles.restore_profile(tmp_path, "webcam 3", *SIZE) == CAMERA, "the last good profile was kept"
    with pytest.raises(CameraError, match="no earlier profile"):
        profiles.restore_profile(tmp_path, "webcam 3", *SIZE)
    path.rename(profiles.get_profile_path(tmp_path, "webcam 4", *SIZE))
    with pytest.raises(CameraError, match="for webcam 3, not for webcam 4"):
        profiles.choose_camera("4", *SIZE, tmp_path, devices=NOWHERE)


#: A strongly distorting lens with distinct coefficients.
CROOKED = CameraModel(64, 48, 61.0, 57.0, 29.3, 25.1, (-0.21, 0.07, 0.013, -0.008, 0.02))
ORIENTATIONS = [Orientation(turns, mirrored) for turns in range(4) for mirrored in (False, True)]


def project_with_opencv(camera: CameraModel, directions: Array) -> Array:
    """Return the pixels (n, 2) of directions (n, 2), which are x and y at z = 1."""
    rays = np.column_stack([directions, np.ones(len(directions))])
    lens = np.array(camera.distortion)
    pixels, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), camera.matrix(), lens)
    return pixels.reshape(-1, 2).astype(float)


@pytest.mark.parametrize("orientation", ORIENTATIONS, ids=str)
def test_an_upright_camera_agrees_with_the_upright_picture(orientation: Orientation) -> None:
    rows, columns = np.indices((CROOKED.height, CROOKED.width))
    numbered = np.stack([columns, rows, np.zeros_like(rows)], axis=-1).astype(np.uint8)
    source = OrientedSource(RotatedCamera(numbered), orientation)
    frame = source.read()
    assert frame is not None
    turned = frame.image
    assert (source.height, source.width) == turned.shape[:2]
    assert ("turned by" in source.description) is (orientation != Orientation())

    def value_at(column: int, row: int) -> Array:
        ((y, x),) = np.argwhere((turned[..., 0] == column) & (turned[..., 1] == row))
        return np.array([x, y], dtype=float)

    origin = value_at(0, 0)
    axes = np.stack([value_at(1, 0) - origin, value_at(0, 1) - origin])
    rays = np.random.default_rng(5).uniform(-0.35, 0.35, (50, 2))
    expected = origin + project_with_opencv(CROOKED, rays) @ axes
    upright = orientation.turn_camera_upright(CROOKED)
    assert (upright.height, upright.width) == turned.shape[:2]
    assert project_with_opencv(upright, rays @ axes) == pytest.approx(expected, abs=1e-9)


class RotatedCamera:
    description, rate_hz, live = "hanging camera", 30.0, True

    def __init__(self, image: Image) -> None:
        self._image = image
        self.height, self.width = image.shape[:2]

    def read(self) -> Frame | None:
        return Frame(0, 0.0, self._image)

    def close(self) -> None: ...


@pytest.fixture(scope="module")
def stage() -> SheetStage:
    return SheetStage(CAMERA)


@pytest.mark.gl
def test_drawn_points_lie_on_the_undistorted_picture(stage: SheetStage) -> None:
    apart_px = measure_registration_px(stage, BoardFinder(load_board()), CAMERA, Orientation(3, True))
    assert apart_px is not None
    assert apart_px <= 0.5


class FakeLens:
    """A capture device; its driver ``applies`` new settings or not, and ``confirms`` them or not."""

    def __init__(self, autofocus: float, focus: float, applies: bool, confirms: bool) -> None:
        self.settings = {cv2.CAP_PROP_AUTOFOCUS: autofocus, cv2.CAP_PROP_FOCUS: focus}
        self.applies, self.confirms = applies, confirms
        self.requests: list[tuple[int, float]] = []

    def get(self, setting: int) -> float:
        return self.settings[setting]

    def set(self, setting: int, value: float) -> bool:
        self.requests.append((setting, value))
        if self.applies:
            self.settings[setting] = value
        return self.confirms


@pytest.mark.parametrize(
    ("lens", "expected"),
    [
        (FakeLens(1.0, 40.0, applies=True, confirms=True), FocusLock.LOCKED),
        (FakeLens(0.0, 40.0, applies=True, confirms=True), FocusLock.LOCKED),
        (FakeLens(-1.0, -1.0, applies=False, confirms=False), FocusLock.FIXED),
        (FakeLens(1.0, 40.0, applies=False, confirms=False), FocusLock.LOOSE),
        (FakeLens(1.0, 40.0, applies=False, confirms=True), FocusLock.LOOSE),
    ],
)
def test_the_lens_is_locked_in_place_or_the_player_is_warned(lens: FakeLens, expected: FocusLock) -> None:
    assert lock_focus(lens) is expected  # type: ignore[arg-type]
    assert text(expected.key)
    if expected is FocusLock.LOCKED:
        assert lens.requests[-1] == (cv2.CAP_PROP_FOCUS, 40.0), "the lens must stay where it is"
