"""A saved game for other programs: its moves as JSON, its score as CSV."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict

from armoon.games.moon.saving import first_state, verdicts_of
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


def score_as_csv(saved: SavedGame) -> str:
    """A moon game's verdicts, a row each, and what every player has taken by then. Raises SaveError."""
    players = first_state(saved).players
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    head = ["turn", "player", "die", "ladder", "ok", "ruling", "reason", "height_m", "charged", "points"]
    writer.writerow([*head, "tears_left", *(f"tears {player}" for player in players)])
    for state, verdict in verdicts_of(saved):
        writer.writerow(
            [
                verdict.turn,
                players[verdict.player],
                "" if verdict.die is None else verdict.die.value,
                verdict.ladder or "",
                "yes" if verdict.ok else "no",
                verdict.ruling,
                verdict.reason.value,
                "" if verdict.height_m is None else verdict.height_m,
                "" if verdict.charged is None else players[verdict.charged],
                sum(worth for _, worth in verdict.points),
                state.tears_left,
                *state.tears,
            ]
        )
    return text.getvalue()
