"""A hand with known joints, open, pinched or a fist, which tests can place anywhere in front of a camera."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from armoon.geometry import Array, CameraModel, mat_from_quat, pose_looking_at, quat_multiply
from armoon.hands.grip_settings import GripSettings
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hand, Hands, Image, make_hand
from armoon.values.acts import Gesture
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import Pose, Quat, Vec3

CAMERA = CameraModel(640, 480, 482.5, 482.5, 319.5, 239.5)
#: A camera 0.58 m in front of the table's middle, looking slightly down.
TABLE_FROM_CAMERA = pose_looking_at((0.0, -0.58, 0.27), (0.0, 0.0, 0.12))

#: Distance from the wrist to the middle finger's knuckle in ``OPEN``.
PALM_M = 0.0955
#: Joints in metres in the palm's frame: x towards the thumb, y towards the fingers, z out of the palm.
OPEN = np.array(
    [
        (0.000, 0.000, 0.000),
        *[(0.028, 0.020, 0.010), (0.048, 0.045, 0.022), (0.064, 0.068, 0.032), (0.078, 0.090, 0.040)],
        *[(0.027, 0.090, 0.000), (0.033, 0.128, 0.008), (0.036, 0.152, 0.014), (0.038, 0.172, 0.020)],
        *[(0.000, 0.0955, 0.000), (0.000, 0.138, 0.006), (0.000, 0.165, 0.012), (0.000, 0.187, 0.018)],
        *[(-0.020, 0.088, 0.000), (-0.023, 0.127, 0.007), (-0.025, 0.152, 0.013), (-0.026, 0.173, 0.020)],
        *[(-0.038, 0.075, 0.000), (-0.045, 0.105, 0.007), (-0.049, 0.124, 0.012), (-0.052, 0.142, 0.017)],
    ]
)
PINCHED = OPEN.copy()
PINCHED[2:5] = [(0.045, 0.045, 0.030), (0.044, 0.075, 0.046), (0.036, 0.100, 0.062)]
PINCHED[6:9] = [(0.032, 0.118, 0.036), (0.034, 0.118, 0.058), (0.036, 0.106, 0.067)]

#: Rotation from palm to camera frame of a hand with its palm towards the camera and its fingers up.
FACING: Quat = (1.0, 0.0, 0.0, 0.0)


def joints_in_camera(place: Array, rotation: Quat = FACING, pinch: float = 0.0, size: float = 1.0) -> Array:
    """Return the joints (21, 3) in the camera frame; ``place`` (3,) is the middle of the wrist."""
    shape = ((1.0 - pinch) * OPEN + pinch * PINCHED) * size
    return np.asarray(shape @ mat_from_quat(rotation).T + place)


def stick_hand(
    place: tuple[float, float, float] = (0.0, 0.06, 0.5),
    rotation: Quat = FACING,
    pinch: float = 0.0,
    size: float = 1.0,
    noise_px: float = 0.0,
    rng: np.random.Generator | None = None,
    camera: CameraModel = CAMERA,
) -> Hand:
    """Return an ideal tracker's output for a hand; its world landmarks have the average size, whatever ``size`` is."""
    joints = joints_in_camera(np.array(place), rotation, pinch, size)
    points = camera.project(joints)
    if rng is not None:
        points = points + rng.normal(0.0, noise_px, points.shape)
    world = (joints - joints.mean(axis=0)) / size
    return make_hand(points.tolist(), world.tolist(), "right", 0.97)


def frame_of(*hands: Hand, time_s: float, camera: CameraModel = CAMERA) -> Hands:
    return Hands(time_s, round(time_s * 30), camera.width, camera.height, hands)


def media_folder() -> Path:
    """Return the folder of test photographs, or skip the test."""
    path = os.environ.get("ARMOON_MEDIA")
    folder = Path(path) if path else Path(__file__).resolve().parents[3] / "shared" / "media"
    if not (folder / "MANIFEST.json").is_file():
        pytest.skip("the test photographs (ARMOON_MEDIA) are missing")
    return folder


def play_film(name: str) -> Iterator[Image]:
    """Yield the pictures of a film in the media folder."""
    capture = cv2.VideoCapture(str(media_folder() / name))
    while (got := capture.read())[0]:
        yield np.asarray(got[1], np.uint8)


def photograph_faces(
    faces: Sequence[tuple[Image, Array]], camera: CameraModel, camera_from_table: Pose, seed: int
) -> Image:
    """Return a webcam's blurred, noisy picture of square textures; their corners (4, 3) are in the table frame."""
    oversampling = 4
    turn = mat_from_quat(camera_from_table.rotation)
    corners_px = [camera.project(corners @ turn.T + camera_from_table.position) for _, corners in faces]
    low = np.min(corners_px, axis=(0, 1)).astype(int) - 30
    width, height = ((np.max(corners_px, axis=(0, 1)).astype(int) + 30 - low) * oversampling).tolist()
    part = np.full((height, width), 110, np.uint8)
    for (texture, _), pixels in zip(faces, corners_px, strict=True):
        dots = len(texture)
        goal = ((pixels - low + 0.5) * oversampling - 0.5).astype(np.float32)
        src = (np.array([[0, 0], [dots, 0], [dots, dots], [0, dots]]) - 0.5).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(src, goal)
        drawn = cv2.warpPerspective(texture, matrix, (width, height), flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full((dots, dots), 255, np.uint8), matrix, (width, height))
        part = np.where(mask > 127, drawn, part).astype(np.uint8)
    scale = 1.0 / oversampling
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    whole, (x, y) = np.full((camera.height, camera.width), 110.0), low.tolist()
    whole[y : y + small.shape[0], x : x + small.shape[1]] = small
    noise = np.random.default_rng(seed).normal(0.0, 3.0, whole.shape)
    return np.clip(cv2.GaussianBlur(whole, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def bent_joints(bent: float, index_bent: float | None = None) -> Array:
    """Return joints (21, 3) with fingers bent into the palm, from 0 (open) to 1 (a fist), in the palm's frame."""
    shape = OPEN.copy()
    for finger in range(1, 5):
        share = bent if finger > 1 or index_bent is None else index_bent
        first = 1 + 4 * finger
        point, bend = shape[first].copy(), 0.0
        for joint, most in enumerate((1.35, 1.65, 1.0)):
            bend += share * most
            length = float(np.linalg.norm(OPEN[first + joint + 1] - OPEN[first + joint]))
            point = point + length * np.array([0.0, np.cos(bend), np.sin(bend)])
            shape[first + joint + 1] = (1.0 - share) * OPEN[first + joint + 1] + share * point
            point = shape[first + joint + 1]
    shape[3:5] = (1.0 - bent) * OPEN[3:5] + bent * np.array([(0.035, 0.060, 0.040), (0.015, 0.065, 0.045)])
    return shape


def fist_hand(
    place: tuple[float, float, float] = (0.0, 0.06, 0.5),
    rotation: Quat = FACING,
    bent: float = 1.0,
    index_bent: float | None = None,
    turned: float = 0.0,
) -> Hand:
    """Return a hand with its fingers bent into the palm, from 0 (open) to 1 (a fist).

    The index finger can be bent differently; ``turned`` rotates the hand in the picture, in radians.
    """
    shape = bent_joints(bent, index_bent)
    half = turned / 2.0
    spun = quat_multiply((0.0, 0.0, float(np.sin(half)), float(np.cos(half))), rotation)
    joints = shape @ mat_from_quat(spun).T + np.array(place)
    return make_hand(CAMERA.project(joints).tolist(), (joints - joints.mean(axis=0)).tolist(), "right", 0.97)


FRAME_S, TICK_S = 1.0 / 30.0, 1.0 / 60.0


class InterpreterHarness:
    """An interpreter with a clock, queried twice after each frame; ``options`` are fields of ``GripSettings``."""

    def __init__(self, *, frame_s: float = FRAME_S, **options: Any) -> None:
        settings = replace(GripSettings(palm_m=PALM_M), **options)
        self.interpreter = Interpreter(CAMERA, TABLE_FROM_CAMERA, settings)
        self.frame_s, self.frame = frame_s, 0
        self.intents: list[GripIntent] = []

    def show(self, *hands: Hand, frames: int = 1) -> GripIntent:
        for _ in range(frames):
            self.frame += 1
            time_s = self.frame * self.frame_s
            self.interpreter.add_hands(frame_of(*hands, time_s=time_s))
            intents = (self.interpreter.get_intent(time_s), self.interpreter.get_intent(time_s + TICK_S))
            self.intents += [intent for intent in intents if intent is not None]
        return self.intents[-1]

    def hold(self, place: Vec3 = (0.0, 0.06, 0.5), frames: int = 30) -> GripIntent:
        self.show(stick_hand(place), frames=5)
        return self.show(stick_hand(place, pinch=1.0), frames=frames)

    def phases(self, since: int = 0) -> list[GripPhase]:
        phases = [intent.phase for intent in self.intents[since:]]
        return [phase for k, phase in enumerate(phases) if k == 0 or phase is not phases[k - 1]]


# Gestures ---------------------------------------------------------------------------------------------------


def swing_m(k: int, rate_hz: float = 2.5, amplitude_m: float = 0.035) -> float:
    return amplitude_m * math.sin(2.0 * math.pi * rate_hz * k * FRAME_S)


def shake(
    frames: int = 45, rate_hz: float = 2.5, amplitude_m: float = 0.035, bent: float = 1.0
) -> list[tuple[Hand, ...]]:
    return [(fist_hand((swing_m(k, rate_hz, amplitude_m), 0.06, 0.5), bent=bent),) for k in range(frames)]


def wag_frames(frames: int = 60, amplitude_m: float = 0.04, rate_hz: float = 2.5) -> list[tuple[Hand, ...]]:
    return [
        (fist_hand((swing_m(k, rate_hz, amplitude_m), 0.06, 0.5), index_bent=0.0),) for k in range(frames)
    ]


OPEN_HAND: list[tuple[Hand, ...]] = [(stick_hand(),)] * 15
#: The hands of each gesture, frame by frame.
GESTURE_HANDS: dict[Gesture, list[tuple[Hand, ...]]] = {
    Gesture.SHAKE: OPEN_HAND + shake() + OPEN_HAND,
    Gesture.WAVE: OPEN_HAND + [(stick_hand((swing_m(k, amplitude_m=0.05), 0.06, 0.5)),) for k in range(60)],
    Gesture.WAG: OPEN_HAND + wag_frames(40) + OPEN_HAND,
}
