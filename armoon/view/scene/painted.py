"""Pictures that the program paints for itself at the start: wood grain and the moon."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, unit

_WOOD_SIZE = 256
_MOON_SIZE = 256
#: The moon's disc takes this part of its quad; the rest is glow.
MOON_DISC = 0.44


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
    """The moon (256, 256, 4), RGBA, first row at the bottom: lit from the upper left, with its glow."""
    rng = np.random.default_rng(12)
    n = _MOON_SIZE
    y, x = (np.mgrid[0:n, 0:n] + 0.5) / n * 2.0 - 1.0
    away = np.hypot(x, y) / MOON_DISC
    bulge = np.sqrt(np.clip(1.0 - away**2, 0.0, 1.0))
    normal = np.stack([x / MOON_DISC, y / MOON_DISC, bulge], axis=-1)
    height = _craters(x / MOON_DISC, y / MOON_DISC, rng)
    slope_y, slope_x = np.gradient(height, 2.0 / n / MOON_DISC)
    normal[..., 0] -= 0.16 * slope_x
    normal[..., 1] -= 0.16 * slope_y
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    seas = 0.60 * value_noise(n, 7, rng) + 0.28 * value_noise(n, 14, rng) + 0.12 * value_noise(n, 40, rng)
    seas = np.clip((seas - 0.45) / 0.16, 0.0, 1.0)
    ground = (
        np.array([1.0, 0.955, 0.84]) * (1 - seas[..., None]) + np.array([0.72, 0.70, 0.69]) * seas[..., None]
    )
    ground = ground * (0.90 + 0.20 * value_noise(n, 64, rng))[..., None] * (1.0 + 0.7 * height)[..., None]
    day = np.clip((normal @ unit((-0.62, 0.42, 0.60)) + 0.22) / 0.62, 0.0, 1.0)
    day = day * day * (3.0 - 2.0 * day)
    night = np.array([0.17, 0.21, 0.34])
    colour = ground * (night + (np.array([1.08, 1.02, 0.90]) - night) * day[..., None])
    disc = np.clip((1.0 - away) * MOON_DISC * n / 2.0 + 0.5, 0.0, 1.0)
    edge = np.clip(away - 1.0, 0.0, None)
    fade = np.clip((1.0 / MOON_DISC - away) / (1.0 / MOON_DISC - 1.0), 0.0, 1.0)
    glow = (0.42 * np.exp(-edge * 5.0) + 0.16 * np.exp(-edge * 1.3)) * fade
    alpha = disc + (1.0 - disc) * glow
    shine = np.array([1.0, 0.93, 0.74])
    colour = colour * disc[..., None] + shine * (1.0 - disc[..., None])
    return np.asarray(np.clip(np.dstack([colour, alpha]), 0.0, 1.0) * 255.0, dtype=np.uint8)


def mark_picture(size: int = 64) -> npt.NDArray[np.uint8]:
    """The mark, a crescent in pale gold on the night's disc, (size, size, 4), RGBA, first row at the bottom."""
    y, x = (np.mgrid[0:size, 0:size] + 0.5) / size * 2.0 - 1.0
    soft = 2.0 / size

    def disc(across: float, up: float, radius: float) -> Array:
        return np.asarray(np.clip((radius - np.hypot(x - across, y - up)) / soft + 0.5, 0.0, 1.0))

    crescent = disc(0.0, 0.0, 0.66) * (1.0 - disc(0.32, 0.11, 0.57))
    night, gold = np.array([0.075, 0.095, 0.235]), np.array([1.0, 0.87, 0.58])
    colour = night + (gold - night) * crescent[..., None]
    return np.asarray(np.dstack([colour, disc(0.0, 0.0, 0.97)]) * 255.0, dtype=np.uint8)


def _craters(x: Array, y: Array, rng: np.random.Generator) -> Array:
    """Heights of rims and floors, roughly -0.1 to 0.1, on the disc of radius 1."""
    height = np.zeros_like(x)
    for radius in np.concatenate([rng.uniform(0.10, 0.19, 6), rng.uniform(0.05, 0.09, 18)]):
        angle, out = rng.uniform(0.0, 2.0 * np.pi), np.sqrt(rng.uniform(0.0, 0.9))
        away = np.hypot(x - out * np.cos(angle), y - out * np.sin(angle)) / radius
        floor = -0.05 * np.clip((1.0 - away) * 4.0, 0.0, 1.0)
        rim = 0.035 * np.exp(-(((away - 1.1) / 0.35) ** 2))
        height += (floor + rim) * (radius / 0.2) ** 0.5
    return height
