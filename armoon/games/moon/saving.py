"""The moon game in a saved game: what is written after each event, and where a killed game resumes.

A game resumes at the start of the turn under way, or between turns where it stood (``rules.moon.turn_start``),
with the structure where it was seen last and the same face of the die next. What a host has overruled in a
turn that is broken off stays overruled. The disk is synchronised whenever a structure at rest is written, so
a power cut costs at most what happened since the structure last rested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armoon.games.moon.codec import move_from_plain, move_to_plain, setup_from_plain, setup_to_plain
from armoon.games.moon.rules.game import apply, replay, turn_start
from armoon.games.moon.rules.moves import Move, Overrule, OverruleKind, Roll
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import IllegalMove, Phase, Verdict
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.journal import Record
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose

GAME = "moon"
#: Where the ladders of a structure stand, the starting ladders not among them: those stand in their slots.
Places = tuple[tuple[PieceId, Pose], ...]


@dataclass(frozen=True)
class Making:
    """The figures that one placed ladder makes; without any it is remembered as looked at."""

    turn: int
    player: int
    """Seat of who placed it."""
    piece: PieceId
    figures: tuple[tuple[str, tuple[PieceId, ...]], ...]
    """Each figure's name, and the other ladders that it is made with."""


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

    def to_record(self) -> Record:
        """As JSON values, for the header of a log that begins here: a replay needs nothing else."""
        return {
            "rules": self.rules,
            "moves": [move_to_plain(move) for move in self.moves],
            "structure": _places_to_plain(self.structure),
            "at_rest": self.at_rest,
            "places": {str(turn): _places_to_plain(places) for turn, places in self.places.items()},
            "figures": _makings_to_plain(self.makings),
        }

    @staticmethod
    def from_record(record: Record) -> Start:
        """What ``to_record`` wrote. Raises SaveError if it is something else."""
        try:
            moves = tuple(move_from_plain(plain) for plain in record["moves"])
            return Start(
                state=replay(setup_from_plain(record["rules"]), moves),
                structure=_places_from_plain(record["structure"]),
                at_rest=bool(record.get("at_rest", True)),
                places={int(turn): _places_from_plain(rows) for turn, rows in record["places"].items()},
                rules=record["rules"],
                moves=moves,
                makings=_makings_from_plain(record.get("figures", ())),
            )
        except (KeyError, TypeError, ValueError, AttributeError, IllegalMove) as error:
            raise SaveError(
                "What the game was resumed from can't be used by this program.",
                remedy="Replay it with the version of armoon that wrote it.",
            ) from error


@dataclass(frozen=True)
class ResumePoint(Start):
    """Where a saved game goes on."""

    setup: Record
    """The match's set-up as it was given to ``MoonRecorder.begin``."""
    damage: str
    """What is lost, as a sentence; empty if nothing is."""
    keep: int
    """Of the saved moves so many still count."""
    again: tuple[Move, ...]
    """The host's overrulings in the turn that was broken off."""


class MoonRecorder:
    """Writes a moon game down as it is played."""

    def __init__(self, file: GameFile, state: State, places: Mapping[int, Places], structure: Places) -> None:
        self.state = state
        """The game as far as it is written."""
        self._file = file
        self._places = dict(places)
        self._seen: dict[PieceId, Pose] = dict(structure)
        self._snapshot: Record | None = None
        """The last one of this process."""

    @property
    def path(self) -> Path:
        """Where it is written."""
        return self._file.path

    @classmethod
    def begin(cls, path: Path, first: State, setup: Record, *, begun: str, program: str) -> MoonRecorder:
        """A new game: its position before the first move, and the match's set-up (``MatchSetup.to_record``).

        ``begun`` is date and time, ISO 8601. Raises SaveError.
        """
        header = {"rules": setup_to_plain(first), "setup": setup}
        return cls(GameFile.create(path, header, game=GAME, begun=begun, program=program), first, {}, ())

    @classmethod
    def resume(cls, saved: SavedGame, point: ResumePoint) -> MoonRecorder:
        """Go on with a saved game at its resume point. Raises SaveError."""
        again = [move_to_plain(move) for move in point.again]
        file = GameFile.reopen(saved, keep=point.keep, again=again)
        return cls(file, point.state, point.places, point.structure)

    def note(
        self, moves: Sequence[Move], standing: Places, *, at_rest: bool, makings: Sequence[Making] = ()
    ) -> None:
        """Write down the moves of one tick, with ``standing``: where that tick saw every ladder.

        The moves of a few ticks may come together, with what the last of them saw. ``makings`` are all
        figures made so far; those of turns that were put back are not among them.
        Nothing is written where there are no moves. Raises SaveError, once, when the disk is full or gone:
        the game can go on unsaved.
        """
        if not moves:
            return
        for move in moves:
            self.state = apply(self.state, move)
        if any(isinstance(move, Overrule) and move.kind is OverruleKind.PUT_TURN_BACK for move in moves):
            # The structure is being put back by these moves' orders: the tick still saw the one before.
            self._seen.update(self._places.get(self.state.turn, ()))
            at_rest = True
        else:
            self._seen.update(standing)
        snapshot: Record | None = None
        if self.state.phase in _BETWEEN_TURNS or any(isinstance(move, Roll) for move in moves):
            places = tuple((piece, self._seen[piece]) for piece in self.state.placed)
            self._places[self.state.turn] = places
            snapshot = {
                "turn": self.state.turn,
                "at_rest": at_rest,
                "places": _places_to_plain(places),
            }
            if makings:
                snapshot["figures"] = _makings_to_plain(makings)
        if snapshot == self._snapshot:
            snapshot = None  # a turn begins with the structure that the last one left
        self._snapshot = snapshot or self._snapshot
        plain = [move_to_plain(move) for move in moves]
        self._file.append(plain, snapshot, sync=snapshot is not None and at_rest)

    def close(self) -> None:
        """The program ends in peace; the game may not be over."""
        self._file.close()


def first_state(saved: SavedGame) -> State:
    """The position before the first move. Raises SaveError where it is of another game or program."""
    if saved.game != GAME:
        raise SaveError(
            f"The saved game {saved.path} is a game of {saved.game!r}, not of {GAME!r}.",
            remedy="Open it with the game it belongs to.",
        )
    try:
        return setup_from_plain(saved.header["rules"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unknown(saved) from error


def moves_of(saved: SavedGame) -> tuple[Move, ...]:
    """The moves that count. Raises SaveError where this program doesn't know one."""
    try:
        return tuple(move_from_plain(plain) for plain in saved.moves)
    except (ValueError, AttributeError) as error:
        raise _unknown(saved) from error


def state_of(saved: SavedGame) -> State:
    """The position after the last event. Raises SaveError."""
    try:
        return replay(first_state(saved), moves_of(saved))
    except (IllegalMove, TypeError, AttributeError) as error:
        raise _unknown(saved) from error


def verdicts_of(saved: SavedGame) -> Iterator[tuple[State, Verdict]]:
    """Every verdict, oldest first, with the position that it led to. Raises SaveError."""
    state = first_state(saved)
    try:
        for move in moves_of(saved):
            state = apply(state, move)
            if state.verdict is not None:
                yield state, state.verdict
    except (IllegalMove, TypeError, AttributeError) as error:
        raise _unknown(saved) from error


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
    state = replay(first_state(saved), kept)
    places: dict[int, Places] = {}
    structure: Places = ()
    makings: tuple[Making, ...] = ()
    at_rest = True
    try:
        for snapshot in saved.snapshots:
            content = snapshot.content
            structure = _places_from_plain(content["places"])
            places[int(content["turn"])] = structure
            at_rest = bool(content["at_rest"])
            makings = _makings_from_plain(content.get("figures", ()))
        newest = dict(structure)
        return ResumePoint(
            state=state,
            structure=tuple((piece, newest[piece]) for piece in state.placed),
            places=places,
            rules=saved.header["rules"],
            moves=kept,
            makings=makings,
            setup=saved.header["setup"],
            at_rest=at_rest,
            damage=saved.damage,
            keep=keep,
            again=again,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unknown(saved) from error


def _places_to_plain(places: Places) -> Record:
    return {piece: [*pose.position, *pose.rotation] for piece, pose in places}


def _places_from_plain(rows: Record) -> Places:
    return tuple((str(piece), _pose(row)) for piece, row in rows.items())


def _makings_to_plain(makings: Sequence[Making]) -> list[Any]:
    return [
        [made.turn, made.player, made.piece, [[kind, list(others)] for kind, others in made.figures]]
        for made in makings
    ]


def _makings_from_plain(rows: Sequence[Any]) -> tuple[Making, ...]:
    return tuple(
        Making(
            int(turn),
            int(player),
            str(piece),
            tuple((str(kind), tuple(str(other) for other in others)) for kind, others in figures),
        )
        for turn, player, piece, figures in rows
    )


def _pose(row: Any) -> Pose:
    x, y, z, qx, qy, qz, qw = (float(number) for number in row)
    return Pose((x, y, z), (qx, qy, qz, qw))


def _unknown(saved: SavedGame) -> SaveError:
    return SaveError(
        f"The saved game {saved.path} doesn't follow the rules of this program.",
        remedy=f"Open it with armoon {saved.program}, which began it.",
    )
