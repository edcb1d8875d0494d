"""Plays the toy game in the tests of every game."""

from __future__ import annotations

from games.drivers.driver import Driver
from games.toy_game import BEAD, BOWLS, Put
from support.table_kit import AnyTable, IdealTable

from armoon.values.poses import Vec3


class ToyDriver(Driver):
    """Carries the bead to the first bowl, or puts it there at once with the key 1."""

    name = "toy"
    players = "Ann,Ben"
    wrong_players = ("Ann", "A,B,C,D")
    short: tuple[str, ...] = ()
    demo = None
    bots: str = ""
    lacks_keys = ("space", "g", "t", "h")
    lacks_options = (
        ("--bots", "weak,weak"),
        ("--no-camera",),
        ("--together",),
        ("--one-hand", "off"),
        ("--no-hints",),
    )
    events = Put

    def prepare_turn(self, table: AnyTable) -> None:
        table.until(lambda: table.game.match.offered_at_home is not None, "the bead")

    def grab_point(self, table: IdealTable) -> Vec3:
        return table.home_point(BEAD)

    def held_point(self, table: IdealTable) -> Vec3:
        (point,) = table.scene.contact_points
        return point

    def carry_points(self, table: IdealTable) -> tuple[Vec3, ...]:
        return (table.home_point(BOWLS[0]),)

    def play_turn(self, table: AnyTable) -> None:
        table.press("1")

    def finish_game(self, table: AnyTable) -> None:
        while not table.game.match.over:
            self.play_turn(table)


DRIVER = ToyDriver()
