"""Fixtures that run every test for every game, with a home folder of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from support.table_kit import IdealTable, Seats
from support.toy_kit import register_toy

from armoon.games.moon.ladder_forecast import LadderForecaster


@pytest.fixture(autouse=True)
def _register_toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from register_toy(monkeypatch)


@pytest.fixture(autouse=True)
def _disable_forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable forecasts of held ladders, because every table would start a process for them."""
    monkeypatch.setattr(LadderForecaster, "_is_help_allowed", False)


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> Driver:
    return DRIVERS[request.param]


@pytest.fixture
def table(driver: Driver, seat: Seats) -> IdealTable:
    return seat(driver.name, "--players", driver.players)
