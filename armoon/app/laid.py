"""A table that is laid: the game, who keeps it, how it is seen, and the demo that would play it."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.app.session import Keeper
from armoon.games.kind import Game
from armoon.geometry import CameraModel
from armoon.players.demo import DemoOptions
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose

#: The camera without a camera.
DEMO = "demo"


@dataclass(frozen=True)
class Viewed:
    """What a renderer has to know of a game before the first scene."""

    camera: CameraModel
    table_from_camera: Pose
    mirrored: bool
    ladders: LadderSet | None = None
    base: Base | None = None
    lake: bool = False
    """The lake's board is drawn instead of base and lid."""


@dataclass(frozen=True)
class Laid:
    """Everything that differs from game to game."""

    game: Game
    keeper: Keeper | None
    viewed: Viewed
    demo: DemoOptions
