"""A table that is set: the game, who keeps it, how it is seen, and the demo that would play it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armoon.app.session import Keeper
from armoon.games.kind import Game, Viewed
from armoon.players.demo import DemoOptions

#: The camera without a camera.
DEMO = "demo"


@dataclass(frozen=True)
class Laid:
    """Everything that differs from game to game."""

    game: Game[Any]
    keeper: Keeper | None
    viewed: Viewed
    demo: DemoOptions | None
    """None where the game has nobody to play its demo."""
