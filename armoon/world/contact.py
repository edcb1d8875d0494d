"""Tracks contacts: exact closest distances, debounced in time, and measured only for moving ladders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Box, Contact, PieceId
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.world.bullet import Bullet, ClosestPoints
from armoon.world.exact import PlacedBoxes, find_distance_m

#: Maximum distance of two pieces that touch.
TOUCH_M = 5e-5
#: Maximum excess of Bullet's distance near a touch (at most 0.042 mm in 10,500 random pairs).
ENGINE_EXCESS_M = 4.5e-5
#: Range of distance measurements, and the safety margin with which they are repeated before motion can close the gap.
MEASURED_M, MARGIN_M = 3e-3, 2.5e-4
#: Number of touch measurements, for a pair too near for such a pause, before its distance is measured again.
NEAR_TICKS = 60
#: Consecutive ticks (50 ms) after which a touch counts, because a bounce must not decide a verdict.
TOUCH_TICKS = 3
#: Consecutive ticks after which a separation counts, because rattling must not decide two verdicts.
PART_TICKS = 3


class Solid:
    """A piece for contact measurement: its boxes, its bodies in the engine, its pose and motion."""

    def __init__(
        self, name: PieceId, boxes: Sequence[Box], bodies: tuple[int, ...], *, is_rooted: bool
    ) -> None:
        self.name = name
        self.boxes = boxes
        self.bodies = bodies
        self.is_rooted = is_rooted
        """Whether it never moves: table, base, starting ladders. Contacts between rooted solids don't count."""
        self.pose = IDENTITY_POSE
        self.moved = True
        """Whether the pose changed since the last tick, or wasn't read yet."""
        self.travelled_m = 0.0
        """Upper bound of the total path length of any of its points."""
        self._corners = PlacedBoxes(boxes, IDENTITY_POSE).corners().reshape(-1, 3)
        self.radius_m = float(np.sqrt((self._corners**2).sum(axis=1).max()))
        """Maximum distance of its points from the origin of its pose."""
        self.low, self.high = _find_bounds(self._corners)
        self._rotated_corners = np.empty_like(self._corners)  # scratch space of ``set_pose``

    def set_pose(self, pose: Pose) -> None:
        self.moved = pose != self.pose
        if self.moved:
            # A rotation moves no point farther than twice its distance times the change of the quaternion.
            turned = math.dist(pose.rotation, self.pose.rotation)
            self.travelled_m += math.dist(pose.position, self.pose.position) + 2.0 * self.radius_m * turned
            self.pose = pose
            np.matmul(self._corners, mat_from_quat(pose.rotation).T, out=self._rotated_corners)
            (ax, ay, az), (bx, by, bz) = _find_bounds(self._rotated_corners)
            x, y, z = pose.position
            self.low, self.high = (ax + x, ay + y, az + z), (bx + x, by + y, bz + z)


@dataclass
class _Pair:
    """The state of two solids that touch or have just touched."""

    closest: ClosestPoints
    is_near: bool = False
    """Whether they touch at this tick."""
    is_touching: bool = False
    """Whether they touch after debouncing."""
    contradictions: int = 0
    """Number of ticks in a row in which ``is_near`` differed from ``is_touching``."""
    contact: Contact | None = None
    """The contact, until it is measured again."""


class ContactTracker:
    """The contacts of a world, kept from tick to tick."""

    def __init__(self, engine: Bullet) -> None:
        self._engine = engine
        self._pairs: dict[tuple[PieceId, PieceId], _Pair] = {}
        self._skips: dict[tuple[PieceId, PieceId], tuple[float, int]] = {}
        """For each pair: total motion before which it can't touch; number of distance measurements still to skip."""
        self.contacts: tuple[Contact, ...] = ()
        self._settled = True

    def forget(self, name: PieceId) -> None:
        """Drop all contacts of a piece that is removed or placed elsewhere."""
        self._pairs = {key: pair for key, pair in self._pairs.items() if name not in key}
        self._skips = {key: skip for key, skip in self._skips.items() if name not in key}
        self._settled = False

    def observe(self, solids: Sequence[Solid]) -> tuple[Contact, ...]:
        """Return the debounced contacts at this tick, each pair once, sorted."""
        moved = [solid for solid in solids if solid.moved]
        if moved:
            self._measure(solids, moved)
            for solid in moved:
                # A new rooted solid has been measured now and never moves again.
                solid.moved = solid.moved and not solid.is_rooted
        if not self._settled:
            self._debounce()
        return self.contacts

    def settle(self, solids: Sequence[Solid]) -> None:
        """Settle the contacts of solids at rest without waiting, because resting contacts need no debouncing."""
        self.observe(solids)
        while not self._settled:
            self._debounce()
        for solid in solids:
            solid.moved = False

    def _measure(self, solids: Sequence[Solid], moved: Sequence[Solid]) -> None:
        names = {solid.name for solid in moved}
        for (a, b), pair in self._pairs.items():
            if a in names or b in names:
                pair.is_near = self._settled = False
        others = list(solids)
        for solid in moved:
            others.remove(solid)  # each pair once
            (ax, ay, az), (bx, by, bz) = solid.low, solid.high
            for other in others:
                # Plain numbers, because arrays are slower when only a held ladder moves.
                (cx, cy, cz), (dx, dy, dz) = other.low, other.high
                if (
                    cx - TOUCH_M <= bx
                    and dx + TOUCH_M >= ax
                    and cy - TOUCH_M <= by
                    and dy + TOUCH_M >= ay
                    and cz - TOUCH_M <= bz
                    and dz + TOUCH_M >= az
                    and not (solid.is_rooted and other.is_rooted)
                ):
                    self._measure_pair(solid, other)

    def _measure_pair(self, a: Solid, b: Solid) -> None:
        if a.name > b.name:
            a, b = b, a
        key, travelled_m = (a.name, b.name), a.travelled_m + b.travelled_m
        until_m, remaining = self._skips.get(key, (0.0, 0))
        if travelled_m < until_m:
            return
        closest = _find_near_touch(self._engine, a, b)
        if closest is None:
            if remaining > 0:
                self._skips[key] = (0.0, remaining - 1)
                return
            closest_nearby = find_closest_points(self._engine, a, b, MEASURED_M)
            spare_m = (MEASURED_M if closest_nearby is None else closest_nearby.distance_m) - MARGIN_M
            self._skips[key] = (travelled_m + spare_m, 0) if spare_m > MARGIN_M else (0.0, NEAR_TICKS)
            return
        pair = self._pairs.setdefault(key, _Pair(closest))
        pair.closest, pair.is_near, pair.contact = closest, True, None
        self._settled = False

    def _debounce(self) -> None:
        self._settled = True
        for key, pair in list(self._pairs.items()):
            if pair.is_near == pair.is_touching:
                pair.contradictions = 0
            else:
                pair.contradictions += 1
                if pair.contradictions >= (PART_TICKS if pair.is_touching else TOUCH_TICKS):
                    pair.is_touching, pair.contradictions = pair.is_near, 0
                else:
                    self._settled = False
            if not pair.is_near and not pair.is_touching:
                del self._pairs[key]
        contacts = []
        for key, pair in sorted(self._pairs.items()):
            if pair.is_touching:
                pair.contact = pair.contact or _make_contact(key, pair.closest)
                contacts.append(pair.contact)
        self.contacts = tuple(contacts)


def find_closest_points(engine: Bullet, a: Solid, b: Solid, within_m: float) -> ClosestPoints | None:
    """Return the closest points of two solids, or None beyond ``within_m``."""
    if len(a.bodies) == len(b.bodies) == 1:  # two ladders, by far the most frequent case
        return engine.find_closest(a.bodies[0], b.bodies[0], within_m)
    contacts = [
        closest
        for body_a in a.bodies
        for body_b in b.bodies
        if (closest := engine.find_closest(body_a, body_b, within_m)) is not None
    ]
    return min(contacts, key=lambda closest: closest.distance_m, default=None)


def _find_near_touch(engine: Bullet, a: Solid, b: Solid) -> ClosestPoints | None:
    """Return the closest points of touching solids; near the limit, exact geometry decides."""
    closest = find_closest_points(engine, a, b, TOUCH_M + ENGINE_EXCESS_M)
    if closest is None or closest.distance_m <= TOUCH_M:
        return closest
    exact_m = find_distance_m(a.boxes, a.pose, b.boxes, b.pose, 2.0 * TOUCH_M)
    return closest if exact_m <= TOUCH_M else None


def are_touching(engine: Bullet, a: Solid, b: Solid) -> bool:
    return bound_gap_m(a, b) <= TOUCH_M and _find_near_touch(engine, a, b) is not None


def measure_nearest_m(engine: Bullet, solid: Solid, others: Sequence[Solid], within_m: float) -> float:
    """Return the distance to the nearest of the others, at most ``within_m``."""
    best = within_m
    near = [(bound, other) for other in others if (bound := bound_gap_m(solid, other)) < best]
    for bound, other in sorted(near, key=lambda pair: pair[0]):
        if bound >= best:
            break
        closest = find_closest_points(engine, solid, other, best)
        if closest is not None:
            best = min(best, closest.distance_m)
    return best


def bound_gap_m(a: Solid, b: Solid) -> float:
    """Return a lower bound of two solids' distance: the distance of their axis-aligned bounding boxes."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz), (dx, dy, dz) = a.low, a.high, b.low, b.high
    # This avoids ``max``, because it runs for every ladder at every tick while one is held.
    x = ax - dx if ax > dx else cx - bx if cx > bx else 0.0
    y = ay - dy if ay > dy else cy - by if cy > by else 0.0
    z = az - dz if az > dz else cz - bz if cz > bz else 0.0
    return math.sqrt(x * x + y * y + z * z)


def _find_bounds(corners: Array) -> tuple[Vec3, Vec3]:
    (ax, ay, az), (bx, by, bz) = np.minimum.reduce(corners).tolist(), np.maximum.reduce(corners).tolist()
    return (ax, ay, az), (bx, by, bz)


def _make_contact(key: tuple[PieceId, PieceId], closest: ClosestPoints) -> Contact:
    (ax, ay, az), (bx, by, bz) = closest.on_a, closest.on_b
    middle = ((ax + bx) / 2.0, (ay + by) / 2.0, (az + bz) / 2.0)
    return Contact(key[0], key[1], closest.distance_m, middle, closest.normal)
