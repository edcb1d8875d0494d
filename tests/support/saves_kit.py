"""A full disk, and a table without physics for tests of saves: random moves, ladders at random poses.

The table depends only on its seeds, so a test knows the state of a killed child process.
"""

from __future__ import annotations

import errno
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from armoon.codec.files import GrowingFile
from armoon.games.moon.editions import Die, IllegalMove, Mode, Options, Phase, make_trial_options
from armoon.games.moon.referee import Places
from armoon.games.moon.rules import apply_move, create_state
from armoon.games.moon.saving import GAME, MoonRecorder, MoonSetup, Snapshot, make_zero_counts
from armoon.games.moon.trials import find_task
from armoon.games.moon.turn import (
    OVERRULINGS,
    Draw,
    GiveUp,
    LetGo,
    Move,
    Overrule,
    Rest,
    Roll,
    Settle,
    State,
    Take,
)
from armoon.saves.game_file import GameFile, SavedGame
from armoon.values.acts import Act
from armoon.values.poses import Pose
from support.moon_invariants import list_sample_moves

START_TIME = "2026-05-04T20:15:30"
PROGRAM = "0.0.1"
NAMES = ("Ana", "Ben", "Cleo")


def new_game(seed: int, *, ladders: int | None = None) -> State:
    if seed % 3 == 0:
        options = Options(mode=Mode.COOPERATIVE, supply_size=ladders)
        return create_state(NAMES[:2], "kosmos-2022", seed, options)
    return create_state(NAMES, "bombyx-2017", seed, Options(supply_size=ladders))


def make_moon_setup(first: State) -> MoonSetup:
    """Return the set-up that begins in this state, with all placed ladders at the same pose."""
    places = {piece: Pose((0.0, 0.0, 0.2)).row for piece in first.placed}
    standing = Snapshot(1, at_rest=True, places=places, figures=(), counts=make_zero_counts(first.players))
    return MoonSetup(
        first.seed,
        first.edition_name,
        first.players,
        None,
        options=first.options,
        first_player=first.player,
        starting=first.starting,
        supply=first.supply,
        placed=first.placed,
        snapshots=(standing,) if first.placed and first.options.trial is None else (),
    )


def begin_save(path: Path, first: State, program: str = PROGRAM) -> MoonRecorder:
    setup = make_moon_setup(first)
    file = GameFile.create(path, setup.to_record(), game=GAME, begun=START_TIME, program=program)
    return MoonRecorder(file, setup)


def save_trial(path: Path, name: str, player: str, honoured: int) -> None:
    task = find_task(name)
    first = create_state((player,), "bombyx-2017", 1, make_trial_options(task))
    recorder = begin_save(path, first)
    for turn, piece in enumerate(task.deal):
        face = recorder.state.fixed_face
        assert face is not None
        touched = recorder.state.starting[: 2 if face is Die.TWO else 1]
        placing = (Take(), LetGo(), Settle(touched, 0.2, touched[0], 0.124))
        resting = (Rest(),) if turn > honoured else ()
        moves = (*resting, Roll(face), Draw(piece), *(placing if turn < honoured else (GiveUp(),)))
        standing = [(n, Pose((0.0, 0.0, 0.2))) for n in (*recorder.state.placed, piece)]
        recorder.write_moves(moves, tuple(standing), at_rest=True)
    recorder.file.close()


class PretendTable:
    """Plays a game with random moves; ``state``, ``standing`` and ``resumable`` are up to date after each batch."""

    def __init__(self, state: State, seed: str) -> None:
        self.state = state
        self.poses: dict[str, Pose] = {}
        self.resumable: Places = ()
        """Expected poses of the ladders if the game were interrupted now."""
        self.places: dict[int, Places] = {}
        self._chance = random.Random(seed)

    @property
    def standing(self) -> Places:
        return tuple(self.poses.items())

    def batches(self) -> Iterator[tuple[Move, ...]]:
        while not self.state.over:
            moves = self._next()
            for move in moves:
                self.state = apply_move(self.state, move)
            self.record_poses(moves[-1])
            yield moves

    def record_poses(self, last: Move) -> None:
        for piece in self.state.placed:
            x, y, z, angle = (self._chance.uniform(-0.2, 0.2) for _ in range(4))
            self.poses[piece] = Pose((x, y, z), (0.0, 0.0, angle, 1.0 / 3.0))
        if isinstance(last, Overrule) and last.kind is Act.UNDO:
            self.resumable = self.places[self.state.turn]
        elif self.state.phase in (Phase.ROLL, Phase.OVER) or (
            self.state.die is not None and isinstance(last, Draw)
        ):
            self.resumable = tuple((piece, self.poses[piece]) for piece in self.state.placed)
            self.places[self.state.turn] = self.resumable

    def _next(self) -> tuple[Move, ...]:
        """Return the next moves: sometimes an overruling by the host, else usually the first possible move.

        The first possible moves build a structure. A draw follows each roll in the same batch, as from the referee.
        """
        if self._chance.random() < 0.05:
            kind = self._chance.choice(OVERRULINGS)
            overruling = Overrule(kind, player=self._chance.randrange(len(self.state.players)), note="é, [b]")
            try:
                apply_move(self.state, overruling)
            except IllegalMove:
                pass
            else:
                return (overruling,)
        possible = list(list_sample_moves(self.state))
        move = possible[0] if self._chance.random() < 0.9 else self._chance.choice(possible)
        if isinstance(move, Roll):
            return (move, Draw(apply_move(self.state, move).supply[0]))
        return (move,)


def play_game(path: Path, seed: int, *, ladders: int | None = 6, events: int | None = None) -> PretendTable:
    """Play a game to its end or for ``events`` events, and save it to a new file; close the file at the game's end."""
    first = new_game(seed, ladders=ladders)
    recorder = begin_save(path, first)
    table = PretendTable(first, f"{seed}")
    for number, moves in enumerate(table.batches()):
        recorder.write_moves(moves, table.standing, at_rest=True)
        if number + 1 == events:
            return table
    recorder.file.close()
    return table


def open_save(path: object) -> SavedGame:
    return GameFile.read_saved(path)  # type: ignore[arg-type]


class FullDisk:
    def __init__(self, growing: GrowingFile, room_bytes: int = 0) -> None:
        self._file: Any = growing._file
        self.room_bytes = room_bytes
        growing._file = self  # type: ignore[assignment]

    def write(self, content: bytes) -> int:
        if not self.room_bytes:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = int(self._file.write(content[: self.room_bytes]))
        self.room_bytes -= written
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
