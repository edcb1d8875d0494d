"""Drops of ladders onto a structure in an engine that is built once and reset after each drop.

Frozen, only the dropped ladder moves: it takes milliseconds, but doesn't show whether the structure bears it. Free,
everything moves as in the game, at a hundred times the cost, and ends early once the outcome is certain.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from armoon.geometry import Array, quat_angle
from armoon.placement.values import Load, ReleaseOutcome
from armoon.values.pieces import Base, Ladder, PieceId
from armoon.values.places import Support
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import STEPS_PER_TICK, Bullet, Press
from armoon.world.checks import Standing
from armoon.world.contact import Solid, nearest_m, touches
from armoon.world.exact import lowest_point
from armoon.world.local import may_strike, parts
from armoon.world.physics import Solving, moving
from armoon.world.piece import speed_m_s
from armoon.world.seating import build
from armoon.world.slots import Slot

#: Height of a release above the first contact.
GAP_M = 0.0008
#: Height above a known place at which lowering begins, and its look-ahead.
ABOVE_M, LOOK_M = 0.012, 0.05
#: Below this nothing of the structure is met any more.
FLOOR_M = 0.03
#: Where the ladder waits between drops, out of everybody's way.
AWAY = Pose((0.0, 0.0, 1.5))
#: A drop is over once the ladder goes no farther than this in n ticks, and others than that; looked at so often;
#: or after a limit. Not by speed: rattling wood is fast, and with few iterations a tower creeps and doesn't fall.
STILL_M, CREEP_M, STILL_TICKS, LOOK_TICKS, MOST_TICKS = 0.00025, 0.0008, 6, 2, 84
#: A structure is at rest once everything is slower than this for this many ticks.
QUIET_M_S, QUIET_TICKS = 0.004, 10
#: Turning counts as if it moved wood at this distance.
ARM_M = 0.05
#: Motion of another ladder by which a structure has given way.
MOST_MOVED_M = 0.012
#: Fall by which a ladder has missed.
MOST_FALLEN_M = 0.06
#: Drop of a ladder's middle, in metres, that counts as a fall, and the ticks after which it is measured.
FALLEN_M, FALL_TICKS = 0.03, 75
#: Ticks within which a newly built structure comes to rest, or creeps forever.
SETTLE_TICKS = 120
#: Effort of lowering: it takes as long as this many ticks of one ladder.
LOWER_EFFORT = 16
#: From where it came to rest its contacts are found within these.
CONTACT_TICKS = 3


#: How carefully contacts are solved for what only has to be sieved.
ROUGH = Solving(30)
#: ... and for certainty: the first by which the structure stands as in the game, in a plain engine and at last, at
#: several times the cost, in the game's own. Some structures of six or more ladders creep or fall by the first two
#: though they stand there; some of two dozen sag by all, as if woken, and are taken from where they stood.
CAREFUL, FULL = (Solving(50), Solving(100)), Solving(200)
#: A structure that goes no farther than this when it is set up stands.
STANDS_M = 0.001


@dataclass(frozen=True)
class LadderContacts:
    """Points at which two ladders touch: a name for each, places (n, 3), unit normals (n, 3) from b to a."""

    a: PieceId
    b: PieceId
    points: Array
    normals: Array


class Rehearsal:
    """Drops of one ladder on one structure; close it."""

    def __init__(
        self,
        ladders: Mapping[PieceId, Ladder],
        base: Base,
        standing: Standing,
        *,
        frozen: bool,
        as_played: bool = False,
    ) -> None:
        """``as_played``: contacts are solved as in the game; else at a third of the cost, and a drop may differ."""
        self._ladders, self._base, self._frozen, self._as_played = ladders, base, frozen, as_played
        self._plain = not as_played
        self._engine = Bullet(plain=self._plain)
        self._own: Solid | None = None
        self._state = -1
        self.effort = 0
        """Work done so far: ticks, times the ladders that moved; lowering counts as some. The same on any machine."""
        if frozen:
            self._build(standing, ROUGH)
        else:
            free = 1 + sum(1 for _, _, fixed in standing if not fixed)
            tries = (*((True, one) for one in CAREFUL), (False, FULL))
            for plain, solving in ((False, moving(free)),) if as_played else tries:
                self._open_engine(plain=plain)
                self._build(standing, solving)
                self.stands = self._settle(SETTLE_TICKS) < STANDS_M
                """Whether the structure stays where it stood when it is set up here."""
                if self.stands:
                    break
            if not (self.stands or as_played):
                self._open_engine(plain=True)
                self._build(standing, CAREFUL[-1])
                self._settle(CONTACT_TICKS)
        self._settled = self.standing

    def _open_engine(self, *, plain: bool) -> None:
        if plain is not self._plain:
            self._engine.close()
            self._engine, self._plain = Bullet(plain=plain), plain

    def _build(self, standing: Standing, solving: Solving) -> None:
        self._solving = solving
        rooted = [(name, pose, fixed or self._frozen) for name, pose, fixed in standing]
        *self._ground, self._others = build(self._engine, self._base.boxes, self._ladders, rooted)
        self._engine.set_solving(solving)
        self._slots = [
            Slot(self._ladders[solid.name], solid.bodies[0], solid.pose, solid.pose)
            for solid in self._others
            if solid.rooted and not self._frozen
        ]
        """Of the starting ladders: here they don't lean, and a drop that pulls one out has failed."""
        self._moving = [solid for solid in self._others if not solid.rooted]

    def close(self) -> None:
        self._engine.close()

    @property
    def top_m(self) -> float:
        return max((solid.high[2] for solid in self._others), default=0.0)

    @property
    def standing(self) -> Standing:
        return [(solid.name, solid.pose, solid.rooted) for solid in self._others]

    def meetings(self) -> list[LadderContacts]:
        """Where free ladders are touched by others, as the engine sees it at rest."""
        names = {solid.bodies[0]: solid.name for solid in self._others}
        loose = {solid.name for solid in self._moving}
        found: list[LadderContacts] = []
        for solid in self._moving:
            by: dict[int, list[Press]] = {}
            for press in self._engine.presses(solid.bodies[0]):
                by.setdefault(press.other, []).append(press)
            for other, presses in sorted(by.items()):
                # A pair of free ladders is met from both sides.
                if other in names and (names[other] < solid.name or names[other] not in loose):
                    points = np.array([press.point for press in presses])
                    normals = np.array([press.normal for press in presses])
                    found.append(LadderContacts(solid.name, names[other], points, normals))
        return found

    def take(self, piece: PieceId) -> None:
        # Rebuilt, so that the same question gets the same answer whatever was asked before.
        self._build(self._settled, self._solving)
        ladder = self._ladders[piece]
        body = self._engine.add_ladder(ladder, AWAY, movable=True)
        self._engine.set_solid(body, False)
        self._own = Solid(piece, ladder.boxes, (body,), rooted=False)
        if self._moving:
            self._settle(CONTACT_TICKS)
        self._engine.set_solid(body, True)
        self._engine.keep_awake(body)
        self._engine.set_pose(body, AWAY)
        self._own.place(AWAY)
        self._state = self._engine.save()

    def lower(self, pose: Pose, above_m: float | None = ABOVE_M) -> Pose | None:
        """Lower a pose to just above its first contact, if any; no step exceeds the clearance, so none is missed."""
        own = self._dropped
        self.effort += LOWER_EFFORT
        x, y, z = pose.position
        low = lowest_point(own.boxes, Pose((0.0, 0.0, 0.0), pose.rotation))
        z = self.top_m + 0.005 - low if above_m is None else z + above_m
        while z + low > FLOOR_M:
            at = Pose((x, y, z), pose.rotation)
            self._engine.set_pose(own.bodies[0], at)
            own.place(at)
            gap = nearest_m(self._engine, own, [*self._ground, *self._others], LOOK_M)
            if gap < 2.0 * GAP_M:
                return at if gap >= 0.5 * GAP_M else None
            z -= gap - GAP_M
        return None

    def drop(self, release: Pose) -> ReleaseOutcome:
        """Release the ladder at a pose clear of everything, and wait for the outcome."""
        own, engine = self._dropped, self._engine
        self._restore()
        engine.set_pose(own.bodies[0], release)
        engine.set_velocity(own.bodies[0], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        starts = [solid.pose.position for solid in self._moving]
        held, lay, past = (
            False,
            Support(release.position),
            deque[list[Pose]](maxlen=STILL_TICKS // LOOK_TICKS),
        )
        for _ in range(0, MOST_TICKS, LOOK_TICKS):
            self.effort += LOOK_TICKS * (1 + len(self._moving))
            for _ in range(LOOK_TICKS):
                for _ in range(STEPS_PER_TICK):
                    self._step()
                lay = lay if self._frozen else self._lay(lay)
            now = [engine.pose(solid.bodies[0]) for solid in (own, *self._moving)]
            held = len(past) == past.maxlen and _still(past[0], now)
            past.append(now)
            if not all(slot.holds(engine) for slot in self._slots):
                held = False
                break
            if held or self._gave_way(release, now[0], now[1:], starts):
                break
        for solid in (own, *self._moving):
            solid.place(engine.pose(solid.bodies[0]))
        gone = [
            solid.name
            for solid, start in zip(self._moving, starts, strict=True)
            if math.dist(solid.pose.position, start) >= MOST_MOVED_M
        ]
        fell = own.pose.position[2] < release.position[2] - MOST_FALLEN_M
        lay = replace(lay, gave_way=gone[0] if gone and not fell else None)
        result = self._outcome(release, held and not gone, lay)
        self._place_back(starts)
        return result

    def brings_down(self, release: Pose) -> int:
        """Release the ladder there; return how many others have come down ``FALL_TICKS`` later."""
        own, engine = self._dropped, self._engine
        self._restore()
        engine.set_pose(own.bodies[0], release)
        engine.set_velocity(own.bodies[0], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        starts = [solid.pose.position for solid in self._moving]
        for _ in range(FALL_TICKS * STEPS_PER_TICK):
            self._step()
        now = [engine.pose(solid.bodies[0]).position for solid in self._moving]
        self._place_back(starts)
        return sum(before[2] - after[2] > FALLEN_M for before, after in zip(starts, now, strict=True))

    def _step(self) -> None:
        """One step; in parts, as in the game, where the ladder is about to strike."""
        own, engine, whole = self._dropped, self._engine, self._solving
        count = 1
        if self._as_played and may_strike([speed_m_s(engine.velocity(own.bodies[0]))]):
            solids = ((solid, not solid.rooted) for solid in (own, *self._others))
            count = parts(engine, solids, [body for solid in self._ground for body in solid.bodies])
        engine.set_solving(whole.in_parts(count) if count > 1 else whole)
        for _ in range(count):
            engine.step()
        engine.set_solving(whole)

    @property
    def _dropped(self) -> Solid:
        assert self._own is not None, "take a ladder first"
        return self._own

    @staticmethod
    def _gave_way(release: Pose, own: Pose, others: list[Pose], starts: list[Vec3]) -> bool:
        if own.position[2] < release.position[2] - MOST_FALLEN_M:
            return True
        return any(
            math.dist(pose.position, start) > MOST_MOVED_M for pose, start in zip(others, starts, strict=True)
        )

    def _lay(self, before: Support) -> Support:
        """Return how the dropped ladder lies now, or how it lay before it went."""
        body = self._dropped.bodies[0]
        names = {solid.bodies[0]: solid.name for solid in self._others}
        presses = (
            (names[press.other], press.point, press.normal[2])
            for press in self._engine.presses(body)
            if press.other in names
        )
        return before.with_contacts(self._engine.pose(body).position, presses)

    def _outcome(self, release: Pose, held: bool, lay: Support) -> ReleaseOutcome:
        own, engine = self._dropped, self._engine
        touched: tuple[PieceId, ...] = ()
        if held:
            held = not any(
                touches(engine, one, ground) for one in (own, *self._moving) for ground in self._ground
            )
            touched = tuple(sorted(one.name for one in self._others if touches(engine, own, one)))
        return ReleaseOutcome(
            held,
            touched,
            own.pose,
            own.high[2],
            self.top_m,
            quat_angle(release.rotation, own.pose.rotation),
            self._load() if held else (),
            None if held else lay,
        )

    def _load(self) -> Load:
        names = {solid.bodies[0]: solid.name for solid in self._others}
        rows = [
            (names[press.other], np.array(press.point), press.force_n * max(0.0, press.normal[2]))
            for press in self._engine.presses(self._dropped.bodies[0])
            if press.other in names
        ]
        whole = sum(row[2] for row in rows) or 1.0
        return tuple((name, point, force / whole) for name, point, force in rows)

    def _settle(self, ticks: int) -> float:
        """Find the contacts again and settle; return how far a ladder went, metres. Falls aren't watched to the end."""
        starts, quiet, farthest_m = [solid.pose.position for solid in self._moving], 0, 0.0
        for _ in range(ticks):
            for _ in range(STEPS_PER_TICK):
                self._engine.step()
            poses = [self._engine.pose(solid.bodies[0]) for solid in self._moving]
            gone = (math.dist(pose.position, start) for pose, start in zip(poses, starts, strict=True))
            farthest_m = max(gone, default=0.0)
            speeds = [speed_m_s(self._engine.velocity(solid.bodies[0])) for solid in self._moving]
            quiet = quiet + 1 if max(speeds, default=0.0) < QUIET_M_S else 0
            if quiet >= QUIET_TICKS or farthest_m > MOST_MOVED_M:
                break
        for solid in self._moving:
            self._engine.set_velocity(solid.bodies[0], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            solid.place(self._engine.pose(solid.bodies[0]))
        return farthest_m

    def _restore(self) -> None:
        self._engine.restore(self._state)

    def _place_back(self, starts: list[Vec3]) -> None:
        """Distances are asked for between drops: everything stands again."""
        self._restore()
        for solid in self._moving:
            solid.place(self._engine.pose(solid.bodies[0]))


def _still(before: list[Pose], now: list[Pose]) -> bool:
    gone = [_apart_m(a, b) for a, b in zip(before, now, strict=True)]
    return gone[0] < STILL_M and max(gone) < CREEP_M


def _apart_m(a: Pose, b: Pose) -> float:
    return math.dist(a.position, b.position) + ARM_M * quat_angle(a.rotation, b.rotation)
