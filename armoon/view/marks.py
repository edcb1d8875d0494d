"""Marks that help to judge depth and show evidence: drop line and ring, contact points, the grip's place."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from pyglet import gl

from armoon.geometry import Array
from armoon.scene import Scene, SceneHand
from armoon.values import Vec3
from armoon.view.gl import Mesh, Program, quad_triangles
from armoon.view.light import GOLD, MOONLIGHT, Rgba

_DOT, _RING, _LINE = 0.0, 1.0, 2.0
#: Sizes on the table, metres.
_DROP_RING_M = 0.011
_CONTACT_M = 0.0075
_GRIP_OPEN_M, _GRIP_CLOSED_M = 0.019, 0.0075
_GHOST_M = 0.012
_DASH_M = 0.008
#: Lines and rings are never thinner than this, in drawn pixels of a picture 720 high.
_LINE_PX = 2.6


class Marks:
    """Draws the marks of one scene over the solids."""

    def __init__(self, clip_from_table: Array, width: int, height: int) -> None:
        self._clip_from_table = clip_from_table
        self._size = np.array([width, height], dtype=np.float64)
        self._program = Program("mark.vert", "mark.frag")
        self._mesh = Mesh((4, 3, 4, 2), dynamic=True)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        self._size = np.array([width, height], dtype=np.float64)

    def draw(self, scene: Scene, time_s: float) -> None:
        """Draw what the scene asks for; nothing if it asks for nothing."""
        quads: list[Array] = []
        if scene.drop_line is not None:
            quads += self._drop(*scene.drop_line)
        pulse = 0.85 + 0.15 * math.sin(time_s * 6.0)
        for point in scene.contact_points:
            quads.append(self._facing(point, _CONTACT_M * pulse, (*MOONLIGHT, 0.95), _DOT))
        if scene.ghost_grip is not None:
            quads.append(
                self._facing(scene.ghost_grip, _GHOST_M, (1.0, 0.55, 0.40, 0.85), _RING, (0.62, 1.0))
            )
            quads.append(self._facing(scene.ghost_grip, _GHOST_M * 0.7, (1.0, 0.55, 0.40, 0.5), _DOT))
        for hand in scene.hands:
            quads += self._grip(hand)
        if not quads:
            return
        vertices = np.concatenate(quads).astype(np.float32)
        self._mesh.upload(vertices, quad_triangles(len(quads)))
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        self._program.use()
        self._mesh.draw()
        gl.glDisable(gl.GL_BLEND)

    def _grip(self, hand: SceneHand) -> list[Array]:
        """A ring between the finger tips that closes with them."""
        if hand.grip_point is None:
            return []
        closing = min(max(hand.closing, 0.0), 1.0)
        radius = _GRIP_OPEN_M + (_GRIP_CLOSED_M - _GRIP_OPEN_M) * closing
        colour: Rgba = (*GOLD, 0.35 + 0.45 * closing)
        return [self._facing(hand.grip_point, radius, colour, _RING, (0.80 - 0.15 * closing, 1.0))]

    def _drop(self, top: Vec3, bottom: Vec3) -> list[Array]:
        """The dashed plumb line and the ring where it lands."""
        colour: Rgba = (*GOLD, 0.75)
        length = math.dist(top, bottom)
        a, b = self._clip(top), self._clip(bottom)
        along = (b[:2] / b[3] - a[:2] / a[3]) * self._size
        along /= max(float(np.linalg.norm(along)), 1e-6)
        across = np.array([-along[1], along[0]]) * self._stroke() / self._size * 2.0
        corners = []
        for end, side in ((a, -1), (b, -1), (b, 1), (a, 1)):
            moved = end.copy()
            moved[:2] += side * across * end[3]
            corners.append(moved)
        line = _quad(corners, [(-1, -1), (-1, 1), (1, 1), (1, -1)], _LINE, colour, (length / _DASH_M, 0.0))
        x, y, z = bottom
        ring = []
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            ring.append(self._clip((x + u * _DROP_RING_M, y + v * _DROP_RING_M, z + 0.001)))
        square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        # A dark ring around the gold one: gold alone is lost on the white cloud.
        dark = _quad(ring, square, _RING, (0.10, 0.08, 0.20, 0.55), (0.52, 1.0))
        flat = _quad(ring, square, _RING, (*GOLD, 1.0), (0.66, 1.0))
        return [line, dark, flat]

    def _facing(
        self,
        point: Vec3,
        radius_m: float,
        colour: Rgba,
        kind: float,
        shape: tuple[float, float] = (0.0, 1.0),
    ) -> Array:
        """A mark that faces the viewer, as large as ``radius_m`` is at its place."""
        centre = self._clip(point)
        # |clip scale| of x and y per metre at depth w; the matrix's camera rows have unit length.
        scale = np.linalg.norm(self._clip_from_table[:2, :3], axis=1)
        # Off-centre optics add a little of the viewing axis to these rows: below 1 % for webcams.
        reach = np.maximum(radius_m * scale, 4.0 * centre[3] / self._size)
        square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        corners = [centre + np.array([u * reach[0], v * reach[1], 0.0, 0.0]) for u, v in square]
        return _quad(corners, square, kind, colour, shape)

    def _clip(self, point: Vec3) -> Array:
        return np.asarray(self._clip_from_table @ np.array([*point, 1.0]))

    def _stroke(self) -> float:
        return max(1.4, _LINE_PX * float(self._size[1]) / 720.0) / 2.0 + 0.5


def _quad(
    corners: Sequence[Array],
    local: Sequence[tuple[int, int]],
    kind: float,
    colour: Rgba,
    shape: tuple[float, float],
) -> Array:
    """Four vertices (4, 13) of the mark shader."""
    return np.array(
        [[*corner, u, v, kind, *colour, *shape] for corner, (u, v) in zip(corners, local, strict=True)]
    )
