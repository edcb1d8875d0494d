"""Signals that end the program (Ctrl-C, closed terminal, logout, shutdown), handled as if a player had left.

The loop ends between two frames, so that the log holds whole ticks. If no loop is running, or one frame takes too
long, the signal is raised as ``Stopped`` and everything is closed on the way out.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

#: Exit code after a signal minus the signal's number, as in shells.
SIGNALLED_EXIT_CODE = 128

#: Maximum time that the loop's current frame may still take after a signal, in seconds.
FRAME_PATIENCE_S = 4.0

#: The signals that end the program; Windows has no SIGHUP.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """A signal has ended the program."""


class _StopSignal:
    number: int | None = None
    is_deferred: bool = False


_stop_signal = _StopSignal()


@contextlib.contextmanager
def handling_signals() -> Iterator[None]:
    """Let signals request the end of the program in this context; ignored ones (``nohup``) stay ignored."""
    _stop_signal.number, _stop_signal.is_deferred = None, False
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _handle_signal)
    try:
        yield
    finally:
        _cancel_timer()
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def deferring_stop() -> Iterator[None]:
    """Let a signal only set ``is_stop_requested`` in this context, so that the loop can end between two frames."""
    _stop_signal.is_deferred = True
    try:
        yield
    finally:
        _stop_signal.is_deferred = False
        _cancel_timer()


def is_stop_requested() -> bool:
    return _stop_signal.number is not None


def choose_exit_code(default: int) -> int:
    return default if _stop_signal.number is None else SIGNALLED_EXIT_CODE + _stop_signal.number


def _handle_signal(number: int, frame: object) -> None:
    first, _stop_signal.number = _stop_signal.number is None, _stop_signal.number or number
    if first and _stop_signal.is_deferred:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _handle_signal)
            signal.setitimer(signal.ITIMER_REAL, FRAME_PATIENCE_S)
        return
    if first or _stop_signal.is_deferred:
        _stop_signal.is_deferred = False
        raise Stopped


def _cancel_timer() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)
