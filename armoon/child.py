"""How every process that armoon starts begins: it leaves when it is told, or when nobody is left to tell it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing import resource_tracker
from multiprocessing.connection import wait

#: A shutdown tells parent and child at once: the child stays as long as its parent needs it to end in order.
LAST_S = 5.0


def ends_with_parent() -> None:
    """To be called first in a child process's main thread.

    Ctrl-C and a closed terminal reach all processes of a terminal; how to end is the parent's to say. Where the parent
    is killed and can't say anything, the child ends at once. In a process that is no child this does nothing.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave_later)
    threading.Thread(target=_follow, args=(parent.sentinel,), name="parent", daemon=True).start()


def prepare_children() -> None:
    """To be called before the first child is started: Python's own helper, which comes with it, must not be ended by a
    closed terminal while the others still need it."""
    if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # whom is started now inherits this
    try:
        resource_tracker.ensure_running()
    finally:
        signal.signal(signal.SIGHUP, before)


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def _leave_later(number: int, frame: object) -> None:
    timer = threading.Timer(LAST_S, os._exit, (0,))
    timer.daemon = True
    timer.start()
