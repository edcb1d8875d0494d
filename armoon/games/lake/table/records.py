"""How a lake match's happenings look as lines of a log."""

from __future__ import annotations

from armoon.codec import encode
from armoon.engine.intake import Record
from armoon.games.lake.codec import move_to_plain
from armoon.games.lake.rules.moves import Move
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import stack_text
from armoon.games.lake.table.happenings import Happening


def happening_record(tick: int, happening: Happening) -> Record:
    """Something that happened at the table, by its name."""
    return {"kind": "event", "tick": tick, "event": type(happening).__name__, **encode(happening)}


def move_record(tick: int, move: Move) -> Record:
    """A move of the game: all of them, applied in their order, give the game again without its hands."""
    return {"kind": "move", "tick": tick, **move_to_plain(move)}


def position_record(tick: int, state: State) -> Record:
    """How the game stands after a move."""
    return {
        "kind": "position",
        "tick": tick,
        "turn": state.turn,
        "phase": state.phase.value,
        "player": state.players[state.player],
        "stars": [stack_text(stack) for stack in state.stars],
        "tower": stack_text(state.tower),
        "points": dict(zip(state.players, points(state), strict=True)),
    }


def end_record(tick: int, state: State) -> Record:
    """The last line: how the game stood when it was closed."""
    return {
        "kind": "end",
        "tick": tick,
        "over": state.over,
        "ending": None if state.ending is None else state.ending.value,
        "tally": dict(zip(state.players, points(state), strict=True)),
    }
