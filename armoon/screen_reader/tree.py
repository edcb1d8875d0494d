"""Pages and glass as a tree of named nodes for screen readers: plain values, checked before use.

A broken tree would crash the library, so every tree is checked first.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.messages import text
from armoon.speech_output.telling import aloud, joined, tears_of
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.scene import SceneHud

#: The window and the table's state have these numbers; everything else follows.
WINDOW, TABLE = 0, 1
_WHOLE = Rect(0.0, 0.0, 1.0, 1.0)


class Role(enum.Enum):
    """The role of a node."""

    WINDOW = "window"
    GROUP = "group"
    HEADING = "heading"
    LABEL = "label"
    BUTTON = "button"
    CHOICE = "choice"
    FIELD = "field"
    PICTURE = "picture"


_ROLES = {
    WidgetKind.HEADING: Role.HEADING,
    WidgetKind.TEXT: Role.LABEL,
    WidgetKind.BUTTON: Role.BUTTON,
    WidgetKind.CHOICE: Role.CHOICE,
    WidgetKind.KEY: Role.BUTTON,
    WidgetKind.FIELD: Role.FIELD,
    WidgetKind.CARD: Role.BUTTON,
    WidgetKind.SCORE: Role.LABEL,
    WidgetKind.PICTURE: Role.PICTURE,
}
PRESSED = (Role.BUTTON, Role.CHOICE)


@dataclass(frozen=True)
class Node:
    """One thing."""

    number: int
    role: Role
    name: str
    rect: Rect = _WHOLE
    """Parts of the window."""
    children: tuple[int, ...] = ()
    widget: str = ""
    """Its name on its page, if it can be pressed."""
    enabled: bool = True
    chosen: bool = False
    live: bool = False
    """It is said when it changes."""


@dataclass(frozen=True)
class Tree:
    """All of them, the window first."""

    nodes: tuple[Node, ...]
    focus: int = WINDOW

    def node(self, number: int) -> Node | None:
        """Return the thing of that number."""
        return next((node for node in self.nodes if node.number == number), None)


class Numbers:
    """Gives each thing a number that it keeps."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], int] = {}

    def of(self, page: str, name: str) -> int:
        """Return the number of a thing of a page."""
        return self._given.setdefault((page, name), TABLE + 1 + len(self._given))


def tree_of(page: Page | None, glass: SceneHud, numbers: Numbers) -> Tree:
    """Return the window with the page that is open, and what the glass says of the table."""
    shown = () if page is None else tuple(_nodes(page, numbers))
    told = tuple(_told(glass, numbers))
    heading = next((node.name for node in shown if node.role is Role.HEADING), "")
    name = heading or next((node.name for node in shown if node.role is Role.LABEL), "armoon")
    groups = []
    if shown:
        number = numbers.of(page.name, "") if page is not None else TABLE
        groups.append(Node(number, Role.GROUP, name, children=tuple(node.number for node in shown)))
    if told:
        label = text("reader.table")
        groups.append(Node(TABLE, Role.GROUP, label, children=tuple(node.number for node in told)))
    window = Node(WINDOW, Role.WINDOW, "armoon", children=tuple(group.number for group in groups))
    focused = "" if page is None else next((one.name for one in page.widgets if one.focused), "")
    focus = next((node.number for node in shown if focused and node.widget == focused), WINDOW)
    return Tree((window, *groups, *shown, *told), focus)


def fault_of(tree: Tree) -> str:
    """Return a tree's defect, or an empty string."""
    numbers = [node.number for node in tree.nodes]
    children = [child for node in tree.nodes for child in node.children]
    if len(set(numbers)) != len(numbers):
        return "two things have one number"
    if WINDOW not in numbers or sorted(children) != sorted(set(numbers) - {WINDOW}):
        return "a thing stands nowhere, twice, or isn't there"
    return "" if tree.focus in numbers else "the focus is on nothing"


def _nodes(page: Page, numbers: Numbers) -> list[Node]:
    nodes = []
    for widget in page.widgets:
        role, name = _ROLES[widget.kind], _name(widget)
        if not name:
            continue
        pressed = role in PRESSED
        nodes.append(
            Node(
                numbers.of(page.name, widget.name),
                role,
                name,
                widget.rect,
                widget=widget.name if pressed else "",
                enabled=widget.enabled,
                chosen=widget.chosen and pressed,
                live=role is Role.LABEL,
            )
        )
    return nodes


def _name(widget: Widget) -> str:
    return aloud(joined(widget.spoken, tears_of(widget.tears), widget.value))


def _told(glass: SceneHud, numbers: Numbers) -> list[Node]:
    """Return the glass as nodes, from what stops the game to the structure's height."""
    players = [
        ", ".join((one.name, text("variant.tears", count=one.tears))) for one in glass.players if one.name
    ]
    said = {
        "banner": glass.banner,
        "verdict": glass.verdict_text,
        "hint": glass.hint,
        "die": glass.die_text,
        "contact": glass.contact_text,
        **{f"player {seat}": words for seat, words in enumerate(players)},
        "left": glass.ladders_left_text,
        "height": glass.height_text,
    }
    return [
        Node(
            numbers.of("", name), Role.LABEL, aloud(words), live=name in ("banner", "verdict", "hint", "die")
        )
        for name, words in said.items()
        if words
    ]
