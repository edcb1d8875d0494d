"""What the demo's hand does, and where it goes: to pinch a ladder, over what stands, and never out of the picture."""

from __future__ import annotations

import enum

from armoon.geometry import pose_apply
from armoon.players.hand import line_of_sight
from armoon.players.sight import Habits
from armoon.values.facts import Facts, PieceFacts, PieceStatus
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose
from armoon.world.standing import ground_of, standing_of

#: How far above the structure a ladder is carried; by who carries over and up at once, and one that is to wait in the
#: air, higher still.
CARRY_CLEARANCE_M, EAGER_CLEARANCE_M, HANGING_CLEARANCE_M = 0.02, 0.028, 0.045
#: Of the hand's way along the line of sight a ladder goes this part: half as a rule, and a little more at its end.
ALONG_SHARE = 0.55
#: A ladder that is to come nearer to the camera is taken from behind, by up to this, so that its hand has room for it.
ROOM_M, SPARE_M = 0.10, 0.02
#: Where a ladder is put that is to go nowhere, and how far to the right it is clear of what stands.
ASIDE, OFF_M = (0.17, -0.11), 0.13
#: The eager hand and what it holds stay where a camera that looks at the table sees them: so high at most, so near.
CEILING_M, NEAREST_M = 0.315, -0.11


class Doing(enum.Enum):
    """The hand's present task."""

    RESTING = "resting"
    TURNING = "turning"
    THINKING = "thinking"
    REACHING = "reaching"
    GRABBING = "grabbing"
    LIFTING = "lifting"
    CARRYING = "carrying"
    HANGING = "hanging"
    RECONSIDERING = "reconsidering"
    LOWERING = "lowering"
    OPENING = "opening"
    LEAVING = "leaving"


#: It holds a ladder, and moves it.
CARRIES = (Doing.LIFTING, Doing.CARRYING, Doing.RECONSIDERING, Doing.LOWERING)


def grasp_middle(offered: PieceFacts, habits: Habits, release: Pose | None) -> Pose:
    """Return the hand's pose that takes a ladder's middle, which stays where it is whatever side is shown.

    It takes it from behind, as the camera sees it, if that is to come nearer than the hand goes.
    """
    where = offered.pose.position
    if release is not None:
        line = line_of_sight(habits.eye, where)
        way = zip(release.position, where, line, strict=True)
        deep_m = sum((there - here) * part for there, here, part in way)
        nearest_m = where[1] + min(0.0, deep_m / ALONG_SHARE) * line[1]
        room_m = min(ROOM_M, max(0.0, NEAREST_M + SPARE_M - nearest_m))
        x, y, z = (w + room_m * part for w, part in zip(where, line, strict=True))
        where = (x, y, z)
    return Pose(where, habits.reach_rotation.rotation)


def grasp_above(offered: PieceFacts, habits: Habits, length_m: float) -> Pose:
    """Return the hand's pose that takes a ladder well above its middle, so that it hangs below the hand."""
    height_m = (habits.grasp_height - 0.5) * length_m
    return Pose(pose_apply(offered.pose, (0.0, 0.0, height_m)), habits.reach_rotation.rotation)


def travel_height(facts: Facts, held: PieceFacts, turned_below_m: float, clearance_m: float) -> float:
    """Return the height of a held ladder's centre, m, at which it clears all that stands by ``clearance_m``.

    ``turned_below_m``: how far it reaches below its centre once it is turned as it is to be let go of.
    """
    others = (p for p in facts.pieces if p.piece != held.piece and p.status is not PieceStatus.OFFERED)
    below_m = max(held.pose.position[2] - held.lowest_m, turned_below_m)
    return max((p.highest_m for p in others), default=0.0) + clearance_m + below_m


def free_fall_m(facts: Facts, ladders: LadderSet, base: Base) -> float:
    """Return how far the held ladder would fall straight down."""
    assert facts.held is not None
    return (
        ground_of(standing_of(facts), ladders, base).under(ladders[facts.held], facts[facts.held].pose).fall_m
    )


def put_aside(held: PieceFacts, over_m: float) -> Pose:
    """Return where a ladder is put on the bare table: before the lid, away from what hangs over the cloud's edge.

    In the air over it one that is let go of may wait. From the structure it is carried over the lid first, at the
    height ``over_m`` at which it clears all that stands.
    """
    x, _, z = held.pose.position
    if x < OFF_M:
        return Pose((ASIDE[0], 0.0, over_m), held.pose.rotation)
    return Pose((*ASIDE, z - held.lowest_m), held.pose.rotation)


def in_view(hand: Pose) -> Pose:
    """Return the hand's pose, limited to where the camera sees it well."""
    x, y, z = hand.position
    return Pose((x, max(y, NEAREST_M), min(z, CEILING_M)), hand.rotation)
