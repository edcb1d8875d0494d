"""Commands for players' profiles: list, show, set."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

from rich.table import Table
from rich.text import Text

from armoon.cli.commands import argument, command
from armoon.cli.common import announce_games_folder, parse_name, parse_value, print_table, say
from armoon.errors import SettingsError
from armoon.games.shared import COLOUR_NAMES, SEAT_COLOURS
from armoon.messages import centimetres, describe_handicap, text
from armoon.options.kinds import EnumValue, Handicaps, OneOf
from armoon.saves.profiles import Profile, change_profile, load_profiles
from armoon.sinks.feed import create_console
from armoon.values.choices import HandPreference
from armoon.values.text import short_repr

NAME = argument("name", metavar="NAME")


@command()
def list_all() -> int:
    profiles = _load_profiles()
    if profiles:
        _print_profiles(profiles)
    else:
        say(text("players.none"))
    return 0


@command(NAME)
def show(name: str) -> int:
    named = tuple(profile for profile in _load_profiles() if profile.name == name)
    if not named:
        raise SettingsError("fault.settings.no_player", name=short_repr(name))
    _print_profiles(named)
    return 0


def _load_profiles() -> tuple[Profile, ...]:
    profiles = load_profiles(announce_games_folder())
    if profiles.trouble:
        say(profiles.trouble, err=True)
    return profiles.profiles


@command(
    NAME,
    argument("--colour", kind=OneOf(lambda: COLOUR_NAMES)),
    argument("--hand", kind=EnumValue(HandPreference)),
    argument("--born", metavar="YYYY-MM-DD|none"),
    argument("--full-moon", metavar="YYYY-MM-DD|none"),
    argument("--handicap", metavar="spared:N+hints:N+helps:all|-"),
)
def change(
    name: str,
    colour: str | None,
    hand: HandPreference | None,
    born: str | None,
    full_moon: str | None,
    handicap: str | None,
) -> int:
    name = parse_value("NAME", name, parse_name, "name")
    changes: dict[str, Any] = {}
    if colour is not None:
        changes["colour"] = SEAT_COLOURS[COLOUR_NAMES.index(colour)]
    if hand is not None:
        changes["hand"] = hand
    if born is not None:
        changes["born"] = parse_value("--born", born, parse_day, "day")
    if full_moon is not None:
        changes["full_moon"] = parse_value("--full-moon", full_moon, parse_day, "day")
    if handicap is not None:
        changes["handicap"] = parse_value("--handicap", handicap, Handicaps.parse_one, "handicap")
    error = change_profile(announce_games_folder(), name, lambda profile: replace(profile, **changes))
    if error:
        say(error, err=True)
    say(text("players.saved", player=name))
    return 0


def parse_day(word: str) -> datetime.date | None:
    """Parse a date up to today, or ``none``. Raises ValueError."""
    if word == "none":
        return None
    day = datetime.date.fromisoformat(word)
    if day > datetime.date.today():
        raise ValueError(word)
    return day


def _print_profiles(profiles: tuple[Profile, ...]) -> None:
    unknown = text("players.unknown")
    table = Table()
    for column in ("name", "colour", "hand", "palm", "born", "full_moon", "handicap"):
        table.add_column(text(f"players.column.{column}"), overflow="fold")
    for profile in profiles:
        palm_m = profile.palm_length_m
        cells = (
            profile.name,
            _get_colour_name(profile.colour),
            text(f"screens.hand.{profile.hand.value}"),
            unknown if palm_m is None else centimetres(palm_m),
            unknown if profile.born is None else profile.born.isoformat(),
            unknown if profile.full_moon is None else profile.full_moon.isoformat(),
            describe_handicap(profile.handicap) or unknown,
        )
        table.add_row(*(Text(cell) for cell in cells))
    print_table(create_console(), table)


def _get_colour_name(code: str) -> str:
    return text(f"screens.colour.{COLOUR_NAMES[SEAT_COLOURS.index(code)]}") if code in SEAT_COLOURS else code
