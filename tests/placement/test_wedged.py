"""A ladder that only a wedge holds: its place isn't good, and a structure with it can't be judged."""

from __future__ import annotations

from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die
from armoon.placement.search import PlaceSearch
from armoon.placement.structure import Known
from armoon.placement.values import Question
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set

LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base(LADDERS.ladders[:2])
START = tuple((ladder.piece, slot, True) for ladder, slot in zip(LADDERS.ladders, BASE.slots, strict=False))
RELEASE = Pose(
    (0.004400903742018111, 0.008199977123287756, 0.09353516455258526),
    (0.6401474862726043, 0.7569742443547244, -0.06891242926647191, -0.11158972307095993),
)


def test_a_structure_that_stands_only_by_a_wedge_gives_no_good_place_and_is_called_unsteady() -> None:
    known = Known({ladder.piece: ladder for ladder in LADDERS.ladders}, BASE, START)
    known.free.take("L14")
    dropped = known.free.drop(RELEASE)
    assert dropped.meets(wanted_by(Die.MOON))
    assert not known.stands_with("L14", dropped.pose)
    known.close()
    search = PlaceSearch(LADDERS, BASE, processes=1)
    try:
        unsteady = []
        for standing in (START, (*START, ("L14", dropped.pose, False))):
            search.ask(Question(standing, "L07", wanted_by(Die.ONE), drops=1))
            unsteady.append(search.wait().unsteady)
        assert unsteady == [False, True]
    finally:
        search.close()
