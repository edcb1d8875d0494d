"""The paper ladders' shapes: what is printed is what is looked for."""

from __future__ import annotations

import numpy as np
import pytest

from armoon.values.paper import (
    DIE_TAGS,
    FAR_END_M,
    HANDLE_END_M,
    HEIGHT_M,
    LID_TAG,
    PAPER_LADDERS,
    RIGHT_LADDER,
    PaperLadder,
)

TAGS = [tag for ladder in PAPER_LADDERS for tag in (*ladder.tags, ladder.thumb)]


def test_no_number_is_used_twice() -> None:
    numbers = [tag.number for tag in TAGS] + [*DIE_TAGS, LID_TAG]
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) < 50


@pytest.mark.parametrize("ladder", PAPER_LADDERS, ids=lambda ladder: ladder.hand)
def test_each_tag_reads_clockwise_from_its_own_side_within_the_paper(ladder: PaperLadder) -> None:
    for tag in (*ladder.tags, ladder.thumb):
        corners = np.array(tag.corners)
        out = np.cross(corners[3] - corners[0], corners[1] - corners[0])
        assert bool(out[2] > 0) is tag.front
        assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(tag.side_m)
        assert corners[:, 0].min() > HANDLE_END_M
        assert corners[:, 0].max() < FAR_END_M
        assert abs(corners[:, 1]).max() < HEIGHT_M / 2


def test_a_page_that_shrank_shrinks_everything_alike() -> None:
    small = RIGHT_LADDER.scaled(0.96)
    for tag, printed in zip(
        (*RIGHT_LADDER.tags, RIGHT_LADDER.thumb), (*small.tags, small.thumb), strict=True
    ):
        assert np.array(printed.corners)[:, :2] == pytest.approx(0.96 * np.array(tag.corners)[:, :2])
