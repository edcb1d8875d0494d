"""A live stream, which a child process encodes and sends; a process that ends is replaced.

If the server is too slow, pictures are dropped.
"""

from __future__ import annotations

import enum
import math
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from armoon.messages import text
from armoon.party.encoding import WRITE_ERRORS, Encoding, EncodingSettings, Stereo
from armoon.processes.child import Watchdog, Worker, WorkerLostError
from armoon.values.text import Address

#: Bits per pixel of a stream's picture: 2.5 million bits per second for 1280×720 pixels at 30 Hz.
BITS_PER_PIXEL = 0.09
#: Time limit for the server's answer, after which the process is killed, seconds.
CONNECT_S = 20.0
#: Time after which a process that accepts no data counts as hung, seconds.
STUCK_S = 2.0
#: Time limit for sending the rest of the queue at the end, seconds.
END_S = 3.0
#: Wait before the second attempt, which doubles after each failure, and its maximum, seconds.
FIRST_WAIT_S, MAX_WAIT_S = 1.0, 10.0
#: Duration of a connection after which the next wait has its minimum length again, seconds.
STABLE_S = 20.0
#: Maximum picture rate, Hz.
MAX_HZ = 30.0
#: Nice level of the encoder.
NICENESS = 5


class StreamState(enum.Enum):
    """The state of the connection, as the process reports it; the texts are below the message key ``live.why``."""

    ON_AIR = "on air"
    """The server has accepted the stream."""
    REFUSED = "refused"
    """The server can't be reached or rejects the key."""
    BROKEN = "broken"
    STUCK = "stuck"
    """The network accepts no more data."""
    ENDED = "ended"
    """The game ended the stream."""


Picture = npt.NDArray[np.uint8]
#: A time in seconds, with a picture (h, w, 3), BGR, uint8, shown then, or samples (n, 2), float32, that begin then.
StreamChunk = tuple[float, npt.NDArray[Any]]


class LiveStream:
    """A stream to one address, with the same ``add_sound`` and ``write_picture`` as a ``Recorder``."""

    def __init__(
        self,
        address: Address,
        key: str,
        size: tuple[int, int],
        rate_hz: float,
        sound_hz: int,
        notify: Callable[[str], None],
        *,
        kbit: int | None = None,
    ) -> None:
        """``key``: added to the address, never shown; ``kbit``: bit rate of the picture, None: from its size."""
        self._host = address.host
        url = f"{address.whole.rstrip('/')}/{key}" if key else address.whole
        self._rate_hz = min(rate_hz, MAX_HZ)
        bits = round(BITS_PER_PIXEL * size[0] * size[1] * self._rate_hz) if kbit is None else 1000 * kbit
        settings = EncodingSettings(
            "flv",
            {"flvflags": "no_duration_filesize"},
            {"preset": "ultrafast", "tune": "zerolatency", "maxrate": str(bits), "bufsize": str(bits // 2)},
            key_frame_every_s=2.0,
            bits=bits,
        )
        self._encoding = (url, settings, size, self._rate_hz, sound_hz)
        self._notify = notify
        self._worker: Worker | None = None
        self._chunks: Connection | None = None
        """Pipe for the chunks, whose bytes are written to it without a copy."""
        self._next_s, self._wait_s = 0.0, FIRST_WAIT_S
        self._slot = -1
        self._is_loss_reported = self._is_closing = False
        self.on_air = False
        self._watch = Watchdog(STUCK_S, self._end_stuck)
        notify(text("live.begins", host=self._host))

    def add_sound(self, samples: Stereo, time_s: float) -> None:
        if self.on_air:
            self._send_chunk(time_s, np.asarray(samples, np.float32))

    def write_picture(self, bgr: Picture, time_s: float) -> None:
        """Send a picture (h, w, 3) shown at ``time_s``, or drop it while there is no connection."""
        slot = round(time_s * self._rate_hz)
        if slot == self._slot:
            return
        self._slot = slot
        if self._worker is None and time.monotonic() >= self._next_s:
            self._start_worker()
        if self.on_air:
            self._send_chunk(time_s, bgr)

    def close(self) -> None:
        """End the stream, and give the process a short time to finish."""
        self._is_closing = True
        if (worker := self._worker) is not None and self._chunks is not None:
            self._chunks.close()
            worker.close(END_S)
        self._watch.close()

    def _start_worker(self) -> None:
        reader, self._chunks = Pipe(duplex=False)
        worker = self._worker = Worker("stream", run_stream, reader, *self._encoding, niceness=NICENESS)
        reader.close()
        threading.Thread(target=self._watch_worker, args=(worker,), name="live", daemon=True).start()

    def _watch_worker(self, worker: Worker) -> None:
        end, began_s = StreamState.STUCK, math.inf
        with suppress(WorkerLostError):
            end = worker.receive(CONNECT_S)
            if end is StreamState.ON_AIR:
                end, began_s = StreamState.STUCK, time.monotonic()
                self.on_air, self._is_loss_reported = True, False
                self._notify(text("live.on_air", host=self._host))
                end = worker.receive(None)
        self.on_air = False
        if self._is_closing:
            return
        now_s = time.monotonic()
        self._wait_s = FIRST_WAIT_S if now_s - began_s > STABLE_S else self._wait_s
        self._next_s = now_s + self._wait_s
        self._wait_s = min(2.0 * self._wait_s, MAX_WAIT_S)
        self._worker = None
        worker.close(0.0)
        if not self._is_loss_reported:
            self._is_loss_reported = True
            self._notify(text("live.lost", host=self._host, why=text(f"live.why.{end.value}")))

    def _send_chunk(self, time_s: float, values: npt.NDArray[Any]) -> None:
        if (chunks := self._chunks) is not None:
            with suppress(OSError), self._watch:  # ``_watch_worker`` reports the end
                chunks.send((time_s, values.shape, values.dtype.str))
                chunks.send_bytes(np.ascontiguousarray(values).data.cast("B"))

    def _end_stuck(self) -> None:
        if (worker := self._worker) is not None:
            worker.kill()


#: Maximum number of pictures waiting for the encoder; the oldest is dropped.
MAX_PICTURES = 3
#: Maximum number of blocks of sound waiting for the encoder: a few seconds of sound.
MAX_SOUNDS = 256
#: Time after which a server that accepts no data is abandoned, seconds.
SERVER_STUCK_S = 8.0
#: Interval at which the last picture is repeated while none arrives, seconds, so that time and sound continue.
REPEAT_S = 0.1
#: Size of the send buffer, bytes: half a second of a stream. The default would delay the stream by many seconds.
SEND_BUFFER_BYTES = 256 * 1024


class ChunkQueue:
    """Received pictures and sounds that wait for the encoder."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._chunks: deque[StreamChunk] = deque()
        self._has_ended = False

    def receive_all(self, chunks: Connection) -> None:
        """Add chunks until the pipe ends; drop the oldest of a kind if there are too many."""
        with suppress(EOFError, OSError):
            while True:
                time_s, shape, dtype = chunks.recv()
                values = np.frombuffer(chunks.recv_bytes(), dtype).reshape(shape)
                kind = is_picture(values)
                with self._changed:
                    same = [queued for queued in self._chunks if is_picture(queued[1]) == kind]
                    if len(same) >= (MAX_PICTURES if kind else MAX_SOUNDS):
                        self._chunks = deque(queued for queued in self._chunks if queued is not same[0])
                    self._chunks.append((time_s, values))
                    self._changed.notify_all()
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def pop_chunk(self, timeout_s: float) -> tuple[StreamChunk | None, bool]:
        """Return the next chunk, if one arrives in time, and whether the input has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._chunks or self._has_ended, timeout_s)
            return (self._chunks.popleft() if self._chunks else None), self._has_ended and not self._chunks


def is_picture(values: npt.NDArray[Any]) -> bool:
    return values.dtype == np.uint8


def run_stream(pipe: Connection, chunks: Connection, *encoding: Any) -> None:
    """Encode chunks until they end; ``encoding``: arguments of ``Encoding``. Sends each ``StreamState``."""

    def exit_with(reason: StreamState) -> NoReturn:
        with suppress(OSError):
            pipe.send(reason)
        os._exit(0)  # a thread still waits for input, and FFmpeg may wait for the network

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a library might print the address, which includes the key
    watch = Watchdog(SERVER_STUCK_S, lambda: exit_with(StreamState.STUCK))
    try:
        stream = _connect(*encoding)
    except WRITE_ERRORS:
        exit_with(StreamState.REFUSED)
    pipe.send(StreamState.ON_AIR)
    queue = ChunkQueue()
    threading.Thread(target=queue.receive_all, args=(chunks,), daemon=True).start()
    try:
        _encode_chunks(stream, queue, watch)
        with watch:
            stream.close()
    except WRITE_ERRORS:
        exit_with(StreamState.BROKEN)
    exit_with(StreamState.ENDED)


def _connect(*encoding: Any) -> Encoding:
    """Connect to the server; the parent process limits the time."""
    before = _list_open_sockets()
    stream = Encoding(*encoding)
    for descriptor in _list_open_sockets() - before:
        with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as copy:
            copy.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    return stream


def _encode_chunks(encoding: Encoding, queue: ChunkQueue, watch: Watchdog) -> None:
    last: StreamChunk | None = None
    last_at_s = time.monotonic()
    while True:
        chunk, has_ended = queue.pop_chunk(REPEAT_S)
        now_s = time.monotonic()
        if chunk is None and not has_ended and last is not None:
            chunk = last[0] + now_s - last_at_s, last[1]
        if chunk is not None:
            time_s, values = chunk
            with watch:
                if is_picture(values):
                    last, last_at_s = chunk, now_s
                    encoding.write_picture(values, time_s)
                else:
                    encoding.add_sound(values, time_s)
        if has_ended:
            return


def _list_open_sockets() -> set[int]:
    descriptors = set()
    for entry in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            if os.readlink(entry).startswith("socket:"):
                descriptors.add(int(entry.name))
    return descriptors
