"""The moon game in a saved game: the records after each event, and the point where a killed game resumes.

A game resumes at the start of the turn under way, or between turns where it stood (``rules.turn.turn_start``),
with the structure as it was last seen and the same next face of the die. A host's overruling in an
interrupted turn still holds. The disk is synchronised whenever a structure at rest is written, so
a power cut costs at most the events since the structure last rested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from armoon.codec import convert, encode
from armoon.codec.wording import quoted
from armoon.games.moon.rules.game import apply, replay, turn_start
from armoon.games.moon.rules.moves import Move, Overrule, OverruleKind, Roll
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import IllegalMove, Phase, Verdict
from armoon.games.moon.table.codec import move_from_plain, move_to_plain, setup_from_plain, setup_to_plain
from armoon.games.moon.table.saved import (
    Header,
    Making,
    Places,
    Snapshot,
    StartRecord,
    counts_of,
    making_rows,
    makings_of,
    place_rows,
    places_of,
    snapshot_record,
    standing_at_first,
)
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.journal import Record
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose

GAME = "moon"
_BETWEEN_TURNS = (Phase.ROLL, Phase.OVER)


@dataclass(frozen=True)
class Start:
    """All that is needed to set the table and to go on."""

    state: State
    """Between turns, with the last verdict."""
    structure: Places
    """For ``Referee.start``."""
    at_rest: bool
    """False where the structure was last seen falling: it is set up as it was in that moment."""
    places: Mapping[int, Places]
    """By turn, for ``Referee``: the structure as each turn began, so that turns can still be put back (X4)."""
    rules: Record
    """The position before the first move, as the rules' codec writes it."""
    moves: tuple[Move, ...]
    """What led from there to ``state``."""
    makings: tuple[Making, ...]
    """The figures that were made before; saves and logs of old programs don't hold any."""
    hints: tuple[int, ...]
    """How many hints each seat has asked for."""
    chosen: tuple[int, ...] = ()
    """How many ladders were carried for each seat to a place that was chosen; none where that wasn't counted."""

    def to_record(self) -> Record:
        """As JSON values, for the header of a log that begins here: a replay needs nothing else."""
        places = {turn: place_rows(places) for turn, places in self.places.items()}
        return dict(
            encode(
                StartRecord(
                    rules=self.rules,
                    moves=tuple(move_to_plain(move) for move in self.moves),
                    structure=place_rows(self.structure),
                    at_rest=self.at_rest,
                    places=places,
                    figures=making_rows(self.makings),
                    hints=self.hints,
                    chosen=self.chosen,
                )
            )
        )

    @staticmethod
    def from_record(record: Record) -> Start:
        """Read what ``to_record`` wrote. Raises SaveError if it is something else."""
        try:
            start = convert(StartRecord, record)
            moves = _moves(start.moves)
            state = replay(setup_from_plain(start.rules), moves)
            return Start(
                state=state,
                structure=places_of(start.structure),
                at_rest=start.at_rest,
                places={turn: places_of(rows) for turn, rows in start.places.items()},
                rules=start.rules,
                moves=moves,
                makings=makings_of(start.figures, state.players),
                hints=counts_of(start.hints, state.players),
                chosen=counts_of(start.chosen, state.players),
            )
        except (ValueError, IllegalMove) as error:
            raise SaveError(
                f"What the game was resumed from can't be used by this program ({error}).",
                remedy="Replay it with the version of armoon that wrote it.",
            ) from error


@dataclass(frozen=True, kw_only=True)
class ResumePoint(Start):
    """Where a saved game goes on."""

    setup: Record
    """The match's set-up as it was given to ``MoonRecorder.begin``."""
    damage: str
    """What is lost, as a sentence; empty if nothing is."""
    keep: int
    """Number of the saved moves that still count."""
    again: tuple[Move, ...]
    """The host's overrulings in the turn that was broken off."""


class MoonRecorder:
    """Writes a moon game down as it is played."""

    def __init__(
        self,
        file: GameFile,
        state: State,
        places: Mapping[int, Places],
        structure: Places,
        hints: Sequence[int] = (),
        chosen: Sequence[int] = (),
    ) -> None:
        self.state = state
        """The game as far as it is written."""
        self._file = file
        self._places = dict(places)
        self._seen: dict[PieceId, Pose] = dict(structure)
        self._snapshot: Record | None = None
        """The last one of this process."""
        self._hints = tuple(hints) or (0,) * len(state.players)
        self._chosen = tuple(chosen)

    @property
    def path(self) -> Path:
        """Where it is written."""
        return self._file.path

    @classmethod
    def begin(cls, path: Path, first: State, setup: Record, *, begun: str, program: str) -> MoonRecorder:
        """Return a new game: its position before the first move, and the match's set-up (``MatchSetup.to_record``).

        ``begun`` is date and time, ISO 8601. Raises SaveError.
        """
        header = {"rules": setup_to_plain(first), "setup": setup}
        return cls(
            GameFile.create(path, header, game=GAME, begun=begun, program=program),
            first,
            {},
            standing_at_first(first),
        )

    @classmethod
    def resume(cls, saved: SavedGame, point: ResumePoint) -> MoonRecorder:
        """Go on with a saved game at its resume point. Raises SaveError."""
        again = [move_to_plain(move) for move in point.again]
        file = GameFile.reopen(saved, keep=point.keep, again=again)
        return cls(file, point.state, point.places, point.structure, point.hints, point.chosen)

    def note(
        self,
        moves: Sequence[Move],
        standing: Places,
        *,
        at_rest: bool,
        leaning: Sequence[PieceId] = (),
        makings: Sequence[Making] = (),
        hints: Sequence[int] = (),
        chosen: Sequence[int] = (),
    ) -> None:
        """Write one tick's moves.

        ``standing`` says where that tick saw every ladder, and how starting ladders leaned in their slots.

        The moves of a few ticks may come together, with what the last of them saw. ``makings`` are all
        figures made so far; those of turns that were put back are not among them. ``hints`` are how many each seat
        has asked for, ``chosen`` how many ladders were carried for it, written with the next structure. Nothing is
        written where there are no moves and no new hints. Raises SaveError, once, when
        the disk is full or gone: the game can go on unsaved.
        """
        self._chosen = tuple(chosen) or self._chosen
        asked = bool(hints) and tuple(hints) != self._hints
        if not moves and not asked:
            return
        self._hints = tuple(hints) or self._hints
        for move in moves:
            self.state = apply(self.state, move)
        if any(isinstance(move, Overrule) and move.kind is OverruleKind.UNDO for move in moves):
            # The structure is being put back by these moves' orders: the tick still saw the one before.
            standing = self._places.get(self.state.turn, ())
            leaning = [piece for piece, _ in standing if piece in self.state.starting]
            at_rest = True
        self._seen.update(standing)
        snapshot: Record | None = None
        if self.state.phase in _BETWEEN_TURNS or any(isinstance(move, Roll) for move in moves):
            places = tuple((piece, self._seen[piece]) for piece in (*leaning, *self.state.placed))
            self._places[self.state.turn] = places
            counts = (self._hints, self._chosen)
            snapshot = snapshot_record(self.state.turn, places, makings, *counts, at_rest=at_rest)
        elif asked and self._snapshot is not None:  # hints are asked for in the middle of a turn
            snapshot = {**self._snapshot, "hints": list(hints)}
        if snapshot == self._snapshot:
            snapshot = None  # a turn begins with the structure that the last one left
        self._snapshot = snapshot or self._snapshot
        plain = [move_to_plain(move) for move in moves]
        self._file.append(plain, snapshot, sync=snapshot is not None and at_rest)

    def turned(self, turned_rad: float) -> None:
        """Note that the table is turned this far."""
        self._file.turned_rad = turned_rad

    def close(self) -> None:
        """Close at the program's end; the game may not be over."""
        self._file.close()


def first_state(saved: SavedGame) -> State:
    """Return the position before the first move. Raises SaveError where it is of another game or program."""
    if saved.game != GAME:
        raise SaveError(
            f"The saved game {saved.path} is a game of {saved.game!r}, not of {GAME!r}.",
            remedy="Open it with the game it belongs to.",
        )
    try:
        return setup_from_plain(convert(Header, saved.header).rules)
    except ValueError as error:
        raise _unknown(saved, error) from error


def moves_of(saved: SavedGame) -> tuple[Move, ...]:
    """Return the moves that count. Raises SaveError where this program doesn't know one."""
    try:
        return _moves(saved.moves)
    except ValueError as error:
        raise _unknown(saved, error) from error


def state_of(saved: SavedGame) -> State:
    """Return the position after the last event. Raises SaveError."""
    return _replayed(saved, moves_of(saved))


def verdicts_of(saved: SavedGame) -> Iterator[tuple[State, Verdict]]:
    """Every verdict, oldest first, with the position that it led to. Raises SaveError."""
    state = first_state(saved)
    try:
        for move in moves_of(saved):
            state = apply(state, move)
            if state.verdict is not None:
                yield state, state.verdict
    except IllegalMove as error:
        raise _unknown(saved, error) from error


def resume_point(saved: SavedGame) -> ResumePoint:
    """Where the game goes on. Raises SaveError where this program can't say so."""
    moves, now = moves_of(saved), state_of(saved)
    keep = len(moves)
    again: tuple[Move, ...] = ()
    if turn_start(now) is not now:
        keep = max(index for index, move in enumerate(moves) if isinstance(move, Roll))
        again = tuple(move for move in moves[keep:] if isinstance(move, Overrule))
    # Not the turn's own memory of what was before it: that has forgotten the last verdict.
    kept = (*moves[:keep], *again)
    state = _replayed(saved, kept)
    places: dict[int, Places] = {}
    structure: Places = standing_at_first(state)
    makings: tuple[Making, ...] = ()
    hints: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()
    at_rest = True
    try:
        header = convert(Header, saved.header)
        for taken in saved.snapshots:
            snapshot = convert(Snapshot, taken.content)
            structure = places_of(snapshot.places)
            places[snapshot.turn] = structure
            at_rest, makings = snapshot.at_rest, makings_of(snapshot.figures, state.players)
            hints, chosen = snapshot.hints, snapshot.chosen
        newest = dict(structure)
        leaning = [piece for piece in state.starting if piece in newest]
        return ResumePoint(
            state=state,
            structure=tuple((piece, newest[piece]) for piece in (*leaning, *state.placed)),
            places=places,
            rules=header.rules,
            moves=kept,
            makings=makings,
            hints=counts_of(hints, state.players),
            chosen=counts_of(chosen, state.players),
            setup=header.setup,
            at_rest=at_rest,
            damage=saved.damage,
            keep=keep,
            again=again,
        )
    except (KeyError, ValueError) as error:  # KeyError: a ladder that no snapshot has seen
        raise _unknown(saved, error) from error


def _replayed(saved: SavedGame, moves: Sequence[Move]) -> State:
    try:
        return replay(first_state(saved), moves)
    except IllegalMove as error:
        raise _unknown(saved, error) from error


def _moves(plain: Sequence[Record]) -> tuple[Move, ...]:
    return tuple(map(move_from_plain, plain))


def _unknown(saved: SavedGame, error: Exception) -> SaveError:
    return SaveError(
        f"The saved game {saved.path} doesn't follow the rules of this program ({error}).",
        remedy=f"Open it with {quoted(f'armoon {saved.program}')}, which began it.",
    )
