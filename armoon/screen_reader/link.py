"""The connection to screen readers: runs the library in a process, and replaces a process that ends or hangs."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.processes.child import Worker
from armoon.screen_reader.adapter import ACCEPTED, CONNECTED, DISCONNECTED, FAILED, Screen, serve
from armoon.screen_reader.tree import Tree, find_fault

#: Systems on which the library has been tested and doesn't need a window in its process.
SYSTEMS = ("linux",)
#: Maximum time from a message to its answer, in seconds; a busy machine starts processes slowly.
PATIENCE_S = 15.0
#: Maximum number of processes to start, one after another.
MAX_PROCESSES = 3
#: Name of the executable, which screen readers announce as the program's name.
_NAME = "armoon"


class ReaderError(ArmoonError):
    """Screen readers are not supported on this system, or their library has failed."""


def supports_readers() -> bool:
    return sys.platform in SYSTEMS


class ReaderLink:
    """Sends the screen's content to screen readers; must be closed. Only ``close`` may block."""

    def __init__(
        self, work: Callable[..., None] = serve, *arguments: Any, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        """``work`` runs in the process; ``now_s`` is the clock. Raises ReaderError on an unsupported system."""
        if not supports_readers():
            raise ReaderError("reader.missing")
        self._now_s = now_s
        self._screen, self._sent = Screen(), Screen()
        self._folder = tempfile.mkdtemp(prefix="armoon-")
        program = _create_named_python(Path(self._folder))
        self._worker = Worker("reader", work, *arguments, program=program)
        self._processes, self._reason = 1, ""
        self._unanswered_s: float | None = now_s()
        """Time when the unanswered message was sent, if any; the first answer means that the process has started."""
        self.is_connected = False
        """Whether a screen reader is connected and needs trees."""

    @property
    def pid(self) -> int:
        return self._worker.pid

    def publish(self, tree: Tree) -> None:
        """Publish a tree. Raises ReaderError for one that would make the library panic."""
        fault = find_fault(tree)
        if fault:
            raise ReaderError("reader.failed", why=fault)
        self._screen = replace(self._screen, tree=tree)
        self._send_newest()

    def set_bounds(self, bounds: tuple[float, float, float, float], size: tuple[int, int]) -> None:
        """Set the window's position on the screen (left, top, right, bottom) and its size, in pixels."""
        self._screen = replace(self._screen, bounds=bounds, size=size)
        self._send_newest()

    def set_focus(self, focused: bool) -> None:
        self._screen = replace(self._screen, focused=focused)
        self._send_newest()

    def drain_requests(self) -> list[tuple[str, str]]:
        """Return the requests (widget, action) since the last call. Raises ReaderError after several failures."""
        requests = []
        for message in self._worker.drain_messages():
            if message == ACCEPTED:
                self._unanswered_s = None
            elif message in (CONNECTED, DISCONNECTED):
                self.is_connected = message == CONNECTED
            elif message[0] == FAILED:
                self._reason = message[1]
            else:
                kind, number = message
                node = self._screen.tree.find_node(number)
                if node is not None and node.widget and node.enabled:
                    requests.append((node.widget, kind))
        is_hung = self._unanswered_s is not None and self._now_s() > self._unanswered_s + PATIENCE_S
        if is_hung or not self._worker.is_alive:
            self._replace_process()
        self._send_newest()
        return requests

    def close(self) -> None:
        self._worker.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _send_newest(self) -> None:
        """Send the newest screen once the last one was accepted, so that the pipe never fills or blocks."""
        if self._unanswered_s is None and self._screen != self._sent and self._worker.send(self._screen):
            self._sent, self._unanswered_s = self._screen, self._now_s()

    def _replace_process(self) -> None:
        self._worker.close(0.0)
        self._processes += 1
        if self._processes > MAX_PROCESSES:
            reason = self._reason or text("speech.gone")
            raise ReaderError("reader.failed", why=reason)
        self._worker.restart()
        self.is_connected = False
        self._sent, self._unanswered_s = Screen(), self._now_s()


def _create_named_python(folder: Path) -> str:
    """Create a Python executable named armoon in an empty virtual environment; return its path, or "" on failure."""
    python = Path(sys.executable).resolve()
    program = folder / "bin" / _NAME
    with suppress(OSError):
        program.parent.mkdir()
        (folder / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
        shutil.copy(python, program)
        return str(program)
    return ""
