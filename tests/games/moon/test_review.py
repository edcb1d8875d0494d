"""Where a game turned: where most safety was given away, and nowhere if none was."""

from __future__ import annotations

import pytest

from armoon.games.moon.editions import Die, Reason, Verdict
from armoon.games.moon.review import PlayedTurn, TurnSafety, find_turning_point, make_review, make_turn_review
from armoon.messages import text
from armoon.values.places import LadderPlace
from armoon.values.poses import IDENTITY_POSE


def weighed(turns: list[tuple[float, float, bool]]) -> list[TurnSafety]:
    made = []
    for number, (done, best, ok) in enumerate(turns, start=1):
        verdict = Verdict(number, 0, ok, Reason.HONOURED if ok else Reason.PLACED_FELL, ("T4",))
        played = PlayedTurn(number, 0, "Ann", Die.ONE, "L05", (), IDENTITY_POSE, verdict)
        place = LadderPlace(IDENTITY_POSE, IDENTITY_POSE, ("L01",), True, 0.2, best, 8)
        made.append(TurnSafety(played, done, place))
    return made


@pytest.mark.parametrize(
    ("turns", "turn"),
    [
        ([(0.9, 0.9, True), (0.2, 0.9, False), (0.1, 1.0, True)], 2),
        ([(0.9, 0.9, True), (0.5, 1.0, True)], 2),
        ([(0.0, 0.0, False), (0.5, 1.0, True)], 2),
        ([(0.875, 1.0, True), (0.0, 0.0, False)], None),
        ([], None),
    ],
    ids=["the mistake", "the riskiest", "not where nothing held", "nowhere", "nothing played"],
)
def test_where_it_turned(turns: list[tuple[float, float, bool]], turn: int | None) -> None:
    found = find_turning_point(weighed(turns))
    assert (None if found is None else found.played.number) == turn


def test_tears_for_which_no_place_was_found_are_no_game_that_never_turned() -> None:
    turns = weighed([(0.9, 0.9, True), (0.0, 0.0, False), (0.0, 0.0, False)])
    assert make_review(turns, "Ann").turning == text("review.unknown", count=2)
    assert [text("review.nothing") in make_turn_review(one).line for one in turns] == [False, True, True]


@pytest.mark.parametrize(
    ("turns", "key"), [([(0.9, 0.9, True)], "review.even"), ([], "review.empty")], ids=["even", "empty"]
)
def test_where_it_never_turned_that_is_said(turns: list[tuple[float, float, bool]], key: str) -> None:
    told = make_review(weighed(turns), "Ann")
    assert (told.turning, told.turned) == (text(key), None)
    assert "<svg" in told.picture
