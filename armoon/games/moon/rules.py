"""The rules of the moon game as pure functions: the first state, the legal kinds of moves, and applying a move.

The rules don't know the physics: moves carry the evidence, such as contacts and heights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from armoon.games.moon import editions
from armoon.games.moon import turn as moves
from armoon.games.moon.editions import score_extents
from armoon.games.moon.turn import Overrule, Score, State
from armoon.games.shared import shuffled
from armoon.values import replace
from armoon.values.acts import Act
from armoon.values.text import short_repr

#: Phases of a turn between its roll and its verdict.
TURN_PHASES = (editions.Phase.DRAW, editions.Phase.HOLD, editions.Phase.SETTLE)


def apply_score(state: State, move: Score) -> State:
    if sorted(extent.piece for extent in move.extents) != sorted(state.structure):
        raise editions.IllegalMove(move, editions.MoonRefusal.BAD_EVIDENCE)
    points = score_extents(move.extents, move.line_m)
    verdict = moves.build_verdict(
        state, editions.Reason.SCORED, ("C2",), ok=True, height_m=move.line_m, tears=1, points=points
    )
    total = sum(worth for _, worth in points)
    spent = replace(state, tears_left=state.tears_left - 1, scorings=(*state.scorings, total))
    return replace(moves.conclude_move(spent), verdict=verdict)


def apply_overruling(state: State, move: Overrule) -> State:
    if move.kind is Act.UNDO:
        return _undo_turns(state, move)
    if state.options.practice or state.final:
        raise editions.IllegalMove(
            move,
            editions.MoonRefusal.IN_PRACTICE if state.options.practice else editions.MoonRefusal.IN_THE_FINAL,
        )
    if not 0 <= move.player < len(state.players):
        raise editions.IllegalMove(move, editions.MoonRefusal.NO_SUCH_PLAYER)
    if move.kind is Act.GIVE_TEAR_BACK:
        if state.tears[move.player] == 0:
            raise editions.IllegalMove(move, editions.MoonRefusal.NO_TEAR_TO_GIVE)
        if state.before is not None and state.phase in TURN_PHASES:
            # If the turn is undone later, it restarts with this tear already given back.
            state = replace(state, before=replace(apply_overruling(state.before, move), verdict=None))
        state = moves.reopen_game(moves.add_tears(state, move.player, -1))
        reason, tears = editions.Reason.TEAR_GIVEN_BACK, -1
    else:
        if state.phase is not editions.Phase.ROLL:
            raise editions.IllegalMove(
                move, editions.MoonRefusal.GAME_OVER if state.over else editions.MoonRefusal.WRONG_PHASE
            )
        state = moves.conclude_move(moves.add_tears(state, move.player, 1), move.player)
        reason, tears = editions.Reason.TEAR_ADDED, 1
    case = (state.turn, state.player, True, reason, ("X4",))
    verdict = editions.Verdict(*case, charged=move.player, tears=tears, note=move.note)
    return replace(state, overrulings=state.overrulings + 1, verdict=verdict)


def _undo_turns(state: State, move: Overrule) -> State:
    target = state.go_back(move.turns)
    if target is None or move.turns < 1:
        raise editions.IllegalMove(move, editions.MoonRefusal.NO_TURN_TO_PUT_BACK)
    # The rebuilt structure may move; until it is at rest, a fall has no penalty.
    return replace(
        target,
        incident=True,
        overrulings=state.overrulings + 1,
        verdict=moves.build_verdict(target, editions.Reason.TURN_PUT_BACK, ("X4",), ok=True, note=move.note),
    )


Effect = Callable[[State, Any], State]


def _update(**fields: object) -> Effect:
    return lambda state, move: replace(state, **fields)  # type: ignore[arg-type]


#: For each kind of move, the phases in which it is possible, and its effect. ``Overrule`` is possible in all phases.
_MOVE_RULES: dict[type[moves.Move], tuple[tuple[editions.Phase, ...], Effect]] = {
    moves.Roll: ((editions.Phase.ROLL,), moves.apply_roll),
    moves.Draw: ((editions.Phase.DRAW,), moves.apply_draw),
    moves.Take: ((editions.Phase.DRAW,), _update(phase=editions.Phase.HOLD)),
    moves.PutBack: ((editions.Phase.HOLD,), _update(phase=editions.Phase.DRAW)),
    moves.LetGo: ((editions.Phase.HOLD,), _update(phase=editions.Phase.SETTLE)),  # can't be taken again (T3)
    moves.Settle: ((editions.Phase.SETTLE,), moves.apply_settle),
    moves.Fall: (
        (editions.Phase.ROLL, editions.Phase.DRAW, editions.Phase.HOLD, editions.Phase.SETTLE),
        moves.apply_fall,
    ),
    moves.Rest: ((editions.Phase.ROLL,), _update(incident=False)),  # the next fall is a new incident
    moves.Rebuild: ((editions.Phase.ROLL,), _update(incident=True)),  # no penalty for a fall until rest
    moves.TwoHands: ((editions.Phase.HOLD,), moves.apply_two_hands),
    moves.Timeout: ((editions.Phase.DRAW, editions.Phase.HOLD), moves.apply_timeout),
    moves.GiveUp: ((editions.Phase.DRAW, editions.Phase.HOLD), moves.apply_give_up),
    moves.Score: ((editions.Phase.ROLL,), apply_score),
    moves.Share: ((editions.Phase.ROLL,), moves.apply_share),
}


def create_state(
    players: Sequence[str],
    edition: str = "bombyx-2017",
    seed: int = 0,
    options: editions.Options | None = None,
    *,
    first_player: int = 0,
    starting: Sequence[str] | None = None,
    supply: Sequence[str] | None = None,
) -> State:
    """Return the state before the first roll.

    ``starting`` and ``supply`` override the edition's ladders; the seed shuffles the supply, except in a trial.
    Raises IllegalSetup if the arguments are invalid or incompatible.
    """
    options = editions.Options() if options is None else options
    if edition not in editions.EDITIONS:
        raise editions.IllegalSetup(
            f"There is no edition {short_repr(edition)}. Choose one of {', '.join(editions.EDITIONS)}."
        )
    book = editions.EDITIONS[edition]
    begin = tuple(editions.list_starting_ladders(options) if starting is None else starting)
    rest = tuple(editions.list_supply_ladders(book, options) if supply is None else supply)
    if options.trial is not None:
        rest = options.trial.deal
    _check_setup(tuple(players), edition, options, first_player)
    if len(begin) != (3 if options.young_climbers else 2):
        raise editions.IllegalSetup(f"There are 2 starting ladders, 3 for young climbers, not {len(begin)}.")
    if not rest or len(set(begin + rest)) != len(begin + rest):
        raise editions.IllegalSetup("The supply is empty, or a ladder is named twice.")
    return State(
        edition_name=edition,
        options=options,
        players=tuple(players),
        seed=seed,
        starting=begin,
        supply=rest if options.trial is not None else shuffled(seed, rest)[: options.supply_size],
        placed=() if options.trial is None else tuple(piece for piece, _ in options.trial.standing),
        tears_left=options.get_tears(book),
        tears=(0,) * len(players),
        out=(None,) * len(players),
        spared=(0,) * len(players),
        player=first_player,
    )


def _check_setup(
    players: tuple[str, ...], edition: str, options: editions.Options, first_player: int
) -> None:
    book, trial, alone = editions.EDITIONS[edition], options.trial, len(players) == 1
    together = options.mode is editions.Mode.COOPERATIVE
    least = 1 if options.practice or trial is not None else book.min_players
    of_trial = replace(
        editions.trial_options(trial), one_hand=options.one_hand, auto_roll_s=options.auto_roll_s
    )
    size = 1 if options.supply_size is None else options.supply_size
    limit_s, grace_s = options.turn_limit_s, options.timeout_grace_s
    problems: dict[editions.SetupFault | str, bool] = {
        editions.SetupFault.PLAYERS: not least <= len(players) <= book.max_players,
        editions.SetupFault.NAMES: len(set(players)) != len(players) or not all(players),
        f"There is no player in seat {first_player}.": not 0 <= first_player < len(players),
        editions.SetupFault.TOGETHER: together and book.cooperative_tears is None,
        editions.SetupFault.TRIAL: trial is not None and not alone,
        editions.SetupFault.TRIAL_HOUSE: trial is not None and options != of_trial,
        editions.SetupFault.ALONE: alone and not (together or options.practice or trial is not None),
        "Tears, two-player limit and supply must be at least 1.": (
            min(options.get_tears(book), options.get_tear_limit(book), size) < 1
        ),
        "There must be one handicap per player, or none.": len(options.handicaps) not in (0, len(players)),
        "A turn's time limit must exceed 0 seconds, and its grace time can't be negative.": (
            limit_s is not None and (limit_s <= 0.0 or grace_s < 0.0)
        ),
    }
    for problem, is_found in problems.items():
        if is_found:
            raise editions.IllegalSetup(problem)


def _find_refusal(state: State, kind: type[moves.Move]) -> editions.MoonRefusal | None:
    if kind is moves.Overrule:
        return None if state.options.trial is None else editions.MoonRefusal.IN_A_TRIAL
    if state.over:
        return editions.MoonRefusal.GAME_OVER
    if state.phase not in _MOVE_RULES[kind][0]:
        return editions.MoonRefusal.WRONG_PHASE
    if kind is moves.Share and not state.can_share:
        return editions.MoonRefusal.WRONG_PHASE
    if kind in (moves.Roll, moves.Score, moves.Share) and state.incident:
        return editions.MoonRefusal.STRUCTURE_MOVING
    if kind is moves.Rest and not state.incident:
        return editions.MoonRefusal.NOTHING_TO_CLOSE
    if (
        kind is moves.Draw
        and state.ladder is not None
        and state.options.draw_from is not editions.DrawFrom.ALL
    ):
        return editions.MoonRefusal.ALREADY_DRAWN
    if kind in (moves.Take, moves.GiveUp) and state.ladder is None:
        return editions.MoonRefusal.NOT_DRAWN
    if kind is moves.Score and not state.is_team_game:
        return editions.MoonRefusal.NOT_COOPERATIVE
    return None


def legal_kinds(state: State) -> tuple[type[moves.Move], ...]:
    """Return the kinds of move possible now; moves themselves also carry evidence from the table."""
    return tuple(kind for kind in moves.MOVE_KINDS if _find_refusal(state, kind) is None)


def apply_move(state: State, move: moves.Move) -> State:
    refusal = _find_refusal(state, type(move))
    if refusal is not None:
        raise editions.IllegalMove(move, refusal)
    state = replace(state, verdict=None)
    effect: Effect = apply_overruling if isinstance(move, moves.Overrule) else _MOVE_RULES[type(move)][1]
    return effect(state, move)


def replay_moves(state: State, played: Iterable[moves.Move]) -> State:
    for move in played:
        state = apply_move(state, move)
    return state


def find_resume_state(state: State) -> State:
    """Return the state from which an interrupted game resumes: a turn restarts before its roll (X4)."""
    under_way = state.phase in TURN_PHASES
    return state.before if under_way and state.before is not None else state
