"""Left or right, as a hand's frames agree on it over time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from armoon.hands.grips.identity import MOST_LEAD, SETTLED_LEAD, SettledLabel


def settled(frames: int = 30) -> SettledLabel:
    label = SettledLabel()
    assert not any(label.doubts("right") for _ in range(frames))
    return label


def test_a_few_contrary_frames_are_doubted_and_the_others_are_not() -> None:
    label = settled()
    for _ in range(5):
        assert all(label.doubts("left") for _ in range(3))
        assert not any(label.doubts("right") for _ in range(10))


def test_nothing_is_doubted_before_a_label_is_settled() -> None:
    label = settled(SETTLED_LEAD - 1)
    assert not label.doubts("left")


def test_contrary_frames_that_go_on_are_believed_in_the_end() -> None:
    label = settled()
    doubts = [label.doubts("left") for _ in range(60)]
    assert doubts.index(False) == MOST_LEAD - SETTLED_LEAD + 1
    assert not any(doubts[doubts.index(False) :])


@given(st.lists(st.sampled_from(["left", "right"]), max_size=200))
def test_at_most_so_many_frames_in_a_row_are_doubted(sides: list[str]) -> None:
    label = SettledLabel()
    row = 0
    for side in sides:
        row = row + 1 if label.doubts("left" if side == "left" else "right") else 0
        assert row <= MOST_LEAD - SETTLED_LEAD + 1
