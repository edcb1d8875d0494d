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
    grade: float
    """Strength of the evening grade of the camera's colours, 0 to 1 (full moonlight)."""
    bounce_gain: float = 1.0
    """Factor of the table's reflection relative to its brightness in the camera's picture."""
    level: float = 0.28
    """Median brightness of the table (linear) in the pictures for which these colours were chosen."""
    rim: float = 0.0
    """Strength of the rim light on wood between viewer and key light."""


#: A lamp beyond the left end of the table: shadows fall to the right and towards the viewer.
LAMP = Light(
    towards=vec3(unit((-0.52, 0.28, 0.80))),
    key=(1.95, 1.74, 1.44),
    sky=(0.56, 0.60, 0.68),
    bounce=(0.36, 0.26, 0.18),
    grade=0.65,
)
#: A screen and a window behind a camera that faces the player.
SCREEN = Light(
    towards=vec3(unit((-0.45, -0.60, 0.66))),
    key=(1.45, 1.40, 1.32),
    sky=(0.42, 0.45, 0.52),
    bounce=(0.30, 0.24, 0.18),
    grade=0.55,
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

#: Milk paint of the marks that distinguish ladders (linear): brick, slate, sage, ochre, chalk, plum. The colours are
#: muted, because they have no meaning, and differ in lightness for colour-blind players.
PAINTS: tuple[Vec3, ...] = (
    (0.380, 0.080, 0.048),
    (0.055, 0.115, 0.230),
    (0.150, 0.250, 0.135),
    (0.600, 0.320, 0.050),
    (0.840, 0.780, 0.660),
    (0.140, 0.040, 0.110),
)


def mix_wood_colour(tone: float) -> Vec3:
    """Return the linear colour of a ladder of this tone, 0 dark to 1 light."""
    place = min(max(tone, 0.0), 1.0) * (len(WOODS) - 1)
    low = min(int(place), len(WOODS) - 2)
    mix = place - low
    r, g, b = (a + (b - a) * mix for a, b in zip(WOODS[low], WOODS[low + 1], strict=True))
    return (r, g, b)


#: Display colours of panels, of ladders' looks and of verdicts.
GOLD: Vec3 = (1.00, 0.80, 0.42)
NIGHT: Rgba = (0.062, 0.080, 0.200, 0.80)
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
#: Examined area of the table (left, right, near and far edge, in metres), and number of places in each direction.
_TABLE_AREA = (-0.42, 0.42, -0.34, 0.42)
_PLACES_ACROSS, _PLACES_AWAY = 12, 9
#: Minimum number of visible places for an estimate of the light's direction.
_MIN_PLACES = 12
#: Measured colour of the light in the rendered camera's frames, on which the known lights are based.
_TINT = np.array([1.32, 1.00, 0.69])
#: Slope of the log brightness, per metre, from which the measured direction has its maximum weight, and that weight.
_CLEAR_GRADIENT = 2.2
_MAX_WEIGHT = 0.7
#: Ranges of strength and tint relative to the known light.
_STRENGTH_RANGE = (0.55, 1.30)
_TINT_RANGE = (0.80, 1.25)
#: Exponent that weakens the measured tint, because a brown table looks like brown light.
_TINT_EXPONENT = 0.6
#: Frames between estimates, and share of the difference that each one applies; half a change takes 12 frames.
_EXAMINE_EVERY = 4
_SMOOTHING = 0.2
#: Smallest visible change in any component of a light: half a grey level.
_VISIBLE_CHANGE = 0.012
#: Side of the patches for estimating noise, in pixels, and number of frames between two estimates.
_NOISE_PATCH_PX, _NOISE_EVERY = 32, 16
#: Maximum noise, in display colours; webcams have less.
_MAX_NOISE = 0.03


def make_small_copy(frame_bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return a frame (h, w, 3) reduced to (36, 64, 3) by taking every n-th pixel."""
    height, width = frame_bgr.shape[:2]
    rows = (np.arange(SMALL_HEIGHT) + 0.5) * height / SMALL_HEIGHT
    columns = (np.arange(SMALL_WIDTH) + 0.5) * width / SMALL_WIDTH
    return np.ascontiguousarray(frame_bgr[rows.astype(np.intp)[:, None], columns.astype(np.intp)])


def estimate_noise(frame_bgr: npt.NDArray[np.uint8]) -> float:
    height, width = frame_bgr.shape[:2]
    side = _NOISE_PATCH_PX
    if height <= 4 * side or width <= 4 * side:
        return 0.0
    noise = []
    for row in (0.2, 0.5, 0.8):
        for column in (0.2, 0.5, 0.8):
            y, x = int(row * (height - side)), int(column * (width - side))
            p = frame_bgr[y : y + side, x : x + side, 1].astype(np.float32)
            across = p[:, :-2] - 2.0 * p[:, 1:-1] + p[:, 2:]
            laplacian = across[:-2] - 2.0 * across[1:-1] + across[2:]
            noise.append(float(np.abs(laplacian).mean()))
    return float(np.sqrt(np.pi / 2.0) / 6.0 * np.median(noise) / 255.0)


def steady_light(shown: Light, estimate: Light) -> Light:
    """Return ``shown`` unless ``estimate`` differs visibly."""
    before, after = (np.array([x.towards, x.key, x.sky, x.bounce]) for x in (shown, estimate))
    return estimate if np.abs(after - before).max() > _VISIBLE_CHANGE else shown


class LightEstimate:
    """Estimates the light, smoothed over the frames and dependent on them alone."""

    def __init__(self, known: Light, camera: CameraModel, table_from_camera: Pose) -> None:
        self.light = known
        self.noise = 0.0
        self._known = known
        self._values: Array | None = None
        self._frames = 0
        self.set_camera(camera, table_from_camera)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose) -> None:
        left, right, near, far = _TABLE_AREA
        x, y = np.meshgrid(np.linspace(left, right, _PLACES_ACROSS), np.linspace(near, far, _PLACES_AWAY))
        places = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
        pixels = project_table_points(camera, table_from_camera, places)
        small = np.floor((pixels + 0.5) / [camera.width, camera.height] * [SMALL_WIDTH, SMALL_HEIGHT])
        with np.errstate(invalid="ignore"):
            visible = np.isfinite(small).all(axis=1)
            visible &= (small >= 0).all(axis=1) & (small < [SMALL_WIDTH, SMALL_HEIGHT]).all(axis=1)
        self._places = places[visible, :2]
        self._columns, self._rows = small[visible].astype(np.intp).T

    def add_frame(self, frame_bgr: npt.NDArray[np.uint8], small: npt.NDArray[np.uint8]) -> Light:
        """Return the light after this frame; ``small``: the frame's small copy."""
        frames, self._frames = self._frames, self._frames + 1
        if frames % _EXAMINE_EVERY:
            return self.light
        if frames % _NOISE_EVERY == 0:
            noise = min(estimate_noise(frame_bgr), _MAX_NOISE)
            self.noise = noise if frames == 0 else self.noise + 0.3 * (noise - self.noise)
        estimate = self._estimate_light(small)
        if self._values is None:
            self._values = estimate
        else:
            self._values += _SMOOTHING * (estimate - self._values)
        towards, key, sky, bounce = self._values.reshape(4, 3)
        self.light = replace(
            self._known, towards=vec3(unit(towards)), key=vec3(key), sky=vec3(sky), bounce=vec3(bounce)
        )
        return self.light

    def _estimate_light(self, small: npt.NDArray[np.uint8]) -> Array:
        """Return the direction and three colours (12,), estimated from one frame."""
        known = self._known
        linear = (small[:, :, ::-1] / 255.0) ** 2
        brightest = np.mean(linear.reshape(-1, 3) ** 6, axis=0) ** (1.0 / 6.0) + 1e-4
        tint = np.clip(brightest / brightest.mean() / _TINT, *_TINT_RANGE) ** _TINT_EXPONENT
        table = linear[self._rows, self._columns] if len(self._places) >= _MIN_PLACES else None
        colours = linear.reshape(-1, 3) if table is None else table
        level = float(np.median(colours.mean(axis=1)))
        strength = float(np.clip(np.sqrt(level / known.level), *_STRENGTH_RANGE))
        towards = np.asarray(known.towards)
        if table is not None:
            towards = self._estimate_direction(table.mean(axis=1))
        key = np.asarray(known.key) * strength * tint
        sky = np.asarray(known.sky) * strength * np.sqrt(tint)
        bounce = np.median(colours, axis=0) * known.bounce_gain
        return np.concatenate([towards, key, sky, bounce])

    def _estimate_direction(self, brightness: Array) -> Array:
        """Return the known direction, rotated about the vertical towards brighter places of the table (n,)."""
        known = np.asarray(self._known.towards)
        slope = self._fit_slope(np.log(brightness + 0.003))
        steep = float(np.linalg.norm(slope))
        if steep < 1e-6:
            return known
        weight = min(steep / _CLEAR_GRADIENT, 1.0) * _MAX_WEIGHT
        level = float(np.linalg.norm(known[:2]))
        level_direction = (1.0 - weight) * known[:2] / level + weight * slope / steep
        length = float(np.linalg.norm(level_direction))
        return known if length < 1e-3 else np.append(level_direction / length * level, known[2])

    def _fit_slope(self, values: Array) -> Array:
        """Fit a plane to values (n,) over the table and return its slope (2,); a second fit omits outliers."""
        used = np.ones(len(values), dtype=bool)
        matrix = np.column_stack([self._places, np.ones(len(values))])
        plane = np.zeros(3)
        for _ in range(2):
            plane = np.linalg.lstsq(matrix[used], values[used], rcond=None)[0]
            residuals = np.abs(values - matrix @ plane)
            used = residuals <= 2.0 * np.median(residuals) + 1e-9
        return np.asarray(plane[:2])
