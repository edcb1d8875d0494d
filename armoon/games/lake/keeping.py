"""Keeping a lake game: its moves are the whole of it, so they are written as they are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from armoon import __version__
from armoon.engine.intake import Outturn
from armoon.errors import ArmoonError
from armoon.games.lake.rules.codec import move_from_plain, move_to_plain, setup_from_plain, setup_to_plain
from armoon.games.lake.rules.game import replay
from armoon.games.lake.rules.moves import Move
from armoon.games.lake.rules.values import IllegalMove
from armoon.games.lake.table.happenings import LakeOutturn
from armoon.games.lake.table.setup import GAME, LakeSetup
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.library import new_game_path


class LakeKeeper:
    """Writes every move into the saved game."""

    def __init__(self, file: GameFile) -> None:
        self._file = file

    @property
    def path(self) -> Path:
        """The saved game."""
        return self._file.path

    def prepare(self, out: Outturn) -> Callable[[], None] | None:
        """What has to be written of a frame; None where nothing has happened.

        On disk when the call of it returns; it raises SaveError, once, where that can't be done.
        """
        if not isinstance(out, LakeOutturn) or not out.played:
            return None
        moves = [move_to_plain(played.move) for played in out.played]
        return partial(self._file.append, moves, sync=True)

    def close(self) -> None:
        """The program ends in peace; the game may not be over."""
        self._file.close()


def keeper_of_lake(
    setup: LakeSetup, folder: Path, say: Callable[[str], None], resumed: SavedGame | None = None
) -> LakeKeeper | None:
    """A keeper in this folder, or of a game that goes on; None, and said, where nothing can be written."""
    now = datetime.now()
    try:
        if resumed is not None:
            file = GameFile.reopen(resumed, keep=len(resumed.moves))
        else:
            header = {**setup_to_plain(setup.first), "bots": list(setup.bots)}
            begun = now.isoformat(timespec="seconds")
            path = new_game_path(folder, now, GAME)
            file = GameFile.create(path, header, game=GAME, begun=begun, program=__version__)
    except ArmoonError as error:
        say(str(error))
        return None
    return LakeKeeper(file)


def resumed_setup(saved: SavedGame, setup: LakeSetup) -> LakeSetup:
    """The set-up with which a saved game goes on at this seat. Raises SaveError where it can't be used."""
    try:
        if saved.game != GAME:
            raise ValueError(f"the game {saved.game!r}")
        first = setup_from_plain(saved.header)
        bots = tuple(None if bot is None else str(bot) for bot in saved.header["bots"])
        moves = _moves(saved.moves)
        replay(first, moves)
    except (KeyError, TypeError, ValueError, IllegalMove) as error:
        raise SaveError(
            f"The saved game {saved.path} can't be used by this program ({error}).",
            remedy="Resume it with the version of armoon that wrote it.",
        ) from error
    return replace(setup, first=first, bots=bots, moves=moves)


def _moves(plain: Sequence[dict[str, object]]) -> tuple[Move, ...]:
    return tuple(move_from_plain(move) for move in plain)
