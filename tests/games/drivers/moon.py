"""The moon game's doors."""

from __future__ import annotations

from games.drivers.driver import Driver
from support.doors_kit import AnyTable, Seated

from armoon.values.poses import Vec3

#: Up from the lid, and over the structure: what is let go of there falls onto it.
WAY: tuple[Vec3, ...] = ((0.17, 0.0, 0.25), (0.0, 0.0, 0.25))


class MoonDriver(Driver):
    """Ladders are drawn with the die, and let fall onto the structure, or given up: the quickest of all turns."""

    name = "moon"
    players = "Ann,Ben"
    wrong_players = ("A,B,C,D,E,F,G",)
    short = ("--tears", "2")
    demo = True
    bots: str = "nova,pip"
    lacks_keys: tuple[str, ...] = ()
    lacks_options = (("--bots", "weak,weak"),)

    def ready(self, table: AnyTable) -> None:
        if table.game.offered is None:
            table.until(lambda: table.game.asks_for_roll and table.game.at_rest, "the die")
            table.press("space")
        table.until(lambda: table.game.offered is not None, "a ladder in the lid")

    def taken_at(self, table: Seated) -> Vec3:
        assert table.game.offered is not None
        return table.game.offered

    def held_at(self, table: Seated) -> Vec3:
        return next(piece.pose.position for piece in table.scene.pieces if piece.look == "held")

    def way(self, table: Seated) -> tuple[Vec3, ...]:
        return WAY

    def turn_by_keys(self, table: AnyTable) -> None:
        self.ready(table)
        who = table.on_turn
        table.press("g")
        table.until(lambda: table.on_turn != who and table.game.at_rest, "the verdict")

    def play_out(self, table: AnyTable) -> None:
        while not table.game.over:
            self.turn_by_keys(table)
