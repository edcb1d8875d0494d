"""The maps that tell where light doesn't reach, and the shadows on the real table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import (
    Mesh,
    Texture,
    bind_textures,
    build_mipmaps,
    depth_texture,
    quad_triangles,
    target,
    texture,
)
from armoon.gl.program import Program
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import SceneHand
from armoon.view.scene.hand_mask import HandShadow
from armoon.view.scene.smooth import Block, corners_of
from armoon.view.scene.tiers import Tier

#: The ground that the maps cover: left, near edge, width and depth in metres around the base and lid.
SHADOW_GROUND = (-0.24, -0.26, 0.56, 0.52)

#: Smaller copies of the map for tables and clouds, which soften its shadows.
_MAP_LEVELS = 4

#: A shadow is softened over no more than this, metres, in the lite tier and above it.
_SOFT_M = (0.045, 0.11)

Casters = Callable[[Program], None]


class Shadows:
    """The maps of one tier."""

    def __init__(self, tier: Tier, hand_shadow: HandShadow | None) -> None:
        """``hand_shadow`` is wanted above the lite tier. Raises DisplayError if the driver refuses a map."""
        self._caster = Program("caster.vert", "caster.frag", level=tier.level)
        size = tier.shadow_map_px
        self.map = texture(size, size, 4, mipmaps=_MAP_LEVELS)
        self._target = target(colour=self.map)
        self._table = Program(
            "table_shadow.vert",
            "table_shadow.frag",
            samplers=("hand_mask", "shadow_map", "key_map", "sky_map", "hand_shadow"),
            level=tier.level,
        )
        self._ground = Mesh((2,))
        self._soft_m = _SOFT_M[min(tier.level, 1)]
        self._hand = hand_shadow
        self.key_map: Texture | None = None
        """What the key light sees; not in the lite tier."""
        self.sky_map: Texture | None = None
        """What is seen from straight above; not in the lite tier."""
        self._depth_caster: Program | None = None
        if tier.depth_map_px:
            self._depth_caster = Program("caster.vert", "caster_depth.frag", level=tier.level)
            self.key_map = depth_texture(tier.depth_map_px, compared=True)
            self.sky_map = depth_texture(tier.depth_map_px // 4, compared=False)
            self._depth_targets = [
                (target(depth=self.key_map), 0.0),
                (target(depth=self.sky_map), 1.0),
            ]

    @property
    def hand_shadow(self) -> Texture | None:
        """The real hand's shadow; not in the lite tier."""
        return self._hand.texture if self._hand is not None else None

    def draw_maps(self, hands: tuple[SceneHand, ...], draw_casters: Casters) -> None:
        """See the bodies from where the light comes from; ``draw_casters`` draws them all with a program."""
        self._target.use()
        self._target.clear()
        begin_pass(Blend.GREATEST)
        self._caster.set("straight", 0.0)
        draw_casters(self._caster)
        build_mipmaps(self.map, _MAP_LEVELS)
        if self._depth_caster is not None:
            for depth_target, straight in self._depth_targets:
                depth_target.use()
                depth_target.clear()
                begin_pass(depth=True)
                self._depth_caster.set("straight", straight)
                draw_casters(self._depth_caster)
        if self._hand is not None:
            self._hand.draw(hands)

    def draw_on_table(self, hand_mask: Texture, blocks: Sequence[Block] | None, to_light: Vec3) -> None:
        """Darken the real table where the shadows of the bodies in these blocks fall; None: anywhere on it."""
        low, high = _shaded_ground(blocks, to_light, self._soft_m)
        corners = [low, (high[0], low[1]), high, (low[0], high[1])]
        self._ground.upload(np.array(corners, dtype=np.float32), quad_triangles(1))
        begin_pass(Blend.DARKEN)
        bind_textures(hand_mask, self.map, self.key_map, self.sky_map, self.hand_shadow)
        self._ground.draw(self._table)


def _shaded_ground(blocks: Sequence[Block] | None, to_light: Vec3, soft_m: float) -> tuple[Vec2, Vec2]:
    """Least and greatest corner of the ground on which the blocks' shadows fall, and of what lies under them."""
    x, y, w, d = SHADOW_GROUND
    if blocks is None:
        return (x, y), (x + w, y + d)
    if not blocks:
        return (x, y), (x, y)
    corners = corners_of(blocks)
    fallen = corners[:, :2] - np.array(to_light[:2]) / to_light[2] * np.maximum(corners[:, 2:], 0.0)
    both = np.concatenate([corners[:, :2], fallen])
    low, high = both.min(axis=0) - soft_m, both.max(axis=0) + soft_m
    least = np.maximum(low, (x, y))
    most = np.minimum(np.maximum(high, least), (x + w, y + d))
    return (float(least[0]), float(least[1])), (float(most[0]), float(most[1]))
