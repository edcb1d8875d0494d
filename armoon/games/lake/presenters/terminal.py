"""A lake game's sentences for the terminal."""

from __future__ import annotations

from armoon.engine.events import Began, Noticed, Output
from armoon.engine.picture import begins_text
from armoon.games.contract.kind import Game
from armoon.games.lake.rules.game import outcome
from armoon.games.lake.rules.lines import move_lines, outcome_lines, score_lines
from armoon.games.lake.rules.moves import MOVE_KINDS
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.texts import spoken
from armoon.messages import text


def sentences(game: Game[LakeMatch], output: Output) -> list[str]:
    """Return who begins, the moves, and the end of the game."""
    setup, why = game.match.setup, game.match.table.first_why
    said = [text(noticed.key) for noticed in output.of(Noticed)]
    if output.of(Began) and why and not setup.moves:
        said.append(begins_text(setup.first.players[setup.first.player], why))
    for played in output.happened(*MOVE_KINDS):
        lines = move_lines(played.before, played.event)
        result = outcome(played.state)
        if result is not None:
            lines += (*score_lines(played.state), *outcome_lines(played.state, result))
        said += map(spoken, lines)
    return said
