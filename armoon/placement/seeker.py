"""The search in one process: contacts first, then gates by cost, then full drops with the hand's slips.

Candidates come by families (``plates``, ``hung``). Each is lowered onto the frozen structure, without and with a
hand's slips; the load's effect on the structure's balance is weighed; the most promising are dropped with everything
free. A successful drop there makes a place; then it is dropped again and again with a hand's slips, and the share of
successful drops is its safety.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from armoon.geometry import quat_angle, quat_from_axis_angle, quat_multiply, vec3
from armoon.placement.attitudes import Attitudes
from armoon.placement.hung import flats, hooks, leans
from armoon.placement.plates import plates
from armoon.placement.question import Question, decided, is_good, promise, same_structure
from armoon.placement.structure import SAG, Known
from armoon.placement.values import Candidate, Outcome
from armoon.values.pieces import Base, Ladder, LadderSet
from armoon.values.places import Place, Slip
from armoon.values.poses import Pose
from armoon.world.checks import Standing

FAMILIES = ("plate", "hook", "lean", "flat")
#: A ladder that has to be the highest is so by this much in a rehearsal: supports sag.
LEAD_M = 0.0015
#: Number of plates drawn at a time, fewer at first, for the first place is waited for; number looked at.
DRAWN_FIRST, DRAWN, LOOKED_AT = 400, 1200, 24
#: Number of candidates of a family that are looked at in turn,
IN_TURN = 4
#: Places nearer to each other than this are one.
SAME_M, SAME_RAD = 0.004, math.radians(12.0)
#: A load that leaves more than this unbalanced isn't borne.
UNBORNE = 0.25
#: A ladder that turns more while it comes to rest is let go of anew, turned so before;
RELAY_RAD = math.radians(5.0)
#: more than this isn't placed but thrown, where any attitude can be had, and where few can.
THROWN_RAD, THROWN_REACH_RAD = math.radians(20.0), math.radians(50.0)
#: Slips that are tried on the frozen structure, and how many may fail;
SIEVE_SLIPS, SIEVE_FAILS = 6, 1
#: fewer where at most this many ladders stand free, and where none does none: there a whole drop costs no more.
FEW_FREE, SIEVE_SLIPS_FEW = 4, 4
#: Prior: of this many candidates this many are taken to have passed. On towers plates hold best.
LOOKED_BEFORE, PASSED_BEFORE, PASSED_ON_TOWERS = 8.0, 1.0, {"plate": 5.0}
#: Looking for plates where there are none takes as long as looking at this many candidates.
IN_VAIN = 12
#: Number of candidates that wait for a real drop before the best is dropped; after the first drop more.
POOL_FIRST, POOL = 2, 5
#: After every failed candidate, add this many cheap checks, up to a maximum: a check costs a tenth of a drop.
POOL_VAIN, MOST_POOL = 2, 25
#: ... or so often a few were checked in vain.
PATIENCE = 15
#: With each good place the best one is tried under this many more slips, up to a maximum.
SLIPS_FIRST, MOST_SLIPS = 3, 24
#: Of so few slips no second may fail: such a place hardly ever turns out good.
EARLY_SLIPS = 3


@dataclass(frozen=True)
class Finding:
    """A place, or more that is known of one."""

    number: int
    """Of the place, in this search."""
    place: Place


@dataclass(frozen=True)
class _Hopeful:
    """What held on the frozen structure."""

    family: str
    release: Pose
    outcome: Outcome
    share: float
    """Of slips on the frozen structure that ended as wanted."""
    unborne: float
    worth: float


class Seeker:
    """Searches one structure after another; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._known: Known | None = None
        self.drops = 0
        """Number of whole drops that were simulated,"""
        self.looks = 0
        """and of vain looks for something to drop."""

    def close(self) -> None:
        """Free the engines."""
        if self._known is not None:
            self._known.close()
            self._known = None

    @property
    def work(self) -> int:
        """Both together."""
        return self.drops + self.looks

    def prepare(self, standing: Standing) -> Known | None:
        """Make ready what depends on the structure alone; nothing is done twice. None where nothing stands."""
        if not standing:
            return None
        if self._known is None or not same_structure(self._known.asked, standing):
            self.close()
            self._known = Known(self._ladders, self._base, standing)
        return self._known

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
        """Yield findings, and None after each fruitless piece of work; end with the budget."""
        known = self.prepare(question.standing)
        if known is None:
            return
        known.free.take(question.piece)
        known.frozen.take(question.piece)
        yield from _Search(self, known, self._ladders[question.piece], question, seed).run()


class _Search:
    """One question."""

    def __init__(self, seeker: Seeker, known: Known, ladder: Ladder, question: Question, seed: int) -> None:
        self._seeker, self._known, self._ladder, self._question = seeker, known, ladder, question
        self._rng = np.random.default_rng(seed)
        self._attitudes = Attitudes(question.reach)
        self._plates: list[Candidate] | None = None
        free = sum(not fixed for _, _, fixed in question.standing)
        self._sieve_slips = SIEVE_SLIPS if free > FEW_FREE else SIEVE_SLIPS_FEW if free else 0
        self._tried = dict.fromkeys(FAMILIES, LOOKED_BEFORE)
        self._passed = dict.fromkeys(FAMILIES, PASSED_BEFORE)
        self._passed |= PASSED_ON_TOWERS if free > FEW_FREE else {}
        self._yaws = self._attitudes.plate_yaws()
        if self._yaws is not None and not len(self._yaws):
            self._passed["plate"] = 0.0  # who can't lay a ladder flat needn't try
        self._pool: list[_Hopeful] = []
        self._places: list[Place] = []
        self._proved: list[tuple[_Hopeful, bool]] = []
        self._before = seeker.work

    def run(self) -> Iterator[Finding | None]:
        while not self._spent():
            for _ in range(PATIENCE):
                if len(self._pool) >= self._pool_wanted:
                    break
                candidates = self._candidates()
                if not candidates:
                    yield None
                for candidate in candidates:
                    self._look_at(candidate)
                    yield None
            if self._pool:
                yield from self._prove(self._best_hopeful())
            else:
                self._seeker.looks += 1

    @property
    def _pool_wanted(self) -> int:
        """Number that have to wait before the best is dropped: more after each failed drop in a row."""
        if not self._proved:
            return POOL_FIRST
        vain = next((k for k, (_, good) in enumerate(reversed(self._proved)) if good), len(self._proved))
        return min(MOST_POOL, POOL + POOL_VAIN * vain)

    def _spent(self) -> bool:
        drops = self._question.drops
        return drops is not None and self._seeker.work - self._before >= drops

    # Candidates and the sieve ------------------------------------------------------------------------------

    def _candidates(self) -> list[Candidate]:
        """Return a few of one family: those that have come to more are asked more often."""
        chances = np.array([self._promise_of(family) for family in self._tried])
        family = str(self._rng.choice(list(self._tried), p=chances / chances.sum()))
        wood, rng = self._known.wood, self._rng
        if family == "hook":
            found = hooks(wood, self._ladder, self._attitudes, rng, IN_TURN)
        elif family in ("lean", "flat"):
            fall = leans if family == "lean" else flats
            found = fall(wood, self._ladder, self._attitudes, rng, IN_TURN)
        else:
            if not self._plates:
                self._plates = self._draw_plates(DRAWN_FIRST if self._plates is None else DRAWN)
            found, self._plates = self._plates[:IN_TURN], self._plates[IN_TURN:]
        self._tried[family] += len(found) or IN_VAIN
        return found

    def _promise_of(self, family: str) -> float:
        """Return the candidates' success so far, in the sieve and with everything free."""
        drops = [good for hopeful, good in self._proved if hopeful.family == family]
        sieved = self._passed[family] / self._tried[family]
        return sieved * (sum(drops) + 1.0) / (len(drops) + 2.0)

    def _draw_plates(self, count: int) -> list[Candidate]:
        drawn = plates(self._known.wood, self._ladder, self._question.wanted, self._rng, count, self._yaws)
        apart: list[Candidate] = []
        for candidate in drawn:
            if len(apart) < 2 * LOOKED_AT and not any(_near(candidate.pose, one.pose) for one in apart):
                apart.append(candidate)
        unborne = self._known.bearing.unborne([candidate.load for candidate in apart])
        weighed = [
            replace(candidate, worth=(candidate.worth + 0.002) / (1.0 + lack / SAG), unborne=float(lack))
            for candidate, lack in zip(apart, unborne, strict=True)
            if lack < UNBORNE
        ]
        return sorted(weighed, key=lambda candidate: -candidate.worth)[:LOOKED_AT]

    def _look_at(self, candidate: Candidate) -> None:
        """Through the sieve: as meant, then as the hand slips; what passes waits in the pool."""
        frozen, wished = self._known.frozen, candidate.pose
        start = Pose(wished.position, self._attitudes.nearest(wished.rotation))
        plate = candidate.family == "plate"
        if plate and quat_angle(start.rotation, wished.rotation) > THROWN_RAD:
            return
        laid = self._let_down(start, plate)
        if laid is not None and laid[1].turned_rad > RELAY_RAD:
            rest = laid[1].pose
            again = self._let_down(Pose(rest.position, self._attitudes.nearest(rest.rotation)), plate=False)
            laid = again if self._attitudes.any or again is not None else laid
        if laid is None:
            return
        release, outcome = laid
        if outcome.turned_rad > (THROWN_RAD if self._attitudes.any else THROWN_REACH_RAD):
            return
        if any(_near(outcome.pose, hopeful.outcome.pose) for hopeful, _ in self._proved):
            return
        if any(_near(outcome.pose, hopeful.outcome.pose) for hopeful in self._pool):
            return
        fails = 0
        for _ in range(self._sieve_slips):
            slipped = frozen.lower(slip(release, self._question.slip, self._rng))
            fails += slipped is None or not self._as_wanted(frozen.drop(slipped))
            if fails > SIEVE_FAILS:
                return
        # Weighing one load takes as long as all these drops; a plate that touches what was foretold is weighed already.
        unborne = candidate.unborne
        if unborne is None or {name for name, _, _ in candidate.load} != set(outcome.touched):
            unborne = float(self._known.bearing.unborne([outcome.load])[0])
        if unborne > UNBORNE:
            return
        self._passed[candidate.family] += 1.0
        share = 1.0 - fails / max(self._sieve_slips, 1)
        self._pool.append(_Hopeful(candidate.family, release, outcome, share, unborne, candidate.worth))

    def _let_down(self, start: Pose, plate: bool) -> tuple[Pose, Outcome] | None:
        """Lowered and let go of on the frozen structure; None unless it ends as wanted."""
        frozen = self._known.frozen
        release = frozen.lower(start) if plate else frozen.lower(start, None)
        if release is None:
            return None
        outcome = frozen.drop(release)
        return (release, outcome) if self._as_wanted(outcome) else None

    def _as_wanted(self, outcome: Outcome) -> bool:
        lead = outcome.height_m > outcome.others_height_m + LEAD_M
        return outcome.held and self._question.wanted.met_by(len(outcome.touched), lead)

    # Whole drops -------------------------------------------------------------------------------------------

    def _best_hopeful(self) -> _Hopeful:
        best = max(self._pool, key=self._hope)
        self._pool.remove(best)
        return best

    def _hope(self, hopeful: _Hopeful) -> float:
        """How promising a place is: by its sieve, by the structure's balance, and by what came of its like."""
        held = failed = 1.0
        for other, good in self._proved:
            mine, theirs = set(hopeful.outcome.touched), set(other.outcome.touched)
            near = math.dist(hopeful.outcome.pose.position, other.outcome.pose.position) / 0.02
            alike = len(mine & theirs) / len(mine | theirs) * math.exp(-(near**2))
            held, failed = held + alike * good, failed + alike * (not good)
        firm = 1.0 / (1.0 + hopeful.unborne / SAG)
        return (
            held / (held + failed) * firm * (0.3 + hopeful.share) * (1.0 + 50.0 * min(hopeful.worth, 0.012))
        )

    def _prove(self, hopeful: _Hopeful) -> Iterator[Finding | None]:
        """Drop it with everything free, and if it holds, again as a hand would."""
        outcome = self._drop(hopeful.release)
        if not self._as_wanted(outcome):
            self._proved.append((hopeful, False))
            yield None
            return
        height = max(outcome.height_m, outcome.others_height_m)
        highest = outcome.height_m > outcome.others_height_m
        place = Place(hopeful.release, outcome.pose, outcome.touched, highest, height, 0.0)
        self._places.append(place)
        number = len(self._places) - 1
        yield Finding(number, place)
        while not (decided(place) or _hopeless(place) or self._spent()):
            finding = self._rehearse(number)
            place = finding.place
            yield finding
        good = is_good(self._places[number])
        self._proved.append((hopeful, good))
        if good:
            best = max(range(len(self._places)), key=lambda n: promise(self._places[n]))
            for _ in range(min(SLIPS_FIRST, MOST_SLIPS - self._places[best].slips)):
                if not self._spent():
                    yield self._rehearse(best)

    def _rehearse(self, number: int) -> Finding:
        """One slip more of a place."""
        place = self._places[number]
        tried = place.slips + 1
        held = place.held + self._survives(place)
        place = self._places[number] = replace(place, safety=held / tried, slips=tried)
        return Finding(number, place)

    def _survives(self, place: Place) -> bool:
        slipped = self._known.frozen.lower(slip(place.release, self._question.slip, self._rng))
        return slipped is not None and self._as_wanted(self._drop(slipped))

    def _drop(self, release: Pose) -> Outcome:
        """Drop with everything free, and count it."""
        self._seeker.drops += 1
        return self._known.free.drop(release)


def slip(pose: Pose, by: Slip, rng: np.random.Generator) -> Pose:
    """Where a hand lets go that means to at ``pose``."""
    turn = quat_from_axis_angle(rng.normal(size=3), float(rng.normal(0.0, by.radians)))
    position = rng.normal(pose.position, by.metres)
    return Pose(vec3(position), quat_multiply(turn, pose.rotation))


def _hopeless(place: Place) -> bool:
    return place.slips <= EARLY_SLIPS and (1.0 - place.safety) * place.slips > 1.5


def _near(a: Pose, b: Pose) -> bool:
    return math.dist(a.position, b.position) < SAME_M and quat_angle(a.rotation, b.rotation) < SAME_RAD
