"""The devices' input to the screens: window size, pointers, keys, gamepads, dwelling, time."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.choices import Device
from armoon.values.poses import Vec2


@dataclass(frozen=True)
class Resized:
    """The window has these proportions now."""

    aspect: float
    """Width over height."""
    height_px: int = 720


@dataclass(frozen=True)
class PointerMoved:
    """A mouse or finger is at this place of the window, in parts from its upper left corner."""

    place: Vec2


@dataclass(frozen=True)
class PointerPressed:
    """A mouse button went down, or fingers closed, at this place."""

    place: Vec2


class Key(enum.Enum):
    """Keys that mean something on every page."""

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
class KeyGiven:
    """A key, or a gamepad's button, was pressed for the page that asks for one."""

    name: str
    pad: bool = False


@dataclass(frozen=True)
class KeyPressed:
    """A key went down."""

    key: Key


@dataclass(frozen=True)
class LetterTyped:
    """A character was typed; only names listen."""

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
class PadPressed:
    """A gamepad's button went down."""

    button: PadButton


@dataclass(frozen=True)
class Dwelt:
    """A pointing hand was at this place (None: there is no hand) for another ``seconds``."""

    place: Vec2 | None
    seconds: float


@dataclass(frozen=True)
class DeviceUsed:
    """It was played with this."""

    device: Device


@dataclass(frozen=True)
class TimePassed:
    """Time has passed on a page whose pictures move."""

    seconds: float
