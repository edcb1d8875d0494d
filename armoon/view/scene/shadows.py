"""Shadow maps, and the shadows on the real table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from armoon import gl
from armoon.geometry import Array
from armoon.values.poses import Vec3
from armoon.values.scene import SceneHand
from armoon.view.scene.hand_mask import HandShadow

#: Area of the maps around base and lid: left and near edge, width and depth, in metres.
SHADOW_GROUND = (-0.24, -0.26, 0.56, 0.52)

#: Side of the shadow map for the ground (a table or clouds), in pixels, in the plain and the full tier.
_MAP_PX = (512, 1024)
#: Side of the full tier's depth map along the light, in pixels; that of the map from above is a quarter as long.
_DEPTH_MAP_PX = 2048
#: Number of mipmap levels of the ground's shadow map. They soften shadows.
_MAP_LEVELS = 4

#: Maximum width of the shadows' soft edges, in metres, in the plain and the full tier.
_MAX_SOFT_M = (0.045, 0.11)
#: Number of ground cells in each direction.
_CELLS = 32

DrawCasters = Callable[[gl.ShaderProgram], None]


class Shadows:
    def __init__(self, hand_shadow: HandShadow | None, *, full: bool) -> None:
        """Create the maps. The full tier needs ``hand_shadow``. Raises DisplayError if the driver refuses a map."""
        self._caster = gl.ShaderProgram("caster.vert", "caster.frag", full=full)
        size = _MAP_PX[full]
        self.still_map = self.map = gl.make_texture(size, size, 4, mipmaps=_MAP_LEVELS)
        """The shadow map of all bodies; ``still_map`` lacks the moving ones that ``add_moving`` draws."""
        self._target = gl.make_target(colour=self.map)
        self._moving_map: tuple[gl.Texture, gl.Target] | None = None
        samplers = ("hand_mask", "shadow_map", "key_map", "sky_map", "hand_shadow")
        self._table_programs = {
            hands: gl.ShaderProgram(
                "table_shadow.vert", "table_shadow.frag", samplers=samplers, full=full, hands=hands
            )
            for hands in (True, False)
        }
        self._ground = gl.Mesh((2,))
        self._soft_m = _MAX_SOFT_M[full]
        self._hand_shadow = hand_shadow
        self.key_map: gl.Texture | None = None
        self.sky_map: gl.Texture | None = None
        self._depth_caster: gl.ShaderProgram | None = None
        if full:
            self._depth_caster = gl.ShaderProgram("caster.vert", "caster_depth.frag", full=full)
            self.key_map = gl.make_depth_texture(_DEPTH_MAP_PX, _DEPTH_MAP_PX, compared=True)
            self.sky_map = gl.make_depth_texture(_DEPTH_MAP_PX // 4, _DEPTH_MAP_PX // 4, compared=False)
            key, sky = (gl.make_target(depth=depths) for depths in (self.key_map, self.sky_map))
            self._depth_targets = [(key, 0.0), (sky, 1.0)]

    @property
    def hand_shadow(self) -> gl.Texture | None:
        return self._hand_shadow.texture if self._hand_shadow is not None else None

    def draw_maps(self, hands: tuple[SceneHand, ...], draw_casters: DrawCasters) -> None:
        """Draw the maps of the bodies that ``draw_casters`` draws."""
        self.map = self.still_map
        self._target.clear()
        self._draw_map(self._target, draw_casters)
        if self._depth_caster is not None:
            for depth_target, straight in self._depth_targets:
                depth_target.use()
                depth_target.clear()
                gl.begin_pass(depth=True)
                self._depth_caster.set("straight", straight)
                draw_casters(self._depth_caster)
        if self._hand_shadow is not None:
            self._hand_shadow.paint_shadow(hands)

    def add_moving(self, draw_casters: DrawCasters | None) -> None:
        """Add the shadows of moving bodies to those of ``draw_maps``; None removes them."""
        self.map = self.still_map
        if draw_casters is None:
            return
        if self._moving_map is None:
            copy = gl.make_texture(self.map.width, self.map.height, 4, mipmaps=_MAP_LEVELS)
            self._moving_map = copy, gl.make_target(colour=copy)
        self.map, into = self._moving_map
        gl.copy_colour(self._target, into)
        self._draw_map(into, draw_casters)

    def _draw_map(self, into: gl.Target, draw_casters: DrawCasters) -> None:
        into.use()
        gl.begin_pass(gl.Blend.GREATEST)
        self._caster.set("straight", 0.0)
        draw_casters(self._caster)
        gl.build_mipmaps(self.map, _MAP_LEVELS)

    def draw_on_table(self, hand_mask: gl.Texture, cells: npt.NDArray[np.bool_], *, hands: bool) -> None:
        """Darken the shaded parts of these cells of the real table; ``hands``: hands may cover the table."""
        gl.begin_pass(gl.Blend.DARKEN)
        gl.bind_textures(hand_mask, self.map, self.key_map, self.sky_map, self.hand_shadow)
        self.draw_cells(self._table_programs[hands], cells)

    def draw_cells(self, program: gl.ShaderProgram, cells: npt.NDArray[np.bool_]) -> None:
        """Draw these cells of the ground. Neighbours share exact corners, so no pixel is drawn twice."""
        x, y, w, d = SHADOW_GROUND
        indices = np.argwhere(cells)[:, None]
        corners = (indices + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])) / _CELLS * (w, d) + (x, y)
        self._ground.upload(corners.reshape(-1, 2).astype(np.float32), gl.quad_triangles(len(indices)))
        self._ground.draw(program)

    def find_cells(self, hulls: Array, to_light: Vec3) -> npt.NDArray[np.bool_]:
        """Return the cells (n, n) in the shadow of hulls (n, 8, 3), and in the full tier also the cells below them."""
        shaded = np.zeros((_CELLS, _CELLS), bool)
        x, y, w, d = SHADOW_GROUND
        first_corner = 8 if self.sky_map is None else 0
        corners = (add_shadow_hulls(hulls, to_light)[:, first_corner:, :2] - (x, y)) / (w, d)
        soft_part = self._soft_m / np.array([w, d])
        low = np.floor((corners.min(axis=1) - soft_part) * _CELLS).astype(int)
        high = np.floor((corners.max(axis=1) + soft_part) * _CELLS).astype(int) + 1
        for (left, near), (right, far) in zip(np.maximum(low, 0), np.maximum(high, 0), strict=True):
            shaded[left:right, near:far] = True
        return shaded


def add_shadow_hulls(hulls: Array, to_light: Vec3) -> Array:
    """Extend hulls (n, 8, 3) by their shadows on the table: (n, 16, 3)."""
    projected = hulls.copy()
    projected[..., :2] -= np.array(to_light[:2]) / to_light[2] * np.maximum(hulls[..., 2:], 0.0)
    projected[..., 2] = np.minimum(projected[..., 2], 0.0)
    return np.concatenate([hulls, projected], axis=1)
