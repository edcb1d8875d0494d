"""The part of the picture that a hand can cover, so that only those pixels are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armoon.geometry import Array, CameraModel
from armoon.synthetic_camera.anatomy import FOREARM_BONE, LANDMARK_BONE, RADII, REST

#: (left, top, width, height) in whole pixels.
PixelBox = tuple[int, int, int, int]

#: The sleeve as balls along the forearm, from the cuff to its end, in the hand frame.
_SLEEVE = np.array([(x, 0.0, 0.0) for x in np.linspace(-0.06, -0.62, 10)])
_SLEEVE_RADIUS_M = 0.075
#: Flesh beyond the landmarks' own radii: pulp, knuckles, the ball of the thumb.
_FLESH_M = 0.008
#: White of a print that is blurred over its edge.
_OTHERS_M = 0.005
#: Parts nearer to the lens than this may be anywhere in the picture.
_NEAREST_M = 0.10

_POINTS = np.column_stack([np.vstack([REST, _SLEEVE]), np.ones(len(REST) + len(_SLEEVE))])
_BONES = np.append(LANDMARK_BONE, [FOREARM_BONE] * len(_SLEEVE))
_REACH = np.append(RADII + _FLESH_M, [_SLEEVE_RADIUS_M] * len(_SLEEVE))


def pixel_box(
    camera: CameraModel,
    camera_from_table: Array,
    hands: Sequence[Array],
    hand_scale: float,
    others: Sequence[Array] = (),
) -> PixelBox | None:
    """Return a box that surely holds the hands, each given by its bones (17, 4, 4); None if all are outside.

    It holds the points (n, 3) of ``others`` as well, table frame.
    """
    hulls = [np.einsum("nij,nj->ni", bones[_BONES, :3], _POINTS) for bones in hands]
    points = np.concatenate([*hulls, *others])
    reach = np.full(len(points), _OTHERS_M)
    reach[: len(_REACH) * len(hands)] = np.tile(_REACH * hand_scale, len(hands))
    seen = points @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
    near = seen[:, 2] - reach
    if near.min() < _NEAREST_M:
        return (0, 0, camera.width, camera.height)
    pixels = camera.project(seen)
    margin = reach * max(camera.fx, camera.fy) / near
    low = np.floor((pixels - margin[:, None]).min(axis=0))
    high = np.ceil((pixels + margin[:, None]).max(axis=0)) + 1.0
    left, top = np.maximum(low, 0.0).astype(int)
    right, bottom = np.minimum(high, (camera.width, camera.height)).astype(int)
    if right <= left or bottom <= top:
        return None
    return (int(left), int(top), int(right - left), int(bottom - top))
