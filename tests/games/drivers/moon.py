"""Plays the moon game in the tests of every game."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, get_args

from games.drivers.driver import Driver
from support.table_kit import AnyTable, IdealTable

from armoon.games.moon.match import MoonEvent
from armoon.values.poses import Vec3

#: x of a place opposite the lid, above the bare table, and height at which ladders are carried there.
BESIDE_X_M, OVER_M = -0.16, 0.14
#: Distance below its offered pose, 20 mm above the table, at which a ladder is released.
LOWERED_M = 0.009


def list_leaf_kinds(event: type[Any]) -> list[type[Any]]:
    return [kind for own in event.__subclasses__() for kind in list_leaf_kinds(own)] or [event]


class MoonDriver(Driver):
    """Rolls the die, and places the ladder on the table or, for a quick turn, gives it up."""

    name = "moon"
    players = "Ann,Ben"
    wrong_players = ("A,B,C,D,E,F,G",)
    short = ("--tears", "2")
    demo = ("--rate", "15")  # half the usual rate is enough for a film of a turn
    bots: str = "nova,pip"
    lacks_keys: tuple[str, ...] = ()
    lacks_options = (("--bots", "weak,weak"),)
    events = reduce(or_, (kind for part in get_args(MoonEvent) for kind in list_leaf_kinds(part)))

    def prepare_turn(self, table: AnyTable) -> None:
        if table.game.match.offered_at_home is None:
            table.until(lambda: table.game.is_awaiting_roll and table.game.match.at_rest, "the die")
            table.press("space")
        table.until(lambda: table.game.match.offered_at_home is not None, "a ladder in the lid")

    def grab_point(self, table: IdealTable) -> Vec3:
        place: Vec3 | None = table.game.match.offered_at_home
        assert place is not None
        return place

    def held_point(self, table: IdealTable) -> Vec3:
        return next(piece.pose.position for piece in table.scene.pieces if piece.look in ("held", "waiting"))

    def carry_points(self, table: IdealTable) -> tuple[Vec3, ...]:
        x, y, z = self.grab_point(table)
        return ((x, y, z + OVER_M), (BESIDE_X_M, y, z + OVER_M), (BESIDE_X_M, y, z - LOWERED_M))

    def play_turn(self, table: AnyTable) -> None:
        self.prepare_turn(table)
        player = table.on_turn
        table.press("g")
        table.until(lambda: table.on_turn != player and table.game.match.at_rest, "the verdict")

    def await_rest(self, table: AnyTable) -> None:
        table.until(lambda: table.game.match.at_rest, "rest")
        table.rest(0.5)

    def finish_game(self, table: AnyTable) -> None:
        while not table.game.match.over:
            self.play_turn(table)


DRIVER = MoonDriver()
