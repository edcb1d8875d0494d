"""The messages to the streaming process: one line about the stream, then pictures and sounds as bytes."""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from armoon.codec import convert, encode_json, parse
from armoon.party.encoding import Stereo

#: The server takes what is sent.
ON_AIR = "on air"
#: Bits per pixel of a stream's picture: 2.5 million a second for 1280×720 at 30 pictures.
BITS_PER_PIXEL = 0.09


class Why(enum.Enum):
    """Why a connection ended; as it stands below ``live.why``."""

    REFUSED = "refused"
    """The server can't be reached, or doesn't take this key."""
    BROKEN = "broken"
    """The connection broke."""
    STUCK = "stuck"
    """The network takes nothing any more."""
    ENDED = "ended"
    """The game wanted it so."""


Picture = npt.NDArray[np.uint8]
#: Kind, time in seconds, and two sizes: a picture's height and width, or how many samples.
_HEAD = struct.Struct("<cdII")
_PICTURE, _SOUND = b"p", b"s"


@dataclass(frozen=True)
class Stream:
    """The stream's format and address. It is written to the process's input, since others may read its arguments."""

    url: str
    width: int
    height: int
    rate_hz: float
    sound_hz: int
    bits: int
    """Bit rate of the picture, bits a second."""


@dataclass(frozen=True)
class Part:
    """A picture (h, w, 3), BGR, shown at a time, or samples (n, 2) that begin there."""

    time_s: float
    picture: Picture | None = None
    sound: Stereo | None = None


def begin_bytes(stream: Stream) -> bytes:
    """Return the first line."""
    return encode_json(stream) + b"\n"


def part_bytes(part: Part) -> tuple[bytes, memoryview]:
    """Its head, and what follows."""
    if part.picture is not None:
        height, width = part.picture.shape[:2]
        return _HEAD.pack(_PICTURE, part.time_s, height, width), _bytes_of(part.picture)
    assert part.sound is not None
    sound = np.asarray(part.sound, np.float32)
    return _HEAD.pack(_SOUND, part.time_s, len(sound), 2), _bytes_of(sound)


def read_begin(source: IO[bytes]) -> Stream:
    """Return the first line. Raises MalformedError."""
    stream: Stream = convert(Stream, parse(source.readline()), exact=True)
    return stream


def read_part(source: IO[bytes]) -> Part | None:
    """Return the next one; None at the end."""
    head = source.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, time_s, first, second = _HEAD.unpack(head)
    size = first * second * (3 if kind == _PICTURE else 4)
    content = source.read(size)
    if len(content) < size:
        return None
    if kind == _PICTURE:
        return Part(time_s, picture=np.frombuffer(content, np.uint8).reshape(first, second, 3))
    return Part(time_s, sound=np.frombuffer(content, np.float32).reshape(first, second))


def _bytes_of(values: npt.NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(values).data.cast("B")
