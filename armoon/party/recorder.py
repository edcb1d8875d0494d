"""Records the finished picture as H.264 in MP4, and beside it the sound as AAC."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError
from armoon.party.encoding import FAULTS, Encoding, Form, Stereo

#: A film on disk.
FILM = Form(
    "mp4",
    # Written in fragments, so that a process that is killed leaves a film which plays up to its last second;
    # on closing FFmpeg turns the fragments into an ordinary, seekable file.
    {"movflags": "hybrid_fragmented+frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"},
    # x264's fastest preset: 8 ms a frame at 1280×720 on two cores; quality 20 hardly shows its haste.
    {"preset": "ultrafast", "crf": "20"},
    # Which is what a killed process may lose.
    key_frame_every_s=1.0,
)
ENDING = ".mp4"


class Recorder:
    """Writes pictures into a video file until ``close``; use it as a context manager or close it yourself."""

    def __init__(
        self, path: Path, width: int, height: int, rate_hz: float, sound_hz: int | None = None
    ) -> None:
        """Make (or replace) the file. Raises ArmoonError where that is not possible.

        ``sound_hz``: samples a second of what is heard; None: the film is silent.
        """
        self.path = path
        if path.suffix.lower() != ENDING:
            raise ArmoonError(
                f"A film is written as MP4, and {path} has another ending.", remedy=f"Name it FILE{ENDING}."
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._encoding = Encoding(str(path), FILM, (width, height), rate_hz, sound_hz)
        except OSError as error:
            raise ArmoonError(
                f"The recording {path} can't be written ({error.strerror}).",
                remedy="Name another place with --record FILE.mp4.",
            ) from error
        self._open = True
        """Nothing has failed, and it isn't closed."""

    @property
    def frames(self) -> int:
        """Number of frames in the file."""
        return self._encoding.frames

    @property
    def skipped(self) -> int:
        """Frames that came faster than the file's rate and were left out."""
        return self._encoding.skipped

    def hear(self, samples: Stereo, time_s: float) -> None:
        """Mix in samples (n, 2) that begin at ``time_s``; before the first picture nothing is heard."""
        self._encoding.hear(samples, time_s)

    def write(self, bgr: npt.NDArray[np.uint8], time_s: float) -> None:
        """Add a picture (h, w, 3) shown at ``time_s``; times count from the first one.

        A picture lasts until the next one, so a slow game keeps its pace in the film.
        Raises ArmoonError when the disk is full or gone; what was written before stays playable.
        """
        self._do(lambda: self._encoding.write(bgr, time_s))

    def close(self) -> None:
        """Finish the file; a second call does nothing. Raises ArmoonError when the disk is full or gone."""
        self._do(self._encoding.close)
        self._open = False

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, write: Callable[[], None]) -> None:
        if not self._open:
            return  # the disk failed before; that was told once
        try:
            write()
        except FAULTS as error:
            self._open = False
            self._encoding.let_go()
            raise ArmoonError(
                f"The recording {self.path} can't be continued ({error.strerror}).",
                remedy="Make room on the disk; the game's log can be replayed and recorded again.",
            ) from error
