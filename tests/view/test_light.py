"""The light is estimated from the camera's picture."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import Picture

from armoon.geometry import Array, CameraModel, mat_from_quat, pose_looking_at
from armoon.view.scene.light import LAMP, LightEstimate, estimate_noise, make_small_copy

WIDTH, HEIGHT = 640, 360
CAMERA = CameraModel(WIDTH, HEIGHT, 482.5, 482.5, 319.5, 179.5)
SEAT = pose_looking_at((0.0, -0.60, 0.40), (0.0, 0.0, 0.0))
#: Linear colour (red first) of the table for which the default light was tuned.
WOOD = np.array([0.44, 0.25, 0.136])


def draw_table(slope: tuple[float, float] = (0.0, 0.0), colour: Array = WOOD) -> Picture:
    """Return a frame of a table; ``slope``: change of the logarithm of its brightness per metre along x and y."""
    columns, rows = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    rays = np.stack(
        [(columns - CAMERA.cx) / CAMERA.fx, (rows - CAMERA.cy) / CAMERA.fy, np.ones(rows.shape)], -1
    )
    directions = rays @ mat_from_quat(SEAT.rotation).T
    distance = SEAT.position[2] / np.maximum(-directions[..., 2], 0.05)
    x, y = SEAT.position[0] + distance * directions[..., 0], SEAT.position[1] + distance * directions[..., 1]
    brightness = np.exp(np.clip(x * slope[0] + y * slope[1], -2.0, 0.8))[..., None] * colour
    bgr: Picture = np.round(255.0 * np.sqrt(np.clip(brightness, 0.0, 1.0)))[..., ::-1].astype(np.uint8)
    return bgr


def estimate_light(frame: Picture, frames: int = 1, start: LightEstimate | None = None) -> LightEstimate:
    estimate = start or LightEstimate(LAMP, CAMERA, SEAT)
    for _ in range(frames):
        estimate.add_frame(frame, make_small_copy(frame))
    return estimate


def find_azimuth_deg(towards: tuple[float, float, float]) -> float:
    return float(np.degrees(np.arctan2(towards[1], towards[0])))


def test_the_light_comes_from_the_tables_brighter_side() -> None:
    for slope in ((3.0, 0.0), (0.0, 3.0), (-2.0, -2.0)):
        towards = estimate_light(draw_table(slope)).light.towards
        expected_deg, known_deg = find_azimuth_deg((*slope, 0.0)), find_azimuth_deg(LAMP.towards)
        error_deg = abs((find_azimuth_deg(towards) - expected_deg + 180.0) % 360.0 - 180.0)
        known_error_deg = abs((known_deg - expected_deg + 180.0) % 360.0 - 180.0)
        assert error_deg < 0.75 * known_error_deg
        assert np.linalg.norm(towards) == pytest.approx(1.0)
        assert towards[2] == pytest.approx(LAMP.towards[2], abs=0.02)


def test_the_light_follows_darkness_and_colour_within_limits() -> None:
    plain = estimate_light(draw_table()).light
    dim = estimate_light(draw_table(colour=0.3 * WOOD)).light
    black = estimate_light(draw_table(colour=0.0 * WOOD)).light
    blue = estimate_light(draw_table(colour=np.array([0.15, 0.25, 0.40]))).light
    assert max(dim.key) < 0.8 * max(plain.key)
    assert max(black.key) > 0.3 * max(LAMP.key)
    assert blue.key[2] / blue.key[0] > 1.3 * plain.key[2] / plain.key[0]
    assert blue.bounce[2] > blue.bounce[0]


def test_the_light_follows_smoothly_and_depends_on_the_frames_only() -> None:
    dark, brightness = draw_table(colour=0.4 * WOOD), draw_table()
    following = estimate_light(dark)
    start = following.light.key[0]
    keys = [estimate_light(brightness, 1, following).light.key[0] for _ in range(160)]
    target = estimate_light(brightness).light.key[0]
    steps = np.diff([start, *keys])
    assert steps.min() >= -1e-9
    assert steps.max() < 0.25 * (target - start)
    assert keys[-1] == pytest.approx(target, rel=0.01)
    estimate = estimate_light(dark)
    assert [estimate_light(brightness, 1, estimate).light.key[0] for _ in range(160)] == keys


@pytest.mark.parametrize("sigma", [0.0, 2.0, 5.0])
def test_noise_is_measured(sigma: float) -> None:
    noise = np.random.default_rng(4).normal(0.0, sigma, (HEIGHT, WIDTH, 3))
    frame = np.clip(np.round(draw_table((0.5, 0.0)) + noise), 0, 255).astype(np.uint8)
    assert estimate_noise(frame) * 255.0 == pytest.approx(sigma, abs=0.6)
