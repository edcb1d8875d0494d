"""Hands by LiteRT beside mediapipe's: over the shared photographs, the recorded clips and the rendered hand's pinches.

Both trackers, each watching for a second hand as in play, are shown the same pictures one after the other.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.hand_parts.seen import media_folder
from benchmarks.tracker_parts.compared import BOTH, Difference, compare, together
from benchmarks.tracker_parts.pictures import clips, photographs, rendered

#: Frames of the longest film, of which a part is taken where fewer are asked for.
WHOLE = 450


def run(json_path: Path | None, trials: int | None = None) -> int:
    """Compare, print and write; 0 whatever the figures are. ``trials``: every so-many-th photograph, shorter films."""
    folder, frames = media_folder(), None if trials in (None, 1) else WHOLE // trials
    kinds = {
        "photographs": photographs(folder, trials or 1),
        "clips": clips(folder, frames),
        "rendered": rendered(frames),
    }
    differences = {kind: compare(films) for kind, films in kinds.items()}
    figures = {
        kind: _figures(one) for kind, one in {**differences, "all": together(differences.values())}.items()
    }
    table = Table(title="LiteRT's hands beside mediapipe's")
    for heading in (
        *("", "pictures", "hands", "found alike", "sides alike", "px p50", "p95", "most", "mm p95"),
        *(f"{by} ms" for by in BOTH),
        *(f"{by} processor ms" for by in BOTH),
    ):
        table.add_column(heading)
    for kind, row in figures.items():
        table.add_row(
            *(kind, str(row["pictures"]), str(row["hands"])),
            *(f"{row[key]:.2%}" for key in ("found_alike", "sides_alike")),
            *(f"{row[key]:.2f}" for key in ("p50_px", "p95_px", "most_px", "p95_mm")),
            *(f"{row['took_ms'][by]:.1f}" for by in BOTH),
            *(f"{row['processor_ms'][by]:.1f}" for by in BOTH),
        )
    Console(width=160).print(table)
    if json_path is not None:
        json_path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def _figures(difference: Difference) -> dict[str, Any]:
    apart = difference.apart_px or [float("nan")]
    return {
        "pictures": difference.pictures,
        "hands": difference.hands,
        "found_alike": difference.found_alike,
        "found_otherwise": difference.found_otherwise,
        "sides_alike": difference.sides_alike,
        "p50_px": float(np.percentile(apart, 50)),
        "p95_px": float(np.percentile(apart, 95)),
        "most_px": max(apart),
        "p95_mm": float(np.percentile(difference.apart_mm or [float("nan")], 95)),
        "took_ms": {by: statistics.median(difference.took_ms[by]) for by in BOTH},
        "processor_ms": {by: statistics.mean(difference.processor_ms[by]) for by in BOTH},
    }
