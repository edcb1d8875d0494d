"""Pointing with a head: turning it moves a pointer, and mouth, smile or resting confirms.

Straight ahead: a head still for a second, or never still for three. An open mouth holds the pointer still.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from armoon.hands.filters import OneEuro, PointFilter
from armoon.values.choices import HeadConfirm, HeadKind
from armoon.values.poses import Vec2, Vec3

MESH_POINTS = 468
#: Points of the mesh; left and right are the picture's.
_LEFT_TEMPLE, _RIGHT_TEMPLE = 127, 356
_LEFT_CORNER, _RIGHT_CORNER = 33, 263
"""The outer corners of the eyes."""
_FOREHEAD, _NOSE_BASE = 10, 2
"""No jaw between them: an open mouth turns no head."""
_UPPER_LIP, _LOWER_LIP = 13, 14
_MOUTH_LEFT, _MOUTH_RIGHT = 61, 291
#: A face that is seen narrower than this is none that can be followed, parts of the picture's width.
NARROWEST = 0.03


@dataclass(frozen=True)
class Head:
    """One head in one picture."""

    place: Vec2
    """Between the eyes, in parts of the picture from its upper left corner."""
    width: float
    """From temple to temple, in parts of the picture's width."""
    yaw_deg: float
    """To the picture's right."""
    pitch_deg: float
    """Up, with an offset of each person's own."""
    mouth: float
    """How far the lips are apart, over the distance of the outer corners of the eyes: shut up to 0.06."""
    smile: float
    """How wide the mouth is, over the same."""


@dataclass(frozen=True)
class Heads:
    """Everything that was seen in one frame."""

    time_s: float
    frame_index: int
    heads: tuple[Head, ...] = ()
    """The nearest first."""


def head_of(points: Sequence[Vec3], size: tuple[int, int]) -> Head | None:
    """Return the head of 468 mesh points in pixels, in a picture of this size; None where they can't be a face's."""
    if len(points) < MESH_POINTS or not all(math.isfinite(v) for point in points for v in point):
        return None
    left, right = points[_LEFT_CORNER], points[_RIGHT_CORNER]
    apart = math.dist(left, right)
    width = math.dist(points[_LEFT_TEMPLE], points[_RIGHT_TEMPLE]) / max(1, size[0])
    if apart <= 0.0 or not NARROWEST <= width <= 1.0:
        return None
    roll = math.atan2(right[1] - left[1], right[0] - left[0])
    temples = _upright(points[_LEFT_TEMPLE], points[_RIGHT_TEMPLE], roll)
    corners = _upright(left, right, roll)
    down = _upright(points[_FOREHEAD], points[_NOSE_BASE], roll)
    if corners[0] <= 0.0:
        return None
    yaw = math.atan2(temples[2] + corners[2] * temples[0] / corners[0], 2.0 * temples[0])
    return Head(
        (_part(left[0], right[0], size[0]), _part(left[1], right[1], size[1])),
        width,
        math.degrees(yaw),
        -math.degrees(math.atan2(down[2], down[1])),
        math.dist(points[_UPPER_LIP], points[_LOWER_LIP]) / apart,
        math.dist(points[_MOUTH_LEFT], points[_MOUTH_RIGHT]) / apart,
    )


def _part(one: float, other: float, of: int) -> float:
    return ((one + other) / 2.0 + 0.5) / max(1, of)


def _upright(start: Vec3, end: Vec3, roll: float) -> Vec3:
    across, along, depth = (b - a for a, b in zip(start, end, strict=True))
    cos, sin = math.cos(roll), math.sin(roll)
    return (cos * across + sin * along, cos * along - sin * across, depth)


#: A head that is turned by less up or down counts as straight for this much longer: pitch is noisier than yaw.
PITCH_DEAD_DEG = 1.0
#: Up and down heads go less far than to the sides, and are as far for it.
PITCH_REACH = 0.8
#: Stick mode: the pointer's speed just outside of the dead zone and at full rotation, parts of the window a second.
SLOW_S: Vec2 = (0.03, 0.05)
FAST_S: Vec2 = (0.55, 0.80)
#: How the speed grows between them: most of the way is for fine steps.
GROWTH = 1.6
#: Pointer mode: filter of the place in parts of the window; a head is steady to 0.3 degrees of 15.
STEADYING = OneEuro(min_cutoff_hz=0.8, beta=6.0, speed_cutoff_hz=2.0)
#: Seconds for which an open mouth or a smile must be held to confirm: in 22 s of talk none did.
HOLD_S = {HeadConfirm.MOUTH: 0.3, HeadConfirm.SMILE: 0.5}
#: Seconds whose middle is the width of a player's own mouth at rest; a longer smile than the second counts as rest.
USUAL_S, LONGEST_SMILE_S = 20.0, 4.0
#: What confirms has ended below this share of what it takes; a mouth is never much narrower than without a smile.
ENDED = {HeadConfirm.MOUTH: 0.8, HeadConfirm.SMILE: 0.92}
#: Straight ahead: turning by at most STILL_DEG within STILL_S; if never so still (three of eight), RESTLESS_S's middle.
STILL_S, STILL_DEG, RESTLESS_S = 1.0, 3.0, 3.0
#: Time constant with which straight ahead follows a head within the dead zone.
FOLLOW_S = 12.0
#: Seconds for which a head may be misread, until another may take its place, and until it looks straight again.
GAP_S, GONE_S, ANEW_S = 0.3, 1.0, 3.0
#: From one frame to the next a head goes no further than this, in parts of its own width.
JUMP: Vec2 = (0.8, 1.6)
#: Frames further apart than this count as no longer.
LONGEST_STEP_S = 0.2


@dataclass(frozen=True)
class HeadSettings:
    """How one player's head points."""

    kind: HeadKind = HeadKind.STICK
    confirm: HeadConfirm = HeadConfirm.MOUTH
    dead_deg: float = 4.0
    """Turned by less it is straight ahead."""
    reach_deg: float = 15.0
    """Angle to a side that counts as fully turned."""
    mouth: float = 0.22
    """Distance of the lips that counts as an open mouth (``Head.mouth``)."""
    smile: float = 1.19
    """Width of a smiling mouth relative to the player's own at rest."""
    dwell_s: float = 0.8
    """Seconds of dwelling that press."""
    patience: float = 1.0
    """Factor by which a mouth or smile has to be held longer than usual."""


@dataclass(frozen=True)
class HeadPointing:
    """A head's actions in one frame."""

    place: Vec2
    """In parts of the window from its upper left corner, as the player sees it."""
    rests_s: float = 0.0
    """Share of ``dwell_s`` that this confirmation adds; it is complete when these add up to 1."""
    confirmed: bool = False
    """A mouth or smile has just been held long enough."""
    ended: bool = False
    """It has ended: the next is a new one, of the same thing too."""


@dataclass
class _Confirming:
    """A mouth or smile, on its way to being held long enough."""

    armed: bool = False
    """Seen at rest: a mouth that is open on arrival means nothing."""
    on: bool = False
    held_s: float = 0.0


@dataclass
class _Straight:
    """Where straight ahead is."""

    yaw_deg: float | None = None
    pitch_deg: float = 0.0
    seen: list[tuple[float, Head]] = field(default_factory=list)

    def off(self, head: Head) -> Vec2:
        """How far the head is turned to the player's right, as they see it, and up, degrees."""
        assert self.yaw_deg is not None
        return (self.yaw_deg - head.yaw_deg, head.pitch_deg - self.pitch_deg)


class HeadPointer:
    """Follows one head; call ``see`` once a frame. It has no clock but the frames'."""

    def __init__(self, settings: HeadSettings) -> None:
        self.settings = settings
        self._place: Vec2 = (0.5, 0.5)
        self._head: Head | None = None
        self._time_s = self._seen_s = -math.inf
        self._straight = _Straight()
        self._confirming = _Confirming()
        self._widths: deque[tuple[float, float]] = deque()
        """Time, and width of the mouth then."""
        self._steady = PointFilter(STEADYING)

    @property
    def trouble(self) -> str:
        """Why nothing points, as a message's key; empty while something does."""
        if self._time_s - self._seen_s > GONE_S:
            return "head.nobody"
        return "head.straight" if self._straight.yaw_deg is None else ""

    def see(self, heads: Heads) -> HeadPointing | None:
        time_s = heads.time_s
        if not math.isfinite(time_s) or time_s <= self._time_s:
            return None
        step_s = min(time_s - self._time_s, LONGEST_STEP_S)
        self._time_s = time_s
        head = self._followed(heads)
        if head is None:
            if time_s - self._seen_s > GAP_S:
                self._confirming = _Confirming()
                return None
            # For a moment it is taken to be where it was; nothing goes on meanwhile.
            return None if self._straight.yaw_deg is None else HeadPointing(self._place)
        self._head, self._seen_s = head, time_s
        share = self._share(head, time_s)
        self._confirming.armed |= share < ENDED.get(self.settings.confirm, 0.0)
        if self._straight.yaw_deg is None and not self._looks_straight(head, time_s):
            return None
        rests_s, confirmed, ended = self._confirm(share, step_s)
        if not self._confirming.on:
            self._move(head, time_s, step_s)
        return HeadPointing(self._place, rests_s, confirmed, ended)

    def _followed(self, heads: Heads) -> Head | None:
        """Return the head that is followed; after a while without it the nearest of those that are there."""
        gone_s = self._time_s - self._seen_s
        if self._head is not None and gone_s <= GONE_S:
            known = self._head
            near = (head for head in heads.heads if _goes_on(known, head))
            return min(near, key=lambda head: math.dist(head.place, known.place), default=None)
        if heads.heads and gone_s > GONE_S:
            again = gone_s <= ANEW_S and self._head is not None and _goes_on(self._head, heads.heads[0])
            if not again:
                self._straight = _Straight()
                self._widths.clear()
            self._confirming = _Confirming()
            self._steady = PointFilter(STEADYING)
            return heads.heads[0]
        return None

    def _looks_straight(self, head: Head, time_s: float) -> bool:
        seen = self._straight.seen
        seen.append((time_s, head))
        while len(seen) > 1 and time_s - seen[1][0] >= RESTLESS_S:
            seen.pop(0)
        if time_s - seen[0][0] < STILL_S:
            return False
        lately = [head for at_s, head in seen if time_s - at_s <= STILL_S]
        yaws, pitches = ([of(head) for head in lately] for of in (_yaw, _pitch))
        if max(max(some) - min(some) for some in (yaws, pitches)) > STILL_DEG:
            if time_s - seen[0][0] < RESTLESS_S:
                return False
            yaws, pitches = ([of(head) for _, head in seen] for of in (_yaw, _pitch))
        self._straight = _Straight(median(yaws), median(pitches))
        return True

    def _share(self, head: Head, time_s: float) -> float:
        """Return how far a mouth is open, or a smile wide, relative to what confirms."""
        if self.settings.confirm is not HeadConfirm.SMILE:
            return head.mouth / self.settings.mouth
        if not self._confirming.on or self._confirming.held_s > LONGEST_SMILE_S:
            self._widths.append((time_s, head.smile))
        while time_s - self._widths[0][0] > USUAL_S and len(self._widths) > 1:
            self._widths.popleft()
        if head.mouth > self.settings.mouth:
            return 0.0  # an open mouth that is turned aside looks as wide as a smile
        return head.smile / (self.settings.smile * median(width for _, width in self._widths))

    def _confirm(self, share: float, step_s: float) -> tuple[float, bool, bool]:
        """By how much resting, mouth or smile came on; whether it is complete now; whether it has ended."""
        how, now = self.settings.confirm, self._confirming
        if how is HeadConfirm.DWELL:
            return step_s, False, False
        if now.on:
            if share < ENDED[how]:
                now.on, now.held_s = False, 0.0
                return 0.0, False, True
            before_s, hold_s = now.held_s, HOLD_S[how] * self.settings.patience
            now.held_s += step_s
            came_s = max(0.0, min(now.held_s, hold_s) - before_s)
            confirmed = before_s < hold_s <= now.held_s
            # A little over, so that the parts add up to the whole.
            return came_s / hold_s * self.settings.dwell_s * 1.001, confirmed, False
        now.on = now.armed and share >= 1.0
        return 0.0, False, False

    def _move(self, head: Head, time_s: float, step_s: float) -> None:
        dead_deg, reach_deg = self.settings.dead_deg, self.settings.reach_deg
        right, up = self._straight.off(head)
        dead = (dead_deg, dead_deg + PITCH_DEAD_DEG)
        reach = (max(reach_deg, dead[0] + 1.0), max(reach_deg * PITCH_REACH, dead[1] + 1.0))
        if abs(right) < dead[0] and abs(up) < dead[1]:
            part = step_s / FOLLOW_S
            assert self._straight.yaw_deg is not None
            self._straight.yaw_deg -= right * part
            self._straight.pitch_deg += up * part
        turned = (right, -up)
        if self.settings.kind is HeadKind.POINTER:
            wish = [0.5 + 0.5 * turned[k] / reach[k] for k in range(2)]
            x, y = self._steady.update(time_s, wish)
        else:
            x, y = (
                self._place[k] + _speed(turned[k], dead[k], reach[k], SLOW_S[k], FAST_S[k]) * step_s
                for k in range(2)
            )
        self._place = (min(1.0, max(0.0, x)), min(1.0, max(0.0, y)))


def _speed(turned_deg: float, dead_deg: float, reach_deg: float, slow: float, fast: float) -> float:
    over_deg = abs(turned_deg) - dead_deg
    if over_deg <= 0.0:
        return 0.0
    part = min(1.0, over_deg / (reach_deg - dead_deg)) ** GROWTH
    return math.copysign(slow + (fast - slow) * part, turned_deg)


def _goes_on(known: Head, head: Head) -> bool:
    return all(
        abs(b - a) < far * known.width for a, b, far in zip(known.place, head.place, JUMP, strict=True)
    )


def _yaw(head: Head) -> float:
    return head.yaw_deg


def _pitch(head: Head) -> float:
    return head.pitch_deg
