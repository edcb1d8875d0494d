"""Help for a grip that one camera sees: its depth and its turns mean what the camera can really tell.

A camera tells very well in which direction a hand is and badly how far (3 to 15 cm wrong at arm's length,
most of it constant: the hand's size, its posture). So when a hand takes a ladder, its distance is taken to be
the ladder's, and afterwards only the *ratio* of its distances counts, raised to a gain: the unknown size
cancels, and the ladder stays on the line of sight through the finger tips: in the picture it never leaves
them.

With turns it is the same: a turn in the picture's plane is seen to a degree, one out of it is guessed from
foreshortening. Since the grab the first kind is followed in full, the second by a gain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from armoon.facts import Facts, PieceFacts, PieceStatus
from armoon.geometry import quat_inverse, quat_multiply, quat_slerp
from armoon.intents import GripIntent, GripPhase
from armoon.pieces import LadderSet
from armoon.values import IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.world.reach import aim_at, within_reach


@dataclass(frozen=True)
class HelpGains:
    """How much of what the camera can only guess is followed."""

    depth: float
    """Exponent on the ratio of distances: 1 follows, 0 locks the depth."""
    swing: float
    """Share of a turn out of the picture's plane."""


#: Facing the camera a palm's size tells distance (7 mm spread measured over 12 cm, gain 0.85) and its outline
#: tells swings to about 10 degrees.
FACING = HelpGains(depth=0.85, swing=0.6)
#: Beside the camera the palm is seen nearly edge on: 33 mm spread, swings up to 50 degrees wrong.
BESIDE = HelpGains(depth=0.5, swing=0.2)
#: A hand nearer to the camera than this isn't believed.
NEAREST_M = 0.05


@dataclass(frozen=True)
class _Grab:
    """What was so when the ladder was taken."""

    ladder_m: float
    """From the camera to the ladder where it was taken."""
    hand_m: float
    """From the camera to the hand, as far as it was known."""
    rotation: Quat


class GripHelp:
    """Makes grips mean what they can; one for a match, deterministic."""

    def __init__(self, eye: Vec3, gains: HelpGains, ladders: LadderSet) -> None:
        """``eye`` is the camera's place in the table frame."""
        self._eye = eye
        self._gains = gains
        self._ladders = ladders
        self._grab: _Grab | None = None

    def helped(self, grip: GripIntent | None, facts: Facts) -> GripIntent | None:
        """The grip as it is meant, given the facts of the last tick."""
        if grip is None:
            return None
        hand_m = math.dist(self._eye, grip.pose.position)
        if not hand_m > NEAREST_M:
            return grip
        if grip.phase is GripPhase.GRAB and facts.held is None:
            self._grab = self._grabbed(grip, facts, hand_m)
        elif facts.held is None and grip.phase is GripPhase.HOVER:
            self._grab = None
        if self._grab is None:
            return grip
        meant_m = self._grab.ladder_m * (hand_m / self._grab.hand_m) ** self._gains.depth
        return self._meant(grip, meant_m / hand_m, self._grab.rotation)

    def _meant(self, grip: GripIntent, factor: float, rotation_at_grab: Quat) -> GripIntent:
        """The grip moved along its line of sight to ``factor`` times its distance, its swing lessened."""
        x, y, z = (e + (p - e) * factor for e, p in zip(self._eye, grip.pose.position, strict=True))
        turn = quat_multiply(grip.pose.rotation, quat_inverse(rotation_at_grab))
        helped = _with_less_swing(turn, grip.view_axis, self._gains.swing)
        return replace(
            grip,
            pose=Pose((x, y, z), quat_multiply(helped, rotation_at_grab)),
            sigma_across_m=grip.sigma_across_m * factor,
            sigma_along_m=grip.sigma_along_m * factor,
        )

    def _grabbed(self, grip: GripIntent, facts: Facts, hand_m: float) -> _Grab | None:
        """What is in reach of this grip, if anything, is what it means."""
        offered = next((p for p in facts.pieces if p.status is PieceStatus.OFFERED), None)
        if offered is None or not self._in_reach(offered, grip):
            return None
        aim = aim_at(self._ladders[offered.piece], offered.pose, grip)
        return _Grab(math.dist(self._eye, aim.point), hand_m, grip.pose.rotation)

    def _in_reach(self, offered: PieceFacts, grip: GripIntent) -> bool:
        return within_reach(self._ladders[offered.piece], offered.pose, grip)


def _with_less_swing(turn: Quat, axis: Vec3, share: float) -> Quat:
    """A turn with its part about ``axis`` kept and the rest taken by ``share`` (swing and twist)."""
    along = sum(q * a for q, a in zip(turn[:3], axis, strict=True))
    length = math.hypot(along, turn[3])
    if length < 1e-9:  # a half turn across the axis has no part about it
        twist = IDENTITY_QUAT
    else:
        x, y, z = (a * along / length for a in axis)
        twist = (x, y, z, turn[3] / length)
    swing = quat_multiply(turn, quat_inverse(twist))
    return quat_multiply(quat_slerp(IDENTITY_QUAT, swing, share), twist)
