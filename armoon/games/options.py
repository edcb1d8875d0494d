"""The options of one game, loaded for ``armoon play --help`` as well: a module that imports nothing heavy.

A game's module ``options`` holds its class under the name ``OwnOptions``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar, final

from armoon.games.shared import FirstBy
from armoon.messages import text
from armoon.options.kinds import NO_BOTS, SeatKind
from armoon.options.option import COMMAND, PAGE, Option, PageId, options_in, options_of
from armoon.values.acts import Feature
from armoon.values.player_settings import Handicap

Own = TypeVar("Own", bound="GameOptions")


@dataclass(frozen=True)
class Traits:
    """What pages and texts have to know of the options of a game."""

    words: Mapping[str, str] = field(default_factory=dict)
    """What its texts call things (``messages.speaking_of``); empty: as usual."""
    usual_first: FirstBy = FirstBy.CHOSEN
    first_note: str = ""
    """What else is to be known about who begins."""
    draws_any: bool = False
    """Players may change what is offered for another that could be drawn."""
    together: bool = False
    trial: str = ""
    """The name of the trial that is played; empty: a game."""


@dataclass(frozen=True)
class GameOptions:
    """The values of one game's options; a game that has none can be played with this."""

    fewest: ClassVar[int] = 1
    most: ClassVar[int] = 6
    has: ClassVar[frozenset[Feature]] = frozenset({Feature.PUT_BACK, Feature.UNDO})
    """What players can ask of it; pages offer nothing else."""
    texts: ClassVar[Path | Mapping[str, Mapping[str, str]]] = {}
    """The game's own texts: by language, then by key, or a folder with a file for each language."""

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        return options_of(cls)

    @final
    @classmethod
    def of(cls: type[Own], values: Mapping[str, Any]) -> Own:
        """Return options with these values; a field that is a dataclass takes those of its own fields."""
        own = dict(values)
        parts: dict[str, Any] = {one.name: one.default for one in fields(cls) if is_dataclass(one.default)}
        for name, part in parts.items():
            inner = {one.name: own.pop(one.name) for one in fields(part) if one.name in own}
            own[name] = replace(own.get(name, part), **inner)
        return cls(**own)

    @final
    def values(self) -> dict[str, Any]:
        held = (self, *(value for one in fields(self) if is_dataclass(value := getattr(self, one.name))))
        found = {one.name: getattr(part, one.name) for part in held for one in fields(part)}
        return {one.name: found[one.name] for one in self.options()}

    @final
    def having(self: Own, **values: Any) -> Own:
        return self.of({**self.values(), **values})

    def check(self, names: Sequence[str]) -> None:
        """Raise ValueError where these players can't play with these options."""
        if not self.fewest <= len(names) <= self.most:
            raise ValueError(text("option.party", least=self.fewest, most=self.most, count=len(names)))

    @property
    def traits(self) -> Traits:
        return Traits()

    def settled(self: Own, asked: Mapping[str, Any]) -> Own:
        """Return these options of the settings, with the command line's values over them."""
        return self.having(**asked)

    def fitting(self: Own, players: int) -> Own:
        return self

    def with_others(self: Own) -> Own:
        """Return these options of one player alone for a game with others elsewhere."""
        return self

    def handicapped(self: Own, handicaps: Sequence[Handicap]) -> Own:
        """Return these options with the seats' handicaps, unless they already have some."""
        return self

    # Bots ---------------------------------------------------------------------------------------------------

    @final
    @classmethod
    def bot_kinds(cls) -> SeatKind:
        kinds = (one.kind for one in cls.options() if one.name == "bots")
        return next((kind for kind in kinds if isinstance(kind, SeatKind)), NO_BOTS)

    @final
    @property
    def played_by(self) -> tuple[str | None, ...]:
        return tuple(getattr(self, "bots", ()))

    @final
    def seated(self: Own, words: Sequence[str | None]) -> Own:
        if not self.bot_kinds().words:
            return self
        return self.having(bots=tuple(words) if any(words) else ())

    @final
    def party(self, usual: Sequence[str]) -> tuple[str, ...]:
        """Return the default players: the usual party, or as many of it as bots leave seats, and the bots."""
        if not self.played_by:
            return tuple(usual)[: 1 if self.traits.trial else None]
        people, names = iter(usual), list[str]()
        for word in self.played_by:
            wanted = self.bot_kinds().name(word) if word is not None else next(people, f"{len(names) + 1}")
            names.append(wanted if wanted not in names else f"{wanted} {len(names) + 1}")
        return tuple(names)[: 1 if self.traits.trial else None]

    # On the pages -------------------------------------------------------------------------------------------

    def offered(self, option: Option, players: int) -> tuple[Any, ...]:
        return option.offers

    def live(self, option: Option, players: int) -> bool:
        return True

    def said(self, option: Option, players: int) -> str:
        return option.value_text(self.values()[option.name])

    def about(self) -> tuple[str, ...]:
        return ()

    @final
    @classmethod
    def on(cls, page: PageId) -> tuple[Option, ...]:
        return tuple(one for one in options_in(cls.options(), PAGE) if one.page is page)

    @final
    def reset(self: Own) -> Own:
        usual = type(self)().values()
        return self.having(**{one.name: usual[one.name] for one in self.on(PageId.HOUSE)})


def on_command(own: type[GameOptions]) -> tuple[Option, ...]:
    return options_in(own.options(), COMMAND)
