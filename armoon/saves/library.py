"""The folder of saved games: finding one by number, name or path, and names for new ones."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from armoon.codec.wording import quoted
from armoon.saves.errors import NameTakenError, SaveError
from armoon.saves.game_file import GameFile
from armoon.values.numbers import count_in

SUFFIX = ".armoon"
#: Begins the names of games that were shown: by a demo player, or without a window.
SHOWN = "shown-"

Begun = TypeVar("Begun")


def begin_named(folder: Path, begun: datetime, game: str, begin: Callable[[Path], Begun]) -> Begun:
    """Return a new game under the first unused name; another program may begin one in the same second.

    ``begin`` raises NameTakenError for a used name.
    """
    stem = f"{game}-{begun:%Y%m%d-%H%M%S}"
    for number in itertools.count(1):
        with suppress(NameTakenError):
            return begin(folder / (f"{stem}{SUFFIX}" if number == 1 else f"{stem}-{number}{SUFFIX}"))
    raise AssertionError("numbers never end")


def game_paths(folder: Path) -> tuple[Path, ...]:
    """Return the saved games in a folder, the one played last first. Raises SaveError."""
    try:
        dated = [(changed_ns(path), path.name, path) for path in folder.glob(f"*{SUFFIX}")]
    except OSError as error:
        raise SaveError(
            f"The folder of saved games {folder} can't be read ({error.strerror}).",
            remedy="Give yourself the right to read it.",
        ) from error
    return tuple(path for _, _, path in sorted(dated, reverse=True))


def changed_ns(path: Path) -> int:
    """When a file was written last; 0 for a link that leads nowhere, which is missed when it is opened."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def find_game(folder: Path, which: str) -> Path:
    """Return the game of a number in the list, of a name or the beginning of one, or of a path. Raises SaveError."""
    paths = game_paths(folder)
    number = count_in(which) or 0
    if 1 <= number <= len(paths):
        return paths[number - 1]
    if os.path.isfile(which):  # any text may be asked for, also one that no path can be
        return Path(which)
    named = [path for path in paths if which in (path.name, path.stem)]
    found = named or [path for path in paths if which and path.name.startswith(which)]
    if len(found) == 1:
        return found[0]
    name = quoted(repr(which))
    problem = f"{len(found)} saved games begin with {name}" if found else f"There is no saved game {name}"
    raise SaveError(f"{problem} in {folder}.", remedy="`armoon games list` shows numbers and names.")


def game_of(folder: Path, which: str) -> str:
    """Which game it is; it may be one that this program doesn't know. Raises SaveError."""
    return GameFile.open(find_game(folder, which)).game
