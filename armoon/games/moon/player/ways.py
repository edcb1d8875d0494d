"""What the demo's hand does, and where it goes: to pinch a ladder, over what stands, and never out of the picture."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources

from armoon.codec import decode_json
from armoon.players.hand import Habits, Sight, SteeredHand, line_of_sight
from armoon.values.pieces import Facts, PieceFacts, PieceStatus
from armoon.values.places import PlaceWeights
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.values.scene import Fate

#: How far above the structure a ladder is carried, over and up at once; one that is to wait in the air, higher still.
CARRY_CLEARANCE_M, HANGING_CLEARANCE_M = 0.028, 0.045
#: Of the hand's way along the line of sight a ladder goes this part: half as a rule, and a little more at its end.
ALONG_SHARE = 0.55
#: A ladder that is to come nearer to the camera is taken from behind, by up to this, so that its hand has room for it.
ROOM_M, SPARE_M = 0.10, 0.02
#: Where a ladder goes back into the lid or is put beside it, and how far to the right it is clear of what stands.
IN_LID_M, ASIDE_M, OFF_M = 0.17, 0.24, 0.13
#: It is lowered once it is this near to that place, and carried this far above the table until then.
NEAR_ASIDE_M, CLEAR_OF_TABLE_M = 0.02, 0.03
#: The hand and what it holds stay where a camera that looks at the table sees them: so high at most, so near.
CEILING_M, NEAREST_M = 0.315, -0.11


class Activity(enum.Enum):
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
CARRIES = (Activity.LIFTING, Activity.CARRYING, Activity.RECONSIDERING, Activity.LOWERING)


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


def travel_height(facts: Facts, held: PieceFacts, turned_below_m: float, clearance_m: float) -> float:
    """Return the height of a held ladder's centre, m, at which it clears all that stands by ``clearance_m``.

    ``turned_below_m``: how far it reaches below its centre once it is turned as it is to be let go of.
    """
    others = (p for p in facts.pieces if p.piece != held.piece and p.status is not PieceStatus.OFFERED)
    below_m = max(held.pose.position[2] - held.lowest_m, turned_below_m)
    return max((p.highest_m for p in others), default=0.0) + clearance_m + below_m


def put_aside(held: PieceFacts, over_m: float, *, in_lid: bool) -> Pose:
    """Return where a ladder goes back into the lid, or is put on the bare table to the right of it.

    From the structure it goes up to the height ``over_m`` at which it clears all that stands, then over the lid.
    """
    x, y, z = held.pose.position
    if x < OFF_M:
        over = (x, y) if over_m - z > NEAR_ASIDE_M else (IN_LID_M, 0.0)
        return Pose((*over, over_m), held.pose.rotation)
    to_m = IN_LID_M if in_lid else ASIDE_M
    up_m = -held.lowest_m + (0.0 if abs(x - to_m) < NEAR_ASIDE_M else CLEAR_OF_TABLE_M)
    return Pose((to_m, 0.0, z + up_m), held.pose.rotation)


def in_view(hand: Pose) -> Pose:
    x, y, z = hand.position
    return Pose((x, max(y, NEAREST_M), min(z, CEILING_M)), hand.rotation)


#: From where to where round the rim, counter-clockwise from the right as seen from above, and how far out and up.
FROM_RAD, TO_RAD, RADIUS_M, HEIGHT_M = math.radians(-40.0), math.radians(-140.0), 0.078, 0.010
#: Seconds in which the hand's fingers close or open.
PINCH_S = 0.22
#: The rim is dragged so fast, and held still before the fingers open, so that it stays where it was brought.
DRAG_M_S, STILL_S = 0.13, 0.25


class RimHand:
    """Moves a hand through it; call ``move`` once for every frame until it is done."""

    def __init__(self, hand: SteeredHand, habits: Habits) -> None:
        self._hand, self._habits = hand, habits
        self._closing = 0.0
        self._waited_s = 0.0
        self._step = 0
        self.done = False

    def move(self, dt_s: float) -> float:
        if self._step == 0 and self._towards(_on_rim(FROM_RAD), 0.45, dt_s):
            self._step = 1
        elif self._step == 1:
            self._closing = min(1.0, self._closing + dt_s / PINCH_S)
            self._wait(dt_s, PINCH_S + STILL_S)
        elif self._step == 2 and self._towards(_on_rim(TO_RAD), DRAG_M_S, dt_s):
            self._step = 3
        elif self._step == 3:
            self._wait(dt_s, STILL_S)
        elif self._step == 4:
            self._closing = max(0.0, self._closing - dt_s / PINCH_S)
            self._wait(dt_s, PINCH_S + 0.1)
            self.done = self._step == 5
        return self._closing

    def _towards(self, place: Vec3, speed_m_s: float, dt_s: float) -> bool:
        goal = Pose(place, self._habits.reach_rotation.rotation)
        return self._hand.move_towards(goal, speed_m_s, dt_s)

    def _wait(self, dt_s: float, seconds: float) -> None:
        self._waited_s += dt_s
        if self._waited_s > seconds:
            self._waited_s, self._step = 0.0, self._step + 1


def _on_rim(angle_rad: float) -> Vec3:
    return (RADIUS_M * math.cos(angle_rad), RADIUS_M * math.sin(angle_rad), HEIGHT_M)


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
    fate: Fate | None = None
    """What the faint ladder shows would become of the held one; None where it shows nothing yet."""
    guided: bool = False
    """It says that the held one is set down where it is shown."""


#: A tower that climbs, and doesn't fall.
CLIMBING = PlaceWeights(safety=5.1, height=0.7, rise=0.3, ahead=0.8)


class Goal(enum.Enum):
    """The player's intention for the ladder."""

    HONOUR = "honour"
    TABLE = "table"
    """Lay it beside the lid, after it was lost too often or no place was good enough twice."""
    DARE = "dare"
    """Let it fall on the structure, where that brings most of it down."""


@dataclass(frozen=True)
class PlayStyle:
    """What differs between players; the defaults are the usual demo's."""

    think_s: float = 1.2
    """Maximum thinking time once a place is known."""
    effort: int = 1
    """How much of a thought it gets done in a frame, over a usual player."""
    sides: int = 3
    """Number of the lid's attitudes that it considers."""
    reach_m_s: float = 0.6
    turns_before: int = 0
    """Before this turn it turns the table, by hand at the rim; 0: never."""
    waits_in: int = 0
    """In this turn it lets the ladder wait in the air for a moment, and takes it again; 0: never."""
    dares_at: int = 0
    """Number of standing ladders from which,"""
    dares_after_s: float = 0.0
    """and time from which it dares (``Goal.DARE``) until much has come down; 0 ladders: never."""


#: Of every demo but the trailer.
USUAL = PlayStyle()

FILE = "trailer.json"


@dataclass(frozen=True)
class Trailer:
    """A seed, and its player's manner."""

    seed: int
    manner: PlayStyle


@cache
def trailer() -> Trailer:
    file = resources.files(__package__) / FILE
    return decode_json(Trailer, file.read_bytes(), f"The file {FILE} is broken", "Install armoon again.")


def manner_of(seed: int) -> PlayStyle:
    return trailer().manner if seed == trailer().seed else USUAL
