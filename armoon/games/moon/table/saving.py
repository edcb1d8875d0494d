"""The moon game in a saved game: the records after each event, and the point where a killed game resumes.

A game resumes at the start of the turn under way, or between turns where it stood (``rules.turn.turn_start``),
with the structure as it was last seen and the same next face of the die. A host's overruling in an
interrupted turn still holds. The disk is synchronised whenever a structure at rest is written, so
a power cut costs at most the events since the structure last rested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from armoon.codec import convert, encode
from armoon.codec.wording import quoted
from armoon.games.moon.figures.figure import Figures
from armoon.games.moon.referee.docket import Places
from armoon.games.moon.rules.game import apply, replay, turn_start
from armoon.games.moon.rules.moves import Move, Overrule, Roll
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import IllegalMove, Phase, Verdict
from armoon.games.moon.table import records
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.journal import Record
from armoon.values.acts import Act
from armoon.values.pieces import PieceId

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
    figures: tuple[Figures, ...]
    """The figures that were made before; saves and logs of old programs don't hold any."""
    hints: tuple[int, ...]
    """How many hints each seat has asked for."""
    chosen: tuple[int, ...] = ()
    """How many ladders were carried for each seat to a place that was chosen; none where that wasn't counted."""
    by_card: tuple[int, ...] = ()
    """How many each seat has let go of with a paper ladder; none where that wasn't counted."""

    def to_record(self) -> Record:
        """As JSON values, for the header of a log that begins here: a replay needs nothing else."""
        record = {
            "rules": self.rules,
            "moves": tuple(map(records.MOVES.encode, self.moves)),
            "structure": records.place_rows(self.structure),
            "at_rest": self.at_rest,
            "places": {turn: records.place_rows(places) for turn, places in self.places.items()},
            "figures": records.figures_rows(self.figures),
            "hints": self.hints,
            "chosen": self.chosen,
            "by_card": self.by_card,
        }
        return dict(encode(record))

    @staticmethod
    def from_record(record: Record) -> Start:
        """Read what ``to_record`` wrote. Raises SaveError if it is something else."""
        try:
            start = convert(records.StartRecord, record)
            moves = tuple(map(records.MOVES.convert, start.moves))
            state = replay(records.setup_from_plain(start.rules), moves)
            return Start(
                state=state,
                structure=records.places_of(start.structure),
                at_rest=start.at_rest,
                places={turn: records.places_of(rows) for turn, rows in start.places.items()},
                rules=start.rules,
                moves=moves,
                figures=records.figures_of(start.figures, state.players),
                hints=records.counts_of(start.hints, state.players),
                chosen=records.counts_of(start.chosen, state.players),
                by_card=records.counts_of(start.by_card, state.players),
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
        self._hints = (0,) * len(state.players) if point is None else point.hints
        self._chosen = () if point is None else point.chosen
        self._by_card = () if point is None else point.by_card

    @classmethod
    def begin(cls, path: Path, first: State, setup: Record, *, begun: str, program: str) -> MoonRecorder:
        """Return a new game: its position before the first move, and the match's set-up (``MatchSetup.to_record``).

        ``begun`` is date and time, ISO 8601. Raises SaveError.
        """
        header = {"rules": records.setup_to_plain(first), "setup": setup}
        file = GameFile.create(path, header, game=GAME, begun=begun, program=program)
        return cls(file, first, records.standing_at_first(first))

    @classmethod
    def resume(cls, saved: SavedGame, point: ResumePoint) -> MoonRecorder:
        """Go on with a saved game at its resume point. Raises SaveError."""
        again = [records.MOVES.encode(move) for move in point.again]
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
        """Write one tick's moves.

        ``standing`` says where that tick saw every ladder, and how starting ladders leaned in their slots.

        The moves of a few ticks may come together, with what the last of them saw. ``figures`` are all
        figures made so far; those of turns that were put back are not among them. ``hints`` are how many each seat
        has asked for, ``chosen`` how many ladders were carried for it, ``by_card`` how many it laid with a paper one;
        both are written with the next structure. Nothing is written where there are no moves and no new hints. Raises
        SaveError, once, when the disk is full or gone: the game can go on unsaved.
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
            snapshot = {"turn": self.state.turn, "at_rest": at_rest, "places": records.place_rows(places)}
            # Figures, hints and chosen places are left out where there are none.
            snapshot |= {"figures": records.figures_rows(figures)} if figures else {}
            snapshot |= {"hints": list(self._hints)} if any(self._hints) else {}
            snapshot |= {"chosen": list(self._chosen)} if any(self._chosen) else {}
            snapshot |= {"by_card": list(self._by_card)} if any(self._by_card) else {}
        elif asked and self._snapshot is not None:  # hints are asked for in the middle of a turn
            snapshot = {**self._snapshot, "hints": list(hints)}
        if snapshot == self._snapshot:
            snapshot = None  # a turn begins with the structure that the last one left
        self._snapshot = snapshot or self._snapshot
        plain = [records.MOVES.encode(move) for move in moves]
        self.file.append(plain, snapshot, sync=snapshot is not None and at_rest)


def first_state(saved: SavedGame) -> State:
    """Return the position before the first move. Raises SaveError where it is of another game or program."""
    if saved.game != GAME:
        raise SaveError(
            f"The saved game {saved.path} is a game of {saved.game!r}, not of {GAME!r}.",
            remedy="Open it with the game it belongs to.",
        )
    with _understood(saved):
        return records.setup_from_plain(convert(records.Header, saved.header).rules)


def moves_of(saved: SavedGame) -> tuple[Move, ...]:
    """Return the moves that count. Raises SaveError where this program doesn't know one."""
    with _understood(saved):
        return tuple(map(records.MOVES.convert, saved.moves))


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
        header = convert(records.Header, saved.header)
        snapshots = [convert(records.Snapshot, taken.content) for taken in saved.snapshots]
        places = {snapshot.turn: records.places_of(snapshot.places) for snapshot in snapshots}
        newest = dict(places[snapshots[-1].turn] if snapshots else records.standing_at_first(state))
        last = snapshots[-1] if snapshots else records.Snapshot(turn=1, at_rest=True, places={})
        leaning = [piece for piece in state.starting if piece in newest]
        return ResumePoint(
            state=state,
            structure=tuple((piece, newest[piece]) for piece in (*leaning, *state.placed)),
            places=places,
            rules=header.rules,
            moves=kept,
            figures=records.figures_of(last.figures, state.players),
            hints=records.counts_of(last.hints, state.players),
            chosen=records.counts_of(last.chosen, state.players),
            by_card=records.counts_of(last.by_card, state.players),
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
