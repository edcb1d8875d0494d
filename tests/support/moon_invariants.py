"""Invariants of every position of the moon game, and sample moves for exploring small games."""

from __future__ import annotations

from collections.abc import Iterator

from armoon.games.moon import turn as moves
from armoon.games.moon.editions import Die, Ending, Extent, FallPlace, Phase
from armoon.games.moon.rules import list_legal_kinds
from armoon.games.moon.turn import State, find_outcome, get_contact_limits
from armoon.values.choices import OneHand


def list_ladders(state: State) -> list[str]:
    drawn = [state.ladder] if state.ladder is not None else []
    return sorted([*state.starting, *state.supply, *state.placed, *state.removed, *drawn])


def check(state: State, first: State) -> None:
    assert list_ladders(state) == list_ladders(first), "a ladder is missing or duplicated"
    assert state.starting == first.starting, "a starting ladder has left"
    assert state.tears_left + sum(state.tears) + len(state.scorings) == first.tears_left, "wrong tear sum"
    assert state.tears_left >= 0
    assert min(state.tears) >= 0
    over = state.ending is not None
    assert over == (state.phase is Phase.OVER) == (find_outcome(state) is not None)
    assert (state.die is None) == (state.phase in (Phase.ROLL, Phase.OVER))
    assert state.ladder is None or state.phase in (Phase.DRAW, Phase.HOLD, Phase.SETTLE)
    assert state.ladder is not None or state.phase not in (Phase.HOLD, Phase.SETTLE)
    assert not state.incident or state.phase is Phase.ROLL
    if over:
        assert list_legal_kinds(state) == (() if state.options.trial is not None else (moves.Overrule,))
        check_outcome(state)
        return
    assert set(list_legal_kinds(state)) - {moves.Overrule}, "no move is legal although the game isn't over"
    assert state.out[state.player] is None, "it is an eliminated player's turn"
    assert state.supply or state.ladder is not None, "E1: the game goes on without ladders"
    assert (state.tears_left > 0) != state.is_final, "the final begins exactly when the tears run out"
    if state.is_final:
        assert len(state.seats_in_game) > 1
    elif len(state.players) == 2 and not state.is_team_game:
        assert max(state.tears) < state.options.get_tear_limit(state.edition)


def check_outcome(state: State) -> None:
    result = find_outcome(state)
    assert result is not None
    if state.is_team_game:
        assert result.score == max(state.scorings, default=0)
        assert not result.winners
    elif state.options.trial is None:
        assert result.winners
        assert all(state.out[seat] is None for seat in result.winners)
        if not state.is_final:
            assert len({state.tears[seat] for seat in result.winners}) == 1
    is_empty = not state.supply
    fits = {
        Ending.LAST_LADDER: is_empty and state.tears_left > 0,
        Ending.LAST_TEAR: not is_empty and state.tears_left == 0,
        Ending.LAST_LADDER_AND_TEAR: is_empty and state.tears_left == 0,
        Ending.TEAR_LIMIT: len(state.seats_in_game) == 1,
        Ending.LAST_STANDING: state.is_final and len(state.seats_in_game) == 1,
        Ending.FINAL_LADDERS_OUT: state.is_final and is_empty and len(state.seats_in_game) > 1,
        Ending.SHARED: state.is_final and state.edition.is_final_optional and len(state.seats_in_game) > 1,
    }
    assert fits[result.ending]


def list_sample_moves(state: State) -> Iterator[moves.Move]:
    """Yield one move for each distinct effect; no sequence of these moves is endless."""
    if state.phase is Phase.ROLL:
        if state.incident:
            yield moves.Rest()
        else:
            yield from (moves.Roll(die) for die in Die if state.fixed_face in (None, die))
            if state.can_share:
                yield moves.Share()
            if state.is_team_game:
                yield moves.Score(0.5, tuple(Extent(piece, 0.4, 0.6) for piece in state.structure))
    elif state.phase is Phase.DRAW:
        yield moves.Draw(state.supply[0]) if state.ladder is None else moves.Take()
    elif state.phase is Phase.HOLD:
        yield moves.LetGo()
        if state.options.one_hand is OneHand.MISTAKE and not state.two_hands:
            yield moves.TwoHands()
    elif state.phase is Phase.SETTLE:
        assert state.die is not None
        least, _ = get_contact_limits(state.die)
        yield moves.Settle(state.structure[:least], 0.3, state.structure[0], 0.2)
        yield moves.Settle((), 0.1, state.structure[0], 0.2)
    if state.phase in (Phase.HOLD, Phase.SETTLE) and state.ladder is not None:
        yield moves.Fall((moves.FallenPiece(state.ladder, FallPlace.TABLE),))
    if state.placed and not state.over:
        yield moves.Fall((moves.FallenPiece(state.placed[0], FallPlace.TABLE),))
