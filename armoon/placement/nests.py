"""What to try next with everything free: ladders hung or leaned in several ways, and poses next to rests that held.

On a leaning structure a drop on the frozen one says little, and hardly any random pose holds; but next to one that
holds there are others, some of which touch as wanted, bear a slip, or stand higher.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from armoon.geometry import quat_from_axis_angle, quat_multiply, vec3
from armoon.placement.attitudes import RELAY_RAD, Attitudes
from armoon.placement.hung import ROOM_M, hangs, hooks, leans, props
from armoon.placement.question import REACH_M, RISE_DEG, Question, is_good
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.structure import Known
from armoon.placement.values import Outcome
from armoon.placement.wood import Wood
from armoon.values.pieces import Ladder
from armoon.values.places import Place, PlaceKind
from armoon.values.poses import Pose

#: Ways of drawing them, and the kind that mostly comes of each.
WAYS = {
    hooks: PlaceKind.HOOK,
    hangs: PlaceKind.HOOK,
    leans: PlaceKind.LEAN,
    props: PlaceKind.LEAN,
}
#: Tries of a way of which one is taken to have held, before any was tried.
TRIED_BEFORE = 8.0
#: Share of tries next to what held.
NEAR = 0.65
#: How far a try is from what held (one deviation); how much these vary from try to try, as exponents.
NEAR_M, NEAR_RAD, VARIES = 0.004, 0.12, 0.6
#: Number that are laid on the frozen structure before one is dropped with everything free; the worth of a rest that is
#: as wanted, and by how much less it counts if it is flat.
LAID, AS_WANTED, FLAT = 6, 0.6, 0.3


@dataclass
class Nest:
    """A rest that held, or a way of trying."""

    pose: Pose | None
    kind: PlaceKind
    """What it is, or is mostly come to from it."""
    worth: float
    """0 to 1 or more: what is left to wish for."""
    tries: float = 0.0
    wins: float = 0.0
    """Number of tries from here that came to as much."""

    @property
    def promise(self) -> float:
        """How much is to be hoped for from one more try."""
        return self.worth * (self.wins + 1.0) / (self.tries + 2.0)


class Nests:
    """What was tried in one search."""

    def __init__(
        self, known: Known, ladder: Ladder, question: Question, attitudes: Attitudes, rng: np.random.Generator
    ) -> None:
        self._known, self._wood, self._ladder = known, known.wood, ladder
        self._question, self._attitudes, self._rng = question, attitudes, rng
        self._ways = {way: Nest(None, kind, 1.0, TRIED_BEFORE - 2.0) for way, kind in WAYS.items()}
        self._good = dict.fromkeys(PlaceKind, 0)
        """Number of good places known, by kind: the fewer, the more is tried."""
        self._nests: list[Nest] = []

    def lay(self) -> Generator[None, None, tuple[Nest, Pose, Outcome] | None]:
        """Lay a few on the frozen structure, and drop the one most like what is wanted with everything free.

        Return it as a nest of its own, with where it was let go of and what became of it; None unless all came to rest.
        """
        best: tuple[float, Nest, Pose] | None = None
        for _ in range(LAID):
            by, start = self._next()
            laid = None if start is None else self._let_go(start, self._known.frozen)
            if laid is not None and (best is None or self._worth(laid[1]) > best[0]):
                best = self._worth(laid[1]), by, laid[0]
            yield None
            if best is not None and best[0] >= AS_WANTED:
                break
        if best is None:
            return None
        _, by, release = best
        laid = self._let_go(over(release, self._wood), self._known.free)
        if laid is None or laid[1].turned_rad > self._attitudes.thrown_rad:
            return None
        worth = self._worth(laid[1])
        by.wins += 1.0 if by.pose is None else float(worth >= by.worth)
        nest = Nest(laid[1].pose, by.kind, worth)
        self._nests.append(nest)
        return nest, *laid

    def judge(self, nest: Nest, place: Place) -> None:
        """Note what became of one that was as wanted: the safer, and where height is liked the higher, the better."""
        taste, worth = self._question.taste, 0.5 + 0.5 * place.safety
        if is_good(place):
            worth += max(0.0, taste.height * place.reach_m / REACH_M + taste.rise * place.rise_deg / RISE_DEG)
        nest.kind = place.kind
        self._good[place.kind] += is_good(place)
        nest.worth = worth * (FLAT if place.kind is PlaceKind.PLATE else 1.0)

    def _let_go(self, start: Pose, engine: Rehearsal) -> tuple[Pose, Outcome] | None:
        """Lowered from over everything and let go of; again as it came to lie. None unless all came to rest."""
        laid: tuple[Pose, Outcome] | None = None
        for _ in range(2):
            release = self._known.frozen.lower(start, None)
            outcome = None if release is None else engine.drop(release)
            if release is None or outcome is None or not outcome.held:
                break
            laid, rest = (release, outcome), outcome.pose
            if outcome.turned_rad <= RELAY_RAD:
                break
            start = over(Pose(rest.position, self._attitudes.nearest(rest.rotation)), self._wood)
        return laid

    def _worth(self, outcome: Outcome) -> float:
        """Return the worth of a rest that held: the less, the more is missing for what is wanted."""
        lacks = outcome.lacks(self._question.wanted)
        return 0.5 * AS_WANTED / (1.0 + lacks) if lacks else AS_WANTED

    def _next(self) -> tuple[Nest, Pose | None]:
        """Return where the next try comes from, and its pose over everything; None where that way gives none."""
        if self._nests and self._rng.random() < NEAR:
            nest = self._one_of(self._nests)
            start: Pose | None = self._near(nest)
        else:
            nest = self._one_of(list(self._ways.values()))
            draw = next(draw for draw, way in self._ways.items() if way is nest)
            drawn = draw(self._wood, self._ladder, self._attitudes, self._rng, 1)
            start = drawn[0].pose if drawn else None
        nest.tries += 1.0
        return nest, start

    def _one_of(self, nests: list[Nest]) -> Nest:
        promise = np.array([nest.promise / (1.0 + self._good[nest.kind]) for nest in nests]) ** 2
        return nests[int(self._rng.choice(len(nests), p=promise / promise.sum()))]

    def _near(self, nest: Nest) -> Pose:
        assert nest.pose is not None
        rng = self._rng
        far = float(np.exp(rng.normal(0.0, VARIES)))
        turn = quat_from_axis_angle(rng.normal(size=3), float(rng.normal(0.0, far * NEAR_RAD)))
        rotation = self._attitudes.nearest(quat_multiply(turn, nest.pose.rotation))
        return over(Pose(vec3(rng.normal(nest.pose.position, far * NEAR_M)), rotation), self._wood)


def over(pose: Pose, wood: Wood) -> Pose:
    """Return the pose over everything, to be lowered from there."""
    x, y, _ = pose.position
    return Pose((x, y, wood.top_m + ROOM_M), pose.rotation)
