"""A player's view of the lake."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.lake.rules.state import State
from armoon.games.lake.table.scene import LakeScene
from armoon.players.sight import Sight
from armoon.values.poses import Vec3


@dataclass(frozen=True)
class LakeSight(Sight):
    """The lake's picture as a player understands it: everything here is visible on screen."""

    state: State
    lake: LakeScene
    at_rest: bool
    """Nothing is held or in the air."""
    holding: bool
    """A hand holds something."""
    ring: Vec3 | None
    """Where the picture shows the hand's grip, table frame: good across the line of sight only."""
    eye: Vec3
    """Where the picture is seen from."""


def lake_sight(
    time_s: float,
    state: State,
    lake: LakeScene,
    *,
    at_rest: bool,
    ring: Vec3 | None,
    eye: Vec3,
) -> LakeSight:
    """Return what is on the screen now."""
    return LakeSight(
        time_s=time_s,
        turn=state.turn,
        state=state.alone(),
        lake=lake,
        at_rest=at_rest,
        holding=any(dome.look == "held" for dome in lake.moving),
        ring=ring,
        eye=eye,
    )
