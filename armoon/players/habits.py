"""How the demo's player holds and closes its hand, in any game."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.poses import Pose, Vec3

CLOSING_S = 0.35
#: A pinch that took nothing is opened and tried again after this long.
GRAB_PATIENCE_S = 1.2


@dataclass(frozen=True)
class Habits:
    """How this player holds its hand: poses of the grip frame in the table frame."""

    rest: Pose
    """Where the open hand waits."""
    reach_rotation: Pose
    """Only the rotation counts: how the hand takes a ladder."""
    view_axis: Vec3 = (0.0, 1.0, 0.0)
    """The direction in which the camera looks; turns about it are followed best."""
    grasp_height: float = 0.62
    """Where the ladder is taken, as a share of its length from its lower end."""
