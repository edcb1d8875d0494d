"""The description of an option: one entry makes command line, settings file, pages, saves and set-ups.

An option is a field of a frozen dataclass, made by ``option`` or ``choice``. Its texts are in the catalogues below
``option.NAME``: ``help``, and for a page ``label`` and a ``word`` for each value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any

from armoon.messages import brief, text
from armoon.options.kinds import EnumValue, Kind, To, YesNo
from armoon.values.choices import Word
from armoon.values.text import quoted


class Door(Word):
    """Where an option can be set."""

    FILE = "file"
    COMMAND = "command"
    PAGE = "page"
    SAVE = "save"
    """Headers of logs and saved games."""


class PageOf(Word):
    """The pages that offer options."""

    SETTINGS = "settings"
    DEPTH = "depth"
    SEEING = "seeing"
    PLAYING = "playing"
    HEARING = "hearing"
    HEAD = "head"
    KIT = "kit"
    KEYS = "keys"
    GAME = "game"
    """How a game is played, on the way to its start."""
    HOUSE = "house"
    """The rest of what a game can be played with."""


FILE, COMMAND, PAGE, SAVE = Door


class Configuration(Word):
    """The ways in which `armoon play` runs; an option that one of them hasn't got is refused in one sentence."""

    MENUS = "menus"
    """A window that begins with the title."""
    NOW = "now"
    """A window that begins with the game."""
    HEADLESS = "headless"
    """One game without a window, whose pictures are filmed or streamed."""
    UNSEEN = "unseen"
    """One game without a window, of which no picture is drawn."""
    ALONE = "alone"
    """A game reported in lines, without camera and picture."""


MENUS, NOW, HEADLESS, UNSEEN, ALONE = Configuration
#: Where an option works: unless it says otherwise, where it takes pictures, a window, its pages, or nothing at all.
PLAYED, PICTURED = frozenset({MENUS, NOW, HEADLESS, UNSEEN}), frozenset({MENUS, NOW, HEADLESS})
SHOWN, PAGED, ANYWHERE = frozenset({MENUS, NOW}), frozenset({MENUS}), frozenset(Configuration)


@dataclass(frozen=True)
class Option:
    """An option: its name, kind of value, default and places."""

    name: str
    """Also its name in the settings file, and the field that takes the value."""
    kind: Kind
    default: Any
    doors: frozenset[Door]
    optional: bool = False
    """None is allowed."""
    flag: str = ""
    """Its command-line flag, where that isn't its name."""
    switch: Any = None
    """Value that the bare flag sets, where it takes none."""
    page: PageOf | None = None
    steps: tuple[Any, ...] = ()
    """Values that a page's arrows offer, where the kind has no words."""
    works: frozenset[Configuration] = PLAYED
    """Configurations in which it has an effect."""
    needs: tuple[str, ...] = ()
    """Names of options of which one is required; empty: none."""

    @property
    def spelling(self) -> str:
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def help(self) -> str:
        return text(f"option.{self.name}.help")

    @property
    def label(self) -> str:
        return text(f"option.{self.name}.label")

    @property
    def offers(self) -> tuple[Any, ...]:
        """Return the values that a page's arrows step through; none for an option with a page of its own."""
        if isinstance(self.kind, EnumValue) and not self.steps:
            return tuple(self.kind.words)
        return self.steps or ((False, True) if isinstance(self.kind, YesNo) else ())

    def said(self, value: Any) -> str:
        if isinstance(self.kind, YesNo):
            return text("screens.yes" if value else "screens.no")
        if isinstance(self.kind, EnumValue):
            return text(f"option.{self.name}.word.{value}")
        if value is None:
            return text(f"option.{self.name}.none")
        return text(f"option.{self.name}.value", value=brief(value))


class WrongValue(ValueError):  # noqa: N818 - a value, by its name
    """A value that its option can't have; ``str`` names the allowed ones in the players' language."""

    def __init__(self, option: Option, value: object) -> None:
        super().__init__(option, value)
        self.option = option
        self.value = value

    @property
    def allowed(self) -> str:
        return self.option.kind.allowed()

    def __str__(self) -> str:
        value = self.value
        words = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else repr(value)
        if isinstance(self.option.kind, To):
            words = "..."  # it may hold a key
        return text("option.wrong", name=self.option.name, value=quoted(words), allowed=self.allowed)


def describe(
    name: str,
    kind: Kind,
    default: Any,
    *doors: Door,
    optional: bool = False,
    flag: str = "",
    switch: Any = None,
    page: PageOf | None = None,
    steps: tuple[Any, ...] = (),
    works: frozenset[Configuration] = PLAYED,
    needs: tuple[str, ...] = (),
) -> Option:
    """Return an option outside a dataclass. A yes or no is a bare flag on the command line."""
    through = frozenset(doors) | ({PAGE} if page is not None else set())
    if isinstance(kind, YesNo) and switch is None:
        switch = True
    optional = optional or default is None
    return Option(name, kind, default, through, optional, flag, switch, page, steps, works, needs)


def describe_choice(name: str, default: Any, *doors: Door, **more: Any) -> Option:
    """Return such an option whose values are those of its default's type: an enum's, or yes and no."""
    kind = YesNo() if isinstance(default, bool) else EnumValue(type(default))
    return describe(name, kind, default, *doors, **more)


def choice(default: Any, *doors: Door, **more: Any) -> Any:
    """Return a dataclass's field that is an option among its default's values."""
    return shared(describe_choice("", default, *doors, **more))


def option(kind: Kind, default: Any, *doors: Door, **more: Any) -> Any:
    """Return a dataclass's field that is an option; ``more`` as ``describe`` takes it."""
    return shared(describe("", kind, default, *doors, **more))


def shared(described: Option, default: Any = MISSING) -> Any:
    own = described if default is MISSING else replace(described, default=default)
    return field(default=own.default, metadata={"option": own})


def options_of(kept: type) -> tuple[Option, ...]:
    return tuple(
        replace(described, name=one.name)
        for one in fields(kept)
        if (described := one.metadata.get("option")) is not None
    )


def at(options: Sequence[Option], door: Door) -> tuple[Option, ...]:
    return tuple(one for one in options if door in one.doors)


def read(option: Option, value: object) -> Any:
    """Convert and check a plain value (text, number, list). Raises WrongValue."""
    if value is None and option.optional:
        return None
    try:
        return option.kind.read(value)
    except (TypeError, ValueError) as error:
        raise WrongValue(option, value) from error


def read_typed(option: Option, typed: str) -> Any:
    """Convert and check a command-line argument. Raises WrongValue."""
    try:
        plain = option.kind.typed(typed)
    except (KeyError, ValueError) as error:
        raise WrongValue(option, typed) from error
    return read(option, plain)


def read_record(options: Sequence[Option], record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values in a log's or save's header, except options that it lacks. Raises WrongValue."""
    return {one.name: read(one, record[one.name]) for one in at(options, SAVE) if one.name in record}
