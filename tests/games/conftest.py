"""Fixtures for the games' tests: tables with a home folder of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.table_kit import Seats, seats


@pytest.fixture
def seat(home: Path) -> Iterator[Seats]:
    yield from seats()
