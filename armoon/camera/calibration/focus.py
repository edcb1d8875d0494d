"""Keeps the lens where it was calibrated: autofocus changes the focal length by some percent."""

from __future__ import annotations

import cv2


def lock_focus(capture: cv2.VideoCapture) -> bool:
    """Switch autofocus off, where the lens stands now; whether the driver did it.

    Where it did not (no such setting, or a driver that ignores it) the user should be warned: the picture
    may drift from the calibration. Lenses of fixed focus have no such setting either.
    """
    # V4L2 wants the lens told where it stands before it may stand still.
    focus = capture.get(cv2.CAP_PROP_FOCUS)
    if not capture.set(cv2.CAP_PROP_AUTOFOCUS, 0):
        return False
    if focus > 0:
        capture.set(cv2.CAP_PROP_FOCUS, focus)
    return bool(capture.get(cv2.CAP_PROP_AUTOFOCUS) == 0)
