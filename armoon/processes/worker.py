"""A function in a process of its own, called with values over a pipe."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
from collections.abc import Callable, Iterator
from multiprocessing import spawn
from multiprocessing.connection import Connection
from typing import Any

from armoon.processes.child import CLOSE_S, ends_with_parent, prepare_children
from armoon.processes.system import give_way, keep_little


class WorkerLostError(Exception):
    """The process has ended, or said nothing in time; the text says which."""


class Worker:
    """One process, from outside; close it."""

    def __init__(
        self,
        name: str,
        work: Callable[..., None],
        *arguments: Any,
        niceness: int = 0,
        program: str = "",
    ) -> None:
        """Start ``work(pipe, *arguments)``, which is to return when the pipe ends.

        ``niceness``: how far all else on the machine goes first. ``program``: a Python of another name, for the first
        process only, as it may not work everywhere.
        """
        self._name, self._program = name, program
        self._work = (work, niceness, arguments)
        self._start()

    def _start(self) -> None:
        prepare_children()
        # A fresh interpreter: a fork would inherit threads, windows and pybullet's own state.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_run, args=(theirs, *self._work), name=f"armoon {self._name}", daemon=True
        )
        with _python(self._program):
            self._process.start()
        self._program = ""
        theirs.close()

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it hasn't ended."""
        return self._process.is_alive()

    def send(self, value: object) -> bool:
        """Send it a value; False if it hears nothing any more."""
        with contextlib.suppress(OSError, ValueError):
            self._pipe.send(value)
            return True
        return False

    def says(self, patience_s: float) -> bool:
        """Wait for a message or for the end of the process; False after a timeout."""
        with contextlib.suppress(OSError):
            return self._pipe.poll(patience_s)
        return True

    def receive(self, patience_s: float) -> Any:
        """Return its next value. Raises WorkerLostError; a process that stays silent too long is ended."""
        try:
            if self._pipe.poll(patience_s):
                return self._pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError("has ended") from error
        self._process.kill()
        raise WorkerLostError("doesn't answer")

    def news(self) -> Iterator[Any]:
        """Yield what it has sent; nothing more once it has ended."""
        with contextlib.suppress(EOFError, OSError, ValueError):
            while self._pipe.poll():
                yield self._pipe.recv()

    def restart(self) -> None:
        """Put another process in its place."""
        self.close()
        self._start()

    def close(self, patience_s: float = CLOSE_S) -> None:
        """End its pipe, wait for it to leave, and then make it; may be called twice."""
        self._pipe.close()
        self._process.join(patience_s)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _run(pipe: Connection, work: Callable[..., None], niceness: int, arguments: tuple[Any, ...]) -> None:
    ends_with_parent()
    keep_little()
    gc.freeze()  # what was loaded stays: no look for what can go needs to pass over it
    give_way(niceness)
    with contextlib.suppress(EOFError, ConnectionError):
        work(pipe, *arguments)


@contextlib.contextmanager
def _python(program: str) -> Iterator[None]:
    """Let processes run in this Python; empty: in our own."""
    before = spawn.get_executable()
    spawn.set_executable(program or before)
    try:
        yield
    finally:
        spawn.set_executable(before)
