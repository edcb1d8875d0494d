"""Debounces switches, detects faulty ones, and turns loud sounds into presses."""

from __future__ import annotations

#: Time after a transition in which further ones are bounces, in seconds; each bounce restarts it.
DEBOUNCE_S = 0.08
#: Time after which a held switch counts as stuck, in seconds.
STUCK_S = 20.0
#: Number of consecutive bounces that marks a switch as faulty.
MAX_BOUNCES = 30


class SwitchFilter:
    """Debounces one switch."""

    def __init__(self) -> None:
        self.hold_s = 0.0
        self.fault = ""
        """Message key of a new fault; empty: none."""
        self._down = False
        self._is_intended = self._is_reported = False
        """Whether the current press is more than a bounce, and whether it has been reported."""
        self._since_s = 0.0
        self._changed_s = -1e9
        self._bounces = 0
        self._edges: list[bool] = []

    def set_state(self, down: bool, now_s: float) -> None:
        if down is self._down:
            return
        self._down = down
        was_quiet = now_s - self._changed_s >= DEBOUNCE_S
        self._bounces = 0 if was_quiet else self._bounces + 1
        if self._bounces == MAX_BOUNCES:
            self.fault = "switch.chatters"
        self._changed_s = now_s
        if down:
            self._is_intended, self._since_s = was_quiet, now_s
        else:
            self._report_press(now_s)
            if self._is_reported:
                self._edges.append(False)
            self._is_intended = self._is_reported = False

    def drain_edges(self, now_s: float) -> tuple[bool, ...]:
        """Return presses (True) and releases (False) since the last call."""
        if self._down:
            self._report_press(now_s)
            if self._is_reported and now_s - self._since_s > STUCK_S:
                self.fault = "switch.stuck"
                self._edges.append(False)
                self._is_intended = self._is_reported = False
        edges, self._edges = tuple(self._edges), []
        return edges

    def drain_fault(self) -> str:
        fault, self.fault = self.fault, ""
        return fault

    def _report_press(self, now_s: float) -> None:
        if self._is_intended and not self._is_reported and now_s - self._since_s >= self.hold_s:
            self._is_reported = True
            self._edges.append(True)


#: Levels above the noise floor at which a sound starts and ends, in dB; minimum level of a sound, in dB of full scale.
START_DB, END_DB, MIN_DB = 18.0, 10.0, -42.0
#: Rate at which the noise floor rises during louder sound, in dB per second; it falls at once.
FLOOR_RISE_DB_S = 4.0
#: Quiet time that ends a sound, in seconds; pauses within a word are shorter.
QUIET_S = 0.12
#: Initial time for measuring the noise floor, in seconds.
LEARNING_S = 0.5
_SILENCE_DB = -90.0


class LoudSwitch:
    """Turns loud sounds into presses and releases."""

    def __init__(self) -> None:
        self.floor_db = 0.0
        self._total_s = self._quiet_s = 0.0
        self._down = False
        self._edges: list[bool] = []

    def add_level(self, level_db: float, seconds: float) -> None:
        """Add the level of the next ``seconds`` of sound (RMS, dB of full scale)."""
        level_db = max(level_db, _SILENCE_DB)
        first = self._total_s == 0.0
        self._total_s += seconds
        if first or level_db < self.floor_db:
            self.floor_db = level_db
        else:
            self.floor_db = min(level_db, self.floor_db + FLOOR_RISE_DB_S * seconds)
        if self._total_s < LEARNING_S:
            return
        if not self._down:
            if level_db > max(self.floor_db + START_DB, MIN_DB):
                self._down, self._quiet_s = True, 0.0
                self._edges.append(True)
            return
        self._quiet_s = self._quiet_s + seconds if level_db < self.floor_db + END_DB else 0.0
        if self._quiet_s >= QUIET_S:
            self._down = False
            self._edges.append(False)

    def drain_edges(self) -> tuple[bool, ...]:
        edges, self._edges = tuple(self._edges), []
        return edges
