"""One screen as an immutable value: the contents that the view draws and a pointer can hover over.

Positions are parts of the whole window from its upper left corner, (0, 0) to (1, 1), for any proportions.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from armoon.values.look import USUAL_LOOK, Look
from armoon.values.poses import Vec2

Rgba = tuple[float, float, float, float]

#: A picture's width over its height.
WIDE = 4.0 / 3.0


class Sign(enum.Enum):
    """A shape that is drawn as one."""

    DISC = "disc"
    PLATE = "plate"
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
    """The colour along its border; clear: none."""


@dataclass(frozen=True)
class Mark:
    """A sign at a place."""

    sign: Sign
    centre: Vec2
    half: Vec2
    colour: Rgba
    edge: Rgba = (0.0, 0.0, 0.0, 0.0)
    """Colour of its border, or the colour that it shades into."""


@dataclass(frozen=True)
class DrawnWord:
    """A number, or the name of a key."""

    text: str
    centre: Vec2
    size: float
    colour: Rgba = (1.0, 1.0, 1.0, 1.0)


Shape = Stroke | Mark | DrawnWord


@dataclass(frozen=True)
class Drawing:
    """Shapes, the nearest last; words stand before all others."""

    shapes: tuple[Shape, ...] = ()
    framed: bool = True
    """On a plate of its own, not on the page itself."""


Rgb = tuple[float, float, float]

#: Where a choice's arrows are, in parts of its width: below the first the label, then "less", the value and "more".
LESS_FROM, LESS_TO, MORE_FROM = 0.46, 0.565, 0.895
#: The same where the label stands above the value, over the whole width.
_STACKED = (0.0, 0.16, 0.84)

#: Maximum height of letters in rows and in running text, in pixels of a window 720 high; small windows keep more.
ROW_PX, TEXT_PX = 28.0, 25.0
REFERENCE_PX = 720.0
_SHRINK = 0.75
#: Maximum height of letters in a tall window, as a share of its width: a row of 0.9 of it holds about 28 letters.
_TALL_PX_PER_WIDTH = 0.050
#: Factor by which letters grow in the places that a page gives them; larger ones get pages of their own.
IN_PLACE = 1.4


def letter_px(size: float, width: float, height: float) -> float:
    """Return a size given for a window 720 high, in the pixels of a window of ``width`` x ``height`` pixels."""
    by_height: float = size * (height / REFERENCE_PX) ** _SHRINK
    by_width = size / ROW_PX * _TALL_PX_PER_WIDTH * width
    return min(by_height, by_width) if width < height else by_height


class WidgetKind(enum.Enum):
    """How a widget looks; what it does is the screens' business."""

    HEADING = "heading"
    TEXT = "text"
    BUTTON = "button"
    CHOICE = "choice"
    """A label with a value between two arrows."""
    KEY = "key"
    """One letter of the keyboard on the screen."""
    FIELD = "field"
    CARD = "card"
    """A panel behind other widgets; one with a text is a button with its name above and its value below."""
    SCORE = "score"
    """A player's line: colour, name and tears."""
    PICTURE = "picture"
    NUMBER = "number"
    """In the picture itself, beside what another widget of the page stands for."""


@dataclass(frozen=True)
class Rect:
    """A rectangle by its upper left corner, in parts of the window."""

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

    def around(self, other: Rect) -> Rect:
        left, top = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.width, other.x + other.width)
        return Rect(left, top, right - left, max(self.y + self.height, other.y + other.height) - top)

    def holds(self, place: Vec2, margin: float = 0.0) -> bool:
        return (
            -margin <= place[0] - self.x <= self.width + margin
            and -margin <= place[1] - self.y <= self.height + margin
        )


@dataclass(frozen=True)
class Widget:
    """One thing on a page."""

    name: str
    kind: WidgetKind
    rect: Rect
    text: str = ""
    value: str = ""
    focused: bool = False
    """Enter and A act on this one."""
    enabled: bool = True
    chosen: bool | None = None
    """Whether it is the selected one of several; None: it isn't one of several."""
    on: bool | None = None
    """The value of a choice between yes and no."""
    span: tuple[float, float, float] | None = None
    """A choice among numbers: its value, the least and the most."""
    dwell: float = 0.0
    """0 to 1: how long a pointer has rested here, of the time after which it counts as pressed."""
    dwell_side: int = 0
    """The arrow of a choice on which the pointer rests: -1 or 1."""
    swatches: tuple[Rgb, ...] = ()
    level: float | None = None
    """0 to 1, for a widget shown as a bar."""
    tears: int = 0
    good: bool | None = None
    """Tinted as well done or as a fault."""
    drawing: Drawing | None = None
    stacked: bool = False
    """Of a choice: the label stands above the value and its arrows."""

    photo: str | bytes = ""
    """The photograph above a button's words or beside a card's: the name of a packaged one, or a JPEG file."""
    big: bool = False
    """Its words are as large as a heading's."""
    said: str = ""

    @property
    def spoken(self) -> str:
        return self.said or self.text

    @property
    def arrows(self) -> tuple[float, float, float]:
        """A choice's ends of "less" and beginning of "more", in parts of its width."""
        return _STACKED if self.stacked else (LESS_FROM, LESS_TO, MORE_FROM)


@dataclass(frozen=True)
class Page:
    """One screen."""

    name: str
    widgets: tuple[Widget, ...]
    veil: float
    """0 leaves the picture as it is, 1 hides it behind the night sky."""
    pointer: Vec2 | None = None
    moon: bool = False
    text_scale: float = 1.0
    look: Look = USUAL_LOOK
    captions: tuple[str, ...] = ()
    """What is heard, in words."""
    notice: str = ""
    """A sentence below them, which is read aloud as well: how to wake what sleeps."""
    stays: bool = False
    """It stays in the window: a film or a stream shows the picture without it."""
    rested: float = 0.0
    """For which part, 0 to 1, of the time after which it clicks by itself a mouse has rested."""

    def __getitem__(self, name: str) -> Widget:
        for widget in self.widgets:
            if widget.name == name:
                return widget
        raise KeyError(name)


#: The buttons from halfway up the left edge downwards, where neither the score nor the lid is: left, top, width, height
#: and gap of each, in a wide window and in a tall one; and how many there are at most.
LEFT_EDGE = {False: (0.019, 0.545, 0.105, 0.052, 0.003), True: (0.02, 0.48, 0.16, 0.05, 0.01)}
AT_EDGE = 6
#: Width of a sign among them, in its heights; its words, while something rests on it, take the whole place.
ICON_WIDE = 1.5
#: In a window that is higher than wide the picture has at most this width over its height, so that the whole lake
#: fits in; it ends above what can be chosen.
TALL_ASPECT = 1.28
#: In very large letters the pause alone; the rest is on its page.
LARGE_PAUSE = {False: Rect(0.012, 0.545, 0.19, 0.115), True: Rect(0.02, 0.48, 0.36, 0.07)}
#: A real die's faces below the die's place, and above them the score, where they are asked for.
FACES = {False: Rect(0.86, 0.175, 0.121, 0.335), True: Rect(0.80, 0.19, 0.18, 0.24)}
#: What can be chosen, above the strip of keys; in a tall window the ladders that are left stand below it.
CHOICES = {False: Rect(0.705, 0.246, 0.285, 0.577), True: Rect(0.22, 0.51, 0.76, 0.30)}
#: The little that is beside the places' numbers in the picture, below the die's place and above a ladder in the lid.
ABOVE_LID = Rect(0.705, 0.18, 0.285, 0.18)
#: In very large letters the glass needs more of the lower edge.
LARGE_CHOICES = {False: Rect(0.705, 0.252, 0.285, 0.438), True: Rect(0.22, 0.56, 0.76, 0.21)}
#: From where to where the game stands between the left edge's buttons and what can be chosen, in a wide window.
BETWEEN = (LEFT_EDGE[False][0] + LEFT_EDGE[False][2], CHOICES[False].x)


def taken(*, tall: bool, text_scale: float, chooses: bool) -> tuple[Rect, ...]:
    """Return a real die's faces, the buttons of the left edge, and what can be chosen where somebody ``chooses``."""
    large = text_scale > IN_PLACE
    x, y, width, height, gap = LEFT_EDGE[tall]
    edge = Rect(x, y, width, AT_EDGE * (height + gap) - gap)
    places = (FACES[tall], LARGE_PAUSE[tall] if large else edge)
    if not chooses:
        return places
    listed = (LARGE_CHOICES if large else CHOICES)[tall]
    return (*places, listed) if tall or large else (*places, listed, ABOVE_LID)


@dataclass(frozen=True)
class FlexPart:
    """A part of an area along its main axis."""

    basis: float
    """Its length, in the area's own units, before the rest is shared out."""
    grow: float = 0.0
    most: float = math.inf
    least: float = 0.0
    """Minimum length, where there is too little room."""
    waits: int = 0
    """Order in which parts are dropped where their minimum lengths don't fit, the highest number first; 0: never."""


#: Room between neighbours, in parts of the window's width and height.
GAP = (0.018, 0.022)
#: A part that takes what the others leave.
REST = FlexPart(0.0, grow=1.0)
#: A part, or a share of the area's length from 0 to 1.
Size = FlexPart | float


def lengths(room: float, sizes: Sequence[Size], gap: float = 0.0) -> list[float]:
    """Return how long each part is; the rest stays free where none may grow into it."""
    if sizes and all(size is REST for size in sizes):
        return [max(0.0, room - gap * (len(sizes) - 1)) / len(sizes)] * len(sizes)
    parts = [size if isinstance(size, FlexPart) else FlexPart(size * room) for size in sizes]
    found = [part.basis for part in parts]
    left = room - gap * (len(parts) - 1) - sum(found)
    weights = {k: part.grow if left > 0.0 else part.basis for k, part in enumerate(parts)}
    flexible = {k for k, weight in weights.items() if weight > 0.0}
    while flexible and abs(left) > 1e-12:
        share = left / sum(weights[k] for k in flexible)
        wanted = {k: found[k] + share * weights[k] for k in flexible}
        limits = {k: min(parts[k].most, max(parts[k].least, length)) for k, length in wanted.items()}
        held = {k: limits[k] for k in flexible if limits[k] != wanted[k]} or wanted
        left -= sum(length - found[k] for k, length in held.items())
        for k, length in held.items():
            found[k] = length
        flexible -= held.keys()
    return found


def staying(parts: Mapping[str, FlexPart], room: float, gap: float = 0.0) -> dict[str, FlexPart]:
    """Return the parts that stay where the least lengths don't fit."""
    found = dict(parts)
    for name in sorted(parts, key=lambda name: -parts[name].waits):
        if parts[name].waits and sum(part.least for part in found.values()) + gap * (len(found) - 1) > room:
            del found[name]
    return found


def wrap(sizes: Sequence[float], room: float, gap: float = 0.0) -> list[list[int]]:
    """Return which things go together where only so much goes into one line: each as full as it can be."""
    found: list[list[int]] = [[]]
    used = 0.0
    for k, size in enumerate(sizes):
        if found[-1] and used + size > room:
            found.append([])
            used = 0.0
        found[-1].append(k)
        used += size + gap
    return found


def rows(area: Rect, *sizes: Size, gap: float = 0.0, to: float = 0.0) -> list[Rect]:
    """Divide an area into rows from its top; ``to``: where they don't fill it, 0.5 is its middle and 1 its bottom."""
    heights = lengths(area.height, sizes, gap)
    found: list[Rect] = []
    y = area.y + to * (area.height - sum(heights) - gap * (len(heights) - 1))
    for height in heights:
        found.append(Rect(area.x, y, area.width, height))
        y += height + gap
    return found


def columns(area: Rect, *sizes: Size, gap: float = 0.0) -> list[Rect]:
    x, found = area.x, []
    for width in lengths(area.width, sizes, gap):
        found.append(Rect(x, area.y, width, area.height))
        x += width + gap
    return found


def grid(
    area: Rect, count: int, across: int, highest: float = 1.0, gap: tuple[float, float] = GAP
) -> list[Rect]:
    """Divide an area into equal cells, row by row; rows up to ``highest``, centred in the area."""
    row = FlexPart(0.0, grow=1.0, most=highest)
    wrapped = rows(area, *[row] * max(1, -(-count // across)), gap=gap[1], to=0.5)
    return [cell for one in wrapped for cell in columns(one, *[REST] * across, gap=gap[0])][:count]
