"""What the benchmark's player sees of the ladder in its hand, and feels of its own hand's moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armoon.geometry import (
    pose_compose,
    quat_inverse,
    quat_multiply,
    quat_rotate,
    rotation_vector,
    vec3,
)
from armoon.players.sight import Habits
from armoon.values.facts import Facts, PieceStatus
from armoon.values.pieces import BASE, TABLE, LadderSet, PieceId
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Fate
from benchmarks.placement_parts.eye import Eye, Seen
from benchmarks.placement_parts.people import STEADY, Manner
from benchmarks.placement_parts.skill import Tilted

#: The part of the hand's way along the view that a held ladder goes (``hands.settings.GripSettings.depth_gain``,
#: less what is lost while the hand is also moving across the view), and how late, as a player learns by trying.
ALONG_SHARE, ALONG_LAG_S = 0.5, 0.3


@dataclass(frozen=True)
class Faint:
    """What the faint ladder shows."""

    touched: tuple[PieceId, ...] = ()
    """Which ladders it touches; none where it isn't there."""
    fate: Fate | None = None
    """Its colour: what would become of the held one; None where that isn't known, or wasn't looked at."""


@dataclass(frozen=True)
class Surroundings:
    """What holds for the whole trial."""

    ladders: LadderSet
    piece: PieceId
    habits: Habits
    tilted: Tilted
    ghost: Callable[[bool], Faint]
    """The faint ladder as it is now; whether its colour is looked at."""
    manner: Manner = STEADY
    heeds: bool = False
    """Whether the player goes by the faint ladder's colour."""


class Sight:
    """The held ladder as it is taken to be, and what it is seen to touch; at home or in the table frame as named."""

    def __init__(self, around: Surroundings, eye: Eye, late_s: float) -> None:
        """``late_s``: what is touched is seen that much later."""
        self.home = Pose((0.0, 0.0, 0.0))
        """Home from table."""
        self.seen = Seen(Pose((0.0, 0.0, 0.0)), 0.0, 0.0)
        self.touched: tuple[PieceId, ...] = ()
        """By the held ladder,"""
        self.ghost = Faint()
        """and the faint one."""
        self.waits = False
        """It is drawn as one that waits in the air: no hand holds it any more."""
        self._around, self._eye, self._late_s = around, eye, late_s
        self._view = np.array(around.habits.view_axis)
        self._shown: deque[tuple[float, tuple[PieceId, ...], Faint, bool]] = deque()
        self._owed_m = 0.0

    def begin(self, pose: Pose) -> None:
        """Begin with the ladder just taken."""
        self._eye.begin(pose)
        self.take_up()

    def take_up(self) -> None:
        """Take the ladder up from where it waited: that it did is over, whenever that is seen."""
        self.waits = False
        self._shown = deque((time_s, touched, ghost, False) for time_s, touched, ghost, _ in self._shown)

    def look(self, facts: Facts, time_s: float, *, heeds: bool) -> None:
        """See the next frame; ``heeds``: the faint ladder's colour too."""
        piece = self._around.piece
        self.seen = self._eye.look(facts[piece].pose, self.home, standing_m(facts))
        touched = tuple(name for name in facts.touching(piece) if name not in (BASE, TABLE))
        ghost = self._around.ghost(heeds)
        self._shown.append((time_s, touched, ghost, facts.held_waits))
        while self._shown and self._shown[0][0] <= time_s - self._late_s:
            _, self.touched, self.ghost, self.waits = self._shown.popleft()

    def feel(self, before: Pose, after: Pose, tilt: Vec3, dt_s: float) -> None:
        """Move the felt ladder as the hand's move carries it, and a key's tilt.

        Half along the view and late, turns in the picture only.
        """
        way = np.array(after.position) - np.array(before.position)
        along = float(way @ self._view)
        self._owed_m += ALONG_SHARE * along
        comes = self._owed_m * min(1.0, dt_s / ALONG_LAG_S)
        self._owed_m -= comes
        way += (comes - along) * self._view
        turn = np.array(rotation_vector(quat_multiply(after.rotation, quat_inverse(before.rotation))))
        self.felt(vec3(way), vec3((turn @ self._view) * self._view + np.array(tilt)))

    def felt(self, way: Vec3, about: Vec3) -> None:
        """Move the felt ladder by this way (m) and rotation vector, at home."""
        back = quat_inverse(self.home.rotation)
        self._eye.felt(quat_rotate(back, way), quat_rotate(back, about))

    def feel_nothing(self) -> None:
        """Leave the felt ladder where it is: parked, it follows no hand."""
        self._owed_m = 0.0
        self.felt((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    def at_home(self) -> Pose:
        """Return where the ladder is taken to be, at home."""
        return pose_compose(self.home, self.seen.pose)


def standing_m(facts: Facts) -> float:
    """Return the highest point of what stands."""
    others = (p for p in facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED))
    return max((p.highest_m for p in others), default=0.0)
