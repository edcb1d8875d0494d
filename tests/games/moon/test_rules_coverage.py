"""Recorded playthroughs: the verdict and state of every event are compared, and the log replays to the same end.

A ruling that a verdict or an outcome can cite must be cited in some playthrough. The others concern the setup or the
time of judging; each is listed below with its test. Only this module and its counterpart for the lake import tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest
from games.moon import (
    test_referee_table,
    test_referee_turn,
    test_refusals,
    test_rules_exhaustive,
    test_rules_parts,
)
from support.moon_play import MoonCitations, Playthrough, files, play_through, read_playthrough
from support.saves_kit import make_moon_setup

from armoon.games.moon.editions import MoonRefusal, Reason
from armoon.games.moon.rules import replay_moves
from armoon.games.moon.saving import MOVES, MoonSetup

#: Every ruling of the moon game and its subject in a few words.
RULINGS: dict[str, str] = {
    "M1": "30 ladders, 7 tears, one die, one base",
    "M2": "two starting ladders stand in slots",
    "M3": "editions",
    "M4": "young climbers: a third starting ladder",
    "T1": "phases of a turn",
    "T2": "only the state after release and rest counts for the die",
    "T3": "once released, a ladder can't be taken again; in the air it is parked",
    "T4": "the die, judged at rest",
    "T5": "play goes clockwise",
    "F1": "die not honoured",
    "F2": "a ladder touches the table or the base, or falls",
    "F3": "one hand",
    "F4": "one incident costs one tear",
    "F5": "until the next roll, a fall is the mistake of the player who just played",
    "F6": "after the roll, a fall is the mistake of the current player",
    "E1": "the last ladder or the last tear ends the game",
    "E2": "fewest tears wins",
    "E3": "two players: the edition's number of tears eliminates",
    "E4": "tie with ladders left: the final",
    "E5": "tie without ladders: shared victory",
    "C1": "co-operative game: five tears for the team",
    "C2": "spending a tear to score",
    "C3": "the best single scoring counts",
    "C4": "the last ladder or the last tear ends it",
    "C5": "solo is the co-operative game of one",
    "C6": "the achievement chart",
    "C7": "worked example of a co-operative game",
    "P1": "a trial: one player alone, a dealt supply and die, a score; nothing is taken back",
    "X1": "time limit",
    "X2": "nothing is judged while a lost hand's ladder is frozen",
    "X3": "every verdict gives its evidence",
    "X4": "a host may overrule",
    "X5": "handicaps: declared mistakes cost no tear",
}

GAMES = {game.name: game for game in map(read_playthrough, files())}

#: Tests of the rulings that no verdict names.
TESTS: dict[str, Callable[..., None]] = {
    "M1": test_rules_parts.test_the_box_contains_the_printed_pieces,
    "M2": test_referee_turn.test_start_fixes_the_starting_ladders_in_their_slots,
    "M3": test_rules_parts.test_editions_differ_as_printed,
    "M4": test_rules_parts.test_each_edition_has_its_number_of_ladders,
    "T1": test_referee_turn.test_a_turn_runs_through_its_phases,
    "T2": test_referee_turn.test_only_the_state_at_rest_counts,
    "T3": test_referee_turn.test_grips_are_locked_once_the_ladder_is_released,
    "T5": test_referee_turn.test_the_log_of_a_game_replays_to_its_state,
    "E1": test_rules_exhaustive.test_small_games_reach_every_ending_of_the_rules,
    "C1": test_rules_parts.test_editions_differ_as_printed,
    "C6": test_rules_parts.test_the_achievement_chart_rises_and_has_the_known_rank,
    "X2": test_referee_table.test_nothing_is_judged_while_frozen,
    "X3": test_referee_turn.test_the_die_is_judged_at_rest_with_its_evidence,
}
#: Rulings about a whole game, and the playthrough with the result that they state.
PLAYTHROUGHS = {"C3": "c7_worked_example", "C5": "solo", "C7": "c7_worked_example"}


@cache
def play_all() -> MoonCitations:
    citations = MoonCitations()
    for game in GAMES.values():
        play_through(game, citations)
    return citations


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_is_named_by_a_verdict_or_has_a_test(ruling: str) -> None:
    places = (play_all().rulings, TESTS, PLAYTHROUGHS)
    assert sum(ruling in place for place in places) == 1, "a ruling that verdicts name needs no entry"


@pytest.mark.parametrize("ruling", PLAYTHROUGHS)
def test_a_ruling_about_a_whole_game_is_played_to_a_score(ruling: str) -> None:
    game = GAMES[PLAYTHROUGHS[ruling]]
    assert ruling in game.rulings
    assert any(line.startswith("score ") for step in game.steps for line in step.expected)


def test_every_reason_is_given_in_a_playthrough_by_known_rulings() -> None:
    assert play_all().rulings <= set(RULINGS)
    assert set(Reason) == play_all().reasons


def test_refusals_that_no_request_causes_occur_in_playthroughs() -> None:
    """Except WRONG_LADDER, which ``test_rules_parts`` causes."""
    assert set(test_refusals.UNREACHABLE) <= play_all().refusals | {MoonRefusal.WRONG_LADDER}


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_playthrough_ends_as_written_and_cites_known_rulings(game: Playthrough) -> None:
    state, log = play_through(game)
    assert replay_moves(game.first, log) == state
    written = json.dumps([make_moon_setup(game.first).to_record(), *map(MOVES.encode, log)])
    setup, *moves = json.loads(written)
    assert replay_moves(MoonSetup.from_record(setup).first_state, map(MOVES.convert, moves)) == state
    assert game.rulings
    assert set(game.rulings) <= set(RULINGS)
    assert any(step.expected for step in game.steps)
