"""How a match's happenings look as lines of a log: plain dictionaries, every float with all its bits."""

from __future__ import annotations

import enum
from dataclasses import fields, is_dataclass
from typing import Any

from armoon.engine.intake import Intake, Record
from armoon.hands.tracking.landmarks import hands_from_dict, hands_to_dict
from armoon.hands.watch.onehand import WatchReport
from armoon.values.intents import Command, CommandKind, GripIntent, GripPhase
from armoon.values.orders import LockGrips, Offer, Order, Place, Remove
from armoon.values.poses import Pose
from armoon.world.process import Recovery
from armoon.world.stepped import Replaced

#: The kind of line that says how the world's process was replaced.
REPLACED = "replaced"


def plain(value: Any) -> Any:
    """A value of the rules or the referee as ``json`` can write it: enums by value, dataclasses by field."""
    if isinstance(value, enum.Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return value


def intake_record(intake: Intake) -> Record:
    """What came in: the line from which a replay steps the game again."""
    now_s, ticks, hands, commands = intake.now_s, intake.ticks, intake.hands, intake.commands
    return {
        "kind": "hands",
        "now_s": now_s,
        "ticks": ticks,
        "hands": None if hands is None else hands_to_dict(hands),
        "commands": [[c.kind.value, c.source, c.value] for c in commands],
        "grips": [_grip_to_plain(grip) for grip in intake.grips],
        "table": None if intake.table_from_camera is None else _pose_to_plain(intake.table_from_camera),
    }


def intake_from_record(record: Record) -> Intake:
    """What ``intake_record`` wrote. Raises KeyError, TypeError or ValueError if it is something else."""
    hands = record["hands"]
    return Intake(
        float(record["now_s"]),
        int(record["ticks"]),
        None if hands is None else hands_from_dict(hands),
        tuple(
            Command(CommandKind(kind), str(source), int(value)) for kind, source, value in record["commands"]
        ),
        tuple(_grip_from_plain(row) for row in record["grips"]),
        None if record["table"] is None else _pose_from_plain(record["table"]),
    )


def _pose_to_plain(pose: Pose) -> list[float]:
    return [*pose.position, *pose.rotation]


def _pose_from_plain(row: list[Any]) -> Pose:
    x, y, z, i, j, k, w = map(float, row)
    return Pose((x, y, z), (i, j, k, w))


def _grip_to_plain(grip: GripIntent) -> list[Any]:
    return [
        grip.time_s,
        grip.source,
        grip.phase.value,
        _pose_to_plain(grip.pose),
        list(grip.view_axis),
        grip.closing,
    ]


def _grip_from_plain(row: list[Any]) -> GripIntent:
    time_s, source, phase, pose, axis, closing = row
    u, v, t = map(float, axis)
    return GripIntent(
        time_s=float(time_s),
        source=str(source),
        phase=GripPhase(phase),
        pose=_pose_from_plain(pose),
        view_axis=(u, v, t),
        closing=float(closing),
    )


def intent_record(tick: int, grip: GripIntent | None) -> Record:
    """A grip that has entered another phase."""
    if grip is None:
        return {"kind": "intent", "tick": tick, "phase": None}
    return {
        "kind": "intent",
        "tick": tick,
        "phase": grip.phase.value,
        "source": grip.source,
        "position": list(grip.pose.position),
        "rotation": list(grip.pose.rotation),
    }


def watch_record(tick: int, report: WatchReport) -> Record:
    """The one-hand watch has changed its mind (ruling F3): of which hands, and since when."""
    return {"kind": "watch", "tick": tick, **report.to_dict()}


def replaced_record(replaced: Replaced) -> Record:
    """The world's process was lost, and the world went on from where it was last seen: a replay does the same."""
    known = replaced.recovery
    return {
        "kind": REPLACED,
        "operation": replaced.operation,
        "tick": known.tick,
        "standing": [[name, _pose_to_plain(pose), fixed] for name, pose, fixed in known.standing],
        "orders": [_order_to_plain(order) for order in known.orders],
    }


def replaced_from_record(record: Record) -> Replaced:
    """What ``replaced_record`` wrote. Raises KeyError, TypeError or ValueError if it is something else."""
    standing = tuple(
        (str(name), _pose_from_plain(pose), bool(fixed)) for name, pose, fixed in record["standing"]
    )
    orders = tuple(_order_from_plain(row) for row in record["orders"])
    return Replaced(int(record["operation"]), Recovery(int(record["tick"]), standing, orders))


def _order_to_plain(order: Order) -> list[Any]:
    if isinstance(order, Place):
        return ["place", order.piece, _pose_to_plain(order.pose), order.fixed]
    if isinstance(order, LockGrips):
        return ["lock", order.locked]
    return ["offer" if isinstance(order, Offer) else "remove", order.piece]


def _order_from_plain(row: list[Any]) -> Order:
    match row:
        case ["place", piece, pose, fixed]:
            return Place(str(piece), _pose_from_plain(pose), bool(fixed))
        case ["lock", locked]:
            return LockGrips(bool(locked))
        case ["offer", piece]:
            return Offer(str(piece))
        case ["remove", piece]:
            return Remove(str(piece))
    raise ValueError(f"no order: {row!r}")
