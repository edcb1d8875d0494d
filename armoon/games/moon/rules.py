"""The rules of the moon game as pure functions: the first state, the legal kinds of moves, and the effect of a move.

The rules are independent of the physics: moves carry the evidence, such as contacts and heights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from armoon.games.moon import editions
from armoon.games.moon import turn as moves
from armoon.games.moon.editions import MoonRefusal, Phase, refuse_if, score_extents
from armoon.games.moon.turn import Overrule, Score, State
from armoon.games.shared import shuffled
from armoon.values import replace
from armoon.values.acts import Act
from armoon.values.text import short_repr

#: Phases of a turn between its roll and its verdict.
TURN_PHASES = (Phase.DRAW, Phase.HOLD, Phase.SETTLE)


def apply_score(state: State, move: Score) -> State:
    is_complete = sorted(extent.piece for extent in move.extents) == sorted(state.structure)
    refuse_if(not is_complete, MoonRefusal.BAD_EVIDENCE, move)
    points = score_extents(move.extents, move.line_m)
    verdict = moves.build_verdict(
        state, editions.Reason.SCORED, ("C2",), ok=True, height_m=move.line_m, tears=1, points=points
    )
    total = sum(value for _, value in points)
    after = replace(state, tears_left=state.tears_left - 1, scorings=(*state.scorings, total))
    return replace(moves.conclude_move(after), verdict=verdict)


def apply_overruling(state: State, move: Overrule) -> State:
    if move.kind is Act.UNDO:
        return _undo_turns(state, move)
    refuse_if(state.options.practice, MoonRefusal.IN_PRACTICE, move)
    refuse_if(state.is_final, MoonRefusal.IN_THE_FINAL, move)
    refuse_if(not 0 <= move.player < len(state.players), MoonRefusal.NO_SUCH_PLAYER, move)
    if move.kind is Act.GIVE_TEAR_BACK:
        refuse_if(state.tears[move.player] == 0, MoonRefusal.NO_TEAR_TO_GIVE, move)
        if state.before is not None and state.phase in TURN_PHASES:
            # If the turn is undone later, it restarts with this tear already given back.
            state = replace(state, before=replace(apply_overruling(state.before, move), verdict=None))
        state = moves.reopen_game(moves.add_tears(state, move.player, -1))
        reason, tears = editions.Reason.TEAR_GIVEN_BACK, -1
    else:
        refuse_if(state.over, MoonRefusal.GAME_OVER, move)
        refuse_if(state.phase is not Phase.ROLL, MoonRefusal.WRONG_PHASE, move)
        state = moves.conclude_move(moves.add_tears(state, move.player, 1), move.player)
        reason, tears = editions.Reason.TEAR_ADDED, 1
    verdict = editions.Verdict(
        state.turn, state.player, True, reason, ("X4",), charged=move.player, tears=tears, note=move.note
    )
    return replace(state, overrulings=state.overrulings + 1, verdict=verdict)


def _undo_turns(state: State, move: Overrule) -> State:
    target = state.find_earlier_state(move.turns)
    if target is None or move.turns < 1:
        raise editions.IllegalMove(move, MoonRefusal.NO_TURN_TO_PUT_BACK)
    # The rebuilt structure may move; until it is at rest, a fall has no penalty.
    return replace(
        target,
        incident=True,
        overrulings=state.overrulings + 1,
        verdict=moves.build_verdict(target, editions.Reason.TURN_PUT_BACK, ("X4",), ok=True, note=move.note),
    )


Effect = Callable[[State, Any], State]


def _make_update(**fields: object) -> Effect:
    return lambda state, move: replace(state, **fields)  # type: ignore[arg-type]


#: For each kind of move, the phases in which it is possible, and its effect. ``Overrule`` is possible in all phases.
_MOVE_RULES: dict[type[moves.Move], tuple[tuple[Phase, ...], Effect]] = {
    moves.Roll: ((Phase.ROLL,), moves.apply_roll),
    moves.Draw: ((Phase.DRAW,), moves.apply_draw),
    moves.Take: ((Phase.DRAW,), _make_update(phase=Phase.HOLD)),
    moves.PutBack: ((Phase.HOLD,), _make_update(phase=Phase.DRAW)),
    moves.LetGo: ((Phase.HOLD,), _make_update(phase=Phase.SETTLE)),  # can't be taken again (T3)
    moves.Settle: ((Phase.SETTLE,), moves.apply_settle),
    moves.Fall: ((Phase.ROLL, *TURN_PHASES), moves.apply_fall),
    moves.Rest: ((Phase.ROLL,), _make_update(incident=False)),  # the next fall is a new incident
    moves.Rebuild: ((Phase.ROLL,), _make_update(incident=True)),  # no penalty for a fall until rest
    moves.TwoHands: ((Phase.HOLD,), moves.apply_two_hands),
    moves.Timeout: ((Phase.DRAW, Phase.HOLD), moves.apply_timeout),
    moves.GiveUp: ((Phase.DRAW, Phase.HOLD), moves.apply_give_up),
    moves.Score: ((Phase.ROLL,), apply_score),
    moves.Share: ((Phase.ROLL,), moves.apply_share),
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
    edition_rules, trial = editions.EDITIONS[edition], options.trial
    fixed = tuple(editions.list_starting_ladders(options) if starting is None else starting)
    drawable = tuple(editions.list_supply_ladders(edition_rules, options) if supply is None else supply)
    if trial is not None:
        drawable = trial.deal
    _check_setup(tuple(players), edition_rules, options, first_player)
    if len(fixed) != (3 if options.young_climbers else 2):
        raise editions.IllegalSetup(f"There are 2 starting ladders, 3 for young climbers, not {len(fixed)}.")
    if not drawable or len(set(fixed + drawable)) != len(fixed + drawable):
        raise editions.IllegalSetup("The supply is empty, or a ladder is named twice.")
    return State(
        edition_name=edition,
        options=options,
        players=tuple(players),
        seed=seed,
        starting=fixed,
        supply=drawable if trial is not None else shuffled(seed, drawable)[: options.supply_size],
        placed=() if trial is None else tuple(piece for piece, _ in trial.standing),
        tears_left=options.get_tears(edition_rules),
        tears=(0,) * len(players),
        out=(None,) * len(players),
        spared=(0,) * len(players),
        player=first_player,
    )


def _check_setup(
    players: tuple[str, ...], edition: editions.Edition, options: editions.Options, first_player: int
) -> None:
    trial, is_alone = options.trial, len(players) == 1
    is_team = options.mode is editions.Mode.COOPERATIVE
    min_players = 1 if options.practice or trial is not None else edition.min_players
    trial_options = replace(
        editions.make_trial_options(trial), one_hand=options.one_hand, auto_roll_s=options.auto_roll_s
    )
    size = 1 if options.supply_size is None else options.supply_size
    limit_s, grace_s = options.turn_limit_s, options.timeout_grace_s
    problems: dict[editions.SetupFault | str, bool] = {
        editions.SetupFault.PLAYERS: not min_players <= len(players) <= edition.max_players,
        editions.SetupFault.NAMES: len(set(players)) != len(players) or not all(players),
        f"There is no player in seat {first_player}.": not 0 <= first_player < len(players),
        editions.SetupFault.TOGETHER: is_team and edition.cooperative_tears is None,
        editions.SetupFault.TRIAL: trial is not None and not is_alone,
        editions.SetupFault.TRIAL_HOUSE: trial is not None and options != trial_options,
        editions.SetupFault.ALONE: is_alone and not (is_team or options.practice or trial is not None),
        "Tears, two-player limit and supply must be at least 1.": (
            min(options.get_tears(edition), options.get_tear_limit(edition), size) < 1
        ),
        "There must be one handicap per player, or none.": len(options.handicaps) not in (0, len(players)),
        "A turn's time limit must exceed 0 seconds, and its grace time can't be negative.": (
            limit_s is not None and (limit_s <= 0.0 or grace_s < 0.0)
        ),
    }
    for problem, is_found in problems.items():
        if is_found:
            raise editions.IllegalSetup(problem)


def _find_refusal(state: State, kind: type[moves.Move]) -> MoonRefusal | None:
    if kind is moves.Overrule:
        return None if state.options.trial is None else MoonRefusal.IN_A_TRIAL
    can_draw = state.ladder is None or state.options.draw_from is editions.DrawFrom.ALL
    checks = (
        (state.over, MoonRefusal.GAME_OVER),
        (state.phase not in _MOVE_RULES[kind][0], MoonRefusal.WRONG_PHASE),
        (kind is moves.Share and not state.can_share, MoonRefusal.WRONG_PHASE),
        (kind in (moves.Roll, moves.Score, moves.Share) and state.incident, MoonRefusal.STRUCTURE_MOVING),
        (kind is moves.Rest and not state.incident, MoonRefusal.NOTHING_TO_CLOSE),
        (kind is moves.Draw and not can_draw, MoonRefusal.ALREADY_DRAWN),
        (kind in (moves.Take, moves.GiveUp) and state.ladder is None, MoonRefusal.NOT_DRAWN),
        (kind is moves.Score and not state.is_team_game, MoonRefusal.NOT_COOPERATIVE),
    )
    return next((refusal for is_refused, refusal in checks if is_refused), None)


def list_legal_kinds(state: State) -> tuple[type[moves.Move], ...]:
    """Return the kinds of move that are possible now; a single move may still be refused for its evidence."""
    return tuple(kind for kind in moves.MOVE_KINDS if _find_refusal(state, kind) is None)


def apply_move(state: State, move: moves.Move) -> State:
    refusal = _find_refusal(state, type(move))
    if refusal is not None:
        raise editions.IllegalMove(move, refusal)
    state = replace(state, verdict=None)
    effect: Effect = apply_overruling if isinstance(move, moves.Overrule) else _MOVE_RULES[type(move)][1]
    return effect(state, move)


def replay_moves(state: State, sequence: Iterable[moves.Move]) -> State:
    for move in sequence:
        state = apply_move(state, move)
    return state


def find_resume_state(state: State) -> State:
    """Return the state from which an interrupted game resumes: a turn restarts before its roll (X4)."""
    is_in_turn = state.phase in TURN_PHASES
    return state.before if is_in_turn and state.before is not None else state
