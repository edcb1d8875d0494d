"""Parts of the program with their own options and texts: sources, sinks, devices and the party, one module each.

A part is a frozen dataclass whose fields are its options (``options.option``), named ``OWN`` in its module. ``--help``
loads all parts, so their modules import heavy libraries only inside functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, ClassVar, TypeVar

from armoon.messages import add_texts
from armoon.options.option import Option, options_of

#: Modules of all parts, in the order in which their sinks get each moment.
PARTS: list[str] = [
    "armoon.app.sources.part",
    "armoon.app.sources.demo",
    "armoon.app.sources.nothing",
    "armoon.sinks.film",
    "armoon.sinks.live",
    "armoon.sinks.publish",
    "armoon.party.part",
    "armoon.remote.part",
]


@dataclass(frozen=True)
class OptionPart:
    """The values of one part's options."""

    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Texts that aren't in the catalogues, by language and key."""

    @property
    def spelling(self) -> str:
        return options_of(type(self))[0].spelling


Own = TypeVar("Own", bound=OptionPart)


def part_types() -> tuple[type[OptionPart], ...]:
    types: tuple[type[OptionPart], ...] = tuple(import_module(name).OWN for name in PARTS)
    for own in types:
        add_texts(own.texts)
    return types


def default_parts() -> tuple[OptionPart, ...]:
    return tuple(own() for own in part_types())


def part_options(kind: type[OptionPart] = OptionPart) -> tuple[Option, ...]:
    return tuple(option for own in part_types() if issubclass(own, kind) for option in options_of(own))


def with_values(parts: tuple[OptionPart, ...], values: Mapping[str, Any]) -> tuple[OptionPart, ...]:
    """Return the parts with these values, by their options' names."""
    return tuple(
        replace(part, **{one.name: values[one.name] for one in options_of(type(part)) if one.name in values})
        for part in parts
    )
