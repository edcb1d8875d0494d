"""The screens' input from switches, and the choices open at the table."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.choosing import Offered


class Switch(enum.Enum):
    """What a switch did."""

    DOWN = "down"
    """One switch, or of two the one that takes, went down."""
    UP = "up"
    STEP = "step"
    """Of two switches the one that goes on went down."""


@dataclass(frozen=True)
class Switched:
    """A switch, after whatever of it was only trembling."""

    what: Switch


class Wished(enum.Enum):
    """What a screen reader wishes of something on the page."""

    PRESS = "click"
    FOCUS = "focus"
    MORE = "increment"
    LESS = "decrement"


@dataclass(frozen=True)
class WidgetWished:
    """A screen reader wishes something of a widget, by its name."""

    widget: str
    what: Wished = Wished.PRESS


@dataclass(frozen=True)
class Scan:
    """What is lit, and for how long."""

    page: str = ""
    names: tuple[str, ...] = ()
    """One thing, or all of a row; empty: nothing is lit."""
    row: tuple[str, ...] = ()
    """The row that is being gone through; empty: the page is."""
    seconds: float = 0.0
    rounds: int = 0
    rests_s: float = 0.0
    """Dead time after a press, seconds."""
    asleep: bool = False
    down: bool = False
    """The switch is held."""


@dataclass(frozen=True)
class ChoicesTold:
    """What can be chosen at the table now."""

    choices: tuple[Offered, ...] = ()
    searching: bool = False
    """Places are being looked for."""
