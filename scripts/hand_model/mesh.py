"""The hand's mesh: skin cut out of the distance field, a sleeve, and how each vertex follows the bones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array
from armoon.synthetic_camera.anatomy import BONES, FINGERS, FOREARM_BONE, PALM_BONE, finger_bones
from armoon.synthetic_camera.hand_model import BOX_HIGH, BOX_LOW, HandMesh
from hand_model.flesh import bone_distance, gradient, hand_distance
from hand_model.surface_nets import surface_nets

#: Fingertips of 6 mm radius stay round within 0.3 mm, a third of a pixel at webcam distance (7,000 vertices).
VOXEL_M = 0.0040

#: Bones that pull on one vertex; the vertex shader blends as many.
BLENDED_BONES = 4
#: Skin goes over from one finger bone to the next within a few of these.
_JOINT_SOFTNESS_M = 0.0013
#: The web between palm and thumb stretches over a wider range, else it folds.
_WEB_SOFTNESS_M = 0.0055
_WRIST_SOFTNESS_M = 0.006
#: Inside the flesh all bones count as equally near.
_DEEPEST_M = -0.004
_SMOOTHING_ROUNDS = 3
_LEAST_WEIGHT = 0.01

#: Probes along the normal that look for flesh nearby (contact shading), nearest first.
_OCCLUSION_PROBES_M = (0.003, 0.007, 0.014, 0.024)
_CUFF_X = -0.075


def build_hand_mesh() -> HandMesh:
    """Cut the skin, bind it to the bones and add the sleeve."""
    points, normals, triangles = _skin()
    weights = _skin_weights(points, triangles)
    openness = _openness(points, normals)
    # Skin that vanishes into the cuff is dark.
    openness *= np.clip(0.45 + (points[:, 0] - _CUFF_X) / 0.03, 0.3, 1.0)

    sleeve_points, sleeve_normals, sleeve_triangles = _sleeve()
    sleeve_weights = np.zeros((len(sleeve_points), BONES))
    sleeve_weights[:, FOREARM_BONE] = 1.0
    sleeve_openness = np.where(np.hypot(sleeve_points[:, 1], sleeve_points[:, 2]) < 0.032, 0.25, 0.9)

    bones, blend = _strongest(np.concatenate([weights, sleeve_weights]))
    surface = np.concatenate(
        [
            np.column_stack([openness, np.zeros(len(points))]),
            np.column_stack([sleeve_openness, np.ones(len(sleeve_points))]),
        ]
    )
    return HandMesh(
        np.concatenate([points, sleeve_points]).astype(np.float32),
        np.concatenate([normals, sleeve_normals]).astype(np.float32),
        bones.astype(np.float32),
        blend.astype(np.float32),
        surface.astype(np.float32),
        np.concatenate([triangles, sleeve_triangles + len(points)]).astype(np.uint32),
    )


def _skin() -> tuple[Array, Array, npt.NDArray[np.int64]]:
    counts = np.ceil((BOX_HIGH - BOX_LOW) / VOXEL_M).astype(int) + 1
    axes = [low + VOXEL_M * np.arange(n) for low, n in zip(BOX_LOW, counts, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    points, triangles = surface_nets(hand_distance(grid).reshape(tuple(counts)), BOX_LOW, VOXEL_M)
    for _ in range(
        2
    ):  # surface nets shrink round forms; two Newton steps bring the vertices back to the skin
        slope = gradient(hand_distance, points)
        steepness = np.maximum(np.einsum("ij,ij->i", slope, slope), 0.2)
        points = points - slope * (hand_distance(points) / steepness)[:, None]
    normals = gradient(hand_distance, points)
    return points, normals / np.linalg.norm(normals, axis=1, keepdims=True), triangles


def _skin_weights(points: Array, triangles: npt.NDArray[np.int64]) -> Array:
    """Weights (n, 17) of each vertex on each bone."""
    nearness = np.column_stack([np.maximum(bone_distance(points, b), _DEEPEST_M) for b in range(BONES)])
    reach = nearness.copy()
    # Skin of one finger never follows its neighbour, however close they lie.
    fingers = np.stack([nearness[:, finger_bones(f)].min(axis=1) for f in FINGERS], axis=1)
    own_finger = fingers.argmin(axis=1)
    for f in FINGERS:
        reach[np.ix_(own_finger != f, finger_bones(f))] = np.inf
    # Palm and thumb root act as one part towards the rest, and share it softly between themselves.
    thumb_root = finger_bones(0)[0]
    reach[:, PALM_BONE] = np.minimum(nearness[:, PALM_BONE], nearness[:, thumb_root])
    reach[:, thumb_root] = np.inf
    weights = np.exp(-(reach - reach.min(axis=1, keepdims=True)) / _JOINT_SOFTNESS_M)
    to_thumb = _logistic((nearness[:, PALM_BONE] - nearness[:, thumb_root]) / _WEB_SOFTNESS_M)
    to_thumb[to_thumb < 2.0 * _LEAST_WEIGHT] = 0.0
    weights[:, thumb_root] = weights[:, PALM_BONE] * to_thumb
    weights[:, PALM_BONE] *= 1.0 - to_thumb
    # The wrist bends around x = -5 mm, whatever the flesh around it.
    to_forearm = _logistic(-0.8 - points[:, 0] / _WRIST_SOFTNESS_M)
    trunk = weights[:, PALM_BONE] + weights[:, FOREARM_BONE]
    weights[:, PALM_BONE], weights[:, FOREARM_BONE] = trunk * (1.0 - to_forearm), trunk * to_forearm
    weights /= weights.sum(axis=1, keepdims=True)
    return _smooth(weights, triangles)


def _logistic(values: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -40.0, 40.0))))


def _smooth(weights: Array, triangles: npt.NDArray[np.int64]) -> Array:
    """Average along the mesh's edges. Each inner edge is in two triangles, so all neighbours count alike."""
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    start, end = np.concatenate([ends, ends[:, ::-1]]).T
    neighbours = np.bincount(start, minlength=len(weights))[:, None]
    for _ in range(_SMOOTHING_ROUNDS):
        total = np.column_stack(
            [np.bincount(start, column[end], minlength=len(weights)) for column in weights.T]
        )
        weights = 0.5 * weights + 0.5 * total / neighbours
    weights[weights < _LEAST_WEIGHT] = 0.0
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _strongest(weights: Array) -> tuple[Array, Array]:
    bones = np.argsort(-weights, axis=1, kind="stable")[:, :BLENDED_BONES]
    blend = np.take_along_axis(weights, bones, axis=1)
    return bones.astype(np.float64), blend / blend.sum(axis=1, keepdims=True)


def _openness(points: Array, normals: Array) -> Array:
    """Ambient light (n,) that reaches the skin, 0 to 1 (field-based occlusion after Evans, SIGGRAPH 2006)."""
    hidden = np.zeros(len(points))
    total, weight = 0.0, 1.0
    for reach in _OCCLUSION_PROBES_M:
        free = hand_distance(points + normals * reach)
        hidden += weight * np.clip((reach - free) / reach, 0.0, 1.0)
        total += weight
        weight *= 0.75
    return np.asarray(np.clip(1.0 - 1.15 * hidden / total, 0.15, 1.0))


def _sleeve() -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Return an oval tube with folds from the wrist to beyond the elbow, its cuff turned in."""
    around = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    along = np.concatenate(
        [[_CUFF_X - 0.02, _CUFF_X - 0.004], np.linspace(_CUFF_X, -0.20, 24), np.linspace(-0.23, -0.62, 10)]
    )
    x, angle = (grid.ravel() for grid in np.meshgrid(along, around, indexing="ij"))
    up_the_arm = np.minimum((_CUFF_X - x) / 0.285, 1.1)
    folds = 0.045 * np.sin(120.0 * x + 2.0 * np.sin(2.0 * angle)) + 0.018 * np.sin(290.0 * x + 3.0 * angle)
    ring = np.repeat(np.arange(len(along)), len(around))
    hem = np.select([ring == 0, ring == 1, ring == 2, ring == 4], [0.62, 0.86, 0.97, 0.97], 1.0)
    radius = hem * (1.0 + folds * np.clip((ring - 2.0) / 4.0, 0.0, 1.0))
    points = np.column_stack(
        [
            x,
            (0.0440 + 0.013 * up_the_arm) * radius * np.cos(angle),
            (0.0345 + 0.018 * up_the_arm) * radius * np.sin(angle),
        ]
    )
    n = len(around)
    i, j = (grid.ravel() for grid in np.meshgrid(np.arange(len(along) - 1), np.arange(n), indexing="ij"))
    a, b = i * n + j, i * n + (j + 1) % n
    triangles = np.concatenate([np.column_stack([a, a + n, b]), np.column_stack([b, a + n, b + n])])
    return points, _normals(points, triangles), triangles


def _normals(points: Array, triangles: npt.NDArray[np.int64]) -> Array:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], face)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))
