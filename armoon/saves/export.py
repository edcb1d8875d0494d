"""A saved game for other programs: its moves as JSON, its score as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from armoon.saves.game_file import SavedGame


def moves_as_json(saved: SavedGame) -> str:
    """Header, moves and snapshots of any game, readable without knowing the journal."""
    content = {
        "format": "armoon game export",
        "version": 1,
        "game": saved.game,
        "begun": saved.begun,
        "program": saved.program,
        "header": saved.header,
        "moves": list(saved.moves),
        "snapshots": [asdict(snapshot) for snapshot in saved.snapshots],
        "damage": saved.damage,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def rows_as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with its head."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
