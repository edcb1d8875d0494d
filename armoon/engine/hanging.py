"""What is let go of in the air: how it hangs there, and which grip takes it again."""

from __future__ import annotations

import enum
import math

from armoon.values.intents import GripIntent
from armoon.values.poses import Vec3

#: A grip takes what hangs in the air if its line of sight passes the middle of it within this.
TAKEN_WITHIN_M = 0.03


class Hangs(enum.Enum):
    """Whether what is held hangs in the air without a hand."""

    NOT = "not"
    LET_GO = "let_go"
    """Fingers opened far from everything; whoever closes at it takes it."""
    PARKED = "parked"
    """It was parked by a wish; the next closing takes it from wherever the hand is."""


def sight_passes(grip: GripIntent, point: Vec3) -> float:
    """How far a grip's line of sight passes a point, metres."""
    away = [p - g for p, g in zip(point, grip.pose.position, strict=True)]
    along = sum(a * v for a, v in zip(away, grip.view_axis, strict=True))
    return math.sqrt(max(0.0, sum(a * a for a in away) - along * along))
