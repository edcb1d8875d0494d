"""The world in this process: orders and grips in, one tick of physics, facts out; same calls, same bits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from armoon.clock import TICK_S
from armoon.errors import WorldError
from armoon.values import pieces
from armoon.values.poses import Pose, Vec3
from armoon.values.text import short_repr
from armoon.world.base import in_lid, offered_pose
from armoon.world.bullet import GRAVITY_M_S2, STEP_S, STEPS_PER_TICK, Bullet
from armoon.world.checks import Standing, check_base, check_ladder, check_pose, check_standing
from armoon.world.contact import ContactBook, Solid, nearest_m
from armoon.world.grip import FAR_SPEED_M_S, RESTS_FULLY_M, Grasp, drive, is_sensible, within_reach
from armoon.world.guide import legs_to, place_on_request, place_within
from armoon.world.physics import FIRM, moving
from armoon.world.piece import (
    QUIET_M_S,
    STAYS_M,
    STAYS_TICKS,
    Calming,
    Piece,
    RestWatch,
    Stillness,
    calm,
    fall_asleep,
    read_all,
)
from armoon.world.seating import PassResult, Seating, build
from armoon.world.slots import SlotLadders

#: Maximum way of any point of a ladder in one part of a step, while it may strike something.
PART_WAY_M = 0.0007
#: Number of parts of the finest steps: 3 m/s go 0.8 mm in each.
MOST_PARTS = 16
#: A ladder that was no faster than this at the last tick can't become fast enough within the next one: it falls.
SLOW_M_S = PART_WAY_M / STEP_S - GRAVITY_M_S2 * TICK_S
#: Rest is measured at 50 mm from a ladder's middle; its ends are at most this much farther out.
END_SHARE = 1.7


def may_strike(speeds_m_s: Iterable[float]) -> bool:
    """Whether any loose ladder may become fast within the next tick: a cheap question, for towers at rest."""
    return any(END_SHARE * speed_m_s > SLOW_M_S for speed_m_s in speeds_m_s)


def parts(engine: Bullet, solids: Iterable[tuple[Solid, bool]], ground: Sequence[int]) -> int:
    """Return in how many parts to take the next step. ``solids``: with whether each is free; ``ground``: bodies."""
    # Plain numbers: this runs at every step while anything is fast.
    ladders = list(solids)
    ways_m = [_way_m(engine, solid) for solid, _ in ladders]
    # A held or standing ladder is only struck.
    strikers = [k for k, (_, free) in enumerate(ladders) if free and ways_m[k] > PART_WAY_M]
    if not strikers:
        return 1
    places = [engine.pose(solid.bodies[0]).position for solid, _ in ladders]
    needed = 1
    for k in sorted(strikers, key=lambda one: -ways_m[one]):
        wanted = min(MOST_PARTS, math.ceil(ways_m[k] / PART_WAY_M))
        if wanted > needed and _is_near(engine, k, [solid for solid, _ in ladders], ways_m, places, ground):
            needed = wanted
    return needed


def _way_m(engine: Bullet, solid: Solid) -> float:
    linear, angular = engine.velocity(solid.bodies[0])
    speed = math.hypot(*linear) + solid.radius_m * math.hypot(*angular)
    return (speed + GRAVITY_M_S2 * STEP_S) * STEP_S if speed > 0.0 else 0.0


def _is_near(
    engine: Bullet,
    striker: int,
    solids: Sequence[Solid],
    ways_m: Sequence[float],
    places: Sequence[Vec3],
    ground: Sequence[int],
) -> bool:
    """Whether one of these ladders, by its number, may strike anything within the next step."""
    mover, place = solids[striker], places[striker]
    for other, (solid, there) in enumerate(zip(solids, places, strict=True)):
        way_m = ways_m[striker] + ways_m[other]
        apart_m = math.dist(place, there) - mover.radius_m - solid.radius_m
        if (
            other != striker
            and apart_m <= way_m
            and engine.closest(mover.bodies[0], solid.bodies[0], way_m) is not None
        ):
            return True
    return any(engine.closest(mover.bodies[0], body, ways_m[striker]) is not None for body in ground)


#: The held ladder's distance to others is measured up to here.
GAP_REACH_M = 0.030
#: The held ladder collides from this gap plus a tick's way; a hovering one would wake the tower (islands by bounds).
SOLID_GAP_M = 0.005
#: A solid held ladder becomes a ghost again beyond this gap.
GHOST_GAP_M = 0.012
#: Gap from which a held ladder gives way, once its hand goes below it, and gap that ends it, as does the hand rising.
TOUCH_GAP_M, CLEAR_GAP_M = 0.0002, 0.003
#: Speed of a bearing ladder from which it gives way, and the hand takes the weight again.
GIVES_WAY_M_S = 0.02
#: While all goes slower than this, and no hand is at work, contacts are solved with the care that settling needs.
SETTLES_M_S = 0.1
#: A ladder released at no more than this speed starts from rest: opening fingers give no kick.
CALM_RELEASE_M_S = 0.5
STILL: Vec3 = (0.0, 0.0, 0.0)
#: Firmed, stopped or sleeping ladders push none out of a slot.
_STILL = (Calming.FIRM, Calming.STOP, Calming.SLEEP)


class LocalWorld:
    """Ladders on a base, stepped in this process."""

    def __init__(self, ladders: pieces.LadderSet, base: pieces.Base, engine: Bullet | None = None) -> None:
        for ladder in ladders.ladders:
            check_ladder(ladder)
        check_base(base)
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base_boxes, self._places, self._lid_x_m = base.boxes, base.slots, base.lid_x_m
        self._engine = Bullet() if engine is None else engine
        self._tick = 0
        self._locked = False
        self._seating, self._seated = Seating(), True
        self._build(())

    def _build(self, standing: Standing) -> None:
        self._table, self._base, solids = build(self._engine, self._base_boxes, self._ladders, standing)
        self._ground = (*self._base.bodies, *self._table.bodies)
        self._pieces: dict[pieces.PieceId, Piece] = {}
        self._book = ContactBook(self._engine)
        self._slots = SlotLadders(self._engine, self._base.bodies, self._places)
        self._rest = RestWatch()
        self._stillness = Stillness(STAYS_M, STAYS_TICKS)
        self._calming = Calming.NOTHING
        self._grasp: Grasp | None = None
        self._guide = pieces.Guide()
        self._solid = False
        self._gap_m = GAP_REACH_M
        self._complies = False
        """The held ladder has touched something, and gives way to it."""
        self._moved_m_s = 0.0
        """How fast the fastest of all others went in the last tick."""
        for solid in solids:
            status = pieces.PieceStatus.FIXED if solid.rooted else pieces.PieceStatus.FREE
            self._bring_in(solid.name, status, solid.pose, solid.bodies[0])

    def rebuild(self, standing: Standing, *, asleep: bool = False) -> None:
        """Start again from poses; the number of ticks goes on. Grips are free and nothing is offered.

        The world equals, bit for bit, any other rebuilt from the same poses, so that logs replay. ``asleep`` (resuming,
        undo): all sleeps where it is, touches known, until it is touched; else everything comes to rest first.
        WorldError, and the world as it was, if a ladder is unknown or named twice, or a pose is no place.
        """
        check_standing(standing, self._ladders)
        self._locked, self._seating, self._seated = False, Seating(), True
        if asleep:
            self._build_asleep(standing)
        else:
            self._build(standing)
        if standing and not asleep:
            self.disturb()

    def _build_asleep(self, standing: Standing) -> None:
        self._build(standing)
        self._engine.set_solving(FIRM)
        self._rest = RestWatch()
        self._calm(Calming.SLEEP)
        fall_asleep(self._engine, self._free())
        self._calming = Calming.NOTHING
        self._book.judge(self._touchable())

    def _rebuild_at_rest(self, standing: Standing) -> None:
        """Rebuild what stands, asleep; offered ladders stay offered, and no body's number stays valid."""
        offered = [
            (name, one.pose) for name, one in self._pieces.items() if one.status is pieces.PieceStatus.OFFERED
        ]
        self._build_asleep(standing)
        for name, pose in offered:
            self._put(name, pieces.PieceStatus.OFFERED, pose)

    def resume(
        self, tick: int, standing: Standing, orders: Sequence[pieces.Order], *, asleep: bool = False
    ) -> None:
        """Go on where another world was: its last tick, where everything was then, and orders to be given."""
        self.rebuild(standing, asleep=asleep)
        self._tick = tick
        for order in orders:
            self.apply(order)

    def close(self) -> None:
        self._engine.close()

    @property
    def seating_ticks(self) -> int:
        """Ticks for which what came to rest has been seated; 0 before and after."""
        return self._seating.ticks(self._tick)

    def poses(self) -> dict[pieces.PieceId, Pose]:
        return {name: self._pieces[name].pose for name in sorted(self._pieces)}

    def apply(self, order: pieces.Order | pieces.Guide) -> None:
        """Carry out an order at once; WorldError, and the world as it was, if it can't be."""
        if isinstance(order, pieces.LockGrips):
            self._locked = order.locked
            if order.locked:
                self._let_go()
            return
        if isinstance(order, pieces.Guide):
            for place in order.places:
                check_pose("a place", place)
            self._guide, grasp = order, self._grasp
            if order.sets_down and grasp is not None and grasp.descent is None:
                held = self._pieces[grasp.piece]
                nearest = place_on_request(order.places, held.pose)
                if nearest is not None:
                    others = (solid.high[2] for solid in self._touchable() if solid is not held.solid)
                    clear_m = max(others) + held.solid.radius_m + CLEAR_GAP_M
                    grasp.set_down(nearest, legs_to(nearest, order, held.pose, self._gap_m, clear_m))
            return
        if order.piece not in self._ladders:
            raise WorldError(
                f"There is no ladder {short_repr(order.piece)} in this set.", remedy="Nothing was moved."
            )
        if isinstance(order, pieces.Place):
            check_pose(order.piece, order.pose)
            self._take_away(order.piece)
            self._put(
                order.piece, pieces.PieceStatus.FIXED if order.fixed else pieces.PieceStatus.FREE, order.pose
            )
            self.disturb(wakes=order.fixed)
        elif isinstance(order, pieces.Offer):
            self._take_away(order.piece)
            pose = order.pose or offered_pose(self._ladders[order.piece], self._lid_x_m)
            check_pose(order.piece, pose)
            self._put(order.piece, pieces.PieceStatus.OFFERED, pose)
        elif isinstance(order, pieces.Remove):
            self._take_away(order.piece)

    def _put(self, name: pieces.PieceId, status: pieces.PieceStatus, pose: Pose) -> None:
        """Bring a ladder in; an offered one needs no body, for it touches nothing."""
        body = None
        if status is not pieces.PieceStatus.OFFERED:
            movable = status is not pieces.PieceStatus.FIXED
            body = self._engine.add_ladder(self._ladders[name], pose, movable=movable)
        self._bring_in(name, status, pose, body)

    def _bring_in(
        self, name: pieces.PieceId, status: pieces.PieceStatus, pose: Pose, body: int | None
    ) -> None:
        ladder = self._ladders[name]
        self._pieces[name] = piece = Piece(ladder, status, pose, body)
        if body is not None and status is pieces.PieceStatus.FIXED:
            self._slots.stand(ladder, body, pose)
        elif body is not None and status is pieces.PieceStatus.FREE:
            self._slots.come_free(piece.solid, self._base)

    def _take_away(self, name: pieces.PieceId) -> None:
        piece = self._pieces.pop(name, None)
        if piece is None:
            return
        if self._grasp is not None and self._grasp.piece == name:
            self._grasp = None
        self._book.forget(name)
        self._slots.forget(name)
        if piece.body is not None:
            self._engine.remove(piece.body)
            if self._solid or piece.status is not pieces.PieceStatus.HELD:
                self.disturb()

    def disturb(self, *, wakes: bool = True) -> None:
        """Let everything come to rest again after a change. ``wakes``: all that is free wakes, else what is touched."""
        self._seating, self._seated = Seating(), False
        self._wait_for_rest(wakes=wakes)

    def _wait_for_rest(self, *, wakes: bool) -> None:
        self._rest.disturb()
        self._stillness = Stillness(STAYS_M, STAYS_TICKS)
        for piece in self._free() if wakes else ():
            if piece.body is not None:
                self._engine.wake(piece.body)

    def _free(self) -> list[Piece]:
        return [piece for piece in self._pieces.values() if piece.status is pieces.PieceStatus.FREE]

    def tick(self, grip: pieces.GripIntent | None) -> pieces.Facts:
        """Follow the grip, advance by one tick, return the facts. None: no device, so the held ladder waits."""
        self._take_in(grip)
        # Bullet puts to sleep after one more step: solved with less care, that step would wake all again.
        if self._calming is not Calming.SLEEP:
            firm = self._calming is Calming.FIRM
            settles = self._grasp is None and self._moved_m_s < SETTLES_M_S
            self._engine.set_solving(FIRM if firm else moving(len(self._free()), settles=settles))
        watched = self._calming not in (Calming.SLEEP, Calming.FIRM)
        pushed = not self._rest.at_rest or (self._grasp is not None and self._solid)
        slots = self._slots if pushed and self._calming not in _STILL else None
        still = self._rest.at_rest and self._grasp is None and self._calming is Calming.NOTHING
        if not still:
            loose = [piece.speed_m_s for piece in self._pieces.values() if piece.loose]
            self._advance(slots, watched=watched and may_strike(loose))
        if slots is not None:
            self._follow_slots(slots)
        self._tick += 1
        return self._observe(pushed)

    def _advance(self, slots: SlotLadders | None, *, watched: bool) -> None:
        """Advance a tick's steps while ``slots`` feel; ``watched``: in parts where something fast may strike."""
        whole, held, push = self._engine.solving, None, STILL
        for _ in range(STEPS_PER_TICK):
            if self._grasp is not None and self._solid and self._grasp.descent is None:
                held = self._pieces[self._grasp.piece].body
                assert held is not None
                push = self._grasp.insist(self._engine.pose(held), complies=self._complies)
            count = 1
            if watched:
                bodies = [one for one in self._pieces.values() if one.body is not None]
                solids = [(one.solid, one.status is pieces.PieceStatus.FREE) for one in bodies]
                count = parts(self._engine, solids, self._ground)
            self._engine.set_solving(whole.in_parts(count) if count > 1 else whole)
            for _ in range(count):
                self._drive_held()
                self._engine.step()
                if slots is not None:
                    slots.feel(held if push != STILL else None, push)
            if slots is not None:
                slots.give()
        self._engine.set_solving(whole)

    def _follow_slots(self, slots: SlotLadders) -> None:
        """Lean starting ladders by what pushed them, or let them out of their slots."""
        leaving = slots.take_leaving()
        for name, piece in self._pieces.items():
            if name in leaving:
                self._book.forget(name)
                piece.come_out(slots.let_out(name, leaving[name]))
                self.disturb()
            elif piece.status is pieces.PieceStatus.FIXED and slots.pose(name) != piece.pose:
                piece.lean(slots.pose(name))
                self._seated = False

    def energy_j(self) -> float:
        """Return the mechanical energy of all free and all starting ladders, above the table: for measurements."""
        standing = (pieces.PieceStatus.FREE, pieces.PieceStatus.FIXED)
        return math.fsum(p.energy_j(self._engine) for p in self._pieces.values() if p.status in standing)

    def _take_in(self, grip: pieces.GripIntent | None) -> None:
        grasp = self._grasp
        if grasp is not None and grasp.descent is not None:
            if grasp.descent.is_over(self._pieces[grasp.piece].pose, self._gap_m):
                self._let_go()
                return
            grasp.target = grasp.descent.target
            if not grasp.descent.is_stuck:
                return
            grasp.descent = None  # back to the hand
        if grip is not None and not is_sensible(grip) and grip.phase is not pieces.GripPhase.RELEASE:
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
            # A returning hand that pinches the waiting ladder goes on with it; a second hand takes nothing.
            mine = grip.source == grasp.source
            if within_reach(held.ladder, held.pose, grip) if grasp.frozen else mine:
                grasp.follow(held.pose, grip)
        elif grip.source == grasp.source and (grip.phase is pieces.GripPhase.RELEASE or not grasp.frozen):
            # Open fingers release even without an edge; but a hand that comes back open after a loss has not let go.
            self._release(grasp)

    def _grab(self, grip: pieces.GripIntent) -> None:
        for name in sorted(self._pieces):
            piece = self._pieces[name]
            if piece.status is pieces.PieceStatus.OFFERED and within_reach(piece.ladder, piece.pose, grip):
                pose = piece.pose
                self._put(name, pieces.PieceStatus.HELD, pose)
                body = self._pieces[name].body
                assert body is not None
                self._engine.set_solid(body, False)
                self._engine.keep_awake(body)
                self._grasp = Grasp(piece.ladder, pose, grip)
                self._solid = False
                self._gap_m = GAP_REACH_M
                self._complies = False
                return

    def _release(self, grasp: Grasp) -> None:
        """Set the ladder down on a place within reach, else release it where it is."""
        guided = grasp.source not in pieces.UNGUIDED
        place = place_within(self._guide, self._pieces[grasp.piece].pose) if guided else None
        if place is None:
            self._let_go()
        else:
            grasp.set_down(place)

    def _let_go(self) -> None:
        """Remove the drive. In the lid, touching no ladder, the ladder is offered again; else it is free."""
        grasp = self._grasp
        if grasp is None:
            return
        self._grasp = None
        piece = self._pieces[grasp.piece]
        assert piece.body is not None
        if in_lid(piece.pose.position, grasp.turned_rad, self._lid_x_m) and self._is_alone(piece.solid):
            self._take_away(grasp.piece)
            self._put(grasp.piece, pieces.PieceStatus.OFFERED, offered_pose(piece.ladder, self._lid_x_m))
            return
        linear, angular = self._engine.velocity(piece.body)
        if math.hypot(*linear) <= CALM_RELEASE_M_S:
            linear = angular = STILL
        self._engine.set_velocity(piece.body, linear, angular)
        self._engine.set_solid(piece.body, True)
        self._engine.let_sleep(piece.body)
        piece.status = pieces.PieceStatus.FREE
        piece.loose = True
        self.disturb(wakes=False)

    def _is_alone(self, ladder: Solid) -> bool:
        """Whether no other ladder nor the base is near enough to be touched."""
        others = [solid for solid in self._touchable() if solid not in (self._table, ladder)]
        return nearest_m(self._engine, ladder, others, GHOST_GAP_M) >= GHOST_GAP_M

    def _drive_held(self) -> None:
        if self._grasp is None:
            return
        piece = self._pieces[self._grasp.piece]
        assert piece.body is not None
        pose = self._engine.pose(piece.body)
        velocity = self._engine.velocity(piece.body)
        view = self._grasp.view if self._complies else None
        rests = self._moved_m_s < GIVES_WAY_M_S
        descent = self._grasp.descent
        most_m_s = FAR_SPEED_M_S if descent is None else descent.speed_m_s
        force, torque = drive(
            piece.ladder,
            pose,
            velocity,
            self._grasp.target,
            self._gap_m,
            view,
            rests=rests,
            most_m_s=most_m_s,
        )
        self._engine.push(piece.body, pose.position, force, torque)

    def _observe(self, pushed: bool) -> pieces.Facts:
        fastest = read_all(self._engine, self._pieces.values(), pushed=pushed)
        self._moved_m_s = fastest
        if self._slots.any_out:
            self._slots.follow({name: piece.solid for name, piece in self._pieces.items()}, self._base)
        touchable = self._touchable()
        self._book.observe(touchable)
        self._watch_rest(fastest)
        grip_gap, force = self._observe_held(touchable)
        return pieces.Facts(
            tick=self._tick,
            pieces=tuple([self._pieces[name].facts() for name in sorted(self._pieces)]),
            contacts=self._book.contacts,
            held=None if self._grasp is None else self._grasp.piece,
            held_frozen=self._grasp is not None and self._grasp.frozen,
            grip_gap_m=grip_gap,
            at_rest=self._rest.at_rest,
            held_force_n=force,
        )

    def _watch_rest(self, fastest_m_s: float) -> None:
        """Calm restless ladders; one that came to rest is seated before it counts as at rest."""
        held = self._grasp is not None
        loose = not (held and self._solid) and any(piece.loose for piece in self._free())
        self._seated = self._seated and not loose
        standing = self._standing()
        shifted = False
        if held:
            self._seating = Seating()
        if self._seating.under_way:
            result = self._seating.observe(self._tick, {name: pose for name, pose, _ in standing})
            if result is PassResult.STANDS:
                self._seat(self._seating.start)
            if result in (PassResult.STANDS, PassResult.GOES_ON):
                return
            shifted = result is PassResult.SHIFTED
        stays = shifted or (loose and self._stays(fastest_m_s, standing))
        deepest_m = max([-contact.distance_m for contact in self._book.contacts], default=0.0)
        calming = self._rest.observe(fastest_m_s, deepest_m, hand_at_work=held, loose=loose, stays=stays)
        if calming is Calming.STOP:
            self._seating.give_up()
        if held or self._seated or not self._rest.at_rest:
            self._calm(calming)
        elif self._free() and self._seating.may_begin(self._tick):
            self._rebuild_at_rest(standing)
            self._wait_for_rest(wakes=True)
            self._seating.begin(self._tick, standing)
        else:
            self._seat(standing)

    def _standing(self) -> Standing:
        return [
            (name, piece.pose, piece.status is pieces.PieceStatus.FIXED)
            for name, piece in sorted(self._pieces.items())
            if piece.status in (pieces.PieceStatus.FREE, pieces.PieceStatus.FIXED)
        ]

    def _seat(self, standing: Standing) -> None:
        """Put to sleep what stands by its poses alone: from now on they are all that counts."""
        self._rebuild_at_rest(standing)
        self._seating, self._seated = Seating(), True

    def _stays(self, fastest_m_s: float, standing: Standing) -> bool:
        if self._rest.at_rest:
            self._stillness = Stillness(STAYS_M, STAYS_TICKS)
            return False
        stays = self._stillness.observe({name: pose for name, pose, _ in standing})
        return stays and fastest_m_s >= QUIET_M_S

    def _touchable(self) -> list[Solid]:
        """Everything that can be touched, in a fixed order: base and table first."""
        return [self._base, self._table, *[p.solid for p in self._pieces.values() if p.body is not None]]

    def _calm(self, calming: Calming) -> None:
        before, self._calming = self._calming, calming
        if not before is calming is Calming.NOTHING:
            calm(self._engine, self._free(), before, calming)

    def _observe_held(self, touchable: Sequence[Solid]) -> tuple[float | None, float]:
        """Return the held ladder's gap to other ladders and its force on everything; turns it solid or ghost."""
        if self._grasp is None:
            return None, 0.0
        piece = self._pieces[self._grasp.piece]
        assert piece.body is not None
        ladders = [solid for solid in touchable[2:] if solid is not piece.solid]
        grip_gap = nearest_m(self._engine, piece.solid, ladders, GAP_REACH_M)
        self._gap_m = nearest_m(self._engine, piece.solid, touchable[:2], grip_gap)
        most_m, least_m = (CLEAR_GAP_M, 0.0) if self._complies else (TOUCH_GAP_M, RESTS_FULLY_M)
        self._complies = self._gap_m < most_m and self._grasp.below_m(piece.pose) > least_m
        way = piece.speed_m_s * TICK_S
        solid = self._gap_m < (GHOST_GAP_M if self._solid else SOLID_GAP_M) + way
        if solid is not self._solid:
            self._solid = solid
            self._engine.set_solid(piece.body, solid)
        force = self._engine.pressure(piece.body) if solid else 0.0
        return (grip_gap if grip_gap < GAP_REACH_M else None), force
