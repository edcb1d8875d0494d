"""The static background: the wooden table and the blurred room behind it, drawn once per camera."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel, mat_from_quat, unit
from armoon.gl.context import begin_pass
from armoon.gl.memory import bind_textures, read_light, target, texture
from armoon.gl.program import Program
from armoon.values.poses import Pose, Vec3

#: A camera tilted less than this sees the player rather than the table.
_LEVEL_RAD = math.radians(8.0)
#: The room's blur disc over the picture's width: a webcam focused on the hand, exaggerated a little.
_BLUR_RADIUS_PER_WIDTH = 0.0125


@dataclass(frozen=True)
class Setting:
    """Where the table ends and where the light stands (table frame, metres)."""

    player_side: bool
    table_edges: tuple[float, float, float, float]
    """Left, right, near, far."""
    to_light: Vec3
    fill: float
    """Strength of the soft light from the camera's side, where the key light leaves that side in shade."""
    props: bool = False
    """Things left on the table."""


#: The table as the player sees it, lit from beyond its left side: shadows fall towards the camera.
TABLE_SETTING = Setting(False, (-0.82, 0.82, -0.90, 0.52), (-0.52, 0.28, 0.80), 0.80, props=True)
#: The player across the desk, lit by screen and window from the camera's side.
PLAYER_SETTING = Setting(True, (-0.82, 0.82, -0.90, -0.13), (-0.45, -0.60, 0.66), 0.15)


def setting_for(table_from_camera: Pose, player_view: bool | None) -> Setting:
    """Return the setting that was asked for, or else the one that fits the camera's tilt."""
    if player_view is None:
        forward = mat_from_quat(table_from_camera.rotation)[:, 2]
        player_view = abs(math.asin(max(-1.0, min(1.0, float(forward[2]))))) < _LEVEL_RAD
    return PLAYER_SETTING if player_view else TABLE_SETTING


class Background:
    """Two pictures: one with the key light, and one without it that shows in the hand's shadow."""

    def __init__(
        self, camera: CameraModel, table_from_camera: Pose, setting: Setting, light_gain: float
    ) -> None:
        """Draws both pictures; they stay as they are."""
        width, height = camera.width, camera.height
        blur = max(1, round(_BLUR_RADIUS_PER_WIDTH * width))
        seen: dict[str, Any] = {
            "intrinsics": (camera.fx, camera.fy, camera.cx, camera.cy),
            "table_from_camera": mat_from_quat(table_from_camera.rotation),
            "eye": table_from_camera.position,
            "margin": float(blur),
        }
        wide, high = width + 2 * blur, height + 2 * blur
        sharp = target(colour=texture(wide, high, 4, half_floats=True))
        sharp.use()
        begin_pass()
        painter = Program("stage_full.vert", "stage_room.frag")
        painter.set_all({**seen, "player_side": float(setting.player_side)})
        painter.draw_corners(3)
        room = texture(wide, high, 4, _out_of_focus(read_light(sharp), blur), half_floats=True)

        table = Program("stage_full.vert", "stage_table.frag", samplers=("room",))
        table.set_all(
            {
                **seen,
                "size": (width, height),
                "table_edges": setting.table_edges,
                "to_light": unit(setting.to_light),
                "gain": light_gain,
                "props": float(setting.props),
            }
        )
        self.with_key = target(colour=texture(width, height, 4))
        self.without_key = texture(width, height, 4)
        bind_textures(room)
        for into, key in ((self.with_key, 1.0), (target(colour=self.without_key), 0.0)):
            into.use()
            begin_pass()
            table.set("key", key)
            table.draw_corners(3)


def _out_of_focus(light: npt.NDArray[np.float32], radius: int) -> npt.NDArray[np.float32]:
    """Linear light (h, w, 4) through a round aperture: bright points become discs, as in a lens."""
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    disc: Array = np.clip(radius + 0.5 - np.hypot(x, y), 0.0, 1.0)
    return np.asarray(
        cv2.filter2D(light, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE), dtype=np.float32
    )
