"""Photographs from untrusted files: only JPEG or PNG, recognised by their first bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np

from armoon.camera.frame import Image
from armoon.errors import CameraError

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
