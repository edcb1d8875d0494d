"""A one-slot mailbox between threads: a new item replaces an unread one, which is counted as dropped."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Letter = TypeVar("Letter")


class Mailbox(Generic[Letter]):
    """A queue of at most one item; a slow reader misses old items instead of falling behind."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._letter: Letter | None = None
        self._closed = False
        self.dropped = 0

    def put(self, letter: Letter) -> None:
        with self._changed:
            if self._letter is not None:
                self.dropped += 1
            self._letter = letter
            self._changed.notify_all()

    def pop(self, timeout_s: float = 0.0) -> Letter | None:
        """Return the item, waiting up to ``timeout_s`` for one; None after a timeout or ``close``."""
        with self._changed:
            if timeout_s > 0.0:
                self._changed.wait_for(lambda: self._letter is not None or self._closed, timeout_s)
            letter, self._letter = self._letter, None
            return letter

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        return self._closed
