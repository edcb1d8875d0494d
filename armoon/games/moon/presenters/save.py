"""A saved moon game: written during play, resumed, printed in the terminal, and as rows for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from armoon.engine.events import Output
from armoon.engine.keeper import Keeper, Writing
from armoon.engine.records import records_of
from armoon.errors import ArmoonError
from armoon.games.contract.kind import Summary, Table
from armoon.games.moon.figures.figure import FigureKind, tally_of
from armoon.games.moon.options import BOTS, MoonOptions
from armoon.games.moon.referee.sentences import out_line, outcome_lines, say, verdict_line
from armoon.games.moon.referee.sight import leaning
from armoon.games.moon.rules.editions import EditionName
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.state import State
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.result import result_of
from armoon.games.moon.table.saving import (
    MoonRecorder,
    ResumePoint,
    first_state,
    resume_point,
    state_of,
    verdicts_of,
)
from armoon.games.moon.table.setup import MoonSetup
from armoon.messages import speaking_of, text
from armoon.messages.numbers import centimetres
from armoon.options.option import read_record
from armoon.saves.errors import SaveError
from armoon.saves.game_file import SavedGame
from armoon.saves.results import Result
from armoon.values.pieces import Ladder
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.exact import highest_point
from armoon.world.ladders import make_ladder_set

#: Number of last verdicts in the summary.
LAST_VERDICTS = 5


def summary(saved: SavedGame) -> Summary:
    """Return a saved game in a line, as it goes on. Raises SaveError."""
    point = resume_point(saved)
    with usable(saved):
        bots = read_record((BOTS,), point.setup)
    state = point.state
    options = MoonOptions(EditionName(state.edition_name), house=state.options, **bots)
    return Summary(state.players, state.turn - state.over, state.over, options, state.edition_name)


def story(saved: SavedGame) -> tuple[str | Table, ...]:
    """Score, outcome, last verdicts, how high everything stands, in the edition's words. Raises SaveError."""
    point, now = resume_point(saved), state_of(saved)
    with speaking_of(now.edition.words):
        parts: list[str | Table] = [
            text("games.edition", edition=text(f"option.edition.word.{now.edition_name}")),
            _score_table(now, point),
        ]
        result = outcome(now)
        if result is not None:
            parts += [say(sentence) for sentence in outcome_lines(now, result)]
        for state, verdict in list(verdicts_of(saved))[-LAST_VERDICTS:]:
            sentence = say(verdict_line(state, verdict))
            parts.append(text("games.verdict", turn=verdict.turn, sentence=sentence))
        heights = structure_heights(point)
        if heights:
            rows = tuple((piece, centimetres(highest_m)) for piece, highest_m in heights)
            parts.append(Table(("ladder", "height"), rows))
        return tuple(parts)


def structure_heights(point: ResumePoint) -> tuple[tuple[str, float], ...]:
    """How high every ladder's highest point stands (metres above the table), the highest first. Raises SaveError."""
    standing = standing_at(point)
    heights = [(ladder.piece, highest_point(ladder.boxes, pose)) for ladder, pose in standing]
    return tuple(sorted(heights, key=lambda row: (-row[1], row[0])))


def standing_at(point: ResumePoint) -> tuple[tuple[Ladder, Pose], ...]:
    """Return the ladders that stand where a saved game goes on, the starting ones first. Raises SaveError."""
    try:
        setup = MoonSetup.from_record(point.setup)
        ladders = make_ladder_set(setup.ladder_seed)
        starting = tuple(ladders[piece] for piece in point.state.starting)
        slots = make_base(starting, setup.slots).slots
        # A starting ladder that leans is in the structure too.
        standing = dict(zip(point.state.starting, slots, strict=True)) | dict(point.structure)
        return tuple((ladders[piece], pose) for piece, pose in standing.items())
    except (KeyError, ValueError, ArmoonError) as error:  # KeyError: a ladder that isn't in the box
        raise SaveError(
            f"The saved game's set-up can't be used ({error}).",
            remedy="Open it with the version of armoon that wrote it.",
        ) from error


@contextmanager
def usable(saved: SavedGame) -> Iterator[None]:
    """Raise SaveError where a saved match's set-up can't be used."""
    try:
        yield
    except ValueError as error:
        raise SaveError(
            f"The set-up of the saved game {saved.path} can't be used ({error}).",
            remedy=f"Open it with armoon {saved.program}, which began it.",
        ) from error


def _score_table(state: State, point: ResumePoint) -> Table:
    figures = tally_of(point.figures, len(state.players))
    rows = []
    for seat, player in enumerate(state.players):
        why = state.out[seat]
        out = "" if why is None else say(out_line(state, seat, why))
        rows.append((player, str(state.tears[seat]), _counted(figures[seat]), out))
    caption = text("games.tears_left", count=state.tears_left, total=state.tears_total)
    return Table(("player", "tears", "figures", "out"), tuple(rows), caption)


def _counted(figures: Counter[FigureKind]) -> str:
    """How often each figure was made, as "Swing: 2 times, Bolt: 1 time"."""
    lines = [
        text("figure.tally", figure=text(kind.name_key), count=figures[kind])
        for kind in sorted(figures, key=lambda kind: kind.value)
    ]
    return ", ".join(lines)


def score_rows(saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return the verdicts, a row each, and what every player has taken by then; columns first. Raises SaveError."""
    players = first_state(saved).players
    head = ("turn", "player", "die", "ladder", "ok", "ruling", "reason", "height_m", "charged", "points")
    columns = (*head, "tears_left", *(f"tears {player}" for player in players))
    rows: list[tuple[object, ...]] = [
        (
            verdict.turn,
            players[verdict.player],
            "" if verdict.die is None else verdict.die.value,
            verdict.ladder or "",
            "yes" if verdict.ok else "no",
            verdict.ruling,
            verdict.reason.value,
            "" if verdict.height_m is None else verdict.height_m,
            "" if verdict.charged is None else players[verdict.charged],
            sum(worth for _, worth in verdict.points),
            state.tears_left,
            *state.tears,
        )
        for state, verdict in verdicts_of(saved)
    ]
    return columns, rows


def begin(match: MoonMatch, path: Path, begun: str, program: str) -> Keeper:
    """Begin the match's saved game. Raises SaveError."""
    (setup,) = records_of(match.opening.events[0])
    return _keeper(match, MoonRecorder.begin(path, match.first_state, setup, begun=begun, program=program))


def resume(match: MoonMatch, saved: SavedGame) -> Keeper:
    """Go on writing a saved game. Raises SaveError."""
    return _keeper(match, MoonRecorder.resume(saved, resume_point(saved)))


def _keeper(match: MoonMatch, recorder: MoonRecorder) -> Keeper:
    """Return what writes a match's moves and structures."""
    kept: tuple[State | None, tuple[int, ...]] = (None, tuple(match.hints))
    """The position and the hints that were written down last."""

    def note(output: Output) -> Writing | None:
        nonlocal kept
        facts, state, hints = match.facts, match.state, tuple(match.hints)
        if state is kept[0] and hints == kept[1]:
            return None  # most frames of the loop end here
        kept = state, hints
        slots = dict(zip(state.starting, match.base.slots, strict=True))
        return partial(
            recorder.write,
            output.of(Move),
            tuple((piece.piece, piece.pose) for piece in facts.pieces),
            at_rest=facts.at_rest,
            leaning=leaning(facts, slots),
            figures=match.figures.made,
            hints=hints,
            chosen=tuple(match.places_chosen),
            by_card=tuple(match.by_card),
        )

    return Keeper(recorder.file, note, partial(_result, match))


def _result(match: MoonMatch, game: str, date: str) -> Result | None:
    """Return how the game ended; None while it goes on."""
    state = match.state
    if not state.over:
        return None
    tally = tally_of(match.figures.made, len(state.players))
    counts = {
        name: {kind.value: made[kind] for kind in FigureKind if made[kind]}
        for name, made in zip(state.players, tally, strict=True)
        if made
    }
    return result_of(game, state, date, counts)
