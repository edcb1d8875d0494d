"""The ways on which packets go between tables: what one table sends, all others get; nothing is promised of it."""

from __future__ import annotations

import threading
from collections import deque
from typing import Protocol

#: Packets that wait for the loop, or for the line, at most: minutes of a game.
MOST_WAITING = 8192


class Wire(Protocol):
    """One table's way to all others. No call of it waits."""

    @property
    def up(self) -> bool:
        """What is sent now goes out at once; else it waits until the line is back, or is lost."""

    def send(self, packet: bytes) -> None:
        """Send a packet to all other tables."""

    def take(self) -> list[bytes]:
        """Return the packets that have come since the last call, in the order in which they came."""

    def close(self) -> None:
        """Send what waits, within a short time, and end."""


class Box:
    """Packets from another thread, the oldest first; where there are too many the oldest give way."""

    def __init__(self) -> None:
        self._packets: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._lock = threading.Condition()
        self._closed = False

    def put(self, packet: bytes) -> None:
        with self._lock:
            self._packets.append(packet)
            self._lock.notify_all()

    def close(self) -> None:
        """Wake who waits; nothing more comes."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()

    def take(self, wait_s: float = 0.0) -> list[bytes]:
        """Return all that is there; waits for the first, if asked to."""
        with self._lock:
            if wait_s and not self._packets and not self._closed:
                self._lock.wait(wait_s)
            packets = list(self._packets)
            self._packets.clear()
        return packets
