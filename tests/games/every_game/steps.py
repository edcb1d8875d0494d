"""Steps shared by the tests of every game."""

from __future__ import annotations

from games.drivers.driver import Driver
from support.table_kit import IdealTable

from armoon.settings.files import settings_path


def write_settings(**lines: object) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{name} = {value!r}".replace("'", '"') for name, value in lines.items()]
    settings_path().write_text("\n".join(rows), encoding="utf-8")


def grab_piece(driver: Driver, table: IdealTable) -> None:
    driver.prepare_turn(table)
    table.hand.reach(driver.grab_point(table))
    table.hand.grab()
    assert table.game.match.holding, table.glass


def carry_piece(driver: Driver, table: IdealTable) -> None:
    driver.prepare_turn(table)
    path = driver.carry_points(table)
    table.hand.reach(driver.grab_point(table))
    table.hand.grab()
    assert table.game.match.holding, table.glass
    for place in path:
        table.hand.reach(place, lambda: driver.held_point(table))
