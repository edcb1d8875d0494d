"""Drops that bring a structure down: for who ends a show on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from armoon.placement.attitudes import Attitudes
from armoon.placement.hung import flats, leans
from armoon.placement.seeker import Seeker
from armoon.placement.values import slip
from armoon.values.pieces import Ladder
from armoon.values.places import Reach, Slip
from armoon.values.poses import Pose
from armoon.world.checks import Standing

#: It is let go of this far above its first contact: with more free fall it might wait in the air.
FALL_M = 0.010
#: Candidates drawn at a time; drops of each, with a hand's slips.
DRAWN, DROPS = 4, 2


@dataclass(frozen=True)
class Toppling:
    """A ladder that is let go of there brings others down."""

    release: Pose
    fallen: float
    """How many, in the mean of a few drops."""


def topplings(
    seeker: Seeker, standing: Standing, ladder: Ladder, reach: Reach, by: Slip, seed: int
) -> Iterator[Toppling]:
    """Yield drops on a structure one after another, for as long as they are asked for; none where nothing stands."""
    known, rng, attitudes = seeker.prepare(standing), np.random.default_rng(seed), Attitudes(reach)
    if known is None:
        return
    for rehearsal in (known.free, known.frozen):
        rehearsal.take(ladder.piece)
    while True:
        drawn = leans(known.wood, ladder, attitudes, rng, DRAWN) + flats(
            known.wood, ladder, attitudes, rng, DRAWN
        )
        for candidate in drawn:
            met = known.frozen.lower(candidate.pose, None)
            if met is not None:
                x, y, z = met.position
                release = Pose((x, y, z + FALL_M), met.rotation)
                drops = [known.free.brings_down(slip(release, by, rng)) for _ in range(DROPS)]
                yield Toppling(release, float(np.mean(drops)))
