"""Moves between turns: scoring in the co-operative game (C2) and the host's overruling (X4).

Undoing a turn keeps earlier overrulings. It also keeps one made during that turn, which had no verdict yet: it
concerned an earlier turn. Overrulings made after the turn's verdict are undone with it, and tears
return to their numbers from before.
"""

from __future__ import annotations

from dataclasses import replace

from armoon.games.moon.rules.end import conclude, move_tear, reopen
from armoon.games.moon.rules.moves import Overrule, Score
from armoon.games.moon.rules.scoring import score
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import IllegalMove, Phase, Reason, Refusal, Verdict
from armoon.values.acts import Act

#: The phases of a turn that has begun and has no verdict yet.
UNDER_WAY = (Phase.DRAW, Phase.HOLD, Phase.SETTLE)


def score_structure(state: State, move: Score) -> State:
    """Return the team spends a tear; what stands above the line is counted, ladder by ladder (C2)."""
    if sorted(extent.piece for extent in move.extents) != sorted(state.structure):
        raise IllegalMove(move, Refusal.BAD_EVIDENCE)
    points = score(move.extents, move.line_m)
    verdict = Verdict(
        turn=state.turn,
        player=state.player,
        ok=True,
        reason=Reason.SCORED,
        rulings=("C2",),
        height_m=move.line_m,
        tears=1,
        points=points,
    )
    total = sum(worth for _, worth in points)
    spent = replace(state, tears_left=state.tears_left - 1, scorings=(*state.scorings, total))
    return replace(conclude(spent), verdict=verdict)


def overrule(state: State, move: Overrule) -> State:
    """Return the state after the host gives a tear back, adds one, or puts turns back."""
    if move.kind is Act.UNDO:
        return _put_turns_back(state, move)
    if state.options.practice or state.final:
        raise IllegalMove(move, Refusal.IN_PRACTICE if state.options.practice else Refusal.IN_THE_FINAL)
    if not 0 <= move.player < len(state.players):
        raise IllegalMove(move, Refusal.NO_SUCH_PLAYER)
    if move.kind is Act.GIVE_TEAR_BACK:
        if state.tears[move.player] == 0:
            raise IllegalMove(move, Refusal.NO_TEAR_TO_GIVE)
        if state.before is not None and state.phase in UNDER_WAY:
            # Put back, the turn begins with the tear given back already.
            state = replace(state, before=replace(overrule(state.before, move), verdict=None))
        state = reopen(move_tear(state, move.player, -1))
    else:
        if state.phase is not Phase.ROLL:
            raise IllegalMove(move, Refusal.GAME_OVER if state.over else Refusal.WRONG_PHASE)
        state = conclude(move_tear(state, move.player, 1), move.player)
    back = move.kind is Act.GIVE_TEAR_BACK
    verdict = replace(
        _overruling(state, move, Reason.TEAR_GIVEN_BACK if back else Reason.TEAR_ADDED),
        charged=move.player,
        tears=-1 if back else 1,
    )
    return replace(state, overrulings=state.overrulings + 1, verdict=verdict)


def _put_turns_back(state: State, move: Overrule) -> State:
    target: State | None = state
    for _ in range(move.turns):
        target = target.before if target is not None else None
    if target is None or move.turns < 1:
        raise IllegalMove(move, Refusal.NO_TURN_TO_PUT_BACK)
    # The rebuilt structure may stir: until it rests, a fall costs nothing.
    return replace(
        target,
        incident=True,
        overrulings=state.overrulings + 1,
        verdict=_overruling(target, move, Reason.TURN_PUT_BACK),
    )


def _overruling(state: State, move: Overrule, reason: Reason) -> Verdict:
    return Verdict(
        turn=state.turn, player=state.player, ok=True, reason=reason, rulings=("X4",), note=move.note
    )
