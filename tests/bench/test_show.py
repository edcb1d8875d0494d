"""What the benchmark of a game's look measures of a log."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from armoon.bench.show import measure_log

LOG = Path(__file__).resolve().parent.parent / "written_before" / "moon.jsonl.gz"
KEYS = {"ladders_at_180_s", "honoured", "visible_60", "covers", "hand_third", "largest_jump"}


@pytest.mark.slow
def test_a_log_is_measured(tmp_path: Path) -> None:
    log = tmp_path / "moon.jsonl"
    log.write_bytes(gzip.decompress(LOG.read_bytes()))
    figures = measure_log(log)
    assert figures.keys() >= KEYS
    assert figures["turns"] >= 1
    assert figures["ladders_at_180_s"] >= 2
    for share in ("honoured", "visible_60", "covers", "hand_third"):
        assert 0.0 <= figures[share] <= 1.0
    assert figures["visible_60"] > 0.0
    assert 0.0 <= figures["largest_jump"] < 1.0
