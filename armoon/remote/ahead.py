"""Frames of other tables that have come and wait for their turn, each with the packet in which it came."""

from __future__ import annotations

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

    def next_known(self, first: int, table: str) -> int | None:
        """Return the number of the first frame after ``first`` that this table has sent, if there is one."""
        return min(
            (number for number, name in self._frames if name == table and number > first), default=None
        )

    def ticks(self, first: int, table: str) -> int:
        """Return how many ticks of this table can be stepped without a gap."""
        ticks = 0
        while ticks < MOST_COUNTED and (first, table) in self._frames:
            ticks += self._frames[first, table][0].ticks
            first += 1
        return ticks
