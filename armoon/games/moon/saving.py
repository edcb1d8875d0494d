"""Saved moon games: their records, and the point from which an interrupted game resumes.

A game resumes at the start of the interrupted turn, or between turns unchanged (``rules.find_resume_state``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from armoon.codec import Variants, convert, encode, variant_names
from armoon.games.moon.editions import IllegalMove, Phase, Verdict
from armoon.games.moon.figures import Figure, FigureKind, Figures
from armoon.games.moon.options import house_from_plain
from armoon.games.moon.referee import Places
from armoon.games.moon.rules import apply_move, create_state, find_resume_state, replay_moves
from armoon.games.moon.turn import MOVE_KINDS, Move, Overrule, Roll, State
from armoon.saves.files import Record, SaveError
from armoon.saves.game_file import GameFile, SavedGame, raising_save_error
from armoon.values.acts import Act
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, PoseRow
from armoon.values.text import quote_text, short_repr

GAME = "moon"
#: Maximum coordinate of a place, and minimum squared length of its quaternion (its inverse is the maximum).
FARTHEST_M, _LEAST = 1000.0, 1e-6
#: Poses by ladder, in files.
PlaceRows = dict[PieceId, PoseRow]
#: Figures in files: turn, seat, placed ladder, and each figure's name with the other ladders.
FiguresRow = tuple[int, int, PieceId, tuple[tuple[str, tuple[PieceId, ...]], ...]]
#: Codec of moves as JSON values: the name under ``move``, and the fields. Raises MalformedError, a ValueError.
MOVES = Variants[Move]("move", variant_names(MOVE_KINDS))


@dataclass(frozen=True)
class Header:
    """Header of a saved game."""

    rules: Record
    """The state before the first move, as ``setup_to_plain`` writes it."""
    setup: Record


#: By seat: hints requested, ladders carried to a chosen place, ladders released with a paper ladder.
SeatCounts = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, kw_only=True)
class _Counted:
    """Fields common to snapshots and starts: the figures, and the counts by seat (``SeatCounts``)."""

    figures: tuple[FiguresRow, ...]
    hints: tuple[int, ...]
    chosen: tuple[int, ...]
    by_card: tuple[int, ...]

    def counts_of(self, players: Sequence[str]) -> SeatCounts:
        return _checked((self.hints, self.chosen, self.by_card), players)


@dataclass(frozen=True, kw_only=True)
class Snapshot(_Counted):
    """The poses of the structure in a saved game."""

    turn: int
    at_rest: bool
    places: PlaceRows


@dataclass(frozen=True, kw_only=True)
class StartRecord(_Counted):
    """The record, in a log's header, of the saved game that it resumes."""

    rules: Record
    moves: tuple[Record, ...]
    structure: PlaceRows
    at_rest: bool
    places: Mapping[int, PlaceRows]
    """Poses of the structure by turn."""
    counts: Mapping[int, SeatCounts] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _MoonRulesSetup:
    """The arguments of ``create_state``, and the initial structure, for a replay."""

    game: Literal["moon"] = "moon"
    edition: str
    players: tuple[str, ...]
    seed: int
    options: dict[str, Any]
    first_player: int
    starting: tuple[str, ...]
    supply: tuple[str, ...]
    """In its initial order."""
    placed: tuple[str, ...]


def setup_to_plain(state: State) -> dict[str, Any]:
    setup = _MoonRulesSetup(
        edition=state.edition_name,
        players=state.players,
        seed=state.seed,
        options=encode(state.options),
        first_player=state.player,
        starting=state.starting,
        supply=state.supply,
        placed=() if state.options.trial is not None else state.placed,
    )
    return dict(encode(setup))


def setup_from_plain(plain: Mapping[str, Any]) -> State:
    """Return the state that ``setup_to_plain`` wrote. Raises ValueError, which names the field."""
    setup = convert(_MoonRulesSetup, plain, exact=True)
    state = create_state(
        setup.players,
        setup.edition,
        setup.seed,
        house_from_plain(setup.options),
        first_player=setup.first_player,
        starting=setup.starting,
        supply=setup.supply,
    )
    # The saved order of the supply counts; it must not be shuffled again.
    if set(setup.placed) & {*setup.starting, *setup.supply} or len(set(setup.placed)) != len(setup.placed):
        raise ValueError("placed: a ladder is named twice")
    return dataclasses.replace(state, supply=setup.supply, placed=state.placed or setup.placed)


def place_rows(places: Places) -> PlaceRows:
    return {piece: pose.row for piece, pose in places}


def read_places(rows: PlaceRows) -> Places:
    places = tuple((piece, Pose.from_row(row)) for piece, row in rows.items())
    for piece, pose in places:
        far_m = max(map(abs, pose.position))
        if far_m > FARTHEST_M or not _LEAST < sum(q * q for q in pose.rotation) < 1.0 / _LEAST:
            raise ValueError(f"the place of {quote_text(piece)} is none")
    return places


def standing_at_first(state: State) -> Places:
    trial = state.options.trial
    return () if trial is None else tuple((piece, Pose.from_row(row)) for piece, row in trial.standing)


def figures_rows(made: Sequence[Figures]) -> tuple[FiguresRow, ...]:
    return tuple(
        (r.turn, r.player, r.piece, tuple((figure.kind.value, figure.others) for figure in r.figures))
        for r in made
    )


def read_figures(rows: Sequence[FiguresRow], players: Sequence[str]) -> tuple[Figures, ...]:
    made = []
    for turn, player, piece, figures in rows:
        if not 0 <= player < len(players):
            raise ValueError(f"figures of the player in seat {player}")
        own = tuple(Figure(FigureKind(kind), piece, others) for kind, others in figures)
        made.append(Figures(turn, player, piece, own))
    return tuple(made)


def no_counts(players: Sequence[str]) -> SeatCounts:
    none = (0,) * len(players)
    return none, none, none


def _checked(counts: SeatCounts, players: Sequence[str]) -> SeatCounts:
    """Return the counts. Raises ValueError unless each kind has one non-negative count for each player."""
    for numbers in counts:
        if len(numbers) != len(players) or min(numbers) < 0:
            raise ValueError(f"{short_repr(numbers)} hints or chosen places of {len(players)} players")
    return counts


def _counts_by_turn(snapshots: Iterable[Snapshot], players: Sequence[str]) -> dict[int, SeatCounts]:
    """Return the counts at the start of each turn; hints write further snapshots of the same turn."""
    found: dict[int, SeatCounts] = {}
    before = 0
    for snapshot in snapshots:
        if snapshot.turn != before or snapshot.hints < found[snapshot.turn][0]:
            found[snapshot.turn] = snapshot.counts_of(players)
        before = snapshot.turn
    return found


_BETWEEN_TURNS = (Phase.ROLL, Phase.OVER)
#: Errors of unusable saved games; KeyError: a ladder that is in no snapshot.
_FAULTS = (KeyError, ValueError, IllegalMove)


@dataclass(frozen=True)
class MoonStart:
    """Everything needed to set the table and continue a game."""

    state: State
    """The state between turns, with the last verdict."""
    structure: Places
    """The structure for ``Referee.start``."""
    at_rest: bool
    """False if the structure was last seen in motion; it is set up as it was at that moment."""
    places: Mapping[int, Places]
    """The structure at the start of each turn, for ``Referee``, so that turns can still be put back (X4)."""
    rules: Record
    """The state before the first move, as ``setup_to_plain`` writes it."""
    moves: tuple[Move, ...]
    figures: tuple[Figures, ...]
    counted: SeatCounts
    counts: Mapping[int, SeatCounts] = dataclasses.field(default_factory=dict)
    """Counts at the start of each turn, for turns that are put back."""

    def to_record(self) -> Record:
        hints, chosen, by_card = self.counted
        record = {
            "rules": self.rules,
            "moves": tuple(map(MOVES.encode, self.moves)),
            "structure": place_rows(self.structure),
            "at_rest": self.at_rest,
            "places": {turn: place_rows(places) for turn, places in self.places.items()},
            "figures": figures_rows(self.figures),
            "hints": hints,
            "chosen": chosen,
            "by_card": by_card,
            "counts": self.counts,
        }
        return dict(encode(record))

    @staticmethod
    def from_record(record: Record) -> MoonStart:
        """Read what ``to_record`` wrote. Raises SaveError if it is something else."""
        try:
            start = convert(StartRecord, record)
            moves = tuple(map(MOVES.convert, start.moves))
            state = replay_moves(setup_from_plain(start.rules), moves)
            return MoonStart(
                state=state,
                structure=read_places(start.structure),
                at_rest=start.at_rest,
                places={turn: read_places(rows) for turn, rows in start.places.items()},
                rules=start.rules,
                moves=moves,
                figures=read_figures(start.figures, state.players),
                counted=start.counts_of(state.players),
                counts={turn: _checked(counts, state.players) for turn, counts in start.counts.items()},
            )
        except (ValueError, IllegalMove) as error:
            raise SaveError(
                f"What the game was resumed from can't be used by this program ({error}).",
                remedy="Replay it with the version of armoon that wrote it.",
            ) from error


@dataclass(frozen=True, kw_only=True)
class ResumePoint(MoonStart):
    """The point from which a saved game continues."""

    setup: Record
    """The match's setup as passed to ``MoonRecorder.begin``."""
    keep: int
    """Number of saved moves that remain valid."""
    again: tuple[Move, ...]
    """The host's overrulings in the interrupted turn, which are applied again."""


class MoonRecorder:
    """Writes a moon game to its file during play."""

    def __init__(
        self, file: GameFile, state: State, structure: Places, point: ResumePoint | None = None
    ) -> None:
        self.state = state
        self.file = file
        self._places = dict(point.places) if point is not None else {}
        self._seen = dict(structure)
        self._snapshot: Record | None = None
        """The last snapshot written by this process."""
        self._counts = no_counts(state.players) if point is None else point.counted

    @classmethod
    def begin(cls, path: Path, first: State, setup: Record, *, begun: str, program: str) -> MoonRecorder:
        """Create a new game's file. ``begun``: date and time, ISO 8601. Raises SaveError."""
        header = {"rules": setup_to_plain(first), "setup": setup}
        file = GameFile.create(path, header, game=GAME, begun=begun, program=program)
        return cls(file, first, standing_at_first(first))

    @classmethod
    def resume(cls, saved: SavedGame, point: ResumePoint) -> MoonRecorder:
        again = [MOVES.encode(move) for move in point.again]
        file = GameFile.reopen(saved, keep=point.keep, again=again)
        return cls(file, point.state, point.structure, point)

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
        """Write the moves of one or a few ticks, with the last tick's facts; nothing without moves or new hints.

        ``standing``: poses of all ladders; ``leaning``: the starting ladders that lean in their slots; ``figures``: all
        figures except those put back. Raises SaveError, once, if the disk is full or gone; the game can continue
        unsaved.
        """
        before, self._counts = self._counts, counts or self._counts
        hints, chosen, by_card = self._counts
        asked = hints != before[0]
        if not moves and not asked:
            return
        for move in moves:
            self.state = apply_move(self.state, move)
        if any(isinstance(move, Overrule) and move.kind is Act.UNDO for move in moves):
            # The orders of these moves rebuild the structure; this tick's facts still show the previous one.
            standing = self._places.get(self.state.turn, ())
            leaning = [piece for piece, _ in standing if piece in self.state.starting]
            at_rest = True
        self._seen.update(standing)
        snapshot: Record | None = None
        if self.state.phase in _BETWEEN_TURNS or any(isinstance(move, Roll) for move in moves):
            places = tuple((piece, self._seen[piece]) for piece in (*leaning, *self.state.placed))
            self._places[self.state.turn] = places
            snapshot = {
                "turn": self.state.turn,
                "at_rest": at_rest,
                "places": place_rows(places),
                "figures": figures_rows(figures),
                "hints": list(hints),
                "chosen": list(chosen),
                "by_card": list(by_card),
            }
        elif asked and self._snapshot is not None:  # hints are requested during a turn
            snapshot = {**self._snapshot, "hints": list(hints)}
        if snapshot == self._snapshot:
            snapshot = None  # unchanged since the previous turn
        self._snapshot = snapshot or self._snapshot
        plain = [MOVES.encode(move) for move in moves]
        self.file.append(plain, snapshot, sync=snapshot is not None and at_rest)


def load_first(saved: SavedGame) -> State:
    """Return the state before the first move. Raises SaveError for another game's or program's file."""
    if saved.game != GAME:
        raise SaveError(
            f"The saved game {saved.path} is a game of {short_repr(saved.game)}, not of {GAME!r}.",
            remedy="Open it with the game it belongs to.",
        )
    with raising_save_error(saved, *_FAULTS):
        return setup_from_plain(convert(Header, saved.header).rules)


def load_moves(saved: SavedGame) -> tuple[Move, ...]:
    with raising_save_error(saved, *_FAULTS):
        return tuple(map(MOVES.convert, saved.moves))


def load_state(saved: SavedGame) -> State:
    with raising_save_error(saved, *_FAULTS):
        return replay_moves(load_first(saved), load_moves(saved))


def load_verdicts(saved: SavedGame) -> Iterator[tuple[State, Verdict]]:
    state = load_first(saved)
    with raising_save_error(saved, *_FAULTS):
        for move in load_moves(saved):
            state = apply_move(state, move)
            if state.verdict is not None:
                yield state, state.verdict


def resume_point(saved: SavedGame) -> ResumePoint:
    moves, now = load_moves(saved), load_state(saved)
    keep = len(moves)
    again: tuple[Move, ...] = ()
    if find_resume_state(now) is not now:
        keep = max(index for index, move in enumerate(moves) if isinstance(move, Roll))
        again = tuple(move for move in moves[keep:] if isinstance(move, Overrule))
    # Replayed rather than taken from ``State.before``, which lacks the last verdict.
    kept = (*moves[:keep], *again)
    with raising_save_error(saved, *_FAULTS):
        state = replay_moves(load_first(saved), kept)
        header = convert(Header, saved.header)
        snapshots = [convert(Snapshot, taken) for _, taken in saved.snapshots]
        last = snapshots[-1] if snapshots else None
        places = {snapshot.turn: read_places(snapshot.places) for snapshot in snapshots}
        newest = dict(places[last.turn] if last is not None else standing_at_first(state))
        leaning = [piece for piece in state.starting if piece in newest]
        return ResumePoint(
            state=state,
            structure=tuple((piece, newest[piece]) for piece in (*leaning, *state.placed)),
            places=places,
            rules=header.rules,
            moves=kept,
            figures=() if last is None else read_figures(last.figures, state.players),
            counted=no_counts(state.players) if last is None else last.counts_of(state.players),
            counts=_counts_by_turn(snapshots, state.players),
            setup=header.setup,
            at_rest=last is None or last.at_rest,
            keep=keep,
            again=again,
        )
