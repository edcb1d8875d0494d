"""Writes the rows of docs/benchmark.md from figures of ``scripts/bench placement --json``.

``python -m benchmarks.placement_parts.page FILE...``
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.placement_parts.setting import REAL
from benchmarks.placement_parts.tables import COUNTING, GOAL_KINDS, SEATS

PAGE = Path(__file__).parents[3] / "docs" / "benchmark.md"
BEGIN, END = "<!-- rows -->\n", "<!-- end of rows -->"


def written(page: str, figures: Iterable[dict[str, Any]]) -> str:
    """Return the page with these figures' rows. ValueError for figures of other tables."""
    rows: list[dict[str, Any]] = []
    for one in figures:
        if one["tables"] not in COUNTING:
            raise ValueError("these figures are of other tables")
        rows += one["rows"]
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + "\n".join(_table(rows)) + "\n" + END + after


def _table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return three tables, each within 80 columns: what came of the trials, and twice what was placed where."""
    splits = [("by_seat", seat) for seat in SEATS] + [("by_kind", kind) for kind in GOAL_KINDS]
    lines = ["| player, standing | n | placed | 95 % | honoured | dropped | s |", "|---" * 7 + "|"]
    parts = [
        "| player, standing | " + " | ".join(part for _, part in splits) + " |",
        "|---" * (1 + len(splits)) + "|",
    ]
    for row in rows:
        name = f"{_player(row)}, {row['standing']}"
        low, high = row["placed_95"]
        seconds = "-" if row["seconds"] is None else f"{row['seconds']:.1f}"
        cells = [
            name,
            *(str(row[key]) for key in ("trials", "placed")),
            f"{100 * low:.0f} to {100 * high:.0f} %",
            *(str(row[key]) for key in ("honoured", "dropped")),
            seconds,
        ]
        lines.append("| " + " | ".join(cells) + " |")
        told = (_told([row[split][part]]) for split, part in splits)
        parts.append("| " + " | ".join([name, *told]) + " |")
    return [*lines, "", *parts, "", *_sums(rows)]


def _sums(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a table over all sizes by hand, builder and tower, with a column for each player."""
    players = list(dict.fromkeys(map(_player, rows)))
    lines = ["| over all sizes | " + " | ".join(players) + " |", "|---" * (1 + len(players)) + "|"]
    for split in ("hand", "builder", "tower"):
        for part in dict.fromkeys(part for row in rows for part in row.get(f"by_{split}", {})):
            shares = (
                [
                    row[f"by_{split}"][part]
                    for row in rows
                    if _player(row) == player and part in row[f"by_{split}"]
                ]
                for player in players
            )
            lines.append("| " + " | ".join([f"{split} {part}", *map(_told, shares)]) + " |")
    return lines


def _player(row: dict[str, Any]) -> str:
    return str(row["name"]) if row["tracker"] == REAL else f"{row['name']}, {row['tracker']}"


def _told(shares: Sequence[dict[str, Any]]) -> str:
    placed, trials = (sum(share[key] for share in shares) for key in ("placed", "trials"))
    return f"{placed}/{trials}" if trials else "-"


if __name__ == "__main__":
    found = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
