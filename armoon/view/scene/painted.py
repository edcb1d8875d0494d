"""Pictures painted by the program at the start: wood grain and the moon."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, unit

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
