"""The turning point of a game: the turn that lost most safety, or none."""

from __future__ import annotations

import pytest

from armoon.games.moon.editions import Die, Reason, Verdict
from armoon.games.moon.review import PlayedTurn, find_turning_point, make_review, make_turn_review
from armoon.messages import text
from armoon.values.places import LadderPlace
from armoon.values.poses import IDENTITY_POSE


def make_turns(turns: list[tuple[float, float, bool]]) -> list[PlayedTurn]:
    reviews = []
    for number, (chosen, best, ok) in enumerate(turns, start=1):
        verdict = Verdict(number, 0, ok, Reason.HONOURED if ok else Reason.PLACED_FELL, ("T4",))
        place = LadderPlace(IDENTITY_POSE, IDENTITY_POSE, ("L01",), True, 0.2, best, 8)
        reviews.append(PlayedTurn(verdict, "Ann", Die.ONE, "L05", (), IDENTITY_POSE, chosen, place))
    return reviews


@pytest.mark.parametrize(
    ("turns", "turn"),
    [
        ([(0.9, 0.9, True), (0.2, 0.9, False), (0.1, 1.0, True)], 2),
        ([(0.9, 0.9, True), (0.5, 1.0, True)], 2),
        ([(0.0, 0.0, False), (0.5, 1.0, True)], 2),
        ([(0.875, 1.0, True), (0.0, 0.0, False)], None),
        ([], None),
    ],
    ids=["the mistake", "the riskiest", "no place held", "none", "nothing played"],
)
def test_the_turning_point_is_the_turn_that_lost_most_safety(
    turns: list[tuple[float, float, bool]], turn: int | None
) -> None:
    turning = find_turning_point(make_turns(turns))
    assert (None if turning is None else turning.verdict.turn) == turn


def test_without_known_places_the_turning_point_is_unknown() -> None:
    turns = make_turns([(0.9, 0.9, True), (0.0, 0.0, False), (0.0, 0.0, False)])
    assert make_review(turns, "Ann").summary == text("review.unknown", count=2)
    assert [text("review.nothing") in make_turn_review(turn).line for turn in turns] == [False, True, True]


@pytest.mark.parametrize(
    ("turns", "key"), [([(0.9, 0.9, True)], "review.even"), ([], "review.empty")], ids=["even", "empty"]
)
def test_an_even_game_is_reported(turns: list[tuple[float, float, bool]], key: str) -> None:
    review = make_review(make_turns(turns), "Ann")
    assert (review.summary, review.turning_turn) == (text(key), None)
    assert "<svg" in review.picture
