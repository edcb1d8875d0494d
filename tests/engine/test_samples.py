"""Logs that lie among the tests still give the same bits: a change of these needs another version of the log."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import LOGS, sample_log

from armoon.games.contract.library import verify


@pytest.mark.parametrize("name", LOGS)
def test_a_log_gives_the_same_bits(name: str, tmp_path: Path) -> None:
    verification = verify(sample_log(name, tmp_path))
    assert verification.same, verification.difference
    assert verification.verdicts
    assert not verification.damage
