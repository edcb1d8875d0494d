"""Drawing another ladder from the lid, if players may draw any ladder there."""

from __future__ import annotations

from armoon.games.moon.rules.editions import DrawFrom
from armoon.games.moon.rules.moves import Draw
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import IllegalMove, Phase, Refusal
from armoon.values.pieces import PieceId


def another(state: State, by: int) -> PieceId:
    """Of the ladders that lie in the lid the one ``by`` places further; raises IllegalMove with why there is none."""
    refusal = _refusal(state)
    if refusal is not None:
        raise IllegalMove(Draw(state.ladder or ""), refusal)
    return state.supply[(by - 1 if by > 0 else by) % len(state.supply)]


def _refusal(state: State) -> Refusal | None:
    if state.options.draw_from is not DrawFrom.ALL:
        return Refusal.OPTION_OFF
    if state.over:
        return Refusal.GAME_OVER
    if state.phase is Phase.HOLD:
        return Refusal.WRONG_PHASE
    if state.ladder is None or state.phase is not Phase.DRAW:
        return Refusal.NOT_DRAWN
    return None if state.supply else Refusal.NO_OTHER_LADDER
