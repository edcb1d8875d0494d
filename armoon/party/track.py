"""A film's sound: samples placed at their times, and released once nothing earlier can come."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Stereo = npt.NDArray[np.float32]


class Track:
    """Mixes stereo samples (n, 2) on one line of time."""

    def __init__(self, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self._waiting: Stereo = np.zeros((0, 2), np.float32)
        """What was laid down and not handed out; its first sample is number ``_given``."""
        self._given = 0

    def add(self, samples: Stereo, at_s: float) -> None:
        """Lay them down; what would begin before the last ``take`` begins there."""
        at = max(0, round(at_s * self.rate_hz) - self._given)
        end = at + len(samples)
        if end > len(self._waiting):
            more = np.zeros((end - len(self._waiting), 2), np.float32)
            self._waiting = np.concatenate((self._waiting, more))
        self._waiting[at:end] += samples

    def take(self, until_s: float) -> Stereo:
        """All samples up to a time that weren't handed out yet, silence included; between -1 and 1."""
        count = max(0, round(until_s * self.rate_hz) - self._given)
        taken, self._waiting = self._waiting[:count], self._waiting[count:]
        if len(taken) < count:
            taken = np.concatenate((taken, np.zeros((count - len(taken), 2), np.float32)))
        self._given += count
        # Many at once are louder than a film can be: those alone are bent, what is quieter stays as it is.
        loud = np.abs(taken) > _STRAIGHT
        if loud.any():
            over = (np.abs(taken) - _STRAIGHT) / (1.0 - _STRAIGHT)
            taken = np.where(loud, np.sign(taken) * (_STRAIGHT + (1.0 - _STRAIGHT) * np.tanh(over)), taken)
        return taken.astype(np.float32)


#: Up to here samples stay as they are.
_STRAIGHT = 0.8
