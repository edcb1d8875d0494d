"""Faulty screen-reader processes, run by ``ReaderLink``."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from armoon.screen_reader.adapter import ACCEPTED, serve


def hang_child(pipe: Connection) -> None:
    pipe.send(ACCEPTED)
    while True:
        time.sleep(60.0)


def exit_child(pipe: Connection) -> None:
    pipe.send(ACCEPTED)
    pipe.recv()
    os._exit(3)


def exit_child_once(pipe: Connection, mark: Path) -> None:
    if mark.exists():
        serve(pipe, ConnectedAdapter)
    else:
        mark.touch()
        exit_child(pipe)


def serve_reader(pipe: Connection) -> None:
    serve(pipe, ConnectedAdapter)


def panic_child(pipe: Connection) -> None:
    serve(pipe, PanickingAdapter)


class PanicError(BaseException):
    """Like a panic of the library, not a subclass of Exception."""


class ConnectedAdapter:
    """An adapter with a connected reader, which presses the focused widget at each update."""

    def __init__(self, build: Callable[[], Any], act: Callable[[Any], None], on_inactive: object) -> None:
        self._act = act
        build()

    def set_root_window_bounds(self, outer: object, inner: object) -> None: ...

    def update_window_focus_state(self, focused: bool) -> None: ...

    def update_if_active(self, update: Callable[[], Any]) -> None:
        import accesskit

        self._act(Request(accesskit.Action.CLICK, update().focus))


class PanickingAdapter(ConnectedAdapter):
    def update_if_active(self, update: Callable[[], Any]) -> None:
        raise PanicError("poisoned")


class Request:
    data = None

    def __init__(self, action: object, target: int) -> None:
        self.action, self.target = action, target
