"""The lake's events as lines of a log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from armoon.engine.events import Closed, Happened
from armoon.engine.intake import Record
from armoon.engine.records import records_of
from armoon.games.lake.rules.moves import MOVE_KINDS
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import stack_text
from armoon.games.lake.table.codec import move_to_plain
from armoon.games.lake.table.events import Laid


def lake_records(happened: Happened[Any]) -> Iterator[Record]:
    """Yield the lines of an event: after a move, how the game stands."""
    tick, event, state = happened.tick, happened.event, happened.state
    if isinstance(event, MOVE_KINDS):
        yield {"kind": "move", "tick": tick, **move_to_plain(event)}
    if isinstance(event, (*MOVE_KINDS, Laid, Closed)):
        yield _position(tick, state)
    else:
        yield from records_of(happened)
    if isinstance(event, Closed):
        ending = None if state.ending is None else state.ending.value
        yield {"kind": "end", "tick": tick, "over": state.over, "ending": ending, "tally": _tally(state)}


def _position(tick: int, state: State) -> Record:
    return {
        "kind": "position",
        "tick": tick,
        "turn": state.turn,
        "phase": state.phase.value,
        "player": state.players[state.player],
        "stars": [stack_text(stack) for stack in state.stars],
        "tower": stack_text(state.tower),
        "points": _tally(state),
    }


def _tally(state: State) -> Record:
    return dict(zip(state.players, points(state), strict=True))
