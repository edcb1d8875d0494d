"""Vectors, rotations and poses as tuples of floats.

Frames and units are defined in ``armoon.geometry``: metres, radians, quaternions xyzw.
"""

from __future__ import annotations

from dataclasses import dataclass

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]

IDENTITY_QUAT: Quat = (0.0, 0.0, 0.0, 1.0)


#: A pose in a file: position, then rotation.
PoseRow = tuple[float, float, float, float, float, float, float]


@dataclass(frozen=True)
class Pose:
    """A rigid transform; it maps a body's frame to the table frame unless a name says otherwise."""

    position: Vec3
    rotation: Quat = IDENTITY_QUAT

    @property
    def row(self) -> PoseRow:
        return (*self.position, *self.rotation)

    @staticmethod
    def from_row(row: PoseRow) -> Pose:
        x, y, z, i, j, k, w = row
        return Pose((x, y, z), (i, j, k, w))


IDENTITY_POSE = Pose((0.0, 0.0, 0.0))
