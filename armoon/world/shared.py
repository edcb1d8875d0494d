"""Poses in memory shared by two processes: one writes them, the other reads them at any time.

There are two pages, written in turn, and a counter in front of complete ones. If a writer dies in the middle of a page,
the previous one is still complete, so a reader never waits.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from armoon.geometry import Array
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose

#: One ladder: there or not, position, rotation.
_SLOT = 8


def shared_memory(ladders: int) -> Any:
    """Memory for this many ladders; it is handed to the other process when that is started."""
    return multiprocessing.get_context("spawn").RawArray("d", 1 + 2 * ladders * _SLOT)


class SharedPoses:
    """The poses of the ladders named, in memory from ``shared_memory``."""

    def __init__(self, memory: Any, names: Sequence[PieceId]) -> None:
        cells: Array = np.frombuffer(memory)
        self._names = names
        self._count = cells[:1]
        self._pages = cells[1:].reshape(2, len(names), _SLOT)

    def write(self, poses: Mapping[PieceId, Pose]) -> None:
        """Lay the poses down; the count moves on when the page is whole."""
        count = int(self._count[0]) + 1
        for row, name in zip(self._pages[count % 2], self._names, strict=True):
            pose = poses.get(name)
            if pose is None:
                row[0] = 0.0
            else:
                row[:] = (1.0, *pose.position, *pose.rotation)
        self._count[0] = count

    def read(self) -> dict[PieceId, Pose]:
        """Return the poses of one moment, by name: read again only if another page has become whole meanwhile."""
        while True:
            count = int(self._count[0])
            rows = self._pages[count % 2].tolist()
            if int(self._count[0]) == count:
                break
        return {
            name: Pose((row[1], row[2], row[3]), (row[4], row[5], row[6], row[7]))
            for name, row in zip(self._names, rows, strict=True)
            if row[0] > 0.0
        }
