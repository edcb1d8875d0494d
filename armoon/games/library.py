"""Lists saved games, verifies logs by replaying them, and plays games without pictures."""

from __future__ import annotations

import datetime
import itertools
import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from armoon.clock import TICK_S
from armoon.codec.files import is_locked
from armoon.engine import logbook
from armoon.engine.events import MatchBegan, Output
from armoon.engine.match import Match
from armoon.engine.setup import Intake
from armoon.errors import ArmoonError, LogError
from armoon.games import GAMES
from armoon.games.contract import Game, GameKind, LogCheck, SaveFactory, SaveSummary, load_kind
from armoon.games.news import UnfinishedGame
from armoon.saves.files import SaveError
from armoon.saves.game_file import DEMONSTRATION_PREFIX, GameFile, SavedGame, list_game_paths, read_mtime_ns
from armoon.values.text import short_repr
from armoon.world.physics import describe_build

#: Maximum number of recent games that are searched for unfinished ones, because reading hundreds takes seconds.
MAX_RECENT = 8
#: Maximum number of unfinished games on a page.
MAX_UNFINISHED = 6


@dataclass(frozen=True)
class SavedGameEntry:
    """A line in the list of saved games."""

    number: int
    """1 for the game played last."""
    path: Path
    saved: SavedGame | None
    """None if the file can't be read."""
    summary: SaveSummary | None
    """None if the game is unknown or can't be read."""
    trouble: str
    """A description of the damage, or why the file can't be read; empty if it is intact."""


def list_games(folder: Path) -> tuple[SavedGameEntry, ...]:
    """Return the saved games in a folder, last played first. Raises SaveError if the folder can't be read."""
    entries = []
    for number, path in enumerate(list_game_paths(folder), start=1):
        saved, summary = None, None
        try:
            saved = GameFile.read_saved(path)
            summary = load_kind(saved.game).summarise(saved) if saved.game in GAMES else None
            trouble = saved.damage
        except SaveError as error:
            trouble = str(error)
        entries.append(SavedGameEntry(number, path, saved, summary, trouble))
    return tuple(entries)


def list_unfinished(folder: Path) -> tuple[UnfinishedGame, ...]:
    """Return recent games, except demos, that can be continued; last played first. Raises SaveError."""
    unfinished: list[UnfinishedGame] = []
    paths = [path for path in list_game_paths(folder) if not path.name.startswith(DEMONSTRATION_PREFIX)]
    for path in paths[:MAX_RECENT]:
        try:
            saved = GameFile.read_saved(path)
            kind = load_saved_kind(saved)
            summary = kind.summarise(saved) if saved.moves else None
        except SaveError:
            continue  # `armoon games list` reports the error
        if summary is not None and not summary.over and not is_locked(path):
            day, drawing = datetime.date.fromtimestamp(read_mtime_ns(path) / 1e9), None
            with suppress(SaveError):
                drawing = kind.draw_saved_game(saved)
            fields = (path, saved.game, summary.players, summary.options, summary.turn)
            unfinished.append(UnfinishedGame(*fields, day, drawing))
            if len(unfinished) == MAX_UNFINISHED:
                break
    return tuple(unfinished)


def load_saved_kind(saved: SavedGame) -> GameKind[Any]:
    """Return the kind of a saved game. Raises SaveError for an unknown game."""
    if saved.game not in GAMES:
        raise SaveError("fault.save.other_game", path=saved.path, game=short_repr(saved.game))
    return load_kind(saved.game)


@dataclass(frozen=True)
class Verification:
    """The result of replaying a log."""

    same: bool
    verdicts: int
    """Number of verdicts, or of moves in a game without verdicts."""
    ticks: int
    difference: str = ""
    """The first difference; empty if there is none."""
    damage: str = ""
    """Damage to the end of the log; the comparison stops there."""
    build: str = ""
    """The physics build of the log, if the replay by another build differed."""
    checked: LogCheck | None = None
    """Result of the line-by-line check, if the replay by another build differed."""


def create_logged_match(reader: logbook.LogReader) -> Match:
    """Return the match that a log's header describes, before its first tick. Raises LogError for an invalid header."""
    name = reader.header.get("game")
    try:
        if name not in GAMES:
            raise ValueError(f"unknown game {short_repr(name)}")
        match: Match = load_kind(name).create_logged_match(reader.header)
        return match
    except (ArmoonError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise LogError(
            "fault.log.header", remedy="fault.remedy.same_version", path=reader.path, why=error
        ) from error


def read_intakes(reader: logbook.LogReader) -> Iterator[Intake]:
    """Yield the logged match's intakes in order. Raises LogError for an invalid line."""
    intake: Intake | None = None
    for number, record in enumerate(reader.records, start=1):
        try:
            if record["kind"] == logbook.INTAKE:
                if intake is not None:
                    yield intake
                intake = logbook.intake_from_record(record)
            elif record["kind"] == logbook.REPLACED and intake is not None:
                # The log has it after its frame's intake, but a replay needs it at the start of that frame.
                intake = replace(intake, replaced=(*intake.replaced, logbook.replaced_from_record(record)))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise LogError(
                "fault.log.line", remedy="fault.remedy.same_version", line=number, path=reader.path, why=error
            ) from error
    if intake is not None:
        yield intake


def verify_log(path: Path) -> Verification:
    """Replay a log; if another physics build wrote it and the replay differs, check each line. Raises LogError."""
    reader = logbook.LogReader(path)
    expected = deque(r for r in reader.records if r["kind"] not in (logbook.HEADER, logbook.INTAKE))
    closed = reader.damage is None
    match = create_logged_match(reader)
    kind = load_kind(match.game)
    difference, verdicts, has_shown = "", 0, False

    def replay() -> Iterator[Output]:
        nonlocal has_shown
        yield match.opening
        for intake in read_intakes(reader):
            has_shown = has_shown or intake.shown is not None
            yield match.advance(intake)
        if closed:
            yield match.finish()

    with closing(match):
        for output in replay():
            difference, counted = _compare_output(output, expected, kind)
            verdicts += counted
            if difference:
                break
    if closed and not difference and expected:
        difference = f"the log has {len(expected)} more lines than the replay"
    differs = bool(difference) and match.table.build != describe_build()
    if has_shown and not difference:
        checked = kind.check_records(match, reader.records)
        difference = "" if checked is None else checked.fault
    return Verification(
        same=not difference,
        verdicts=verdicts,
        ticks=match.tick,
        difference=difference,
        damage=reader.damage or "",
        build=match.table.build if differs else "",
        checked=kind.check_records(match, reader.records) if differs else None,
    )


def _compare_output(
    output: Output, expected: deque[logbook.LogRecord], kind: GameKind[Any]
) -> tuple[str, int]:
    """Compare an output's records with the expected ones, which may end early, and remove those compared.

    Return the first difference, empty if there is none, and the number of equal records of the counted kind.
    """
    counted = 0
    events = (event for event in output.events if not isinstance(event.event, MatchBegan | Intake))
    for record in itertools.chain.from_iterable(map(kind.encode_event, events)):
        if not expected:
            break
        # Compare as JSON, which turns tuples into lists as in the log; floats keep all bits.
        replayed, logged = json.loads(json.dumps(record)), expected.popleft()
        if replayed != logged:
            return f"logged {json.dumps(logged)}, now {json.dumps(replayed)}", counted
        counted += record["kind"] == kind.counted_kind
    return "", counted


#: Ticks per frame of a game without pictures: 30 frames per second.
FRAME_TICKS = 2
#: Maximum number of frames of a game: an hour of play.
MAX_FRAMES = 30 * 3600


def play_to_end(
    game: Game[Any],
    say: Callable[[str], object],
    create_save: SaveFactory = lambda match: None,
) -> None:
    writer = create_save(game.match)
    try:
        for frame in range(MAX_FRAMES):
            now_s = frame * FRAME_TICKS * TICK_S
            output = game.advance(Intake(now_s, FRAME_TICKS, None)) if frame else game.match.opening
            for sentence in game.list_sentences(output):
                say(sentence)
            try:
                if writer is not None:
                    writer.write_now(output)
            except SaveError as error:
                say(str(error))
                writer = None
            if game.match.over:
                break
    finally:
        if writer is not None:
            writer.close()
        game.close()
