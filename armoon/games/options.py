"""The options of a game. ``armoon play --help`` loads this module, so it must not import slow modules.

A game's own module ``options`` exports its class of options as ``OwnOptions``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar, final

from armoon.games.shared import FirstBy
from armoon.messages import text
from armoon.options.kinds import NO_BOTS, SeatKind
from armoon.options.option import COMMAND, PAGE, Option, PageId, filter_options, list_options
from armoon.values.acts import Feature
from armoon.values.player_settings import Handicap

OptionsType = TypeVar("OptionsType", bound="GameOptions")


@dataclass(frozen=True)
class GameOptions:
    """The values of a game's options; a game with further options defines a subclass."""

    min_players: ClassVar[int] = 1
    max_players: ClassVar[int] = 6
    has: ClassVar[frozenset[Feature]] = frozenset({Feature.PUT_BACK, Feature.UNDO})
    """Features of the game; pages offer only these."""
    texts: ClassVar[Path | Mapping[str, Mapping[str, str]]] = {}
    """The game's own texts, by language and key, or a folder with a file for each language."""

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        return list_options(cls)

    @final
    @classmethod
    def from_values(cls: type[OptionsType], values: Mapping[str, Any]) -> OptionsType:
        """Return options with these values; ``values`` contains the fields of nested dataclasses directly."""
        outer = dict(values)
        parts: dict[str, Any] = {f.name: f.default for f in fields(cls) if is_dataclass(f.default)}
        for name, part in parts.items():
            inner = {field.name: outer.pop(field.name) for field in fields(part) if field.name in outer}
            outer[name] = replace(outer.get(name, part), **inner)
        return cls(**outer)

    @final
    def collect_values(self) -> dict[str, Any]:
        parts = (self, *(value for field in fields(self) if is_dataclass(value := getattr(self, field.name))))
        values = {field.name: getattr(part, field.name) for part in parts for field in fields(part)}
        return {option.name: values[option.name] for option in self.options()}

    @final
    def with_values(self: OptionsType, **values: Any) -> OptionsType:
        return self.from_values({**self.collect_values(), **values})

    def check_players(self, names: Sequence[str]) -> None:
        """Raise ValueError if these players can't play with these options."""
        if not self.min_players <= len(names) <= self.max_players:
            raise ValueError(
                text("option.party", least=self.min_players, most=self.max_players, count=len(names))
            )

    @property
    def terms(self) -> Mapping[str, str]:
        """Replacements for terms in texts (``messages.speaking_of``); empty for the usual terms."""
        return {}

    @property
    def default_first_by(self) -> FirstBy:
        return FirstBy.CHOSEN

    @property
    def first_note(self) -> str:
        """A remark about who begins; empty if there is none."""
        return ""

    @property
    def draws_any(self) -> bool:
        """Whether players can exchange the offered piece for another one from the supply."""
        return False

    @property
    def together(self) -> bool:
        return False

    @property
    def trial(self) -> str:
        """The name of the trial being played; empty in a game."""
        return ""

    def with_command_line(self: OptionsType, values: Mapping[str, Any]) -> OptionsType:
        """Return these options from the settings with the command line's values."""
        return self.with_values(**values)

    def fit_players(self: OptionsType, players: int) -> OptionsType:
        return self

    def with_remote_players(self: OptionsType) -> OptionsType:
        """Return these options adapted to a game with remote players."""
        return self

    def with_handicaps(self: OptionsType, handicaps: Sequence[Handicap]) -> OptionsType:
        """Return these options with the handicaps by seat, unless they contain handicaps already."""
        return self

    # Bots ---------------------------------------------------------------------------------------------------

    @final
    @classmethod
    def bot_kinds(cls) -> SeatKind:
        kinds = (option.kind for option in cls.options() if option.name == "bots")
        return next((kind for kind in kinds if isinstance(kind, SeatKind)), NO_BOTS)

    @final
    @property
    def bots_by_seat(self) -> tuple[str | None, ...]:
        return tuple(getattr(self, "bots", ()))

    @final
    def with_bots(self: OptionsType, bots: Sequence[str | None]) -> OptionsType:
        if not self.bot_kinds().words:
            return self
        return self.with_values(bots=tuple(bots) if any(bots) else ())

    @final
    def list_default_players(self, default_names: Sequence[str]) -> tuple[str, ...]:
        """Return the players' names: bots in their seats, ``default_names`` in the others."""
        if not self.bots_by_seat:
            return tuple(default_names)[: 1 if self.trial else None]
        people, names = iter(default_names), list[str]()
        for bot in self.bots_by_seat:
            name = self.bot_kinds().get_name(bot) if bot is not None else next(people, f"{len(names) + 1}")
            names.append(name if name not in names else f"{name} {len(names) + 1}")
        return tuple(names)[: 1 if self.trial else None]

    # On the pages -------------------------------------------------------------------------------------------

    def list_offered_values(self, option: Option, players: int) -> tuple[Any, ...]:
        return option.offers

    def is_changeable(self, option: Option, players: int) -> bool:
        return True

    def describe_value(self, option: Option, players: int) -> str:
        return option.format_value(self.collect_values()[option.name])

    def describe_rules(self) -> tuple[str, ...]:
        return ()

    @final
    @classmethod
    def list_page_options(cls, page: PageId) -> tuple[Option, ...]:
        return tuple(option for option in filter_options(cls.options(), PAGE) if option.page is page)

    @final
    def reset_house_rules(self: OptionsType) -> OptionsType:
        defaults = type(self)().collect_values()
        return self.with_values(**{o.name: defaults[o.name] for o in self.list_page_options(PageId.HOUSE)})


def list_command_options(options_type: type[GameOptions]) -> tuple[Option, ...]:
    return filter_options(options_type.options(), COMMAND)
