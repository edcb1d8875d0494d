"""A player's view of the moon game."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.players.sight import Sight
from armoon.values.facts import Facts
from armoon.values.poses import IDENTITY_POSE, Pose

#: A bot is on turn: hands of people do nothing.
BOTS_TURN = "BOT"


@dataclass(frozen=True)
class MoonSight(Sight):
    """The picture as a player understands it."""

    phase: str
    """The name of the phase: ``"ROLL"``, ``"DRAW"``, ``"HOLD"``, ``"SETTLE"`` or ``"OVER"``; or
    ``BOTS_TURN``."""
    die: str | None
    """``"ONE"``, ``"TWO"``, ``"MOON"`` or None before the roll."""
    facts: Facts
    home_from_table: Pose = IDENTITY_POSE
    """How the table is turned."""
