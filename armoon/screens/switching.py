"""The screens' input from switches, and the choices open at the table."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.choosing import HINT, Offered


class Switch(enum.Enum):
    """A switch's action."""

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
    """A screen reader's request to a widget of the page."""

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
    """The lit choice, and how long it stays lit."""

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
    """The choices open at the table now."""

    choices: tuple[Offered, ...] = ()
    said: str = ""
    """A sentence beside them: that places are being looked for, or that there are none."""

    @property
    def hinted(self) -> bool:
        """A hint's place can be taken."""
        return any(one.name == HINT for one in self.choices)
