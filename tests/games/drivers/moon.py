"""The moon game's doors."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, get_args

from games.drivers.driver import Driver
from support.doors_kit import AnyTable, Seated

from armoon.games.moon.match import MoonEvent
from armoon.values.poses import Vec3

#: Across the structure from the lid, as far from the camera: there is nothing but the table under a ladder.
BESIDE_X_M, OVER_M = -0.16, 0.14
#: What is offered stands 20 mm over the table: so much lower, and it is near enough to be let go of.
LOWERED_M = 0.009


def kinds_of(event: type[Any]) -> list[type[Any]]:
    return [kind for own in event.__subclasses__() for kind in kinds_of(own)] or [event]


class MoonDriver(Driver):
    """Ladders are drawn with the die, and laid on the table, or given up: the quickest of all turns."""

    name = "moon"
    players = "Ann,Ben"
    wrong_players = ("A,B,C,D,E,F,G",)
    short = ("--tears", "2")
    demo = ("--rate", "15")  # half the pictures show a turn as well
    bots: str = "nova,pip"
    lacks_keys: tuple[str, ...] = ()
    lacks_options = (("--bots", "weak,weak"),)
    events = reduce(or_, (kind for part in get_args(MoonEvent) for kind in kinds_of(part)))

    def ready(self, table: AnyTable) -> None:
        if table.game.match.offered_at_home is None:
            table.until(lambda: table.game.is_awaiting_roll and table.game.match.at_rest, "the die")
            table.press("space")
        table.until(lambda: table.game.match.offered_at_home is not None, "a ladder in the lid")

    def taken_at(self, table: Seated) -> Vec3:
        place: Vec3 | None = table.game.match.offered_at_home
        assert place is not None
        return place

    def held_at(self, table: Seated) -> Vec3:
        return next(piece.pose.position for piece in table.scene.pieces if piece.look in ("held", "waiting"))

    def way(self, table: Seated) -> tuple[Vec3, ...]:
        x, y, z = self.taken_at(table)
        return ((x, y, z + OVER_M), (BESIDE_X_M, y, z + OVER_M), (BESIDE_X_M, y, z - LOWERED_M))

    def turn_by_keys(self, table: AnyTable) -> None:
        self.ready(table)
        who = table.on_turn
        table.press("g")
        table.until(lambda: table.on_turn != who and table.game.match.at_rest, "the verdict")

    def at_rest(self, table: AnyTable) -> None:
        table.until(lambda: table.game.match.at_rest, "rest")
        table.rest(0.5)

    def play_out(self, table: AnyTable) -> None:
        while not table.game.match.over:
            self.turn_by_keys(table)


DRIVER = MoonDriver()
