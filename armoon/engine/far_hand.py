"""When the player of a small hand is told to come closer with it."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.clock import TICKS_PER_SECOND
from armoon.geometry import CameraModel
from armoon.hands.grips.view import HandView
from armoon.hands.tracking.tracker import Region, play_region, should_come_closer
from armoon.values.poses import Pose

#: Seconds for which a hand must be too small before its player is told to come closer.
FAR_S = 1.0
#: Ticks for which the notice is shown to a player who holds something; then the game's own hint is shown again, since a
#: child's hand is small throughout the game.
TOLD_TICKS = 2 * TICKS_PER_SECOND


class FarHand:
    """Knows since when all hands have been too small to be found again once they are lost.

    ``see`` every frame with hands, ``count`` every tick.
    """

    def __init__(self, camera: CameraModel, *, cropped: bool) -> None:
        """``cropped``: the tracker looks at the playing area alone."""
        self._camera = camera
        self._cropped = cropped
        self._whole = Region(0, 0, camera.width, camera.height)
        self._since_s: float | None = None
        self._is_far = False
        self._told_ticks = 0

    def see(self, time_s: float, views: Sequence[HandView], table_from_camera: Pose) -> None:
        """Take in the hands of a frame."""
        crop = play_region(self._camera, table_from_camera) if self._cropped else None
        far = bool(views) and all(should_come_closer(view.points_px, crop or self._whole) for view in views)
        if not far:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = time_s
        self._is_far = self._since_s is not None and time_s - self._since_s > FAR_S

    def count(self, *, held_in_sight: bool) -> None:
        """Count a tick; ``held_in_sight``: something is held by a hand or a device that is there."""
        self._told_ticks = self._told_ticks + 1 if held_in_sight and self._is_far else 0

    @property
    def asked_closer(self) -> bool:
        """Whether the player is told to come closer now."""
        return self._is_far and self._told_ticks <= TOLD_TICKS
