"""Steps shared by the tests of every game."""

from __future__ import annotations

from games.drivers.driver import Driver
from support.table_kit import IdealTable

from armoon.settings.files import settings_path
from armoon.values.poses import Vec3


def write_settings(**lines: object) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{name} = {value!r}".replace("'", '"') for name, value in lines.items()]
    settings_path().write_text("\n".join(rows), encoding="utf-8")


def grab_piece(driver: Driver, table: IdealTable) -> tuple[Vec3, ...]:
    """Grab the piece; return the points through which to carry it."""
    driver.prepare_turn(table)
    path = driver.carry_points(table)
    table.hand.reach(driver.grab_point(table))
    table.hand.grab()
    assert table.game.match.holding, table.hud_text
    return path


def play_by_hand(driver: Driver, table: IdealTable) -> None:
    turn = table.game.turns_played
    for place in grab_piece(driver, table):
        table.hand.reach(place, lambda: driver.held_point(table))
    table.hand.release()
    table.until(lambda: table.game.turns_played > turn and table.game.match.at_rest, "the turn's end")
