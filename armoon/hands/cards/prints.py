"""What is printed on a paper ladder: points of its tags, and how bright each is in a picture that is blurred."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from armoon.geometry import Array
from armoon.values.paper import DICTIONARY, TAG_CELLS, PaperLadder, Tag

#: Points per cell along each side, and cells of the white around a tag that count with it.
_PER_CELL, _MARGIN_CELLS = 2.0, 0.25
#: White paper beyond the tag that is compared, in cells.
_WHITE_CELLS = 6
#: The error function, for blurred edges.
_ERF_AT = np.linspace(-4.0, 4.0, 801)
_ERF = np.array([math.erf(at) for at in _ERF_AT])


@dataclass(frozen=True, eq=False)
class Prints:
    """Some tags of one ladder, together."""

    tags: tuple[Tag, ...]
    points: Array
    """(tags * n, 3) card frame."""
    corners: Array
    """(tags, 4, 3) card frame, in OpenCV's order."""
    cells: Array
    """(tags, cells, cells) with white around: paper 1 and ink 0."""

    @property
    def across(self) -> int:
        """How many cells wide a tag is."""
        return self.cells.shape[1] - 2 * _WHITE_CELLS

    def levels(self, sigma_cells: Array) -> Array:
        """Return the points' brightness (tags, n), each tag's with mean 0 and length 1.

        ``sigma_cells``: (tags, 2) the blur across and down the tag, one standard deviation.
        """
        across, down = (_shares(sigma_cells[:, k], self.across) for k in (0, 1))
        seen = (down @ self.cells @ across.transpose(0, 2, 1)).reshape(len(self.tags), -1)
        seen -= seen.mean(axis=1, keepdims=True)
        return np.asarray(seen / np.sqrt((seen * seen).sum(axis=1, keepdims=True)))

    def chosen(self, which: Sequence[int]) -> Prints:
        """Return some of the tags."""
        points = self.points.reshape(len(self.tags), -1, 3)[list(which)].reshape(-1, 3)
        tags = tuple([self.tags[k] for k in which])
        return Prints(tags, points, self.corners[list(which)], self.cells[list(which)])


@cache
def _places(cells: int) -> Array:
    """Return the middles of the points along a side, in cells from the tag's corner."""
    count = round((cells + 2 * _MARGIN_CELLS) * _PER_CELL)
    return np.asarray((np.arange(count) - (count - 1) / 2.0) / _PER_CELL + cells / 2.0)


def _shares(sigma: Array, cells: int) -> Array:
    """Return how much of what each point (tags, places, cells) sees along one axis comes from which cell."""
    edges = np.arange(-_WHITE_CELLS, cells + _WHITE_CELLS + 1.0)
    away = (edges - _places(cells)[:, np.newaxis]) / (math.sqrt(2.0) * sigma[:, np.newaxis, np.newaxis])
    return np.asarray(np.diff(np.interp(away, _ERF_AT, _ERF), axis=2) / 2.0)


@cache
def prints_of(ladder: PaperLadder, *, front: bool) -> Prints:
    """Return one face's three tags."""
    return _prints([tag for tag in ladder.tags if tag.front is front])


@cache
def thumb_of(ladder: PaperLadder) -> Prints:
    """Return the thumb's tag."""
    return _prints([ladder.thumb])


def _prints(tags: Sequence[Tag]) -> Prints:
    cells = [cv2.aruco.generateImageMarker(dictionary(), tag.number, TAG_CELLS) / 255.0 for tag in tags]
    return prints_with(tags, cells)


def prints_with(tags: Sequence[Tag], cells: Sequence[Array]) -> Prints:
    """Return tags that all have as many cells: each one's (n, n), paper 1 and ink 0."""
    corners, count = np.array([tag.corners for tag in tags]), len(cells[0])
    along = _places(count)
    column, row = (grid.ravel()[:, np.newaxis] / count for grid in np.meshgrid(along, along))
    points = [c[0] + column * (c[1] - c[0]) + row * (c[3] - c[0]) for c in corners]
    framed = [np.pad(one, _WHITE_CELLS, constant_values=1.0) for one in cells]
    return Prints(tuple(tags), np.concatenate(points), corners, np.array(framed))


def dictionary() -> cv2.aruco.Dictionary:
    """Return OpenCV's dictionary of the tags."""
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
