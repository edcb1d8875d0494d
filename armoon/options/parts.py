"""Parts of the program with their own options and texts: sources, sinks, devices and the party.

A part is a frozen dataclass with its options as fields (``options.option``). ``--help`` loads all parts, so their
modules import slow libraries only inside functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, ClassVar, TypeVar

from armoon.messages import add_texts
from armoon.options.option import Option, list_options

#: The classes of all parts, in the order in which their sinks receive each moment.
PARTS: list[str] = [
    "armoon.app.sources.CameraPart",
    "armoon.app.sources.DemoPart",
    "armoon.app.sources.NothingPart",
    "armoon.sinks.film.FilmPart",
    "armoon.sinks.live.LivePart",
    "armoon.sinks.publish.PublishPart",
    "armoon.party.part.PartyPart",
    "armoon.remote.part.RemotePart",
]


@dataclass(frozen=True)
class OptionPart:
    """The values of one part's options."""

    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Texts that aren't in the catalogues, by language and key."""

    @property
    def spelling(self) -> str:
        return list_options(type(self))[0].spelling


PartT = TypeVar("PartT", bound=OptionPart)


def load_part_types() -> tuple[type[OptionPart], ...]:
    names = (name.rpartition(".") for name in PARTS)
    types: tuple[type[OptionPart], ...] = tuple(getattr(import_module(file), kind) for file, _, kind in names)
    for kind in types:
        add_texts(kind.texts)
    return types


def make_default_parts() -> tuple[OptionPart, ...]:
    return tuple(kind() for kind in load_part_types())


def list_part_options(base: type[OptionPart] = OptionPart) -> tuple[Option, ...]:
    return tuple(
        option for part in load_part_types() if issubclass(part, base) for option in list_options(part)
    )


def with_values(parts: tuple[OptionPart, ...], values: Mapping[str, Any]) -> tuple[OptionPart, ...]:
    """Return the parts with these values, by option name."""
    return tuple(
        replace(part, **{o.name: values[o.name] for o in list_options(type(part)) if o.name in values})
        for part in parts
    )
