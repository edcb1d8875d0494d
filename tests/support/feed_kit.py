"""Helpers to read the feed of a logged game, without pictures."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from armoon.app.table import Table
from armoon.broadcast import FeedEvent, StateLine, decode_line
from armoon.engine.logbook import LogReader
from armoon.games.contract import load_kind
from armoon.games.library import create_logged_match, read_intakes
from armoon.sinks.feed import FeedSink
from armoon.sinks.hub import Sinks
from support.samples import sample_log


def feed_from_log(log: Path) -> list[bytes]:
    reader = LogReader(log)
    match = create_logged_match(reader)
    game = load_kind(match.game).create_game(match)
    game.is_replayed = True
    lines: list[bytes] = []
    sinks = Sinks(lock_step=True)
    sinks.add(FeedSink(lines.append))
    table = Table(game, sinks)
    for intake in read_intakes(reader):
        table.play_step(intake)
    table.close()
    sinks.close()
    return lines


def feed_of(game: str) -> list[bytes]:
    return list(_feed_of(game))


@cache
def _feed_of(game: str) -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory() as folder:
        return tuple(feed_from_log(sample_log(game, Path(folder))))


def events_of(lines: list[bytes]) -> list[FeedEvent]:
    return [line for line in map(decode_line, lines) if isinstance(line, FeedEvent)]


def states_of(lines: list[bytes]) -> list[StateLine]:
    return [line for line in map(decode_line, lines) if isinstance(line, StateLine)]
