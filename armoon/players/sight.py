"""A player's view of the table and a hand's actions: the values between mind and game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

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
    eye: Vec3 = (0.0, -0.60, 0.30)
    """Where the camera is."""
    grasp_height: float = 0.62
    """Where the ladder is taken, as a share of its length from its lower end."""
    exact: bool = False
    """What it holds goes as far as the hand in depth as well."""


@dataclass(frozen=True)
class Sight:
    """The picture as a player understands it: everything here is visible on screen. Games add what theirs shows."""

    time_s: float
    turn: int
    """Counts the turns of the game, from 1."""


@dataclass(frozen=True)
class HandAim:
    """Where a player's hand is and how far its thumb and index finger are closed."""

    grip: Pose
    """The hand's grip frame in the table frame: origin where the finger tips meet, rotation of the hand."""
    closing: float
    """0 open to 1 pinched."""


class Playing(Protocol):
    """A mind and a hand, whatever the game."""

    def look(self, sight: Sight) -> HandAim:
        """See the table and move the hand for one frame."""

    def close(self) -> None:
        """Give back what thinking took."""


#: Makes a player with these habits; it is sent to the demo's process, so it can be pickled.
Mind = Callable[[Habits], Playing]
