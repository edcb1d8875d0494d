"""Encoding of pictures (H.264) and sound (AAC) on one timeline, into a file or to a server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError

#: Bit rate of the sound, bits per second.
SOUND_BITS = 160_000
#: Number of silent samples that FFmpeg's AAC encoder inserts at the start. A stream can't declare them, and the sound
#: would be late; therefore the same number of samples (23 ms) is dropped.
SOUND_LEAD = 1024
#: Disk and network errors, for some of which FFmpeg has its own classes.
WRITE_ERRORS = (OSError, av.FFmpegError)


@dataclass(frozen=True)
class EncodingSettings:
    """The options of the container and the encoders."""

    container: str
    options: Mapping[str, str]
    """Options of the container."""
    encoder: Mapping[str, str]
    """Options of x264."""
    key_frame_every_s: float
    bits: int | None = None
    """Bit rate of the picture, bits per second; None: determined by the quality."""


class Encoding:
    """An encoder of pictures and sounds; each method raises one of ``WRITE_ERRORS`` if it can't write."""

    def __init__(
        self,
        target: str,
        settings: EncodingSettings,
        size: tuple[int, int],
        rate_hz: float,
        sound_hz: int | None = None,
    ) -> None:
        """Open the file or connect to the server; ``size``: width, height in pixels; ``sound_hz`` None: no sound."""
        # 4:2:0 stores colour at half the width and height, so the last row or column of an odd size is cut off.
        self._width, self._height = size[0] - size[0] % 2, size[1] - size[1] % 2
        self._rate = Fraction(rate_hz).limit_denominator(1001)
        self._start_s: float | None = None
        self._track = None if sound_hz is None else Track(sound_hz)
        self._encoded_samples = 0
        """Number of samples encoded or dropped so far."""
        self._last_slot = -1
        self._container: Any = av.open(
            target, "w", format=settings.container, container_options=dict(settings.options)
        )
        self._stream: Any = self._container.add_stream(
            "libx264", rate=self._rate, options=dict(settings.encoder)
        )
        self._stream.width, self._stream.height = self._width, self._height
        self._stream.pix_fmt = "yuv420p"
        self._stream.gop_size = max(1, round(rate_hz * settings.key_frame_every_s))
        if settings.bits is not None:
            self._stream.bit_rate = settings.bits
        self._sound: Any = None
        if sound_hz is not None:
            self._sound = self._container.add_stream("aac", rate=sound_hz, layout="stereo")
            self._sound.bit_rate = SOUND_BITS
        self._container.start_encoding()

    def add_sound(self, samples: Stereo, time_s: float) -> None:
        """Mix in samples (n, 2) that start at ``time_s``; sound before the first picture is dropped."""
        if self._track is not None and self._start_s is not None and time_s >= self._start_s:
            self._track.mix_in(samples, time_s - self._start_s)

    def write_picture(self, bgr: npt.NDArray[np.uint8], time_s: float) -> None:
        """Add a picture (h, w, 3) shown from ``time_s`` until the next one, unless it comes too soon after the last."""
        if self._start_s is None:
            self._start_s = time_s
        slot = round((time_s - self._start_s) * self._rate)
        if slot <= self._last_slot:
            return
        picture = np.ascontiguousarray(bgr[: self._height, : self._width])
        frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
        frame.pts, frame.time_base = slot, 1 / self._rate
        self._container.mux(self._stream.encode(frame))
        # Only sound up to this picture, because more may still be mixed in after it.
        self._mux_sound(float(slot / self._rate))
        self._last_slot = slot

    def close(self) -> None:
        try:
            self._mux_sound(float((self._last_slot + 1) / self._rate), is_last=True)
            self._container.mux(self._stream.encode(None))
            self._container.close()
        except WRITE_ERRORS:
            self.release()
            raise

    def release(self) -> None:
        with contextlib.suppress(*WRITE_ERRORS):
            self._container.close()

    def _mux_sound(self, until_s: float, *, is_last: bool = False) -> None:
        if self._track is None:
            return
        samples = self._track.drain(until_s)
        dropped = min(len(samples), max(0, SOUND_LEAD - self._encoded_samples))
        self._encoded_samples += dropped
        samples = samples[dropped:]
        if len(samples):
            # The format "flt" has interleaved samples.
            frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="flt", layout="stereo")
            frame.sample_rate, frame.pts = self._track.rate_hz, self._encoded_samples
            frame.time_base = Fraction(1, self._track.rate_hz)
            self._encoded_samples += len(samples)
            self._container.mux(self._sound.encode(frame))
        if is_last:
            self._container.mux(self._sound.encode(None))


Stereo = npt.NDArray[np.float32]


class Track:
    """A mix of stereo samples (n, 2) on one timeline."""

    def __init__(self, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self._waiting: Stereo = np.zeros((0, 2), np.float32)
        """Mixed samples that haven't been drained yet; the first has the number ``_drained_count``."""
        self._drained_count = 0

    def mix_in(self, samples: Stereo, at_s: float) -> None:
        """Mix samples in, amplified by ``SOUND_GAIN``; samples that come too late start where the last drain ended."""
        start = max(0, round(at_s * self.rate_hz) - self._drained_count)
        end = start + len(samples)
        if end > len(self._waiting):
            padding = np.zeros((end - len(self._waiting), 2), np.float32)
            self._waiting = np.concatenate((self._waiting, padding))
        self._waiting[start:end] += SOUND_GAIN * samples

    def drain(self, until_s: float) -> Stereo:
        """Return the next samples up to a time, with silence where there is no sound; values from -1 to 1."""
        count = max(0, round(until_s * self.rate_hz) - self._drained_count)
        block, self._waiting = self._waiting[:count], self._waiting[count:]
        if len(block) < count:
            block = np.concatenate((block, np.zeros((count - len(block), 2), np.float32)))
        self._drained_count += count
        # Compress only samples above _LINEAR, where many sounds coincide.
        loud = np.abs(block) > _LINEAR
        if loud.any():
            over = (np.abs(block) - _LINEAR) / (1.0 - _LINEAR)
            block = np.where(loud, np.sign(block) * (_LINEAR + (1.0 - _LINEAR) * np.tanh(over)), block)
        return block.astype(np.float32)


#: Amplification of films and streams relative to the loudspeaker, which gives a loudness of -20 to -16 LUFS.
SOUND_GAIN = 1.6
#: Amplitude up to which samples aren't compressed.
_LINEAR = 0.8


#: Options for a film on disk.
FILM = EncodingSettings(
    "mp4",
    # Fragmented, so that a killed process leaves a playable film; closing makes it an ordinary, seekable file.
    {"movflags": "hybrid_fragmented+frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"},
    # x264's fastest preset: 8 ms per frame at 1280×720 on two cores, hardly visible at quality 20.
    {"preset": "ultrafast", "crf": "20"},
    # Maximum loss if the process is killed.
    key_frame_every_s=1.0,
)
SUFFIX = ".mp4"


class Recorder(Encoding):
    """A film on disk, which is complete after ``close``."""

    def __init__(
        self, path: Path, width: int, height: int, rate_hz: float, sound_hz: int | None = None
    ) -> None:
        """Create the file; ``sound_hz``: sample rate, None: no sound. Raises ArmoonError."""
        self.path = path
        if path.suffix.lower() != SUFFIX:
            raise ArmoonError("fault.film.suffix", path=path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            super().__init__(str(path), FILM, (width, height), rate_hz, sound_hz)
        except OSError as error:
            raise ArmoonError("fault.film.unwritable", path=path, why=error) from error
        self._is_open = True
        """False after closing or a write error."""

    def write_picture(self, bgr: npt.NDArray[np.uint8], time_s: float) -> None:
        """Add a picture (h, w, 3) shown from ``time_s`` until the next one. Raises ArmoonError."""
        self._write(partial(super().write_picture, bgr, time_s))

    def close(self) -> None:
        """Finish the file; a second call does nothing. Raises ArmoonError if the file can't be written."""
        self._write(super().close)
        self._is_open = False

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, write: Callable[[], None]) -> None:
        if not self._is_open:
            return  # closed, or the failure was already reported
        try:
            write()
        except WRITE_ERRORS as error:
            self._is_open = False
            self.release()
            raise ArmoonError("fault.film.stopped", path=self.path, why=error) from error
