"""A line between two programs that is as poor as is asked: it delays, jitters, loses, and breaks."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections import deque
from contextlib import suppress

#: A packet of a network; what is lost comes after this time and a round trip more, and all that follows waits for it.
PACKET_BYTES, AGAIN_S = 1400, 0.2


class Line:
    """Hands what comes to a port of this machine on to another one, both ways, until it is closed."""

    def __init__(
        self, to_port: int, round_trip_s: float, lost: float, *, jitter: float = 0.2, seed: int = 1
    ) -> None:
        """``lost`` is the part of packets that is lost, ``jitter`` how much later each may come, as part of a way."""
        self._to_port = to_port
        self._way_s, self._lost, self._jitter = round_trip_s / 2.0, lost, jitter
        self._random = random.Random(seed)
        self._listens = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listens.getsockname()[1]
        self.carried_bytes = 0
        self._open: set[socket.socket] = set()
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections; both ends may come again."""
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End."""
        self._closed = True
        self._listens.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listens.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._to_port))
                except OSError:
                    near.close()
                    continue
                for one in (near, far):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open |= {near, far}
                for a, b in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(a, b), daemon=True).start()

    def _carry(self, source: socket.socket, goal: socket.socket) -> None:
        """Read one way, and send each packet when it is due, in order."""
        waiting: deque[tuple[float, bytes]] = deque()
        there = threading.Condition()
        threading.Thread(target=self._deliver, args=(waiting, there, goal), daemon=True).start()
        due_s = 0.0
        content = b"."
        while content:
            try:
                content = source.recv(PACKET_BYTES)
            except OSError:
                content = b""
            self.carried_bytes += len(content)
            late_s = self._way_s * (1.0 + self._jitter * self._random.random())
            if self._random.random() < self._lost:
                late_s += AGAIN_S + 2.0 * self._way_s
            due_s = max(due_s, time.monotonic() + late_s)
            with there:
                waiting.append((due_s, content))
                there.notify()

    def _deliver(
        self, waiting: deque[tuple[float, bytes]], there: threading.Condition, goal: socket.socket
    ) -> None:
        content = b"."
        while content:
            with there:
                there.wait_for(lambda: waiting)
                due_s, content = waiting.popleft()
            time.sleep(max(0.0, due_s - time.monotonic()))
            with suppress(OSError):
                if content:
                    goal.sendall(content)
                else:
                    goal.shutdown(socket.SHUT_RDWR)
        self._open.discard(goal)
