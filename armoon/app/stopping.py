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

#: Maximum time for a frame of the loop, in seconds.
FRAME_PATIENCE_S = 4.0

#: The signals that end the program; Windows has no SIGHUP.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """A signal has ended the program."""


class _StopSignal:
    number: int | None = None
    stopping_in_order: bool = False


_stop_signal = _StopSignal()


@contextlib.contextmanager
def handling_signals() -> Iterator[None]:
    """Context in which signals request the end of the program; ignored ones (``nohup``) stay ignored."""
    _stop_signal.number, _stop_signal.stopping_in_order = None, False
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _handle_signal)
    try:
        yield
    finally:
        _disarm()
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def stopping_in_order() -> Iterator[None]:
    _stop_signal.stopping_in_order = True
    try:
        yield
    finally:
        _stop_signal.stopping_in_order = False
        _disarm()


def is_stop_requested() -> bool:
    return _stop_signal.number is not None


def exit_code(default: int) -> int:
    return default if _stop_signal.number is None else SIGNALLED_EXIT_CODE + _stop_signal.number


def _handle_signal(number: int, frame: object) -> None:
    first, _stop_signal.number = _stop_signal.number is None, _stop_signal.number or number
    if first and _stop_signal.stopping_in_order:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _handle_signal)
            signal.setitimer(signal.ITIMER_REAL, FRAME_PATIENCE_S)
        return
    if first or _stop_signal.stopping_in_order:
        _stop_signal.stopping_in_order = False
        raise Stopped


def _disarm() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)
