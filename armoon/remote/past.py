"""The packets of a game that were played, and those ahead."""

from __future__ import annotations

import bisect

from armoon.engine.setup import Intake, Record
from armoon.remote.kinds import Played

#: Number of frames ahead that are kept: five minutes.
MOST_AHEAD = 5 * 60 * 60
#: Number of ticks beyond which none need be counted: they are caught up with in fast motion.
MOST_COUNTED = 600

Key = tuple[int, str]
"""A frame's number, and the table that has sent it."""
Frame = tuple[Intake, tuple[Record, ...] | None]
"""And of a message's last one the lines of its verdict, if it has any."""


class Past:
    """All packets of the game in their order, for tables that lack some."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, bytes]] = []

    def add(self, first: int, packet: bytes) -> None:
        """Keep a packet, whose first frame has this number."""
        self._kept.append((first, packet))

    def since(self, first: int, most: int) -> list[bytes]:
        """Return the packets from that frame on, about so many."""
        begins = max(bisect.bisect_right(self._kept, first, key=lambda kept: kept[0]) - 1, 0)
        return [packet for _, packet in self._kept[begins : begins + most]]


class Ahead:
    """The waiting packets, by number and sender."""

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
        """Keep what isn't too far from the next frame, ``played``. Raises ValueError for a line that is no frame."""
        intakes = message.intakes
        last = message.first + len(intakes) - 1
        if not played <= last < played + MOST_AHEAD:
            return
        self._packets.setdefault((max(message.first, played), table), packet)
        for number, intake in enumerate(intakes, start=message.first):
            if number >= played:
                judged = message.judged if number == last else None
                self._frames.setdefault((number, table), (intake, judged))

    def pop(self, key: Key) -> bytes | None:
        """Take a frame away; return the packet that began with it."""
        self._frames.pop(key, None)
        return self._packets.pop(key, None)

    def received(self, first: int, table: str) -> int:
        """Return the number of the first frame from ``first`` on that this table hasn't sent."""
        while (first, table) in self._frames:
            first += 1
        return first

    def ticks(self, first: int, table: str) -> int:
        """Return how many ticks of this table can be stepped without a gap."""
        ticks = 0
        while ticks < MOST_COUNTED and (first, table) in self._frames:
            ticks += self._frames[first, table][0].ticks
            first += 1
        return ticks
