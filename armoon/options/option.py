"""Options, each described once for the command line, the settings file, pages and saved games.

An option is a field of a frozen dataclass, created by ``option`` or ``choice``. The catalogues contain its texts:
``option.NAME.help``, and for a page ``option.NAME.label`` and ``option.NAME.word.VALUE``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any

from armoon.messages import brief, text
from armoon.options.kinds import EnumValue, Kind, TargetAddress, YesNo
from armoon.values.choices import Word
from armoon.values.text import quote_text


class OptionScope(Word):
    """A place where an option can be set or stored."""

    FILE = "file"
    COMMAND = "command"
    PAGE = "page"
    SAVE = "save"
    """Headers of logs and saved games."""


class PageId(Word):
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
    """A new game's main options."""
    HOUSE = "house"
    """A new game's further options."""


FILE, COMMAND, PAGE, SAVE = OptionScope


class Configuration(Word):
    """The modes of `armoon play`; an option that has no effect in the chosen mode is refused."""

    MENUS = "menus"
    """A window that starts with the title."""
    NOW = "now"
    """A window that starts with the game."""
    HEADLESS = "headless"
    """One game without a window; its pictures are filmed or streamed."""
    UNSEEN = "unseen"
    """One game without a window or pictures."""
    ALONE = "alone"
    """A game printed as lines, without camera and pictures."""


MENUS, NOW, HEADLESS, UNSEEN, ALONE = Configuration
#: Configurations in which an option works: those with a table (the default), pictures, a window or pages, and all.
WITH_TABLE, WITH_PICTURES = frozenset({MENUS, NOW, HEADLESS, UNSEEN}), frozenset({MENUS, NOW, HEADLESS})
WITH_WINDOW, WITH_PAGES, ANYWHERE = frozenset({MENUS, NOW}), frozenset({MENUS}), frozenset(Configuration)


@dataclass(frozen=True)
class Option:
    name: str
    """Name of its field, and its key in the settings file."""
    kind: Kind
    default: Any
    scopes: frozenset[OptionScope]
    optional: bool = False
    """Whether None is allowed."""
    flag: str = ""
    """Its command-line flag, if it isn't derived from the name."""
    switch: Any = None
    """Value of a flag without an argument; None: the flag needs an argument."""
    page: PageId | None = None
    steps: tuple[Any, ...] = ()
    """Values that the arrows on its page offer; empty: all values of its kind."""
    works_in: frozenset[Configuration] = WITH_TABLE
    """Configurations in which it has an effect."""
    needs: tuple[str, ...] = ()
    """Names of other options, at least one of which must be given with this one; empty: none is needed."""

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
        """Values that the arrows on its page step through; empty for an option with a page of its own."""
        if isinstance(self.kind, EnumValue) and not self.steps:
            return tuple(self.kind.enum_type)
        return self.steps or ((False, True) if isinstance(self.kind, YesNo) else ())

    def format_value(self, value: Any) -> str:
        if isinstance(self.kind, YesNo):
            return text("screens.yes" if value else "screens.no")
        if isinstance(self.kind, EnumValue):
            return text(f"option.{self.name}.word.{value}")
        if value is None:
            return text(f"option.{self.name}.none")
        return text(f"option.{self.name}.value", value=brief(value))


class InvalidValueError(ValueError):
    """A value that its option doesn't allow; the message lists the allowed values in the players' language."""

    def __init__(self, option: Option, value: object) -> None:
        super().__init__(option, value)
        self.option, self.value = option, value

    def __str__(self) -> str:
        return self.explain(self.option.name)

    def explain(self, name: str) -> str:
        """Return the message; ``name``: the option's name in it, such as its flag."""
        value = self.value
        words = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else repr(value)
        if isinstance(self.option.kind, TargetAddress):
            words = "..."  # the address may contain a secret key
        allowed = self.option.kind.describe_allowed()
        return text("option.wrong", name=name, value=quote_text(words), allowed=allowed)


def make_option(name: str, kind: Kind, default: Any, *scopes: OptionScope, **settings: Any) -> Option:
    """Create an option that isn't a field; ``settings``: further fields of ``Option``.

    An option with a page has the scope ``PAGE``. None is allowed if it is the default. A YesNo option is a flag without
    an argument.
    """
    defaults = {"optional": default is None, "switch": True if isinstance(kind, YesNo) else None}
    page = {PAGE} if settings.get("page") else set()
    return Option(name, kind, default, frozenset(scopes) | page, **defaults | settings)


def make_choice(name: str, default: Any, *scopes: OptionScope, **settings: Any) -> Option:
    """Create an option with the values of its default's type, which is an enum or bool."""
    kind = YesNo() if isinstance(default, bool) else EnumValue(type(default))
    return make_option(name, kind, default, *scopes, **settings)


def choice(default: Any, *scopes: OptionScope, **settings: Any) -> Any:
    """Create a dataclass field for an option with the values of its default's type."""
    return option_field(make_choice("", default, *scopes, **settings))


def option(kind: Kind, default: Any, *scopes: OptionScope, **settings: Any) -> Any:
    """Create a dataclass field for an option; ``settings`` as in ``make_option``."""
    return option_field(make_option("", kind, default, *scopes, **settings))


def option_field(base: Option, default: Any = MISSING) -> Any:
    described = base if default is MISSING else replace(base, default=default)
    return field(default=described.default, metadata={"option": described})


def list_options(settings_type: type) -> tuple[Option, ...]:
    return tuple(
        replace(described, name=setting.name)
        for setting in fields(settings_type)
        if (described := setting.metadata.get("option")) is not None
    )


def filter_options(options: Sequence[Option], scope: OptionScope) -> tuple[Option, ...]:
    return tuple(option for option in options if scope in option.scopes)


def read(option: Option, value: object) -> Any:
    """Convert and check a plain value (text, number, list). Raises InvalidValueError."""
    if value is None and option.optional:
        return None
    try:
        return option.kind.read(value)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(option, value) from error


def read_argument(option: Option, argument: str) -> Any:
    """Convert and check a command-line argument. Raises InvalidValueError."""
    try:
        plain = option.kind.parse_argument(argument)
    except (KeyError, ValueError) as error:
        raise InvalidValueError(option, argument) from error
    return read(option, plain)


def read_record(options: Sequence[Option], record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options' values in the header of a log or save, by name. Raises InvalidValueError."""
    return {o.name: read(o, record[o.name]) for o in filter_options(options, SAVE) if o.name in record}
