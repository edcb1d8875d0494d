"""The still parts, drawn once without hands and shown until they change: bodies, and their shadows on the table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import (
    Mesh,
    Target,
    Texture,
    bind_textures,
    copy_depths,
    depth_texture,
    target,
    texture,
)
from armoon.gl.program import Program
from armoon.values.pieces import PieceId
from armoon.values.scene import Scene, ScenePiece
from armoon.view.scene.board import Sight
from armoon.view.scene.layer import Layer, draw_parts
from armoon.view.scene.parts import Part
from armoon.view.scene.shadows import Shadows
from armoon.view.scene.solids import Solids

#: Number of unchanged pictures after which a ladder stands still again.
_AT_REST = 6
#: Ladders of these looks are carried, or their light swells and fades.
_LIVELY = frozenset({"offered", "waiting", "held"})


class Still:
    """The still part of one tier's pictures."""

    def __init__(
        self,
        width: int,
        height: int,
        samples: int,
        solids: Solids,
        shadows: Shadows,
        moving: Layer,
        *,
        hard: bool,
    ) -> None:
        """Make the layer beside the one of what is ``moving``.

        ``hard``: what isn't a ladder throws hard shadows as well, else none on other bodies.

        Raises DisplayError if the driver refuses it.
        """
        self._solids, self._shadows = solids, shadows
        samplers = ("layer", "depths", "hand_mask", "darkened", "shadow_map", "still_map")
        self._programs = {
            (shaded, hands): Program("feed.vert", name, samplers=samplers, hands=hands)
            for shaded, name in ((False, "still.frag"), (True, "still_shaded.frag"))
            for hands in (False, True)
        }
        for program in self._programs.values():
            program.set("hard", hard)
        self._on_table = Program("table_shadow.vert", "still_shadow.frag", samplers=("hand_mask", "left"))
        self._mesh = Mesh((2,))
        self._everywhere = texture(1, 1, 4, np.full((1, 1, 4), 255, np.uint8))
        self._pieces: dict[PieceId, tuple[ScenePiece, int]] = {}
        self._layer = Layer(width, height, samples, beside=moving)
        self._fit(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        self._layer.resize(width, height)
        self._fit(width, height)

    def _fit(self, width: int, height: int) -> None:
        self._dark = texture(width, height, 4)
        self._dark_target = target(colour=self._dark)
        self._depths = depth_texture(width, height, compared=False)
        self._depth_target = target(depth=self._depths)
        self._light_left = texture(width, height, 4)
        self._left_target = target(colour=self._light_left)

    @property
    def sampled(self) -> Target:
        """Holds the depths of the still parts."""
        return self._layer.sampled

    def follow(self, scene: Scene) -> tuple[list[ScenePiece], list[ScenePiece]]:
        """Return the ladders that stand still, and those that don't."""
        pieces: dict[PieceId, tuple[ScenePiece, int]] = {}
        for piece in scene.pieces:
            before, pictures = self._pieces.get(piece.piece, (piece, _AT_REST))
            pieces[piece.piece] = (piece, pictures + 1 if piece == before else 0)
        self._pieces = pieces
        still: list[ScenePiece] = []
        moving: list[ScenePiece] = []
        for piece, pictures in pieces.values():
            rests = pictures >= _AT_REST and piece.size == 1.0 and piece.look not in _LIVELY
            (still if rests else moving).append(piece)
        return still, moving

    def draw(self, sight: Sight, parts: list[Part], fields: npt.NDArray[np.bool_]) -> None:
        """Draw what the solids show, which lies in these parts; ``fields`` of the table are shaded."""
        self._parts, self._is_darkened = parts, False
        self._shadows.draw_maps((), self._solids.draw_casters)
        self._left_target.use()
        self._left_target.clear(1.0, 1.0, 1.0, 1.0)
        self._shadows.draw_on_table(sight.hand_mask, fields, hands=False)
        self._layer.sampled.clear()  # its depths are copied where others move, not in its parts alone
        self._depth_target.use()
        self._depth_target.clear()
        self._draw_bodies(sight, parts)

    def draw_again(self, sight: Sight, parts: list[Part]) -> None:
        """Draw these parts anew, in which bodies stand as they did and only look different."""
        self._is_darkened = False
        self._shadows.add(None)
        self._draw_bodies(sight, parts)

    def _draw_bodies(self, sight: Sight, parts: list[Part]) -> None:
        self._layer.begin(parts)
        self._solids.draw(sight, hands=False)
        self._layer.end()
        self._depth_target.use()
        for part in parts:
            copy_depths(self._layer.sampled, self._depth_target, part)

    def darken(self, sight: Sight, layer: Layer) -> None:
        """Draw once more what the solids show, all of it in shadow, by way of ``layer``: something moves above it."""
        if self._is_darkened:
            return
        self._is_darkened = True
        before, self._shadows.map = self._shadows.map, self._everywhere
        layer.begin(self._parts)
        self._solids.draw(sight, hands=False)
        layer.end(self._dark_target)
        self._shadows.map = before

    def lay_on_table(self, hand_mask: Texture, fields: npt.NDArray[np.bool_]) -> None:
        """Darken these fields of the table by the shadows of the still parts."""
        begin_pass(Blend.DARKEN)
        bind_textures(hand_mask, self._light_left)
        self._shadows.draw_fields(self._on_table, fields)

    def lay_over(
        self, into: Target, hand_mask: Texture, parts: Mapping[tuple[bool, bool], list[Part]]
    ) -> None:
        """Blend what stands still over ``into``, which is open then.

        ``parts``: those that may lie under what moves or don't, and those that may lie behind a hand or don't.
        """
        into.use()
        begin_pass(Blend.PREMULTIPLIED)
        shadows = (self._dark, self._shadows.map, self._shadows.still_map)
        bind_textures(self._layer.texture, self._depths, hand_mask, *shadows)
        for kind, found in parts.items():
            draw_parts(self._mesh, self._programs[kind], found, into)
