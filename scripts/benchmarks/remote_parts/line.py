"""A line between two programs that is as poor as is asked: it delays, jitters, loses, and breaks."""

from __future__ import annotations

import heapq
import itertools
import random
import socket
import threading
import time
from collections import deque
from contextlib import suppress

#: A packet of a network; what is lost comes after this time and a round trip more, and all that follows waits for it.
PACKET_BYTES, AGAIN_S = 1400, 0.2


class Line:
    """Hands what comes to a port of this machine on to another one, both ways, until it is closed.

    Of a stream nothing is lost, but it comes later; datagrams are lost and overtake each other.
    """

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
        self._lock = threading.Condition()
        self._flying: list[tuple[float, int, socket.socket, bytes, tuple[str, int] | None]] = []
        """Datagrams: when each is due, where, and what it is."""
        self._numbers = itertools.count()
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", self.port))
        for target in (self._carry_datagrams, self._deliver_datagrams):
            threading.Thread(target=target, daemon=True).start()
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
        self._datagrams.close()
        self.cut()

    def _carry_datagrams(self) -> None:
        """From each sender to the other port, and back from there."""
        beyond: dict[tuple[str, int], socket.socket] = {}

        def back(far: socket.socket, near: tuple[str, int]) -> None:
            with suppress(OSError):
                while not self._closed:
                    self._fly(far.recv(PACKET_BYTES), self._datagrams, near)

        with suppress(OSError):
            while not self._closed:
                content, near = self._datagrams.recvfrom(PACKET_BYTES)
                if near not in beyond:
                    far = beyond[near] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    far.connect(("127.0.0.1", self._to_port))
                    threading.Thread(target=back, args=(far, near), daemon=True).start()
                self._fly(content, beyond[near], None)

    def _fly(self, content: bytes, goal: socket.socket, to: tuple[str, int] | None) -> None:
        """Let a datagram come when it is due, or never; others may come before it."""
        with self._lock:
            self.carried_bytes += len(content)
            if self._random.random() >= self._lost:
                due_s = time.monotonic() + self._way_s * (1.0 + self._jitter * self._random.random())
                heapq.heappush(self._flying, (due_s, next(self._numbers), goal, content, to))
                self._lock.notify()

    def _deliver_datagrams(self) -> None:
        while not self._closed:
            with self._lock:
                wait_s = self._flying[0][0] - time.monotonic() if self._flying else 0.5
                if wait_s > 0.0:
                    self._lock.wait(min(wait_s, 0.5))
                    continue
                _, _, goal, content, to = heapq.heappop(self._flying)
            with suppress(OSError):
                goal.sendto(content, to) if to else goal.send(content)

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
