"""The stage of the book of figures: the open page's structure, slowly rotating in a warm light."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from armoon import geometry
from armoon.app.waiting import title_scene
from armoon.camera.profiles import CameraSeat
from armoon.games.contract import PictureBookPage, RenderSetup, find_picture_book_kind
from armoon.sinks.sink import Picture
from armoon.values.page import TALL_ASPECT
from armoon.values.pieces import LadderSet
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.values.scene import Scene

#: Seconds for a full rotation; interval of eighths of it with reduced motion.
TURN_S, STEP_S = 36.0, 6.0
#: Angle of the camera's view below the horizontal, in radians.
_DOWN = math.radians(17.0)
#: Radius of the base, margin around the structure, and limits of the camera's distance, in metres.
_BASE_M, _ROOM_M, _NEAREST_M, _FARTHEST_M = 0.095, 0.006, 0.22, 1.2
#: Free part of the picture's height between text and buttons; on a tall page these are above and below the picture.
_FREE = {False: (0.25, 0.85), True: (0.05, 0.95)}
#: Colours of the stage (BGR): cloth in the light, cloth beyond it, background, and the lamp's glow on it.
_CLOTH, _DARK, _NIGHT, _LAMP = (132, 96, 104), (52, 32, 28), (50, 30, 22), (58, 62, 78)
#: Radius of the light on the cloth, in metres.
_POOL_M = 0.30


class BookStage:
    """State of the stage for the open page."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._leaf: PictureBookPage | None = None
        self._eye = IDENTITY_POSE
        self.image: Picture = np.zeros((1, 1, 3), np.uint8)

    @property
    def ladders(self) -> LadderSet:
        assert self._leaf is not None
        return self._leaf.ladders

    @property
    def is_open(self) -> bool:
        return self._number is not None

    def close(self) -> None:
        self._number = None

    def open_page(self, number: int, seat: CameraSeat, *, tall: bool) -> RenderSetup | None:
        """Open a page; return its view for the renderer, or None if it is already open."""
        if self._number == number:
            return None
        self._number = number
        self._leaf = find_picture_book_kind().build_picture_book_page(number)
        places = [
            geometry.pose_apply(piece.pose, corner)
            for piece in self._leaf.pieces
            for rail in self._leaf.ladders[piece.piece].rails
            for corner in rail
        ]
        places += [(_BASE_M, 0.0, 0.0)]
        self._eye = _camera_pose(seat.camera, places, tall=tall)
        self.image = _stage_picture(seat.camera, self._eye)
        ladders, base = self._leaf.ladders, self._leaf.base
        return RenderSetup(
            seat.camera, seat.table_from_camera, mirrored=False, ladders=ladders, base=base, lid=False
        )

    def scene(self, now_s: float, *, calm: bool) -> Scene:
        turns = math.floor(now_s / STEP_S) / 8.0 if calm else now_s / TURN_S
        home = Pose((0.0, 0.0, 0.0), geometry.quat_from_axis_angle((0.0, 0.0, 1.0), math.tau * (turns % 1.0)))
        leaf = self._leaf
        assert leaf is not None
        return replace(
            title_scene(now_s),
            pieces=tuple(
                replace(piece, pose=geometry.pose_compose(home, piece.pose)) for piece in leaf.pieces
            ),
            contact_points=tuple(geometry.pose_apply(home, contact) for contact in leaf.contacts),
            home_from_table=home,
            seen_from=self._eye,
        )


def _camera_pose(camera: geometry.CameraModel, places: Sequence[Vec3], *, tall: bool) -> Pose:
    """Return the nearest camera pose with all places in the free part at any rotation about the vertical."""
    around = [(math.hypot(x, y) + _ROOM_M, z) for x, y, z in places]
    turned = [
        (r * math.cos(angle), r * math.sin(angle), z)
        for r, z in around
        for angle in (0.0, math.pi / 2.0, math.pi, -math.pi / 2.0)
    ]
    upper, lower = (part * camera.height for part in _FREE[tall])
    wide = 0.9 * min(camera.width, TALL_ASPECT * camera.height if tall else camera.width)
    height = max(z for _, z in around) / 2.0
    pose = IDENTITY_POSE
    for away in np.linspace(_NEAREST_M, _FARTHEST_M, 60):
        for _ in range(4):
            eye = (0.0, -away * math.cos(_DOWN), height + away * math.sin(_DOWN))
            pose = geometry.pose_looking_at(eye, (0.0, 0.0, height))
            pixels = geometry.project_table_points(camera, pose, turned)
            high, low = float(pixels[:, 1].min()), float(pixels[:, 1].max())
            height += ((upper + lower) / 2.0 - (high + low) / 2.0) * away / camera.fy
        if low - high <= lower - upper and np.ptp(pixels[:, 0]) <= wide:
            break
    return pose


@lru_cache(maxsize=2)
def _stage_picture(camera: geometry.CameraModel, eye: Pose) -> Picture:
    """Return a picture of a dark cloth with a pool of light, and a dark background."""
    x = (np.arange(camera.width) - camera.cx) / camera.fx
    y = (np.arange(camera.height) - camera.cy) / camera.fy
    rays = np.stack([*np.meshgrid(x, y), np.ones((camera.height, camera.width))], axis=-1)
    ways = rays @ geometry.mat_from_pose(eye)[:3, :3].T
    down = np.minimum(ways[..., 2], -1e-3)
    spots = np.array(eye.position)[:2] - ways[..., :2] * (eye.position[2] / down)[..., None]
    away = np.linalg.norm(spots, axis=-1)
    lit = np.exp(-((away / _POOL_M) ** 2))[..., None]
    cloth = np.array(_DARK) + (np.array(_CLOTH) - np.array(_DARK)) * lit
    # Far away the cloth is dark; behind the structure is the lamp's glow.
    far = np.clip((away - 0.45) / 0.55, 0.0, 1.0)[..., None]
    seen = cloth + (np.array(_NIGHT) - cloth) * far * far * (3.0 - 2.0 * far)
    beside = (rays[..., 0] / 0.42) ** 2 + ((rays[..., 1] + 0.06) / 0.30) ** 2
    seen = seen + np.array(_LAMP) * 0.7 * np.exp(-beside)[..., None]
    grain = np.random.default_rng(4).normal(0.0, 1.2, seen.shape[:2])[..., None]
    return np.asarray(np.clip(seen + grain, 0.0, 255.0), dtype=np.uint8)
