"""The look of the rendered webcam's picture: skin, cloth, light, noise and the background behind the table."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel, mat_from_quat, unit
from armoon.gl import ShaderProgram, begin_pass, bind_textures, make_target, make_texture, read_light
from armoon.values.poses import Pose, Vec3

SkinTone = Literal["light", "tan", "dark"]

#: Linear albedo of the back of the hand.
SKIN_ALBEDO: dict[SkinTone, Vec3] = {
    "light": (0.68, 0.42, 0.30),
    "tan": (0.47, 0.27, 0.175),
    "dark": (0.265, 0.148, 0.098),
}


#: Linear albedo of gold.
RING_ALBEDO: Vec3 = (0.78, 0.52, 0.19)


@dataclass(frozen=True)
class StageLook:
    """The picture's look, independent of the camera and the hands' poses."""

    skin: SkinTone = "light"
    cloth: Vec3 = (0.10, 0.135, 0.20)
    """Linear albedo of the sleeve."""
    varnish: Vec3 | None = None
    """Linear albedo of varnished nails; None: unvarnished."""
    ring: bool = False
    light_gain: float = 1.0
    """Exposure relative to that of a table well lit in the evening."""
    noise_sigma: float = 2.3
    """Sensor noise in grey levels; 2.3 gives the pinch-point jitter of a webcam (0.6 to 0.9 px)."""
    hand_scale: float = 1.0
    """Size of the hand relative to one of 0.187 m."""
    seed: int = 0
    """Seed of the sensor noise; the same seed gives the same frames."""


@dataclass(frozen=True)
class HandVariant:
    """The size, shape and look of one person's hand."""

    name: str
    scale: float
    stretch: Vec3
    look: StageLook

    def make_look(self, seed: int) -> StageLook:
        return replace(self.look, hand_scale=self.scale, seed=seed)


def _make_hand(name: str, scale: float, stretch: Vec3, **look: Any) -> HandVariant:
    return HandVariant(name, scale, stretch, StageLook(**look))


_WHITE, _BLACK, _GREY = (0.62, 0.62, 0.58), (0.02, 0.02, 0.022), (0.24, 0.24, 0.26)
_RED, _GREEN = (0.33, 0.045, 0.04), (0.07, 0.16, 0.08)
#: Eight hands that differ in size, stretch (length, breadth, thickness), skin, nails, sleeve, ring and light.
HANDS: tuple[HandVariant, ...] = (
    _make_hand("median", 1.0, (1.0, 1.0, 1.0), skin="tan"),
    _make_hand("child", 0.80, (0.96, 1.04, 1.05), skin="light", cloth=_RED),
    _make_hand(
        "slender", 0.97, (1.06, 0.92, 0.92), skin="light", varnish=(0.45, 0.02, 0.04), ring=True, cloth=_BLACK
    ),
    _make_hand("broad", 1.05, (0.95, 1.10, 1.10), skin="tan", cloth=_GREY, light_gain=0.8),
    _make_hand("large", 1.12, (1.0, 1.0, 1.0), skin="dark", cloth=_WHITE, light_gain=1.2),
    _make_hand("long", 1.06, (1.08, 0.98, 0.95), skin="dark", cloth=_GREEN, light_gain=0.7),
    _make_hand(
        "small", 0.89, (1.0, 0.97, 0.97), skin="dark", varnish=(0.62, 0.55, 0.52), ring=True, cloth=_RED
    ),
    _make_hand("stout", 0.93, (0.93, 1.08, 1.12), skin="light", cloth=_WHITE, light_gain=1.4),
)
HANDS_BY_NAME = {hand.name: hand for hand in HANDS}


#: Downward tilt below which a camera counts as facing the player instead of the table.
_LEVEL_RAD = math.radians(8.0)
#: Blur radius of the room, relative to the picture's width: slightly more than in a webcam focused on the hand.
_BLUR_RADIUS_PER_WIDTH = 0.0125


@dataclass(frozen=True)
class StageSetting:
    """Edges of the table, in metres, and direction of the light, in the table frame."""

    player_side: bool
    table_edges: tuple[float, float, float, float]
    """Left, right, near, far."""
    to_light: Vec3
    fill: float
    """Strength of the soft light from the camera's side, where the key light may leave shade."""


#: The table from the player's side, lit from beyond its left end; shadows fall towards the camera.
TABLE_SETTING = StageSetting(False, (-0.82, 0.82, -0.90, 0.52), (-0.52, 0.28, 0.80), 0.80)
#: The player behind the desk, lit by a screen and a window on the camera's side.
PLAYER_SETTING = StageSetting(True, (-0.82, 0.82, -0.90, -0.13), (-0.45, -0.60, 0.66), 0.15)


def choose_setting(table_from_camera: Pose) -> StageSetting:
    """Return ``PLAYER_SETTING`` for a level camera, else ``TABLE_SETTING``."""
    forward = mat_from_quat(table_from_camera.rotation)[:, 2]
    is_level = abs(math.asin(max(-1.0, min(1.0, float(forward[2]))))) < _LEVEL_RAD
    return PLAYER_SETTING if is_level else TABLE_SETTING


class StageBackground:
    """Two pictures of the background: with the key light, and without it, shown where a hand casts its shadow."""

    def __init__(
        self, camera: CameraModel, table_from_camera: Pose, setting: StageSetting, light_gain: float
    ) -> None:
        width, height = camera.width, camera.height
        blur = max(1, round(_BLUR_RADIUS_PER_WIDTH * width))
        uniforms: dict[str, Any] = {
            "intrinsics": (camera.fx, camera.fy, camera.cx, camera.cy),
            "table_from_camera": mat_from_quat(table_from_camera.rotation),
            "eye": table_from_camera.position,
            "margin": float(blur),
        }
        padded = (width + 2 * blur, height + 2 * blur)
        sharp = make_target(colour=make_texture(*padded, 4, half_floats=True))
        sharp.use()
        begin_pass()
        painter = ShaderProgram("stage_full.vert", "stage_room.frag")
        painter.set_all({**uniforms, "player_side": float(setting.player_side)})
        painter.draw_strip(3)
        room = make_texture(*padded, 4, _defocus(read_light(sharp), blur), half_floats=True)

        table = ShaderProgram("stage_full.vert", "stage_table.frag", samplers=("room",))
        table.set_all(
            {
                **uniforms,
                "size": (width, height),
                "table_edges": setting.table_edges,
                "to_light": unit(setting.to_light),
                "gain": light_gain,
                "props": float(not setting.player_side),
            }
        )
        self.with_key = make_target(colour=make_texture(width, height, 4))
        self.without_key = make_texture(width, height, 4)
        bind_textures(room)
        for destination, key in ((self.with_key, 1.0), (make_target(colour=self.without_key), 0.0)):
            destination.use()
            begin_pass()
            table.set("key", key)
            table.draw_strip(3)


def _defocus(light: npt.NDArray[np.float32], radius: int) -> npt.NDArray[np.float32]:
    """Blur linear light (h, w, 4) by a round aperture: bright points become discs, as in a lens."""
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    disc: Array = np.clip(radius + 0.5 - np.hypot(x, y), 0.0, 1.0)
    return np.asarray(
        cv2.filter2D(light, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE), dtype=np.float32
    )


Floats = npt.NDArray[np.float32]

HAND_FILE = Path(__file__).with_name("hand.npz")
#: Minimum corner of the box around the resting hand, hand frame, in metres; the box ends inside the sleeve.
BOX_LOW = np.array([-0.115, -0.085, -0.055])
#: Edge of a texel of the skin detail, in metres; creases are about 1 mm wide.
TEXEL_M = 0.0012


@dataclass(frozen=True, eq=False)
class HandMesh:
    """A right hand at rest, with its sleeve, for the vertex shader."""

    positions: Floats
    """(n, 3) in the hand frame."""
    normals: Floats
    """(n, 3), unit."""
    bones: Floats
    """(n, 4) bone numbers, the strongest first."""
    weights: Floats
    """(n, 4), each row sums to 1."""
    surface: Floats
    """(n, 2): exposure to ambient light, 0 to 1; material, 0 (skin) or 1 (cloth)."""
    triangles: npt.NDArray[np.uint32]
    """(m, 3), counter-clockwise seen from outside."""
    detail: npt.NDArray[np.uint8]
    """(nz, ny, nx, 4), the skin detail in the box: brightness (200 neutral), redness, palm side, nail."""


def load_hand() -> HandMesh:
    with np.load(HAND_FILE, allow_pickle=False) as arrays:
        return HandMesh(**{field.name: arrays[field.name] for field in fields(HandMesh)})
