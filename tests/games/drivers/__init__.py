"""The drivers by which the shared tests play every registered game, one file per game."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from games.drivers.driver import Driver

_FILES = [
    import_module(f"{__name__}.{file.name}") for file in iter_modules(__path__) if file.name != "driver"
]
DRIVERS: dict[str, Driver] = {file.DRIVER.name: file.DRIVER for file in _FILES}
