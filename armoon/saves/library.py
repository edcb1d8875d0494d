"""The folder of saved games: what lies there, newest first, and finding one by number, name or path."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from armoon.games.lake.options import LakeOptions
from armoon.games.lake.rules.codec import move_from_plain as lake_move
from armoon.games.lake.rules.codec import setup_from_plain as lake_from_plain
from armoon.games.lake.rules.game import replay as replay_lake
from armoon.games.lake.rules.values import IllegalMove as IllegalLakeMove
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.editions import EditionName
from armoon.games.moon.rules.state import State
from armoon.games.moon.saving import GAME, resume_point, state_of
from armoon.games.options import GameOptions
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile, SavedGame

SUFFIX = ".armoon"


#: Among so many games, those played last, the one to go on with is looked for: reading hundreds takes seconds.
RECENT = 8


@dataclass(frozen=True)
class Unfinished:
    """A game that can go on."""

    path: Path
    game: str
    players: tuple[str, ...]
    options: GameOptions
    """What that game is played with."""


@dataclass(frozen=True)
class Entry:
    """One line of the list."""

    number: int
    """1 is the game played last."""
    path: Path
    saved: SavedGame | None
    """None where it can't be read."""
    state: State | None
    """The moon game's position; None for another game."""
    trouble: str
    """What is lost, or why it can't be read; empty if all is well."""


def new_game_path(folder: Path, begun: datetime, game: str = "moon") -> Path:
    """A name that no game in the folder has yet."""
    stem = f"{game}-{begun:%Y%m%d-%H%M%S}"
    path = folder / f"{stem}{SUFFIX}"
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}{SUFFIX}"
        number += 1
    return path


def game_paths(folder: Path) -> tuple[Path, ...]:
    """The saved games in a folder, the one played last first. Raises SaveError."""
    try:
        dated = [(path.stat().st_mtime_ns, path.name, path) for path in folder.glob(f"*{SUFFIX}")]
    except OSError as error:
        raise SaveError(
            f"The folder of saved games {folder} can't be read ({error.strerror}).",
            remedy="Give yourself the right to read it.",
        ) from error
    return tuple(path for _, _, path in sorted(dated, reverse=True))


def list_games(folder: Path) -> tuple[Entry, ...]:
    """Every saved game, the unreadable ones too. Raises SaveError if the folder can't be read."""
    return tuple(_entry(number, path) for number, path in enumerate(game_paths(folder), start=1))


def last_unfinished(folder: Path) -> Unfinished | None:
    """Of the games played last the latest that isn't over, was begun in earnest and can be read."""
    for path in game_paths(folder)[:RECENT]:
        try:
            found = _unfinished(GameFile.open(path))
        except (SaveError, IllegalLakeMove, KeyError, TypeError, ValueError):
            continue  # `armoon games list` says what is wrong with it
        if found is not None:
            return found
    return None


def _unfinished(saved: SavedGame) -> Unfinished | None:
    if not saved.moves:
        return None
    if saved.game == GAME:
        moon = resume_point(saved).state
        options = MoonOptions(EditionName(moon.edition_name), house=moon.options)
        going_on = Unfinished(saved.path, GAME, moon.players, options)
        return None if moon.over else going_on
    first = lake_from_plain(saved.header)
    lake = replay_lake(first, [lake_move(plain) for plain in saved.moves])
    return None if lake.over else Unfinished(saved.path, saved.game, lake.players, LakeOptions())


def find_game(folder: Path, which: str) -> Path:
    """The game of a number in the list, of a name or the beginning of one, or of a path. Raises SaveError."""
    paths = game_paths(folder)
    if which.isdecimal() and 1 <= int(which) <= len(paths):
        return paths[int(which) - 1]
    if Path(which).is_file():
        return Path(which)
    named = [path for path in paths if which in (path.name, path.stem)]
    found = named or [path for path in paths if which and path.name.startswith(which)]
    if len(found) == 1:
        return found[0]
    problem = (
        f"{len(found)} saved games begin with {which!r}" if found else f"There is no saved game {which!r}"
    )
    raise SaveError(f"{problem} in {folder}.", remedy="`armoon games list` shows numbers and names.")


def game_of(folder: Path, which: str) -> str:
    """``"moon"``, ``"lake"``, or a word that this program doesn't know. Raises SaveError."""
    return GameFile.open(find_game(folder, which)).game


def _entry(number: int, path: Path) -> Entry:
    try:
        saved = GameFile.open(path)
    except SaveError as error:
        return Entry(number, path, None, None, str(error))
    try:
        state = state_of(saved) if saved.game == GAME else None
    except SaveError as error:
        return Entry(number, path, saved, None, str(error))
    return Entry(number, path, saved, state, saved.damage)
