"""Heads for tests: simulated output of the tracker, and a photographed face that can be rotated."""

from __future__ import annotations

import importlib.util
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from armoon.faces import Head, Heads

Image = npt.NDArray[np.uint8]
RATE_HZ = 30.0
#: Rest pose of a person whose head isn't quite straight in front of the camera.
AT_REST = Head((0.5, 0.4), 0.15, 1.5, -4.0, 0.03, 0.75)


@dataclass
class Sitter:
    rest: Head = AT_REST
    noise_deg: float = 0.3
    rate_hz: float = RATE_HZ
    time_s: float = 0.0
    index: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(1)

    def head(
        self, right_deg: float = 0.0, up_deg: float = 0.0, *, mouth: float = 0.03, smile: float = 1.0
    ) -> Head:
        """Return a head turned up and to the sitter's own right, which is the left of the picture."""
        return replace(
            self.rest,
            yaw_deg=self.rest.yaw_deg - right_deg + self.rng.gauss(0.0, self.noise_deg),
            pitch_deg=self.rest.pitch_deg + up_deg + self.rng.gauss(0.0, self.noise_deg),
            mouth=mouth,
            smile=self.rest.smile * smile,
        )

    def next_heads(self, *heads: Head) -> Heads:
        self.time_s += 1.0 / self.rate_hz
        self.index += 1
        return Heads(self.time_s, self.index, heads)


def load_astronaut() -> Image:
    """Return NASA's public-domain photograph of a face, 640x480 BGR; skip the test without scikit-image."""
    spec = importlib.util.find_spec("skimage")
    if spec is None or spec.origin is None:
        pytest.skip("scikit-image, whose package has a photograph of a face, isn't installed")
    photograph = cv2.imread(str(Path(spec.origin).parent / "data" / "astronaut.png"))
    picture = np.full((480, 640, 3), 90, np.uint8)
    picture[:, 80:560] = cv2.resize(photograph, (480, 480))
    return picture


def turn_face(
    picture: Image,
    points: Sequence[Sequence[float]],
    yaw_deg: float,
    pitch_deg: float = 0.0,
    jaw: float = 0.0,
) -> Image:
    """Rotate a face to the picture's right and up; ``points`` are its mesh (468, 3), in pixels.

    Each triangle of the mesh moves with its corners; triangles seen from behind are omitted. ``jaw``: opening of the
    mouth, which is filled with a dark colour, relative to the distance between the eyes' outer corners.
    """
    face = np.array(points, np.float64)
    middle = face[[33, 263, 127, 356]].mean(axis=0)
    yaw, pitch = math.radians(yaw_deg), math.radians(pitch_deg)
    about_y = np.array([[math.cos(yaw), 0, -math.sin(yaw)], [0, 1, 0], [math.sin(yaw), 0, math.cos(yaw)]])
    about_x = np.array(
        [[1, 0, 0], [0, math.cos(pitch), math.sin(pitch)], [0, -math.sin(pitch), math.cos(pitch)]]
    )
    moved = (face - middle) @ about_y.T @ about_x.T + middle
    eye_distance = float(np.linalg.norm(face[33, :2] - face[263, :2]))
    drawn = picture.copy()
    for corners in _list_triangles(face[:, :2], picture.shape):
        before, after = face[corners, :2].astype(np.float32), moved[corners, :2].astype(np.float32)
        if (
            np.cross(after[1] - after[0], after[2] - after[0])
            * np.cross(before[1] - before[0], before[2] - before[0])
            <= 0.0
        ):
            continue  # seen from behind
        warp = cv2.getAffineTransform(before, after)
        x, y, w, h = cv2.boundingRect(after)
        if x < 0 or y < 0 or w < 1 or h < 1:
            continue
        warp = warp - np.array([[0.0, 0.0, x], [0.0, 0.0, y]])
        patch = cv2.warpAffine(picture, warp, (w, h), borderMode=cv2.BORDER_REFLECT)
        mask = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(mask, np.round(after - (x, y)).astype(np.int32), (255,))
        part = drawn[y : y + h, x : x + w]
        part[mask[: part.shape[0], : part.shape[1]] > 0] = patch[: part.shape[0], : part.shape[1]][
            mask[: part.shape[0], : part.shape[1]] > 0
        ]
    if jaw > 0.0:
        left, right = moved[78, :2], moved[308, :2]
        centre = (left + right) / 2.0 + (0.0, jaw * eye_distance / 2.0)
        axes = (float(np.linalg.norm(right - left)) * 0.42, jaw * eye_distance * 0.6)
        cv2.ellipse(
            drawn,
            (centre.round().astype(int).tolist()),
            [round(v) for v in axes],
            0,
            0,
            360,
            (30, 20, 50),
            -1,
        )
    return drawn


def _list_triangles(points: npt.NDArray[np.float64], shape: tuple[int, ...]) -> list[list[int]]:
    subdivision = cv2.Subdiv2D((0, 0, shape[1], shape[0]))
    numbers = {}
    for number, (x, y) in enumerate(points):
        numbers[(round(float(np.float32(x)), 2), round(float(np.float32(y)), 2))] = number
        subdivision.insert((float(x), float(y)))
    triangles = []
    for triangle in subdivision.getTriangleList():
        corners = [
            numbers.get((round(float(x), 2), round(float(y), 2))) for x, y in np.array(triangle).reshape(3, 2)
        ]
        if None not in corners:
            triangles.append([corner for corner in corners if corner is not None])
    return triangles
