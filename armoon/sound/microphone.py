"""The one place where a microphone is opened: whoever wants to hear asks for the sound since the last time.

Sound stays on the machine, and none of it is kept.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any, Protocol

import numpy as np

from armoon.errors import ArmoonError
from armoon.sound.wood import Samples

#: Enough for words and loud sounds.
RATE_HZ = 16000
#: So much sound comes at a time, and so much waits at most, blocks.
BLOCK_S, MOST_WAITING = 0.02, 250


class Microphone(Protocol):
    """Where sound comes from."""

    def take(self) -> list[Samples]:
        """The blocks (n,) since the last call, mono from -1 to 1 at ``RATE_HZ``; old ones that nobody took are lost."""

    def close(self) -> None:
        """Give it back; may be called twice."""


def level_db(block: Samples) -> float:
    """How loud a block is: its RMS in dB of full scale."""
    power = float(np.mean(np.square(block, dtype=np.float64))) if len(block) else 0.0
    return 10.0 * math.log10(power) if power > 1e-12 else -120.0


class _Opened:
    """The system's microphone."""

    def __init__(self, sounddevice: Any) -> None:
        self._blocks: deque[Samples] = deque(maxlen=MOST_WAITING)
        self._stream = sounddevice.InputStream(
            samplerate=RATE_HZ,
            channels=1,
            dtype="float32",
            blocksize=round(BLOCK_S * RATE_HZ),
            callback=lambda block, frames, times, status: self._blocks.append(block[:, 0].copy()),
        )
        self._stream.start()

    def take(self) -> list[Samples]:
        blocks = []
        while self._blocks:
            blocks.append(self._blocks.popleft())
        return blocks

    def close(self) -> None:
        self._stream.close()


def open_microphone() -> Microphone:
    """The system's usual one. Raises ArmoonError where there is none, or nothing to open it with."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:  # OSError: PortAudio isn't there
        raise ArmoonError(
            "A microphone can't be opened: sounddevice isn't installed.",
            remedy='Install it: pip install "armoon[microphone]" (Linux: apt install libportaudio2).',
        ) from error
    try:
        return _Opened(sounddevice)
    except Exception as error:  # PortAudio raises its own
        raise ArmoonError(
            f"No microphone can be opened ({error}).", remedy="Plug one in, or choose another switch."
        ) from error
