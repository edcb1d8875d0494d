"""Where the benchmark's hand is seen: rendered before a camera, or as a skeleton."""

from __future__ import annotations

from typing import Any, Protocol

from armoon.camera.frame import Image
from armoon.camera.seat import Seat
from armoon.hands.tracking.landmarks import Hands
from armoon.synthetic_camera.anatomy import HandState, palm_for_grip
from armoon.synthetic_camera.look import HANDS, HandKind
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.poses import Pose
from benchmarks.placement_parts.setting import Setting, hand_of, seat_at


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
    """The rendered camera of one setting, for as many trials of one hand as wanted; close it."""

    def __init__(self, setting: Setting, seed: int, hand: HandKind = HANDS[0]) -> None:
        self.setting = setting
        self.seat = seat_at(setting)
        self._hand = hand_of(setting, hand)
        self._camera = RenderedCamera(self.seat.camera, self.seat.table_from_camera, self._hand.seen(seed))

    def close(self) -> None:
        """Free the graphics."""
        self._camera.close()

    def picture(self, grip: Pose, closing: float) -> Image:
        """Return the next frame, with the hand's finger tips meeting at ``grip``."""
        return self._camera.render([_held(self._hand, grip, closing)])


class SkeletonStage:
    """No pictures: the hand itself is shown to a ``SkeletonTracker``."""

    def __init__(self, setting: Setting, hand: HandKind = HANDS[0]) -> None:
        self.setting = setting
        self.seat = seat_at(setting)
        self._hand = hand_of(setting, hand)

    def picture(self, grip: Pose, closing: float) -> HandState:
        """Return the hand."""
        return _held(self._hand, grip, closing)


def _held(hand: HandKind, grip: Pose, closing: float) -> HandState:
    palm = palm_for_grip(grip.position, grip.rotation, hand_scale=hand.scale, stretch=hand.stretch)
    return HandState(palm, closing, stretch=hand.stretch)
