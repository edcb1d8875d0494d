"""The guided capture without a screen: reads a camera, prints hints, and calibrates.

Photographs are untrusted files: only JPEG or PNG, recognised by their first bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np

from armoon.camera.calibration.board.finder import BoardFinder, BoardSight
from armoon.camera.calibration.profiles.capture_guide import MOST_VIEWS, Advice, CaptureGuide, Hint
from armoon.camera.calibration.profiles.intrinsics import Calibration, calibrate
from armoon.camera.calibration.unseen import Unseen
from armoon.camera.frame import FrameSource, Image
from armoon.errors import CameraError
from armoon.messages import text

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
    """Return a hint as one sentence, for the terminal."""
    if advice.unseen is not None and advice.hint is Hint.SHOW:
        return str(advice.unseen)
    if advice.hint is Hint.FILL and advice.empty_cell is not None:
        column, row = advice.empty_cell
        return f"Bring the board to the empty part of the picture (column {column + 1}, row {row + 1})."
    return text(f"calibrate.{advice.hint.value}")


def _spread(sights: list[BoardSight]) -> list[BoardSight]:
    """At most as many views as a guided capture takes, evenly chosen: more cost time and add nothing."""
    if len(sights) <= MOST_VIEWS:
        return sights
    return [sights[round(i)] for i in np.linspace(0, len(sights) - 1, MOST_VIEWS)]


#: FFmpeg's reader for each kind, by the bytes that its files begin with. Named, so that it never guesses: guessed
#: kinds include playlists, which open other files and addresses.
_READERS = {b"\xff\xd8\xff": "jpeg_pipe", b"\x89PNG\r\n\x1a\n": "png_pipe"}


def read_photograph(path: Path) -> Image:
    """Return the picture (height, width, 3), BGR, as it was taken: a tag that says how to turn it is not followed.

    By FFmpeg, because the JPEG reader of OpenCV 4.11 can be made to write where it shouldn't (docs/dependencies.md).
    Raises CameraError for anything but a whole JPEG or PNG.
    """
    try:
        with path.open("rb") as file:
            start = file.read(8)
            file.seek(0)
            reader = next(name for signature, name in _READERS.items() if start.startswith(signature))
            with av.open(file, format=reader) as container:
                frame: Any = next(container.decode(video=0))
        return np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8)
    except (OSError, StopIteration, ValueError, av.error.FFmpegError) as error:
        raise CameraError(
            f"{path} is not a picture.", remedy="Give photographs as JPEG or PNG files."
        ) from error
