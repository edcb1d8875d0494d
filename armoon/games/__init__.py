"""The registry of games. A new game needs a package with a ``GameKind`` and a line in ``GAMES``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from armoon.messages import add_texts, text

if TYPE_CHECKING:
    from armoon.games.options import GameOptions

#: Maps a game's name, as used on the command line, in logs and in saved games, to the module with its ``KIND``.
GAMES: dict[str, str] = {"moon": "armoon.games.moon.kind", "lake": "armoon.games.lake.kind"}


def game_names() -> tuple[str, ...]:
    return tuple(GAMES)


def game_options(name: str) -> type[GameOptions]:
    """Return the game's class of options, without slow imports. Raises KeyError for an unknown game."""
    package, _, last = GAMES[name].rpartition(".")
    module = import_module(f"{package}.options" if last == "kind" else GAMES[name])
    options_type: type[GameOptions] = module.OwnOptions
    add_texts(options_type.texts)
    return options_type


def title_of(name: str) -> str:
    game_options(name)  # registers the game's own texts
    return text(f"screens.game.{name}")
