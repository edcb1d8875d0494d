"""Fixtures of the games' tests: tables with a home folder of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.table_kit import Seats, make_home, seats


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return make_home(tmp_path, monkeypatch)


@pytest.fixture
def seat(home: Path) -> Iterator[Seats]:
    yield from seats()
