"""Pictures and sound as H.264 and AAC, on one timeline, into a file or to a server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError

#: Bit rate of the sound, bits a second.
SOUND_BITS = 160_000
#: FFmpeg's AAC puts this many samples of silence before its input, which a streamed file can't declare: the first
#: samples give way to them (23 ms), so each later one is where it belongs, in any player.
SOUND_LEAD = 1024
#: Errors of disk and network; FFmpeg has classes of its own for some.
FAULTS = (OSError, av.FFmpegError)


@dataclass(frozen=True)
class EncodingForm:
    """How it is encoded and put together."""

    container: str
    options: Mapping[str, str]
    """Options of the container."""
    encoder: Mapping[str, str]
    """Options of x264."""
    key_frame_every_s: float
    bits: int | None = None
    """Bit rate of the picture, bits a second; None: as many as its quality takes."""


class Encoding:
    """Takes pictures and sounds until ``close``; each call raises one of ``FAULTS`` when nothing can be written."""

    def __init__(
        self,
        target: str,
        form: EncodingForm,
        size: tuple[int, int],
        rate_hz: float,
        sound_hz: int | None = None,
    ) -> None:
        """Open the file or reach the server; width and height in pixels; ``sound_hz`` None: silent."""
        # 4:2:0 colour halves both sides, so an odd last row or column is cut off.
        self._width, self._height = size[0] - size[0] % 2, size[1] - size[1] % 2
        self._rate = Fraction(rate_hz).limit_denominator(1001)
        self._start_s: float | None = None
        self._track = None if sound_hz is None else Track(sound_hz)
        self._heard = 0
        """Number of the track's samples that were handled."""
        self._last_slot = -1
        self.frames = 0
        self.skipped = 0
        """Pictures that came faster than the rate and were left out."""
        self._container: Any = av.open(
            target, "w", format=form.container, container_options=dict(form.options)
        )
        self._stream: Any = self._container.add_stream("libx264", rate=self._rate, options=dict(form.encoder))
        self._stream.width, self._stream.height = self._width, self._height
        self._stream.pix_fmt = "yuv420p"
        self._stream.gop_size = max(1, round(rate_hz * form.key_frame_every_s))
        if form.bits is not None:
            self._stream.bit_rate = form.bits
        self._sound: Any = None
        if sound_hz is not None:
            self._sound = self._container.add_stream("aac", rate=sound_hz, layout="stereo")
            self._sound.bit_rate = SOUND_BITS
        self._container.start_encoding()

    def hear(self, samples: Stereo, time_s: float) -> None:
        """Mix in samples (n, 2) that begin at ``time_s``; before the first picture nothing is heard."""
        if self._track is not None and self._start_s is not None and time_s >= self._start_s:
            self._track.add(samples, time_s - self._start_s)

    def write(self, bgr: npt.NDArray[np.uint8], time_s: float) -> None:
        """Add a picture (h, w, 3) shown at ``time_s``, until the next one; times count from the first one."""
        if self._start_s is None:
            self._start_s = time_s
        slot = round((time_s - self._start_s) * self._rate)
        if slot <= self._last_slot:
            self.skipped += 1
            return
        picture = np.ascontiguousarray(bgr[: self._height, : self._width])
        frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
        frame.pts, frame.time_base = slot, 1 / self._rate
        self._container.mux(self._stream.encode(frame))
        # Sounds of this moment and later ones may still come.
        self._mux_sound(float(slot / self._rate))
        self._last_slot = slot
        self.frames += 1

    def close(self) -> None:
        try:
            self._mux_sound(float((self._last_slot + 1) / self._rate), ends=True)
            self._container.mux(self._stream.encode(None))
            self._container.close()
        except FAULTS:
            self.let_go()
            raise

    def let_go(self) -> None:
        """Give the file or the server back, after a fault."""
        # A second fault on the way out adds nothing to the one that led here.
        with contextlib.suppress(*FAULTS):
            self._container.close()

    def _mux_sound(self, until_s: float, *, ends: bool = False) -> None:
        if self._track is None:
            return
        samples = self._track.take(until_s)
        given_up = min(len(samples), max(0, SOUND_LEAD - self._heard))
        self._heard += given_up
        samples = samples[given_up:]
        if len(samples):
            # Interleaved samples in a row, as the format "flt" has them.
            heard = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="flt", layout="stereo")
            heard.sample_rate, heard.pts = self._track.rate_hz, self._heard
            heard.time_base = Fraction(1, self._track.rate_hz)
            self._heard += len(samples)
            self._container.mux(self._sound.encode(heard))
        if ends:
            self._container.mux(self._sound.encode(None))


Stereo = npt.NDArray[np.float32]


class Track:
    """Mixes stereo samples (n, 2) on one line of time."""

    def __init__(self, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self._waiting: Stereo = np.zeros((0, 2), np.float32)
        """What was laid down and not handed out; its first sample is number ``_given``."""
        self._given = 0

    def add(self, samples: Stereo, at_s: float) -> None:
        """Lay them down, louder by ``LOUDER``; what would begin before the last ``take`` begins there."""
        at = max(0, round(at_s * self.rate_hz) - self._given)
        end = at + len(samples)
        if end > len(self._waiting):
            more = np.zeros((end - len(self._waiting), 2), np.float32)
            self._waiting = np.concatenate((self._waiting, more))
        self._waiting[at:end] += LOUDER * samples

    def take(self, until_s: float) -> Stereo:
        """All samples up to a time that weren't handed out yet, silence included; between -1 and 1."""
        count = max(0, round(until_s * self.rate_hz) - self._given)
        taken, self._waiting = self._waiting[:count], self._waiting[count:]
        if len(taken) < count:
            taken = np.concatenate((taken, np.zeros((count - len(taken), 2), np.float32)))
        self._given += count
        # Many at once are louder than a film can be: only those are compressed.
        loud = np.abs(taken) > _STRAIGHT
        if loud.any():
            over = (np.abs(taken) - _STRAIGHT) / (1.0 - _STRAIGHT)
            taken = np.where(loud, np.sign(taken) * (_STRAIGHT + (1.0 - _STRAIGHT) * np.tanh(over)), taken)
        return taken.astype(np.float32)


#: Beyond a loudspeaker's volume, which a player sets: films and streams lie between -20 and -16 LUFS.
LOUDER = 1.6
#: Up to here samples stay as they are.
_STRAIGHT = 0.8


#: A film on disk.
FILM = EncodingForm(
    "mp4",
    # In fragments, so that a killed process leaves a playable film; closing makes it an ordinary, seekable file.
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
        """Create the film. ``sound_hz``: samples a second; None: silent. Raises ArmoonError."""
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
        return self._encoding.frames

    @property
    def skipped(self) -> int:
        return self._encoding.skipped

    def hear(self, samples: Stereo, time_s: float) -> None:
        self._encoding.hear(samples, time_s)

    def write(self, bgr: npt.NDArray[np.uint8], time_s: float) -> None:
        """Show a picture (h, w, 3) from ``time_s`` to the next. Raises ArmoonError."""
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
            return  # the disk failed before, which was reported once
        try:
            write()
        except FAULTS as error:
            self._open = False
            self._encoding.let_go()
            raise ArmoonError(
                f"The recording {self.path} can't be continued ({error.strerror}).",
                remedy="Make room on the disk; the game's log can be replayed and recorded again.",
            ) from error
