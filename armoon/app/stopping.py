"""Signals that end the program (Ctrl-C, a closed terminal, a logout, a shutdown): handled as if a player had left.

The loop ends between two frames, so that the log holds whole ticks. If no loop is running, or one frame takes too
long, the signal is raised as ``Stopped`` and everything is closed on the way out.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

#: Exit code after a signal, to which the signal's number is added, as in shells.
SIGNALLED_EXIT_CODE = 128

#: Maximum time of the loop for a frame, seconds.
FRAME_PATIENCE_S = 4.0

#: The signals that end the program; Windows has no SIGHUP.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """A signal has asked the program to end."""


class _StopSignal:
    """The signal sent to this process."""

    number: int | None = None
    in_order: bool = False


_asked = _StopSignal()


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """Signals ask the program to end while this lasts; ignored ones (``nohup``) stay ignored."""
    _asked.number, _asked.in_order = None, False
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _hear)
    try:
        yield
    finally:
        _disarm()
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def in_order() -> Iterator[None]:
    """Run a loop that asks ``asked`` in every frame, and end it."""
    _asked.in_order = True
    try:
        yield
    finally:
        _asked.in_order = False
        _disarm()


def asked() -> bool:
    return _asked.number is not None


def exit_code(usual: int) -> int:
    return usual if _asked.number is None else SIGNALLED_EXIT_CODE + _asked.number


def _hear(number: int, frame: object) -> None:
    first, _asked.number = _asked.number is None, _asked.number or number
    if first and _asked.in_order:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _hear)
            signal.setitimer(signal.ITIMER_REAL, FRAME_PATIENCE_S)
        return
    if first or _asked.in_order:
        _asked.in_order = False
        raise Stopped


def _disarm() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)
