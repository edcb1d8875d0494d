"""Simulates drops of ladders onto a structure in an engine that is built once and reset after each drop.

If frozen, only the dropped ladder moves: a drop takes milliseconds, but doesn't show whether the structure bears it.
If free, everything moves as in the game, at a hundred times the cost; a drop ends early once the outcome is certain.
In an intermediate mode, the dropped ladder and those that it touches move.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from armoon.geometry import Array, quat_angle
from armoon.placement.values import ALMOST_M, Load, ReleaseOutcome
from armoon.values.pieces import Base, Ladder, PieceId
from armoon.values.places import Support
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import STEPS_PER_TICK, Bullet, ContactForce
from armoon.world.checks import StructurePoses
from armoon.world.contact import Solid, are_touching, measure_nearest_m
from armoon.world.exact import find_lowest_m
from armoon.world.local import can_strike, count_parts
from armoon.world.physics import SolverSettings, choose_solver
from armoon.world.piece import measure_motion_m, measure_speed_m_s
from armoon.world.seating import fill_engine
from armoon.world.slots import Slot

#: Height of a release above the first contact, metres.
RELEASE_GAP_M = 0.0008
#: Height above a known place at which lowering begins, and the range of the clearance query; metres.
LOWER_FROM_M, CLEARANCE_RANGE_M = 0.012, 0.05
#: Height, in metres, below which no ladder can be touched.
FLOOR_M = 0.03
#: Pose of the ladder between drops, clear of everything.
PARKED_POSE = Pose((0.0, 0.0, 1.5))
#: A drop ends once the ladder has moved less than STILL_M, and every other ladder less than CREEP_M, in STILL_TICKS.
#: This is checked every CHECK_TICKS, for at most MAX_TICKS. Speed isn't compared, because rattling ladders are fast and
#: towers creep without falling if the solver has few iterations.
STILL_M, CREEP_M, STILL_TICKS, CHECK_TICKS, MAX_TICKS = 0.00025, 0.0008, 6, 2, 84
#: A structure is at rest once no ladder has moved by QUIET_M in QUIET_TICKS; speed isn't compared here either.
QUIET_M, QUIET_TICKS = 0.0001, 10
#: Motion of another ladder that counts as a failure of the structure, metres.
MAX_SHIFT_M = 0.012
#: Fall of the dropped ladder that counts as a miss, metres.
MISSED_M = 0.06
#: Descent of a ladder's middle that counts as a fall, metres, and the ticks after which it is measured.
FALLEN_M, FALL_TICKS = 0.03, 75
#: Ticks within which a newly built structure comes to rest, or turns out to creep forever.
SETTLE_TICKS = 120
#: Effort counted for lowering a ladder, in ticks of one ladder (measured: 0.3 to 1.4 ms).
LOWER_EFFORT = 8
#: Effort counted for rebuilding a structure to let other ladders move (measured: 20 to 40 ms).
BUILD_EFFORT = 200
#: Ticks after which the engine knows the contacts of a structure at rest.
CONTACT_TICKS = 3


#: Solver settings for filtering candidates.
COARSE_SOLVING = SolverSettings(30)
#: Solver settings for decisions, tried in order until the structure stands: two with a plain engine, then two with the
#: game's engine, at several times the cost. Some structures of six or more ladders creep or fall in a plain engine.
#: Some of two dozen ladders sag with all four settings; their poses in the game are kept.
FINE_SOLVINGS = SolverSettings(50), SolverSettings(100)
FULL_SOLVINGS = SolverSettings(100), SolverSettings(200)
#: Cost of an iteration in the game's own engine, relative to a plain one (measured: 1.5 to 3).
GAME_COST = 2.0
#: Motion after setup below which a structure counts as standing, metres.
STANDS_M = 0.001


@dataclass(frozen=True)
class LadderContacts:
    """Contacts of two ladders: their names, points (n, 3), unit normals (n, 3) from b to a."""

    a: PieceId
    b: PieceId
    points: Array
    normals: Array


class Rehearsal:
    """Simulates drops of one ladder on one structure; must be closed."""

    def __init__(
        self,
        ladders: Mapping[PieceId, Ladder],
        base: Base,
        standing: StructurePoses,
        *,
        frozen: bool = False,
        as_in_game: bool = False,
        loose: frozenset[PieceId] | None = None,
    ) -> None:
        """``as_in_game``: solve contacts as in the game; otherwise, a drop costs a third and may end differently.

        ``loose``: the only standing ladders that move; None: all that aren't in a slot.
        """
        self._ladders, self._base, self._frozen, self._as_in_game = ladders, base, frozen, as_in_game
        self._loose = frozenset() if frozen else loose
        self._slotted = {name for name, _, fixed in standing if fixed}
        self._engine = Bullet(plain=not as_in_game)
        self._loaded: Solid | None = None
        self._state = -1
        self.effort = 0
        """Work so far, the same on any machine: ticks times moving ladders times solver cost, plus lowering."""
        if frozen:
            self._build(standing, COARSE_SOLVING)
        else:
            free = 1 + sum(1 for _, _, fixed in standing if not fixed)
            first = [(False, choose_solver(free))] if as_in_game else [(True, fine) for fine in FINE_SOLVINGS]
            for plain, solving in [*first, *((False, full) for full in FULL_SOLVINGS)]:
                self._open_engine(plain=plain)
                self._build(standing, solving)
                self.stands = self._settle(SETTLE_TICKS, MAX_SHIFT_M if as_in_game else STANDS_M) < STANDS_M
                """Whether the structure stays in place when it is set up here."""
                if self.stands and not as_in_game:
                    # Drops start from the settled poses, in a rebuilt engine, in which some structures fall.
                    self._build(self.standing, solving)
                    self.stands = self._settle(SETTLE_TICKS, MAX_SHIFT_M) < MAX_SHIFT_M
                if self.stands:
                    break
            if not (self.stands or as_in_game):
                self._open_engine(plain=True)
                self._build(standing, FINE_SOLVINGS[-1])
                self._settle(CONTACT_TICKS)
        self._settled = self.rested = self.standing
        """``rested``: the structure and the dropped ladder after the last drop."""

    def _open_engine(self, *, plain: bool) -> None:
        if plain is not self._engine.plain:
            self._engine.close()
            self._engine = Bullet(plain=plain)

    def _build(self, standing: StructurePoses, solving: SolverSettings) -> None:
        self._solving = solving
        cost = solving.iterations / FINE_SOLVINGS[0].iterations * (1.0 if self._engine.plain else GAME_COST)
        self._cost = max(1, round(cost))
        rows = [
            (name, pose, fixed or (self._loose is not None and name not in self._loose))
            for name, pose, fixed in standing
        ]
        *self._ground, self._solids = fill_engine(self._engine, self._base.boxes, self._ladders, rows)
        self._engine.set_solver(solving)
        self._slots = [
            Slot(self._ladders[solid.name], solid.bodies[0], solid.pose, solid.pose)
            for solid in self._solids
            if solid.name in self._slotted and not self._frozen
        ]
        """Slots of the starting ladders, which are rigid here; a drop that pulls a ladder out has failed."""
        self._moving = [solid for solid in self._solids if not solid.is_rooted]

    def close(self) -> None:
        self._engine.close()

    def rebuild(self, standing: StructurePoses) -> Rehearsal:
        """Set up a structure, as a drop left it, in a new engine; return the closed rehearsal, to read ``stands``."""
        rehearsal = Rehearsal(self._ladders, self._base, standing, as_in_game=self._as_in_game)
        rehearsal.close()
        return rehearsal

    @property
    def top_m(self) -> float:
        return max((solid.high[2] for solid in self._solids), default=0.0)

    @property
    def standing(self) -> StructurePoses:
        return [(solid.name, solid.pose, solid.name in self._slotted) for solid in self._solids]

    def find_contacts(self) -> list[LadderContacts]:
        """Return the engine's contacts of free ladders at rest."""
        names = {solid.bodies[0]: solid.name for solid in self._solids}
        loose = {solid.name for solid in self._moving}
        contacts: list[LadderContacts] = []
        for solid in self._moving:
            forces: dict[int, list[ContactForce]] = {}
            for force in self._engine.get_contact_forces(solid.bodies[0]):
                forces.setdefault(force.other, []).append(force)
            for other, pair_forces in sorted(forces.items()):
                # A pair of free ladders is reported from both sides.
                if other in names and (names[other] < solid.name or names[other] not in loose):
                    points = np.array([force.point for force in pair_forces])
                    normals = np.array([force.normal for force in pair_forces])
                    contacts.append(LadderContacts(solid.name, names[other], points, normals))
        return contacts

    def load_ladder(self, piece: PieceId) -> None:
        # Rebuild, so that results don't depend on earlier drops.
        self._build(self._settled, self._solving)
        ladder = self._ladders[piece]
        body = self._engine.add_ladder(ladder, PARKED_POSE, movable=True)
        self._engine.set_solid(body, False)
        self._loaded = Solid(piece, ladder.boxes, (body,), is_rooted=False)
        if self._moving:
            self._settle(CONTACT_TICKS)
        self._engine.set_solid(body, True)
        self._engine.set_sliding(body, True)
        self._engine.keep_awake(body)
        self._engine.set_pose(body, PARKED_POSE)
        self._loaded.set_pose(PARKED_POSE)
        self._state = self._engine.save_state()

    def let_move(self, loose: frozenset[PieceId]) -> None:
        """Let only these standing ladders move, besides the loaded one."""
        if loose != self._loose:
            self._loose, self._solving = loose, choose_solver(1 + len(loose))
            self.effort += BUILD_EFFORT
            self.load_ladder(self._dropped.name)

    def lower(self, pose: Pose, above_m: float | None = LOWER_FROM_M) -> Pose | None:
        """Return the pose lowered to just above its first contact, or None. No step exceeds the clearance."""
        loaded = self._dropped
        self.effort += LOWER_EFFORT
        x, y, z = pose.position
        lowest_m = find_lowest_m(loaded.boxes, Pose((0.0, 0.0, 0.0), pose.rotation))
        z = self.top_m + 0.005 - lowest_m if above_m is None else z + above_m
        while z + lowest_m > FLOOR_M:
            lowered = Pose((x, y, z), pose.rotation)
            self._engine.set_pose(loaded.bodies[0], lowered)
            loaded.set_pose(lowered)
            gap = measure_nearest_m(self._engine, loaded, [*self._ground, *self._solids], CLEARANCE_RANGE_M)
            if gap < 2.0 * RELEASE_GAP_M:
                return lowered if gap >= 0.5 * RELEASE_GAP_M else None
            z -= gap - RELEASE_GAP_M
        return None

    def drop(self, release: Pose) -> ReleaseOutcome:
        """Release the ladder at a pose clear of everything, and simulate until the outcome is certain."""
        *_, outcome = self.drop_in_slices(release)
        assert outcome is not None
        return outcome

    def drop_in_slices(self, release: Pose) -> Iterator[ReleaseOutcome | None]:
        """Yield None every few ticks of a drop, at which it can be abandoned, and then its outcome."""
        loaded, engine, starts = self._dropped, self._engine, self._begin_drop(release)
        held, support, last_poses = (
            False,
            Support(release.position),
            deque[list[Pose]](maxlen=STILL_TICKS // CHECK_TICKS),
        )
        for _ in range(0, MAX_TICKS, CHECK_TICKS):
            for _ in range(CHECK_TICKS):
                self._add_effort(sum(self._step() for _ in range(STEPS_PER_TICK)))
                support = support if self._frozen else self._update_support(support)
            poses = [engine.get_pose(solid.bodies[0]) for solid in (loaded, *self._moving)]
            held = len(last_poses) == last_poses.maxlen and _is_still(last_poses[0], poses)
            last_poses.append(poses)
            if not all(slot.is_holding(engine) for slot in self._slots):
                held = False
                break
            if held or self._has_failed(release, poses[0], poses[1:], starts):
                break
            yield None
        outcome = self._conclude(release, held, support, starts)
        self._reset_solids()
        yield outcome

    def _begin_drop(self, release: Pose) -> list[Vec3]:
        """Put the ladder at its release pose; return the positions of the ladders that can move."""
        body = self._dropped.bodies[0]
        self._restore()
        self._engine.set_pose(body, release)
        self._engine.set_velocity(body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        return [solid.pose.position for solid in self._moving]

    def _conclude(self, release: Pose, held: bool, support: Support, starts: list[Vec3]) -> ReleaseOutcome:
        loaded = self._dropped
        for solid in (loaded, *self._moving):
            solid.set_pose(self._engine.get_pose(solid.bodies[0]))
        shifted = [
            solid.name
            for solid, start in zip(self._moving, starts, strict=True)
            if math.dist(solid.pose.position, start) >= MAX_SHIFT_M
        ]
        fell = loaded.pose.position[2] < release.position[2] - MISSED_M
        support = replace(support, gave_way=shifted[0] if shifted and not fell else None)
        self.rested = [*self.standing, (loaded.name, loaded.pose, False)]
        return self._make_outcome(release, held and not shifted, support)

    def count_falls(self, release: Pose) -> int:
        """Release the ladder and count the others that have fallen ``FALL_TICKS`` later."""
        starts = self._begin_drop(release)
        self._add_effort(sum(self._step() for _ in range(FALL_TICKS * STEPS_PER_TICK)))
        positions = [self._engine.get_pose(solid.bodies[0]).position for solid in self._moving]
        self._reset_solids()
        return sum(before[2] - after[2] > FALLEN_M for before, after in zip(starts, positions, strict=True))

    def _add_effort(self, steps: int) -> None:
        self.effort += round(steps / STEPS_PER_TICK * (1 + len(self._moving)) * self._cost)

    def _step(self) -> int:
        """Simulate one step, divided as in the game if the ladder is about to strike; return the number of parts."""
        loaded, engine, settings = self._dropped, self._engine, self._solving
        count = 1
        if self._as_in_game and can_strike([measure_speed_m_s(engine.get_velocity(loaded.bodies[0]))]):
            solids = ((solid, not solid.is_rooted) for solid in (loaded, *self._solids))
            count = count_parts(engine, solids, [body for solid in self._ground for body in solid.bodies])
        engine.set_solver(settings.divide(count) if count > 1 else settings)
        for _ in range(count):
            engine.step()
        engine.set_solver(settings)
        return count

    @property
    def _dropped(self) -> Solid:
        assert self._loaded is not None, "load a ladder first"
        return self._loaded

    @staticmethod
    def _has_failed(release: Pose, loaded: Pose, others: list[Pose], starts: list[Vec3]) -> bool:
        if loaded.position[2] < release.position[2] - MISSED_M:
            return True
        return any(
            math.dist(pose.position, start) > MAX_SHIFT_M for pose, start in zip(others, starts, strict=True)
        )

    def _update_support(self, support: Support) -> Support:
        body = self._dropped.bodies[0]
        names = {solid.bodies[0]: solid.name for solid in self._solids}
        contacts = (
            (names[contact.other], contact.point, contact.normal[2])
            for contact in self._engine.get_contact_forces(body)
            if contact.other in names
        )
        return support.with_contacts(self._engine.get_pose(body).position, contacts)

    def _make_outcome(self, release: Pose, held: bool, support: Support) -> ReleaseOutcome:
        loaded, engine = self._dropped, self._engine
        touched, almost_touched = list[PieceId](), list[PieceId]()
        if held:
            held = not any(
                are_touching(engine, solid, ground)
                for solid in (loaded, *self._moving)
                for ground in self._ground
            )
            for solid in sorted(self._solids, key=lambda solid: solid.name):
                if are_touching(engine, loaded, solid):
                    touched.append(solid.name)
                elif measure_nearest_m(engine, loaded, [solid], ALMOST_M) < ALMOST_M:
                    almost_touched.append(solid.name)
        return ReleaseOutcome(
            held,
            tuple(touched),
            loaded.pose,
            loaded.high[2],
            self.top_m,
            quat_angle(release.rotation, loaded.pose.rotation),
            self._measure_load() if held else (),
            None if held else support,
            tuple(almost_touched),
        )

    def _measure_load(self) -> Load:
        names = {solid.bodies[0]: solid.name for solid in self._solids}
        rows = [
            (names[contact.other], np.array(contact.point), contact.force_n * max(0.0, contact.normal[2]))
            for contact in self._engine.get_contact_forces(self._dropped.bodies[0])
            if contact.other in names
        ]
        total = sum(row[2] for row in rows) or 1.0
        return tuple((name, point, force / total) for name, point, force in rows)

    def _settle(self, ticks: int, limit_m: float = math.inf) -> float:
        """Simulate until the structure rests or a ladder moves beyond the limit; return the farthest motion, metres."""
        poses = deque([[solid.pose for solid in self._moving]], QUIET_TICKS + 1)
        starts, farthest_m = poses[0], 0.0
        for _ in range(ticks):
            for _ in range(STEPS_PER_TICK):
                self._engine.step()
            self._add_effort(STEPS_PER_TICK)
            poses.append([self._engine.get_pose(solid.bodies[0]) for solid in self._moving])
            motions = (math.dist(a.position, b.position) for a, b in zip(starts, poses[-1], strict=True))
            farthest_m = max(motions, default=0.0)
            recent = (measure_motion_m(a, b) for a, b in zip(poses[0], poses[-1], strict=True))
            is_quiet = len(poses) > QUIET_TICKS and max(recent, default=0.0) < QUIET_M
            if is_quiet or farthest_m > limit_m:
                break
        for solid in self._moving:
            self._engine.set_velocity(solid.bodies[0], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            solid.set_pose(self._engine.get_pose(solid.bodies[0]))
        return farthest_m

    def _restore(self) -> None:
        self._engine.restore_state(self._state)

    def _reset_solids(self) -> None:
        self._restore()
        for solid in self._moving:
            solid.set_pose(self._engine.get_pose(solid.bodies[0]))


def _is_still(before: list[Pose], after: list[Pose]) -> bool:
    motions = [measure_motion_m(a, b) for a, b in zip(before, after, strict=True)]
    return motions[0] < STILL_M and max(motions) < CREEP_M
