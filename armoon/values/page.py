"""One screen as an immutable value: the widgets that the view draws and a pointer can press, and their layout.

Positions are fractions of the window from its upper left corner, (0, 0) to (1, 1), for any aspect ratio.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from armoon.values.look import USUAL_LOOK, Look
from armoon.values.poses import Vec2

Rgba = tuple[float, float, float, float]

#: Width of a drawing divided by its height.
ASPECT = 4.0 / 3.0


class Sign(enum.Enum):
    DISC = "disc"
    PANEL = "panel"
    SHEET = "sheet"
    TEAR = "tear"
    CRESCENT = "crescent"
    LADDER = "ladder"
    TICK = "tick"
    CROSS = "cross"
    DIE = "die"
    DIE_ONE = "die one"
    DIE_TWO = "die two"
    DIE_MOON = "die moon"


@dataclass(frozen=True)
class Stroke:
    """A line with round ends."""

    a: Vec2
    b: Vec2
    width: float
    colour: Rgba
    edge: Rgba = (0.0, 0.0, 0.0, 0.0)
    """Border colour; transparent: no border."""


@dataclass(frozen=True)
class Mark:
    sign: Sign
    centre: Vec2
    half: Vec2
    colour: Rgba
    edge: Rgba = (0.0, 0.0, 0.0, 0.0)
    """Border colour, or the end of a colour gradient."""


@dataclass(frozen=True)
class DrawnWord:
    """A number or a key's name in a drawing."""

    text: str
    centre: Vec2
    size: float
    colour: Rgba = (1.0, 1.0, 1.0, 1.0)


Shape = Stroke | Mark | DrawnWord


@dataclass(frozen=True)
class Drawing:
    """Shapes in drawing order; words are drawn last."""

    shapes: tuple[Shape, ...] = ()
    framed: bool = True
    """Whether it has a background panel of its own."""


Rgb = tuple[float, float, float]

#: Positions in a choice, in fractions of its width: end of the label (start of "less"), end of "less", start of "more".
LESS_FROM, LESS_TO, MORE_FROM = 0.46, 0.565, 0.895
#: The same for a choice whose label is above its value.
_STACKED = (0.0, 0.16, 0.84)

#: Maximum height of letters in rows and in running text, in a window 720 pixels high; letters shrink less than windows.
ROW_PX, TEXT_PX = 28.0, 25.0
REFERENCE_PX = 720.0
_SHRINK = 0.75
#: Maximum height of letters in a tall window, as a share of its width: a row holds about 28 letters.
_TALL_PX_PER_WIDTH = 0.050
#: Maximum text scale for a page's default layout; larger texts have a layout of their own.
IN_PLACE = 1.4


def letter_px(size: float, width: float, height: float) -> float:
    """Convert a size given for a window 720 pixels high to a window of ``width`` x ``height`` pixels."""
    by_height: float = size * (height / REFERENCE_PX) ** _SHRINK
    by_width = size / ROW_PX * _TALL_PX_PER_WIDTH * width
    return min(by_height, by_width) if width < height else by_height


class WidgetKind(enum.Enum):
    """The appearance of a widget; the screens define what it does."""

    HEADING = "heading"
    TEXT = "text"
    BUTTON = "button"
    CHOICE = "choice"
    """A label with a value between two arrows."""
    KEY = "key"
    """One letter of the on-screen keyboard."""
    FIELD = "field"
    CARD = "card"
    """A panel behind other widgets; one with a text is a button, with its name above and its value below."""
    SCORE = "score"
    """A player's line: colour, name and tears."""
    PICTURE = "picture"
    NUMBER = "number"
    """A number in the picture, beside the object that another widget refers to."""


@dataclass(frozen=True)
class Rect:
    """A rectangle by its upper left corner, in fractions of the window."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Vec2:
        return (self.x + self.width / 2.0, self.y + self.height / 2.0)

    @property
    def mirrored(self) -> Rect:
        return Rect(1.0 - self.x - self.width, self.y, self.width, self.height)

    def scaled(self, across: float, down: float) -> Rect:
        return Rect(self.x * across, self.y * down, self.width * across, self.height * down)

    def union(self, other: Rect) -> Rect:
        left, top = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.width, other.x + other.width)
        return Rect(left, top, right - left, max(self.y + self.height, other.y + other.height) - top)

    def contains(self, place: Vec2, margin: float = 0.0) -> bool:
        return (
            -margin <= place[0] - self.x <= self.width + margin
            and -margin <= place[1] - self.y <= self.height + margin
        )


@dataclass(frozen=True)
class Widget:
    name: str
    kind: WidgetKind
    rect: Rect
    text: str = ""
    value: str = ""
    focused: bool = False
    """Whether Enter and the gamepad's A act on this widget."""
    enabled: bool = True
    chosen: bool | None = None
    """Whether it is selected among several; None: it isn't one of several."""
    on: bool | None = None
    """Value of a yes-or-no choice."""
    span: tuple[float, float, float] | None = None
    """Value, minimum and maximum of a numeric choice."""
    dwell: float = 0.0
    """Progress of a pointer's dwell until it counts as a press, 0 to 1."""
    dwell_side: int = 0
    """The arrow of a choice on which the pointer rests: -1 or 1."""
    swatches: tuple[Rgb, ...] = ()
    level: float | None = None
    """Length of a bar, 0 to 1."""
    tears: int = 0
    good: bool | None = None
    """True: green, for a success; False: red, for a fault; None: not tinted."""
    drawing: Drawing | None = None
    stacked: bool = False
    """Whether a choice's label is above its value and arrows."""
    photo: str | bytes = ""
    """Photograph above a button's text or beside a card's: a packaged picture's name, or a JPEG file's content."""
    centred: bool = False
    """Whether a heading is centred."""
    main: bool = False
    """Whether it is the page's main button."""
    speech: str = ""
    """Text for reading aloud, if it differs from ``text``."""

    @property
    def spoken(self) -> str:
        return self.speech or self.text

    @property
    def arrows(self) -> tuple[float, float, float]:
        """Start and end of a choice's "less" and start of "more", in fractions of its width."""
        return _STACKED if self.stacked else (LESS_FROM, LESS_TO, MORE_FROM)


@dataclass(frozen=True)
class Page:
    """One screen."""

    name: str
    widgets: tuple[Widget, ...]
    veil: float
    """Opacity of the night sky over the picture, 0 to 1."""
    pointer: Vec2 | None = None
    moon: bool = False
    text_scale: float = 1.0
    look: Look = USUAL_LOOK
    captions: tuple[str, ...] = ()
    """Descriptions of sounds."""
    notice: str = ""
    """A sentence below the captions, which is also read aloud, for instance how to resume paused scanning."""
    window_only: bool = False
    """Whether the page is shown only in the window, not in a film or a stream."""
    rested: float = 0.0
    """Progress of the mouse's dwell until it clicks automatically, 0 to 1."""

    def __getitem__(self, name: str) -> Widget:
        for widget in self.widgets:
            if widget.name == name:
                return widget
        raise KeyError(name)


#: Buttons on the lower half of the left edge, clear of the score and the lid. For each window shape (True: tall): left,
#: top, width and height of the first button, and the gap between them.
LEFT_EDGE = {False: (0.019, 0.545, 0.105, 0.052, 0.003), True: (0.02, 0.48, 0.16, 0.05, 0.01)}
#: Maximum number of these buttons.
MAX_EDGE_BUTTONS = 6
#: Aspect ratio of an icon among these buttons; while pointed at, the button shows its text in the full width.
ICON_ASPECT = 1.5
#: Maximum aspect ratio of the picture in a tall window: the whole lake fits in, with the choices below it.
TALL_ASPECT = 1.28
#: The pause button and the two turning buttons in very large letters; the other buttons are on the pause page.
LARGE_PAUSE = {False: Rect(0.012, 0.545, 0.19, 0.115), True: Rect(0.02, 0.48, 0.36, 0.07)}
#: Buttons for the faces of a real die, below the drawn die; the score is above them.
FACES = {False: Rect(0.86, 0.175, 0.121, 0.335), True: Rect(0.80, 0.19, 0.18, 0.24)}
#: The list of choices, above the strip of keys; in a tall window the remaining ladders are below it.
CHOICES = {False: Rect(0.705, 0.246, 0.285, 0.577), True: Rect(0.22, 0.51, 0.76, 0.30)}
#: The few choices shown while the places are numbered in the picture: below the die, above a ladder in the lid.
ABOVE_LID = Rect(0.705, 0.18, 0.285, 0.18)
#: The list of choices in very large letters, when the texts at the lower edge need more room.
LARGE_CHOICES = {False: Rect(0.705, 0.252, 0.285, 0.438), True: Rect(0.22, 0.56, 0.76, 0.21)}
#: Left and right end of the area between the left edge's buttons and the choices, in a wide window.
GAME_X = (LEFT_EDGE[False][0] + LEFT_EDGE[False][2], CHOICES[False].x)


def reserve_areas(*, tall: bool, text_scale: float, chooses: bool) -> tuple[Rect, ...]:
    """Return the areas for a real die's faces, the left edge's buttons and, if a player ``chooses``, the choices."""
    large = text_scale > IN_PLACE
    x, y, width, height, gap = LEFT_EDGE[tall]
    edge = Rect(x, y, width, MAX_EDGE_BUTTONS * (height + gap) - gap)
    areas = (FACES[tall], LARGE_PAUSE[tall] if large else edge)
    if not chooses:
        return areas
    choices = (LARGE_CHOICES if large else CHOICES)[tall]
    return (*areas, choices) if tall or large else (*areas, choices, ABOVE_LID)


@dataclass(frozen=True)
class FlexPart:
    """A part of an area along its main axis, as in CSS flexbox."""

    basis: float
    """Initial length, in the area's units."""
    grow: float = 0.0
    """Share of the remaining room."""
    most: float = math.inf
    least: float = 0.0
    """Minimum length if there is too little room."""
    drop_order: int = 0
    """Order in which parts are dropped if their minimum lengths don't fit, the highest number first; 0: never."""


#: Gap between neighbours, in fractions of the window's width and height.
GAP = (0.018, 0.022)
#: A part that takes the remaining room.
REST = FlexPart(0.0, grow=1.0)
#: A part, or a fraction of the area's length.
Size = FlexPart | float


def divide_length(room: float, sizes: Sequence[Size], gap: float = 0.0) -> list[float]:
    """Return the length of each part; the rest of the room stays free if no part can grow further."""
    if sizes and all(size is REST for size in sizes):
        return [max(0.0, room - gap * (len(sizes) - 1)) / len(sizes)] * len(sizes)
    parts = [size if isinstance(size, FlexPart) else FlexPart(size * room) for size in sizes]
    lengths = [part.basis for part in parts]
    remaining = room - gap * (len(parts) - 1) - sum(lengths)
    weights = {k: part.grow if remaining > 0.0 else part.basis for k, part in enumerate(parts)}
    flexible = {k for k, weight in weights.items() if weight > 0.0}
    while flexible and abs(remaining) > 1e-12:
        share = remaining / sum(weights[k] for k in flexible)
        desired = {k: lengths[k] + share * weights[k] for k in flexible}
        limits = {k: min(parts[k].most, max(parts[k].least, length)) for k, length in desired.items()}
        fixed = {k: limits[k] for k in flexible if limits[k] != desired[k]} or desired
        remaining -= sum(length - lengths[k] for k, length in fixed.items())
        for k, length in fixed.items():
            lengths[k] = length
        flexible -= fixed.keys()
    return lengths


def fit_parts(parts: Mapping[str, FlexPart], room: float, gap: float = 0.0) -> dict[str, FlexPart]:
    """Drop parts in their order until the minimum lengths of the others fit."""
    kept = dict(parts)
    for name in sorted(parts, key=lambda name: -parts[name].drop_order):
        if (
            parts[name].drop_order
            and sum(part.least for part in kept.values()) + gap * (len(kept) - 1) > room
        ):
            del kept[name]
    return kept


def wrap(sizes: Sequence[float], room: float, gap: float = 0.0) -> list[list[int]]:
    """Break items of these sizes into lines of length ``room``; return the indices of each line's items."""
    lines: list[list[int]] = [[]]
    used = 0.0
    for k, size in enumerate(sizes):
        if lines[-1] and used + size > room:
            lines.append([])
            used = 0.0
        lines[-1].append(k)
        used += size + gap
    return lines


def rows(area: Rect, *sizes: Size, gap: float = 0.0, to: float = 0.0) -> list[Rect]:
    """Divide an area into rows; ``to``: their alignment if they don't fill it (0 top, 0.5 middle, 1 bottom)."""
    heights = divide_length(area.height, sizes, gap)
    areas: list[Rect] = []
    y = area.y + to * (area.height - sum(heights) - gap * (len(heights) - 1))
    for height in heights:
        areas.append(Rect(area.x, y, area.width, height))
        y += height + gap
    return areas


def columns(area: Rect, *sizes: Size, gap: float = 0.0) -> list[Rect]:
    x, areas = area.x, []
    for width in divide_length(area.width, sizes, gap):
        areas.append(Rect(x, area.y, width, area.height))
        x += width + gap
    return areas


def grid(
    area: Rect, count: int, per_row: int, highest: float = 1.0, gap: tuple[float, float] = GAP
) -> list[Rect]:
    """Divide an area into equal cells, row by row, vertically centred; ``highest`` limits the rows' height."""
    row = FlexPart(0.0, grow=1.0, most=highest)
    wrapped = rows(area, *[row] * max(1, -(-count // per_row)), gap=gap[1], to=0.5)
    return [cell for row_area in wrapped for cell in columns(row_area, *[REST] * per_row, gap=gap[0])][:count]
