"""The lake's news for the screens: the result."""

from __future__ import annotations

from armoon.engine.events import MatchBegan, NoticeShown, Output
from armoon.engine.picture import first_player_text
from armoon.games.contract.kind import Game
from armoon.games.lake.rules.game import outcome, points
from armoon.games.lake.rules.lines import move_lines, outcome_lines, score_lines
from armoon.games.lake.rules.values import MOVE_KINDS
from armoon.games.lake.table.layout import SWATCHES
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import spoken
from armoon.games.news import News, ResultNews, ScoreLine
from armoon.messages import text


def news(game: Game[LakeMatch], output: Output, *, over: bool) -> list[News]:
    return [_result(game.match)] if over else []


def _result(match: LakeMatch) -> ResultNews:
    state = match.state
    result = outcome(state)
    winners = () if result is None else result.winners
    said = [] if result is None else [spoken(line) for line in outcome_lines(state, result)]
    counts = points(state)
    scores = [spoken(line) for line in score_lines(state)]
    return ResultNews(
        said[1] if said else text("screens.result.broken_off"),
        tuple(
            ScoreLine(
                name,
                0,
                colours=tuple(SWATCHES[colour.value] for colour in state.colours[seat]),
                winner=seat in winners,
                place=1 + sum(other > counts[seat] for other in counts),
                note=scores[seat].partition(": ")[2] or scores[seat],
            )
            for seat, name in enumerate(state.players)
        ),
        " · ".join(said[:1]),
    )


def sentences(game: Game[LakeMatch], output: Output) -> list[str]:
    setup, why = game.match.setup, game.match.table.first_why
    said = [text(noticed.key) for noticed in output.events_of(NoticeShown)]
    if output.events_of(MatchBegan) and why and not setup.moves:
        said.append(first_player_text(setup.first.players[setup.first.player], why))
    for played in output.match_events(*MOVE_KINDS):
        lines = move_lines(played.before, played.event)
        result = outcome(played.state)
        if result is not None:
            lines += (*score_lines(played.state), *outcome_lines(played.state, result))
        said += map(spoken, lines)
    return said
