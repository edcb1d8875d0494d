"""Records the finished picture as H.264 in MP4, and beside it the sound as AAC."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError
from armoon.party.track import Stereo, Track

#: Written in fragments, so that a process that is killed leaves a film which plays up to its last second;
#: on closing FFmpeg turns the fragments into an ordinary, seekable file.
CONTAINER_OPTIONS = {
    "movflags": "hybrid_fragmented+frag_keyframe+empty_moov+default_base_moof",
    "flush_packets": "1",
}
#: x264's fastest preset: 8 ms a frame at 1280×720 on two cores; quality 20 hardly shows its haste.
ENCODER_OPTIONS = {"preset": "ultrafast", "crf": "20"}
#: Seconds between key frames, which is what a killed process may lose.
KEY_FRAME_EVERY_S = 1.0
#: Of the sound, a second.
SOUND_BITS = 160_000
#: FFmpeg's AAC puts so many samples of silence before what it is given, and counts them as before the beginning. A file
#: in fragments can't say that: it would move every picture but the first by as much. So the film's first samples give
#: way to them (23 ms), and each later one is where it belongs, whoever plays it.
SOUND_LEAD = 1024


class Recorder:
    """Writes pictures into a video file until ``close``; use it as a context manager or close it yourself."""

    def __init__(
        self, path: Path, width: int, height: int, rate_hz: float, sound_hz: int | None = None
    ) -> None:
        """Makes (or replaces) the file. Raises ArmoonError where that is not possible.

        ``sound_hz``: samples a second of what is heard; None: the film is silent.
        """
        self.path = path
        # 4:2:0 colour halves both sides, so an odd last row or column is cut off.
        self._width, self._height = width - width % 2, height - height % 2
        self._rate = Fraction(rate_hz).limit_denominator(1001)
        self._start_s: float | None = None
        self._track = None if sound_hz is None else Track(sound_hz)
        self._heard = 0
        """Samples of the track that were dealt with so far."""
        self._last_slot = -1
        self.frames = 0
        """Frames in the file so far."""
        self.skipped = 0
        """Frames that came faster than the file's rate and were left out."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._container: Any = av.open(str(path), "w", format="mp4", container_options=CONTAINER_OPTIONS)
            self._stream: Any = self._container.add_stream(
                "libx264", rate=self._rate, options=ENCODER_OPTIONS
            )
            self._stream.width, self._stream.height = self._width, self._height
            self._stream.pix_fmt = "yuv420p"
            self._stream.gop_size = max(1, round(rate_hz * KEY_FRAME_EVERY_S))
            self._sound: Any = None
            if sound_hz is not None:
                self._sound = self._container.add_stream("aac", rate=sound_hz, layout="stereo")
                self._sound.bit_rate = SOUND_BITS
            self._container.start_encoding()
        except OSError as error:
            raise ArmoonError(
                f"The recording {path} can't be written ({error.strerror}).",
                remedy="Name another place with --record FILE.mp4.",
            ) from error

    def hear(self, samples: Stereo, time_s: float) -> None:
        """Mix in samples (n, 2) that begin at ``time_s``; before the first picture nothing is heard."""
        if self._track is not None and self._start_s is not None and time_s >= self._start_s:
            self._track.add(samples, time_s - self._start_s)

    def write(self, bgr: npt.NDArray[np.uint8], time_s: float) -> None:
        """Add a picture (h, w, 3) shown at ``time_s``; times count from the first one.

        A picture lasts until the next one, so a slow game keeps its pace in the film.
        Raises ArmoonError when the disk is full or gone; what was written before stays playable.
        """
        if self._start_s is None:
            self._start_s = time_s
        slot = round((time_s - self._start_s) * self._rate)
        if slot <= self._last_slot:
            self.skipped += 1
            return
        picture = np.ascontiguousarray(bgr[: self._height, : self._width])
        frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
        frame.pts, frame.time_base = slot, 1 / self._rate
        self._mux(frame)
        # Sounds of this moment and later ones may still come.
        self._mux_sound(float(slot / self._rate))
        self._last_slot = slot
        self.frames += 1

    def close(self) -> None:
        """Finish the file; a second call does nothing. Raises ArmoonError when the disk is full or gone."""
        if self._container is None:
            return
        try:
            self._mux_sound(float((self._last_slot + 1) / self._rate), ends=True)
            self._mux(None)
        finally:
            self._release()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _mux(self, frame: Any) -> None:
        if self._container is None:
            return  # the disk failed before; that was told once
        try:
            self._container.mux(self._stream.encode(frame))
            if frame is None:
                self._container.close()
        except OSError as error:
            self._fail(error)

    def _mux_sound(self, until_s: float, *, ends: bool = False) -> None:
        if self._track is None or self._container is None:
            return
        samples = self._track.take(until_s)
        given_up = min(len(samples), max(0, SOUND_LEAD - self._heard))
        self._heard += given_up
        samples = samples[given_up:]
        frames: list[Any] = []
        if len(samples):
            # Interleaved samples in a row, as the format "flt" has them.
            heard = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="flt", layout="stereo")
            heard.sample_rate, heard.pts = self._track.rate_hz, self._heard
            heard.time_base = Fraction(1, self._track.rate_hz)
            self._heard += len(samples)
            frames.append(heard)
        if ends:
            frames.append(None)
        try:
            for frame in frames:
                self._container.mux(self._sound.encode(frame))
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self._release()
        raise ArmoonError(
            f"The recording {self.path} can't be continued ({error.strerror}).",
            remedy="Make room on the disk; the game's log can be replayed and recorded again.",
        ) from error

    def _release(self) -> None:
        container, self._container = self._container, None
        if container is not None:
            # A second fault on the way out adds nothing to the one that led here.
            with contextlib.suppress(OSError):
                container.close()
