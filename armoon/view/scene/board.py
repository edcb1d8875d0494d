"""Protocols for what a game draws itself: bodies on the table, and a backdrop behind them."""

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

if TYPE_CHECKING:  # importing text drawing opens a display
    from armoon.view.panels import Box

#: Samplers for shaders of bodies, in the order of ``BodyInputs.bind``. A shader declares only those that it uses.
BODY_SAMPLERS = ("hand_mask", "shadow_map", "wood", "key_map", "sky_map", "hand_shadow", "small_feed")


@dataclass(frozen=True)
class BodyInputs:
    hand_mask: Texture
    small_feed: Texture
    """The camera frame at 64 x 36, for reflections of the table."""
    wood: Texture
    shadows: Shadows

    def bind(self) -> None:
        full = self.shadows.key_map, self.shadows.sky_map, self.shadows.hand_shadow
        bind_textures(self.hand_mask, self.shadows.map, self.wood, *full, self.small_feed)


class GameBodies(Protocol):
    """A game's own bodies: ``moving`` ones are drawn in every picture, still ones only when ``still_key`` changes."""

    @property
    def example(self) -> BoardScene:
        """Bodies of every kind, drawn once at the start because drivers finish compiling at the first draw."""

    def set_tier(self, *, full: bool) -> None:
        """Compile the shaders of a tier. May raise DisplayError for the full one."""

    def set_look(self, look: Look) -> None:
        """Set the look for the next ``place_bodies``."""

    def place_bodies(self, scene: Scene, time_s: float) -> None:
        """Update the bodies from the scene."""

    @property
    def still_key(self) -> object:
        """Cache key of the still bodies' picture, apart from light, view and ``Look``."""

    def find_relit_hulls(self, before: object) -> Array | None:
        """Return hulls (n, 8, 3) of bodies that only look different since ``before``; None if anything else changed."""

    def find_hulls(self, *, moving: bool) -> Array:
        """Return the corners of boxes around the bodies of this kind (n, 8, 3), table frame."""

    def draw_shadow(self, caster: ShaderProgram, *, moving: bool) -> None:
        """Draw the bodies of this kind with ``caster``; positions are at location 0, in the table frame."""

    def draw_flat(self, inputs: BodyInputs) -> None:
        """Draw flat objects on the table, below all bodies, in premultiplied colours."""

    def draw_bodies(self, inputs: BodyInputs, *, moving: bool, hands: bool) -> None:
        """Draw the bodies of this kind, with ``hands`` behind nearer hands; depth test and culling are on."""


class Backdrop(Protocol):
    """A game's scenery, drawn over the camera's frame but under shadows, bodies and hands."""

    def fit_view(self, clip_from_table: Array, width: int, height: int, *, mirrored: bool = False) -> None:
        """Set the matrix (4, 4) and the picture's size, in pixels; ``mirrored``: the camera faces the player."""

    def draw_backdrop(
        self, scene: Scene, hand_mask: Texture, panels: Sequence[Box] = (), *, calm: bool = False
    ) -> None:
        """Draw the backdrop, without animation if ``calm``; ``panels`` will cover parts of it."""

    @property
    def tear_start(self) -> Vec2:
        """Place from which a tear flies to a player, in drawn pixels from the lower left."""
