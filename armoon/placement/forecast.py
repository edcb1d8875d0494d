"""Predicts where a released ladder comes to rest, by simulating whole drops in a separate process.

The first drop starts at the pose itself, the others with a hand's tremor. If one of the first drops misses the
requirement, a search looks for a good place near the hand, mostly in depth, which one camera hardly measures.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

import numpy as np

from armoon import geometry
from armoon.placement.candidates import draw_flats, draw_leans
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.search import PlaceFinder
from armoon.placement.values import (
    LIMITED_THROWN_RAD,
    THROWN_RAD,
    Attitudes,
    ReleaseOutcome,
    add_slip,
    is_same_structure,
)
from armoon.processes.child import Worker
from armoon.values.pieces import Base, Ladder, LadderSet, PieceId
from armoon.values.places import LadderPlace, Reach, Requirement, Slip
from armoon.values.poses import Pose, Vec3
from armoon.world.checks import StructurePoses
from armoon.world.guide import MAX_REQUEST_M

#: Tremor of a hand that holds still.
TREMOR = Slip(0.0003, 0.0035)
#: Number of drops that decide the outcome, number that decide it if all fail, and maximum, for estimating the safety.
KNOWN_DROPS, FAILED_DROPS, MAX_DROPS = 3, 2, 8
#: Search around a hand: step in depth (m), and number of steps in each direction; rotations out of the picture's plane;
#: step across the view (m), and its cost in multiples of the reach.
DEPTH_STEP_M, DEPTH_STEPS = 0.003, 6
TURNS_RAD = (math.radians(3.0), math.radians(6.0))
ACROSS_M, ACROSS_COST = 0.0025, 0.4
#: Horizontal step of the wider search, metres.
LEVEL_STEP_M = 0.008
#: In lock step: effort per second of a forecast during play (0.14 ms per unit on a slow machine), and the maximum
#: seconds to wait for it.
EFFORT_PER_S, LOCK_S = 7000, 60.0
#: Effort spent on drops, if all succeed, before a search begins; by then, a hand that holds still has its place.
HEAD_START = round(2.5 * EFFORT_PER_S)
#: Maximum effort of abandoned drops that a search catches up on before the drops of the next request, so that a hand
#: that has come to rest doesn't wait longer for its colour.
MAX_BACKLOG = round(0.3 * EFFORT_PER_S)
#: Number of drops with tremor that a place must survive: 3 % of the places that survived three fell in the game, and
#: survived at most half of eight. Number of neighbours dropped with everything free before the search gives up.
SLIPS, MAX_TRIED = 5, 12
#: Share of the reach up to which a ladder is moved towards a pose at rest beyond it, because hands drift. The less it
#: falls then, the better: a fall of 10 mm topples some structures in one of four drops.
REACHED = 0.9
#: Rotation of a ladder while it comes to rest beyond which it is dropped once more with everything free.
TURNED_RAD = math.radians(10.0)
#: Distances below which two neighbours come to rest in the same place.
SAME_REST_M, SAME_REST_RAD = 0.0015, math.radians(2.0)
#: Distance at rest beyond which two drops ended in different places.
APART_M, APART_RAD = 0.005, math.radians(5.0)
#: Process priority: below the game's processes and above the searches, because a player waits for forecasts.
NICENESS = 5


@dataclass(frozen=True)
class Nearby:
    """A search for a place around a hand."""

    wanted: Requirement
    view: Vec3
    """Unit vector from the eye to the hand, table frame. The hand's position is least certain in this direction."""
    reach_m: float
    reach_rad: float
    """Maximum distance and rotation of a place from the hand."""
    known: tuple[Pose, ...] = ()
    """Releases that were places before the structure moved a little; they are tried first."""


@dataclass(frozen=True)
class DropRequest:
    """A ladder held over or on a structure; ``standing`` as in ``Question``."""

    standing: tuple[tuple[PieceId, Pose, bool], ...]
    piece: PieceId
    pose: Pose | None
    """Release pose, table frame; None: only prepare the structure and end the last request."""
    tremor: Slip = TREMOR
    """Tremor of the hand around that pose."""
    nearby: Nearby | None = None
    """Search for a place near that pose; None: no search."""

    def shares_places_with(self, other: DropRequest) -> bool:
        """Return whether a place found for one request is also a place for the other."""
        wanted = [None if one.nearby is None else one.nearby.wanted for one in (self, other)]
        is_same = self.piece == other.piece and wanted[0] == wanted[1]
        return is_same and is_same_structure(self.standing, other.standing)


@dataclass
class NearbySearch:
    """A search near a hand, which continues while the hand drifts."""

    wanted: tuple[PieceId, Requirement]
    around: Pose
    places: Iterator[LadderPlace | None]
    excess_effort: int = 0
    """Effort of drops minus the search's own; at most ``MAX_BACKLOG`` of it is carried into the next request."""
    remaining_effort: int = HEAD_START
    """Effort that the drops may still take, as long as all succeed."""
    has_outcome: bool = False
    """Whether a drop of the current request has ended."""

    def is_for(self, release: DropRequest) -> bool:
        nearby, held = release.nearby, release.pose
        if nearby is None or held is None or self.wanted != (release.piece, nearby.wanted):
            return False
        return geometry.are_near(self.around, held, nearby.reach_m, nearby.reach_rad)


class Forecaster:
    """Drops ladders on one structure after another; must be closed."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._ready: tuple[StructurePoses, PieceId, Rehearsal] | None = None
        self._filters: tuple[Rehearsal, Rehearsal, Rehearsal] | None = None
        """Everything frozen, and twice with only the touched ladders moving: for the drops and for the search."""
        self._search: NearbySearch | None = None
        self._past_effort = 0

    def close(self) -> None:
        self._past_effort = self.effort
        for rehearsal in self._open_rehearsals:
            rehearsal.close()
        self._ready = self._filters = self._search = None

    @property
    def effort(self) -> int:
        """Work so far, as in ``Rehearsal.effort``: the same on any machine."""
        return self._past_effort + sum(rehearsal.effort for rehearsal in self._open_rehearsals)

    @property
    def _open_rehearsals(self) -> set[Rehearsal]:
        return {*(self._ready or ())[2:], *(self._filters or ())}

    def prepare(self, release: DropRequest) -> Rehearsal:
        """Build the structure and load the ladder, unless both are ready."""
        if self._ready is None or not is_same_structure(self._ready[0], release.standing):
            self.close()
            rehearsal = Rehearsal(self._ladders, self._base, release.standing, as_in_game=True)
        else:
            _, piece, rehearsal = self._ready
            if piece == release.piece:
                return rehearsal
        for opened in {rehearsal, *(self._filters or ())}:
            opened.load_ladder(release.piece)
        self._ready = (release.standing, release.piece, rehearsal)
        return rehearsal

    def _open_filters(self, release: DropRequest) -> tuple[Rehearsal, Rehearsal, Rehearsal]:
        free = self.prepare(release)
        if self._filters is None:
            frozen = Rehearsal(self._ladders, self._base, free.standing, frozen=True)
            near, searched = (
                Rehearsal(self._ladders, self._base, free.standing, as_in_game=True, loose=frozenset())
                for _ in range(2)
            )
            for rehearsal in (frozen, near, searched):
                rehearsal.load_ladder(release.piece)
            self._filters = frozen, near, searched
        return self._filters

    def drops(self, release: DropRequest) -> Iterator[ReleaseOutcome]:
        """Yield a drop from the held pose, then some with tremor; the same request gives the same drops."""
        return (outcome for outcome in self._drop_in_slices(release) if outcome is not None)

    def _drop_in_slices(self, release: DropRequest) -> Iterator[ReleaseOutcome | None]:
        """Yield the drops, and None while one is under way.

        If the first drop ends the same with only the touched ladders moving, later drops are simulated that way, at a
        tenth of the cost.
        """
        rehearsal, (_, near, _), pose = self.prepare(release), self._open_filters(release), release.pose
        if pose is None:
            return
        rng, first = np.random.default_rng(0), None
        for first in rehearsal.drop_in_slices(pose):
            yield first
        assert first is not None
        if first.held:
            near.let_move(frozenset(first.touched))
            if near.drop(pose).ends_like(first):
                rehearsal = near
        for _ in range(1, MAX_DROPS):
            yield from rehearsal.drop_in_slices(add_slip(pose, release.tremor, rng))

    def forecast(self, release: DropRequest) -> Iterator[ReleaseOutcome | LadderPlace | None]:
        """Yield the drops and a place near the pose, or else the pose itself as a place; None while at work.

        The search gets as much effort as the drops, plus up to ``MAX_BACKLOG`` for those of abandoned requests. On a
        high structure, no drop ends before a drifting hand makes another request; the search continues with it.
        """
        drops, known = self._drop_in_slices(release), list[ReleaseOutcome]()
        nearby, held = release.nearby, release.pose
        if nearby is None or held is None:
            yield from drops
            return
        free, has_dropped, is_dropping = self.prepare(release), False, False
        rested = free.rested
        self._start_or_continue_search(release, held, nearby)
        while True:
            start_effort, search = self.effort, self._search
            is_due = search is not None and (search.excess_effort > search.remaining_effort or has_dropped)
            if search is not None and is_due and not is_dropping:
                search.remaining_effort = 0
                self._search = None  # unless it yields None below
                for place in search.places:
                    self._search = search if place is None else None
                    search.excess_effort -= self.effort - start_effort
                    yield place
                    break
                continue
            try:
                outcome = next(drops)
            except StopIteration:
                has_dropped = True
                if search is None:
                    return
                continue
            if search is not None:
                search.excess_effort += self.effort - start_effort
            is_dropping = outcome is None
            if outcome is None:
                yield None
                continue
            rested = rested if known else free.rested
            known.append(outcome)
            yield outcome
            if search is None:
                continue
            search.has_outcome = True
            if not (
                known[0].clearly_meets(nearby.wanted) and all(drop.meets(nearby.wanted) for drop in known)
            ):
                search.remaining_effort = 0
            elif len(known) == 1 + SLIPS and self._can_rest(free, rested):
                self._search = None
                own = _make_place(held, known[0])
                yield own
                # A gentler place may be where the ladder comes to rest.
                for place in self._try_poses(release, held, nearby, (held,), nearby.reach_m):
                    is_gentler = place is not None and _is_gentler(
                        (place.release, place.rest), (own.release, own.rest)
                    )
                    yield place if is_gentler else None

    def _start_or_continue_search(self, release: DropRequest, held: Pose, nearby: Nearby) -> None:
        if self._search is None or not self._search.is_for(release):
            poses = (*nearby.known, *list_neighbours(held, nearby))
            places = itertools.chain(
                self._try_poses(release, held, nearby, poses, nearby.reach_m),
                self._try_poses(release, held, nearby, list_level_moves(held), MAX_REQUEST_M),
            )
            self._search = NearbySearch((release.piece, nearby.wanted), held, places)
            if nearby.known:
                self._search.excess_effort, self._search.remaining_effort = 1, 0  # try them before the drops
        elif not self._search.has_outcome:
            self._search.remaining_effort = 0  # this hand doesn't wait for drops
        self._search.excess_effort = min(self._search.excess_effort, MAX_BACKLOG)
        self._search.has_outcome = False

    def _can_rest(self, free: Rehearsal, rested: StructurePoses) -> bool:
        """Return whether the structure stands as a drop left it; True if it falls even without the ladder."""
        if not free.stands:
            return True
        rehearsal = free.rebuild(rested)
        self._past_effort += rehearsal.effort
        return rehearsal.stands

    def _try_poses(
        self, release: DropRequest, held: Pose, nearby: Nearby, poses: Sequence[Pose], reach_m: float
    ) -> Iterator[LadderPlace | None]:
        """Try these poses until one succeeds, each lowered from above, as a hand sets down a ladder."""
        free, (_, _, local) = self.prepare(release), self._open_filters(release)
        rng, count = np.random.default_rng(0), 0
        for drop in self._drop_frozen(release, held, nearby, poses, reach_m):
            yield None
            if drop is None:
                continue
            lowered, outcome = drop
            local.let_move(frozenset(outcome.touched))
            for slip in (lowered, *(add_slip(lowered, TREMOR, rng) for _ in range(SLIPS))):
                if not local.drop(slip).meets(nearby.wanted):
                    break
                yield None
            else:
                outcome, rested = free.drop(lowered), free.rested
                yield None
                is_place = outcome.clearly_meets(nearby.wanted) and self._can_rest(free, rested)
                if is_place and outcome.turned_rad > TURNED_RAD:
                    is_place = free.drop(add_slip(lowered, TREMOR, rng)).meets(nearby.wanted)
                    yield None
                if is_place:
                    yield _make_place(lowered, outcome)
                    return
                count += 1
                if count >= MAX_TRIED:
                    return

    def _drop_frozen(
        self, release: DropRequest, held: Pose, nearby: Nearby, poses: Sequence[Pose], reach_m: float
    ) -> Iterator[tuple[Pose, ReleaseOutcome] | None]:
        """Yield the drops that succeed on the frozen structure, those in which the ladder turns far last; else None.

        If possible, the ladder is set down nearer to its pose at rest than where it first meets the structure, so that
        it moves less once released.
        """
        frozen, tried = self._open_filters(release)[0], list[Pose]()
        thrown = list[tuple[Pose, ReleaseOutcome]]()
        for pose in poses:
            yield None
            lowered = frozen.lower(pose, None)
            if lowered is None or math.dist(lowered.position, held.position) > reach_m:
                continue
            outcome = frozen.drop(lowered)
            if outcome.turned_rad > LIMITED_THROWN_RAD or not outcome.meets(nearby.wanted):
                continue
            turns_far = outcome.turned_rad > THROWN_RAD
            rests = [*tried, *(end.pose for _, end in thrown)] if turns_far else tried
            if any(geometry.are_near(outcome.pose, rest, SAME_REST_M, SAME_REST_RAD) for rest in rests):
                continue
            yield None
            gentler = frozen.lower(_move_towards(outcome.pose, held, reach_m, nearby.reach_rad), None)
            if gentler is not None and geometry.are_near(gentler, held, reach_m, nearby.reach_rad):
                end = frozen.drop(gentler)
                if end.meets(nearby.wanted) and _is_gentler((gentler, end.pose), (lowered, outcome.pose)):
                    lowered, outcome = gentler, end
            if outcome.turned_rad > THROWN_RAD:
                thrown.append((lowered, outcome))
            else:
                tried.append(outcome.pose)
                yield lowered, outcome
        yield from thrown


def list_neighbours(held: Pose, nearby: Nearby) -> list[Pose]:
    """List poses near a held one, nearest first: moved across the view, or in ways that a camera hardly shows."""
    view = np.array(nearby.view)
    right = np.cross(view, (0.0, 0.0, 1.0))
    right /= max(float(np.linalg.norm(right)), 1e-9)
    up = np.cross(right, view)
    depths = [step * DEPTH_STEP_M for step in range(-DEPTH_STEPS, DEPTH_STEPS + 1)]
    turns = [(right, 0.0)] + [
        (axis, sign * turn) for axis in (right, up) for turn in TURNS_RAD for sign in (-1, 1)
    ]
    offsets = [(depth, turn, 0.0 * right) for depth in depths for turn in turns]
    offsets += [(depth, turns[0], across) for depth in depths for across in (-right, right, -up, up)]
    rated = []
    for depth, (axis, turn), across in offsets:
        cost = abs(depth) / nearby.reach_m + abs(turn) / nearby.reach_rad + bool(across.any()) * ACROSS_COST
        if abs(depth) <= nearby.reach_m and abs(turn) <= nearby.reach_rad:
            position = np.array(held.position) + depth * view + ACROSS_M * across
            rotation = geometry.quat_multiply(
                geometry.quat_from_axis_angle(geometry.vec3(axis), turn), held.rotation
            )
            rated.append((cost, Pose(geometry.vec3(position), rotation)))
    return [pose for _, pose in sorted(rated, key=lambda item: item[0])]


def list_level_moves(held: Pose) -> list[Pose]:
    """List horizontal shifts of a held pose, nearest first."""
    steps = range(-round(MAX_REQUEST_M / LEVEL_STEP_M), round(MAX_REQUEST_M / LEVEL_STEP_M) + 1)
    moves = sorted((math.hypot(right, back), right, back) for right in steps for back in steps)
    x, y, z = held.position
    return [
        Pose((x + LEVEL_STEP_M * right, y + LEVEL_STEP_M * back, z), held.rotation)
        for far, right, back in moves
        if far * LEVEL_STEP_M <= MAX_REQUEST_M
    ]


def _make_place(release: Pose, outcome: ReleaseOutcome) -> LadderPlace:
    height_m = max(outcome.height_m, outcome.others_height_m)
    highest = outcome.height_m > outcome.others_height_m
    return LadderPlace(release, outcome.pose, outcome.touched, highest, height_m, 1.0, SLIPS)


def _is_gentler(fall: tuple[Pose, Pose], other: tuple[Pose, Pose]) -> bool:
    """Return whether a ladder moves and turns less from its release to its rest than in another fall."""
    moves_less = math.dist(*(pose.position for pose in fall)) < math.dist(*(pose.position for pose in other))
    turned, other_turned = (geometry.quat_angle(a.rotation, b.rotation) for a, b in (fall, other))
    return moves_less and turned < other_turned


def _move_towards(rest: Pose, held: Pose, reach_m: float, reach_rad: float) -> Pose:
    """Return ``rest`` if a ladder can be guided there from the held pose, else a pose in this direction."""
    if geometry.are_near(rest, held, reach_m, reach_rad):
        return rest
    distance_m = math.dist(rest.position, held.position)
    turn_rad = geometry.quat_angle(rest.rotation, held.rotation)
    moved = min(1.0, REACHED * reach_m / max(distance_m, 1e-9))
    turned = min(1.0, REACHED * reach_rad / max(turn_rad, 1e-9))
    position = np.array(held.position) + moved * (np.array(rest.position) - held.position)
    return Pose(geometry.vec3(position), geometry.quat_slerp(held.rotation, rest.rotation, turned))


def find_usual_rest(drops: Sequence[ReleaseOutcome]) -> ReleaseOutcome | None:
    """Return the first drop that came to rest where most others did; None without drops."""
    return max(
        drops,
        key=lambda drop: sum(geometry.are_near(drop.pose, other.pose, APART_M, APART_RAD) for other in drops),
        default=None,
    )


#: Number of a request; the request, or None to continue the last one; and the total effort to spend on it, or None for
#: work until another request arrives.
Message = tuple[int, DropRequest | None, int | None]


def serve_forecasts(pipe: Connection, ladders: LadderSet, base: Base) -> None:
    """Serve forecasts in this process; a new request cancels the last one."""
    forecaster = Forecaster(ladders, base)
    message: Message = pipe.recv()
    while True:
        message = _serve(pipe, forecaster, *message)


def _serve(
    pipe: Connection, forecaster: Forecaster, number: int, request: DropRequest | None, limit: int | None
) -> Message:
    """Answer one request and return the next. None is sent whenever the effort is spent."""
    start_effort = forecaster.effort
    for result in forecaster.forecast(request) if request is not None else ():
        while limit is not None and forecaster.effort - start_effort > limit:
            pipe.send((number, None))
            message: Message = pipe.recv()
            if message[0] != number:
                if isinstance(result, LadderPlace):
                    pipe.send((number, result))
                return message
            limit = message[2]
        if result is not None:
            pipe.send((number, result))
        if limit is None and pipe.poll():
            break
    while True:
        if limit is not None:
            pipe.send((number, None))
        message = pipe.recv()
        while message[2] is None and pipe.poll():
            message = pipe.recv()
        if message[0] != number:
            return message


class ForecastProcess:
    """Client of the forecast process, which starts with the first request; must be closed."""

    def __init__(self, ladders: LadderSet, base: Base, niceness: int = NICENESS) -> None:
        self._pieces, self._niceness = (ladders, base), niceness
        self._worker: Worker | None = None
        self._number = self._first_number = 0
        """The last request, and the first one whose places are also places for it."""
        self._last: DropRequest | None = None
        self._drops: tuple[ReleaseOutcome, ...] = ()
        self._effort = 0
        self._is_working = False
        """Whether the effort that was granted is still being spent."""
        self.place: LadderPlace | None = None
        """The last place found, as of the last call of ``drops``."""

    def ask(self, release: DropRequest, effort: int | None = None) -> None:
        """Start another request; of the last one's late results, only a place counts.

        With ``effort``, the process spends no more than that until ``grant`` allows more, so that a game in lock step
        gets the same results on any machine.
        """
        self._number += 1
        self._drops, self._effort = (), effort or 0
        if self._last is None or not self._last.shares_places_with(release):
            self._first_number, self.place = self._number, None
        self._last = release
        if self._worker is None:
            self._worker = Worker("rest", serve_forecasts, *self._pieces, niceness=self._niceness)
        elif not self._worker.is_alive:
            self._worker.restart()
        self._worker.send((self._number, release, effort))
        self._is_working = effort is not None

    def grant(self, effort: int) -> None:
        """Wait until the effort granted so far is spent, then allow the open request this much more."""
        deadline_s = time.monotonic() + LOCK_S
        self._drain()
        while self._worker is not None and self._is_working and self._worker.is_alive:
            if time.monotonic() > deadline_s:
                break
            self._worker.wait_for_message(0.05)
            self._drain()
        if self._worker is not None and effort:
            self._effort += effort
            self._worker.send((self._number, None, self._effort))
            self._is_working = True

    def drops(self) -> tuple[ReleaseOutcome, ...]:
        if not self._is_working:  # otherwise, results in lock step would depend on the machine
            self._drain()
        return self._drops

    def _drain(self) -> None:
        for number, result in () if self._worker is None else self._worker.drain_messages():
            if isinstance(result, LadderPlace):
                self.place = result if number >= self._first_number else self.place
            elif number != self._number:
                continue
            elif result is None:
                self._is_working = False
            else:
                self._drops += (result,)

    def close(self) -> None:
        """End the process at once; may be called twice. Another request restarts it."""
        if self._worker is not None:
            self._worker.close(0.0)
            self._worker = None


#: Height of a release above the first contact, metres: a ladder released higher might be parked in the air.
FALL_M = 0.010
#: Number of candidates that each function draws at a time, and number of drops of each candidate.
PER_DRAW, DROPS = 4, 2


@dataclass(frozen=True)
class ToppleDrop:
    """The result of a release that may bring down other ladders."""

    release: Pose
    fallen: float
    """Mean number of ladders brought down."""


def drop_randomly(
    finder: PlaceFinder, standing: StructurePoses, ladder: Ladder, reach: Reach, slip: Slip, seed: int
) -> Iterator[ToppleDrop]:
    """Yield an endless series of random drops on a structure; none if nothing stands."""
    model, rng, attitudes = finder.prepare(standing), np.random.default_rng(seed), Attitudes(reach)
    if model is None:
        return
    for rehearsal in (model.free, model.frozen):
        rehearsal.load_ladder(ladder.piece)
    while True:
        candidates = draw_leans(model.wood, ladder, attitudes, rng, PER_DRAW) + draw_flats(
            model.wood, ladder, attitudes, rng, PER_DRAW
        )
        for candidate in candidates:
            lowered = model.frozen.lower(candidate.pose, None)
            if lowered is not None:
                x, y, z = lowered.position
                release = Pose((x, y, z + FALL_M), lowered.rotation)
                drops = [model.free.count_falls(add_slip(release, slip, rng)) for _ in range(DROPS)]
                yield ToppleDrop(release, float(np.mean(drops)))
