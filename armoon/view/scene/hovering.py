"""Base and lid hovering without a table: each over a soft shadow of its own, in the air."""

from __future__ import annotations

import numpy as np

from armoon.geometry import Array
from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, Texture, bind_textures, quad_triangles
from armoon.gl.program import Program
from armoon.values.poses import Pose, Vec3
from armoon.view.marks.mark_shapes import DISC, LAYOUT, MarkShapes
from armoon.view.scene.light import MOONLIGHT, Rgba

#: Distance of a shadow below what hovers, and half of its width and depth, metres.
_BELOW_M = 0.030
_BASE_M, _LID_M = (0.088, 0.070), (0.056, 0.040)
_SHADE: Rgba = (0.02, 0.03, 0.10, 0.62)
#: A breath of the moon's light between thing and shadow, which says that air is there.
_LIGHT: Rgba = (*MOONLIGHT, 0.10)


class Hovering:
    """The shadows of base and lid, of one picture."""

    def __init__(self, *, base: bool, lid: Pose | None) -> None:
        """Needs a current context. Without a base or a lid there is nothing under them."""
        self._program = Program("mark.vert", "hovering.frag", samplers=("hand_mask",))
        self._mesh = Mesh(LAYOUT)
        places: list[tuple[Vec3, tuple[float, float]]] = [((0.0, 0.0, 0.0), _BASE_M)] if base else []
        if lid is not None:
            places.append((lid.position, _LID_M))
        self._places = places
        self._count = 0

    def fit(self, clip_from_table: Array, width: int, height: int) -> None:
        """Fit the view to this matrix (4, 4) and pictures of this size in pixels."""
        shapes = MarkShapes(clip_from_table, width, height)
        quads: list[Array] = []
        for (x, y, z), (a, b) in self._places:
            for below, size, colour in ((1.0, 1.0, _SHADE), (0.45, 1.12, _LIGHT)):
                centre = (x, y, z - below * _BELOW_M)
                quads.append(shapes.flat(centre, (a * size, 0.0, 0.0), (0.0, b * size, 0.0), colour, DISC))
        self._count = len(quads)
        if quads:
            self._mesh.upload(np.concatenate(quads).astype(np.float32), quad_triangles(len(quads)))

    def draw(self, hand_mask: Texture) -> None:
        """Draw them over the camera's frame, where no hand is before them."""
        if self._count:
            begin_pass(Blend.OVER)
            bind_textures(hand_mask)
            self._mesh.draw(self._program)
