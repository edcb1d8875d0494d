"""A table that is set: the game, who keeps it, how it is seen, and the demo that would play it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armoon.games.kind import Game, Viewed
from armoon.players.demo import DemoOptions
from armoon.sinks.save import Keeper

#: The camera without a camera: a rendered one.
DEMO = "demo"
#: No camera at all: mouse and keys play at a drawn table.
NO_CAMERA = "none"


@dataclass(frozen=True)
class SetTable:
    """Everything that differs from game to game."""

    game: Game[Any]
    keeper: Keeper | None
    viewed: Viewed
    demo: DemoOptions | None
    """None where the game has nobody to play its demo."""
