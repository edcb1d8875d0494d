"""The game's log: JSON lines from which a game can be recomputed bit for bit.

The first line is the header. Then each frame of the loop has a ``hands`` line, its intake, followed by its results.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from armoon.codec import (
    MalformedError,
    Variants,
    convert,
    encode,
    encode_json,
    name_variants,
    parse,
)
from armoon.codec.files import GrowingFile, open_file
from armoon.engine.events import (
    GripChanged,
    MatchBegan,
    MatchClosed,
    MatchEvent,
    NoticeShown,
    Output,
    ParkingChanged,
    TableTurned,
)
from armoon.engine.setup import Intake, Record
from armoon.errors import LogError
from armoon.hands.landmarks import HandsLine, hands_to_dict
from armoon.hands.one_hand_watch import WatchReport
from armoon.messages import text
from armoon.saves.game_file import GameFile
from armoon.saves.profiles import Result, store_result
from armoon.values import pieces
from armoon.values.acts import Act
from armoon.values.poses import Pose, PoseRow, Vec3
from armoon.values.text import short_repr
from armoon.world.process import FactsChange, Recovery, WorldReplaced

LogRecord = dict[str, Any]

#: Kind of an intake's line. All other lines, except the header, are results that a replay must reproduce.
INTAKE = "hands"
HEADER = "header"
END = "end"
#: Version of the log, in the header. Raise it with every change to lines, pinch thresholds, gestures or physics that
#: would make older logs replay differently.
VERSION = 5
#: Kinds of lines after which the file is flushed. A crash loses only lines after the last of these.
FLUSHED_KINDS = {"header", "move", "verdict", "poses", "end"}
#: Maximum number of bytes between flushes: a few seconds of a game.
MAX_BLOCK_BYTES = 64 * 1024
#: Maximum number of bytes in memory while the disk is full: two hours of a game.
MAX_WAITING_BYTES = 64 * 1024 * 1024
#: Maximum length of a log in bytes, which protects the disk: a day of play.
MAX_BYTES = 1024 * 1024 * 1024
#: Maximum length of a line in bytes. The longest one, a resumed game's header, has a few hundred kilobytes.
MAX_LINE_BYTES = 64 * 1024 * 1024


class LogWriter:
    """Writes records to a file, one line each."""

    def __init__(self, path: Path, *, named: bool = True, replace: bool = False) -> None:
        """Create the log's file, or raise LogError.

        A path that the user ``named`` must be free, unless ``replace`` is set. If another path is taken, the log's name
        gets a number.
        """
        self._is_broken = False
        self._is_reported = False
        self._written_bytes = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _create_file(path, named=named, replace=replace)
        except OSError as error:
            if isinstance(error, FileExistsError) and path.is_file():
                raise file_exists_error(path) from error
            raise LogError("fault.log.unwritable", path=path, why=error) from error

    @property
    def path(self) -> Path:
        return self._file.path

    def write_record(self, record: LogRecord) -> None:
        """Append a line.

        Raises LogError once if the disk is full or gone; lines then wait in memory for space. A record that can't be
        encoded, or a log that is too long, also raises LogError and permanently stops the writing.
        """
        if self._is_broken:
            return  # with lines after a missing one, the log would look complete
        try:
            line = encode_json(record) + b"\n"
        except MalformedError as problem:
            self._flush()
            raise self._stop_writing(str(problem), "fault.log.so_far") from problem
        self._file.buffer(line)
        self._written_bytes += len(line)
        if self._written_bytes > MAX_BYTES:
            self._flush()
            raise self._stop_writing(text("fault.log.long", size=MAX_BYTES // 1024**2), "fault.log.without")
        if self._file.waiting_bytes > MAX_WAITING_BYTES:
            raise self._stop_writing(text("fault.log.slow"), "fault.log.without")
        if record["kind"] in FLUSHED_KINDS or self._file.waiting_bytes > MAX_BLOCK_BYTES:
            self._flush()

    def close(self) -> None:
        try:
            if not self._is_broken:
                self._flush()
        finally:
            self._file.close()

    def _flush(self) -> None:
        was_deleted = not self._is_reported and self._file.is_gone
        try:
            if was_deleted:
                self._file.restore()
            self._file.write()
        except OSError as error:
            if not self._is_reported:
                self._is_reported = True
                raise LogError("fault.log.stopped", path=self.path, why=error) from error
            return
        self._is_reported = False
        if was_deleted:
            raise LogError("fault.log.restored", path=self.path)

    def _stop_writing(self, why: str, remedy: str) -> LogError:
        self._is_broken = True
        return LogError("fault.log.stopped", remedy=remedy, path=self.path, why=why)


def file_exists_error(path: Path) -> LogError:
    return LogError("fault.log.exists", path=path)


def _create_file(path: Path, *, named: bool, replace: bool) -> GrowingFile:
    if path.is_char_device():
        return GrowingFile(path, new=False)  # such as /dev/null
    if replace and path.is_file():
        path.unlink()
    stem = path.stem
    names = (path.with_stem(f"{stem}-{number}") for number in itertools.count(2))
    while True:
        try:
            return GrowingFile(path, new=True)
        except FileExistsError:
            if named:
                raise
            path = next(names)


class LogReader:
    """Reads a log line by line: its header, and its records any number of times."""

    def __init__(self, path: Path) -> None:
        """Open a log. Raises LogError if it is missing or unreadable, or has another version."""
        self.path = path
        self._scanned: tuple[int, str | None] | None = None
        first = next(self._lines(), None)
        if first is None or first["kind"] != HEADER:
            raise LogError("fault.log.no_header", path=path)
        if first.get("version") != VERSION:
            raise LogError(
                "fault.log.version",
                remedy="fault.remedy.same_version",
                path=path,
                found=short_repr(first.get("version")),
                expected=VERSION,
            )
        self.header = first

    @property
    def records(self) -> Iterator[LogRecord]:
        count, _ = self._scanned or (None, None)
        return itertools.islice(self._lines(), count)

    @property
    def damage(self) -> str | None:
        """A description of the damage that ends the log early, if any; the first call reads the whole file."""
        if self._scanned is None:
            for _ in self._lines():
                pass
        assert self._scanned is not None  # set at the end of ``_lines``
        return self._scanned[1]

    def check_complete(self) -> None:
        """Raise LogError if the log ends early; call it after showing the records."""
        if self.damage is not None:
            raise LogError("fault.log.incomplete", path=self.path, damage=self.damage)

    def _lines(self) -> Iterator[LogRecord]:
        damage: str | None = None
        last: LogRecord = {}
        number = 0
        try:
            with open_file(self.path) as file:
                while line := file.readline(MAX_LINE_BYTES):
                    record = _parse_record(line)
                    if record is None:
                        damage = text("fault.log.cut", line=number + 1)
                        break
                    number, last = number + 1, record
                    yield record
        except (OSError, MalformedError) as error:
            raise LogError("fault.log.unreadable", path=self.path, why=error) from error
        if damage is None and last.get("kind") != END:
            damage = text("fault.log.unfinished", line=number)
        if self._scanned is None:
            self._scanned = number, damage


def _parse_record(line: bytes) -> LogRecord | None:
    try:
        record = parse(line)
    except MalformedError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("kind"), str) else None


#: Kind of the line that reports a replacement of the world's process.
REPLACED = "replaced"

#: Maximum number of ticks in a frame, more than in any frame of a slow-motion video.
MAX_TICKS = 3600
#: Maximum number of ``Intake.places``.
MAX_PLACES = 8

#: A ``GripIntent`` in the log: time, source, phase, pose, view axis and closing.
_GripRow = tuple[float, str, pieces.GripPhase, PoseRow, Vec3, float]


@dataclass(frozen=True)
class _IntakeLine:
    now_s: float
    ticks: int
    hands: HandsLine | None
    commands: tuple[tuple[Act, str, int], ...]
    grips: tuple[_GripRow, ...]
    table: PoseRow | None
    places: tuple[PoseRow, ...] | None = None
    shown: FactsChange | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.ticks <= MAX_TICKS:
            raise ValueError(f"{self.ticks} ticks; the maximum is {MAX_TICKS}")
        if len(self.places or ()) > MAX_PLACES:
            raise ValueError(f"{len(self.places or ())} places; the maximum is {MAX_PLACES}")
        for act, _, _ in self.commands:
            if not act.row.table:
                raise ValueError(f"`{act.value}` is not a command of the table")


@dataclass(frozen=True)
class _ReplacedLine:
    operation: int
    tick: int
    standing: tuple[tuple[pieces.PieceId, PoseRow, bool], ...]
    orders: tuple[tuple[Any, ...], ...]
    """Orders with their fields as in ``_ORDERS``."""
    asleep: bool


#: Class and row type of each kind of order. A row has the kind's name and those fields of the order that aren't None.
_ORDERS: dict[str, tuple[type[Any], Any]] = {
    "place": (pieces.Place, tuple[str, pieces.PieceId, PoseRow, bool]),
    "lock": (pieces.LockGrips, tuple[str, bool]),
    "offer": (pieces.Offer, tuple[str, pieces.PieceId]),
    "offer at": (pieces.Offer, tuple[str, pieces.PieceId, PoseRow]),
    "remove": (pieces.Remove, tuple[str, pieces.PieceId]),
}


def encode_intake(intake: Intake) -> Record:
    now_s, ticks, hands, commands = intake.now_s, intake.ticks, intake.hands, intake.commands
    return {
        "kind": "hands",
        "now_s": now_s,
        "ticks": ticks,
        "hands": None if hands is None else hands_to_dict(hands),
        "commands": [(c.kind.value, c.source, c.value) for c in commands],
        "grips": [
            (g.time_s, g.source, g.phase.value, g.pose.row, g.view_axis, g.closing) for g in intake.grips
        ],
        "table": None if intake.table_from_camera is None else intake.table_from_camera.row,
        "places": None if intake.places is None else [place.row for place in intake.places],
        **({} if intake.shown is None else {"shown": encode(intake.shown)}),
    }


def intake_from_record(record: Record) -> Intake:
    line = convert(_IntakeLine, record)
    return Intake(
        line.now_s,
        line.ticks,
        None if line.hands is None else line.hands.to_hands(),
        tuple(pieces.Command(*row) for row in line.commands),
        tuple(
            pieces.GripIntent(time_s, source, phase, Pose.from_row(pose), view_axis, closing=closing)
            for time_s, source, phase, pose, view_axis, closing in line.grips
        ),
        None if line.table is None else Pose.from_row(line.table),
        None if line.places is None else tuple(map(Pose.from_row, line.places)),
        shown=line.shown,
    )


def records_of(match_event: MatchEvent[Any], moves: Variants[Any] | None = None) -> Iterator[Record]:
    """Yield an event's log lines; ``moves`` is the codec of the game's moves. Other lines have their event's name."""
    tick = match_event.tick
    match match_event.event:
        case move if moves is not None and isinstance(move, moves.kinds):
            yield {"kind": "move", "tick": tick, "move": moves.encode(move)}
        case MatchBegan(game, table, start):
            yield {"kind": HEADER, "version": VERSION, "game": game, **table.to_record(), **start.to_record()}
        case Intake() as intake:
            yield encode_intake(intake)
        case GripChanged(None):
            yield {"kind": "intent", "tick": tick, "phase": None}
        case GripChanged(pieces.GripIntent() as grip):
            yield {
                "kind": "intent",
                "tick": tick,
                "phase": grip.phase.value,
                "source": grip.source,
                "position": list(grip.pose.position),
                "rotation": list(grip.pose.rotation),
            }
        case ParkingChanged(parking):
            yield {"kind": "air", "tick": tick, "hangs": parking.value}
        case TableTurned(turned_rad):
            yield {"kind": "turn", "tick": tick, "turned_rad": turned_rad}
        case WatchReport() as report:
            yield {"kind": "watch", "tick": tick, **report.to_dict()}
        case WorldReplaced() as replaced:
            yield encode_replaced(replaced)
        case MatchClosed():
            yield {"kind": "end", "tick": tick}
        case NoticeShown():
            return
        case event:
            (word,) = name_variants([type(event)])
            yield {"kind": word, "tick": tick, **encode(event)}


def encode_replaced(replaced: WorldReplaced) -> Record:
    """Return the record from which a replay recovers the world's state."""
    recovery = replaced.recovery
    return {
        "kind": REPLACED,
        "operation": replaced.operation,
        "tick": recovery.tick,
        "standing": [(name, pose.row, fixed) for name, pose, fixed in recovery.standing],
        "orders": [_encode_order(order) for order in recovery.orders],
        "asleep": recovery.asleep,
    }


def replaced_from_record(record: Record) -> WorldReplaced:
    line = convert(_ReplacedLine, record)
    standing = tuple((piece, Pose.from_row(pose), fixed) for piece, pose, fixed in line.standing)
    orders = tuple(map(_decode_order, line.orders))
    return WorldReplaced(line.operation, Recovery(line.tick, standing, orders, line.asleep))


def _encode_order(order: pieces.Order) -> tuple[Any, ...]:
    values = [getattr(order, field.name) for field in fields(order)]
    row = [value.row if isinstance(value, Pose) else value for value in values if value is not None]
    for name, (kind, shape) in _ORDERS.items():
        if isinstance(order, kind) and len(get_args(shape)) == 1 + len(row):
            return (name, *row)
    raise TypeError(order)


def _decode_order(row: tuple[Any, ...]) -> pieces.Order:
    name = row[0] if row else None
    if not isinstance(name, str) or name not in _ORDERS:
        raise MalformedError(f"`orders`: {short_repr(name)} is not allowed")
    kind, shape = _ORDERS[name]
    _, *values = convert(shape, row)
    order: pieces.Order = kind(*(Pose.from_row(v) if isinstance(v, tuple) else v for v in values))
    return order


#: Writes to disk, possibly in another thread. Raises SaveError if the disk is full or unavailable.
WriteJob = Callable[[], None]


class SavedGameWriter:
    """Writes a match to its saved game and its result to the file of results."""

    def __init__(
        self,
        file: GameFile,
        job: Callable[[Output], WriteJob | None],
        result: Callable[[str, str], Result | None],
    ) -> None:
        """Prepare to write a match to a file.

        ``job`` copies a frame's new data and returns a function that writes them, or None without new data. ``result``
        returns the finished game's result for a name and a date, or None before the end.
        """
        self.file = file
        self._job, self._result = job, result
        self._was_over = result("", "") is not None

    @property
    def path(self) -> Path:
        return self.file.path

    def prepare_write(self, output: Output) -> WriteJob | None:
        """Return a job that writes a frame's new data, or None without any.

        The job can run in another thread. It raises SaveError once per file.
        """
        for event in output.events_of(TableTurned):
            self.file.turned_rad = event.turned_rad
        write = self._job(output)
        if write is None:
            return None
        name = self.path.stem
        result = self._result(name, datetime.now().isoformat(timespec="seconds"))
        was_over, self._was_over = self._was_over, result is not None
        if result is None and not was_over:
            return write

        def write_both() -> None:
            try:
                write()
            finally:  # the file of results can be writable even if the game's file isn't
                store_result(self.path.parent, name, result)

        return write_both

    def write_now(self, output: Output) -> None:
        write = self.prepare_write(output)
        if write is not None:
            write()

    def close(self) -> None:
        self.file.close()
