"""The saved games in a folder, whichever game they are of: what they hold in a line, and which can go on."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armoon.codec.whole import held
from armoon.games import GAMES
from armoon.games.contract.kind import GameKind, Summary, kind_of
from armoon.games.options import GameOptions
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.library import SHOWN, changed_ns, game_paths
from armoon.values.drawing import Drawing

#: Number of recent games among which those to continue are looked for: reading hundreds takes seconds.
RECENT = 8
#: Maximum number of unfinished games that one page offers.
MOST_OFFERED = 6


@dataclass(frozen=True)
class Unfinished:
    """A game that can go on."""

    path: Path
    game: str
    players: tuple[str, ...]
    options: GameOptions
    """What it is played with."""
    turn: int
    """The turn under way."""
    played: datetime.date
    """The day on which it was played last."""
    drawing: Drawing | None = None
    """What stands in it."""


@dataclass(frozen=True)
class Entry:
    """One line of the list."""

    number: int
    """1 is the game played last."""
    path: Path
    saved: SavedGame | None
    """None where it can't be read."""
    summary: Summary | None
    """None for a game that this program doesn't know, or can't read."""
    trouble: str
    """What is lost, or why it can't be read; empty if all is well."""


def list_games(folder: Path) -> tuple[Entry, ...]:
    """Every saved game, the unreadable ones too. Raises SaveError if the folder can't be read."""
    return tuple(_entry(number, path) for number, path in enumerate(game_paths(folder), start=1))


def unfinished(folder: Path) -> tuple[Unfinished, ...]:
    """Return the recent games that aren't over, have a move, can be read and aren't being played, the last first.

    What a demo player plays, or is played without a window, is nobody's to go on with. Raises SaveError if the
    folder can't be read.
    """
    found: list[Unfinished] = []
    played = [path for path in game_paths(folder) if not path.name.startswith(SHOWN)]
    for path in played[:RECENT]:
        try:
            saved = GameFile.open(path)
            kind = kind_of_saved(saved)
            summary = kind.saves.summary(saved) if saved.moves else None
        except SaveError:
            continue  # `armoon games list` says what is wrong with it
        if summary is not None and not summary.over and not _played_elsewhere(path):
            day = datetime.date.fromtimestamp(changed_ns(path) / 1e9)
            game = (path, saved.game, summary.players, summary.options, summary.turn)
            found.append(Unfinished(*game, day, _drawing(kind, saved)))
            if len(found) == MOST_OFFERED:
                break
    return tuple(found)


def _drawing(kind: GameKind[Any], saved: SavedGame) -> Drawing | None:
    try:
        return kind.drawing(saved)
    except SaveError:
        return None


def _played_elsewhere(path: Path) -> bool:
    """Whether a window or terminal plays this game now; its lock ends with it, however it ends."""
    try:
        return held(path)
    except OSError:
        return False


def kind_of_saved(saved: SavedGame) -> GameKind[Any]:
    """Return the game that a file is of. Raises SaveError where this program has no such game."""
    if saved.game not in GAMES:
        raise SaveError(
            f"The saved game {saved.path} is of the game {saved.game!r}, which this program doesn't have.",
            remedy="Open it with the program that wrote it.",
        )
    return kind_of(saved.game)


def _entry(number: int, path: Path) -> Entry:
    try:
        saved = GameFile.open(path)
    except SaveError as error:
        return Entry(number, path, None, None, str(error))
    if saved.game not in GAMES:
        return Entry(number, path, saved, None, saved.damage)
    try:
        return Entry(number, path, saved, kind_of(saved.game).saves.summary(saved), saved.damage)
    except SaveError as error:
        return Entry(number, path, saved, None, str(error))
