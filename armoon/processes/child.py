"""Starts and ends child processes; ``python -m armoon.processes.child PROGRAM ...`` supervises a program."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker, spawn
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import IO, Any

from armoon.processes.system import kill_tree, limit_heap, lower_priority

#: Seconds from SIGTERM to a child's exit; until then, its parent can use the child to finish its own work.
EXIT_DELAY_S = 5.0
#: Maximum time for a supervised program to exit once its input has ended, seconds.
SUPERVISED_EXIT_S = 0.2
#: Maximum time for one of our own processes to exit, seconds.
CLOSE_S = 2.0
#: A shell's exit code for a missing program.
NO_PROGRAM = 127
#: A shell's exit code for a program ended by a signal, minus the signal's number.
SIGNAL_EXIT = 128
#: Linux's prctl option PR_SET_CHILD_SUBREAPER.
_CHILD_SUBREAPER = 36
#: Interval between a ``Watchdog``'s checks, seconds.
_CHECK_S = 0.25
#: Maximum bytes read from the input at a time.
_CHUNK = 1 << 16


def exit_with_parent() -> None:
    """Exit when the parent has ended; call it first in a child's main thread. Does nothing in other processes."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    ignore_terminal()
    signal.signal(signal.SIGTERM, _exit_later)
    threading.Thread(target=_exit_after_parent, args=(parent.sentinel,), name="parent", daemon=True).start()


def prepare_children() -> None:
    """Start Python's resource tracker so that it survives a closed terminal; call this before the first child."""
    if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the tracker inherits this
    try:
        resource_tracker.ensure_running()
    finally:
        signal.signal(signal.SIGHUP, before)


def ignore_terminal() -> None:
    """Ignore the signals of Ctrl-C and a closed terminal, because the parent ends its children itself."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def _exit_after_parent(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def _exit_later(signal_number: int, frame: object) -> None:
    timer = threading.Timer(EXIT_DELAY_S, os._exit, (0,))
    timer.daemon = True
    timer.start()


def start_process(*command: str, stderr: IO[bytes] | None = None, **settings: Any) -> subprocess.Popen[bytes]:
    """Start a program with pipes for input and output. Raises OSError if it can't be started."""
    return subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr or subprocess.DEVNULL,
        **settings,
    )


def end_process(process: subprocess.Popen[bytes], patience_s: float) -> None:
    """Wait for a program whose input was closed, and kill it after a timeout; may be called twice."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(patience_s)
    if process.poll() is None:
        process.kill()
        process.wait()


class Watchdog:
    """A context manager that calls a function repeatedly while its block takes too long."""

    def __init__(self, patience_s: float, on_late: Callable[[], object]) -> None:
        """``on_late`` is called in another thread."""
        self._patience_s, self._on_late = patience_s, on_late
        self._since_s: float | None = None
        self._closed = threading.Event()
        threading.Thread(target=self._check, name="watch", daemon=True).start()

    def __enter__(self) -> None:
        self._since_s = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self._since_s = None

    def close(self) -> None:
        self._closed.set()

    def _check(self) -> None:
        while not self._closed.wait(_CHECK_S):
            since_s = self._since_s
            if since_s is not None and time.monotonic() - since_s > self._patience_s:
                self._on_late()


def supervise(program: Sequence[str]) -> int:
    """Run a program with our input and output, and return its exit code.

    The program and all its descendants are ended once our input has ended. A thread forwards the input, so that the
    end is noticed even if the program doesn't read it.
    """
    ignore_terminal()
    _adopt_orphans()
    process: subprocess.Popen[bytes] | None = None

    def exit_on_signal(number: int, frame: object) -> None:
        _end_all(process)
        os._exit(SIGNAL_EXIT + number)

    # Set before the program starts, so that it is never left behind.
    signal.signal(signal.SIGTERM, exit_on_signal)
    try:
        process = subprocess.Popen(list(program), stdin=subprocess.PIPE, start_new_session=True)
    except OSError:
        return NO_PROGRAM
    # Close our own output, so that a reader notices when the program closes its output.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_forward_input, args=(process, chunks), daemon=True).start()
    threading.Thread(target=_end_after_input, args=(process, chunks), daemon=True).start()
    code = process.wait()
    _end_all(process)
    return code


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_all(process: subprocess.Popen[bytes] | None) -> None:
    """Kill a program and its descendants; on Linux also those that have left its session or are just starting."""
    if process is not None:
        kill_tree(process)
    deadline_s = time.monotonic() + SUPERVISED_EXIT_S  # in case a program forks faster than it is killed
    while (children := _list_children()) and time.monotonic() < deadline_s:
        for child in children:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGKILL)
                if process is None or child != process.pid:
                    os.waitpid(child, 0)


def _list_children() -> list[int]:
    """Return the ids of our child processes, including adopted ones; empty if the system doesn't report them."""
    found = ""
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += task.read_text()
    return [int(child) for child in found.split()]


def _forward_input(process: subprocess.Popen[bytes], chunks: queue.SimpleQueue[bytes]) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):  # the program may have closed its input
        while chunk := chunks.get():
            process.stdin.write(chunk)
            process.stdin.flush()
        process.stdin.close()


def _end_after_input(process: subprocess.Popen[bytes], chunks: queue.SimpleQueue[bytes]) -> None:
    while chunk := os.read(0, _CHUNK):
        chunks.put(chunk)
    chunks.put(b"")
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(SUPERVISED_EXIT_S)
    _end_all(process)


class WorkerLostError(Exception):
    """The process has ended or didn't answer in time; the message says which."""


@contextlib.contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C for processes started in this context: until they ignore it, it would print a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Worker:
    """A Python process that exchanges values with this one over a pipe. It must be closed."""

    def __init__(
        self, name: str, work: Callable[..., None], *arguments: Any, niceness: int = 0, program: str = ""
    ) -> None:
        """Start ``work(pipe, *arguments)``, which returns once the pipe closes; ``program``: its first interpreter."""
        self._name, self._program = name, program
        self._work = (work, niceness, arguments)
        self._start()

    def _start(self) -> None:
        prepare_children()
        # Spawn instead of forking, because a fork would inherit threads, windows and pybullet's state.
        context = multiprocessing.get_context("spawn")
        self._pipe, child_pipe = context.Pipe()
        self._process = context.Process(
            target=_run, args=(child_pipe, *self._work), name=f"armoon {self._name}", daemon=True
        )
        with _use_interpreter(self._program), _block_interrupts():
            self._process.start()
        self._program = ""
        child_pipe.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def send(self, value: object) -> bool:
        with contextlib.suppress(OSError, ValueError):
            self._pipe.send(value)
            return True
        return False

    def wait_for_message(self, patience_s: float) -> bool:
        """Wait for a message or the end of the process; return False after a timeout."""
        with contextlib.suppress(OSError):
            return self._pipe.poll(patience_s)
        return True

    def receive(self, patience_s: float | None) -> Any:
        """Return the next value. Raises WorkerLostError; a process that doesn't answer in time is killed."""
        try:
            if self._pipe.poll(patience_s):
                return self._pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError("has ended") from error
        self._process.kill()
        raise WorkerLostError("doesn't answer")

    def drain_messages(self) -> Iterator[Any]:
        with contextlib.suppress(EOFError, OSError, ValueError):
            while self._pipe.poll():
                yield self._pipe.recv()

    def kill(self) -> None:
        self._process.kill()

    def restart(self) -> None:
        self.close()
        self._start()

    def close(self, patience_s: float = CLOSE_S) -> None:
        """Close the pipe, wait for the process to exit, and kill it after a timeout; may be called twice."""
        self._pipe.close()
        self._process.join(patience_s)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _run(pipe: Connection, work: Callable[..., None], niceness: int, arguments: tuple[Any, ...]) -> None:
    exit_with_parent()
    limit_heap()
    gc.freeze()  # loaded modules stay, so the collector needn't traverse them
    lower_priority(niceness)
    with contextlib.suppress(EOFError, ConnectionError):
        work(pipe, *arguments)


@contextlib.contextmanager
def _use_interpreter(program: str) -> Iterator[None]:
    before = spawn.get_executable()
    spawn.set_executable(program or before)
    try:
        yield
    finally:
        spawn.set_executable(before)


if __name__ == "__main__":
    code = supervise(sys.argv[1:])
    os._exit(code if code >= 0 else 1)  # a thread may still be waiting for input
