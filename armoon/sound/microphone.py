"""The microphone, shared by voice control and sound switches. Sound is neither stored nor sent anywhere."""

from __future__ import annotations

import math
import threading
from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError

#: Mono samples (n,) at ``RATE_HZ``.
Sound = npt.NDArray[np.int16]
#: Sample rate in hertz, enough for speech and loud sounds.
RATE_HZ = 16000
#: Length of a block of sound, in seconds, and maximum number of waiting blocks.
BLOCK_S, MAX_WAITING_BLOCKS = 0.02, 250
_FULL_SCALE = 32768.0


class MicrophoneError(ArmoonError):
    """No microphone could be opened; the cause is the library's error."""


class PortAudioError(MicrophoneError):
    """The system library that opens microphones is not installed."""


def measure_level_db(block: Sound) -> float:
    """Return a block's RMS level in dB relative to full scale."""
    power = float(np.mean(np.square(block / _FULL_SCALE))) if len(block) else 0.0
    return 10.0 * math.log10(power) if power > 1e-12 else -120.0


class Microphone:
    """The system's default microphone, recording into a queue of blocks."""

    def __init__(self, sounddevice: Any) -> None:
        self._blocks: deque[Sound] = deque(maxlen=MAX_WAITING_BLOCKS)
        self._changed = threading.Condition()
        self._stream = sounddevice.RawInputStream(
            samplerate=RATE_HZ,
            channels=1,
            dtype="int16",
            blocksize=round(BLOCK_S * RATE_HZ),
            callback=self._add_block,
        )
        self._stream.start()

    def drain_blocks(self, timeout_s: float = 0.0) -> list[Sound]:
        """Return the blocks since the last call, at most ``MAX_WAITING_BLOCKS``; wait up to ``timeout_s`` for one."""
        with self._changed:
            self._changed.wait_for(lambda: self._blocks, timeout_s)
            blocks = list(self._blocks)
            self._blocks.clear()
        return blocks

    def close(self) -> None:
        self._stream.close()

    def _add_block(self, data: Any, frames: int, at: Any, status: Any) -> None:
        """Copy a block, because the memory belongs to the library; called in the library's thread."""
        with self._changed:
            self._blocks.append(np.frombuffer(bytes(data), np.int16))
            self._changed.notify()


def open_microphone() -> Microphone:
    """Open the system's default microphone. Raises MicrophoneError."""
    try:
        import sounddevice
    except OSError as error:  # only its wheels for Windows and macOS contain PortAudio
        raise PortAudioError("fault.program.portaudio") from error
    try:
        return Microphone(sounddevice)
    except Exception as error:  # PortAudio has its own exceptions
        raise MicrophoneError("fault.program.microphone", why=error) from error
