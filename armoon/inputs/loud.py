"""A loud sound as a switch: a clap, a call or a puff presses it at its start and releases it at its end.

It has no clock and no microphone: its input is the loudness of each stretch of sound. Constant noise, from a fan or a
street, is learnt as the floor; only sounds well above it count.
"""

from __future__ import annotations

#: Level above the noise floor at which a sound counts and stops counting; minimum level, dB of full scale.
RISES_DB, FALLS_DB, LEAST_DB = 18.0, 10.0, -42.0
#: The floor follows what is softer at once and what is louder slowly, dB a second.
FLOOR_RISES_DB_S = 4.0
#: Seconds of softness that end a sound: a word's stops are no ends.
SOFT_S = 0.12
#: Seconds of sound before the noise floor is known.
LEARNS_S = 0.5
_SILENCE_DB = -90.0


class LoudSwitch:
    """Loud sounds as presses and releases."""

    def __init__(self) -> None:
        self.floor_db = 0.0
        """The noise floor: level without presses."""
        self._heard_s = self._soft_s = 0.0
        self._down = False
        self._edges: list[bool] = []

    def hear(self, level_db: float, seconds: float) -> None:
        """Take the loudness of the next ``seconds`` of sound (RMS, dB of full scale)."""
        level_db = max(level_db, _SILENCE_DB)
        first = self._heard_s == 0.0
        self._heard_s += seconds
        if first or level_db < self.floor_db:
            self.floor_db = level_db
        else:
            self.floor_db = min(level_db, self.floor_db + FLOOR_RISES_DB_S * seconds)
        if self._heard_s < LEARNS_S:
            return
        if not self._down:
            if level_db > max(self.floor_db + RISES_DB, LEAST_DB):
                self._down, self._soft_s = True, 0.0
                self._edges.append(True)
            return
        self._soft_s = self._soft_s + seconds if level_db < self.floor_db + FALLS_DB else 0.0
        if self._soft_s >= SOFT_S:
            self._down = False
            self._edges.append(False)

    def take(self) -> tuple[bool, ...]:
        """Return the presses (True) and their ends (False) since the last call."""
        edges, self._edges = tuple(self._edges), []
        return edges
