"""Registers a third game for tests that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from armoon.games import GAMES
from armoon.messages import catalogue


def register_toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the toy game for the duration of a test; the body of a fixture."""
    monkeypatch.setitem(GAMES, "toy", "games.toy_game")
    monkeypatch.setattr("armoon.messages._added_texts", [])
    catalogue.cache_clear()
    yield
    catalogue.cache_clear()
