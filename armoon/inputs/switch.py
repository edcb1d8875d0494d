"""Debouncing of switches, without clock or device: intended presses, and warnings about faulty switches."""

from __future__ import annotations

#: Time after a transition in which further ones are bounces and extend that time, seconds.
DEBOUNCE_S = 0.08
#: Time after which a held switch counts as stuck, seconds.
STUCK_S = 20.0
#: Number of bounces in a row that only a faulty switch makes.
CHATTERS = 30


class SwitchFilter:
    """Debounces one switch."""

    def __init__(self) -> None:
        self.hold_s = 0.0
        self.trouble = ""
        """Message key of a new fault."""
        self._down = False
        self._meant = self._reported = False
        """Whether the present press is more than a bounce; whether it was reported."""
        self._since_s = 0.0
        self._moved_s = -1e9
        self._moves = 0
        self._edges: list[bool] = []

    def set_state(self, down: bool, now_s: float) -> None:
        if down is self._down:
            return
        self._down = down
        quiet = now_s - self._moved_s >= DEBOUNCE_S
        self._moves = 0 if quiet else self._moves + 1
        if self._moves == CHATTERS:
            self.trouble = "switch.chatters"
        self._moved_s = now_s
        if down:
            self._meant, self._since_s = quiet, now_s
        else:
            self._tell(now_s)
            if self._reported:
                self._edges.append(False)
            self._meant = self._reported = False

    def drain_edges(self, now_s: float) -> tuple[bool, ...]:
        """Return presses (True) and their ends (False) since the last call."""
        if self._down:
            self._tell(now_s)
            if self._reported and now_s - self._since_s > STUCK_S:
                self.trouble = "switch.stuck"
                self._edges.append(False)
                self._meant = self._reported = False
        edges, self._edges = tuple(self._edges), []
        return edges

    def drain_trouble(self) -> str:
        trouble, self.trouble = self.trouble, ""
        return trouble

    def _tell(self, now_s: float) -> None:
        if self._meant and not self._reported and now_s - self._since_s >= self.hold_s:
            self._reported = True
            self._edges.append(True)


#: Level above the noise floor at which a sound starts and stops counting; minimum level, dB of full scale.
RISES_DB, FALLS_DB, MIN_DB = 18.0, 10.0, -42.0
#: Speed at which the noise floor rises with louder sound, dB per second; it falls at once.
FLOOR_RISES_DB_S = 4.0
#: Minimum quiet time that ends a sound, seconds, longer than the pauses within a word.
SOFT_S = 0.12
#: Duration of sound before the noise floor is known, seconds.
LEARNS_S = 0.5
_SILENCE_DB = -90.0


class LoudSwitch:
    """Turns loud sounds into presses and releases."""

    def __init__(self) -> None:
        self.floor_db = 0.0
        self._heard_s = self._soft_s = 0.0
        self._down = False
        self._edges: list[bool] = []

    def add_level(self, level_db: float, seconds: float) -> None:
        """Add the level of the next ``seconds`` of sound (RMS, dB of full scale)."""
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
            if level_db > max(self.floor_db + RISES_DB, MIN_DB):
                self._down, self._soft_s = True, 0.0
                self._edges.append(True)
            return
        self._soft_s = self._soft_s + seconds if level_db < self.floor_db + FALLS_DB else 0.0
        if self._soft_s >= SOFT_S:
            self._down = False
            self._edges.append(False)

    def drain_edges(self) -> tuple[bool, ...]:
        edges, self._edges = tuple(self._edges), []
        return edges
