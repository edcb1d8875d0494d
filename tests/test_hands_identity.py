"""Hands keep their identity by continuity in space."""

from __future__ import annotations

import itertools

from hands_help import stick_hand

from armoon.hands.identity import Whereabouts, match_hands, whereabouts, without_doubles


def at(x: float, y: float = 200.0, palm: float = 100.0) -> Whereabouts:
    return Whereabouts((x, y), palm)


def test_each_hand_goes_to_the_nearest_in_whatever_order_they_are_told() -> None:
    known = [at(100), at(300)]
    for order in itertools.permutations([at(310), at(105)]):
        matched = match_hands(known, [0.033, 0.033], order)
        assert order[matched[0]] == at(105)
        assert order[matched[1]] == at(310)


def test_the_nearest_pair_comes_first() -> None:
    assert match_hands([at(100), at(190)], [0.033, 0.033], [at(180)]) == {1: 0}


def test_nobody_jumps_out_of_reach_but_reach_grows_while_unseen() -> None:
    assert match_hands([at(100)], [0.033], [at(300)]) == {}
    assert match_hands([at(100)], [0.15], [at(300)]) == {0: 0}
    assert match_hands([at(100)], [10.0], [at(450)]) == {}


def test_reach_is_counted_in_palms() -> None:
    assert match_hands([at(100, palm=20)], [0.033], [at(150, palm=20)]) == {}
    assert match_hands([at(100, palm=80)], [0.033], [at(150, palm=80)]) == {0: 0}


def test_one_hand_seen_twice_counts_once() -> None:
    hand = stick_hand()
    again = stick_hand((0.005, 0.06, 0.5))
    other = stick_hand((0.15, 0.06, 0.5))
    assert without_doubles([hand, again, other]) == (hand, other)


def test_a_hand_beside_another_is_not_its_double() -> None:
    hand, beside = stick_hand(), stick_hand((0.1, 0.06, 0.5))
    assert without_doubles([hand, beside]) == (hand, beside)


def test_whereabouts_survive_a_palm_seen_from_its_edge() -> None:
    facing = whereabouts(stick_hand())
    assert abs(facing.centre_px[0] - 320) < 40
    assert 80 < facing.palm_px < 110
