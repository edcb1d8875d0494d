"""The parts of a renderer that differ between tiers. The parts of every tier used so far stay in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from armoon import gl
from armoon.errors import DisplayError
from armoon.geometry import Array
from armoon.messages import text
from armoon.values.pieces import PieceId
from armoon.values.poses import Vec3
from armoon.values.scene import Scene, SceneDie, ScenePiece
from armoon.view.scene.board import BodyInputs
from armoon.view.scene.hand_mask import HandMask, HandShadow
from armoon.view.scene.layer import BodyLayer, Part, cover_box, draw_parts, find_parts, find_tiles, to_parts
from armoon.view.scene.shadows import Shadows, add_shadow_hulls
from armoon.view.scene.solids import Solids, TableBodies
from armoon.view.scene.tiers import FULL, PLAIN

#: Number of pictures without a change after which a ladder counts as still.
_STILL_PICTURES = 6
#: Looks of ladders that are carried or have a pulsing light.
_MOVING_LOOKS = frozenset({"offered", "waiting", "held"})


class StillLayer:
    """The still part of the plain tier's pictures, redrawn only when it changes."""

    def __init__(
        self, width: int, height: int, solids: Solids, shadows: Shadows, moving: BodyLayer, *, hard: bool
    ) -> None:
        """Make a layer that shares the sample buffers of the layer of ``moving`` bodies.

        ``hard``: bodies other than ladders cast shadows, too. Raises DisplayError if the driver refuses the layer.
        """
        self._solids, self._shadows = solids, shadows
        samplers = ("layer", "depths", "hand_mask", "darkened", "shadow_map", "still_map")
        self._programs = {
            (shaded, hands): gl.ShaderProgram("feed.vert", name, samplers=samplers, hands=hands)
            for shaded, name in ((False, "still.frag"), (True, "still_shaded.frag"))
            for hands in (False, True)
        }
        for program in self._programs.values():
            program.set("hard", hard)
        self._table_program = gl.ShaderProgram(
            "table_shadow.vert", "still_shadow.frag", samplers=("hand_mask", "left")
        )
        self._mesh = gl.Mesh((2,))
        self._full_shadow = gl.make_texture(1, 1, 4, np.full((1, 1, 4), 255, np.uint8))
        self._pieces: dict[PieceId, tuple[ScenePiece, int]] = {}
        self._layer = BodyLayer(width, height, sharing=moving)
        self._make_targets(width, height)

    def resize_targets(self, width: int, height: int) -> None:
        self._layer.resize_targets(width, height)
        self._make_targets(width, height)

    def _make_targets(self, width: int, height: int) -> None:
        self._dark = gl.make_texture(width, height, 4)
        self._dark_target = gl.make_target(colour=self._dark)
        self._depths = gl.make_depth_texture(width, height, compared=False)
        self._depth_target = gl.make_target(depth=self._depths)
        self._remaining_light = gl.make_texture(width, height, 4)
        self._remaining_light_target = gl.make_target(colour=self._remaining_light)

    @property
    def sampled(self) -> gl.Target:
        return self._layer.sampled

    def split_pieces(self, scene: Scene) -> tuple[list[ScenePiece], list[ScenePiece]]:
        """Split a scene's ladders into still and moving ones."""
        pieces: dict[PieceId, tuple[ScenePiece, int]] = {}
        for piece in scene.pieces:
            before, pictures = self._pieces.get(piece.piece, (piece, _STILL_PICTURES))
            pieces[piece.piece] = (piece, pictures + 1 if piece == before else 0)
        self._pieces = pieces
        still: list[ScenePiece] = []
        moving: list[ScenePiece] = []
        for piece, pictures in pieces.values():
            is_still = pictures >= _STILL_PICTURES and piece.size == 1.0 and piece.look not in _MOVING_LOOKS
            (still if is_still else moving).append(piece)
        return still, moving

    def draw_still(self, inputs: BodyInputs, parts: list[Part], cells: npt.NDArray[np.bool_]) -> None:
        """Draw the selected solids in these parts, and their shadow in these ``cells`` of the table."""
        self._parts, self._is_darkened = parts, False
        self._shadows.draw_maps((), self._solids.draw_casters)
        self._remaining_light_target.use()
        self._remaining_light_target.clear(1.0, 1.0, 1.0, 1.0)
        self._shadows.draw_on_table(inputs.hand_mask, cells, hands=False)
        self._layer.sampled.clear()  # depths are also copied outside the parts
        self._depth_target.use()
        self._depth_target.clear()
        self._draw_bodies(inputs, parts)

    def redraw_parts(self, inputs: BodyInputs, parts: list[Part]) -> None:
        self._is_darkened = False
        self._shadows.add_moving(None)
        self._draw_bodies(inputs, parts)

    def _draw_bodies(self, inputs: BodyInputs, parts: list[Part]) -> None:
        self._layer.begin_drawing(parts)
        self._solids.draw_solids(inputs, hands=False)
        self._layer.end_drawing()
        self._depth_target.use()
        for part in parts:
            gl.copy_depths(self._layer.sampled, self._depth_target, part)

    def draw_shaded(self, inputs: BodyInputs, layer: BodyLayer) -> None:
        """Draw the selected solids as if in full shadow, which moving bodies may cast on them; overwrites ``layer``."""
        if self._is_darkened:
            return
        self._is_darkened = True
        before, self._shadows.map = self._shadows.map, self._full_shadow
        layer.begin_drawing(self._parts)
        self._solids.draw_solids(inputs, hands=False)
        layer.end_drawing(self._dark_target)
        self._shadows.map = before

    def shade_table(self, hand_mask: gl.Texture, cells: npt.NDArray[np.bool_]) -> None:
        gl.begin_pass(gl.Blend.DARKEN)
        gl.bind_textures(hand_mask, self._remaining_light)
        self._shadows.draw_cells(self._table_program, cells)

    def blend_over(
        self, into: gl.Target, hand_mask: gl.Texture, parts: Mapping[tuple[bool, bool], list[Part]]
    ) -> None:
        """Blend still bodies over ``into``; keys of ``parts``: whether these may be in shadow, and behind hands."""
        into.use()
        gl.begin_pass(gl.Blend.PREMULTIPLIED)
        shadows = (self._dark, self._shadows.map, self._shadows.still_map)
        gl.bind_textures(self._layer.texture, self._depths, hand_mask, *shadows)
        for kind, part in parts.items():
            draw_parts(self._mesh, self._programs[kind], part, into)


#: Size of a freed surface, in pixels.
_FREED_SIZE = (8, 8)


class TierParts:
    """Shader programs, shadow maps and surfaces of one tier; the plain one caches still bodies."""

    def __init__(
        self,
        bodies: TableBodies,
        mirrored: bool,
        hand_shadow: HandShadow | None,
        size: tuple[int, int],
        *,
        full: bool,
    ) -> None:
        """Compile shaders and allocate surfaces for pictures of ``size`` (pixels).

        Raises DisplayError if the driver can't draw this tier.
        """
        self.full = full
        self.solids = Solids(bodies, mirrored, full=full)
        self.shadows = Shadows(hand_shadow, full=full)
        self._layer = BodyLayer(*size, full=full)
        self._still: StillLayer | None = None
        if not full:
            hard = bodies.board is not None
            self._still = StillLayer(*size, self.solids, self.shadows, self._layer, hard=hard)
        self._size = size
        self._drawn: tuple[object, tuple[SceneDie | None, object]] | None = None

    def resize_targets(self, size: tuple[int, int]) -> None:
        if self._size == size:
            return
        self._size, self._drawn = size, None
        self._layer.resize_targets(*size)
        if self._still is not None:
            self._still.resize_targets(*size)

    def prepare_scene(
        self, scene: Scene, inputs: BodyInputs, clip_from_table: Array, to_light: Vec3, view_key: object
    ) -> None:
        """Draw a placed scene's shadow maps, and its still bodies if they or the cache key ``view_key`` changed."""
        solids, shadows = self.solids, self.shadows
        if self._still is None:
            hulls = solids.find_hulls()
            self._parts = find_parts(None, clip_from_table, *self._size)  # blur reaches beyond any part
            self._cells = shadows.find_cells(hulls, to_light)
            shadows.draw_maps(scene.hands, solids.draw_casters)
            return
        still, moving = self._still.split_pieces(scene)
        solids.select_bodies(still, others=False)
        before, self._drawn = self._drawn, ((view_key, still), solids.still_key)
        relit = None
        if before is not None and before != self._drawn and before[0] == self._drawn[0]:
            relit = solids.find_relit_hulls(before[1])
        if relit is not None:
            self._still.redraw_parts(inputs, find_parts(relit, clip_from_table, *self._size))
        elif before != self._drawn:
            hulls = solids.find_hulls()
            self._tiles = find_tiles(hulls, clip_from_table, *self._size)
            self._still_cells = shadows.find_cells(hulls, to_light)
            self._still.draw_still(inputs, to_parts(self._tiles, *self._size), self._still_cells)
        solids.select_bodies(moving, base=False)
        hulls = solids.find_hulls()
        self._parts = find_parts(hulls, clip_from_table, *self._size)
        self._cells = shadows.find_cells(hulls, to_light)
        self._shaded = find_tiles(add_shadow_hulls(hulls, to_light), clip_from_table, *self._size)
        if (self._shaded & self._tiles).any():
            solids.select_bodies(still, others=False)
            self._still.draw_shaded(inputs, self._layer)
            solids.select_bodies(moving, base=False)
        shadows.add_moving(solids.draw_casters if len(hulls) else None)

    def shade_table(self, hand_mask: gl.Texture, *, hands: bool) -> None:
        self.shadows.draw_on_table(hand_mask, self._cells, hands=hands)
        if self._still is not None:
            self._still.shade_table(hand_mask, self._still_cells & ~self._cells)

    def draw_all(
        self, into: gl.Target, inputs: BodyInputs, drawn_per_camera_px: float, hands: HandMask
    ) -> None:
        """Draw flat objects on the table and bodies over them, behind nearer hands."""
        if self._still is not None:
            into.use()
            self.solids.draw_flat(inputs)
            behind = cover_box(hands.box, *self._size) if hands.has_hands else np.zeros_like(self._shaded)
            parts = {
                (shaded, behind_hand): to_parts(
                    self._tiles & (self._shaded == shaded) & (behind == behind_hand), *self._size
                )
                for shaded in (False, True)
                for behind_hand in (False, True)
            }
            self._still.blend_over(into, inputs.hand_mask, parts)
        if self._parts:
            self._layer.begin_drawing(self._parts, None if self._still is None else self._still.sampled)
            if self.full:  # flat objects also get the camera's blur and noise
                self.solids.draw_flat(inputs)
            self.solids.draw_solids(inputs, hands=hands.has_hands)
            self._layer.end_drawing()
            self._layer.blend_over(into, drawn_per_camera_px)


class TierChoice:
    """The current tier, and the parts of all tiers used so far."""

    def __init__(self, make: Callable[..., TierParts], name: str) -> None:
        """Start with this tier, or the plain one if it can't be drawn. Raises DisplayError if neither can."""
        self._make_parts = make
        self._parts_by_tier: dict[str, TierParts] = {}
        self.notices: list[str] = []
        self.select(name)

    @property
    def name(self) -> str:
        return FULL if self.parts.full else PLAIN

    def select(self, name: str) -> None:
        """Switch to this tier, or to the plain one if it can't be drawn, and free the other tier's surfaces."""
        if name == FULL and FULL not in self._parts_by_tier and not self.notices:
            try:
                self._parts_by_tier[FULL] = self._make_parts(full=True)
            except DisplayError as error:
                self.notices.append(text("fault.display.plain", why=error.what))
        if name not in self._parts_by_tier:
            name = PLAIN
        if name not in self._parts_by_tier:
            self._parts_by_tier[PLAIN] = self._make_parts(full=False)
        self.parts = self._parts_by_tier[name]
        self.free_surfaces(name)

    def free_surfaces(self, kept: str = "") -> None:
        """Free the surfaces of all tiers except ``kept``; drawing in a freed tier allocates them again."""
        for name, parts in self._parts_by_tier.items():
            if name != kept:
                parts.resize_targets(_FREED_SIZE)
