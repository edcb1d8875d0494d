"""The input to one frame of the loop, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armoon.hands.landmarks import Hands
from armoon.values.pieces import Command, GripIntent
from armoon.values.poses import Pose
from armoon.world.process import Replaced

#: A line of the log.
Record = dict[str, Any]


@dataclass(frozen=True)
class Intake:
    """Everything that comes into one frame of the loop."""

    now_s: float
    """The camera's clock at the end of this frame."""
    ticks: int
    """How many fixed ticks are due."""
    hands: Hands | None
    """A tracker's result that wasn't seen before, if there is one."""
    commands: tuple[Command, ...] = ()
    """Each is heard at the next tick; where none is due in this frame, at the first of a later one."""
    grips: tuple[GripIntent, ...] = ()
    """Of mouse, keys or another device, in their order."""
    table_from_camera: Pose | None = None
    """Where the table is from now on; None: where it was."""
    replaced: tuple[Replaced, ...] = ()
    """In a replay: how the world's process was replaced in this frame."""
