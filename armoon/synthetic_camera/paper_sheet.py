"""Drawing a paper ladder in the rendered camera's picture and in its shadow map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armoon.geometry import mat_from_quat
from armoon.gl.memory import Mesh, Texture, bind_textures, quad_triangles, texture
from armoon.gl.program import Program
from armoon.synthetic_camera.anatomy import HeldPaper
from armoon.synthetic_camera.paper import paper_corners, printed
from armoon.values.paper import PaperLadder

#: Where the corners lie on a face's print, from its upper left.
_ON_PRINT = np.array([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)])


class PaperSheet:
    """Both ladders; needs the current context."""

    def __init__(self) -> None:
        self._mesh = Mesh((3, 2))
        self._program = Program("stage_paper.vert", "stage_paper.frag", samplers=("shadow_map", "ink"))
        self._depth_program = Program("stage_paper.vert", "stage_depth.frag")
        self._prints: dict[PaperLadder, Texture] = {}

    def draw_depth(self, paper: HeldPaper, common: Mapping[str, Any]) -> None:
        """Draw it into the shadow map."""
        self._draw(paper, self._depth_program, {**common, "facing": (0.0, 0.0, 0.0)})

    def draw(self, paper: HeldPaper, shadow_map: Texture, common: Mapping[str, Any]) -> None:
        """Draw it as the camera sees it; ``common``: what the hand's shader gets."""
        ink = self._prints.get(paper.ladder)
        if ink is None:
            pixels = printed(paper.ladder)
            height, width = pixels.shape
            ink = self._prints[paper.ladder] = texture(width, height, 1, pixels[:, :, np.newaxis])
        bind_textures(shadow_map, ink)
        normal = mat_from_quat(paper.table_from_card.rotation)[:, 2]
        away = np.array(common["eye"]) - np.array(paper.table_from_card.position)
        back = float(normal @ away) < 0.0
        facing = tuple((-normal if back else normal).tolist())
        self._draw(paper, self._program, {**common, "facing": facing, "back": float(back)})

    def _draw(self, paper: HeldPaper, program: Program, values: Mapping[str, Any]) -> None:
        self._mesh.upload(np.column_stack([paper_corners(paper), _ON_PRINT]), quad_triangles(1))
        program.set_all(values)
        self._mesh.draw(program)
