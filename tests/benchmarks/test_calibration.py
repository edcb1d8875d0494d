"""The calibration benchmark: its keys, and that its figures are within what is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.calibration import measure_photographs, run

KEYS = {"focal_error", "centre_error_px", "pose_error_mm_board", "pose_error_mm_sheet", "registration_px"}


@pytest.mark.long
@pytest.mark.gl
def test_the_wanted_figures_are_reached(tmp_path: Path) -> None:
    assert run(tmp_path / "figures.json") == 0
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert set(figures) >= KEYS | {"photographs", "scenes"}
    assert set(figures["photographs"]) >= KEYS
    assert figures["focal_error"] <= 0.005
    assert figures["centre_error_px"] <= 1.0
    assert figures["pose_error_mm_board"] <= 1.0
    assert figures["pose_error_deg_board"] <= 0.3
    assert figures["pose_error_mm_sheet"] <= 3.0
    assert figures["pose_error_deg_sheet"] <= 1.0
    if figures["registration_px"] is not None:  # without OpenGL nothing can be drawn
        assert figures["registration_px"] <= 0.5
        assert figures["registration_px_turned"] <= 0.5


def test_without_photographs_their_figures_are_null() -> None:
    figures = measure_photographs(None)
    assert set(figures) >= KEYS
    assert set(figures.values()) == {None}
