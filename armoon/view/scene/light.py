"""The light on virtual objects, and the colours of the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel, project_table_points, unit, vec3
from armoon.values.poses import Pose, Vec3

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True)
class Light:
    """A key light, the sky and the table's reflection; linear colours."""

    towards: Vec3
    """Unit vector from the table to the key light."""
    key: Vec3
    sky: Vec3
    bounce: Vec3
    evening: float
    """Grade of the camera's colours: 0 none, 1 full moonlight."""
    bounce_gain: float = 1.0
    """Factor of the table's reflection over its look in the camera's picture."""
    level: float = 0.28
    """Brightness of the table in the pictures for these colours (linear, median)."""
    rim: float = 0.0
    """Share of the key light around edges of wood before it."""


#: A lamp beyond the left end of the table: shadows fall to the right and towards the viewer.
LAMP = Light(
    towards=vec3(unit((-0.52, 0.28, 0.80))),
    key=(1.95, 1.74, 1.44),
    sky=(0.56, 0.60, 0.68),
    bounce=(0.36, 0.26, 0.18),
    evening=0.65,
)
#: A camera that faces the player has screen and window behind it, and so has the light.
SCREEN = Light(
    towards=vec3(unit((-0.45, -0.60, 0.66))),
    key=(1.45, 1.40, 1.32),
    sky=(0.42, 0.45, 0.52),
    bounce=(0.30, 0.24, 0.18),
    evening=0.55,
    bounce_gain=3.2,
    level=0.075,
)

#: Wood from dark to light (linear): walnut, cherry, oak, birch.
WOODS: tuple[Vec3, ...] = (
    (0.330, 0.180, 0.092),
    (0.560, 0.340, 0.175),
    (0.740, 0.520, 0.300),
    (0.880, 0.720, 0.500),
)

#: Milk paint of the marks that tell ladders apart (linear): brick, slate, sage, ochre, chalk, plum. Muted, so that none
#: looks like a mark with a meaning, and of different lightness, for colour-blind players.
PAINTS: tuple[Vec3, ...] = (
    (0.380, 0.080, 0.048),
    (0.055, 0.115, 0.230),
    (0.150, 0.250, 0.135),
    (0.600, 0.320, 0.050),
    (0.840, 0.780, 0.660),
    (0.140, 0.040, 0.110),
)


def wood_colour(tone: float) -> Vec3:
    """Return the linear colour of a ladder of this tone, 0 dark to 1 light."""
    place = min(max(tone, 0.0), 1.0) * (len(WOODS) - 1)
    low = min(int(place), len(WOODS) - 2)
    mix = place - low
    r, g, b = (a + (b - a) * mix for a, b in zip(WOODS[low], WOODS[low + 1], strict=True))
    return (r, g, b)


#: Colours of a ladder's looks and of a verdict: green if good, red if a fault (display colours).
GOLD: Vec3 = (1.00, 0.80, 0.42)
MOONLIGHT: Vec3 = (128 / 255, 160 / 255, 1.0)
GOOD: Vec3 = (0.45, 0.92, 0.62)
FAULT: Vec3 = (1.00, 0.30, 0.24)
GLOWS: dict[str, Rgba] = {
    "plain": (0.0, 0.0, 0.0, 0.0),
    "offered": (*GOLD, 0.22),
    "waiting": (*GOLD, 0.34),
    "hover": (1.00, 0.90, 0.66, 0.34),
    "held": (*GOLD, 0.16),
    "touched": (*MOONLIGHT, 0.26),
    "honoured": (*GOOD, 0.34),
    "fault": (*FAULT, 0.42),
}


SMALL_WIDTH, SMALL_HEIGHT = 64, 36
_PATCH = (-0.42, 0.42, -0.34, 0.42)
_PLACES_ACROSS, _PLACES_AWAY = 12, 9
#: Minimum number of places in the picture from which the light's direction is estimated.
_LEAST_PLACES = 12
#: Colour of the light for which the known lights were made, as the rendered camera's frames tell it.
_TINT = np.array([1.32, 1.00, 0.69])
#: A table whose brightness falls by this factor of e per metre has a direction that can be trusted most.
_CLEAR_GRADIENT = 2.2
_MOST_TRUST = 0.7
#: How far strength and tint may leave the known light.
_STRENGTH = (0.55, 1.30)
_TINTS = (0.80, 1.25)
#: A brown table looks like brown light: exponent of the believed tint.
_TINT_TRUST = 0.6
#: Light changes slowly: one frame in this many is examined, and this share of the difference is taken, half of it in
#: 12 frames.
_LOOK_EVERY = 4
_RATE = 0.2
#: Visible difference of a light in any part: half a grey level.
_SEEN = 0.012
#: Patches for the noise: side in pixels, and how many frames go by between two looks.
_NOISE_PATCH_PX, _NOISE_EVERY = 32, 16
#: Noise in display colours is kept within what webcams have.
_MOST_NOISE = 0.03


def small_copy(frame_bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return every n-th pixel of a frame (h, w, 3): (36, 64, 3)."""
    height, width = frame_bgr.shape[:2]
    rows = (np.arange(SMALL_HEIGHT) + 0.5) * height / SMALL_HEIGHT
    columns = (np.arange(SMALL_WIDTH) + 0.5) * width / SMALL_WIDTH
    return np.ascontiguousarray(frame_bgr[rows.astype(np.intp)[:, None], columns.astype(np.intp)])


def noise_sigma(frame_bgr: npt.NDArray[np.uint8]) -> float:
    height, width = frame_bgr.shape[:2]
    side = _NOISE_PATCH_PX
    if height <= 4 * side or width <= 4 * side:
        return 0.0
    found = []
    for row in (0.2, 0.5, 0.8):
        for column in (0.2, 0.5, 0.8):
            y, x = int(row * (height - side)), int(column * (width - side))
            p = frame_bgr[y : y + side, x : x + side, 1].astype(np.float32)
            across = p[:, :-2] - 2.0 * p[:, 1:-1] + p[:, 2:]
            both = across[:-2] - 2.0 * across[1:-1] + across[2:]
            found.append(float(np.abs(both).mean()))
    return float(np.sqrt(np.pi / 2.0) / 6.0 * np.median(found) / 255.0)


def steady(shown: Light, found: Light) -> Light:
    """Return the shown light until the found one differs visibly."""
    before, after = (np.array([one.towards, one.key, one.sky, one.bounce]) for one in (shown, found))
    return found if np.abs(after - before).max() > _SEEN else shown


class LightEstimate:
    """Follows the light from frame to frame, smoothly; depends on the frames only."""

    def __init__(self, known: Light, camera: CameraModel, table_from_camera: Pose) -> None:
        self.light = known
        self.noise = 0.0
        self._known = known
        self._values: Array | None = None
        self._frames = 0
        self.set_camera(camera, table_from_camera)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose) -> None:
        left, right, near, far = _PATCH
        x, y = np.meshgrid(np.linspace(left, right, _PLACES_ACROSS), np.linspace(near, far, _PLACES_AWAY))
        places = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
        pixels = project_table_points(camera, table_from_camera, places)
        small = np.floor((pixels + 0.5) / [camera.width, camera.height] * [SMALL_WIDTH, SMALL_HEIGHT])
        with np.errstate(invalid="ignore"):
            seen = np.isfinite(small).all(axis=1)
            seen &= (small >= 0).all(axis=1) & (small < [SMALL_WIDTH, SMALL_HEIGHT]).all(axis=1)
        self._places = places[seen, :2]
        self._columns, self._rows = small[seen].astype(np.intp).T

    def add_frame(self, frame_bgr: npt.NDArray[np.uint8], small: npt.NDArray[np.uint8]) -> Light:
        """Return the light after this frame, of which ``small`` is the small copy."""
        frames, self._frames = self._frames, self._frames + 1
        if frames % _LOOK_EVERY:
            return self.light
        if frames % _NOISE_EVERY == 0:
            noise = min(noise_sigma(frame_bgr), _MOST_NOISE)
            self.noise = noise if frames == 0 else self.noise + 0.3 * (noise - self.noise)
        found = self._found(small)
        if self._values is None:
            self._values = found
        else:
            self._values += _RATE * (found - self._values)
        towards, key, sky, bounce = self._values.reshape(4, 3)
        self.light = replace(
            self._known, towards=vec3(unit(towards)), key=vec3(key), sky=vec3(sky), bounce=vec3(bounce)
        )
        return self.light

    def _found(self, small: npt.NDArray[np.uint8]) -> Array:
        """Return direction and three colours of this frame alone (12,)."""
        known = self._known
        linear = (small[:, :, ::-1] / 255.0) ** 2
        brightest = np.mean(linear.reshape(-1, 3) ** 6, axis=0) ** (1.0 / 6.0) + 1e-4
        tint = np.clip(brightest / brightest.mean() / _TINT, *_TINTS) ** _TINT_TRUST
        table = linear[self._rows, self._columns] if len(self._places) >= _LEAST_PLACES else None
        colours = linear.reshape(-1, 3) if table is None else table
        level = float(np.median(colours.mean(axis=1)))
        strength = float(np.clip(np.sqrt(level / known.level), *_STRENGTH))
        towards = np.asarray(known.towards)
        if table is not None:
            towards = self._direction(table.mean(axis=1))
        key = np.asarray(known.key) * strength * tint
        sky = np.asarray(known.sky) * strength * np.sqrt(tint)
        bounce = np.median(colours, axis=0) * known.bounce_gain
        return np.concatenate([towards, key, sky, bounce])

    def _direction(self, brightness: Array) -> Array:
        """Return the known light, rotated about the vertical towards where the table (n,) is brighter."""
        known = np.asarray(self._known.towards)
        slope = self._slope(np.log(brightness + 0.003))
        steep = float(np.linalg.norm(slope))
        if steep < 1e-6:
            return known
        trust = min(steep / _CLEAR_GRADIENT, 1.0) * _MOST_TRUST
        level = float(np.linalg.norm(known[:2]))
        flat = (1.0 - trust) * known[:2] / level + trust * slope / steep
        length = float(np.linalg.norm(flat))
        return known if length < 1e-3 else np.append(flat / length * level, known[2])

    def _slope(self, values: Array) -> Array:
        """Slope (2,) of the plane through values (n,) over the table, twice: hands and cups are left out then."""
        used = np.ones(len(values), dtype=bool)
        matrix = np.column_stack([self._places, np.ones(len(values))])
        plane = np.zeros(3)
        for _ in range(2):
            plane = np.linalg.lstsq(matrix[used], values[used], rcond=None)[0]
            off = np.abs(values - matrix @ plane)
            used = off <= 2.0 * np.median(off) + 1e-9
        return np.asarray(plane[:2])
