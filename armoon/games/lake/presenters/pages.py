"""The lake's news for the screens: the result."""

from __future__ import annotations

from armoon.engine.events import Output
from armoon.games.contract.kind import Game
from armoon.games.lake.rules.game import outcome
from armoon.games.lake.rules.lines import outcome_lines, score_lines
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.texts import spoken
from armoon.games.news import GameOver, News, ScoreLine
from armoon.messages import text


def news(game: Game[LakeMatch], output: Output, *, over: bool) -> list[News]:
    """Return with ``over`` who won, and everybody's place and points."""
    return [_result(game.match)] if over else []


def _result(match: LakeMatch) -> GameOver:
    state = match.state
    result = outcome(state)
    winners = () if result is None else result.winners
    said = [] if result is None else [spoken(line) for line in outcome_lines(state, result)]
    counts, shades = points(state), match.table.colours
    told = [spoken(line) for line in score_lines(state)]
    return GameOver(
        said[1] if said else text("screens.result.broken_off"),
        tuple(
            ScoreLine(
                name,
                0,
                colour=shades[seat] if seat < len(shades) else None,
                winner=seat in winners,
                place=1 + sum(other > counts[seat] for other in counts),
                note=told[seat].partition(": ")[2] or told[seat],
            )
            for seat, name in enumerate(state.players)
        ),
        " · ".join(said[:1]),
    )
