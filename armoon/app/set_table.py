"""A table that is set: the game, who keeps it, how it is seen, and the demo that would play it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from armoon.games.contract.kind import Game, Viewed, kind_of
from armoon.players.demo import DemoOptions
from armoon.settings.options import PlayOptions
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


def seeded(options: PlayOptions) -> PlayOptions:
    """The options with the seed of the demo that shows most, where the demo plays and nobody asked for a seed."""
    if options.camera != DEMO or "seed" in options.asked:
        return options
    seed = kind_of(options.game).demo_seed()
    return options if seed is None else replace(options, seed=seed)
