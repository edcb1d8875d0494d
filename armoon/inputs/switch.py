"""A switch, debounced: intended presses, and a sentence about one that can't be intended.

It has no clock and no device: the caller gives the time of each press.
"""

from __future__ import annotations

#: Time after a movement of the switch in which a press is bouncing, which prolongs that time, seconds.
DEBOUNCE_S = 0.08
#: Seconds after which a held switch counts as stuck.
STUCK_S = 20.0
#: Number of movements without a rest that no player makes.
CHATTERS = 30


class SwitchFilter:
    """One switch."""

    def __init__(self) -> None:
        self.hold_s = 0.0
        """A shorter press is none."""
        self.trouble = ""
        """The key of a sentence, once for each fault: it is stuck, or it chatters."""
        self._down = False
        self._meant = False
        """The press under way counts, as far as can be told."""
        self._told = False
        """... and was told."""
        self._since_s = 0.0
        self._moved_s = -1e9
        self._moves = 0
        self._edges: list[bool] = []

    def move(self, down: bool, now_s: float) -> None:
        """Note that the switch went down or up."""
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
            if self._told:
                self._edges.append(False)
            self._meant = self._told = False

    def take(self, now_s: float) -> tuple[bool, ...]:
        """Return the presses (True) and their ends (False) since the last call."""
        if self._down:
            self._tell(now_s)
            if self._told and now_s - self._since_s > STUCK_S:
                self.trouble = "switch.stuck"
                self._edges.append(False)
                self._meant = self._told = False
        edges, self._edges = tuple(self._edges), []
        return edges

    def take_trouble(self) -> str:
        """Return the switch's fault, once; else an empty string."""
        trouble, self.trouble = self.trouble, ""
        return trouble

    def _tell(self, now_s: float) -> None:
        if self._meant and not self._told and now_s - self._since_s >= self.hold_s:
            self._told = True
            self._edges.append(True)
