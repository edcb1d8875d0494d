"""Scenery for tables without a camera, and the other packaged pictures.

Scenery is two pictures: the ground around the game as seen from above, and what is behind it by direction. Neither
depends on where the table is seen from.
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
#: Elevations of the picture around the table, radians; its azimuths go from left over front to right, repeated behind.
ELEVATIONS = (-0.35, 0.65)
#: The moon's disc takes this part of its picture, the rest is glow; and its smaller copies.
MOON_DISC, MOON_LEVELS = 0.44, 5
#: The moon behind the tower: it lights crests and rails from behind, and the clouds send little back.
MOON: Light = Light(
    towards=vec3(unit((-0.40, 0.42, 0.81))),
    key=(1.95, 1.80, 1.50),
    sky=(0.50, 0.56, 0.76),
    bounce=(0.22, 0.24, 0.36),
    evening=0.50,
    rim=0.55,
)


@dataclass(frozen=True, eq=False)
class Scenery:
    """The surroundings of a game, as pictures."""

    ground: npt.NDArray[np.uint8]
    """Display colours and opacity (h, w, 4), RGBA; its first row is the nearest."""
    area: tuple[float, float, float, float]
    """Area of the ground: left and near edge, width and depth, metres in the table frame."""
    around: npt.NDArray[np.uint8]
    """Display colours (h, w, 3), BGR, by direction, see ELEVATIONS; low ones first."""
    light: Light
    sheen: float = 0.0
    """Reflection of the background in the ground, 0 to 1."""
    prop: npt.NDArray[np.uint8] | None = None
    """An upright thing turned to every eye: colours and opacity (h, w, 4), RGBA, lowest row first."""
    prop_at: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Its x and y, its picture's width, and that one's part below the table, metres."""


def load_picture(path: Path) -> npt.NDArray[np.uint8]:
    """Return a packaged PNG (h, w, 3 or 4) as ``gl.texture`` takes it, its lowest row first."""
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)[::-1]
    return np.asarray(picture if picture.shape[2] == 3 else cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA))


@lru_cache(maxsize=1)
def room() -> Scenery:
    """Return a wooden table in a room in the evening, with a pool of lamplight where the game stands."""
    ground, walls, mug = (load_picture(_PICTURES / name) for name in ("room.png", "walls.png", "mug.png"))
    return Scenery(ground, (-0.86, -0.62, 1.72, 1.14), walls, LAMP, 0.55, mug, (-0.255, 0.150, 0.150, 0.022))


@lru_cache(maxsize=1)
def clouds() -> Scenery:
    """Return a bank of clouds high in the night's sky; moonlight lies warm on it where the game stands."""
    ground, sky = (load_picture(_PICTURES / name) for name in ("clouds.png", "sky.png"))
    return Scenery(ground, (-1.5, -0.7, 3.0, 2.0), sky, MOON)


def moon_picture() -> npt.NDArray[np.uint8]:
    """Return the moon (768, 768, 4) with its glow, as large as the title shows it in a window 1920x1080."""
    return load_picture(_PICTURES / "moon.png")


def mark_picture() -> npt.NDArray[np.uint8]:
    """Return the window's icon, a crescent on the night's disc (64, 64, 4)."""
    return load_picture(_PICTURES / "mark.png")


def wood_texture() -> npt.NDArray[np.uint8]:
    """Return year rings in channel 0 and fibres in channel 1 (256, 256, 2), repeating; the grain runs along x."""
    return load_picture(_PICTURES / "wood.png")[..., :2]


#: Smaller copies of a scenery's pictures, which soften distant ground.
_LEVELS = 6


class Surroundings:
    """Scenery on the graphics card, and its last picture."""

    def __init__(self, scenery: Scenery) -> None:
        """Needs a current context, whose View block tells where it is seen from."""
        self.scenery = scenery
        self._program = gl.ShaderProgram("page.vert", "scenery.frag", samplers=("ground", "around", "prop"))
        left, near, wide, deep = scenery.area
        low, high = ELEVATIONS
        self._program.set("area", left, near, 1.0 / wide, 1.0 / deep)
        self._program.set("elevations", low, 1.0 / (high - low))
        self._program.set("sheen", scenery.sheen)
        self._program.set("prop_at", *scenery.prop_at)
        self._ground, self._around = _sent(scenery.ground), _sent(scenery.around)
        self._prop = None if scenery.prop is None else _sent(scenery.prop)
        self._around.repeat_x = True
        self._whole = gl.whole_picture()
        self._target: gl.Target | None = None
        self._shown: object = None
        self.small()  # drivers compile for good only when it is drawn

    def draw(self, into: gl.Target, size: tuple[int, int], seen: object) -> bool:
        """Draw into the lower left part (width, height) of a target; return whether the key ``seen`` is new."""
        if self._target is None or self._target.size != size:
            picture = gl.texture(*size, 4)
            # In a window's order of bytes and upside down, as windows are: a copy takes a fiftieth of the time.
            gl.write_bgra(picture, np.zeros((size[1], size[0], 4), np.uint8))
            self._target, self._shown = gl.target(colour=picture), None
        anew = seen != self._shown
        if anew:
            self._shown = seen
            self._paint(self._target)
        gl.copy_colour(self._target, into, upside_down=True)
        return anew

    def small(self) -> npt.NDArray[np.uint8]:
        before, into = gl.open_target(), gl.target(colour=gl.texture(SMALL_WIDTH, SMALL_HEIGHT, 4))
        self._paint(into)
        found = gl.read_bgr(SMALL_WIDTH, SMALL_HEIGHT, upright=True)
        before.use()
        return found

    def _paint(self, into: gl.Target) -> None:
        into.use()
        gl.begin_pass()
        gl.bind_textures(self._ground, self._around, self._prop)
        self._whole.draw(self._program)


def _sent(picture: npt.NDArray[np.uint8]) -> gl.Texture:
    height, width, channels = picture.shape
    return gl.texture(width, height, channels, picture, mipmaps=_LEVELS)
