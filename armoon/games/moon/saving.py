"""A moon game's setup, as stored in logs and saved games, and the writer of a saved game.

A game resumes at the start of the interrupted turn, or unchanged between turns (``rules.find_resume_state``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from armoon.codec import Variants, convert, encode, name_variants
from armoon.games.moon.editions import IllegalMove, Options, Verdict
from armoon.games.moon.figures import Figures
from armoon.games.moon.options import EDITION, SLOTS, read_house_options
from armoon.games.moon.referee import Places
from armoon.games.moon.rules import TURN_PHASES, apply_move, create_state, find_resume_state, replay_moves
from armoon.games.moon.turn import MOVE_KINDS, Move, Overrule, Roll, State
from armoon.options.option import read_record
from armoon.saves.files import Record, SaveError
from armoon.saves.game_file import GameFile, SavedGame, raising_save_error
from armoon.values.acts import Act
from armoon.values.choices import Slots
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, PoseRow
from armoon.values.text import quote_text, short_repr
from armoon.world.ladders import BOX_SEED

GAME = "moon"
#: Maximum delay of the automatic roll, seconds.
MAX_AUTO_ROLL_S = 1e6
#: Maximum coordinate of a saved pose.
MAX_COORDINATE_M = 1000.0
#: Minimum squared length of a saved quaternion; the maximum is the inverse.
MIN_QUATERNION_NORM2 = 1e-6
#: Codec of moves as JSON values: the kind under ``move``, and the fields. Raises MalformedError, a ValueError.
MOVES = Variants[Move]("move", name_variants(MOVE_KINDS))

#: By seat: hints requested, ladders carried to a chosen place, ladders released with a paper ladder.
SeatCounts = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def make_zero_counts(players: Sequence[str]) -> SeatCounts:
    zeros = (0,) * len(players)
    return zeros, zeros, zeros


@dataclass(frozen=True)
class Snapshot:
    """The structure at the start of a turn, with figures and counts so far. Raises ValueError."""

    turn: int
    at_rest: bool
    """If False, the structure was moving; it is restored as it was at that moment."""
    places: Mapping[PieceId, PoseRow]
    """Poses of the leaning starting ladders and of all placed ones, table frame."""
    figures: tuple[Figures, ...]
    counts: SeatCounts

    def __post_init__(self) -> None:
        seats = len(self.counts[0])
        if any(len(numbers) != seats or min(numbers, default=0) < 0 for numbers in self.counts):
            raise ValueError(
                f"{short_repr(self.counts)} aren't counts of hints and places for {seats} players"
            )
        for record in self.figures:
            if not 0 <= record.player < seats:
                raise ValueError(f"figures for an unknown player in seat {record.player}")
        for piece, (x, y, z, *rotation) in self.places.items():
            norm2 = sum(q * q for q in rotation)
            is_rotation = MIN_QUATERNION_NORM2 < norm2 < 1.0 / MIN_QUATERNION_NORM2
            if max(map(abs, (x, y, z))) > MAX_COORDINATE_M or not is_rotation:
                raise ValueError(f"the pose of {quote_text(piece)} is invalid")

    @property
    def structure(self) -> Places:
        return tuple((piece, Pose.from_row(row)) for piece, row in self.places.items())


@dataclass(frozen=True)
class MoonSetup:
    """Everything about a game that is fixed before the first tick. Raises ValueError."""

    seed: int
    edition: str
    players: tuple[str, ...]
    auto_roll_s: float | None
    """Time at rest after which the die rolls automatically, seconds; None: it rolls only on request."""
    slots: Slots = Slots.FACING
    ladder_seed: int = BOX_SEED
    options: Options = field(default_factory=Options)
    first_player: int = 0
    starting: tuple[PieceId, ...] = ()
    """Ladders in the slots; if empty, the edition's."""
    supply: tuple[PieceId, ...] = ()
    """Ladders in the order in which they are offered; if empty, the edition's, shuffled by the seed."""
    placed: tuple[PieceId, ...] = ()
    moves: tuple[Record, ...] = ()
    """The moves of a resumed game, as ``MOVES`` encodes them."""
    snapshots: tuple[Snapshot, ...] = ()
    """The snapshots of a resumed game, or one of the structure on the table when practice begins."""

    def __post_init__(self) -> None:
        if self.auto_roll_s is not None and not 0.0 <= self.auto_roll_s <= MAX_AUTO_ROLL_S:
            raise ValueError(f"auto_roll_s: {short_repr(self.auto_roll_s)} is out of range")
        if any(len(snapshot.counts[0]) != len(self.players) for snapshot in self.snapshots):
            raise ValueError(f"a snapshot's counts aren't for {len(self.players)} players")

    def to_record(self) -> Record:
        return dict(encode(self))

    @staticmethod
    def from_record(record: Record) -> MoonSetup:
        """Read the fields that ``to_record`` writes, ignoring others. Raises ValueError with the field's name."""
        values = read_record((EDITION, SLOTS), record)
        house = read_house_options(record.get("options", {}))
        setup = convert(MoonSetup, {**record, "options": {}})
        setup = dataclasses.replace(setup, options=house, **values)
        setup.check()
        return setup

    def check(self) -> None:
        """Raise ValueError unless the moves follow the rules and every standing ladder has a pose."""
        try:
            missing = set(self.state.placed) - {piece for piece, _ in self.structure}
        except IllegalMove as error:
            raise ValueError(str(error)) from error
        if missing:
            raise ValueError(f"{min(missing)} stands, but has no pose")

    @cached_property
    def first_state(self) -> State:
        state = create_state(
            self.players,
            self.edition,
            self.seed,
            self.options,
            first_player=self.first_player,
            starting=self.starting or None,
            supply=self.supply or None,
        )
        supply, placed = self.supply or state.supply, state.placed or self.placed
        if len({*state.starting, *supply, *placed}) != len((*state.starting, *supply, *placed)):
            raise ValueError("placed: a ladder is named twice")
        # The given supply is in order and must not be shuffled again.
        return dataclasses.replace(state, supply=supply, placed=placed)

    @cached_property
    def state(self) -> State:
        """The state at the first tick, between turns, with the last verdict. Raises ValueError or IllegalMove."""
        return replay_moves(self.first_state, map(MOVES.convert, self.moves))

    @property
    def last_snapshot(self) -> Snapshot:
        """The last snapshot, or one of the table at the start of a new game."""
        if self.snapshots:
            return self.snapshots[-1]
        standing = () if self.options.trial is None else self.options.trial.standing
        return Snapshot(0, True, dict(standing), (), make_zero_counts(self.players))

    @property
    def structure(self) -> Places:
        return tuple(row for row in self.last_snapshot.structure if row[0] in self.state.structure)

    @property
    def places(self) -> dict[int, Places]:
        """The structure at the start of each turn that can be undone (X4)."""
        return {snapshot.turn: snapshot.structure for snapshot in self.snapshots}

    @property
    def counts_by_turn(self) -> dict[int, SeatCounts]:
        """The counts at the start of each turn; later snapshots of the same turn were written for hints."""
        counts: dict[int, SeatCounts] = {}
        last_turn = 0
        for snapshot in self.snapshots:
            if snapshot.turn != last_turn or snapshot.counts[0] < counts[snapshot.turn][0]:
                counts[snapshot.turn] = snapshot.counts
            last_turn = snapshot.turn
        return counts


#: Exceptions that unusable saved games raise.
_FAULTS = (ValueError, IllegalMove)


class MoonRecorder:
    """Writes a moon game to its file during play."""

    def __init__(self, file: GameFile, setup: MoonSetup) -> None:
        self.state = setup.state
        self.file = file
        self._places = setup.places
        self._last_poses = dict(setup.structure)
        self._snapshot: Snapshot | None = None
        """The last snapshot written by this process."""
        self._counts = setup.last_snapshot.counts

    def write_moves(
        self,
        moves: Sequence[Move],
        standing: Places,
        *,
        at_rest: bool,
        leaning: Sequence[PieceId] = (),
        figures: Sequence[Figures] = (),
        counts: SeatCounts | None = None,
    ) -> None:
        """Write the moves of one or a few ticks and the last tick's facts, if there are moves or new hints.

        ``standing``: poses of all ladders; ``leaning``: the starting ladders that lean in their slots; ``figures``: all
        figures except those of undone turns. Raises SaveError, only once, if the file can't be written.
        """
        before, self._counts = self._counts, counts or self._counts
        has_new_hints = self._counts[0] != before[0]
        if not moves and not has_new_hints:
            return
        for move in moves:
            self.state = apply_move(self.state, move)
        if any(isinstance(move, Overrule) and move.kind is Act.UNDO for move in moves):
            # These moves cause the structure to be rebuilt; this tick's facts still show the previous one.
            standing = self._places.get(self.state.turn, ())
            leaning = [piece for piece, _ in standing if piece in self.state.starting]
            at_rest = True
        self._last_poses.update(standing)
        snapshot: Snapshot | None = None
        if self.state.phase not in TURN_PHASES or any(isinstance(move, Roll) for move in moves):
            places = tuple((piece, self._last_poses[piece]) for piece in (*leaning, *self.state.placed))
            self._places[self.state.turn] = places
            rows = {piece: pose.row for piece, pose in places}
            snapshot = Snapshot(self.state.turn, at_rest, rows, tuple(figures), self._counts)
        elif has_new_hints and self._snapshot is not None:  # hints are requested during a turn
            counts = (self._counts[0], *self._snapshot.counts[1:])
            snapshot = dataclasses.replace(self._snapshot, counts=counts)
        if snapshot == self._snapshot:
            snapshot = None  # unchanged since the previous turn
        self._snapshot = snapshot or self._snapshot
        encoded_moves = [MOVES.encode(move) for move in moves]
        encoded_snapshot = None if snapshot is None else encode(snapshot)
        self.file.append(encoded_moves, encoded_snapshot, sync=snapshot is not None and at_rest)


def load_first_state(saved: SavedGame) -> State:
    """Return the state before the first move. Raises SaveError for another game's or program's file."""
    return _load_setup(saved).first_state


def _load_setup(saved: SavedGame) -> MoonSetup:
    if saved.game != GAME:
        raise SaveError("fault.save.wrong_game", path=saved.path, game=short_repr(saved.game), own=repr(GAME))
    with raising_save_error(saved, *_FAULTS):
        return MoonSetup.from_record(saved.header)


def load_moves(saved: SavedGame) -> tuple[Move, ...]:
    with raising_save_error(saved, *_FAULTS):
        return tuple(map(MOVES.convert, saved.moves))


def load_state(saved: SavedGame) -> State:
    with raising_save_error(saved, *_FAULTS):
        return replay_moves(load_first_state(saved), load_moves(saved))


def load_verdicts(saved: SavedGame) -> Iterator[tuple[State, Verdict]]:
    state = load_first_state(saved)
    with raising_save_error(saved, *_FAULTS):
        for move in load_moves(saved):
            state = apply_move(state, move)
            if state.verdict is not None:
                yield state, state.verdict


def find_kept_moves(saved: SavedGame) -> tuple[int, tuple[Move, ...]]:
    """Return the number of moves to keep, and the overrulings in the interrupted turn, which must be applied again."""
    moves, now = load_moves(saved), load_state(saved)
    if find_resume_state(now) is now:
        return len(moves), ()
    keep = max(index for index, move in enumerate(moves) if isinstance(move, Roll))
    return keep, tuple(move for move in moves[keep:] if isinstance(move, Overrule))


def reopen_game(saved: SavedGame) -> GameFile:
    """Reopen a game's file at the start of the interrupted turn. Raises SaveError."""
    keep, overrulings = find_kept_moves(saved)
    return GameFile.reopen(saved, keep=keep, again=[MOVES.encode(move) for move in overrulings])


def resume_setup(saved: SavedGame) -> MoonSetup:
    """Return the setup from which a saved game continues. Raises SaveError."""
    keep, overrulings = find_kept_moves(saved)
    setup = _load_setup(saved)
    with raising_save_error(saved, *_FAULTS):
        # Replayed rather than taken from ``State.before``, which lacks the last verdict.
        moves = (*setup.moves, *saved.moves[:keep], *map(MOVES.encode, overrulings))
        new_snapshots = (convert(Snapshot, snapshot) for _, snapshot in saved.snapshots)
        resumed = dataclasses.replace(setup, moves=moves, snapshots=(*setup.snapshots, *new_snapshots))
        resumed.check()
        return resumed
