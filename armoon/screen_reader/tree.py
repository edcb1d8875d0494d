"""The page and the picture as a tree of nodes for screen readers. An invalid tree would crash the library."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from hashlib import blake2b
from types import MappingProxyType

from armoon.messages import text
from armoon.speech_output.narration import describe_turn, format_for_voice, format_tears, join_parts
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.scene import SceneHud

#: Numbers of the window's and the table's nodes.
WINDOW, TABLE = 0, 1
#: Texts over the picture that are announced when they change.
_LIVE = ("banner", "verdict", "turn", "die", "hint")
#: Name of the node for a highlighted row.
_ROW = "highlighted row"
_WHOLE = Rect(0.0, 0.0, 1.0, 1.0)
NOWHERE: Mapping[str, Rect] = MappingProxyType({})


class Role(enum.Enum):
    WINDOW = "window"
    GROUP = "group"
    HEADING = "heading"
    LABEL = "label"
    BUTTON = "button"
    CHOICE = "choice"
    """A choice among several values."""
    CHECK = "check box"
    RADIO = "radio button"
    SLIDER = "slider"
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
#: Roles whose value the arrow keys change, and roles that can be pressed.
ADJUSTABLE = (Role.CHOICE, Role.CHECK, Role.SLIDER)
PRESSABLE = (Role.BUTTON, Role.RADIO, *ADJUSTABLE)


@dataclass(frozen=True)
class Node:
    """A widget, a text or an object on the table."""

    number: int
    role: Role
    name: str
    rect: Rect = _WHOLE
    """Fractions of the window."""
    children: tuple[int, ...] = ()
    widget: str = ""
    """Name of its widget, if it can be pressed."""
    description: str = ""
    """Description announced after name and role."""
    enabled: bool = True
    chosen: bool | None = None
    """Whether a check box or radio button is checked, or another widget is selected; None: not applicable."""
    value: str = ""
    span: tuple[float, float, float] | None = None
    """Value, minimum and maximum of a slider."""
    live: bool = False
    """Whether changes are announced."""


@dataclass(frozen=True)
class Tree:
    """All nodes, the window first."""

    nodes: tuple[Node, ...]
    focus: int = WINDOW

    def find_node(self, number: int) -> Node | None:
        return next((node for node in self.nodes if node.number == number), None)


EMPTY = Tree((Node(WINDOW, Role.WINDOW, "armoon"),))


def _get_number(page: str, name: str) -> int:
    """Return the permanent number of a node by its page and name; never ``WINDOW`` or ``TABLE``."""
    return int.from_bytes(blake2b(f"{page}\0{name}".encode(), digest_size=7).digest(), "big") + TABLE + 1


#: An object on the table: its unique name, its description, and its area in fractions of the window.
TableObject = tuple[str, str, Rect]


def build_tree(
    page: Page | None,
    hud: SceneHud,
    places: Mapping[str, Rect] = NOWHERE,
    objects: tuple[TableObject, ...] = (),
) -> Tree:
    """Return the tree of a page, of texts over the picture in these areas (``places``), and of objects on the table."""
    widgets = () if page is None else tuple(_make_nodes(page))
    table_nodes = (
        *_make_hud_nodes(hud, places),
        *(
            Node(_get_number("", name), Role.PICTURE, format_for_voice(words), area)
            for name, words, area in objects
        ),
    )
    heading = next((node.name for node in widgets if node.role is Role.HEADING), "")
    name = heading or next((node.name for node in widgets if node.role is Role.LABEL), "armoon")
    groups = []
    if widgets:
        number = _get_number(page.name, "") if page is not None else TABLE
        groups.append(Node(number, Role.GROUP, name, children=tuple(node.number for node in widgets)))
    if table_nodes:
        label = text("reader.table")
        groups.append(Node(TABLE, Role.GROUP, label, children=tuple(node.number for node in table_nodes)))
    window = Node(WINDOW, Role.WINDOW, "armoon", children=tuple(group.number for group in groups))
    focused = [] if page is None else [widget.name for widget in page.widgets if widget.focused]
    row = len(focused) > 1 and widgets[0].number
    focus = row or next((node.number for node in widgets if node.widget and node.widget in focused), WINDOW)
    return Tree((window, *groups, *widgets, *table_nodes), focus)


def find_fault(tree: Tree) -> str:
    numbers = [node.number for node in tree.nodes]
    children = [child for node in tree.nodes for child in node.children]
    if len(set(numbers)) != len(numbers):
        return "two nodes have the same number"
    if WINDOW not in numbers or sorted(children) != sorted(set(numbers) - {WINDOW}):
        return "a node is missing, has no parent, or has two"
    return "" if tree.focus in numbers else "the focus isn't on any node"


def _make_nodes(page: Page) -> list[Node]:
    """Return the nodes of the page's widgets; a highlighted row has another node before them."""
    nodes = []
    focused = [widget for widget in page.widgets if widget.focused]
    if len(focused) > 1:
        area = reduce(Rect.union, (widget.rect for widget in focused))
        words = join_parts(*(_get_name(widget) for widget in focused))
        nodes.append(Node(_get_number(page.name, _ROW), Role.GROUP, words, area))
    # Numbers in the picture need no nodes, because each only marks an object.
    named = (widget for widget in page.widgets if _get_name(widget) and widget.kind is not WidgetKind.NUMBER)
    nodes += (_make_node(page, widget) for widget in named)
    if page.notice:
        nodes.append(
            Node(_get_number(page.name, "notice"), Role.LABEL, format_for_voice(page.notice), live=True)
        )
    nodes += (
        Node(_get_number("caption", words), Role.LABEL, format_for_voice(words), live=True)
        for words in dict.fromkeys(page.captions)
    )
    return nodes


def _make_node(page: Page, widget: Widget) -> Node:
    role = _get_role(widget)
    is_pressable = role in PRESSABLE
    description = text("speech.choice") if role is Role.CHOICE else ""
    return Node(
        _get_number(page.name, widget.name),
        role,
        format_for_voice(widget.spoken) if role in (Role.CHECK, Role.SLIDER) else _get_name(widget),
        widget.rect,
        widget=widget.name if is_pressable else "",
        description=description if widget.enabled else text("speech.off"),
        enabled=widget.enabled,
        chosen=(widget.chosen if widget.on is None else widget.on) if is_pressable else None,
        value=format_for_voice(widget.value) if role is Role.SLIDER else "",
        span=widget.span,
        live=role is Role.LABEL,
    )


def _get_role(widget: Widget) -> Role:
    role = _ROLES[widget.kind]
    if role is Role.CHOICE:
        return Role.CHECK if widget.on is not None else Role.CHOICE if widget.span is None else Role.SLIDER
    return Role.RADIO if role is Role.BUTTON and widget.chosen is not None else role


def _get_name(widget: Widget) -> str:
    return format_for_voice(join_parts(widget.spoken, format_tears(widget.tears), widget.value))


def _make_hud_nodes(hud: SceneHud, places: Mapping[str, Rect]) -> list[Node]:
    players = [", ".join((p.name, text("variant.tears", count=p.tears))) for p in hud.players if p.name]
    labels = {
        "banner": hud.banner,
        "verdict": hud.verdict_text,
        "turn": describe_turn(hud),
        "hint": hud.hint,
        "die": hud.die_text,
        "contact": hud.contact_text,
        **{f"player {seat}": words for seat, words in enumerate(players)},
        "left": hud.ladders_left_text,
        "height": hud.height_text,
    }
    return [
        Node(
            _get_number("", name),
            Role.LABEL,
            format_for_voice(words),
            places.get(name, _WHOLE),
            live=name in _LIVE,
        )
        for name, words in labels.items()
        if words
    ]
