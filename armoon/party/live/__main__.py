"""A process for one connection to a streaming server: ``python -m armoon.party.live``.

Reads a line that describes the stream, then pictures and sounds. Writes ``on air`` once connected, and the reason for
ending. Drops pictures if the server is too slow.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from armoon.codec import MalformedError, convert, parse
from armoon.party.encoding import WRITE_ERRORS, Encoding, EncodingForm
from armoon.party.live.link import ON_AIR, LinkEndReason, Stream, StreamChunk, is_picture, read_chunk
from armoon.processes.child import Watchdog
from armoon.processes.system import lower_priority

#: Maximum number of pictures waiting for the encoder; the oldest is dropped.
MAX_PICTURES = 3
#: Maximum number of blocks of sound waiting for the encoder: a few seconds' worth.
MAX_SOUNDS = 256
#: Time after which a server that accepts no data is abandoned, seconds.
STUCK_S = 8.0
#: Interval at which the last picture is repeated if none arrives, seconds, so that time and sound continue.
REPEAT_S = 0.1
#: Size of the send buffer, bytes: half a second of a stream. The default would delay the stream by many seconds.
SEND_BUFFER_BYTES = 256 * 1024
#: Nice level of the encoder.
NICE = 5


class ChunkQueue:
    """Received pictures and sounds that wait for the encoder."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._chunks: deque[StreamChunk] = deque()
        self._ended = False

    def put(self, chunk: StreamChunk | None) -> None:
        """Add a chunk, or the end (None); if there are too many of its kind, the oldest of them is dropped."""
        with self._changed:
            if chunk is None:
                self._ended = True
            else:
                kind = is_picture(chunk[1])
                same = [queued for queued in self._chunks if is_picture(queued[1]) == kind]
                if len(same) >= (MAX_PICTURES if kind else MAX_SOUNDS):
                    self._chunks = deque(queued for queued in self._chunks if queued is not same[0])
                self._chunks.append(chunk)
            self._changed.notify_all()

    def pop_chunk(self, timeout_s: float) -> tuple[StreamChunk | None, bool]:
        """Return the next chunk, if one arrives in time, and whether the input has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._chunks or self._ended, timeout_s)
            return (self._chunks.popleft() if self._chunks else None), self._ended and not self._chunks


def main() -> None:
    lower_priority(NICE)
    try:
        stream = convert(Stream, parse(sys.stdin.buffer.readline()), exact=True)
    except MalformedError:
        _end(LinkEndReason.REFUSED)
    watch = Watchdog(STUCK_S, lambda: _end(LinkEndReason.STUCK))
    try:
        encoding = _connect(stream)
    except WRITE_ERRORS:
        _end(LinkEndReason.REFUSED)
    _write_word(ON_AIR)
    queue = ChunkQueue()
    threading.Thread(target=_read, args=(queue,), daemon=True).start()
    try:
        _encode_chunks(encoding, queue, watch)
        with watch:
            encoding.close()
    except WRITE_ERRORS:
        _end(LinkEndReason.BROKEN)
    _end(LinkEndReason.ENDED)


def _connect(stream: Stream) -> Encoding:
    """Connect to the server; the parent process limits the time."""
    bits = stream.bits
    form = EncodingForm(
        "flv",
        {"flvflags": "no_duration_filesize"},
        {"preset": "ultrafast", "tune": "zerolatency", "maxrate": str(bits), "bufsize": str(bits // 2)},
        key_frame_every_s=2.0,
        bits=bits,
    )
    before = _open_sockets()
    size = (stream.width, stream.height)
    encoding = Encoding(stream.url, form, size, stream.rate_hz, stream.sound_hz)
    for number in _open_sockets() - before:
        with suppress(OSError), socket.socket(fileno=os.dup(number)) as copy:
            copy.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    return encoding


def _encode_chunks(encoding: Encoding, queue: ChunkQueue, watch: Watchdog) -> None:
    last: StreamChunk | None = None
    seen_s = time.monotonic()
    while True:
        chunk, ended = queue.pop_chunk(REPEAT_S)
        now_s = time.monotonic()
        if chunk is None and not ended and last is not None:
            chunk = last[0] + now_s - seen_s, last[1]
        if chunk is not None:
            time_s, values = chunk
            with watch:
                if is_picture(values):
                    last, seen_s = chunk, now_s
                    encoding.write_picture(values, time_s)
                else:
                    encoding.add_sound(values, time_s)
        if ended:
            return


def _read(queue: ChunkQueue) -> None:
    while (chunk := read_chunk(sys.stdin.buffer)) is not None:
        queue.put(chunk)
    queue.put(None)


def _open_sockets() -> set[int]:
    numbers = set()
    for entry in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            if os.readlink(entry).startswith("socket:"):
                numbers.add(int(entry.name))
    return numbers


def _write_word(word: str) -> None:
    with suppress(OSError):
        os.write(1, word.encode() + b"\n")


def _end(reason: LinkEndReason) -> NoReturn:
    _write_word(reason.value)
    os._exit(0)  # a thread still waits for input, and FFmpeg may wait for the network


if __name__ == "__main__":
    main()
