"""A table ready to play: the game, its keeper, its view, and the demo that can play it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from armoon.app.outputs import begin_log, game_sinks_of
from armoon.app.table import Table, mouse_for
from armoon.camera.seat import Seat
from armoon.games.contract.capabilities import Demo
from armoon.games.contract.kind import Game, Viewed, kind_of
from armoon.inputs.steady import SteadyGrip
from armoon.players.demo import DemoOptions
from armoon.settings.options import PlayOptions
from armoon.sinks.hub import Sinks
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
    """None where the game has no demo player."""

    def table(
        self,
        options: PlayOptions,
        seat: Seat,
        sinks: Sinks,
        say: Callable[[str], None],
        *,
        several: bool = False,
    ) -> Table:
        """Begin the game at this seat, with its log and its devices; ``several`` games have a log each."""
        own = game_sinks_of(begin_log(options, say, several=several), self.keeper)
        mouse = mouse_for(options, seat)
        steady = SteadyGrip(seat.table_from_camera, seat.mirrored, "keys")
        return Table(self.game, sinks, own, mouse=mouse, steady=steady, turns=options.turns)


def seeded(options: PlayOptions) -> PlayOptions:
    """Return the options with the best demo's seed, where the demo plays and no seed was asked for."""
    if options.camera != DEMO or "seed" in options.asked:
        return options
    kind = kind_of(options.game)
    seed = kind.demo_seed() if isinstance(kind, Demo) else None
    return options if seed is None else replace(options, seed=seed)
