"""The speech queue: priorities, interruption, and dropping of stale utterances."""

from __future__ import annotations

import enum
from collections import deque
from dataclasses import dataclass

#: Maximum number of waiting utterances; the oldest are left out.
MOST_WAITING = 16


class Urgency(enum.Enum):
    """What an utterance does to others."""

    FOCUS = "focus"
    """What can be pressed now: only the newest counts, and it comes after all others."""
    TEXT = "text"
    """What stands on the page that is open."""
    PAGE = "page"
    """Another page is open: whatever the last one had to say is past."""
    EVENT = "event"
    """Something has happened at the table: it is said to its end."""


@dataclass(frozen=True)
class Utterance:
    """Something to be said."""

    words: str
    urgency: Urgency = Urgency.EVENT


#: What each kind ends.
_ENDS = {
    Urgency.FOCUS: (Urgency.FOCUS,),
    Urgency.TEXT: (),
    Urgency.PAGE: (Urgency.FOCUS, Urgency.TEXT, Urgency.PAGE),
    Urgency.EVENT: (),
}


class Order:
    """What waits to be said."""

    def __init__(self) -> None:
        self._waiting: deque[Utterance] = deque()
        self.current: Utterance | None = None
        """What is being said."""

    def add(self, one: Utterance) -> bool:
        """Queue an utterance; return whether it cuts short what is being said."""
        ended = _ENDS[one.urgency]
        self._waiting = deque(other for other in self._waiting if other.urgency not in ended)
        at = len(self._waiting)
        if one.urgency is not Urgency.FOCUS and self._waiting and self._waiting[-1].urgency is Urgency.FOCUS:
            at -= 1
        self._waiting.insert(at, one)
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()
        now = self.current
        late = now is not None and now.urgency is Urgency.FOCUS  # whatever else there is comes first
        return now is not None and (late or now.urgency in ended)

    def next(self) -> Utterance | None:
        """Return the next utterance; None: silence."""
        self.current = self._waiting.popleft() if self._waiting else None
        return self.current

    def clear(self) -> None:
        """Nothing of what waits is to be said."""
        self._waiting.clear()
