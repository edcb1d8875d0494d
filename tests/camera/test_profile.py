"""Camera profiles: read from JSON, scaled to any picture size, and told when broken."""

from __future__ import annotations

import json

import pytest

from armoon.camera.seat import profile_from_text, resized, webcam_model
from armoon.errors import CameraError
from armoon.geometry import CameraModel

GOOD = {
    "width": 1280,
    "height": 720,
    "fx": 900.0,
    "fy": 905.0,
    "cx": 650.0,
    "cy": 350.0,
    "distortion": [0.1, -0.2, 0.001, 0.002, 0.05],
}


def test_a_profile_is_read() -> None:
    camera = profile_from_text(json.dumps(GOOD), "mine")
    assert camera == CameraModel(1280, 720, 900.0, 905.0, 650.0, 350.0, (0.1, -0.2, 0.001, 0.002, 0.05))


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        "[]",
        json.dumps({**GOOD, "fx": "wide"}),
        json.dumps({**GOOD, "distortion": [0.0]}),
        json.dumps({k: v for k, v in GOOD.items() if k != "cy"}),
    ],
)
def test_a_broken_profile_is_told_by_name(broken: str) -> None:
    with pytest.raises(CameraError, match="mine"):
        profile_from_text(broken, "mine")


def test_half_the_size_puts_every_ray_on_half_the_pixel() -> None:
    camera = profile_from_text(json.dumps(GOOD), "mine")
    half = resized(camera, 640, 360)
    point = [[0.1, -0.05, 0.5]]
    (u, v), (half_u, half_v) = camera.project(point)[0], half.project(point)[0]
    # Pixel centres lie at whole numbers, so pictures scale about (-0.5, -0.5).
    assert (half_u, half_v) == pytest.approx(((u + 0.5) / 2 - 0.5, (v + 0.5) / 2 - 0.5))


def test_a_taller_picture_keeps_the_middle_and_shows_more() -> None:
    wide, tall = webcam_model(640, 360), webcam_model(640, 480)
    assert wide.fx == tall.fx == 482.5
    assert (wide.cx, wide.cy) == (319.5, 179.5)
    assert (tall.cx, tall.cy) == (319.5, 239.5)


def test_resizing_to_the_own_size_changes_nothing() -> None:
    camera = profile_from_text(json.dumps(GOOD), "mine")
    assert resized(camera, 1280, 720) == camera
