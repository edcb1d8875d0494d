"""The maps that tell where light doesn't reach, and the shadows on the real table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array
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
from armoon.values.poses import Vec3
from armoon.values.scene import SceneHand
from armoon.view.scene.hand_mask import HandShadow
from armoon.view.scene.tiers import Tier

#: The ground that the maps cover: left, near edge, width and depth in metres around the base and lid.
SHADOW_GROUND = (-0.24, -0.26, 0.56, 0.52)

#: Smaller copies of the map for tables and clouds, which soften its shadows.
_MAP_LEVELS = 4

#: A shadow is softened over no more than this, metres, in the lite tier and above it.
_SOFT_M = (0.045, 0.11)
#: The ground is looked at in so many fields each way.
_FIELDS = 32

Casters = Callable[[Program], None]


class Shadows:
    """The maps of one tier."""

    def __init__(self, tier: Tier, hand_shadow: HandShadow | None) -> None:
        """``hand_shadow`` is wanted above the lite tier. Raises DisplayError if the driver refuses a map."""
        self._caster = Program("caster.vert", "caster.frag", level=tier.level)
        size = tier.shadow_map_px
        self.map = texture(size, size, 4, mipmaps=_MAP_LEVELS)
        self._target = target(colour=self.map)
        samplers = ("hand_mask", "shadow_map", "key_map", "sky_map", "hand_shadow")
        self._table = {
            hands: Program(
                "table_shadow.vert", "table_shadow.frag", samplers=samplers, level=tier.level, hands=hands
            )
            for hands in (True, False)
        }
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

    def draw_on_table(self, hand_mask: Texture, hulls: Array | None, to_light: Vec3, *, hands: bool) -> None:
        """Darken the real table where the shadows of the bodies in these hulls (n, 8, 3) fall; None: anywhere on it.

        ``hands``: some may lie before it.
        """
        corners = _shaded_ground(hulls, to_light, self._soft_m)
        self._ground.upload(corners, quad_triangles(len(corners) // 4))
        begin_pass(Blend.DARKEN)
        bind_textures(hand_mask, self.map, self.key_map, self.sky_map, self.hand_shadow)
        self._ground.draw(self._table[hands])


def _shaded_ground(hulls: Array | None, to_light: Vec3, soft_m: float) -> npt.NDArray[np.float32]:
    """Corners (4 * fields, 2) of the ground's fields on which the hulls' shadows fall, and of what lies under them."""
    x, y, w, d = SHADOW_GROUND
    shaded = np.ones((_FIELDS, _FIELDS), bool)
    if hulls is not None:
        shaded[:] = False
        fallen = hulls[..., :2] - np.array(to_light[:2]) / to_light[2] * np.maximum(hulls[..., 2:], 0.0)
        both = (np.concatenate([hulls[..., :2], fallen], axis=1) - (x, y)) / (w, d)
        soft = soft_m / np.array([w, d])
        low = np.floor((both.min(axis=1) - soft) * _FIELDS).astype(int)
        high = np.floor((both.max(axis=1) + soft) * _FIELDS).astype(int) + 1
        for (left, near), (right, far) in zip(np.maximum(low, 0), np.maximum(high, 0), strict=True):
            shaded[left:right, near:far] = True
    # Neighbours share their corners to the bit, so that no pixel between them is darkened twice.
    first = np.argwhere(shaded)[:, None]
    corners = first + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return np.asarray((corners / _FIELDS * (w, d) + (x, y)).reshape(-1, 2), np.float32)
