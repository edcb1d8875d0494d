"""The moon game in a saved game: the records after each event, and the point where a killed game resumes.

A game resumes at the start of the turn under way, or between turns where it stood (``rules.turn.turn_start``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from armoon.codec import Variants, convert, encode, words_of
from armoon.games.moon.figures.shape import Figure, FigureKind, Figures
from armoon.games.moon.options import house_from_plain
from armoon.games.moon.referee.referee import Places
from armoon.games.moon.rules.game import apply, initial, replay, turn_start
from armoon.games.moon.rules.state import MOVE_KINDS, Move, Overrule, Roll, State
from armoon.games.moon.rules.values import IllegalMove, Phase, Verdict
from armoon.saves.files import Record, SaveError
from armoon.saves.game_file import GameFile, SavedGame
from armoon.values.acts import Act
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, PoseRow
from armoon.values.text import quoted, repr_of

GAME = "moon"
#: Largest distance of a place and limits of its rotation's length: a game never wrote others.
FARTHEST_M, _LEAST = 1000.0, 1e-6
#: In files: by ladder, where it stands.
PlaceRows = dict[PieceId, PoseRow]
#: In files: turn, seat, the placed ladder, and each figure's name with the other ladders.
FiguresRow = tuple[int, int, PieceId, tuple[tuple[str, tuple[PieceId, ...]], ...]]
#: Moves as JSON values: a move's name under ``move``, and its fields; MalformedError, a ValueError, if it is none.
MOVES = Variants[Move]("move", words_of(MOVE_KINDS))


@dataclass(frozen=True)
class Header:
    """Header of a saved game."""

    rules: Record
    """The position before the first move, as ``setup_to_plain`` writes it."""
    setup: Record


#: By seat: hints, chosen places, ladders let go of with a paper ladder.
Counts = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, kw_only=True)
class _Counted:
    """What a snapshot and a start both hold besides places: the figures made, and counts by seat."""

    figures: tuple[FiguresRow, ...]
    hints: tuple[int, ...]
    """How many hints were asked for."""
    chosen: tuple[int, ...]
    """How many ladders were carried to a place that was chosen."""
    by_card: tuple[int, ...]
    """How many were let go of with a paper ladder."""


@dataclass(frozen=True, kw_only=True)
class Snapshot(_Counted):
    """Where everything stood."""

    turn: int
    at_rest: bool
    places: PlaceRows


@dataclass(frozen=True, kw_only=True)
class StartRecord(_Counted):
    """A log header's record of the saved game that it resumes."""

    rules: Record
    moves: tuple[Record, ...]
    structure: PlaceRows
    at_rest: bool
    places: Mapping[int, PlaceRows]
    """Places of the structure, by turn."""
    counts: Mapping[int, Counts] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _Setup:
    """What ``moon.initial`` and a replay need."""

    game: Literal["moon"] = "moon"
    edition: str
    players: tuple[str, ...]
    seed: int
    options: dict[str, Any]
    first_player: int
    starting: tuple[str, ...]
    supply: tuple[str, ...]
    """In the order in which it was drawn up."""
    placed: tuple[str, ...]


def setup_to_plain(state: State) -> dict[str, Any]:
    setup = _Setup(
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
    """Return the position that ``setup_to_plain`` wrote. Raises ValueError, which names the field, if it is none."""
    setup = convert(_Setup, plain, exact=True)
    state = initial(
        setup.players,
        setup.edition,
        setup.seed,
        house_from_plain(setup.options),
        first_player=setup.first_player,
        starting=setup.starting,
        supply=setup.supply,
    )
    # The order of the supply is a fact of the game, written down as it was drawn up, not shuffled again.
    if set(setup.placed) & {*setup.starting, *setup.supply} or len(set(setup.placed)) != len(setup.placed):
        raise ValueError("placed: a ladder is named twice")
    return dataclasses.replace(state, supply=setup.supply, placed=state.placed or setup.placed)


def place_rows(places: Places) -> PlaceRows:
    return {piece: pose.row for piece, pose in places}


def places_of(rows: PlaceRows) -> Places:
    """Return the places that were written. Raises ValueError for one where nothing can be."""
    places = tuple((piece, Pose.of_row(row)) for piece, row in rows.items())
    for piece, pose in places:
        far_m = max(map(abs, pose.position))
        if far_m > FARTHEST_M or not _LEAST < sum(q * q for q in pose.rotation) < 1.0 / _LEAST:
            raise ValueError(f"the place of {quoted(piece)} is none")
    return places


def standing_at_first(state: State) -> Places:
    trial = state.options.trial
    return () if trial is None else tuple((piece, Pose.of_row(row)) for piece, row in trial.standing)


def figures_rows(made: Sequence[Figures]) -> tuple[FiguresRow, ...]:
    return tuple(
        (one.turn, one.player, one.piece, tuple((figure.kind.value, figure.others) for figure in one.figures))
        for one in made
    )


def figures_of(rows: Sequence[FiguresRow], players: Sequence[str]) -> tuple[Figures, ...]:
    """Return the figures that were written. Raises ValueError for unknown ones, and for those of an empty seat."""
    made = []
    for turn, player, piece, figures in rows:
        if not 0 <= player < len(players):
            raise ValueError(f"figures of the player in seat {player}")
        own = tuple(Figure(FigureKind(kind), piece, others) for kind, others in figures)
        made.append(Figures(turn, player, piece, own))
    return tuple(made)


def counts_of(counts: Sequence[int], players: Sequence[str]) -> tuple[int, ...]:
    """Hints, or chosen places, that were written, a number for each player. Raises ValueError where that can't be."""
    if len(counts) != len(players) or min(counts) < 0:
        raise ValueError(f"{repr_of(counts)} hints or chosen places of {len(players)} players")
    return tuple(counts)


def _counted(counts: Counts, players: Sequence[str]) -> Counts:
    hints, chosen, by_card = counts
    return counts_of(hints, players), counts_of(chosen, players), counts_of(by_card, players)


def _counts_by_turn(snapshots: Iterable[Snapshot], players: Sequence[str]) -> dict[int, Counts]:
    """Return the counts as each turn began: a hint is written with another snapshot of its turn."""
    found: dict[int, Counts] = {}
    before = 0
    for one in snapshots:
        if one.turn != before or one.hints < found[one.turn][0]:
            found[one.turn] = _counted((one.hints, one.chosen, one.by_card), players)
        before = one.turn
    return found


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
    figures: tuple[Figures, ...]
    hints: tuple[int, ...]
    """How many hints each seat has asked for."""
    chosen: tuple[int, ...]
    """How many ladders were carried for each seat to a place that was chosen."""
    by_card: tuple[int, ...]
    """How many each seat has let go of with a paper ladder."""
    counts: Mapping[int, Counts] = dataclasses.field(default_factory=dict)
    """By turn: hints, chosen places and ladders by card as it began, for turns that are put back."""

    def to_record(self) -> Record:
        record = {
            "rules": self.rules,
            "moves": tuple(map(MOVES.encode, self.moves)),
            "structure": place_rows(self.structure),
            "at_rest": self.at_rest,
            "places": {turn: place_rows(places) for turn, places in self.places.items()},
            "figures": figures_rows(self.figures),
            "hints": self.hints,
            "chosen": self.chosen,
            "by_card": self.by_card,
            "counts": self.counts,
        }
        return dict(encode(record))

    @staticmethod
    def from_record(record: Record) -> Start:
        """Read what ``to_record`` wrote. Raises SaveError if it is something else."""
        try:
            start = convert(StartRecord, record)
            moves = tuple(map(MOVES.convert, start.moves))
            state = replay(setup_from_plain(start.rules), moves)
            return Start(
                state=state,
                structure=places_of(start.structure),
                at_rest=start.at_rest,
                places={turn: places_of(rows) for turn, rows in start.places.items()},
                rules=start.rules,
                moves=moves,
                figures=figures_of(start.figures, state.players),
                hints=counts_of(start.hints, state.players),
                chosen=counts_of(start.chosen, state.players),
                by_card=counts_of(start.by_card, state.players),
                counts={turn: _counted(counts, state.players) for turn, counts in start.counts.items()},
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
    keep: int
    """Number of the saved moves that still count."""
    again: tuple[Move, ...]
    """The host's overrulings in the turn that was broken off."""


class MoonRecorder:
    """Writes a moon game down as it is played."""

    def __init__(
        self, file: GameFile, state: State, structure: Places, point: ResumePoint | None = None
    ) -> None:
        self.state = state
        """The game as far as it is written."""
        self.file = file
        self._places = dict(point.places) if point is not None else {}
        self._seen = dict(structure)
        self._snapshot: Record | None = None
        """The last one of this process."""
        none = (0,) * len(state.players)
        self._hints = none if point is None else point.hints
        self._chosen = none if point is None else point.chosen
        self._by_card = none if point is None else point.by_card

    @classmethod
    def begin(cls, path: Path, first: State, setup: Record, *, begun: str, program: str) -> MoonRecorder:
        """Return a new game: its position before the first move, and the match's set-up (``MatchSetup.to_record``).

        ``begun`` is date and time, ISO 8601. Raises SaveError.
        """
        header = {"rules": setup_to_plain(first), "setup": setup}
        file = GameFile.create(path, header, game=GAME, begun=begun, program=program)
        return cls(file, first, standing_at_first(first))

    @classmethod
    def resume(cls, saved: SavedGame, point: ResumePoint) -> MoonRecorder:
        again = [MOVES.encode(move) for move in point.again]
        file = GameFile.reopen(saved, keep=point.keep, again=again)
        return cls(file, point.state, point.structure, point)

    def write(
        self,
        moves: Sequence[Move],
        standing: Places,
        *,
        at_rest: bool,
        leaning: Sequence[PieceId] = (),
        figures: Sequence[Figures] = (),
        hints: Sequence[int] = (),
        chosen: Sequence[int] = (),
        by_card: Sequence[int] = (),
    ) -> None:
        """Write the moves of one or a few ticks with what the last of them saw; nothing without moves or new hints.

        ``standing`` says where every ladder was, ``leaning`` which starting ladders leaned in their slots. ``figures``
        are all that were made and not put back; ``hints``, ``chosen`` and ``by_card`` count by seat. Raises SaveError,
        once, when the disk is full or gone: the game can go on unsaved.
        """
        self._chosen = tuple(chosen) or self._chosen
        self._by_card = tuple(by_card) or self._by_card
        asked = bool(hints) and tuple(hints) != self._hints
        if not moves and not asked:
            return
        self._hints = tuple(hints) or self._hints
        for move in moves:
            self.state = apply(self.state, move)
        if any(isinstance(move, Overrule) and move.kind is Act.UNDO for move in moves):
            # The structure is being put back by these moves' orders: the tick still saw the one before.
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
                "hints": list(self._hints),
                "chosen": list(self._chosen),
                "by_card": list(self._by_card),
            }
        elif asked and self._snapshot is not None:  # hints are asked for in the middle of a turn
            snapshot = {**self._snapshot, "hints": list(hints)}
        if snapshot == self._snapshot:
            snapshot = None  # a turn begins with the structure that the last one left
        self._snapshot = snapshot or self._snapshot
        plain = [MOVES.encode(move) for move in moves]
        self.file.append(plain, snapshot, sync=snapshot is not None and at_rest)


def first_state(saved: SavedGame) -> State:
    """Return the position before the first move. Raises SaveError where it is of another game or program."""
    if saved.game != GAME:
        raise SaveError(
            f"The saved game {saved.path} is a game of {repr_of(saved.game)}, not of {GAME!r}.",
            remedy="Open it with the game it belongs to.",
        )
    with _understood(saved):
        return setup_from_plain(convert(Header, saved.header).rules)


def moves_of(saved: SavedGame) -> tuple[Move, ...]:
    """Return the moves that count. Raises SaveError where this program doesn't know one."""
    with _understood(saved):
        return tuple(map(MOVES.convert, saved.moves))


def state_of(saved: SavedGame) -> State:
    """Return the position after the last event. Raises SaveError."""
    with _understood(saved):
        return replay(first_state(saved), moves_of(saved))


def verdicts_of(saved: SavedGame) -> Iterator[tuple[State, Verdict]]:
    """Every verdict, oldest first, with the position that it led to. Raises SaveError."""
    state = first_state(saved)
    with _understood(saved):
        for move in moves_of(saved):
            state = apply(state, move)
            if state.verdict is not None:
                yield state, state.verdict


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
    with _understood(saved):
        state = replay(first_state(saved), kept)
        header = convert(Header, saved.header)
        snapshots = [convert(Snapshot, taken) for _, taken in saved.snapshots]
        places = {snapshot.turn: places_of(snapshot.places) for snapshot in snapshots}
        newest = dict(places[snapshots[-1].turn] if snapshots else standing_at_first(state))
        none = (0,) * len(state.players)
        last = (
            snapshots[-1]
            if snapshots
            else Snapshot(turn=1, at_rest=True, places={}, figures=(), hints=none, chosen=none, by_card=none)
        )
        leaning = [piece for piece in state.starting if piece in newest]
        return ResumePoint(
            state=state,
            structure=tuple((piece, newest[piece]) for piece in (*leaning, *state.placed)),
            places=places,
            rules=header.rules,
            moves=kept,
            figures=figures_of(last.figures, state.players),
            hints=counts_of(last.hints, state.players),
            chosen=counts_of(last.chosen, state.players),
            by_card=counts_of(last.by_card, state.players),
            counts=_counts_by_turn(snapshots, state.players),
            setup=header.setup,
            at_rest=last.at_rest,
            keep=keep,
            again=again,
        )


@contextmanager
def _understood(saved: SavedGame) -> Iterator[None]:
    """Raise SaveError where a saved game isn't understood; KeyError: a ladder that no snapshot has seen."""
    try:
        yield
    except (KeyError, ValueError, IllegalMove) as error:
        raise SaveError(
            f"The saved game {saved.path} doesn't follow the rules of this program ({error}).",
            remedy=f"Open it with {quoted(f'armoon {saved.program}')}, which began it.",
        ) from error
