"""A bot's process: threads of their own write and read its lines, so it can never block a game."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from armoon.clock import Clock, WallClock
from armoon.games.moon.bots import protocol
from armoon.games.moon.bots.levels import BotLevel
from armoon.processes.child import NO_PROGRAM, end_process, start_process

#: Maximum time for a program to start and say hello, in seconds, long enough for slow machines. Where the game has more
#: patience it is longer, for a guest's program by at most the second factor, since it may hang.
START_S, GUEST_STARTS = 30.0, 2.0
#: Grace for an answer on its way after the thinking time, seconds.
GRACE_S = 2.0
#: ... and for one of the house that knows no place yet: it gives up once its work is done, not by the clock.
WORK_S = 180.0
#: Seconds to leave after ``bye`` for a bot of the house, and for a guest's supervisor to end it.
HOUSE_END_S, GUEST_END_S = 0.1, 2.0
#: ... and for a thread to see that its program has ended, seconds.
END_S = 1.0
#: Maximum number of lines in one turn.
MOST_LINES = 200

_OVER = (sys.executable, "-m", "armoon.processes.child")


def program_of(word: str) -> tuple[str, ...]:
    """Return the command that starts the bot of that word: one of the house, a Python file, or another program.

    A guest may do what it likes when its input ends: ``armoon.processes.child`` ends it with the game.
    """
    if word in set(BotLevel):
        return (sys.executable, "-m", "armoon.games.moon.bots.speaker")
    path = str(Path(word).resolve())
    return (*_OVER, *((sys.executable,) if word.endswith(".py") else ()), path)


class BotProcess:
    """One bot; after a fault it is dead, and another one has to be made."""

    def __init__(
        self,
        program: Sequence[str],
        greeting: Sequence[str],
        clock: Clock | None = None,
        *,
        patience: float = 1.0,
    ) -> None:
        """``patience`` multiplies its time before it counts as late; greater in games without spectators."""
        self._clock = clock or WallClock()
        self._patience = patience
        guest = tuple(program[: len(_OVER)]) == _OVER
        self._end_s, self._grace_s = (GUEST_END_S, GRACE_S) if guest else (HOUSE_END_S, WORK_S)
        self._hello_s = START_S * (min(patience, GUEST_STARTS) if guest else patience)
        self.fault: protocol.BotFault | None = None
        self._heard: queue.SimpleQueue[bytes | protocol.BotFault] = queue.SimpleQueue()
        self._told: queue.SimpleQueue[Sequence[str] | None] = queue.SimpleQueue()
        self.met = False
        self._started_s = self._clock.now_s()
        self._until_s: float | None = None
        self._limit_s = 0.0
        self._lines = 0
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        if patience > 1.0:
            environment[protocol.OWN_TIME] = "1"
        try:
            self._process: subprocess.Popen[bytes] | None = start_process(*program, env=environment)
        except OSError:
            self._process = None
            self.fault = protocol.BotFault.MISSING
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        streams = ((self._read, self._process.stdout), (self._write, self._process.stdin))
        self._threads = tuple(
            threading.Thread(target=work, args=(stream,), name="armoon-bot", daemon=True)
            for work, stream in streams
        )
        for thread in self._threads:
            thread.start()
        self.tell(greeting)

    def tell(self, lines: Sequence[str]) -> None:
        self._told.put(lines)

    def ask(self, lines: Sequence[str], limit_s: float) -> None:
        self._limit_s = limit_s * self._patience
        self._until_s = self._clock.now_s() + self._limit_s + self._grace_s
        self._lines = 0
        self.tell(lines)

    def stop(self) -> None:
        if self._until_s is not None:
            self.tell(("stop",))

    def forget(self) -> None:
        self._until_s = None
        self.tell(("forget",))

    @property
    def overdue(self) -> bool:
        return self._until_s is not None and self._clock.now_s() > self._until_s - self._grace_s

    def poll(self) -> list[protocol.BotLine]:
        """Return the bot's lines since the last call, without answers that nobody asked for. Empty after a fault."""
        said: list[protocol.BotLine] = []
        while self.fault is None:
            try:
                line = self._heard.get_nowait()
            except queue.Empty:
                self._watch_time()
                break
            if isinstance(line, protocol.BotFault):
                self._fail(
                    protocol.BotFault.MISSING
                    if line is protocol.BotFault.GONE and self._never_was()
                    else line
                )
            elif line.strip():
                self._take(line, said)
        return said

    def close(self) -> None:
        self._told.put(("bye",))
        self._told.put(None)
        process, self._process = self._process, None
        if process is None:
            return
        end_process(process, self._end_s)
        for thread, stream in zip(self._threads, (process.stdout, process.stdin), strict=True):
            thread.join(END_S)  # one that holds the other end must not keep us
            if stream is not None and not thread.is_alive():
                with contextlib.suppress(OSError, ValueError):
                    stream.close()

    def _take(self, line: bytes, said: list[protocol.BotLine]) -> None:
        self._lines += 1
        try:
            if self._lines > MOST_LINES:
                raise protocol.Misread(protocol.BotFault.FLOOD, "")
            heard = protocol.read_line(line)
        except protocol.Misread as wrong:
            self._fail(wrong.fault)
            return
        if heard.verb == "hello" and not self.met:
            self.met = True
            if self._until_s is not None:  # what starting took is no thinking
                self._until_s = self._clock.now_s() + self._limit_s + self._grace_s
        if not self.met:
            self._fail(
                protocol.BotFault.NONSENSE
            )  # a program that doesn't say hello has not understood the greeting
            return
        if heard.verb in ("place", "pass"):
            if self._until_s is None:
                return  # no question is open any more
            self._until_s = None
        said.append(heard)

    def _watch_time(self) -> None:
        now_s = self._clock.now_s()
        if not self.met:
            if now_s > self._started_s + self._hello_s:
                self._fail(protocol.BotFault.SILENT)
        elif self._until_s is not None and now_s > self._until_s:
            self._fail(protocol.BotFault.LATE)

    def _never_was(self) -> bool:
        if self.met or self._process is None:
            return False
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(self._end_s) == NO_PROGRAM
        return False

    def _fail(self, fault: protocol.BotFault) -> None:
        self.fault = fault
        self.close()

    def _read(self, stream: IO[bytes]) -> None:
        """Put lines as they come, in a thread; a bot that floods is read no further."""
        waiting = 0
        try:
            while line := stream.readline(protocol.LONGEST_LINE + 1):
                if len(line) > protocol.LONGEST_LINE:
                    self._heard.put(protocol.BotFault.FLOOD)
                    return
                waiting = waiting + 1 if not self._heard.empty() else 0
                if waiting > MOST_LINES:
                    self._heard.put(protocol.BotFault.FLOOD)
                    return
                self._heard.put(line)
        except (OSError, ValueError):
            pass
        self._heard.put(protocol.BotFault.GONE)

    def _write(self, stream: IO[bytes]) -> None:
        """Write lines in a thread, since a bot that doesn't read mustn't block; close its input after the last one."""
        with contextlib.suppress(OSError, ValueError):
            while (lines := self._told.get()) is not None:
                stream.write("".join(f"{line}\n" for line in lines).encode())
                stream.flush()
            stream.close()
