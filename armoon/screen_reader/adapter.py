"""The library accesskit, which sends the screen's content to screen readers; so far only Linux's AT-SPI.

Every error in it is a panic, which is no ``Exception``, and disables the adapter until the program is
restarted. So it gets checked trees only, and nothing more after an error. Its handlers run in a thread of its
own: they read an immutable value, and put requests into a queue.
"""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.screen_reader.tree import PRESSED, WINDOW, Node, Role, Tree, fault_of
from armoon.values.page import Rect

Value = TypeVar("Value")
_EMPTY = Tree((Node(WINDOW, Role.WINDOW, "armoon"),))
#: What screen readers may wish of a widget, as the library calls it.
WISHES = ("click", "focus", "increment", "decrement")
#: A wish: the widget, and one of these.
Wish = tuple[str, str]


class ReaderError(ArmoonError):
    """The library for screen readers is missing, or has failed."""


def can_read() -> bool:
    """Return whether the library is installed and was tried on this system."""
    return sys.platform == "linux" and find_spec("accesskit") is not None


class Reader:
    """The content for screen readers; create it before the window is shown."""

    def __init__(self, make: Callable[..., Any] | None = None) -> None:
        """``make`` makes the adapter of the library. Raises ReaderError where there is none."""
        if make is None:
            if not can_read():
                raise ReaderError(text("reader.missing"), remedy=text("reader.missing_remedy"))
            import accesskit

            make = accesskit.unix.Adapter
        self._tree, self._size = _EMPTY, (1, 1)
        self._wishes: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        self._broken = False
        self._adapter = self._safely(lambda: make(self._whole, self._act, _asleep))

    def show(self, tree: Tree) -> None:
        """Show this tree. Raises ReaderError once the library has failed."""
        fault = fault_of(tree)
        if fault:
            raise ReaderError(text("reader.failed", why=fault), remedy=text("reader.failed_remedy"))
        if tree == self._tree or self._broken:
            return
        self._tree = tree
        self._safely(lambda: self._adapter.update_if_active(lambda: update_of(tree, self._size)))

    def place(self, bounds: tuple[float, float, float, float], size: tuple[int, int]) -> None:
        """Note the window's place on the screen (left, top, right, bottom) and size, pixels."""
        import accesskit

        self._size = size
        rect = accesskit.Rect(*bounds)
        if not self._broken:
            self._safely(lambda: self._adapter.set_root_window_bounds(rect, rect))

    def focus(self, focused: bool) -> None:
        """Note whether the window has the keyboard."""
        if not self._broken:
            self._safely(lambda: self._adapter.update_window_focus_state(focused))

    def take(self) -> list[Wish]:
        """Return screen readers' requests since the last call; requests for vanished widgets are dropped."""
        wishes = []
        while not self._wishes.empty():
            what, number = self._wishes.get()
            node = self._tree.node(number)
            if node is not None and node.widget and node.enabled:
                wishes.append((node.widget, what))
        return wishes

    def _safely(self, do: Callable[[], Value]) -> Value:
        try:
            return do()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of the library is no Exception
            self._broken = True
            why = " ".join(f"{type(error).__name__} {error}".split())[:160]
            raise ReaderError(text("reader.failed", why=why), remedy=text("reader.failed_remedy")) from None

    def _whole(self) -> Any:
        """In the library's thread: everything, for a reader that has just come."""
        return update_of(self._tree, self._size)

    def _act(self, request: Any) -> None:
        """In the library's thread: a reader wishes something. An exception in here would poison the library."""
        import accesskit

        for what in WISHES:
            if getattr(accesskit.Action, what.upper()) == request.action:
                self._wishes.put((what, int(request.target)))


def _asleep() -> None:
    """In the library's thread: the client has gone."""


def update_of(tree: Tree, size: tuple[int, int]) -> Any:
    """Return a checked tree as the library takes it; ``size`` is the window's, pixels."""
    import accesskit

    update = accesskit.TreeUpdate(tree.focus)
    update.tree = accesskit.Tree(WINDOW)
    update.tree.toolkit_name = "armoon"
    update.nodes.extend((node.number, _built(accesskit, node, size)) for node in tree.nodes)
    return update


def _built(accesskit: Any, node: Node, size: tuple[int, int]) -> Any:
    roles = {
        Role.WINDOW: accesskit.Role.WINDOW,
        Role.GROUP: accesskit.Role.GROUP,
        Role.HEADING: accesskit.Role.HEADING,
        Role.LABEL: accesskit.Role.LABEL,
        Role.BUTTON: accesskit.Role.BUTTON,
        Role.CHOICE: accesskit.Role.BUTTON,
        Role.FIELD: accesskit.Role.TEXT_INPUT,
        Role.PICTURE: accesskit.Role.IMAGE,
    }
    built = accesskit.Node(roles[node.role])
    if node.role in (Role.LABEL, Role.FIELD):
        built.set_value(node.name)  # a label's text is its value
    else:
        built.set_label(node.name)
    if node.role is Role.FIELD:
        built.set_read_only()
    built.set_bounds(_pixels(accesskit, node.rect, size))
    if node.children:
        built.set_children(list(node.children))
    if not node.enabled:
        built.set_disabled()
        built.set_description(text("speech.off"))  # AT-SPI's own word for it doesn't get through
    if node.role in PRESSED and node.enabled:
        built.add_action(accesskit.Action.CLICK)
        built.add_action(accesskit.Action.FOCUS)
    if node.role is Role.CHOICE:
        built.set_description(text("speech.choice"))
        built.add_action(accesskit.Action.INCREMENT)
        built.add_action(accesskit.Action.DECREMENT)
    if node.chosen:
        built.set_selected(True)
        built.set_description(text("speech.chosen"))
    if node.live:
        built.set_live(accesskit.Live.POLITE)
    return built


def _pixels(accesskit: Any, rect: Rect, size: tuple[int, int]) -> Any:
    width, height = size
    left, top = rect.x * width, rect.y * height
    return accesskit.Rect(left, top, left + rect.width * width, top + rect.height * height)
