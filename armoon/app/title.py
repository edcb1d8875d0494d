"""What stands behind the title: a tower that was built in the game's own physics, with nobody at the table."""

from __future__ import annotations

from armoon.clock import TICKS_PER_SECOND
from armoon.pieces import Base, LadderSet
from armoon.scene import Scene, SceneHud, ScenePiece
from armoon.world.base import make_base
from armoon.world.checks import Standing
from armoon.world.ladders import make_ladder_set
from armoon.world.towers import CONFIGURATION, LADDER_SEED, load_tower

#: Tall enough to look like an evening's work, and drawn quickly without a GPU.
LADDERS = 12
#: The moon of the title still has all its tears.
TEARS = 7


def title_ladders() -> LadderSet:
    """The ladders of the tower's box."""
    return make_ladder_set(LADDER_SEED)


def title_base() -> Base:
    """The base that the tower stands on."""
    ladders = title_ladders()
    fixed = [name for name, _, is_fixed in title_standing() if is_fixed]
    return make_base(tuple(ladders[name] for name in fixed), CONFIGURATION)


def title_standing() -> Standing:
    """Where the tower's ladders stand."""
    return load_tower(LADDERS).standing


def title_scene(standing: Standing, now_s: float) -> Scene:
    """The tower under the moon, with an empty glass."""
    pieces = tuple(ScenePiece(name, pose) for name, pose, _ in standing)
    return Scene(
        tick=round(now_s * TICKS_PER_SECOND),
        pieces=pieces,
        hands=(),
        hud=SceneHud("", (), TEARS, None, "", "", "", None, "", ""),
        structure_top_m=max(pose.position[2] for _, pose, _ in standing) + 0.05,
    )
