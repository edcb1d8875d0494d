"""Scenery for who has no camera: a table in a room, or a sea of clouds at night, painted by the program at the start.

Scenery is two pictures: the ground around the game as seen from above, and what is behind it by direction. Neither
hangs on where the table is seen from, see surroundings.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon import gl
from armoon.geometry import Array, unit, vec3
from armoon.values.poses import Vec3
from armoon.view.scene.light import LAMP, SMALL_HEIGHT, SMALL_WIDTH, Light

Grid = npt.NDArray[np.float32]
#: What is behind the table goes from the left over the front to the right, and once more behind; it has elevations from
#: the first to the second, radians.
ELEVATIONS = (-0.35, 0.65)
#: Where things are placed in the room: as seen from the seat at the table, height above it and distance to the wall.
_EYE_Y_M, _EYE_Z_M, _FAR_M, _NEAR_M, _SIDE_M = -0.60, 0.60, 3.1, -3.1, 2.7
#: Where the mug stands, and half of its picture's width.
_MUG, _MUG_HALF_M = (-0.255, 0.150), 0.075
#: Boards of the table: width, length, metres.
_BOARD_M = (0.094, 0.66)

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
    """Display colours and how much of what is behind it hides (h, w, 4), RGBA; its first row is the nearest."""
    area: tuple[float, float, float, float]
    """Area of the ground: left and near edge, width and depth, metres in the table frame."""
    around: npt.NDArray[np.uint8]
    """Display colours (h, w, 3), RGB, by direction: azimuths from left over front to right, which is
    repeated behind; low elevations first."""
    light: Light
    sheen: float = 0.0
    """How much the ground mirrors of what is behind it."""
    prop: npt.NDArray[np.uint8] | None = None
    """A thing that stands there upright, turned to every eye: colours and cover (h, w, 4), RGBA, lowest row first."""
    prop_at: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Where: x and y, its picture's width, and how far that reaches below the table, metres."""


@lru_cache(maxsize=1)
def room() -> Scenery:
    """Return a wooden table in a room in the evening, with a pool of lamplight where the game stands."""
    area = (-0.86, -0.62, 1.72, 1.14)
    x, y = ground_grid(area, 1536, 1024)
    colour = _boards(x, y)
    away = np.hypot(x + 0.02, (y - 0.02) * 1.1)
    pool = 0.30 + 1.05 * np.exp(-((away / 0.40) ** 2))
    warm = np.array([1.00, 0.90, 0.76], np.float32) * 2.0
    dim = np.array([0.62, 0.70, 0.84], np.float32) * 0.42
    # The mug stands in the lamp's light, and keeps the room's from its foot.
    along = np.clip(((x - _MUG[0]) * 0.65 - (y - _MUG[1]) * 0.35) / 0.55, 0.0, 0.075)
    shade = np.hypot(x - _MUG[0] - along * 0.88, y - _MUG[1] + along * 0.47) - 0.041
    pool *= 1.0 - 0.72 * smooth(0.5 - shade / (0.012 + 0.25 * along))
    foot = 1.0 - 0.5 * np.exp(-np.maximum(np.hypot(x - _MUG[0], y - _MUG[1]) - 0.041, 0.0) / 0.012)
    shown = displayed(0.84 * colour * (pool[..., None] * warm + dim * foot[..., None]))
    return Scenery(opaque(shown), area, _walls(), LAMP, 0.55, _mug(), (*_MUG, 2.0 * _MUG_HALF_M, 0.022))


@lru_cache(maxsize=1)
def clouds() -> Scenery:
    """Return a bank of clouds high in the night's sky; moonlight lies warm on it where the game stands."""
    area = (-1.5, -0.7, 3.0, 2.0)
    x, y = ground_grid(area, 1024, 768)
    soft = mist(x.shape, 3)
    low, high = np.array([0.150, 0.170, 0.390]), np.array([0.440, 0.475, 0.745])
    shown = low + (high - low) * soft[..., None]
    pool = np.exp(-((np.hypot(x, y) / 0.34) ** 2))[..., None]
    shown = shown * (1.0 + 0.15 * pool) + pool * np.array([0.10, 0.065, 0.0])
    picture = opaque(shown)
    picture[..., 3] = np.round(255.0 * smooth((0.62 + 0.40 * mist(x.shape, 9) - y) / 0.24))
    return Scenery(picture, area, night_sky((0.250, 0.255, 0.480), (0.370, 0.390, 0.640)), MOON)


def ground_grid(area: tuple[float, float, float, float], width: int, height: int) -> tuple[Grid, Grid]:
    """Return the places of a ground's pixels, metres (height, width), the nearest row first."""
    left, near, wide, deep = area
    across = left + (np.arange(width, dtype=np.float32) + 0.5) * np.float32(wide / width)
    away = near + (np.arange(height, dtype=np.float32) + 0.5) * np.float32(deep / height)
    x, y = np.meshgrid(across, away)
    return x, y


def opaque(colour: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return display colours (h, w, 3), 0 to 1, as a picture (h, w, 4) that hides all behind it."""
    shown = np.round(255.0 * np.clip(colour, 0.0, 1.0)).astype(np.uint8)
    return np.dstack([shown, np.full(shown.shape[:2], 255, np.uint8)])


def displayed(light: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return linear light as a camera would show it: bright things give way, 0 to 1."""
    light = np.maximum(light, 0.0) * 1.12
    return np.asarray((light / (1.0 + 0.28 * light)) ** (1.0 / 2.2), np.float32)


def noise(shape: tuple[int, ...], cells: tuple[int, int], seed: int) -> Grid:
    """Return smooth noise (rows, columns), 0 to 1, from ``cells`` down and across."""
    lattice = np.random.default_rng(seed).random(cells, dtype=np.float32)
    return np.asarray(cv2.resize(lattice, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def mist(shape: tuple[int, ...], seed: int) -> Grid:
    """Return soft clouds (rows, columns), 0 to 1, wider than deep: noise that bends itself."""
    bent = noise(shape, (9, 7), seed)
    total = np.zeros(shape, np.float32)
    rows, columns = np.indices(shape, np.float32)
    for octave, weight in enumerate((0.50, 0.27, 0.15, 0.08)):
        cells = (11 * 2**octave, 9 * 2**octave)
        total += weight * noise(shape, cells, seed + 1 + octave)
    by = np.float32(0.09 * shape[0])
    wound = cv2.remap(
        total,
        columns + 1.6 * by * (bent - 0.5),
        rows + by * (bent - 0.5),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return smooth((np.asarray(wound, np.float32) - 0.30) / 0.42)


def smooth(part: Grid) -> Grid:
    """Return an eased step: 0 below 0, 1 above 1."""
    part = np.clip(part, 0.0, 1.0)
    return np.asarray(part * part * (3.0 - 2.0 * part), np.float32)


def _boards(x: Grid, y: Grid) -> Grid:
    """Return the linear colours of oak boards: year rings that wander, fibres, and gaps between them."""
    shape, (wide, long) = x.shape, _BOARD_M
    luck = np.random.default_rng(11).random((32, 32, 2), dtype=np.float32)
    row = np.floor(y / wide)
    across = y / wide - row - 0.5
    shifted = x + row * 0.387
    column = np.floor(shifted / long)
    along = shifted / long - column - 0.5
    board, second = np.moveaxis(luck[row.astype(np.intp) & 31, column.astype(np.intp) & 31], -1, 0)
    wander = 0.030 * (noise(shape, (16, 10), 1) - 0.5) + 0.008 * (noise(shape, (60, 24), 2) - 0.5)
    offset = across * wide + (board - 0.5) * 0.07 + wander
    ring = np.hypot(offset, 0.016 + 0.03 * second + 0.02 * noise(shape, (14, 6), 3)) * 250.0
    fibre = noise(shape, (shape[0] // 2, 60), 4)
    ring = (ring + 0.9 * noise(shape, (shape[0] // 4, 16), 5) + 0.25 * fibre) % 1.0
    late = np.clip(ring / 0.75, 0.0, 1.0) ** 1.5 * (1.0 - np.clip((ring - 0.84) / 0.16, 0.0, 1.0))
    light, dark = np.array([0.262, 0.140, 0.070], np.float32), np.array([0.118, 0.056, 0.027], np.float32)
    colour = light + (dark - light) * (0.72 * late)[..., None]
    shade = (0.82 + 0.36 * fibre) * (0.84 + 0.32 * second) * (0.92 + 0.16 * noise(shape, (9, 6), 6))
    gap_m = np.minimum((0.5 - np.abs(along)) * long, (0.5 - np.abs(across)) * wide)
    shade *= (0.25 + 0.75 * np.clip(gap_m / 0.0016, 0.0, 1.0)) * (
        0.86 + 0.14 * np.clip(gap_m / 0.006, 0.0, 1.0)
    )
    warmer = np.array([0.0, -0.05, -0.09], np.float32) * board[..., None] + 1.0
    return np.asarray(colour * shade[..., None] * warmer, np.float32)


def _mug() -> npt.NDArray[np.uint8]:
    """Return a mug of coffee as it is seen from a little above: white, with a blue band."""
    size = 256
    x, z = ground_grid((-_MUG_HALF_M, -0.022, 2.0 * _MUG_HALF_M, 2.0 * _MUG_HALF_M), size, size)
    radius, top, flat, soft = 0.041, 0.088, 0.30, 0.0009

    def disc(high: float, wide: float) -> Grid:
        return smooth(0.5 + (wide - np.hypot(x, (z - high) / flat)) / soft)

    round_it = np.clip(x / radius, -1.0, 1.0)
    front = -flat * np.sqrt(np.clip(radius**2 - x * x, 0.0, None))
    body = smooth(0.5 + (radius - np.abs(x)) / soft) * smooth(0.5 + (z - front) / soft) * (z < top)
    handle = np.abs(np.hypot(x - radius - 0.004, z - 0.040) - 0.022) - 0.0052
    handle = smooth(0.5 - handle / soft)
    lit = 0.30 + 0.52 * np.clip(0.25 - 0.85 * round_it, 0.0, 1.0) + 0.10 * np.sqrt(1.0 - round_it**2)
    band = smooth(0.5 + (0.0045 - np.abs(z - front - 0.022)) / soft)[..., None]
    white, blue = np.array([0.80, 0.77, 0.71]), np.array([0.10, 0.15, 0.34])
    shown = np.broadcast_to(white * 0.42, (size, size, 3))
    for cover, colour in (
        (body, (white + (blue - white) * band) * lit[..., None]),
        (disc(top, radius), white * 0.95),
        (disc(top, radius - 0.0032), white * (0.22 + 0.22 * smooth(0.5 + x / 0.08))[..., None]),
        (disc(top - 0.006, radius - 0.0055) * disc(top, radius - 0.0032), np.array([0.045, 0.022, 0.012])),
    ):
        shown = shown + cover[..., None] * (colour - shown)
    picture = opaque(displayed(shown))
    picture[..., 3] = np.round(255.0 * np.maximum(np.maximum(body, handle), disc(top, radius)))
    return picture


def directions(width: int, height: int) -> tuple[Grid, Grid]:
    """Return azimuth and elevation of each pixel of what is around (rows, columns), radians."""
    azimuth = ((np.arange(width, dtype=np.float32) + 0.5) / width - 0.5) * np.float32(math.pi)
    low, high = ELEVATIONS
    elevation = low + (np.arange(height, dtype=np.float32) + 0.5) / height * np.float32(high - low)
    a, e = np.meshgrid(azimuth, elevation)
    return a, e


def _walls() -> npt.NDArray[np.uint8]:
    """Return the room, out of focus: window, lamp, books, a cupboard and small lights on the wall across the table."""
    azimuth, elevation = directions(1024, 320)
    to_x, to_y = np.sin(azimuth), np.cos(azimuth)
    reach_x = _SIDE_M / np.maximum(np.abs(to_x), 1e-3)
    reach_y = np.where(to_y > 0.0, _FAR_M - _EYE_Y_M, _EYE_Y_M - _NEAR_M) / np.maximum(np.abs(to_y), 1e-3)
    reach = np.minimum(reach_x, reach_y)
    x, z = to_x * reach, _EYE_Z_M + np.tan(elevation) * reach
    far = (reach_y < reach_x) & (to_y > 0.0)
    light = np.empty((*x.shape, 3), np.float32)
    upper = np.clip((z + 0.6) / 1.8, 0.0, 1.0)[..., None]
    light[:] = np.array([0.046, 0.038, 0.040]) + upper * np.array([0.022, 0.024, 0.036])

    def glow(at_x: float, at_z: float, radius_m: float) -> Grid:
        away = ((x - at_x) ** 2 + (z - at_z) ** 2) / radius_m**2
        return np.asarray(far / (1.0 + away), np.float32)

    def paint(
        left: float, low: float, right: float, top: float, colour: object, where: object = True
    ) -> None:
        inside = far & (x > left) & (x < right) & (z > low) & (z < top) & np.asarray(where)
        light[inside] = np.broadcast_to(np.asarray(colour, np.float32), light.shape)[inside]

    light += glow(0.62, 0.25, 0.55)[..., None] * np.array([0.30, 0.17, 0.07])
    light += glow(-1.55, 0.5, 0.9)[..., None] * np.array([0.05, 0.07, 0.12])
    dusk = np.clip((z + 0.25) / 1.1, 0.0, 1.0)[..., None]
    paint(-2.24, -0.31, -0.89, 1.64, (0.11, 0.10, 0.10))
    paint(-2.15, -0.22, -0.98, 1.55, np.array([0.46, 0.27, 0.23]) + dusk * np.array([-0.33, -0.08, 0.13]))
    paint(-1.60, -0.30, -1.53, 1.60, (0.09, 0.08, 0.08))
    paint(-2.20, 0.42, -0.90, 0.47, (0.09, 0.08, 0.08))
    shelf, luck = np.floor((z + 0.74) / 0.34), np.random.default_rng(3).random((8, 64, 3))
    spine = luck[shelf.astype(np.intp) & 7, np.floor(x / 0.055).astype(np.intp) & 63]
    book = (
        np.array([0.105, 0.050, 0.034])
        + spine[..., :1] * np.array([-0.04, 0.03, 0.06])
        + spine[..., 1:2] * 0.03
    )
    filled = (z + 0.74) / 0.34 - shelf < 0.60 + 0.28 * spine[..., 2]
    paint(1.22, -0.74, 2.36, 1.30, (0.033, 0.022, 0.016))
    paint(1.26, -0.74, 2.32, 1.26, book, filled)
    boards = 0.8 + 0.5 * (np.abs((x / 0.41) % 1.0 - 0.5) > 0.05)[..., None]
    paint(-0.62, -0.74, 1.02, -0.16, np.array([0.085, 0.050, 0.030]) * boards)
    shade = np.abs(x - 0.62) < 0.17 - 0.07 * np.clip((z - 0.02) / 0.26, 0.0, 1.0)
    paint(0.40, 0.02, 0.90, 0.30, (1.25, 0.74, 0.34), shade)
    paint(0.60, -0.16, 0.64, 0.02, (0.03, 0.03, 0.03))
    for k, (along, high, size, hue) in enumerate(np.random.default_rng(8).random((15, 4))):
        part = (k + 0.5) / 15.0
        at = (
            -0.85 + 1.95 * part + 0.10 * (along - 0.5),
            0.54 + 0.16 * (2.0 * part - 1.0) ** 2 + 0.12 * (high - 0.5),
        )
        spot = np.hypot(x - at[0], z - at[1]) < 0.012 + 0.005 * size
        light[far & spot] = (12.0 + 14.0 * hue) * np.array([1.0, 0.56 + 0.22 * size, 0.20 + 0.24 * size])
    # As a lens shows what is behind its focus: bright points become discs.
    radius = 5
    v, u = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    disc = np.clip(radius + 0.5 - np.hypot(u, v), 0.0, 1.0)
    light = np.asarray(cv2.filter2D(light, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE))
    return opaque(displayed(light))[..., :3].copy()


def night_sky(far: Vec3, near: Vec3) -> npt.NDArray[np.uint8]:
    """Return a starry night over round clouds, or tree tops, of these display colours far off and nearer."""
    azimuth, elevation = directions(2048, 640)
    height, width = azimuth.shape
    rise = np.clip((elevation + 0.20) / 0.65, 0.0, 1.0)[..., None]
    low, high = np.array([0.215, 0.200, 0.410]), np.array([0.030, 0.042, 0.130])
    shown = low + (high - low) * rise**0.7
    shown += np.exp(-(((elevation + 0.10) / 0.16) ** 2) - (azimuth / 0.8) ** 2)[..., None] * np.array(
        [0.15, 0.10, 0.08]
    )
    rng, stars = np.random.default_rng(21), np.zeros((height, width), np.uint8)
    for across, up, size in rng.random((1600, 3)):
        spot = (round(across * (width - 1) * 8), round((0.20 + 0.80 * up) * (height - 1) * 8))
        bright = (70.0 + 185.0 * size**3) * min(1.0, 0.3 + 1.2 * up)
        cv2.circle(stars, spot, round(8 * (0.9 + 1.2 * size**5)), (round(bright),), -1, cv2.LINE_AA, 3)
    shown += stars[..., None] / 255.0 * np.array([0.84, 0.90, 1.0])
    for number, (base, puff) in enumerate(((-0.155, 0.085), (-0.200, 0.060))):
        count = round(math.pi / puff)
        luck = rng.random((count, 2), dtype=np.float32)
        away = elevation - base
        step = math.pi / count
        cell = np.floor(azimuth / step)
        for beside in (-1, 0, 1):
            own = luck[(cell + beside).astype(np.intp) % count]
            across = azimuth - (cell + beside + 0.25 + 0.5 * own[..., 0]) * step
            up = (elevation - base - 0.22 * puff * own[..., 1]) * 1.2
            away = np.minimum(away, np.hypot(across, up) - puff * (0.45 + 0.34 * own[..., 0]))
        hidden = smooth(0.5 - away / 0.004)[..., None]
        crest = 0.5 + 0.5 * np.clip((elevation - base) / (1.1 * puff), 0.0, 1.0)[..., None]
        rim = np.clip(1.0 + away / 0.022, 0.0, 1.0)[..., None]
        own_colour = np.array(near if number else far)
        colour = own_colour * (0.55 + 0.45 * crest + 0.22 * rim)
        shown += hidden * (colour - shown)
    return opaque(shown)[..., :3].copy()


#: Smaller copies of a scenery's pictures, which soften what is far.
_LEVELS = 6


class Surroundings:
    """Scenery on the graphics side, and the picture of it that was drawn last."""

    def __init__(self, scenery: Scenery) -> None:
        """Needs a current context, whose View block tells where it is seen from."""
        self.scenery = scenery
        self._program = gl.Program("page.vert", "scenery.frag", samplers=("ground", "around", "prop"))
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
        """Show it in the lower left part (width, height) of a target, which is open then; whether it looks different.

        ``seen``: all that its look hangs on.
        """
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
    sent = gl.texture(width, height, channels, picture, mipmaps=_LEVELS)
    if channels == 3:
        sent.swizzle = "RGB1"
    return sent


_WOOD_SIZE = 256
#: Large enough for the title's moon in a window 1920x1080; with this many smaller levels, for the smallest.
_MOON_SIZE = 768
MOON_LEVELS = 5
#: The moon's disc takes this part of its quad; the rest is glow.
MOON_DISC = 0.44
_MOON_SEED = 27


def value_noise(size: int, cells: int, rng: np.random.Generator, cells_y: int | None = None) -> Array:
    """Smooth noise (size, size) in 0..1 that repeats at the edges; ``cells`` lattice steps across."""
    rows = cells if cells_y is None else cells_y
    lattice = rng.random((rows, cells))

    def steps(count: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array]:
        place = np.arange(size) * count / size
        low = place.astype(np.intp)
        part = place - low
        return low % count, (low + 1) % count, part * part * (3.0 - 2.0 * part)

    x0, x1, fx = steps(cells)
    y0, y1, fy = steps(rows)
    top = lattice[y0][:, x0] * (1 - fx) + lattice[y0][:, x1] * fx
    bottom = lattice[y1][:, x0] * (1 - fx) + lattice[y1][:, x1] * fx
    return np.asarray(top * (1 - fy[:, None]) + bottom * fy[:, None])


def gradient_noise(x: Array, y: Array, rng: np.random.Generator, weights: Sequence[float]) -> Array:
    """Smooth noise around 0 at places (n, m), in lattice steps: each octave twice as fine as the one before.

    Each octave's lattice is rotated against the others', so that none shows.
    """
    total = np.zeros_like(x)
    for octave, weight in enumerate(weights):
        angle, shift = 0.5 + 1.1 * octave, rng.uniform(8.0, 40.0, 2)
        along, across = 2.0**octave * np.cos(angle), 2.0**octave * np.sin(angle)
        total += weight * _one_octave(
            along * x + across * y + shift[0], along * y - across * x + shift[1], rng
        )
    return total


def _one_octave(x: Array, y: Array, rng: np.random.Generator) -> Array:
    """Perlin's noise, about -0.7 to 0.7, with gradients in directions of their own."""
    count = 64
    angles = rng.uniform(0.0, 2.0 * np.pi, count * count)
    gradients = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    low_x, low_y = np.floor(x), np.floor(y)
    in_x, in_y = x - low_x, y - low_y
    cell = low_y.astype(np.int32) * count + low_x.astype(np.int32)

    def corner(right: int, up: int) -> Array:
        at = (cell + (up * count + right)) & (count * count - 1)
        return np.asarray(gradients[0][at] * (in_x - right) + gradients[1][at] * (in_y - up))

    fade_x, fade_y = (t * t * t * (t * (t * 6.0 - 15.0) + 10.0) for t in (in_x, in_y))
    low, high = (corner(0, up) + fade_x * (corner(1, up) - corner(0, up)) for up in (0, 1))
    return np.asarray(low + fade_y * (high - low))


@lru_cache(maxsize=1)
def wood_texture() -> npt.NDArray[np.uint8]:
    """Year rings in channel 0 and fibres in channel 1, (256, 256, 2), repeating; the grain runs along x."""
    rng = np.random.default_rng(7)
    n = _WOOD_SIZE
    across = np.arange(n)[:, None] / n
    wander = 0.7 * value_noise(n, 3, rng, 4) + 0.3 * value_noise(n, 9, rng, 10)
    phase = (across * 7.0 + wander * 1.4) % 1.0
    rings = np.clip(phase / 0.8, 0.0, 1.0) ** 2.2 * (1.0 - np.clip((phase - 0.88) / 0.12, 0.0, 1.0))
    fibres = (
        0.5 * value_noise(n, 8, rng, 128)
        + 0.3 * value_noise(n, 16, rng, 64)
        + 0.2 * value_noise(n, 4, rng, 16)
    )
    return np.asarray(np.stack([rings, fibres], axis=-1) * 255.0, dtype=np.uint8)


@lru_cache(maxsize=1)
def moon_picture() -> npt.NDArray[np.uint8]:
    """Return the moon (768, 768, 4), RGBA, first row at the bottom: lit from the upper left, with its glow."""
    n = _MOON_SIZE
    steps = ((np.arange(n, dtype=np.float32) + 0.5) / n * 2.0 - 1.0) / MOON_DISC
    away = np.hypot(steps, steps[:, None])
    disc = np.clip((1.0 - away) * MOON_DISC * n / 2.0 + 0.5, 0.0, 1.0)
    edge = np.clip(away - 1.0, 0.0, None)
    fade = np.clip((1.0 / MOON_DISC - away) / (1.0 / MOON_DISC - 1.0), 0.0, 1.0)
    glow = (0.42 * np.exp(-edge * 5.0) + 0.16 * np.exp(-edge * 1.3)) * fade
    picture = np.empty((n, n, 4), dtype=np.float32)
    picture[..., :3] = (1.0, 0.93, 0.74)
    picture[..., 3] = disc + (1.0 - disc) * glow
    # The ball itself takes a fifth of the picture.
    inside = slice(*np.flatnonzero(np.abs(steps) < 1.02)[[0, -1]] + (0, 1))
    covers = disc[inside, inside, None]
    ball = picture[inside, inside, :3]
    ball += covers * (_moon_ball(steps[inside]) - ball)
    return np.asarray(np.clip(picture, 0.0, 1.0) * 255.0, dtype=np.uint8)


def _moon_ball(steps: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return colours (n, n, 3) of the moon's ball of radius 1 on a grid across and up."""
    rng = np.random.default_rng(_MOON_SEED)
    x, y = np.meshgrid(steps, steps)
    away = np.clip(np.hypot(x, y), 1e-4, 1.0)
    bulge = np.sqrt(np.clip(1.0 - x * x - y * y, 0.0, 1.0))
    # As far over the ball as from its middle: what lies at its edge is seen from the side.
    over = np.arcsin(away) / away
    u, v = x * over, y * over
    seas = gradient_noise(1.3 * u, 1.3 * v, rng, (1.0, 0.5, 0.3, 0.16))
    seas = np.clip((seas + 0.10) / 0.42, 0.0, 1.0)
    seas = seas * seas * (3.0 - 2.0 * seas)
    rough = gradient_noise(7.0 * u, 7.0 * v, rng, (1.0, 0.7))
    height = _craters(u, v, rng) + 0.018 * rough * (1.0 - 0.6 * seas)
    normal = np.stack([x, y, bulge], axis=-1)
    slope_y, slope_x = np.gradient(height, steps[1] - steps[0])
    normal[..., 0] -= 0.16 * slope_x
    normal[..., 1] -= 0.16 * slope_y
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    day = np.clip((normal @ np.array(unit((-0.62, 0.42, 0.60)), dtype=np.float32) + 0.22) / 0.62, 0.0, 1.0)
    day = day * day * (3.0 - 2.0 * day)
    shades = np.array([[1.0, 0.955, 0.84], [0.72, 0.70, 0.69], [0.17, 0.21, 0.34], [1.08, 1.02, 0.90]])
    land, sea, night, lit = shades.astype(np.float32)
    ground = land + (sea - land) * seas[..., None]
    ground *= ((1.0 + 0.12 * rough) * (1.0 + 0.7 * height))[..., None]
    return np.asarray(ground * (night + (lit - night) * day[..., None]), dtype=np.float32)


def mark_picture(size: int = 64) -> npt.NDArray[np.uint8]:
    """Return the mark, a crescent in pale gold on the night's disc, (size, size, 4), RGBA, first row at the bottom."""
    y, x = (np.mgrid[0:size, 0:size] + 0.5) / size * 2.0 - 1.0
    soft = 2.0 / size

    def disc(across: float, up: float, radius: float) -> Array:
        return np.asarray(np.clip((radius - np.hypot(x - across, y - up)) / soft + 0.5, 0.0, 1.0))

    crescent = disc(0.0, 0.0, 0.66) * (1.0 - disc(0.32, 0.11, 0.57))
    night, gold = np.array([0.075, 0.095, 0.235]), np.array([1.0, 0.87, 0.58])
    colour = night + (gold - night) * crescent[..., None]
    return np.asarray(np.dstack([colour, disc(0.0, 0.0, 0.97)]) * 255.0, dtype=np.uint8)


def _craters(x: Array, y: Array, rng: np.random.Generator) -> Array:
    """Heights of rims and floors, roughly -0.1 to 0.1, at places of a ball of radius 1."""
    height = np.zeros_like(x)
    for radius in np.concatenate([rng.uniform(0.10, 0.19, 6), rng.uniform(0.045, 0.09, 22)]):
        angle, out = rng.uniform(0.0, 2.0 * np.pi), 1.15 * np.sqrt(rng.uniform(0.0, 0.9))
        from_x, from_y = x - np.float32(out * np.cos(angle)), y - np.float32(out * np.sin(angle))
        near = np.hypot(from_x, from_y) < 2.2 * radius
        away = np.hypot(from_x[near], from_y[near]) / radius
        floor = -0.05 * np.clip((1.0 - away) * 3.0, 0.0, 1.0)
        rim = 0.035 * np.exp(-(((away - 1.1) / 0.35) ** 2))
        height[near] += (floor + rim) * (radius / 0.2) ** 0.5
    return height
