"""Where the benchmark's hand is seen: rendered before a camera."""

from __future__ import annotations

from typing import Any, Protocol

from armoon.camera.frame import Image
from armoon.camera.seat import Seat
from armoon.hands.tracking.landmarks import Hands
from armoon.synthetic_camera.anatomy import HandState, palm_for_grip
from armoon.synthetic_camera.look import HANDS, HandKind
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.poses import Pose
from benchmarks.placement_parts.setting import Setting, seat_at


class Stage(Protocol):
    """Where the hand is seen."""

    setting: Setting
    seat: Seat

    def picture(self, grip: Pose, closing: float) -> Any:
        """Return the next frame, with the hand's finger tips meeting at ``grip``."""


class Tracker(Protocol):
    """What reads hands from frames."""

    def track(self, picture: Any, time_s: float, frame_index: int) -> Hands:
        """Return the hands of a frame."""


class RenderedStage:
    """The rendered camera of one setting, for any number of trials of one hand; close it."""

    def __init__(self, setting: Setting, seed: int, hand: HandKind = HANDS[0]) -> None:
        self.setting = setting
        self.seat = seat_at(setting)
        self._hand = hand
        self._camera = RenderedCamera(self.seat.camera, self.seat.table_from_camera, hand.seen(seed))

    def close(self) -> None:
        """Free the graphics."""
        self._camera.close()

    def picture(self, grip: Pose, closing: float) -> Image:
        """Return the next frame, with the hand's finger tips meeting at ``grip``."""
        hand = self._hand
        palm = palm_for_grip(grip.position, grip.rotation, hand_scale=hand.scale, stretch=hand.stretch)
        return self._camera.render([HandState(palm, closing, stretch=hand.stretch)])
