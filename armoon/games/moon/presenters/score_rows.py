"""A saved moon game's score for other programs."""

from __future__ import annotations

from armoon.games.moon.table.saving import first_state, verdicts_of
from armoon.saves.game_file import SavedGame


def score_rows(saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return the verdicts, a row each, and what every player has taken by then; columns first. Raises SaveError."""
    players = first_state(saved).players
    head = ("turn", "player", "die", "ladder", "ok", "ruling", "reason", "height_m", "charged", "points")
    columns = (*head, "tears_left", *(f"tears {player}" for player in players))
    rows: list[tuple[object, ...]] = [
        (
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
        )
        for state, verdict in verdicts_of(saved)
    ]
    return columns, rows
