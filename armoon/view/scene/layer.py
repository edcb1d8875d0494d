"""A layer of virtual objects over the frame; in the full tier with the camera's blur and noise."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from armoon import gl
from armoon.errors import DisplayError
from armoon.geometry import Array

#: Left, lowest row, width and height of a part of the picture, drawn pixels.
Part = tuple[int, int, int, int]
#: Distance from the camera below which a thing may be anywhere in the picture, metres.
_NEAR_M = 0.06
#: Distance from the picture beyond which likewise, in squares.
_FAR = 1000.0
#: Width of the hulls around a mesh, metres.
_HULL_M = 0.03
#: Parts are put together from squares of this side. Mesa draws by larger ones, each several of these wide: what is
#: copied is cut by those, since each copy costs as much as many pixels.
_TILE_PX, _LARGE_TILES = 16, 4
_AROUND = np.ones((3, 3), np.uint8)
#: Which of a hull's corners (8, 3) lie at its greatest coordinates.
_SIDES = (np.arange(8)[:, None] >> np.arange(3)) & 1 == 1


def parts_of(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> list[Part]:
    """Return few large parts of a picture that hold all hulls (n, corners, 3: table frame, metres); None: all of it."""
    return as_parts(tiles_of(hulls, clip_from_table, width, height), width, height, large=True)


def tiles_of(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the picture's squares (up from the lowest, across) that hold all hulls, see ``parts_of``."""
    everything = np.ones((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    if hulls is None or not len(hulls):
        return everything if hulls is None else ~everything
    clip = hulls @ clip_from_table[:, :3].T + clip_from_table[:, 3]
    if clip[..., 3].min() < _NEAR_M:
        return everything
    tiles = (clip[..., :2] / clip[..., 3:] * 0.5 + 0.5) * [width / _TILE_PX, height / _TILE_PX] - 0.5
    if np.abs(tiles).max() > _FAR:
        return everything
    covered = np.zeros(everything.shape, np.uint8)
    # Squares that only an edge or corner touches may be missed, but for those around them.
    for corners in tiles.astype(np.float32):
        outline = np.round(cv2.convexHull(corners) * 16.0).astype(np.int32)
        cv2.fillConvexPoly(covered, outline, (1,), shift=4)
    return np.asarray(cv2.dilate(covered, _AROUND) > 0)


def tiles_in(box: tuple[float, float, float, float], width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the squares that hold a box (left, lower, right, upper edge in parts of a picture)."""
    covered = np.zeros((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    left, low, right, top = np.array(box) * [width, height, width, height] / _TILE_PX
    covered[max(0, int(low)) : max(0, int(top) + 1), max(0, int(left)) : max(0, int(right) + 1)] = True
    return covered


def as_parts(covered: npt.NDArray[np.bool_], width: int, height: int, *, large: bool = False) -> list[Part]:
    """Return the squares of ``tiles_of`` as parts of a picture of this size; ``large``: in few ones that hold more."""
    tile_px = _TILE_PX
    if large:
        tile_px *= _LARGE_TILES
        rows, columns = covered.shape
        covered = np.pad(covered, ((0, -rows % _LARGE_TILES), (0, -columns % _LARGE_TILES)))
        blocks = covered.reshape(covered.shape[0] // _LARGE_TILES, _LARGE_TILES, -1, _LARGE_TILES)
        covered = blocks.any(axis=(1, 3))
    return [
        (
            column * tile_px,
            row * tile_px,
            min(right * tile_px, width) - column * tile_px,
            min(top * tile_px, height) - row * tile_px,
        )
        for column, row, right, top in _rectangles(covered)
    ]


def _rectangles(covered: npt.NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Return the covered squares as rectangles: first column and row, and those beyond."""
    found: list[tuple[int, int, int, int]] = []
    wide = covered.shape[1] + 2
    ends = np.flatnonzero(np.diff(np.pad(covered, ((0, 0), (1, 1))).ravel()))
    last: dict[tuple[int, int], int] = {}
    for left, right in ends.reshape(-1, 2).tolist():
        row, columns = left // wide, (left % wide, right % wide)
        above = last.get(columns)
        if above is not None and found[above][3] == row:
            found[above] = (*found[above][:3], row + 1)
        else:
            last[columns] = len(found)
            found.append((columns[0], row, columns[1], row + 1))
    return found


def hull_of(least: Array, greatest: Array) -> Array:
    return np.where(_SIDES, greatest, least)


def hulls_over(vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.uint32]) -> Array:
    """Corners (n, 8, 3) of what holds a mesh: vertices (m, 3 and more) and triangles (k, 3)."""
    if not len(triangles):
        return np.zeros((0, 8, 3))
    corners = vertices[:, :3].astype(np.float64)[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    fields = np.floor((low + high)[:, :2] / (2.0 * _HULL_M)).astype(int)
    order = np.lexsort(fields.T)
    fields, low, high = fields[order], low[order], high[order]
    first = np.flatnonzero(np.append(True, (fields[1:] != fields[:-1]).any(axis=1)))
    low, high = np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)
    return np.where(_SIDES, high[:, None], low[:, None])


#: A webcam's own softness, one standard deviation in its pixels (measured of common webcams: 0.5 to 0.8).
CAMERA_BLUR_PX = 0.6
#: Per pixel: thin rails crawl without them.
SAMPLES = 4
#: What four samples a pixel already blur: a box of one pixel.
_SAMPLING_BLUR_PX = 0.29


class BodyLayer:
    """A picture of bodies with transparency, multisampled while it is drawn."""

    def __init__(
        self, width: int, height: int, *, full: bool = False, beside: BodyLayer | None = None
    ) -> None:
        """Make the layer, sharing the samples of one ``beside`` it. Raises DisplayError if the driver refuses it."""
        self._program = gl.ShaderProgram("feed.vert", "layer.frag", samplers=("layer",), full=full)
        self._mesh = gl.Mesh((2,))
        self._beside = beside
        self._parts: list[Part] = []
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        colours = None if self._beside is None else self._beside.sampled
        try:
            self.sampled: gl.Target = gl.sampled_target(width, height, SAMPLES, colours)
        except DisplayError:  # a driver without multisampling still plays, with jagged edges
            self.sampled = gl.sampled_target(width, height)
        self.texture = gl.texture(width, height, 4)
        self._resolved = gl.target(colour=self.texture)

    def begin(self, parts: Sequence[Part], behind: gl.Target | None = None) -> None:
        """Clear these parts of the layer and draw into them, with the depths of the target ``behind``."""
        self._parts = [part for part in parts if part[2] > 0 and part[3] > 0]
        self.sampled.use()
        gl.limit_to(_around_all(self._parts), self.sampled)
        gl.begin_pass(depth=True)
        self.sampled.clear()
        if behind is not None:
            gl.limit_to(None, self.sampled)
            for part in self._parts:
                gl.copy_depths(behind, self.sampled, part)
            gl.limit_to(_around_all(self._parts), self.sampled)

    def end(self, into: gl.Target | None = None) -> None:
        gl.limit_to(None, self.sampled)
        for part in self._parts:
            gl.copy_colour(self.sampled, into or self._resolved, part=part)

    def lay_over(
        self, into: gl.Target, drawn_per_camera_px: float = 1.0, *, corner: tuple[int, int] = (0, 0)
    ) -> None:
        """Blend the drawn parts over ``into``, with the layer's lower left at ``corner``."""
        into.use()
        camera_blur = CAMERA_BLUR_PX * drawn_per_camera_px
        self._program.set("blur", max(camera_blur**2 - _SAMPLING_BLUR_PX**2, 0.0) ** 0.5)
        gl.begin_pass(gl.Blend.PREMULTIPLIED)
        gl.bind_textures(self.texture)
        self._program.set("corner", *corner)
        x, y = corner
        parts = [(left + x, low + y, width, height) for left, low, width, height in self._parts]
        draw_parts(self._mesh, self._program, parts, into)


def draw_parts(mesh: gl.Mesh, program: gl.ShaderProgram, parts: Sequence[Part], into: gl.Target) -> None:
    if parts:
        mesh.upload(*quads_of(parts, into.viewport[2:]))
        mesh.draw(program)


def quads_of(
    parts: Sequence[Part], size: tuple[int, int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Corners in clip space (4 * parts, 2) and triangles of parts of a picture of this size."""
    left, low, width, height = np.array(parts, np.float64).reshape(-1, 4).T
    across, up = [left, left + width, left + width, left], [low, low, low + height, low + height]
    corners = np.stack([np.stack(across, axis=-1), np.stack(up, axis=-1)], axis=-1)
    places = corners.reshape(-1, 2) * 2.0 / np.array(size) - 1.0
    return places.astype(np.float32), gl.quad_triangles(len(parts))


def _around_all(parts: Sequence[Part]) -> Part:
    if not parts:
        return (0, 0, 1, 1)
    left, low, width, height = np.array(parts).T
    x, y = int(left.min()), int(low.min())
    return (x, y, int((left + width).max()) - x, int((low + height).max()) - y)
