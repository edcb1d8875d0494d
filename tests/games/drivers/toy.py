"""The toy's doors."""

from __future__ import annotations

from games.drivers.driver import Driver
from games.toy_game import BEAD, BOWLS, Put
from support.doors_kit import AnyTable, Seated

from armoon.values.poses import Vec3


class ToyDriver(Driver):
    """The bead is taken and put into the first bowl; keys put it there at once."""

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

    def ready(self, table: AnyTable) -> None:
        table.until(lambda: table.game.match.offered_at_home is not None, "the bead")

    def taken_at(self, table: Seated) -> Vec3:
        return table.seen_at(BEAD)

    def held_at(self, table: Seated) -> Vec3:
        (point,) = table.scene.contact_points
        return point

    def way(self, table: Seated) -> tuple[Vec3, ...]:
        return (table.seen_at(BOWLS[0]),)

    def turn_by_keys(self, table: AnyTable) -> None:
        table.press("1")

    def play_out(self, table: AnyTable) -> None:
        while not table.game.match.over:
            self.turn_by_keys(table)


DRIVER = ToyDriver()
