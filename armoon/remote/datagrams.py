"""Packets beside a line that keeps their order: sent at once, each with those before it.

A line (TCP) hands on nothing behind a packet that was lost until that one has come again. What comes here first isn't
waited for; what is lost here comes by the line. While nothing is lost the line has only what datagrams are too small
for, and each has one packet fewer.
"""

from __future__ import annotations

import itertools
import os
import struct
from collections import deque

#: Length of a guest's token, by which the host knows the sender of a datagram, bytes.
TOKEN_BYTES = 16
#: Largest datagram, bytes: no network cuts it.
LARGEST_DATAGRAM = 1200
#: Packets in each datagram, so that a packet is lost only with that many datagrams in a row; and fewer, without loss.
PACKETS, FEW = 3, 2
#: Packets that are recognised when they come once more: some seconds' worth.
_KNOWN = 256
_LENGTH = struct.Struct(">H")


def new_token() -> bytes:
    """Return what stands before a guest's datagrams, both ways."""
    return os.urandom(TOKEN_BYTES)


def packets_of(datagram: bytes) -> tuple[bytes, ...]:
    """Return a datagram's packets, the oldest first; what is cut is left out."""
    packets, at = [], TOKEN_BYTES
    while at + _LENGTH.size <= len(datagram):
        (length,) = _LENGTH.unpack_from(datagram, at)
        at += _LENGTH.size
        if at + length <= len(datagram):
            packets.append(datagram[at : at + length])
        at += length
    return tuple(reversed(packets))


def fits(packet: bytes) -> bool:
    return TOKEN_BYTES + _LENGTH.size + len(packet) <= LARGEST_DATAGRAM


class Datagrams:
    """What goes between two tables beside their line."""

    def __init__(self, token: bytes) -> None:
        """``token`` stands before each."""
        self._token = token
        self._sent: deque[bytes] = deque(maxlen=PACKETS)
        self._early: dict[bytes, None] = {}
        """What hasn't come by the line yet."""
        self._late: deque[bytes] = deque(maxlen=_KNOWN)
        """What came by the line."""

    def next(self, packet: bytes, count: int = PACKETS) -> bytes:
        """Return the datagram for a packet; one that doesn't fit goes by the line alone."""
        self._sent.append(packet)
        datagram = self._token
        for one in itertools.islice(reversed(self._sent), count):
            if len(datagram) + _LENGTH.size + len(one) > LARGEST_DATAGRAM:
                break
            datagram += _LENGTH.pack(len(one)) + one
        return datagram

    def take(self, datagram: bytes) -> tuple[bytes, ...]:
        new = [one for one in packets_of(datagram) if one not in self._early and one not in self._late]
        self._early.update(dict.fromkeys(new))
        while len(self._early) > _KNOWN:
            del self._early[next(iter(self._early))]
        return tuple(new)

    def is_new(self, packet: bytes) -> bool:
        """Whether a packet that comes by the line hasn't come before it; asked for again it is new."""
        self._late.append(packet)
        early = packet in self._early
        self._early.pop(packet, None)
        return not early
