"""Layers of bodies over the frame, in the full tier with the camera's blur and noise."""

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
#: Minimum distance from the camera for projecting hulls, in metres; nearer hulls count as the whole picture.
_NEAR_M = 0.06
#: Maximum tile coordinate; hulls beyond it count as the whole picture.
_MAX_TILES = 1000.0
#: Side of the grid cells into which a mesh is divided for its hulls, in metres.
_HULL_M = 0.03
#: Side of a tile, in pixels. Copied parts consist of squares of 4 x 4 tiles, as in Mesa, because starting a copy
#: costs as much as copying many pixels.
_TILE_PX, _LARGE_TILES = 16, 4
_NEIGHBOURS = np.ones((3, 3), np.uint8)
#: Corners of a unit square, counter-clockwise from the lower left.
_CORNERS = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
#: Mask (8, 3) of the maximum coordinates among those of a box's corners.
_IS_MAXIMUM = (np.arange(8)[:, None] >> np.arange(3)) & 1 == 1


def find_parts(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> list[Part]:
    """Return a few large parts of a picture that contain these hulls (n, corners, 3; table frame); None: all of it."""
    return to_parts(find_tiles(hulls, clip_from_table, width, height), width, height, large=True)


def find_tiles(hulls: Array | None, clip_from_table: Array, width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the tiles (rows from the lowest, columns) that contain all hulls; see ``find_parts``."""
    all_tiles = np.ones((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    if hulls is None or not len(hulls):
        return all_tiles if hulls is None else ~all_tiles
    clip = hulls @ clip_from_table[:, :3].T + clip_from_table[:, 3]
    if clip[..., 3].min() < _NEAR_M:
        return all_tiles
    tiles = (clip[..., :2] / clip[..., 3:] * 0.5 + 0.5) * [width / _TILE_PX, height / _TILE_PX] - 0.5
    if np.abs(tiles).max() > _MAX_TILES:
        return all_tiles
    covered = np.zeros(all_tiles.shape, np.uint8)
    # Add neighbours, because a tile may be missed if only an edge or corner touches it.
    for corners in tiles.astype(np.float32):
        outline = np.round(cv2.convexHull(corners) * 16.0).astype(np.int32)
        cv2.fillConvexPoly(covered, outline, (1,), shift=4)
    return np.asarray(cv2.dilate(covered, _NEIGHBOURS) > 0)


def cover_box(box: tuple[float, float, float, float], width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return the tiles that cover a box (left, lower, right, upper edge; fractions of the picture)."""
    covered = np.zeros((-(-height // _TILE_PX), -(-width // _TILE_PX)), bool)
    left, low, right, top = np.array(box) * [width, height, width, height] / _TILE_PX
    covered[max(0, int(low)) : max(0, int(top) + 1), max(0, int(left)) : max(0, int(right) + 1)] = True
    return covered


def to_parts(covered: npt.NDArray[np.bool_], width: int, height: int, *, large: bool = False) -> list[Part]:
    """Merge tiles into parts of a picture of this size; with ``large``, into fewer and larger ones."""
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
        for column, row, right, top in _find_rectangles(covered)
    ]


def _find_rectangles(covered: npt.NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Return rectangles of covered tiles: first column and row, and one past the last column and row."""
    rectangles: list[tuple[int, int, int, int]] = []
    width = covered.shape[1] + 2
    framed = np.zeros((len(covered), width), bool)
    framed[:, 1:-1] = covered
    ends = np.flatnonzero(np.diff(framed.ravel()))
    last: dict[tuple[int, int], int] = {}
    for left, right in ends.reshape(-1, 2).tolist():
        row, columns = left // width, (left % width, right % width)
        above = last.get(columns)
        if above is not None and rectangles[above][3] == row:
            rectangles[above] = (*rectangles[above][:3], row + 1)
        else:
            last[columns] = len(rectangles)
            rectangles.append((columns[0], row, columns[1], row + 1))
    return rectangles


def make_box_corners(low: Array, high: Array) -> Array:
    return np.where(_IS_MAXIMUM, high, low)


def make_mesh_hulls(vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.uint32]) -> Array:
    """Return hulls (n, 8, 3) around a mesh of vertices (m, 3 or more) and triangles (k, 3)."""
    if not len(triangles):
        return np.zeros((0, 8, 3))
    corners = vertices[:, :3].astype(np.float64)[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    grid = np.floor((low + high)[:, :2] / (2.0 * _HULL_M)).astype(int)
    order = np.lexsort(grid.T)
    grid, low, high = grid[order], low[order], high[order]
    first = np.flatnonzero(np.append(True, (grid[1:] != grid[:-1]).any(axis=1)))
    low, high = np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)
    return np.where(_IS_MAXIMUM, high[:, None], low[:, None])


#: Standard deviation of a webcam's blur, in camera pixels; common webcams have 0.5 to 0.8.
CAMERA_BLUR_PX = 0.6
#: Samples per pixel; with one, thin rails flicker.
SAMPLES_PER_PX = 4
#: Standard deviation of multisampling's blur, which averages one pixel's area, in pixels.
_SAMPLING_BLUR_PX = 0.29


class BodyLayer:
    """A transparent picture of bodies, drawn with multisampling."""

    def __init__(
        self, width: int, height: int, *, full: bool = False, sharing: BodyLayer | None = None
    ) -> None:
        """Make a layer, which may share another's sample buffers. Raises DisplayError if the driver refuses it."""
        self._program = gl.ShaderProgram("feed.vert", "layer.frag", samplers=("layer",), full=full)
        self._mesh = gl.Mesh((2,))
        self._sharing = sharing
        self._parts: list[Part] = []
        self.resize_targets(width, height)

    def resize_targets(self, width: int, height: int) -> None:
        colours = None if self._sharing is None else self._sharing.sampled
        try:
            self.sampled: gl.Target = gl.make_sampled_target(width, height, SAMPLES_PER_PX, colours)
        except DisplayError:  # without multisampling, edges are jagged
            self.sampled = gl.make_sampled_target(width, height)
        self.texture = gl.make_texture(width, height, 4)
        self._resolved = gl.make_target(colour=self.texture)

    def begin_drawing(self, parts: Sequence[Part], behind: gl.Target | None = None) -> None:
        """Clear parts of the layer and start drawing into them, with the depths of the target ``behind``, if given."""
        self._parts = [part for part in parts if part[2] > 0 and part[3] > 0]
        self.sampled.use()
        gl.limit_drawing(_find_bounds(self._parts), self.sampled)
        gl.begin_pass(depth=True)
        self.sampled.clear()
        if behind is not None:
            gl.limit_drawing(None, self.sampled)
            for part in self._parts:
                gl.copy_depths(behind, self.sampled, part)
            gl.limit_drawing(_find_bounds(self._parts), self.sampled)

    def end_drawing(self, into: gl.Target | None = None) -> None:
        gl.limit_drawing(None, self.sampled)
        for part in self._parts:
            gl.copy_colour(self.sampled, into or self._resolved, part=part)

    def blend_over(
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
        mesh.upload(*make_part_quads(parts, into.viewport[2:]))
        mesh.draw(program)


def make_part_quads(
    parts: Sequence[Part], size: tuple[int, int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return corners (4 n, 2) in clip space and triangles for n parts of a picture of this size."""
    boxes = np.array(parts, np.float64).reshape(-1, 1, 4)
    corners = boxes[..., :2] + boxes[..., 2:] * _CORNERS
    places = corners.reshape(-1, 2) * 2.0 / np.array(size) - 1.0
    return places.astype(np.float32), gl.quad_triangles(len(parts))


def _find_bounds(parts: Sequence[Part]) -> Part:
    if not parts:
        return (0, 0, 1, 1)
    left, low, width, height = np.array(parts).T
    x, y = int(left.min()), int(low.min())
    return (x, y, int((left + width).max()) - x, int((low + height).max()) - y)
