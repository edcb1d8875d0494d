"""Contacts: exact closest distances, debounced in time, measured only where something moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Box, Contact, PieceId
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.world.bullet import Bullet, Closest
from armoon.world.exact import PlacedBoxes, pieces_distance

#: Two pieces no farther apart than this touch.
TOUCH_M = 5e-5
#: Near a touch Bullet's distance is the exact one plus at most this (0.027 mm in 21,000 random pairs).
ENGINE_EXCESS_M = 4e-5
#: Distance of a pair from which it isn't measured again until it may have come nearer than that; safety margin, metres.
LOOK_M, DOUBT_M = 3e-3, 2.5e-4
#: Measurements of a nearer pair after which this is tried again.
NEAR_TICKS = 60
#: A touch counts from the third tick in a row on (50 ms): a bounce is not a verdict.
TOUCH_TICKS = 3
#: A parting counts from the third tick in a row on: a rattle is not two verdicts.
PART_TICKS = 3


class Solid:
    """A piece as the observation sees it: boxes, bodies in the engine, where it is and whether it moved."""

    def __init__(self, name: PieceId, boxes: Sequence[Box], bodies: tuple[int, ...], *, rooted: bool) -> None:
        self.name = name
        self.boxes = boxes
        self.bodies = bodies
        self.rooted = rooted
        """Table, base and starting ladders never move; their touches among themselves don't count."""
        self.pose = IDENTITY_POSE
        self.moved = True
        """Return whether the pose changed since the tick before, or wasn't read yet."""
        self.travelled_m = 0.0
        """No point of it has gone farther, in all, since it was made."""
        self._corners = PlacedBoxes(boxes, IDENTITY_POSE).corners().reshape(-1, 3)
        self.radius_m = float(np.sqrt((self._corners**2).sum(axis=1).max()))
        """No point of it is farther from the origin of its pose."""
        self.low, self.high = _bounds(self._corners)
        self._turned = np.empty_like(self._corners)  # filled by each ``place``

    def place(self, pose: Pose) -> None:
        self.moved = pose != self.pose
        if self.moved:
            # Turned by an angle, no point goes farther than twice its distance times the change of the quaternion.
            turned = math.dist(pose.rotation, self.pose.rotation)
            self.travelled_m += math.dist(pose.position, self.pose.position) + 2.0 * self.radius_m * turned
            self.pose = pose
            np.matmul(self._corners, mat_from_quat(pose.rotation).T, out=self._turned)
            (ax, ay, az), (bx, by, bz) = _bounds(self._turned)
            x, y, z = pose.position
            self.low, self.high = (ax + x, ay + y, az + z), (bx + x, by + y, bz + z)


@dataclass
class _Pair:
    """The state of two solids that touch or have just begun to."""

    closest: Closest
    near: bool = False
    """Touching at this very tick."""
    touching: bool = False
    """Touching by the debounced verdict."""
    against: int = 0
    """For how many ticks in a row ``near`` has contradicted ``touching``."""
    contact: Contact | None = None
    """Facts of the touch, until it is measured again."""


class ContactBook:
    """The touches of a world, kept from tick to tick."""

    def __init__(self, engine: Bullet) -> None:
        self._engine = engine
        self._pairs: dict[tuple[PieceId, PieceId], _Pair] = {}
        self._apart: dict[tuple[PieceId, PieceId], tuple[float, int]] = {}
        """By pair: no touch before they have travelled so far together; otherwise how often it is measured as it is."""
        self._contacts: tuple[Contact, ...] = ()
        self._settled = True

    def forget(self, name: PieceId) -> None:
        """Drop every touch of a piece that is taken away or put elsewhere."""
        self._pairs = {key: pair for key, pair in self._pairs.items() if name not in key}
        self._apart = {key: apart for key, apart in self._apart.items() if name not in key}
        self._settled = False

    def observe(self, solids: Sequence[Solid]) -> tuple[Contact, ...]:
        """Return the debounced touches at this tick, each pair once, sorted."""
        moved = [solid for solid in solids if solid.moved]
        if moved:
            self._measure(solids, moved)
            for solid in moved:
                # New on the table, it has now been measured once; a rooted one never moves again.
                solid.moved = solid.moved and not solid.rooted
        if moved or not self._settled:
            self._count()
        return self._contacts

    def judge(self, solids: Sequence[Solid]) -> None:
        """Judge the touches of solids at rest at once: there is nothing to debounce, and nothing has moved."""
        self.observe(solids)
        while not self._settled:
            self._count()
        for solid in solids:
            solid.moved = False

    @property
    def contacts(self) -> tuple[Contact, ...]:
        return self._contacts

    def _measure(self, solids: Sequence[Solid], moved: Sequence[Solid]) -> None:
        names = {solid.name for solid in moved}
        for (a, b), pair in self._pairs.items():
            if a in names or b in names:
                pair.near = False
        others = list(solids)
        for solid in moved:
            others.remove(solid)  # each pair once
            (ax, ay, az), (bx, by, bz) = solid.low, solid.high
            for other in others:
                # Single numbers: arrays cost more than their work where one held ladder moves.
                (cx, cy, cz), (dx, dy, dz) = other.low, other.high
                if (
                    cx - TOUCH_M <= bx
                    and dx + TOUCH_M >= ax
                    and cy - TOUCH_M <= by
                    and dy + TOUCH_M >= ay
                    and cz - TOUCH_M <= bz
                    and dz + TOUCH_M >= az
                    and not (solid.rooted and other.rooted)
                ):
                    self._measure_pair(solid, other)

    def _measure_pair(self, a: Solid, b: Solid) -> None:
        if a.name > b.name:
            a, b = b, a
        key, travelled_m = (a.name, b.name), a.travelled_m + b.travelled_m
        until_m, again = self._apart.get(key, (0.0, 0))
        if travelled_m < until_m:
            return
        closest = _near_touch_of(self._engine, a, b)
        if closest is None:
            if again > 0:
                self._apart[key] = (0.0, again - 1)
                return
            apart = closest_of(self._engine, a, b, LOOK_M)
            spare_m = (LOOK_M if apart is None else apart.distance_m) - DOUBT_M
            self._apart[key] = (travelled_m + spare_m, 0) if spare_m > DOUBT_M else (0.0, NEAR_TICKS)
            return
        pair = self._pairs.setdefault(key, _Pair(closest))
        pair.closest, pair.near, pair.contact = closest, True, None

    def _count(self) -> None:
        """One tick more of every pair's agreement or contradiction with its verdict."""
        self._settled = True
        for key, pair in list(self._pairs.items()):
            if pair.near == pair.touching:
                pair.against = 0
            else:
                pair.against += 1
                if pair.against >= (PART_TICKS if pair.touching else TOUCH_TICKS):
                    pair.touching, pair.against = pair.near, 0
                else:
                    self._settled = False
            if not pair.near and not pair.touching:
                del self._pairs[key]
        contacts = []
        for key, pair in sorted(self._pairs.items()):
            if pair.touching:
                pair.contact = pair.contact or _contact(key, pair.closest)
                contacts.append(pair.contact)
        self._contacts = tuple(contacts)


def closest_of(engine: Bullet, a: Solid, b: Solid, within_m: float) -> Closest | None:
    """Return the closest points of two solids of one or more bodies each, or None beyond ``within_m``."""
    if len(a.bodies) == len(b.bodies) == 1:  # two ladders: most pairs by far
        return engine.closest(a.bodies[0], b.bodies[0], within_m)
    found = [
        closest
        for body_a in a.bodies
        for body_b in b.bodies
        if (closest := engine.closest(body_a, body_b, within_m)) is not None
    ]
    return min(found, key=lambda closest: closest.distance_m, default=None)


def touch_of(engine: Bullet, a: Solid, b: Solid) -> Closest | None:
    """Return the closest points of solids that touch; exact geometry decides in the engine's doubtful band."""
    return None if box_gap_m(a, b) > TOUCH_M else _near_touch_of(engine, a, b)


def _near_touch_of(engine: Bullet, a: Solid, b: Solid) -> Closest | None:
    closest = closest_of(engine, a, b, TOUCH_M + ENGINE_EXCESS_M)
    if closest is None or closest.distance_m <= TOUCH_M:
        return closest
    exact_m = pieces_distance(a.boxes, a.pose, b.boxes, b.pose, 2.0 * TOUCH_M)
    return closest if exact_m <= TOUCH_M else None


def touches(engine: Bullet, a: Solid, b: Solid) -> bool:
    return touch_of(engine, a, b) is not None


def nearest_m(engine: Bullet, solid: Solid, others: Sequence[Solid], within_m: float) -> float:
    """Return the distance to the nearest of others, or ``within_m``; the likely ones are asked first."""
    best = within_m
    near = [(bound, other) for other in others if (bound := box_gap_m(solid, other)) < best]
    for bound, other in sorted(near, key=lambda one: one[0]):
        if bound >= best:
            break
        closest = closest_of(engine, solid, other, best)
        if closest is not None:
            best = min(best, closest.distance_m)
    return best


def box_gap_m(a: Solid, b: Solid) -> float:
    """Return a lower bound for the distance of two solids: that of their upright bounding boxes."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz), (dx, dy, dz) = a.low, a.high, b.low, b.high
    x, y, z = max(0.0, ax - dx, cx - bx), max(0.0, ay - dy, cy - by), max(0.0, az - dz, cz - bz)
    return math.sqrt(x * x + y * y + z * z)


def _bounds(corners: Array) -> tuple[Vec3, Vec3]:
    """Return the least and greatest coordinates of corners (n, 3)."""
    (ax, ay, az), (bx, by, bz) = np.minimum.reduce(corners).tolist(), np.maximum.reduce(corners).tolist()
    return (ax, ay, az), (bx, by, bz)


def _contact(key: tuple[PieceId, PieceId], closest: Closest) -> Contact:
    (ax, ay, az), (bx, by, bz) = closest.on_a, closest.on_b
    middle = ((ax + bx) / 2.0, (ay + by) / 2.0, (az + bz) / 2.0)
    return Contact(key[0], key[1], closest.distance_m, middle, closest.normal)
