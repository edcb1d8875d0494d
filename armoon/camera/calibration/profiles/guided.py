"""The guided capture without a screen: reads a camera, prints hints, and calibrates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from armoon.camera.calibration.board.finder import BoardFinder, BoardSight
from armoon.camera.calibration.profiles.capture_guide import MOST_VIEWS, Advice, CaptureGuide, Hint
from armoon.camera.calibration.profiles.intrinsics import Calibration, calibrate
from armoon.camera.calibration.unseen import Unseen
from armoon.camera.frame import FrameSource
from armoon.camera.photograph import read_photograph
from armoon.errors import CameraError

#: Takes each new hint; called when it changes.
Say = Callable[[CaptureGuide, Advice], None]


def calibrate_from_camera(
    source: FrameSource, finder: BoardFinder, say: Say, most_frames: int = 9000
) -> Calibration:
    """Lead through the capture until there are views enough; a file that ends gives what it has.

    ``most_frames`` bounds the wait: five minutes at 30 Hz. Raises CameraError.
    """
    guide = CaptureGuide(finder, source.width, source.height)
    last: Advice | None = None
    for _ in range(most_frames):
        frame = source.read()
        if frame is None or guide.done:
            break
        advice = guide.offer(frame)
        if advice != last:
            say(guide, advice)
            last = advice
    return calibrate(guide.sights, source.width, source.height)


def calibrate_from_pictures(
    paths: Sequence[Path], finder: BoardFinder, say: Callable[[Path, Unseen | None], None]
) -> Calibration:
    """Calibrate from photographs of the board, all of one size. Raises CameraError."""
    sights: list[BoardSight] = []
    size: tuple[int, int] | None = None
    for path in paths:
        # As it was taken: the lens knows nothing of how the photograph is shown.
        image = read_photograph(path)
        if size is not None and size != (image.shape[1], image.shape[0]):
            raise CameraError(
                f"{path} is {image.shape[1]}×{image.shape[0]}, the others are {size[0]}×{size[1]}.",
                remedy="Give photographs of one camera at one size, none of them cropped.",
            )
        size = (image.shape[1], image.shape[0])
        found = finder.find(image)
        say(path, found if isinstance(found, Unseen) else None)
        if not isinstance(found, Unseen):
            sights.append(found)
    if size is None:
        raise CameraError("No pictures were given.", remedy="Name at least four photographs of the board.")
    return calibrate(_spread(sights), *size)


def coverage_text(guide: CaptureGuide) -> str:
    """Return the coverage map as lines of dots and blocks."""
    return "\n".join("".join("█" if count else "·" for count in row) for row in guide.coverage)


def hint_text(advice: Advice) -> str:
    """Return a hint as one English sentence, for the terminal."""
    if advice.unseen is not None and advice.hint is Hint.SHOW:
        return str(advice.unseen)
    if advice.hint is Hint.FILL and advice.empty_cell is not None:
        column, row = advice.empty_cell
        return f"Bring the board to the empty part of the picture (column {column + 1}, row {row + 1})."
    return _HINTS[advice.hint]


def _spread(sights: list[BoardSight]) -> list[BoardSight]:
    """At most as many views as a guided capture takes, evenly chosen: more cost time and add nothing."""
    if len(sights) <= MOST_VIEWS:
        return sights
    return [sights[round(i)] for i in np.linspace(0, len(sights) - 1, MOST_VIEWS)]


_HINTS = {
    Hint.SHOW: "Show the board to the camera.",
    Hint.HOLD_STILL: "Hold still.",
    Hint.TOO_BLURRED: "Blurred: hold still, give more light, or focus.",
    Hint.MOVE_ON: "Show it elsewhere, or tilted otherwise.",
    Hint.TAKEN: "Taken.",
    Hint.TILT_TOP_AWAY: "Tilt the board's upper edge away from the camera.",
    Hint.TILT_TOP_NEAR: "Tilt the board's upper edge towards the camera.",
    Hint.TILT_LEFT_AWAY: "Tilt the board's left edge away from the camera.",
    Hint.TILT_RIGHT_AWAY: "Tilt the board's right edge away from the camera.",
    Hint.FILL: "Bring the board to the empty parts of the picture.",
    Hint.DONE: "That is enough.",
}
