"""Tears, elimination and the end of the moon game (rulings F4, E1 to E5, C4)."""

from __future__ import annotations

from dataclasses import replace

from armoon.games.moon.rules.moves import Share
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Ending, Out, Outcome, Phase


def _with(values: tuple[int, ...], seat: int, change: int) -> tuple[int, ...]:
    return tuple(value + change if s == seat else value for s, value in enumerate(values))


def put_out(state: State, seat: int, why: Out) -> State:
    """Return the state with that player out of the game."""
    return replace(state, out=tuple(why if s == seat else old for s, old in enumerate(state.out)))


def move_tear(state: State, seat: int, tears: int) -> State:
    """Return the state after that player takes a tear (1) or gives one back (-1)."""
    return replace(state, tears_left=state.tears_left - tears, tears=_with(state.tears, seat, tears))


def is_spared(state: State, seat: int) -> bool:
    """Whether that player's next mistake costs no tear (X5); the final is the same for all."""
    return not state.final and state.spared[seat] < state.options.handicap_of(seat).spared


def charge(state: State, seat: int) -> State:
    """Take a tear for a mistake (F4) unless spared (X5); in the final the place (E4), in practice nothing."""
    if state.options.practice:
        return state
    if is_spared(state, seat):
        return replace(state, spared=_with(state.spared, seat, 1))
    return put_out(state, seat, Out.FINAL_MISTAKE) if state.final else move_tear(state, seat, 1)


def conclude(state: State, charged: int | None = None) -> State:
    """End the game or begin the final where the last move makes it so; ``charged`` is the seat that has just paid."""
    if state.over:
        return state
    if state.final:
        return _conclude_final(state)
    trial = state.options.trial
    if trial is not None and trial.reached(state.top_m):
        return _end(state, Ending.GOAL)
    if state.cooperative or trial is not None:
        return _end_if_used_up(state)
    if charged is not None and _reaches_limit(state, charged):
        return _end(put_out(state, charged, Out.TEAR_LIMIT), Ending.TEAR_LIMIT)
    if state.tears_left == 0 and charged is not None and state.edition.last_tear_eliminates:
        state = put_out(state, charged, Out.LAST_TEAR)
    if state.tears_left == 0 and state.supply and len(state.leaders) > 1:
        return _begin_final(state)
    return _end_if_used_up(state)


def _reaches_limit(state: State, seat: int) -> bool:
    return len(state.players) == 2 and state.tears[seat] >= state.options.limit_of(state.edition)


def _end_if_used_up(state: State) -> State:
    """E1 and C4: the last ladder, the last tear, or both at once."""
    if state.tears_left == 0:
        return _end(state, Ending.LAST_TEAR if _ladders_left(state) else Ending.LAST_LADDER_AND_TEAR)
    return state if _ladders_left(state) else _end(state, Ending.LAST_LADDER)


def _ladders_left(state: State) -> bool:
    return bool(state.supply) or state.ladder is not None


def _begin_final(state: State) -> State:
    """E4: the tied players go on, the first of them after the player who played last begins."""
    tied = state.leaders
    out = tuple(why or (None if seat in tied else Out.NOT_TIED) for seat, why in enumerate(state.out))
    # Where it can't be declined nothing hangs on when it began.
    begun = state.turn if state.edition.final_optional else 0
    return _skip_out(replace(state, final=True, final_turn=begun, out=out))


def share(state: State, move: Share) -> State:
    """E4: no final, as the French second edition leaves it to them; the tied players have won together."""
    return _end(state, Ending.SHARED)


def _skip_out(state: State) -> State:
    """Return the turn passes to the first player still in, from the one next to roll."""
    return state if state.out[state.player] is None else replace(state, player=state.after(state.player))


def _conclude_final(state: State) -> State:
    if len(state.in_game) == 1:
        return _end(state, Ending.LAST_STANDING)
    if not _ladders_left(state):
        return _end(state, Ending.FINAL_LADDERS_OUT)
    return _skip_out(state)


def _end(state: State, ending: Ending) -> State:
    return replace(state, ending=ending, phase=Phase.OVER, incident=False)


def reopen(state: State) -> State:
    """After a host has given a tear back (X4), undo what hung on tears: places lost, a game ended."""
    out = tuple(
        None
        if (why is Out.LAST_TEAR and state.tears_left > 0)
        or (why is Out.TEAR_LIMIT and not _reaches_limit(state, seat))
        else why
        for seat, why in enumerate(state.out)
    )
    state = replace(state, out=out)
    if state.over and Out.TEAR_LIMIT not in out:
        # Nothing is in the hand when a game is over: next is a roll, or the end for another reason.
        state = conclude(replace(state, ending=None, phase=Phase.ROLL))
    return state


def placings(state: State, outcome: Outcome) -> tuple[int, ...]:
    """By seat, everybody's place; who is level shares one. A team has none: all 0.

    Winners first; then who went furthest in the final, the others by their tears, last those who were put out (ours).
    """
    if outcome.score is not None:
        return (0,) * len(state.players)

    def standing(seat: int) -> tuple[int, int]:
        why, tears = state.out[seat], state.tears[seat]
        if seat in outcome.winners:
            return (0, 0)
        if why is Out.FINAL_MISTAKE:
            return (1, 0)
        return (3 if why in (Out.TEAR_LIMIT, Out.LAST_TEAR) else 2, tears)

    stand = [standing(seat) for seat in range(len(state.players))]
    return tuple(1 + sum(other < mine for other in stand) for mine in stand)


def outcome(state: State) -> Outcome | None:
    """Who won and why; None while the game goes on."""
    if state.ending is None:
        return None
    trial = state.options.trial
    if trial is not None:
        won = (0,) if trial.medal_of(state.trial_score) else ()
        return Outcome(state.ending, "P1", won, state.tears, state.out)
    if state.cooperative:
        result = max(state.scorings, default=0)
        return Outcome(state.ending, "C4", (), state.tears, state.out, result)
    if state.final:
        return Outcome(state.ending, "E4", state.in_game, state.tears, state.out)
    if state.ending is Ending.TEAR_LIMIT:
        return Outcome(state.ending, "E3", state.in_game, state.tears, state.out)
    winners = state.leaders
    return Outcome(state.ending, "E2" if len(winners) == 1 else "E5", winners, state.tears, state.out)
