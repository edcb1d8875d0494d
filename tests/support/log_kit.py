"""What a match tells as lines of a log, without a file."""

from __future__ import annotations

from typing import Any

from armoon.engine.events import Output
from armoon.engine.match import Match
from armoon.games.contract.kind import kind_of


def records_of(match: Match, *outputs: Output) -> list[dict[str, Any]]:
    """Return the lines that the log's presenter makes of these."""
    records = kind_of(match.game).records
    return [record for output in outputs for happened in output.events for record in records(happened)]
