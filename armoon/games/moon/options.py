"""The options of a moon game: edition, slots, house options and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from armoon.games.moon import editions
from armoon.games.moon.bot_protocol import BotLevel
from armoon.games.moon.editions import Task
from armoon.games.moon.rules import create_state
from armoon.games.moon.trials import TrialKind
from armoon.games.options import GameOptions
from armoon.games.shared import FirstBy
from armoon.messages import number, text
from armoon.options.kinds import (
    MAX_PLAYERS,
    EnumValue,
    Handicaps,
    Kind,
    Number,
    SeatKind,
    YesNo,
    check_program,
)
from armoon.options.option import COMMAND, FILE, SAVE, Option, OptionScope, PageId, make_option, read
from armoon.values.acts import Feature
from armoon.values.choices import OneHand, Slots
from armoon.values.player_settings import NO_HANDICAP, Handicap
from armoon.values.text import short_repr

_DEFAULTS = editions.Options()
#: Default bots of a headless game.
DEFAULT_BOTS = (BotLevel.NOVA.value, BotLevel.PIP.value)
_SECONDS = Number(1.0, unit="s")
_COUNT = Number(1, whole=True)
_SCOPES = (FILE, COMMAND, SAVE)


def _make_option(
    name: str, kind: Kind, *scopes: OptionScope, page: PageId | None = PageId.HOUSE, **kwargs: Any
) -> Option:
    return make_option(name, kind, getattr(_DEFAULTS, name), *(scopes or _SCOPES), page=page, **kwargs)


EDITION = make_option(
    "edition", EnumValue(editions.EditionName), editions.EditionName.BOMBYX_2017, *_SCOPES, page=PageId.GAME
)
SLOTS = make_option("slots", EnumValue(Slots), Slots.FACING, *_SCOPES, page=PageId.GAME)
MODE = _make_option(
    "mode",
    EnumValue(editions.Mode),
    COMMAND,
    SAVE,
    flag="--together",
    switch=editions.Mode.COOPERATIVE,
    page=PageId.GAME,
)
HOUSE = (
    _make_option("one_hand", EnumValue(OneHand)),
    _make_option(
        "turn_limit_s", _SECONDS, flag="--turn-limit", steps=(None, 30.0, 45.0, 60.0, 90.0, 120.0, 180.0)
    ),
    _make_option("on_timeout", EnumValue(editions.OnTimeout)),
    _make_option("timeout_grace_s", _SECONDS, flag="--timeout-grace", steps=(5.0, 10.0, 20.0)),
    _make_option("young_climbers", YesNo(), flag="--young"),
    _make_option("no_hints", YesNo()),
    _make_option("tears", _COUNT, steps=(None, 3, 5, 7, 9, 12)),
    _make_option("two_player_limit", _COUNT, steps=(None, 2, 3, 4, 5, 7)),
    _make_option("supply_size", _COUNT, flag="--supply", steps=(None, 6, 10, 14, 20)),
    _make_option(
        "line_m", Number(0.05, 0.60, "m"), flag="--line", steps=(0.10, 0.15, 0.20, 0.25, 0.30, 0.40)
    ),
    _make_option("auto_roll_s", _SECONDS, flag="--auto-roll", steps=(None, 2.5, 5.0, 10.0)),
    _make_option("die", EnumValue(editions.DieSource), flag="--real-die", switch=editions.DieSource.REAL),
    _make_option(
        "draw_from",
        EnumValue(editions.DrawFrom),
        flag="--draw-any",
        switch=editions.DrawFrom.ALL,
        page=PageId.GAME,
    ),
    _make_option("practice", YesNo(), SAVE, page=None),
    _make_option("handicaps", Handicaps(), COMMAND, SAVE, page=None),
    _make_option("trial", TrialKind(), COMMAND, SAVE, page=None),
)
BOTS = make_option("bots", SeatKind(BotLevel, "bots.name", "bots.about", programs=True), (), COMMAND, SAVE)
#: Entry in the table's list of bots for a person who types; saved games record None, as for any person.
TYPED = "typed"
_OPTIONS = (EDITION, MODE, SLOTS, *HOUSE, BOTS, make_option("no_camera", YesNo(), False, COMMAND))
_HOUSE_NAMES = tuple(field.name for field in fields(editions.Options))


@dataclass(frozen=True)
class MoonOptions(GameOptions):
    """The options of one moon game."""

    min_players: ClassVar[int] = 1
    """A single player plays the co-operative game (ruling C5)."""
    max_players: ClassVar[int] = MAX_PLAYERS
    has: ClassVar[frozenset[Feature]] = frozenset(Feature) - {Feature.CHOOSE}

    edition: editions.EditionName = editions.EditionName.BOMBYX_2017
    slots: Slots = Slots.FACING
    house: editions.Options = _DEFAULTS
    bots: tuple[str | None, ...] = ()
    """Bots by seat; None, or no entry, for a person."""
    no_camera: bool = False
    """Whether the game runs as text: bots play, and people type the places of their ladders."""
    figure: str = ""
    """Figure with which practice starts, except its last ladder; empty: practice starts without a structure."""

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        return _OPTIONS

    @property
    def edition_rules(self) -> editions.Edition:
        return editions.EDITIONS[self.edition]

    def with_command_line(self, values: Mapping[str, Any]) -> MoonOptions:
        if isinstance(values.get("trial"), Task):
            return self.with_trial(values["trial"]).with_values(**values)
        is_team = values.get("mode") is editions.Mode.COOPERATIVE
        defaults = {"edition": editions.EditionName.KOSMOS_2022} if is_team else {}
        return self.with_values(**{**defaults, **values})

    def fit_players(self, players: int) -> MoonOptions:
        """Return the nearest options, in edition, mode and handicaps, that suit this number of players."""
        if self.house.trial is not None:
            return self
        is_fitting = len(self.house.handicaps) in (0, players)
        options = self if is_fitting else self.with_values(handicaps=())
        for option in (EDITION, MODE):
            offered = options.list_offered_values(option, players)
            if players and options.collect_values()[option.name] not in offered:
                options = options.with_values(**{option.name: offered[0]})
        return options

    def with_remote_players(self) -> MoonOptions:
        return self.with_values(mode=editions.Mode.COMPETITIVE)

    def with_trial(self, task: Task) -> MoonOptions:
        house = replace(
            editions.make_trial_options(task),
            one_hand=self.house.one_hand,
            auto_roll_s=self.house.auto_roll_s,
        )
        return MoonOptions(house=house, no_camera=self.no_camera)

    @property
    def trial(self) -> str:
        return "" if self.house.trial is None else self.house.trial.name

    def check_players(self, names: Sequence[str]) -> None:
        """Raise ValueError if these players can't use these options, ArmoonError if a bot's program is missing."""
        if self.trial and self.no_camera:
            raise ValueError(text("setup.trial_typed"))
        if len(self.bots) not in (0, len(names)):
            raise ValueError(text("bots.party", count=len(self.bots), players=len(names)))
        if len(self.house.handicaps) not in (0, len(names)):
            raise ValueError(text("handicap.party", count=len(self.house.handicaps), players=len(names)))
        for bot in self.bots:
            if bot is not None and bot not in self.bot_kinds().words:
                check_program(bot)
        for option in (EDITION, SLOTS) if self.trial else ():
            if self.collect_values()[option.name] != option.default:
                raise ValueError(text("option.of_trial", flag=option.spelling))
        try:
            create_state(tuple(names), self.edition, options=self.house)
        except editions.IllegalSetup as error:
            if error.fault is None:
                raise
            name, least = text(f"option.edition.word.{self.edition}"), self.edition_rules.min_players
            most = self.edition_rules.max_players
            message = text(f"setup.{error.fault.value}", edition=name, least=least, most=most)
            raise ValueError(message) from error

    def with_handicaps(self, handicaps: Sequence[Handicap]) -> MoonOptions:
        if self.trial:
            return self  # the same for all players (ruling P1)
        if self.house.handicaps or all(handicap == NO_HANDICAP for handicap in handicaps):
            return self
        return self.with_values(handicaps=tuple(handicaps))

    @property
    def together(self) -> bool:
        return self.house.mode is editions.Mode.COOPERATIVE

    @property
    def terms(self) -> Mapping[str, str]:
        return self.edition_rules.terms

    @property
    def default_first_by(self) -> FirstBy:
        return self.edition_rules.first_player

    @property
    def draws_any(self) -> bool:
        return self.house.draw_from is editions.DrawFrom.ALL

    # On the pages -------------------------------------------------------------------------------------------

    def list_offered_values(self, option: Option, players: int) -> tuple[Any, ...]:
        if option is EDITION:
            known = editions.EDITIONS.values()
            return tuple(rules.name for rules in known if rules.min_players <= players <= rules.max_players)
        if option is MODE:
            if players == 1:
                return (editions.Mode.COOPERATIVE,)
            has_team_game = self.edition_rules.cooperative_tears is not None
            return tuple(editions.Mode) if has_team_game else (editions.Mode.COMPETITIVE,)
        return super().list_offered_values(option, players)

    def is_changeable(self, option: Option, players: int) -> bool:
        has_limit = self.house.turn_limit_s is not None
        match option.name:
            case "on_timeout":
                return has_limit
            case "timeout_grace_s":
                return has_limit and self.house.on_timeout is editions.OnTimeout.MISTAKE
            case "two_player_limit":
                return players == 2 and not self.together
            case "auto_roll_s":
                return not self.together  # a team needs time to score (C2)
            case "line_m":
                return self.together
        return True

    def describe_value(self, option: Option, players: int) -> str:
        value = self.collect_values()[option.name]
        if option is MODE and players == 1:
            return text("option.mode.solo")
        if value is None and option.name in ("tears", "two_player_limit"):
            get_default = self.house.get_tears if option.name == "tears" else self.house.get_tear_limit
            default = get_default(self.edition_rules)
            return text(f"option.{option.name}.none", number=default)
        if option.name == "line_m":
            return text("option.line_m.value", value=number(100.0 * value, 0))
        return option.format_value(value)

    def describe_rules(self) -> tuple[str, ...]:
        return (
            text("screens.edition.tears", count=self.house.get_tears(self.edition_rules)),
            text(
                "screens.edition.aim_together"
                if self.together
                else "screens.edition.last_tear_out"
                if self.edition_rules.last_tear_eliminates
                else "screens.edition.last_tear_counts"
            ),
        )


OwnOptions = MoonOptions


def read_house_options(values: Mapping[str, Any]) -> editions.Options:
    """Return the house options in a log or save. Raises ValueError."""
    described = {option.name: option for option in _OPTIONS}
    if not isinstance(values, Mapping) or not set(values) <= set(_HOUSE_NAMES):
        raise ValueError(f"not house options: {short_repr(values)}")
    return editions.Options(**{name: read(described[name], value) for name, value in values.items()})
