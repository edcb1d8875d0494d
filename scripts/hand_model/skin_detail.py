"""Creases, mottling, redness and nails of the resting hand, painted into a small 3-D texture around its skin.

A solid texture in the rest pose needs no unwrapping: the fragment shader looks it up where the skin was at
rest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array
from armoon.synthetic_camera.anatomy import FINGER_ALONG, FINGER_BACK, FINGERS, PALM_BONE, REST, finger_bones
from armoon.synthetic_camera.hand_model import BOX_HIGH, BOX_LOW, TEXEL_M, Texels
from hand_model.flesh import bone_distance, gradient, hand_distance

#: Only texels this near the skin are ever looked up (linear filtering reaches one texel further).
_SHELL_M = 0.0028
_COARSE = 4
#: The red channel's value for unchanged skin; above is lighter, below darker.
PLAIN = 200
NAIL, NAIL_RIM = 160, 255

#: Main creases of the palm, each as the zero line of a function of (x, y): thenar, and the two crossing ones.
_PALM_CREASES: tuple[Callable[[Array, Array], Array], ...] = (
    lambda x, y: np.hypot(x - 0.018, y - 0.040) - 0.040,
    lambda x, y: x - 0.062 + 0.35 * (y - 0.02) + 2.0 * (y - 0.02) ** 2,
    lambda x, y: x - 0.078 - 0.28 * y - 5.0 * (y + 0.01) ** 2,
)


def paint_skin_detail() -> Texels:
    """Texels (nz, ny, nx, 4) over the mesh's box: brightness (200 plain), redness, palm side, nail."""
    counts = np.ceil((BOX_HIGH - BOX_LOW) / TEXEL_M).astype(int)
    index = _shell(counts)
    points = BOX_LOW + TEXEL_M * (index + 0.5)
    near = np.abs(hand_distance(points)) < _SHELL_M
    index, points = index[near], points[near]
    normals = gradient(hand_distance, points)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12

    on_thumb = _on_thumb(points)
    facing_back = np.where(on_thumb, normals @ FINGER_BACK[0], normals[:, 2])
    palm = np.clip(0.5 - 0.9 * facing_back, 0.0, 1.0) * np.clip((points[:, 0] + 0.06) / 0.07, 0.0, 1.0)
    nail, groove = _nails(points)
    brightness = _mottling(points, palm) - _creases(points, palm, on_thumb) - groove

    texels = np.zeros((counts[2], counts[1], counts[0], 4), dtype=np.uint8)
    texels[..., 0] = PLAIN
    texels[index[:, 2], index[:, 1], index[:, 0]] = np.column_stack(
        [
            np.clip(brightness * PLAIN, 0.0, 255.0),
            np.clip(_redness(points) * 255.0, 0.0, 255.0),
            palm * 255.0,
            nail,
        ]
    ).astype(np.uint8)
    return texels


def _shell(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the indices (n, 3) of texels in coarse blocks that the skin may cross."""
    coarse = -(-counts // _COARSE)
    blocks = np.argwhere(np.ones(tuple(coarse), dtype=bool))
    centres = BOX_LOW + TEXEL_M * _COARSE * (blocks + 0.5)
    half_diagonal = 0.5 * np.sqrt(3.0) * TEXEL_M * _COARSE
    blocks = blocks[np.abs(hand_distance(centres)) < _SHELL_M + half_diagonal]
    inner = np.argwhere(np.ones((_COARSE,) * 3, dtype=bool))
    index = (blocks[:, None, :] * _COARSE + inner[None]).reshape(-1, 3)
    return np.asarray(index[(index < counts).all(axis=1)])


def _on_thumb(points: Array) -> npt.NDArray[np.bool_]:
    root, *ends = finger_bones(0)
    thumb = np.minimum.reduce([bone_distance(points, b) for b in (root, *ends)])
    others = [bone_distance(points, b) for f in FINGERS[1:] for b in finger_bones(f)]
    return np.asarray(thumb < np.minimum.reduce([*others, bone_distance(points, PALM_BONE)]))


def _mottling(points: Array, palm: Array) -> Array:
    blotches = 0.4 * _noise(points * 90.0, seed=2) + 0.6 * _noise(points * 260.0, seed=1) - 0.5
    pores = (_noise(points * 520.0, seed=3) - 0.5) * (1.0 - palm)
    return 1.0 + 0.16 * blotches + 0.10 * pores


def _redness(points: Array) -> Array:
    """Blood shows at the fingertips and over the knuckles."""
    redness = np.zeros(len(points))
    spots = [(REST[4 * f + 4], 1.0, 0.011) for f in FINGERS]
    for f in FINGERS[1:]:
        spots.append((REST[4 * f + 2] + (0.0, 0.0, 0.008), 0.6, 0.008))
        spots.append((REST[4 * f + 1] + (0.0, 0.0, 0.010), 0.5, 0.011))
    for centre, amount, radius in spots:
        offset = points - centre
        redness += amount * np.exp(-np.einsum("ij,ij->i", offset, offset) / radius**2)
    return redness


def _ridge(distance: Array, width: float) -> Array:
    return np.asarray(np.exp(-((distance / width) ** 2)))


def _creases(points: Array, palm: Array, on_thumb: npt.NDArray[np.bool_]) -> Array:
    """How much darker the folds are, 0 to about 0.3."""
    joints = [(REST[3], 0), (REST[2], 0)]
    for f in FINGERS[1:]:
        joints += [(REST[4 * f + 2], f), (REST[4 * f + 3], f)]
        joints.append((REST[4 * f + 1] + 0.016 * FINGER_ALONG[f], f))
    darker = np.zeros(len(points))
    for joint, f in joints:
        offset = points - joint
        along = offset @ FINGER_ALONG[f]
        here = np.clip((0.0145 - np.linalg.norm(offset, axis=1)) / 0.003, 0.0, 1.0)
        wrinkles = _ridge(along - 0.0028, 0.001) + _ridge(along + 0.0028, 0.001)
        darker += here * ((0.17 + 0.08 * palm) * _ridge(along, 0.0011) + 0.11 * (1.0 - palm) * wrinkles)
    x, y = points[:, 0], points[:, 1]
    in_palm = palm * ((x > 0.008) & (x < 0.086) & ~on_thumb)
    for crease in _PALM_CREASES:
        darker += 0.20 * in_palm * _ridge(crease(x, y), 0.0011)
    return darker


def _nails(points: Array) -> tuple[Array, Array]:
    """Nail values (n,) for the texture, and the groove (n,) around each nail."""
    nail, groove = np.zeros(len(points)), np.zeros(len(points))
    for f in FINGERS:
        offset = points - REST[4 * f + 4]
        size = 0.82 if f == 0 else 1.0  # the thumb's nail is larger
        along = 0.80 * size * (offset @ FINGER_ALONG[f] - 0.0004)
        across = size * (offset @ np.cross(FINGER_ALONG[f], FINGER_BACK[f]))
        radius = np.hypot(along, across)
        on_back = offset @ FINGER_BACK[f] > 0.0020
        groove += 0.22 * on_back * _ridge(radius - 0.0058, 0.0009)
        plate = on_back & (radius < 0.0054)
        nail[plate] = NAIL
        nail[plate & (along > 0.0038)] = NAIL_RIM
    return nail, groove


def _noise(points: Array, seed: int) -> Array:
    """Smooth value noise (n,) in 0 to 1 with one random value per unit cell, repeating after 32 cells."""
    size = 32
    lattice = np.random.default_rng(seed).random((size, size, size))
    cell = np.floor(points).astype(np.int64)
    inside = points - cell
    inside = inside * inside * (3.0 - 2.0 * inside)
    total = np.zeros(len(points))
    for corner in np.ndindex(2, 2, 2):
        share = np.prod(np.where(corner, inside, 1.0 - inside), axis=1)
        total += share * lattice[tuple(((cell + corner) % size).T)]
    return total
