"""Scenery for tables without a camera, and other packaged pictures.

Scenery consists of two pictures that don't depend on the viewpoint: the ground from above, and the background by
direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from armoon import gl
from armoon.geometry import unit, vec3
from armoon.view.scene.light import LAMP, SMALL_HEIGHT, SMALL_WIDTH, Light

_PICTURES = Path(__file__).with_name("pictures")
#: Lowest and highest elevation of the background, in radians; its azimuths run from left to right and wrap around.
ELEVATIONS = (-0.35, 0.65)
#: Radius of the moon's disc relative to half its picture (the rest is glow), and number of mipmap levels.
MOON_DISC, MOON_LEVELS = 0.44, 5
#: Moonlight from behind the tower, which lights the edges of clouds and rails; the clouds reflect little light.
MOON: Light = Light(
    towards=vec3(unit((-0.40, 0.42, 0.81))),
    key=(1.95, 1.80, 1.50),
    sky=(0.50, 0.56, 0.76),
    bounce=(0.22, 0.24, 0.36),
    grade=0.50,
    rim=0.55,
)


@dataclass(frozen=True, eq=False)
class Scenery:
    """A game's surroundings, as pictures and their light."""

    ground: npt.NDArray[np.uint8]
    """Display colours and opacity (h, w, 4), RGBA, nearest row first."""
    area: tuple[float, float, float, float]
    """Area of the ground: left and near edge, width and depth, metres in the table frame."""
    around: npt.NDArray[np.uint8]
    """Display colours (h, w, 3), BGR, by direction (ELEVATIONS), lowest row first."""
    light: Light
    sheen: float = 0.0
    """Reflection of the background in the ground, 0 to 1."""
    prop: npt.NDArray[np.uint8] | None = None
    """An upright object that always faces the viewer (h, w, 4), RGBA, lowest row first."""
    prop_at: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The prop's x and y, the width of its picture, and the height of the part below the table, in metres."""


def load_picture(path: Path) -> npt.NDArray[np.uint8]:
    """Return a packaged PNG (h, w, 3 or 4) for ``gl.texture``, lowest row first."""
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)[::-1]
    return np.asarray(picture if picture.shape[2] == 3 else cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA))


@lru_cache(maxsize=1)
def load_room_scenery() -> Scenery:
    """Return a wooden table in a room at night, with lamplight around the game."""
    ground, walls, mug = (load_picture(_PICTURES / name) for name in ("room.png", "walls.png", "mug.png"))
    return Scenery(ground, (-0.86, -0.62, 1.72, 1.14), walls, LAMP, 0.55, mug, (-0.255, 0.150, 0.150, 0.022))


@lru_cache(maxsize=1)
def load_cloud_scenery() -> Scenery:
    """Return clouds high in the night sky, with warm moonlight around the game."""
    ground, sky = (load_picture(_PICTURES / name) for name in ("clouds.png", "sky.png"))
    return Scenery(ground, (-1.5, -0.7, 3.0, 2.0), sky, MOON)


@lru_cache(maxsize=1)
def load_moon_picture() -> npt.NDArray[np.uint8]:
    """Return the moon with its glow (768, 768, 4), as large as in the title at 1920x1080."""
    return load_picture(_PICTURES / "moon.png")


def load_mark_picture() -> npt.NDArray[np.uint8]:
    """Return the window's icon (64, 64, 4): a crescent on a dark disc."""
    return load_picture(_PICTURES / "mark.png")


def load_wood_texture() -> npt.NDArray[np.uint8]:
    """Return a repeating wood texture (256, 256, 2): year rings and fibres, with the grain along x."""
    return load_picture(_PICTURES / "wood.png")[..., :2]


#: Number of mipmap levels that soften distant ground.
_MIPMAP_LEVELS = 6


class Surroundings:
    """Scenery on the GPU, and its last picture as a cache."""

    def __init__(self, scenery: Scenery) -> None:
        """Upload the pictures. Needs a current context; drawing takes the viewpoint from the View block."""
        self.scenery = scenery
        self._program = gl.ShaderProgram("page.vert", "scenery.frag", samplers=("ground", "around", "prop"))
        left, near, width, depth = scenery.area
        low, high = ELEVATIONS
        self._program.set("area", left, near, 1.0 / width, 1.0 / depth)
        self._program.set("elevations", low, 1.0 / (high - low))
        self._program.set("sheen", scenery.sheen)
        self._program.set("prop_at", *scenery.prop_at)
        self._ground, self._around = _upload_picture(scenery.ground), _upload_picture(scenery.around)
        self._prop = None if scenery.prop is None else _upload_picture(scenery.prop)
        self._around.repeat_x = True
        self._full_quad = gl.make_full_quad()
        self._target: gl.Target | None = None
        self._drawn_key: object = None
        self.read_small()  # drivers finish compiling at the first draw

    def draw_surroundings(self, into: gl.Target, size: tuple[int, int], view_key: object) -> bool:
        """Draw into the lower left part (width, height) of a target; return whether the cache key has changed."""
        if self._target is None or self._target.size != size:
            picture = gl.make_texture(*size, 4)
            # Keep the target upside down and in the window's byte order, because that makes copying 50 times as fast.
            gl.write_bgra(picture, np.zeros((size[1], size[0], 4), np.uint8))
            self._target, self._drawn_key = gl.make_target(colour=picture), None
        is_new = view_key != self._drawn_key
        if is_new:
            self._drawn_key = view_key
            self._paint(self._target)
        gl.copy_colour(self._target, into, upside_down=True)
        return is_new

    def read_small(self) -> npt.NDArray[np.uint8]:
        before = gl.get_bound_target()
        into = gl.make_target(colour=gl.make_texture(SMALL_WIDTH, SMALL_HEIGHT, 4))
        self._paint(into)
        picture = gl.read_bgr(SMALL_WIDTH, SMALL_HEIGHT, bottom_first=True)
        before.use()
        return picture

    def _paint(self, into: gl.Target) -> None:
        into.use()
        gl.begin_pass()
        gl.bind_textures(self._ground, self._around, self._prop)
        self._full_quad.draw(self._program)


def _upload_picture(picture: npt.NDArray[np.uint8]) -> gl.Texture:
    height, width, channels = picture.shape
    return gl.make_texture(width, height, channels, picture, mipmaps=_MIPMAP_LEVELS)
