"""How every registered game is played by the suite of the doors: one driver for each."""

from __future__ import annotations

from games.drivers.driver import Driver
from games.drivers.lake import LakeDriver
from games.drivers.moon import MoonDriver
from games.drivers.toy import ToyDriver

DRIVERS: dict[str, Driver] = {driver.name: driver for driver in (MoonDriver(), LakeDriver(), ToyDriver())}
