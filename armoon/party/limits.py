"""Limits by address and by time, for the servers of parties and of games with other tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Container, Iterable
from typing import Any, TypeVar

Value = TypeVar("Value")
#: This machine's own addresses, exempt from most limits because local programs open connections for many guests.
LOOPBACK = ("127.0.0.1", "::1")


class RecentDict(dict[str, Value]):
    """A dictionary with at most ``most`` entries; beyond that, the oldest entry that isn't in ``kept`` is deleted."""

    def __init__(self, most: int = 4096, kept: Container[str] = ()) -> None:
        super().__init__()
        self._most, self._kept = most, kept

    def __setitem__(self, key: str, value: Value) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(other for other in self if other not in self._kept)]


class Quota:
    """A limit on each sender's requests, whose count falls at a constant rate."""

    def __init__(self, most: float, within_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        """Allow each sender ``most`` requests at once, and then one every ``within_s / most`` seconds."""
        self._most, self._decay_hz, self._now_s = most, most / within_s, now_s
        self._counts = RecentDict[tuple[float, float]]()
        """Last count of each sender, and its time in seconds."""

    def allows(self, sender: str) -> bool:
        return self.count_now(sender) <= self._most - 1.0

    def count_now(self, sender: str) -> float:
        count, then_s = self._counts.get(sender, (0.0, 0.0))
        return max(0.0, count - self._decay_hz * (self._now_s() - then_s))

    def count(self, sender: str, requests: int = 1) -> None:
        """Count requests, up to twice the quota."""
        self._counts[sender] = min(self.count_now(sender) + requests, 2.0 * self._most), self._now_s()

    def count_if_allowed(self, sender: str) -> bool:
        """Count a request unless it is beyond the quota; return whether it was counted."""
        if allowed := self.allows(sender):
            self.count(sender)
        return allowed

    def rounded_counts(self, least: int) -> dict[str, int]:
        """Return the rounded counts of the senders with ``least`` requests or more."""
        counts = {sender: round(self.count_now(sender)) for sender in self._counts}
        return {sender: count for sender, count in counts.items() if count >= least}


def find_address(transport: Any) -> str:
    """Return the peer's address of an asyncio transport; empty if it is disconnected."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""


def find_busiest(connections: Iterable[Any]) -> list[Any]:
    """Return the connections from the address (``where``) that has the most, in their order."""
    by_address: dict[str, list[Any]] = {}
    for connection in connections:
        by_address.setdefault(connection.where, []).append(connection)
    return max(by_address.values(), key=len, default=[])


class AwaitedConnections(dict[Any, asyncio.TimerHandle | None]):
    """asyncio protocols that must send something within a time limit, with their timers, longest waiting first."""

    def __init__(self, limit_s: float, close: Callable[[Any], None]) -> None:
        """``close`` is called with each connection that has sent nothing for ``limit_s`` seconds."""
        super().__init__()
        self.limit_s, self._close = limit_s, close

    def add(self, connection: Any) -> None:
        if self.get(connection) is None:
            self[connection] = connection.loop.call_later(self.limit_s, self._close, connection)

    def remove(self, connection: Any) -> None:
        if (timer := self.pop(connection, None)) is not None:
            timer.cancel()
