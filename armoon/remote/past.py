"""The packets of a shared game: those already played, and those received ahead of time."""

from __future__ import annotations

import bisect

from armoon.engine.setup import Intake, Record
from armoon.remote.kinds import Played

#: Maximum number of frames kept ahead of time: five minutes.
MAX_AHEAD = 5 * 60 * 60
#: Maximum number of waiting ticks that is counted; more are caught up with in fast motion anyway.
MAX_COUNTED = 600

Key = tuple[int, str]
"""A frame's number and its sender."""
Frame = tuple[Intake, tuple[Record, ...] | None]
"""A frame's intake and, for a message's last frame, the lines of its verdict, if any."""


class Past:
    """All played packets in order, for tables that lack some."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, bytes]] = []

    def add(self, first: int, packet: bytes) -> None:
        """Store a packet with the number of its first frame."""
        self._kept.append((first, packet))

    def since(self, first: int, most: int) -> list[bytes]:
        """Return about ``most`` packets from that frame on."""
        begins = max(bisect.bisect_right(self._kept, first, key=lambda kept: kept[0]) - 1, 0)
        return [packet for _, packet in self._kept[begins : begins + most]]


class Ahead:
    """Frames received ahead of time, by number and sender."""

    def __init__(self) -> None:
        self._frames: dict[Key, Frame] = {}
        self._packets: dict[Key, bytes] = {}

    def __len__(self) -> int:
        return len(self._frames)

    def __contains__(self, key: Key) -> bool:
        return key in self._frames

    def __getitem__(self, key: Key) -> Frame:
        return self._frames[key]

    def put(self, table: str, message: Played, packet: bytes, played: int) -> None:
        """Store frames close enough to the next one, ``played``. Raises ValueError for an invalid line."""
        intakes = message.intakes
        last = message.first + len(intakes) - 1
        if not played <= last < played + MAX_AHEAD:
            return
        self._packets.setdefault((max(message.first, played), table), packet)
        for number, intake in enumerate(intakes, start=message.first):
            if number >= played:
                judged = message.judged if number == last else None
                self._frames.setdefault((number, table), (intake, judged))

    def pop(self, key: Key) -> bytes | None:
        """Remove a frame; return the packet that began with it."""
        self._frames.pop(key, None)
        return self._packets.pop(key, None)

    def received(self, first: int, table: str) -> int:
        """Return the number of the first frame from ``first`` on that this table hasn't sent."""
        while (first, table) in self._frames:
            first += 1
        return first

    def ticks(self, first: int, table: str) -> int:
        """Return the number of this table's ticks that can be stepped without a gap."""
        ticks = 0
        while ticks < MAX_COUNTED and (first, table) in self._frames:
            ticks += self._frames[first, table][0].ticks
            first += 1
        return ticks
