"""What a player sees of the table and what a player's hand does: the values between mind and game."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.facts import Facts
from armoon.values.poses import Pose


@dataclass(frozen=True)
class Sight:
    """The picture as a player understands it: everything here is visible on screen."""

    time_s: float
    turn: int
    """Counts the turns of the game, from 1."""
    phase: str
    """The name of the phase: ``"ROLL"``, ``"DRAW"``, ``"HOLD"``, ``"SETTLE"`` or ``"OVER"``."""
    die: str | None
    """``"ONE"``, ``"TWO"``, ``"MOON"`` or None before the roll."""
    facts: Facts


@dataclass(frozen=True)
class HandAim:
    """Where a player's hand is and how far its thumb and index finger are closed."""

    grip: Pose
    """The hand's grip frame in the table frame: origin where the finger tips meet, rotation of the hand."""
    closing: float
    """0 open to 1 pinched."""
