"""How a ladder stands among others: its kind, rise and poise, and what it leaves for the next ladder."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armoon.geometry import mat_from_quat, rise_deg
from armoon.placement.values import Outcome
from armoon.placement.wood import Wood
from armoon.values.pieces import Ladder, PieceId
from armoon.values.places import RISING_DEG, Place, PlaceKind
from armoon.values.poses import Pose
from armoon.world.checks import Standing

#: A rail end can be hooked over if it points up by this sine, isn't deeper than this under the top,
UP, DEPTH_M = 0.5, 0.07
#: and no other ladder's axis is nearer to it than this, for an opening has to go round it.
CLEAR_M = 0.009
#: A rung bears a ladder whose axis is this near.
BEARS_M = 0.007


def kind_of(wood: Wood, index: int, pose: Pose) -> PlaceKind:
    """Return how the ladder of this index stands in the wood, at this pose."""
    through = wood.threads()
    if through[wood.owner == index].any() or through[:, wood.opening_owner == index].any():
        return PlaceKind.HOOK
    return PlaceKind.LEAN if rise_deg(pose) >= RISING_DEG else PlaceKind.PLATE


def place_of(
    ladders: Mapping[PieceId, Ladder], standing: Standing, piece: PieceId, release: Pose, outcome: Outcome
) -> Place:
    """Return the place where a ladder came to rest on this structure, of which no slip was tried yet."""
    rest, reach_m = outcome.pose, outcome.height_m - outcome.others_height_m
    wood = Wood(ladders, [*standing, (piece, rest, False)])
    own = wood.ends[wood.end_owner == len(standing)]
    supports = np.array([point for _, point, _ in outcome.load]).reshape(-1, 3)
    spans = np.linalg.norm(own[:, None] - supports, axis=-1)
    return Place(
        release,
        rest,
        outcome.touched,
        reach_m > 0.0,
        max(outcome.height_m, outcome.others_height_m),
        0.0,
        kind=kind_of(wood, len(standing), rest),
        reach_m=reach_m,
        rise_deg=rise_deg(rest),
        poise_m=float(spans.min(axis=1).max()) if spans.size else 0.0,
        ends=free_ends(wood),
        faces=open_faces(wood, ladders, [*standing, (piece, rest, False)]),
    )


def free_ends(wood: Wood) -> int:
    """Return how many rail ends an opening can be brought over."""
    up = np.flatnonzero((wood.end_way[:, 2] > UP) & (wood.ends[:, 2] > wood.top_m - DEPTH_M))
    gaps = wood.gaps_m(wood.ends[up])
    gaps[wood.end_owner[up, None] == wood.owner] = np.inf
    return int((gaps > CLEAR_M).all(axis=1).sum())


def open_faces(wood: Wood, ladders: Mapping[PieceId, Ladder], standing: Standing) -> int:
    """Return how many ladders rise and have no other ladder at a rung of their upper half."""
    count = 0
    for index, (name, pose, _) in enumerate(standing):
        if rise_deg(pose) < RISING_DEG:
            continue
        turn, at = mat_from_quat(pose.rotation), np.asarray(pose.position)
        rungs = np.asarray(ladders[name].rungs).mean(axis=1) @ turn.T + at
        upper = rungs[rungs[:, 2] > at[2]]
        others = wood.owner != index
        count += bool(len(upper)) and bool((wood.gaps_m(upper)[:, others] > BEARS_M).all())
    return count
