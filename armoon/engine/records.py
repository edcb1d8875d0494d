"""The log's presenter: a match's events as lines of a log, plain dictionaries, every float with all its bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from armoon.codec import MalformedError, convert, encode
from armoon.codec.wording import quoted
from armoon.engine.events import Began, Closed, Gripped, Happened, Hung, Noticed, TableTurned
from armoon.engine.intake import Intake, Record
from armoon.hands.tracking.landmarks import HandsLine, hands_to_dict
from armoon.hands.watch.onehand import WatchReport
from armoon.values.acts import Act
from armoon.values.intents import Command, GripIntent, GripPhase
from armoon.values.orders import LockGrips, Offer, Order, Place, Remove
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, PoseRow, Vec3
from armoon.world.process import Recovery
from armoon.world.stepped import Replaced

#: The kind of line that says how the world's process was replaced.
REPLACED = "replaced"

#: Maximum ticks of a frame, more than even a slow-motion video's frames have.
MOST_TICKS = 3600

#: In the log: ``GripIntent`` by time, source, phase, pose, view axis and closing.
_GripRow = tuple[float, str, GripPhase, PoseRow, Vec3, float]


@dataclass(frozen=True)
class _IntakeLine:
    """An intake in the log."""

    now_s: float
    ticks: int
    hands: HandsLine | None
    commands: tuple[tuple[Act, str, int], ...]
    grips: tuple[_GripRow, ...]
    table: PoseRow | None

    def __post_init__(self) -> None:
        if not 0 <= self.ticks <= MOST_TICKS:
            raise ValueError(f"{self.ticks} ticks are due, of at most {MOST_TICKS}")
        for act, _, _ in self.commands:
            if not act.row.table:
                raise ValueError(f"`{act.value}` is nothing that a table is asked for")


@dataclass(frozen=True)
class _ReplacedLine:
    """A Replaced in the log."""

    operation: int
    tick: int
    standing: tuple[tuple[PieceId, PoseRow, bool], ...]
    orders: tuple[tuple[Any, ...], ...]
    """Each is one of ``_ORDERS``."""


#: In the log: an order's name, then its fields.
_ORDERS: dict[str, Any] = {
    "place": tuple[str, PieceId, PoseRow, bool],
    "lock": tuple[str, bool],
    "offer": tuple[str, PieceId],
    "offer at": tuple[str, PieceId, PoseRow],
    "remove": tuple[str, PieceId],
}


def intake_record(intake: Intake) -> Record:
    """Return the intake's line, from which a replay steps the game again."""
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
    }


def intake_from_record(record: Record) -> Intake:
    """Read a line of ``intake_record``. Raises ValueError, which names a wrong field."""
    line = convert(_IntakeLine, record)
    return Intake(
        line.now_s,
        line.ticks,
        None if line.hands is None else line.hands.to_hands(),
        tuple(Command(*row) for row in line.commands),
        tuple(
            GripIntent(time_s, source, phase, Pose.of_row(pose), view_axis, closing=closing)
            for time_s, source, phase, pose, view_axis, closing in line.grips
        ),
        None if line.table is None else Pose.of_row(line.table),
    )


def records_of(happened: Happened[Any]) -> Iterator[Record]:
    """Yield the lines of an event: the engine's events have kinds of their own, others are named; some have none."""
    tick = happened.tick
    match happened.event:
        case Began(game, table, start):
            yield {"kind": "header", "game": game, **table.to_record(), **start.to_record()}
        case Intake() as intake:
            yield intake_record(intake)
        case Gripped(None):
            yield {"kind": "intent", "tick": tick, "phase": None}
        case Gripped(GripIntent() as grip):
            yield {
                "kind": "intent",
                "tick": tick,
                "phase": grip.phase.value,
                "source": grip.source,
                "position": list(grip.pose.position),
                "rotation": list(grip.pose.rotation),
            }
        case Hung(hangs):
            yield {"kind": "air", "tick": tick, "hangs": hangs.value}
        case TableTurned(turned_rad):
            yield {"kind": "turn", "tick": tick, "turned_rad": turned_rad}
        case WatchReport() as report:
            yield {"kind": "watch", "tick": tick, **report.to_dict()}
        case Replaced() as replaced:
            yield replaced_record(replaced)
        case Closed():
            yield {"kind": "end", "tick": tick}
        case Noticed():
            return
        case event:
            yield {"kind": "event", "tick": tick, "event": type(event).__name__, **encode(event)}


def replaced_record(replaced: Replaced) -> Record:
    """Return the record of a lost world's process, after which the world went on from its last state.

    A replay does the same.
    """
    known = replaced.recovery
    return {
        "kind": REPLACED,
        "operation": replaced.operation,
        "tick": known.tick,
        "standing": [(name, pose.row, fixed) for name, pose, fixed in known.standing],
        "orders": [_order_row(order) for order in known.orders],
    }


def replaced_from_record(record: Record) -> Replaced:
    """Read a line of ``replaced_record``. Raises ValueError, which names a wrong field."""
    line = convert(_ReplacedLine, record)
    standing = tuple((piece, Pose.of_row(pose), fixed) for piece, pose, fixed in line.standing)
    orders = tuple(_order_of(row) for row in line.orders)
    return Replaced(line.operation, Recovery(line.tick, standing, orders))


def _order_row(order: Order) -> tuple[Any, ...]:
    if isinstance(order, Place):
        return ("place", order.piece, order.pose.row, order.fixed)
    if isinstance(order, LockGrips):
        return ("lock", order.locked)
    if isinstance(order, Offer) and order.pose is not None:
        return ("offer at", order.piece, order.pose.row)
    return ("offer" if isinstance(order, Offer) else "remove", order.piece)


def _order_of(row: tuple[Any, ...]) -> Order:
    name = row[0] if row else None
    if not isinstance(name, str) or name not in _ORDERS:
        raise MalformedError(f"`orders`: {quoted(repr(name))} is not allowed")
    _, *fields = convert(_ORDERS[name], row)
    if name == "place":
        piece, pose, fixed = fields
        return Place(piece, Pose.of_row(pose), fixed)
    if name == "offer at":
        piece, pose = fields
        return Offer(piece, Pose.of_row(pose))
    kinds: dict[str, Callable[[Any], Order]] = {"lock": LockGrips, "offer": Offer, "remove": Remove}
    return kinds[name](*fields)
