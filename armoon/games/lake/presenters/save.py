"""A saved lake game, all of it moves: written, read again, printed in the terminal, and as rows for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from armoon.engine.events import MatchClosed, MatchEvent, Output
from armoon.engine.logbook import records_of
from armoon.engine.setup import Record
from armoon.games.contract.kind import Summary, TerminalTable
from armoon.games.lake.options import LakeOptions
from armoon.games.lake.rules.game import apply, outcome, points
from armoon.games.lake.rules.lines import move_lines, outcome_lines, score_lines
from armoon.games.lake.rules.values import MOVE_KINDS, IllegalLakeMove, LakeState, Strength, stack_text
from armoon.games.lake.table.setup import GAME, MOVES, Laid, LakeSetup, setup_from_plain, spoken
from armoon.options.option import WrongValue, read_record
from armoon.saves.game_file import SavedGame, unreadable_as_save_error
from armoon.saves.profiles import Result

if TYPE_CHECKING:
    from armoon.games.lake.table.match import LakeMatch


def moves(output: Output) -> list[Record]:
    return list(map(MOVES.encode, output.events_of(*MOVE_KINDS)))


def result(match: LakeMatch, game: str, date: str) -> Result | None:
    state = match.state
    end = outcome(state)
    if end is None:
        return None
    return Result(
        game=game,
        date=date,
        edition="",
        variant="",
        players=state.players,
        winners=tuple(state.players[seat] for seat in end.winners),
        score=None,
        kind=GAME,
        points=dict(zip(state.players, points(state), strict=True)),
    )


#: Number of last moves in the summary.
LAST_MOVES = 6


def setup_of(saved: SavedGame) -> LakeSetup:
    """Return the match's beginning and its moves so far. Raises SaveError where this program can't use them."""
    with unreadable_as_save_error(saved, ValueError, IllegalLakeMove):
        setup = LakeSetup(setup_from_plain(saved.header), tuple(map(MOVES.convert, saved.moves)))
        setup.start()
        return setup


def bots_of(saved: SavedGame) -> tuple[Strength | None, ...]:
    with unreadable_as_save_error(saved, WrongValue):
        return LakeOptions.of(read_record(LakeOptions.options(), saved.header)).bots


def summary(saved: SavedGame) -> Summary:
    state = setup_of(saved).start()
    return Summary(state.players, max(1, state.turn - state.over), state.over, LakeOptions(bots_of(saved)))


def story(saved: SavedGame) -> tuple[str | TerminalTable, ...]:
    setup = setup_of(saved)
    state = setup.first
    sentences: list[str] = []
    for move in setup.moves:
        sentences += [spoken(line) for line in move_lines(state, move)]
        state = apply(state, move)
    score = tuple((name, str(count)) for name, count in zip(state.players, points(state), strict=True))
    parts: list[str | TerminalTable] = [TerminalTable(("player", "points"), score)]
    result = outcome(state)
    if result is not None:
        parts += [spoken(line) for line in (*score_lines(state), *outcome_lines(state, result))]
    return (*parts, *sentences[-LAST_MOVES:])


def score_rows(saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    setup = setup_of(saved)
    state = setup.first
    rows: list[tuple[object, ...]] = []
    for number, move in enumerate(setup.moves, start=1):
        player, turn = state.players[state.player], state.turn
        said = " · ".join(spoken(line) for line in move_lines(state, move))
        state = apply(state, move)
        rows.append((number, turn, player, said, *points(state)))
    return ("move", "turn", "player", "what", *(f"points {name}" for name in state.players)), rows


def lake_records(happened: MatchEvent[Any]) -> Iterator[Record]:
    tick, event, state = happened.tick, happened.event, happened.state
    if isinstance(event, MOVE_KINDS):
        yield {"kind": "move", "tick": tick, **MOVES.encode(event)}
    if isinstance(event, (*MOVE_KINDS, Laid, MatchClosed)):
        yield _position(tick, state)
    else:
        yield from records_of(happened)
    if isinstance(event, MatchClosed):
        ending = None if state.ending is None else state.ending.value
        yield {"kind": "end", "tick": tick, "over": state.over, "ending": ending, "tally": _tally(state)}


def _position(tick: int, state: LakeState) -> Record:
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


def _tally(state: LakeState) -> Record:
    return dict(zip(state.players, points(state), strict=True))
