"""The games' own drawing: bodies on the table, and the backdrop behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from armoon.geometry import Array
from armoon.gl import ShaderProgram, Texture, bind_textures
from armoon.values.look import Look
from armoon.values.poses import Vec2
from armoon.values.scene import BoardScene, Scene
from armoon.view.scene.shadows import Shadows

if TYPE_CHECKING:  # letters open a display as soon as they are loaded
    from armoon.view.glass import Box

#: The samplers of every shader that draws bodies, in the order in which ``BodyInputs.bind`` puts the textures. A
#: shader declares those that it uses.
BODY_SAMPLERS = ("hand_mask", "shadow_map", "wood", "key_map", "sky_map", "hand_shadow", "small_feed")


@dataclass(frozen=True)
class BodyInputs:
    """The inputs of a body's shaders besides the body."""

    hand_mask: Texture
    small_feed: Texture
    """The camera frame at 64 x 36: what a surface reflects of the table."""
    wood: Texture
    shadows: Shadows

    def bind(self) -> None:
        """Put all textures where ``BODY_SAMPLERS`` names them."""
        shadows = self.shadows
        bind_textures(
            self.hand_mask,
            shadows.map,
            self.wood,
            shadows.key_map,
            shadows.sky_map,
            shadows.hand_shadow,
            self.small_feed,
        )


class GameBodies(Protocol):
    """Bodies of one game: ``moving`` ones are drawn in every picture, others once until ``standing`` changes."""

    @property
    def example(self) -> BoardScene:
        """Some of each kind of body, since drivers finish compiling at the first draw."""

    def set_tier(self, *, full: bool) -> None:
        """Compile for the full or the plain tier. May raise DisplayError for the full one."""

    def set_look(self, look: Look) -> None:
        """Set the look, from the next ``place`` on."""

    def place(self, scene: Scene, time_s: float) -> None:
        """Take the bodies from the scene."""

    @property
    def standing(self) -> object:
        """Key of the standing bodies' picture, besides light, view and ``Look``."""

    def relit(self, before: object) -> Array | None:
        """Corners (n, 8, 3) around bodies that only look different from a former ``standing``; None: more changed."""

    def hulls(self, *, moving: bool) -> Array:
        """Corners (n, 8, 3), table frame, of what holds the bodies of this kind."""

    def draw_shadow(self, caster: ShaderProgram, *, moving: bool) -> None:
        """Draw the meshes of this kind with ``caster``: positions at location 0, in the table frame."""

    def draw_flat(self, sight: BodyInputs) -> None:
        """Draw what lies on the table, below all bodies, premultiplied."""

    def draw(self, sight: BodyInputs, *, moving: bool, hands: bool) -> None:
        """Draw the bodies of this kind, with depth test and culling on; with ``hands`` nothing where one is nearer."""


class Backdrop(Protocol):
    """One game's scenery behind the table: over the camera's frame, behind shadows, bodies and hands."""

    def fit(self, clip_from_table: Array, width: int, height: int, *, mirrored: bool = False) -> None:
        """Fit the view to this matrix (4, 4) and pictures of this size in pixels; a mirror shows the player's face."""

    def draw(
        self, scene: Scene, hand_mask: Texture, panels: Sequence[Box] = (), *, calm: bool = False
    ) -> None:
        """Draw it; ``hand_mask``: hands' coverage in red; ``panels`` will cover it; ``calm``: no gliding."""

    @property
    def spring(self) -> Vec2:
        """Start of a tear that flies to a player, drawn pixels from the lower left."""
