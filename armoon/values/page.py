"""One screen as an immutable value: the contents that the view draws and a pointer can hover over.

Positions are parts of the whole window from its upper left corner, (0, 0) to (1, 1), for any proportions.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.drawing import Drawing
from armoon.values.look import USUAL_LOOK, Look
from armoon.values.poses import Vec2

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
    """Running text, wrapped."""
    BUTTON = "button"
    CHOICE = "choice"
    """A label with a value between two arrows."""
    KEY = "key"
    """One letter of the keyboard on the screen."""
    FIELD = "field"
    """What is being typed."""
    CARD = "card"
    """A panel behind other widgets; one with a text is a button with its name above and its value below."""
    SCORE = "score"
    """A player's line: colour, name and tears."""
    PICTURE = "picture"
    """A small drawing on a card."""
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
        """The middle."""
        return (self.x + self.width / 2.0, self.y + self.height / 2.0)

    @property
    def mirrored(self) -> Rect:
        """The same at the other side of the window."""
        return Rect(1.0 - self.x - self.width, self.y, self.width, self.height)

    def around(self, other: Rect) -> Rect:
        """Return the smallest rectangle around both."""
        left, top = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.width, other.x + other.width)
        return Rect(left, top, right - left, max(self.y + self.height, other.y + other.height) - top)

    def holds(self, place: Vec2, margin: float = 0.0) -> bool:
        """Whether a place is inside, or at most ``margin`` outside."""
        return (
            -margin <= place[0] - self.x <= self.width + margin
            and -margin <= place[1] - self.y <= self.height + margin
        )


@dataclass(frozen=True)
class Widget:
    """One thing on a page."""

    name: str
    """Unique on its page."""
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
    swatch: Rgb | None = None
    """A colour to be shown with the text (display colours)."""
    level: float | None = None
    """0 to 1, for a widget shown as a bar."""
    tears: int = 0
    good: bool | None = None
    """Tinted as well done or as a fault."""
    drawing: Drawing | None = None
    """What a picture shows now."""
    stacked: bool = False
    """Of a choice: the label stands above the value and its arrows."""

    photo: str = ""
    """The photograph above a button's words."""
    big: bool = False
    """Its words are as large as a heading's."""
    said: str = ""
    """Its spoken name, where that isn't its text: of a colour, a picture, a sign."""

    @property
    def spoken(self) -> str:
        """Its text, or what stands for that."""
        return self.said or self.text

    @property
    def arrows(self) -> tuple[float, float, float]:
        """Of a choice, in parts of its width: where "less" begins and ends, and where "more" begins."""
        return _STACKED if self.stacked else (LESS_FROM, LESS_TO, MORE_FROM)


@dataclass(frozen=True)
class Page:
    """One screen."""

    name: str
    widgets: tuple[Widget, ...]
    veil: float
    """0 leaves the picture as it is, 1 hides it behind the night sky."""
    pointer: Vec2 | None = None
    """Where a hand points, or a mouse is about to click by itself; None for a mouse that has its own mark alone."""
    moon: bool = False
    """The moon stands over the page."""
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
        """Return the widget of that name; KeyError if there is none."""
        for widget in self.widgets:
            if widget.name == name:
                return widget
        raise KeyError(name)
