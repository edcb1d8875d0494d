"""What is done at the doors of every game: settings are written, things are taken and carried."""

from __future__ import annotations

from games.drivers.driver import Driver
from support.doors_kit import Seated

from armoon.settings.files import settings_path


def settings(**lines: object) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{name} = {value!r}".replace("'", '"') for name, value in lines.items()]
    settings_path().write_text("\n".join(rows), encoding="utf-8")


def take(driver: Driver, table: Seated) -> None:
    driver.ready(table)
    table.hand.reach(driver.taken_at(table))
    table.hand.close()
    assert table.game.match.holding, table.glass


def carry(driver: Driver, table: Seated) -> None:
    driver.ready(table)
    way = driver.way(table)
    table.hand.reach(driver.taken_at(table))
    table.hand.close()
    assert table.game.match.holding, table.glass
    for place in way:
        table.hand.reach(place, lambda: driver.held_at(table))
