"""Checks before the world changes: poses that can't be simulated are refused."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

from armoon.errors import WorldError
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from armoon.values.text import short_repr

#: Maximum number of boxes in a compound: Bullet silently drops any others.
MAX_BOXES = 16

#: Maximum distance of a piece from the table's origin along any axis.
MAX_DISTANCE_M = 2.0

#: Tolerance of |q|² = 1, for rounding only.
QUAT_TOLERANCE = 1e-6

StructurePoses = Sequence[tuple[PieceId, Pose, bool]]


def is_valid_pose(pose: Pose) -> bool:
    try:
        check_pose("a ladder", pose)
    except WorldError:
        return False
    return True


def check_pose(piece: PieceId, pose: Pose) -> None:
    """Raise WorldError unless a pose is finite, near the table, and its rotation a unit quaternion."""
    if not all(math.isfinite(number) for number in (*pose.position, *pose.rotation)):
        raise WorldError(f"The pose given for {piece} is not a number.", remedy="Nothing was moved.")
    if max(abs(p) for p in pose.position) > MAX_DISTANCE_M:
        raise WorldError(f"The pose given for {piece} lies far from the table.", remedy="Nothing was moved.")
    if abs(sum(q * q for q in pose.rotation) - 1.0) > QUAT_TOLERANCE:
        raise WorldError(f"The pose given for {piece} has no proper rotation.", remedy="Nothing was moved.")


def check_structure(standing: StructurePoses, known: Container[PieceId]) -> None:
    """Raise WorldError unless every ladder is known, named once, and at a valid pose."""
    names: set[PieceId] = set()
    for name, pose, _ in standing:
        if name not in known or name in names:
            raise WorldError(
                f"Ladder {short_repr(name)} is named twice or isn't in this set.", remedy="Nothing was moved."
            )
        names.add(name)
        check_pose(name, pose)
