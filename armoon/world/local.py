"""A world in this process: takes orders and grips, steps the physics, and returns facts; exactly deterministic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from armoon.clock import TICK_S
from armoon.errors import WorldError
from armoon.values import pieces
from armoon.values.poses import Pose, Vec3
from armoon.values.text import short_repr
from armoon.world.base import is_in_lid, make_offered_pose
from armoon.world.bullet import GRAVITY_M_S2, STEP_S, STEPS_PER_TICK, ZERO, Bullet
from armoon.world.checks import StructurePoses, check_pose, check_structure
from armoon.world.contact import ContactTracker, Solid, measure_nearest_m
from armoon.world.grip import (
    FAR_SPEED_M_S,
    NEAR_SPEED_M_S,
    REST_FULL_M,
    Grasp,
    compute_drive,
    is_valid_grip,
    is_within_reach,
)
from armoon.world.guide import find_place_on_request, find_place_within, plan_waypoints
from armoon.world.ladders import STANDING_STATUSES
from armoon.world.physics import CAREFUL, choose_solver
from armoon.world.piece import (
    QUIET_M_S,
    TREMBLE_M,
    TREMBLE_TICKS,
    Piece,
    RestDetector,
    SettlingAction,
    StillnessCounter,
    apply_action,
    read_motion,
    step_to_sleep,
)
from armoon.world.seating import PassResult, Seating, fill_engine
from armoon.world.slots import SlotLadders

#: Maximum motion of any point of a ladder in one part of a step, while it may strike something.
PART_MOTION_M = 0.0007
#: Maximum number of parts of a step: at 3 m/s each moves a ladder by 0.8 mm.
MAX_PARTS = 16
#: Maximum speed of a falling ladder that can't become fast enough to strike within the next tick.
SLOW_M_S = PART_MOTION_M / STEP_S - GRAVITY_M_S2 * TICK_S
#: Rest is measured at 50 mm from a ladder's middle; its ends are at most this many times as far out.
END_SHARE = 1.7


def can_strike(speeds_m_s: Iterable[float]) -> bool:
    """Return whether any loose ladder may become fast within the next tick; the check is cheap for towers at rest."""
    return any(END_SHARE * speed_m_s > SLOW_M_S for speed_m_s in speeds_m_s)


def count_parts(engine: Bullet, solids: Iterable[tuple[Solid, bool]], ground: Sequence[int]) -> int:
    """Return the number of parts of the next step. ``solids``: each with whether it is free; ``ground``: bodies."""
    # This uses plain numbers, because it runs at every step while anything is fast.
    ladders = list(solids)
    motions_m = [_measure_step_m(engine, solid) for solid, _ in ladders]
    # Only free ladders strike; held and fixed ones are struck.
    strikers = [k for k, (_, is_free) in enumerate(ladders) if is_free and motions_m[k] > PART_MOTION_M]
    if not strikers:
        return 1
    places = [engine.get_pose(solid.bodies[0]).position for solid, _ in ladders]
    parts = 1
    for k in sorted(strikers, key=lambda index: -motions_m[index]):
        goal = min(MAX_PARTS, math.ceil(motions_m[k] / PART_MOTION_M))
        if goal > parts and _is_near(engine, k, [solid for solid, _ in ladders], motions_m, places, ground):
            parts = goal
    return parts


def _measure_step_m(engine: Bullet, solid: Solid) -> float:
    linear, angular = engine.get_velocity(solid.bodies[0])
    speed = math.hypot(*linear) + solid.radius_m * math.hypot(*angular)
    return (speed + GRAVITY_M_S2 * STEP_S) * STEP_S if speed > 0.0 else 0.0


def _is_near(
    engine: Bullet,
    striker: int,
    solids: Sequence[Solid],
    motions_m: Sequence[float],
    places: Sequence[Vec3],
    ground: Sequence[int],
) -> bool:
    mover, place = solids[striker], places[striker]
    for other, (solid, other_place) in enumerate(zip(solids, places, strict=True)):
        motion_m = motions_m[striker] + motions_m[other]
        gap_m = math.dist(place, other_place) - mover.radius_m - solid.radius_m
        if (
            other != striker
            and gap_m <= motion_m
            and engine.find_closest(mover.bodies[0], solid.bodies[0], motion_m) is not None
        ):
            return True
    return any(engine.find_closest(mover.bodies[0], body, motions_m[striker]) is not None for body in ground)


#: Range of the measured distance between the held ladder and others.
GAP_REACH_M = 0.030
#: Gap, plus a tick's motion, below which the held ladder is solid. Farther away, a solid ladder would wake the tower,
#: because Bullet forms islands by bounding boxes; awake, a marginal tower creeps by up to 0.7 mm a second.
SOLID_GAP_M = 0.0005
#: Gap beyond which a solid held ladder becomes a ghost again.
GHOST_GAP_M = 0.0015
#: Gap to every other ladder beyond which a ladder returned to the lid is offered again.
ALONE_GAP_M = 0.012
#: Gap below which a held ladder yields if its hand is below it, and gap above which it no longer yields.
TOUCH_GAP_M, CLEAR_GAP_M = 0.0002, 0.003
#: Speed at which a ladder counts as giving way under the held ladder, so that the hand carries the weight again.
YIELD_M_S = 0.02
#: Speed of all ladders not held below which contacts are solved with more iterations (``choose_solver``).
SETTLE_M_S = 0.1
#: Speed of release up to which a ladder starts from rest, so that opening fingers don't kick it.
CALM_RELEASE_M_S = 0.5
#: Actions during which ladders don't push others out of a slot.
_STILL_ACTIONS = (SettlingAction.SOLVE, SettlingAction.STOP, SettlingAction.SLEEP)


class LocalWorld:
    """Ladders on a base, stepped in this process."""

    def __init__(self, ladders: pieces.LadderSet, base: pieces.Base, engine: Bullet | None = None) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base_boxes, self._slot_poses, self._lid_x_m = base.boxes, base.slots, base.lid_x_m
        self._engine = Bullet() if engine is None else engine
        self._tick = 0
        self._locked = False
        self._seating, self._is_seated = Seating(), True
        self._build(())

    def _build(self, standing: StructurePoses) -> None:
        self._table, self._base, solids = fill_engine(self._engine, self._base_boxes, self._ladders, standing)
        self._ground = (*self._base.bodies, *self._table.bodies)
        self._pieces: dict[pieces.PieceId, Piece] = {}
        self._tracker = ContactTracker(self._engine)
        self._slots = SlotLadders(self._engine, self._base.bodies, self._slot_poses)
        self._rest = RestDetector()
        self._stillness = StillnessCounter(TREMBLE_M, TREMBLE_TICKS)
        self._action = SettlingAction.NOTHING
        self._grasp: Grasp | None = None
        self._guide = pieces.Guide()
        self._is_solid = False
        self._gap_m = GAP_REACH_M
        self._is_yielding = False
        """Whether the held ladder has touched something and yields to it."""
        self._fastest_m_s = 0.0
        """Maximum speed of all other ladders in the last tick."""
        for solid in solids:
            status = pieces.PieceStatus.FIXED if solid.is_rooted else pieces.PieceStatus.FREE
            self._add_piece(solid.name, status, solid.pose, solid.bodies[0])

    def rebuild(self, standing: StructurePoses, *, asleep: bool = False) -> None:
        """Restart from poses without resetting the tick. Grips are unlocked and nothing is offered.

        All worlds rebuilt from the same poses are exactly equal, so that logs replay. ``asleep`` (for resuming and
        undo): everything sleeps in place, with known contacts, until it is touched; otherwise it comes to rest first.
        Raises WorldError, without a change, if a ladder is unknown or named twice, or a pose is invalid.
        """
        check_structure(standing, self._ladders)
        self._locked, self._seating, self._is_seated = False, Seating(), True
        if asleep:
            self._build_asleep(standing)
        else:
            self._build(standing)
            if standing:
                self.disturb()

    def _build_asleep(self, standing: StructurePoses) -> None:
        self._build(standing)
        self._engine.set_solver(CAREFUL)
        self._set_action(SettlingAction.SLEEP)
        step_to_sleep(self._engine, self._free())
        self._action = SettlingAction.NOTHING
        self._tracker.settle(self._list_solids())

    def _rebuild_at_rest(self, standing: StructurePoses) -> None:
        """Rebuild the structure asleep and keep offered ladders; body numbers become invalid."""
        offered = [
            (name, p.pose) for name, p in self._pieces.items() if p.status is pieces.PieceStatus.OFFERED
        ]
        self._build_asleep(standing)
        for name, pose in offered:
            self._add(name, pieces.PieceStatus.OFFERED, pose)

    def resume(
        self, tick: int, standing: StructurePoses, orders: Sequence[pieces.Order], *, asleep: bool = False
    ) -> None:
        """Continue another world from its last tick and structure, with orders to apply."""
        self.rebuild(standing, asleep=asleep)
        self._tick = tick
        for order in orders:
            self.apply(order)

    def close(self) -> None:
        self._engine.close()

    @property
    def seating_ticks(self) -> int:
        return self._seating.count_ticks(self._tick)

    def poses(self) -> dict[pieces.PieceId, Pose]:
        return {name: self._pieces[name].pose for name in sorted(self._pieces)}

    def apply(self, order: pieces.Order | pieces.Guide) -> None:
        """Carry out an order at once. Raises WorldError, without a change, if the order is impossible."""
        if isinstance(order, pieces.LockGrips):
            self._locked = order.locked
            if order.locked:
                self._release_held()
            return
        if isinstance(order, pieces.Guide):
            for place in order.places:
                check_pose("a place", place)
            self._guide, grasp = order, self._grasp
            if order.sets_down and grasp is not None and grasp.descent is None:
                held = self._pieces[grasp.piece]
                nearest = find_place_on_request(order.places, held.pose)
                if nearest is not None:
                    others = (solid.high[2] for solid in self._list_solids() if solid is not held.solid)
                    clear_m = max(others) + held.solid.radius_m + CLEAR_GAP_M
                    grasp.set_down(nearest, plan_waypoints(nearest, order, held.pose, self._gap_m, clear_m))
            return
        if order.piece not in self._ladders:
            raise WorldError(
                f"There is no ladder {short_repr(order.piece)} in this set.", remedy="Nothing was moved."
            )
        if isinstance(order, pieces.Place):
            check_pose(order.piece, order.pose)
            self._remove(order.piece)
            self._add(
                order.piece, pieces.PieceStatus.FIXED if order.fixed else pieces.PieceStatus.FREE, order.pose
            )
            self.disturb(wakes=order.fixed)
        elif isinstance(order, pieces.Offer):
            self._remove(order.piece)
            pose = order.pose or make_offered_pose(self._ladders[order.piece], self._lid_x_m)
            check_pose(order.piece, pose)
            self._add(order.piece, pieces.PieceStatus.OFFERED, pose)
        elif isinstance(order, pieces.Remove):
            self._remove(order.piece)

    def _add(self, name: pieces.PieceId, status: pieces.PieceStatus, pose: Pose) -> None:
        """Add a ladder; an offered one needs no body, because it touches nothing."""
        body = None
        if status is not pieces.PieceStatus.OFFERED:
            movable = status is not pieces.PieceStatus.FIXED
            body = self._engine.add_ladder(self._ladders[name], pose, movable=movable)
        self._add_piece(name, status, pose, body)

    def _add_piece(
        self, name: pieces.PieceId, status: pieces.PieceStatus, pose: Pose, body: int | None
    ) -> None:
        ladder = self._ladders[name]
        self._pieces[name] = piece = Piece(ladder, status, pose, body)
        if body is not None and status is pieces.PieceStatus.FIXED:
            self._slots.add_fixed(ladder, body, pose)
        elif body is not None and status is pieces.PieceStatus.FREE:
            self._slots.add_free(piece.solid, self._base)

    def _remove(self, name: pieces.PieceId) -> None:
        piece = self._pieces.pop(name, None)
        if piece is None:
            return
        if self._grasp is not None and self._grasp.piece == name:
            self._grasp = None
        self._tracker.forget(name)
        self._slots.forget(name)
        if piece.body is not None:
            self._engine.remove(piece.body)
            if self._is_solid or piece.status is not pieces.PieceStatus.HELD:
                self.disturb()

    def disturb(self, *, wakes: bool = True) -> None:
        """Let everything come to rest again after a change. ``wakes``: wake all free ladders, not only touched ones."""
        self._seating, self._is_seated = Seating(), False
        self._wait_for_rest(wakes=wakes)

    def _wait_for_rest(self, *, wakes: bool) -> None:
        self._rest.disturb()
        self._stillness = StillnessCounter(TREMBLE_M, TREMBLE_TICKS)
        for piece in self._free() if wakes else ():
            if piece.body is not None:
                self._engine.wake(piece.body)

    def _free(self) -> list[Piece]:
        return [piece for piece in self._pieces.values() if piece.status is pieces.PieceStatus.FREE]

    def tick(self, grip: pieces.GripIntent | None) -> pieces.Facts:
        """Follow the grip, advance by one tick, return the facts. Without a grip a held ladder stays in place."""
        self._apply_grip(grip)
        # Bodies fall asleep after one more step. With coarser settings, that step would wake all of them again.
        if self._action is not SettlingAction.SLEEP:
            is_solving = self._action is SettlingAction.SOLVE
            is_slow = self._fastest_m_s < SETTLE_M_S
            moving = choose_solver(len(self._free()), is_slow=is_slow, is_free=self._grasp is None)
            self._engine.set_solver(CAREFUL if is_solving else moving)
        is_watched = self._action not in (SettlingAction.SLEEP, SettlingAction.SOLVE)
        is_pushed = not self._rest.at_rest or (self._grasp is not None and self._is_solid)
        slots = self._slots if is_pushed and self._action not in _STILL_ACTIONS else None
        is_still = self._rest.at_rest and self._grasp is None and self._action is SettlingAction.NOTHING
        if not is_still:
            speeds_m_s = [piece.speed_m_s for piece in self._pieces.values() if piece.is_loose]
            self._advance(slots, is_watched=is_watched and can_strike(speeds_m_s))
        if slots is not None:
            self._follow_slots(slots)
        self._tick += 1
        return self._observe(is_pushed)

    def _advance(self, slots: SlotLadders | None, *, is_watched: bool) -> None:
        """Simulate a tick's steps and record moments on ``slots``; ``is_watched``: divide steps before fast strikes."""
        settings, held, push = self._engine.solving, None, ZERO
        for _ in range(STEPS_PER_TICK):
            if self._grasp is not None and self._is_solid and self._grasp.descent is None:
                held = self._pieces[self._grasp.piece].body
                assert held is not None
                push = self._grasp.compute_push(self._engine.get_pose(held), is_yielding=self._is_yielding)
            count = 1
            if is_watched:
                simulated = [piece for piece in self._pieces.values() if piece.body is not None]
                solids = [(piece.solid, piece.status is pieces.PieceStatus.FREE) for piece in simulated]
                count = count_parts(self._engine, solids, self._ground)
            self._engine.set_solver(settings.divide(count) if count > 1 else settings)
            for _ in range(count):
                self._drive_held()
                self._engine.step()
                if slots is not None:
                    slots.record_moments(held if push != ZERO else None, push)
            if slots is not None:
                slots.apply_moments()
        self._engine.set_solver(settings)

    def _follow_slots(self, slots: SlotLadders) -> None:
        leaving = slots.pop_leaving()
        for name, piece in self._pieces.items():
            if name in leaving:
                self._tracker.forget(name)
                piece.free_from_slot(slots.release(name, leaving[name]))
                self.disturb()
            elif piece.status is pieces.PieceStatus.FIXED and slots.get_pose(name) != piece.pose:
                piece.lean_to(slots.get_pose(name))
                self._is_seated = False

    def _apply_grip(self, grip: pieces.GripIntent | None) -> None:
        grasp = self._grasp
        if grasp is not None and grasp.descent is not None:
            if grasp.descent.advance(self._pieces[grasp.piece].pose, self._gap_m):
                self._release_held()
                return
            grasp.target = grasp.descent.target
            if not grasp.descent.is_stuck:
                return
            grasp.descent = None  # the hand holds it again
        if grip is not None and not is_valid_grip(grip) and grip.phase is not pieces.GripPhase.RELEASE:
            return
        if grasp is None:
            if grip is not None and grip.phase is pieces.GripPhase.GRAB and not self._locked:
                self._grab(grip)
            return
        held = self._pieces[grasp.piece]
        if grip is None or grip.phase is pieces.GripPhase.LOST:
            grasp.freeze(held.pose)
        elif grip.phase is pieces.GripPhase.HOLD:
            grasp.follow(held.pose, grip)
            grasp.draw_to_place(self._guide, held.pose, self._gap_m)
        elif grip.phase is pieces.GripPhase.GRAB:
            # A returning hand that pinches the frozen ladder continues to hold it; a second hand can't take it.
            is_own_hand = grip.source == grasp.source
            if is_within_reach(held.ladder, held.pose, grip) if grasp.is_frozen else is_own_hand:
                grasp.follow(held.pose, grip)
        elif grip.source == grasp.source and (grip.phase is pieces.GripPhase.RELEASE or not grasp.is_frozen):
            # Open fingers release a ladder even if their opening was missed, except those of a lost hand that returns.
            self._release(grasp)

    def _grab(self, grip: pieces.GripIntent) -> None:
        for name in sorted(self._pieces):
            piece = self._pieces[name]
            if piece.status is pieces.PieceStatus.OFFERED and is_within_reach(piece.ladder, piece.pose, grip):
                pose = piece.pose
                self._add(name, pieces.PieceStatus.HELD, pose)
                body = self._pieces[name].body
                assert body is not None
                self._engine.set_solid(body, False)
                self._engine.keep_awake(body)
                self._grasp = Grasp(piece.ladder, pose, grip)
                self._is_solid = False
                self._gap_m = GAP_REACH_M
                self._is_yielding = False
                return

    def _release(self, grasp: Grasp) -> None:
        is_guided = grasp.source not in pieces.EXACT_SOURCES
        place = find_place_within(self._guide, self._pieces[grasp.piece].pose) if is_guided else None
        if place is None:
            self._release_held()
        else:
            grasp.set_down(place, is_released=True)

    def _release_held(self) -> None:
        """Release the held ladder: in the lid, away from other ladders, it is offered again; otherwise it is free."""
        grasp = self._grasp
        if grasp is None:
            return
        self._grasp = None
        piece = self._pieces[grasp.piece]
        assert piece.body is not None
        if is_in_lid(piece.pose.position, grasp.turned_rad, self._lid_x_m) and self._is_alone(piece.solid):
            self._remove(grasp.piece)
            self._add(grasp.piece, pieces.PieceStatus.OFFERED, make_offered_pose(piece.ladder, self._lid_x_m))
            return
        linear, angular = self._engine.get_velocity(piece.body)
        if math.hypot(*linear) <= CALM_RELEASE_M_S:
            linear = angular = ZERO
        self._engine.set_velocity(piece.body, linear, angular)
        self._engine.set_solid(piece.body, True)
        self._engine.let_sleep(piece.body)
        piece.status = pieces.PieceStatus.FREE
        piece.is_loose = True
        self.disturb(wakes=False)

    def _is_alone(self, ladder: Solid) -> bool:
        others = [solid for solid in self._list_solids() if solid not in (self._table, ladder)]
        return measure_nearest_m(self._engine, ladder, others, ALONE_GAP_M) >= ALONE_GAP_M

    def _drive_held(self) -> None:
        if self._grasp is None:
            return
        piece = self._pieces[self._grasp.piece]
        assert piece.body is not None
        pose = self._engine.get_pose(piece.body)
        velocity = self._engine.get_velocity(piece.body)
        view = self._grasp.view if self._is_yielding else None
        can_rest = self._fastest_m_s < YIELD_M_S
        descent = self._grasp.descent
        max_speed_m_s = FAR_SPEED_M_S if descent is None else descent.speed_m_s
        force, torque = compute_drive(
            piece.ladder,
            pose,
            velocity,
            self._grasp.target,
            self._gap_m,
            view,
            can_rest=can_rest,
            max_speed_m_s=max_speed_m_s,
        )
        self._engine.push(piece.body, pose.position, force, torque)

    def _observe(self, is_pushed: bool) -> pieces.Facts:
        fastest = read_motion(self._engine, self._pieces.values(), is_pushed=is_pushed)
        self._fastest_m_s = fastest
        if self._slots.has_outside:
            self._slots.unpin_loose({name: piece.solid for name, piece in self._pieces.items()}, self._base)
        touchable = self._list_solids()
        self._tracker.observe(touchable)
        self._update_rest(fastest)
        grip_gap, force = self._observe_held(touchable)
        return pieces.Facts(
            tick=self._tick,
            pieces=tuple([self._pieces[name].make_facts() for name in sorted(self._pieces)]),
            contacts=self._tracker.contacts,
            held=None if self._grasp is None else self._grasp.piece,
            held_frozen=self._grasp is not None and self._grasp.is_frozen,
            grip_gap_m=grip_gap,
            at_rest=self._rest.at_rest,
            held_force_n=force,
        )

    def _update_rest(self, fastest_m_s: float) -> None:
        """Calm restless ladders; re-seat a structure that has come to rest before reporting that it is at rest."""
        held = self._grasp is not None
        is_loose = not (held and self._is_solid) and any(piece.is_loose for piece in self._free())
        self._is_seated = self._is_seated and not is_loose
        is_shifted = False
        if held:
            self._seating = Seating()
        if self._seating.is_under_way:
            result = self._seating.observe(self._tick, self._standing_poses())
            if result is PassResult.STANDS:
                self._seat(self._seating.start)
            if result in (PassResult.STANDS, PassResult.RUNNING):
                return
            is_shifted = result is PassResult.SHIFTED
        only_trembles = is_shifted or (is_loose and self._is_trembling(fastest_m_s))
        # Overlaps are dissolved before the first pass; later, that would only shake the structure again.
        contacts = () if self.seating_ticks else self._tracker.contacts
        deepest_m = max([-contact.distance_m for contact in contacts], default=0.0)
        action = self._rest.observe(
            fastest_m_s, deepest_m, is_hand_at_work=held, is_loose=is_loose, only_trembles=only_trembles
        )
        if action is SettlingAction.STOP:
            self._seating.give_up()
        if held or self._is_seated or not self._rest.at_rest:
            self._set_action(action)
            return
        standing = self._list_standing()
        if self._free() and self._seating.can_begin(self._tick):
            self._rebuild_at_rest(standing)
            self._wait_for_rest(wakes=True)
            self._seating.begin_pass(self._tick, standing)
        else:
            self._seat(standing)

    def _list_standing(self) -> StructurePoses:
        return [
            (name, piece.pose, piece.status is pieces.PieceStatus.FIXED)
            for name, piece in sorted(self._pieces.items())
            if piece.status in STANDING_STATUSES
        ]

    def _seat(self, standing: StructurePoses) -> None:
        self._rebuild_at_rest(standing)
        self._seating, self._is_seated = Seating(), True

    def _standing_poses(self) -> dict[pieces.PieceId, Pose]:
        return {name: pose for name, pose, _ in self._list_standing()}

    def _is_trembling(self, fastest_m_s: float) -> bool:
        if self._rest.at_rest:
            self._stillness = StillnessCounter(TREMBLE_M, TREMBLE_TICKS)
            return False
        stays = self._stillness.observe(self._standing_poses())
        return stays and fastest_m_s >= QUIET_M_S

    def _list_solids(self) -> list[Solid]:
        return [self._base, self._table, *[p.solid for p in self._pieces.values() if p.body is not None]]

    def _set_action(self, action: SettlingAction) -> None:
        previous, self._action = self._action, action
        if previous is not SettlingAction.NOTHING or action is not SettlingAction.NOTHING:
            apply_action(self._engine, self._free(), previous, action)

    def _observe_held(self, touchable: Sequence[Solid]) -> tuple[float | None, float]:
        """Make the held ladder solid or a ghost; return its gap to other ladders and its force on everything."""
        if self._grasp is None:
            return None, 0.0
        piece = self._pieces[self._grasp.piece]
        assert piece.body is not None
        ladders = [solid for solid in touchable[2:] if solid is not piece.solid]
        grip_gap = measure_nearest_m(self._engine, piece.solid, ladders, GAP_REACH_M)
        self._gap_m = measure_nearest_m(self._engine, piece.solid, touchable[:2], grip_gap)
        max_gap_m, min_press_m = (CLEAR_GAP_M, 0.0) if self._is_yielding else (TOUCH_GAP_M, REST_FULL_M)
        self._is_yielding = self._gap_m < max_gap_m and self._grasp.measure_press_m(piece.pose) > min_press_m
        to_target_m = math.dist(piece.pose.position, self._grasp.target.position)
        motion_m = max(piece.speed_m_s, min(to_target_m / TICK_S, NEAR_SPEED_M_S)) * TICK_S
        solid = self._gap_m < (GHOST_GAP_M if self._is_solid else SOLID_GAP_M) + motion_m
        if solid is not self._is_solid:
            self._is_solid = solid
            self._engine.set_solid(piece.body, solid)
        force = self._engine.sum_contact_force_n(piece.body) if solid else 0.0
        return (grip_gap if grip_gap < GAP_REACH_M else None), force
