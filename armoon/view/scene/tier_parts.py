"""The parts of a renderer that each tier builds, and the tier in use; going back to a tier costs nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armoon.errors import DisplayError
from armoon.geometry import Array
from armoon.gl.memory import Target, Texture
from armoon.values.poses import Vec3
from armoon.values.scene import Scene, SceneDie
from armoon.view.scene.board import Sight
from armoon.view.scene.hand_mask import HandMask, HandShadow
from armoon.view.scene.layer import Layer
from armoon.view.scene.parts import as_parts, parts_of, tiles_in, tiles_of
from armoon.view.scene.shadows import Shadows, with_shadows
from armoon.view.scene.solids import Solids, Things
from armoon.view.scene.still import Still
from armoon.view.scene.tiers import Tier, below, tier_named

#: Size of a surface that isn't drawn into.
_RESTING = (8, 8)


class TierParts:
    """Programs, maps and surfaces of one tier; in the lite one what stands still is drawn once."""

    def __init__(
        self,
        tier: Tier,
        things: Things,
        mirrored: bool,
        hand_shadow: HandShadow | None,
        size: tuple[int, int],
    ) -> None:
        """``size``: of the picture, pixels. Raises DisplayError if the driver can't draw this tier."""
        self.tier = tier
        self.solids = Solids(things, tier, mirrored)
        self.shadows = Shadows(tier, hand_shadow)
        self._layer = Layer(*size, tier.samples, tier.level)
        self._still: Still | None = None
        if tier.still_once:
            hard = things.board is not None
            self._still = Still(*size, tier.samples, self.solids, self.shadows, self._layer, hard=hard)
        self._size = size
        self._drawn: tuple[object, tuple[SceneDie | None, object]] | None = None

    def fit(self, size: tuple[int, int]) -> None:
        """Draw pictures of this size; a tier follows only when it is drawn."""
        if self._size == size:
            return
        self._size, self._drawn = size, None
        self._layer.resize(*size)
        if self._still is not None:
            self._still.resize(*size)

    def prepare(
        self, scene: Scene, sight: Sight, clip_from_table: Array, to_light: Vec3, seen: object
    ) -> None:
        """Draw the maps of a scene that the solids have placed, and what stands still if that looks different.

        ``seen``: all that its look hangs on besides the ladders.
        """
        solids, shadows = self.solids, self.shadows
        if self._still is None:
            hulls = solids.hulls()
            whole = self.tier.level > 1  # its blur looks beyond any part
            self._parts = parts_of(None if whole else hulls, clip_from_table, *self._size)
            self._fields = shadows.fields(hulls, to_light)
            shadows.draw_maps(scene.hands, solids.draw_casters)
            return
        still, moving = self._still.follow(scene)
        solids.show(still, others=False)
        before, self._drawn = self._drawn, ((seen, still), solids.standing)
        relit = None
        if before is not None and before != self._drawn and before[0] == self._drawn[0]:
            relit = solids.relit(before[1])
        if relit is not None:
            self._still.draw_again(sight, parts_of(relit, clip_from_table, *self._size))
        elif before != self._drawn:
            hulls = solids.hulls()
            self._tiles = tiles_of(hulls, clip_from_table, *self._size)
            self._still_fields = shadows.fields(hulls, to_light)
            self._still.draw(sight, as_parts(self._tiles, *self._size), self._still_fields)
        solids.show(moving, base=False)
        hulls = solids.hulls()
        self._parts = parts_of(hulls, clip_from_table, *self._size)
        self._fields = shadows.fields(hulls, to_light)
        self._shaded = tiles_of(with_shadows(hulls, to_light), clip_from_table, *self._size)
        if (self._shaded & self._tiles).any():
            solids.show(still, others=False)
            self._still.darken(sight, self._layer)
            solids.show(moving, base=False)
        shadows.add(solids.draw_casters if len(hulls) else None)

    def shade_table(self, hand_mask: Texture, *, hands: bool) -> None:
        """Darken the table in the target that is open."""
        self.shadows.draw_on_table(hand_mask, self._fields, hands=hands)
        if self._still is not None:
            self._still.lay_on_table(hand_mask, self._still_fields & ~self._fields)

    def draw(self, into: Target, sight: Sight, drawn_per_camera_px: float, hands: HandMask) -> None:
        """Draw the bodies, behind the hands where those are nearer, over what lies flat on the table."""
        like_camera = self.tier.level > 1  # what lies flat has the camera's softness and noise as well
        if not like_camera:
            into.use()
            self.solids.draw_flat(sight)
        if self._still is not None:
            behind = tiles_in(hands.box, *self._size) if hands.any else np.zeros_like(self._shaded)
            both = {
                (under, hidden): as_parts(
                    self._tiles & (self._shaded == under) & (behind == hidden), *self._size
                )
                for under in (False, True)
                for hidden in (False, True)
            }
            self._still.lay_over(into, sight.hand_mask, both)
        if self._parts:
            self._layer.begin(self._parts, None if self._still is None else self._still.sampled)
            if like_camera:
                self.solids.draw_flat(sight)
            self.solids.draw(sight, hands=hands.any)
            self._layer.end()
            self._layer.lay_over(into, drawn_per_camera_px)


class TierChoice:
    """The tier in use, and the parts of all tiers that were used so far."""

    def __init__(self, make: Callable[[Tier], TierParts], name: str) -> None:
        """Begin with this tier, or the next lower one that the driver can draw; ``make`` builds a tier's parts.

        Raises DisplayError if none can be drawn, ValueError for a tier that doesn't exist.
        """
        self._make = make
        self._made: dict[str, TierParts] = {}
        self._refused: set[str] = set()
        self.notices: list[str] = []
        """Sentences about tiers that can't be drawn here."""
        self.parts = self._first_that_draws(tier_named(name))

    @property
    def name(self) -> str:
        """The tier in use."""
        return self.parts.tier.name

    def use(self, name: str) -> None:
        """Change to this tier, or to the next lower one that the driver can draw, and free the others' surfaces."""
        self.parts = self._first_that_draws(tier_named(name))
        self.rest(self.name)

    def rest(self, but: str = "") -> None:
        """Free the surfaces of all tiers but one; the next picture makes them anew."""
        for name, parts in self._made.items():
            if name != but:
                parts.fit(_RESTING)

    def _first_that_draws(self, tier: Tier) -> TierParts:
        if tier.name in self._made:
            return self._made[tier.name]
        lower = below(tier.name)
        if tier.name not in self._refused:
            try:
                self._made[tier.name] = self._make(tier)
                return self._made[tier.name]
            except DisplayError as error:
                if lower is None:
                    raise
                self._refused.add(tier.name)
                self.notices.append(
                    f"The {tier.name} tier can't be drawn here, so it is {lower}: {error.what}"
                )
        assert lower is not None, "lite is never refused: it raises"
        return self._first_that_draws(tier_named(lower))
