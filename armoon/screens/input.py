"""Input events of the screens: window, pointers, keys, gamepads, switches, dwelling, time; open choices."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.acts import Act
from armoon.values.places import HINT, TableChoice
from armoon.values.poses import Vec2


@dataclass(frozen=True)
class Resized:
    """The window has a new size."""

    aspect: float
    height_px: int = 720


@dataclass(frozen=True)
class PointerMoved:
    """A mouse or finger has moved to this place, in parts of the window from its upper left corner."""

    place: Vec2


@dataclass(frozen=True)
class PointerPressed:
    """A mouse button went down, or fingers closed, at this place."""

    place: Vec2


class Key(enum.Enum):
    """Keys with a meaning on every page."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    ENTER = "enter"
    ESCAPE = "escape"
    TAB = "tab"
    BACKTAB = "backtab"
    BACKSPACE = "backspace"
    HELP = "help"


@dataclass(frozen=True)
class KeyCaptured:
    """A key or gamepad button was pressed for the page that asks for one."""

    name: str
    pad: bool = False


@dataclass(frozen=True)
class LetterTyped:
    """A character of a name was typed."""

    letter: str


class PadButton(enum.Enum):
    """The gamepad buttons that the screens use."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    A = "a"
    B = "b"
    START = "start"


@dataclass(frozen=True)
class HandRested:
    """A pointing hand was at this place (None: no hand) for another ``seconds``."""

    place: Vec2 | None
    seconds: float


@dataclass(frozen=True)
class TimePassed:
    """Time has passed on a page with moving pictures."""

    seconds: float


class Switch(enum.Enum):
    """An action of a switch."""

    DOWN = "down"
    """The only switch, or the one of two that selects, went down."""
    UP = "up"
    STEP = "step"
    """The stepping switch of two was pressed."""


class WidgetAction(enum.Enum):
    """A screen reader's request to a widget of the page."""

    PRESS = "click"
    FOCUS = "focus"
    MORE = "increment"
    LESS = "decrement"


@dataclass(frozen=True)
class WidgetRequest:
    """A screen reader's request to a widget, by its name."""

    widget: str
    action: WidgetAction = WidgetAction.PRESS


@dataclass(frozen=True)
class Scan:
    """State of scanning: the highlighted widgets and the time."""

    page: str = ""
    names: tuple[str, ...] = ()
    """The highlighted widgets: one, or all of a row; empty: none."""
    row: tuple[str, ...] = ()
    """The row being scanned; empty: the page."""
    seconds: float = 0.0
    rounds: int = 0
    rests_s: float = 0.0
    asleep: bool = False
    down: bool = False


@dataclass(frozen=True)
class OpenChoices:
    """The choices that are open at the table."""

    choices: tuple[TableChoice, ...] = ()
    said: str = ""
    """A sentence beside them, for instance while places are being searched."""

    @property
    def has_hint(self) -> bool:
        return self.has(HINT)

    @property
    def awaits_release(self) -> bool:
        """Whether the simulated hand holds a ladder over a place until the command to release."""
        return self.has(Act.LET_GO.word)

    def has(self, name: str) -> bool:
        return any(choice.name == name for choice in self.choices)


InputEvent = (
    Resized
    | PointerMoved
    | PointerPressed
    | Key
    | KeyCaptured
    | LetterTyped
    | PadButton
    | HandRested
    | TimePassed
    | Switch
    | WidgetRequest
    | OpenChoices
)
