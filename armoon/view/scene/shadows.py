"""The maps that tell where light doesn't reach, and the shadows on the real table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pyglet import gl

from armoon.gl.drawing import Framebuffer, Mesh, Program, Texture, bind_textures
from armoon.values.scene import SceneHand
from armoon.view.scene.depth_map import DepthMap
from armoon.view.scene.hand_mask import HandShadow
from armoon.view.scene.tiers import Tier

#: The ground that the maps cover: left, near edge, width and depth in metres around the base and lid.
SHADOW_GROUND = (-0.24, -0.26, 0.56, 0.52)

Casters = Callable[[Program], None]


class Shadows:
    """The maps of one tier."""

    def __init__(self, tier: Tier, hand_shadow: HandShadow | None) -> None:
        """``hand_shadow`` is wanted above the lite tier. Raises DisplayError if the driver refuses a map."""
        self._caster = Program("caster.vert", "caster.frag", level=tier.level)
        size = tier.shadow_map_px
        self.map = Texture(size, size, 4, mipmaps=4)
        self._target = Framebuffer(size, size, texture=self.map)
        self._table = Program(
            "table_shadow.vert",
            "table_shadow.frag",
            samplers=("hand_mask", "shadow_map", "key_map", "sky_map", "hand_shadow"),
            level=tier.level,
        )
        self._ground = Mesh((2,))
        x, y, w, d = SHADOW_GROUND
        corners = np.array([[x, y], [x + w, y], [x + w, y + d], [x, y + d]], dtype=np.float32)
        self._ground.upload(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.uint32))
        self._hand = hand_shadow
        self._depth_caster: Program | None = None
        self._key_map: DepthMap | None = None
        self._sky_map: DepthMap | None = None
        if tier.depth_map_px:
            self._depth_caster = Program("caster.vert", "caster_depth.frag", level=tier.level)
            self._key_map = DepthMap(tier.depth_map_px, compared=True)
            self._sky_map = DepthMap(tier.depth_map_px // 4, compared=False)

    @property
    def key_map_id(self) -> int:
        """What the key light sees; 0 in the lite tier."""
        return self._key_map.id if self._key_map is not None else 0

    @property
    def sky_map_id(self) -> int:
        """What is seen from straight above; 0 in the lite tier."""
        return self._sky_map.id if self._sky_map is not None else 0

    @property
    def hand_shadow_id(self) -> int:
        """The real hand's shadow; 0 in the lite tier."""
        return self._hand.texture.id if self._hand is not None else 0

    def draw_maps(self, hands: tuple[SceneHand, ...], draw_casters: Casters) -> None:
        """See the bodies from where the light comes from; ``draw_casters`` draws them all with a program."""
        self._target.bind()
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendEquation(gl.GL_MAX)
        self._caster.use()
        self._caster.set("straight", 0.0)
        draw_casters(self._caster)
        gl.glBlendEquation(gl.GL_FUNC_ADD)
        gl.glDisable(gl.GL_BLEND)
        self.map.build_mipmaps()
        if self._depth_caster is not None and self._key_map is not None and self._sky_map is not None:
            self._depth_caster.use()
            for depth_map, straight in ((self._key_map, 0.0), (self._sky_map, 1.0)):
                depth_map.begin()
                self._depth_caster.set("straight", straight)
                draw_casters(self._depth_caster)
            gl.glDisable(gl.GL_DEPTH_TEST)
        if self._hand is not None:
            self._hand.draw(hands)

    def draw_on_table(self, hand_mask: Texture) -> None:
        """Darken the real table where the bodies' shadows fall."""
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ZERO, gl.GL_SRC_COLOR)
        bind_textures(hand_mask.id, self.map.id, self.key_map_id, self.sky_map_id, self.hand_shadow_id)
        self._table.use()
        self._ground.draw()
        gl.glDisable(gl.GL_BLEND)
