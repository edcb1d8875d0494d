"""Saved games and logs on disk: listing, games to continue, replays of logs; and games without pictures."""

from __future__ import annotations

import datetime
import itertools
import json
from collections import deque
from collections.abc import Callable, Iterator
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
from armoon.saves.game_file import SHOWN_PREFIX, GameFile, SavedGame, changed_ns, game_paths
from armoon.values.page import Drawing
from armoon.values.text import short_repr
from armoon.world.physics import describe_build

#: Maximum number of recent games searched for unfinished ones: reading hundreds takes seconds.
MAX_RECENT = 8
#: Maximum number of unfinished games on one page.
MAX_UNFINISHED = 6


@dataclass(frozen=True)
class SavedGameEntry:
    """One line of the list of saved games."""

    number: int
    """1 is the game played last."""
    path: Path
    saved: SavedGame | None
    """None if the file can't be read."""
    summary: SaveSummary | None
    """None for an unknown game or one that can't be read."""
    trouble: str
    """The lost part, or why the file can't be read; empty if nothing is wrong."""


def list_games(folder: Path) -> tuple[SavedGameEntry, ...]:
    return tuple(_entry(number, path) for number, path in enumerate(game_paths(folder), start=1))


def list_unfinished(folder: Path) -> tuple[UnfinishedGame, ...]:
    """Return the recent games that can be continued, last played first, without demos. Raises SaveError."""
    unfinished: list[UnfinishedGame] = []
    played = [path for path in game_paths(folder) if not path.name.startswith(SHOWN_PREFIX)]
    for path in played[:MAX_RECENT]:
        try:
            saved = GameFile.read_saved(path)
            kind = load_saved_kind(saved)
            summary = kind.summarize(saved) if saved.moves else None
        except SaveError:
            continue  # `armoon games list` reports the error
        if summary is not None and not summary.over and not _is_played_elsewhere(path):
            day = datetime.date.fromtimestamp(changed_ns(path) / 1e9)
            game = (path, saved.game, summary.players, summary.options, summary.turn)
            unfinished.append(UnfinishedGame(*game, day, _drawing(kind, saved)))
            if len(unfinished) == MAX_UNFINISHED:
                break
    return tuple(unfinished)


def _drawing(kind: GameKind[Any], saved: SavedGame) -> Drawing | None:
    try:
        return kind.draw_saved_game(saved)
    except SaveError:
        return None


def _is_played_elsewhere(path: Path) -> bool:
    """Return whether another process plays this game now; its lock ends with it, even after a crash."""
    try:
        return is_locked(path)
    except OSError:
        return False


def load_saved_kind(saved: SavedGame) -> GameKind[Any]:
    """Return the kind of a saved game. Raises SaveError for an unknown game."""
    if saved.game not in GAMES:
        raise SaveError(
            f"The saved game {saved.path} is of the game {short_repr(saved.game)}, which this program doesn't have.",
            remedy="Open it with the program that wrote it.",
        )
    return load_kind(saved.game)


def _entry(number: int, path: Path) -> SavedGameEntry:
    saved = None
    try:
        saved = GameFile.read_saved(path)
        summary = load_kind(saved.game).summarize(saved) if saved.game in GAMES else None
    except SaveError as error:
        return SavedGameEntry(number, path, saved, None, str(error))
    return SavedGameEntry(number, path, saved, summary, saved.damage)


LogRecord = dict[str, Any]
REMEDY = "Replay it with the version of armoon that wrote it."


@dataclass(frozen=True)
class Verification:
    """The result of replaying a log."""

    same: bool
    verdicts: int
    """Number of verdicts, or of moves in a game without verdicts."""
    ticks: int
    difference: str = ""
    damage: str = ""
    """Damage to the log's tail; the comparison ends there."""
    build: str = ""
    """The log's physics build, if it is another one and the result differed."""
    checked: LogCheck | None = None


def create_logged_match(reader: logbook.LogReader) -> Match:
    """Return the match that a log's header describes, before its first tick. Raises LogError for an invalid header."""
    name = reader.header.get("game")
    try:
        if name not in GAMES:
            raise ValueError(f"the game {short_repr(name)}")
        match: Match = load_kind(name).create_logged_match(reader.header)
        return match
    except (ArmoonError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise LogError(
            f"The header of {reader.path} describes no game that can be played ({error}).", remedy=REMEDY
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
                # Logged after its frame's intake, as a result; a replay needs it at the start of that frame.
                intake = replace(intake, replaced=(*intake.replaced, logbook.replaced_from_record(record)))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise LogError(
                f"Line {number} of {reader.path} can't be used ({error}).", remedy=REMEDY
            ) from error
    if intake is not None:
        yield intake


def verify_log(path: Path) -> Verification:
    """Replay the log without a camera; if the physics differ, check line by line. Raises LogError."""
    reader = logbook.LogReader(path)
    expected = deque(r for r in reader.records if r["kind"] not in (logbook.HEADER, logbook.INTAKE))
    closed = reader.damage is None
    match = create_logged_match(reader)
    kind = load_kind(match.game)
    comparison = _Comparison(expected, kind)
    shown = False
    try:
        comparison.compare_output(match.opening)
        for intake in read_intakes(reader):
            shown = shown or intake.shown is not None
            comparison.compare_output(match.advance(intake))
            if comparison.difference:
                break
        if closed:
            comparison.compare_output(match.finish())
    finally:
        match.close()
    if closed and not comparison.difference and expected:
        comparison.difference = f"the log has {len(expected)} more lines than the game gives"
    differs = bool(comparison.difference) and match.table.build != describe_build()
    if shown and not comparison.difference:
        checked = kind.check_records(match, reader.records)
        comparison.difference = "" if checked is None else checked.fault
    return Verification(
        same=not comparison.difference,
        verdicts=comparison.verdicts,
        ticks=match.tick,
        difference=comparison.difference,
        damage=reader.damage or "",
        build=match.table.build if differs else "",
        checked=kind.check_records(match, reader.records) if differs else None,
    )


class _Comparison:
    """Compares a replay's records with the logged ones; a truncated log may end early."""

    def __init__(self, expected: deque[LogRecord], kind: GameKind[Any]) -> None:
        self._expected = expected
        self._kind = kind
        self.difference = ""
        self.verdicts = 0

    def compare_output(self, output: Output) -> None:
        events = (event for event in output.events if not isinstance(event.event, MatchBegan | Intake))
        for record in itertools.chain.from_iterable(map(self._kind.encode_event, events)):
            if self.difference or not self._expected:
                return
            # Through JSON, so that tuples and lists compare equal; floats keep all their bits.
            replayed = json.loads(json.dumps(record))
            logged = self._expected.popleft()
            if replayed != logged:
                self.difference = f"logged {json.dumps(logged)}, now {json.dumps(replayed)}"
            elif record["kind"] == self._kind.counted_kind:
                self.verdicts += 1


#: Ticks in each frame of a game without pictures: as at 30 frames a second.
FRAME_TICKS = 2
#: Maximum number of frames before a game is aborted: an hour of play.
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
