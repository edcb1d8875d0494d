"""The process that sends the screen's content to screen readers through accesskit; currently only Linux's AT-SPI.

accesskit's thread locks the adapter and then needs the GIL to build the first tree; until then, a call from another
thread would hold the GIL and wait for the lock forever.
A panic of the library makes the adapter unusable: the process ends, and ``link`` starts another.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from armoon.screen_reader.tree import ADJUSTABLE, EMPTY, PRESSABLE, WINDOW, Node, Role, Tree

#: Actions that screen readers can request, by the library's names; sent with the node's number.
ACTIONS = ("click", "focus", "increment", "decrement")
#: Messages: a screen was accepted and the next may be sent; a reader has connected; the last one has disconnected.
ACCEPTED, CONNECTED, DISCONNECTED = "accepted", "connected", "disconnected"
#: Message that the library has failed; sent with the reason.
FAILED = "failed"
#: Roles with a different name in the library.
_OTHER_ROLES = {Role.CHOICE: "BUTTON", Role.FIELD: "TEXT_INPUT", Role.PICTURE: "IMAGE"}
#: Interval between checks for a connected reader, in seconds.
_CHECK_S = 0.1


@dataclass(frozen=True)
class Screen:
    """The window's content and position."""

    tree: Tree = EMPTY
    bounds: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    """Left, top, right and lower edge on the screen, pixels."""
    size: tuple[int, int] = (1, 1)
    """Width and height, pixels."""
    focused: bool = False


def serve(pipe: Connection, make_adapter: Callable[..., Any] | None = None) -> None:
    """Publish trees from the pipe until it closes; answer with ACCEPTED, and report connections and requests."""
    try:
        ReaderAdapter(pipe, make_adapter).publish_trees()
    except (EOFError, ConnectionError):
        pass
    except BaseException as error:  # a panic of the library isn't an Exception
        with suppress(OSError):
            pipe.send((FAILED, " ".join(f"{type(error).__name__} {error}".split())[:160]))


class ReaderAdapter:
    """The library's adapter, whose handlers run in the library's own thread."""

    def __init__(self, pipe: Connection, make_adapter: Callable[..., Any] | None = None) -> None:
        if make_adapter is None:
            import accesskit

            make_adapter = accesskit.unix.Adapter
        self._pipe, self._send_lock, self._call_lock = pipe, threading.Lock(), threading.Lock()
        self._screen = Screen()
        self._published: Screen | None = None
        self._is_connected = False
        self._adapter = make_adapter(self._build_tree, self._handle_request, self._handle_disconnect)

    def publish_trees(self) -> None:
        """Publish each tree. Raises EOFError once the pipe is closed, and the library's errors."""
        self._send(ACCEPTED)
        while True:
            has_screen = self._pipe.poll(_CHECK_S)
            if has_screen:
                self._screen = self._pipe.recv()
            self._update()
            if has_screen:
                self._send(ACCEPTED)

    def _update(self) -> None:
        with self._call_lock:
            screen = self._screen
            if not self._is_connected or screen == self._published:
                return
            import accesskit

            rect, update = accesskit.Rect(*screen.bounds), make_update(screen.tree, screen.size)
            self._adapter.set_root_window_bounds(rect, rect)
            self._adapter.update_window_focus_state(screen.focused)
            self._adapter.update_if_active(lambda: update)
            self._published = screen

    def _send(self, value: object) -> None:
        with self._send_lock:
            self._pipe.send(value)

    def _build_tree(self) -> Any:
        """Return the whole tree for a new reader; called in the library's thread with the adapter locked."""
        screen = self._screen
        update = make_update(screen.tree, screen.size)
        self._published = None
        with suppress(OSError):
            self._send(CONNECTED)
        # This comes last: other threads call the adapter from now on.
        self._is_connected = True
        return update

    def _handle_request(self, request: Any) -> None:
        """Handle a reader's request; called in the library's thread, where an exception would be a panic."""
        import accesskit

        action = next((n for n in ACTIONS if getattr(accesskit.Action, n.upper()) == request.action), "")
        if request.action == accesskit.Action.SET_VALUE and request.data is not None:
            node, value = self._screen.tree.find_node(int(request.target)), float(request.data[1])
            if node is not None and node.span is not None and value != node.span[0]:
                action = "increment" if value > node.span[0] else "decrement"  # one step in that direction
        if action:
            with suppress(OSError):
                self._send((action, int(request.target)))

    def _handle_disconnect(self) -> None:
        """Handle the last reader's disconnection; called in the library's thread without locks."""
        with self._call_lock:
            self._is_connected = False
        with suppress(OSError):
            self._send(DISCONNECTED)


def make_update(tree: Tree, size: tuple[int, int]) -> Any:
    """Convert a valid tree to the library's format; ``size``: the window's, pixels."""
    import accesskit

    update = accesskit.TreeUpdate(tree.focus)
    update.tree = accesskit.Tree(WINDOW)
    update.tree.toolkit_name = "armoon"
    update.nodes.extend((node.number, _build_node(accesskit, node, size)) for node in tree.nodes)
    return update


def _build_node(accesskit: Any, node: Node, size: tuple[int, int]) -> Any:
    role = _OTHER_ROLES.get(node.role) or node.role.value.upper().replace(" ", "_")
    built = accesskit.Node(getattr(accesskit.Role, role))
    if node.role in (Role.LABEL, Role.FIELD):
        built.set_value(node.name)  # a label's text is its value
    else:
        built.set_label(node.name)
    if node.role is Role.FIELD:
        built.set_read_only()
    (width, height), rect = size, node.rect
    left, top = rect.x * width, rect.y * height
    built.set_bounds(accesskit.Rect(left, top, left + rect.width * width, top + rect.height * height))
    if node.children:
        built.set_children(list(node.children))
    if node.description:
        built.set_description(node.description)
    if not node.enabled:
        built.set_disabled()
    if node.role in PRESSABLE and node.enabled:
        built.add_action(accesskit.Action.CLICK)
        built.add_action(accesskit.Action.FOCUS)
    if node.role in ADJUSTABLE and node.enabled:
        built.add_action(accesskit.Action.INCREMENT)
        built.add_action(accesskit.Action.DECREMENT)
    if node.chosen is not None:
        built.set_selected(node.chosen)
        if node.role in (Role.CHECK, Role.RADIO):
            built.set_toggled(accesskit.Toggled.TRUE if node.chosen else accesskit.Toggled.FALSE)
    if node.span is not None:
        value, minimum, maximum = node.span
        built.set_numeric_value(value)
        built.set_min_numeric_value(minimum)
        built.set_max_numeric_value(maximum)
        built.set_value(node.value)
        built.add_action(accesskit.Action.SET_VALUE)
    if node.live:
        built.set_live(accesskit.Live.POLITE)
    return built
