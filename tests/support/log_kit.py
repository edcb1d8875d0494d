"""Helpers to read log files and to encode a match's events as log records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from armoon.engine import logbook
from armoon.engine.events import MatchBegan, MatchEvent, Output
from armoon.engine.match import Match
from armoon.engine.setup import TableSetup
from armoon.games.contract import load_kind


def lines_of(log: Path) -> list[dict[str, Any]]:
    """Parse a log's complete lines; the last line may be incomplete while a game is running."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").split("\n")[:-1]]


def header_of(game: str, table: TableSetup, start: Any) -> dict[str, Any]:
    (header,) = logbook.records_of(MatchEvent(0, MatchBegan(game, table, start), None, None))
    return dict(header)


def records_of(match: Match, *outputs: Output) -> list[dict[str, Any]]:
    lines = load_kind(match.game).encode_event
    return [record for output in outputs for event in output.events for record in lines(event)]
