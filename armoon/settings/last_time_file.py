"""The last game's choices, so that one press begins the next; a file of the program, like the preferences.

An unreadable file counts as missing, and so does a value unknown to this program: the default is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from armoon.games import game_names, game_options
from armoon.games.options import GameOptions
from armoon.games.shared.seating import FirstBy
from armoon.options.option import PAGE, WrongValue, at, read
from armoon.options.seat_kinds import Names
from armoon.settings.options import settings_path
from armoon.settings.preferences_file import read_own, write_own
from armoon.values.choices import SeatName

FILE_NAME = "last-time.json"


@dataclass(frozen=True)
class LastTime:
    """The settings of the game begun last; what is None was never settled."""

    game: str | None = None
    players: tuple[str, ...] | None = None
    seat: SeatName | None = None
    way: FirstBy | None = None
    """How the first player was found."""
    chosen: int = 0
    """The first player's seat, where the players named one."""
    games: Mapping[str, GameOptions] = field(default_factory=dict, hash=False)
    """What single games were played with."""
    bots: tuple[str | None, ...] = ()
    """By seat, which bot played; None, or nothing, where a person did."""
    camera: str = ""
    """How it was played without a webcam: no camera, or the demo; empty: that was never chosen."""


def last_time_path() -> Path:
    """Where it is kept."""
    return settings_path().with_name(FILE_NAME)


def load_last_time(path: Path | None = None) -> LastTime:
    """Read the kept values as far as they make sense."""
    kept = read_own(path or last_time_path())
    game, chosen, games = kept.get("game"), kept.get("chosen"), kept.get("games")
    return LastTime(
        game if isinstance(game, str) and game in game_names() else None,
        _tried(lambda: Names().read(kept["players"])),
        _tried(lambda: SeatName(kept["seat"])),
        _tried(lambda: FirstBy(kept["way"])),
        chosen if isinstance(chosen, int) and chosen >= 0 else 0,
        {
            name: _options(name, games[name])
            for name in game_names()
            if isinstance(games, dict) and isinstance(games.get(name), dict)
        },
        bots=_words(kept.get("bots")),
        camera=kept["camera"] if kept.get("camera") in ("none", "demo") else "",
    )


def save_last_time(last: LastTime, path: Path | None = None) -> None:
    """Keep it; where nothing can be written, it is forgotten."""
    plain = {
        "game": last.game,
        "players": last.players,
        "seat": last.seat,
        "way": last.way,
        "chosen": last.chosen,
        "bots": last.bots,
        "camera": last.camera,
        "games": {
            name: {one.name: own.values()[one.name] for one in at(own.options(), PAGE)}
            for name, own in last.games.items()
        },
    }
    write_own(path or last_time_path(), plain)


def _options(game: str, kept: Mapping[str, Any]) -> GameOptions:
    """Return that game's readable options on the pages."""
    own = game_options(game)
    values: dict[str, Any] = {}
    for option in at(own.options(), PAGE):
        if option.name in kept:
            with suppress(WrongValue):
                values[option.name] = read(option, kept[option.name])
    return own.of(values)


def _words(kept: object) -> tuple[str | None, ...]:
    """By seat a word, or None."""
    return (
        tuple(word if isinstance(word, str) and word else None for word in kept)
        if isinstance(kept, list)
        else ()
    )


def _tried(read_one: Any) -> Any:
    """Return the value, or None where there is none that can be read."""
    try:
        return read_one()
    except (KeyError, TypeError, ValueError):
        return None
