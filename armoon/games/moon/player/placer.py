"""How the demo's player uses the search for places: its question, and when a place is good enough."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from armoon.games.moon.player.manner import Wish
from armoon.games.moon.rules.turn import contacts_wanted, wanted_by
from armoon.games.moon.rules.values import Die
from armoon.geometry import quat, quat_angle, quat_inverse, quat_multiply, quat_rotate
from armoon.placement.attitudes import Attitudes
from armoon.placement.question import Question, is_good, promise
from armoon.placement.seeker import Finding, Seeker
from armoon.values.facts import Facts
from armoon.values.pieces import Base, LadderSet, PieceId
from armoon.values.places import Place, Reach, Slip, Wanted
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.world.structures.copying import standing_of

#: How far a hand turns a ladder from the way it was offered, at most: in the picture's plane, the only one in
#: which a single camera's grip turns things reliably.
WIDEST_TWIST_RAD = math.radians(30.0)
#: How the demo's hand misses when it lets go (one standard deviation, measured on it).
MISSES = Slip(0.002, math.radians(2.5))
#: More ladders than anybody's structure has.
ANY_NUMBER = 30
#: A player first looks for a place that forgives its whole unsteadiness, then for one that forgives a share of it:
#: the share, and how many steps are spent on it. With the attitudes that a wrist has there is often no better one.
STAGES: tuple[tuple[float, int], ...] = ((1.0, 800), (0.5, 800), (0.15, 600))
#: Who trusts their hand begins with half of it, or with most of it where a ladder hooks or leans, and doesn't look for
#: long.
TRUSTING: tuple[tuple[float, int], ...] = ((0.8, 240), (0.5, 500), (0.15, 600))
#: A ladder whose face is nearer to level lies flat.
FLAT = math.cos(math.radians(25.0))
#: ... and at last for one where the ladder stays, whatever it touches: that is a mistake (F1), as people make it. To
#: let it fall on the table costs as much.
STAYS: tuple[float, int] = (0.5, 600)
#: Wherever it stays.
ANYHOW = Wanted(1, ANY_NUMBER)
#: So high leads what is worth as much as safety, for who likes height above all.
HIGH_M = 0.20
#: A place that holds at least so probably will do, once enough was thought.
LIKELY = 0.5
#: ... or so probably, where there may be a safer one.
SURE = 0.75


@dataclass(frozen=True)
class Plan:
    """Where to let go of the ladder, and what is expected to come of it."""

    release: Pose
    touched: tuple[PieceId, ...]
    offered: Quat = IDENTITY_QUAT
    """In which of the lid's attitudes it has to be taken."""


def wanted_for(die: str, wish: Wish = Wish.HONOUR) -> Wanted:
    """Return what has to be true of the ladder at rest for the die to be honoured (T4), or not."""
    if wish in (Wish.HONOUR, Wish.DARE):
        return wanted_by(Die(die))
    least, most = contacts_wanted(Die(die))
    return Wanted(1, least - 1) if least > 1 else Wanted(most + 1, ANY_NUMBER)


class Placer:
    """Looks for a plan a step at a time, in the player's own process; close it."""

    def __init__(
        self,
        ladders: LadderSet,
        base: Base,
        seed: int,
        view_axis: Vec3 = (0.0, 1.0, 0.0),
        *,
        trusting: bool = False,
    ) -> None:
        """``view_axis`` is the direction in which the camera looks, at home; ``trusting``: it trusts its hand."""
        self._trusting = trusting
        self._stages = TRUSTING if trusting else STAGES
        self._seeker = Seeker(ladders, base)
        self._seed = seed
        self._view_axis = self._view = view_axis
        self._asked = 0
        self.begin_anew()

    def close(self) -> None:
        """Give the copied worlds back."""
        self._seeker.close()

    @property
    def drops(self) -> int:
        """How often it has let the ladder fall in its mind since it began anew, or lowered its standards."""
        return self._seeker.drops - self._first_drop

    def begin_anew(self, *, hooks: bool = False) -> None:
        """Forget what was thought about; who trusts their hand may look for ``hooks`` first."""
        self._first_drop = self._seeker.drops
        self.stage, self._steps = (1 if self._trusting and not hooks else 0), 0
        self._search: Iterator[Finding | None] | None = None
        self._found: dict[tuple[int, int], Place] = {}

    @property
    def given_up(self) -> bool:
        """Whether no plan is to be had."""
        return self.stage > len(self._stages)

    def prepare(self, facts: Facts) -> None:
        """Look at the structure before the question is known."""
        self._seeker.prepare(standing_of(facts))

    def think(
        self,
        facts: Facts,
        piece: PieceId,
        offered: tuple[Quat, ...],
        die: str,
        wish: Wish,
        home_from_table: Pose = IDENTITY_POSE,
        *,
        hurried: bool = False,
        likes_height: float = 0.0,
        patient: bool = False,
    ) -> Plan | None:
        """One step of thought; a plan once there is one. The structure stands while this is asked again and again.

        ``offered`` are the attitudes in the lid as they are seen, at home. Who is ``hurried`` makes do with
        what is known, or looks for less. Who ``likes_height`` weighs it against safety;
        who is ``patient`` doesn't take the first good place before that.
        """
        self._view = self._view_axis
        if home_from_table != IDENTITY_POSE:
            back = quat_inverse(home_from_table.rotation)
            offered = tuple(quat(quat_multiply(back, one)) for one in offered)
            self._view = quat_rotate(back, self._view_axis)
        if self.given_up:
            return None
        honest = self.stage < len(self._stages)
        share, steps = self._stages[self.stage] if honest else STAYS
        if self._search is None:
            self._asked += 1
            if self._trusting and self.stage == 0:
                offered = tuple(one for one in offered if abs(quat_rotate(one, (0.0, 1.0, 0.0))[2]) < FLAT)
            reach = Reach(offered, self._view, WIDEST_TWIST_RAD)
            slip = Slip(share * MISSES.metres, share * MISSES.radians)
            wanted = wanted_for(die, wish) if honest else ANYHOW
            question = Question(tuple(standing_of(facts)), piece, wanted, slip, reach)
            self._search = self._seeker.seek(question, self._seed + 1000 * self._asked)
        self._steps += 1
        finding = next(self._search, None)
        if finding is not None:
            self._found[self.stage, finding.number] = finding.place
        over = hurried or self._steps >= steps
        last = self.stage >= len(self._stages) - 1
        likely = SURE if self._trusting and self.stage == 0 else LIKELY
        likely_ones = [place for place in self._found.values() if promise(place) > likely]
        best = max(likely_ones, key=lambda place: _liking(place, likes_height), default=None)
        if wish is Wish.DARE:
            best = max(self._found.values(), key=_daring, default=None)
        if best is None and last:
            best = max(self._found.values(), key=promise, default=None)
        will_do = over and best is not None
        if best is not None and (will_do or (is_good(best) and not patient)):
            return Plan(best.release, best.touched, self._taken_as(offered, best.release.rotation))
        if over:
            self.stage, self._steps, self._search = self.stage + 1, 0, None
            self._first_drop = self._seeker.drops
        return None

    def _taken_as(self, offered: tuple[Quat, ...], wished: Quat) -> Quat:
        """From which attitude a hand comes nearest to the one in which the ladder is let go of."""

        def missing(one: Quat) -> float:
            reached = Attitudes(Reach((one,), self._view, WIDEST_TWIST_RAD)).nearest(wished)
            return quat_angle(reached, wished)

        return min(offered, key=missing)


def _daring(place: Place) -> float:
    """How much a place is liked by who dares: for how high it leads, and for how little is known of its safety."""
    return place.height_m / HIGH_M - promise(place)


def _liking(place: Place, likes_height: float) -> float:
    """How much a place is liked: for its safety, and for how high it leads in parts of ``HIGH_M``."""
    return (1.0 - likes_height) * promise(place) + likes_height * place.height_m / HIGH_M
