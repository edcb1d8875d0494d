"""The table: a slab whose top is the plane z = 0."""

from __future__ import annotations

from armoon.values.pieces import TABLE, Box
from armoon.values.poses import IDENTITY_QUAT

#: Half sizes. Far wider than any camera sees, so that nothing slides or is flung off it.
TABLE_HALF_M = (3.0, 3.0, 0.02)


def table_boxes() -> tuple[Box, ...]:
    """Return the table's one box, in the table frame."""
    return (Box((0.0, 0.0, -TABLE_HALF_M[2]), IDENTITY_QUAT, TABLE_HALF_M, TABLE),)
