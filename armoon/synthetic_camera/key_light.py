"""The key light's shadow map: which box of space it covers, and which patch of table lies in its shadow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, mat_from_pose, pose_looking_at, unit
from armoon.values.poses import Vec3

#: Flesh and sleeve around the points that must throw a shadow.
_PADDING_M = 0.045
#: Along the light's rays; more than two hands and a sleeve ever span.
_DEPTH_M = 1.4


@dataclass(frozen=True, eq=False)
class LightBox:
    """An upright box along the light's rays."""

    clip_from_table: Array
    """(4, 4); the light looks along clip +z, near first."""
    table_corners: Array
    """(4, 4) homogeneous points on the table plane under the box's four edges, as a triangle strip."""
    half_width_m: float


def light_box(points: Array, to_light: Vec3) -> LightBox:
    """Return the smallest square box along the light that holds points (n, 3) of the table frame, padded."""
    rays = mat_from_pose(pose_looking_at(to_light, (0.0, 0.0, 0.0), up=(0.0, 1.0, 0.0)))[:3, :3]
    in_light = points @ rays
    low, high = in_light.min(axis=0), in_light.max(axis=0)
    centre = 0.5 * (low + high)
    half_width = 0.5 * float((high - low)[:2].max()) + _PADDING_M
    shrink = 1.0 / np.array([half_width, half_width, 0.5 * _DEPTH_M])
    clip_from_table = np.eye(4)
    clip_from_table[:3, :3] = shrink[:, None] * rays.T
    clip_from_table[:3, 3] = -shrink * centre

    towards = unit(to_light)
    corners = np.ones((4, 4))
    for corner, (x, y) in zip(corners, ((-1, -1), (1, -1), (-1, 1), (1, 1)), strict=True):
        edge = rays @ (centre + half_width * np.array([x, y, 0.0]))
        corner[:3] = edge - towards * (edge[2] / towards[2])
    return LightBox(clip_from_table, corners, half_width)
