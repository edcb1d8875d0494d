"""A mailbox between threads with room for one item; a new one replaces an unread one."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Mailbox(Generic[Item]):
    """A queue of at most one item; a slow reader misses items instead of falling behind."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._item: Item | None = None
        self._closed = False
        self.dropped_count = 0

    def put(self, item: Item) -> None:
        with self._changed:
            if self._item is not None:
                self.dropped_count += 1
            self._item = item
            self._changed.notify_all()

    def pop(self, timeout_s: float = 0.0) -> Item | None:
        """Return the item, or wait up to ``timeout_s`` for one; None after a timeout or ``close``."""
        with self._changed:
            if timeout_s > 0.0:
                self._changed.wait_for(lambda: self._item is not None or self._closed, timeout_s)
            item, self._item = self._item, None
            return item

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        return self._closed
