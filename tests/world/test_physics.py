"""Logs name the physics by which they were played; old ones didn't have to."""

from __future__ import annotations

import pytest
from support.app_kit import setup_for

from armoon.engine.setup import TableSetup
from armoon.world.physics import PHYSICS, known_physics


def test_new_games_are_played_by_the_newest_physics_and_the_earliest_logs_by_the_first() -> None:
    record = setup_for().table.to_record()
    assert record["physics"] == PHYSICS
    assert TableSetup.from_record(record).physics == PHYSICS
    del record["physics"]
    assert TableSetup.from_record(record).physics == 1


@pytest.mark.parametrize("number", [0, PHYSICS + 1, "2", None, 1.5])
def test_unknown_physics_are_refused(number: object) -> None:
    with pytest.raises(ValueError, match="physics"):
        known_physics(number)
    with pytest.raises(ValueError, match="physics"):
        TableSetup.from_record({**setup_for().table.to_record(), "physics": number})
