"""A table's packets, written before they are sent so that none is played twice after a kill, and those ahead."""

from __future__ import annotations

import bisect
import os
import struct
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from armoon.engine.setup import Intake, Record
from armoon.remote.kinds import Played
from armoon.remote.seal import LARGEST_PACKET

#: Packets before those of the frames: the program's version, and how the host has begun the game.
BEGUN = 2
_LENGTH = struct.Struct(">I")
#: Number of frames ahead that are kept: five minutes.
MOST_AHEAD = 5 * 60 * 60
#: Number of ticks beyond which none need be counted: they are caught up with in fast motion.
MOST_COUNTED = 600

Key = tuple[int, str]
"""A frame's number, and the table that has sent it."""
Frame = tuple[Intake, tuple[Record, ...] | None]
"""And of a message's last one the lines of its verdict, if it has any."""


class Journal:
    """A game's packets, the oldest first: how the host has begun it, then every frame."""

    def __init__(self, path: Path) -> None:
        """Read what an earlier program has kept; what was cut in the middle of a packet is cut off."""
        self.packets: tuple[bytes, ...] = ()
        """What was there."""
        self.whole = True
        self._path = path
        self._file: int | None = None
        with suppress(OSError):
            self.packets, length = _packets_of(path.read_bytes())
            os.truncate(path, length)

    def keep(self, packet: bytes) -> None:
        """Write a packet. Where that fails the game goes on, and the other tables alone have it."""
        if not self.whole:
            return
        try:
            if self._file is None:
                # Without the last word Windows would write line ends into packets.
                how = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
                self._file = os.open(self._path, how, 0o600)
            content = _LENGTH.pack(len(packet)) + packet
            if os.write(self._file, content) != len(content):
                self.whole = False
        except OSError:
            self.whole = False

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _packets_of(content: bytes) -> tuple[tuple[bytes, ...], int]:
    packets, at = [], 0
    while at + _LENGTH.size <= len(content):
        (length,) = _LENGTH.unpack_from(content, at)
        end = at + _LENGTH.size + length
        if length > LARGEST_PACKET or end > len(content):
            break
        packets.append(content[at + _LENGTH.size : end])
        at = end
    return tuple(packets), at


class Past:
    """All packets of the game in their order, in memory for the other tables and in a journal for this one."""

    def __init__(self, journal: Journal | None = None, before: Sequence[bytes] = ()) -> None:
        """``before`` is what the journal has of the game's frames already."""
        self._journal = journal
        self._before = deque(before)
        self._written = frozenset(before)
        self._kept: list[tuple[int, bytes]] = []

    @property
    def waits(self) -> bool:
        return bool(self._before)

    def take(self) -> bytes:
        return self._before.popleft()

    def add(self, first: int, packet: bytes) -> None:
        """Keep a packet, whose first frame has this number."""
        self._kept.append((first, packet))
        self._write(packet)

    def since(self, first: int, most: int, before: int | None = None) -> list[bytes]:
        """Return the packets from that frame on, about so many; those alone that begin ``before`` another one."""
        begins = max(bisect.bisect_right(self._kept, first, key=lambda kept: kept[0]) - 1, 0)
        return [
            packet for begun, packet in self._kept[begins : begins + most] if before is None or begun < before
        ]

    def _write(self, packet: bytes) -> None:
        if self._journal is not None and packet not in self._written:
            self._journal.keep(packet)

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()


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
