"""Runs a live stream in a process, sends it pictures and sounds, and restarts it when it ends."""

from __future__ import annotations

import contextlib
import enum
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from armoon.codec import encode_json
from armoon.messages import text
from armoon.party.encoding import Stereo
from armoon.processes.child import Watchdog, end_process, start_process
from armoon.processes.system import enlarge_pipe
from armoon.values.text import Address

#: Written by the process once the server has accepted the stream.
ON_AIR = "on air"
#: Bits per pixel of a stream's picture: 2.5 million bits per second for 1280×720 pixels at 30 Hz.
BITS_PER_PIXEL = 0.09


class LinkEndReason(enum.Enum):
    """Why a connection ended; the texts are below the message key ``live.why``."""

    REFUSED = "refused"
    """The server can't be reached, or rejects this key."""
    BROKEN = "broken"
    STUCK = "stuck"
    """The network accepts no more data."""
    ENDED = "ended"
    """The game ended it."""


Picture = npt.NDArray[np.uint8]
#: Kind, time in seconds, and two sizes: a picture's height and width, or the number of samples and 2.
_HEAD = struct.Struct("<cdII")
_PICTURE, _SOUND = b"p", b"s"


@dataclass(frozen=True)
class Stream:
    """The stream's format and address; sent over the process's input, because other users may read its arguments."""

    url: str
    width: int
    height: int
    rate_hz: float
    sound_hz: int
    bits: int
    """Bit rate of the picture, bits per second."""


#: A time in seconds, and a picture (h, w, 3), BGR, uint8, shown at that time, or samples (n, 2), float32, from then on.
StreamChunk = tuple[float, npt.NDArray[Any]]


def is_picture(values: npt.NDArray[Any]) -> bool:
    return values.dtype == np.uint8


def encode_chunk(time_s: float, values: npt.NDArray[Any]) -> tuple[bytes, memoryview]:
    """Return the header and the payload of a ``StreamChunk``."""
    kind = _PICTURE if is_picture(values) else _SOUND
    return _HEAD.pack(kind, time_s, *values.shape[:2]), np.ascontiguousarray(values).data.cast("B")


def read_chunk(source: IO[bytes]) -> StreamChunk | None:
    """Return the next chunk; None if the source ends before its last byte."""
    head = source.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, time_s, first, second = _HEAD.unpack(head)
    size = first * second * (3 if kind == _PICTURE else 4)
    content = source.read(size)
    if len(content) < size:
        return None
    if kind == _PICTURE:
        return time_s, np.frombuffer(content, np.uint8).reshape(first, second, 3)
    return time_s, np.frombuffer(content, np.float32).reshape(first, second)


#: Time limit for the server's answer, after which the process is killed, seconds.
REACH_S = 20.0
#: Time after which a process that accepts no data counts as hung, seconds.
STUCK_S = 2.0
#: Time limit for sending the rest of the queue at the end, seconds.
END_S = 3.0
#: Wait before the next attempt, doubled each time, and its maximum, seconds.
FIRST_WAIT_S, MAX_WAIT_S = 1.0, 10.0
#: Duration of a connection after which the next attempt follows without a longer wait, seconds.
GOOD_S = 20.0
#: Maximum picture rate, Hz.
MAX_HZ = 30.0


class Live:
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
        """``key``, if any, is added to the address and never shown. ``kbit``: the picture's bit rate; None: by size."""
        self._host = address.host
        url = f"{address.whole.rstrip('/')}/{key}" if key else address.whole
        rate_hz = min(rate_hz, MAX_HZ)
        bits = round(BITS_PER_PIXEL * size[0] * size[1] * rate_hz) if kbit is None else 1000 * kbit
        self._stream = Stream(url, *size, rate_hz, sound_hz, bits)
        self._notify = notify
        self._process: subprocess.Popen[bytes] | None = None
        self._next_s, self._wait_s = 0.0, FIRST_WAIT_S
        self._slot = -1
        self._reported = False
        self.on_air = False
        self._watch = Watchdog(STUCK_S, self._end_stuck)
        self.dropped = 0
        notify(text("live.begins", host=self._host))

    def add_sound(self, samples: Stereo, time_s: float) -> None:
        if self.on_air:
            self._send_chunk(time_s, np.asarray(samples, np.float32))

    def write_picture(self, bgr: Picture, time_s: float) -> None:
        """Send a picture (h, w, 3) shown at ``time_s``, or drop it while there is no connection."""
        slot = round(time_s * self._stream.rate_hz)
        if slot == self._slot:
            return
        self._slot = slot
        if self._process is None and time.monotonic() >= self._next_s:
            self._start_process()
        if not self.on_air:
            self.dropped += 1
            return
        self._send_chunk(time_s, bgr)

    def close(self) -> None:
        """End the stream; wait a short time for the sent data to be processed."""
        process, self._process = self._process, None
        self._watch.close()
        if process is None or process.stdin is None:
            return
        with contextlib.suppress(OSError):
            process.stdin.close()
        end_process(process, END_S)

    def _start_process(self) -> None:
        # Discard the process's errors, because a library might print the address with its key.
        process = self._process = start_process(sys.executable, "-m", "armoon.party.live")
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(encode_json(self._stream) + b"\n")
            process.stdin.flush()
            enlarge_pipe(process.stdin.fileno())
        threading.Thread(target=self._watch_process, args=(process,), name="live", daemon=True).start()

    def _watch_process(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        limit = threading.Timer(REACH_S, process.kill)
        limit.daemon = True
        limit.start()
        first = process.stdout.readline().decode().strip()
        limit.cancel()
        since_s = time.monotonic()
        if first == ON_AIR:
            self.on_air = True
            self._reported = False
            self._notify(text("live.on_air", host=self._host))
        last = (process.stdout.readline() if first == ON_AIR else first.encode()).decode().strip()
        process.wait()
        self.on_air = False
        if self._process is not process:
            return  # ended by ``close``
        lasted = first == ON_AIR and time.monotonic() - since_s > GOOD_S
        self._wait_s = FIRST_WAIT_S if lasted else self._wait_s
        self._next_s = time.monotonic() + self._wait_s
        self._wait_s = min(2.0 * self._wait_s, MAX_WAIT_S)
        self._process = None
        if not self._reported:
            self._reported = True
            known = [reason.value for reason in LinkEndReason]
            reason = last if last in known else LinkEndReason.STUCK.value
            self._notify(text("live.lost", host=self._host, why=text(f"live.why.{reason}")))

    def _send_chunk(self, time_s: float, values: npt.NDArray[Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        with contextlib.suppress(OSError, ValueError), self._watch:  # ``_watch_process`` reports the end
            for content in encode_chunk(time_s, values):
                process.stdin.write(content)
            process.stdin.flush()

    def _end_stuck(self) -> None:
        if (process := self._process) is not None:
            process.kill()
