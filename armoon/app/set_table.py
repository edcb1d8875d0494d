"""A table that is set: the game, who keeps it, how it is seen, and the demo that would play it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from armoon.games.kind import Game
from armoon.geometry import CameraModel
from armoon.players.demo import DemoOptions
from armoon.sinks.save import Keeper
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose

if TYPE_CHECKING:
    from armoon.view.scene.board import Board

#: The camera without a camera: a rendered one.
DEMO = "demo"
#: No camera at all: mouse and keys play at a drawn table.
NO_CAMERA = "none"


@dataclass(frozen=True)
class Viewed:
    """What a renderer has to know of a game before the first scene."""

    camera: CameraModel
    table_from_camera: Pose
    mirrored: bool
    ladders: LadderSet | None = None
    base: Base | None = None
    board: Callable[[], Board] | None = None
    """Makes what the game draws instead of base and lid, once there is a surface to draw on."""


@dataclass(frozen=True)
class SetTable:
    """Everything that differs from game to game."""

    game: Game
    keeper: Keeper | None
    viewed: Viewed
    demo: DemoOptions
