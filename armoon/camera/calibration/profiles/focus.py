"""Keeps the lens where it was calibrated: autofocus changes the focal length by some percent."""

from __future__ import annotations

import enum

import cv2


class Focus(enum.Enum):
    """What became of the wish to keep the lens still; the value is part of a message's key."""

    LOCKED = "locked"
    FIXED = "fixed"
    """The camera has no autofocus, as far as its driver tells: nothing to lock."""
    LOOSE = "loose"
    """The driver can't or won't lock it: the picture may drift from the calibration, so warn."""

    @property
    def key(self) -> str:
        """The key of the message for the player."""
        return f"focus.{self.value}"


def lock_focus(capture: cv2.VideoCapture) -> Focus:
    """Switch autofocus off, where the lens stands now."""
    # V4L2 answers -1 for a setting that the camera lacks.
    if capture.get(cv2.CAP_PROP_AUTOFOCUS) < 0:
        return Focus.FIXED
    # V4L2 wants the lens told where it stands before it may stand still.
    focus = capture.get(cv2.CAP_PROP_FOCUS)
    if not capture.set(cv2.CAP_PROP_AUTOFOCUS, 0):
        return Focus.LOOSE
    if focus > 0:
        capture.set(cv2.CAP_PROP_FOCUS, focus)
    return Focus.LOCKED if capture.get(cv2.CAP_PROP_AUTOFOCUS) == 0 else Focus.LOOSE
