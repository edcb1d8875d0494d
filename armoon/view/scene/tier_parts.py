"""What is made anew for each tier of a renderer, and kept: going back to a tier costs nothing."""

from __future__ import annotations

from armoon.view.scene.hand_mask import HandShadow
from armoon.view.scene.layer import Layer
from armoon.view.scene.shadows import Shadows
from armoon.view.scene.smooth import Smooth
from armoon.view.scene.solids import Solids, Things
from armoon.view.scene.tiers import Tier


class TierParts:
    """Programs, maps and surfaces of one tier."""

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
        self.smooth = Smooth(*size, tier.samples)
        self.layer = Layer(*size, tier.samples, tier.level) if tier.own_layer else None
        self._size = size

    def fit(self, size: tuple[int, int]) -> None:
        """Draw pictures of this size; a tier follows only when it is drawn."""
        if self._size == size:
            return
        self.smooth.resize(*size)
        if self.layer is not None:
            self.layer.resize(*size)
        self._size = size
