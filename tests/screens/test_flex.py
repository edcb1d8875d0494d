"""Rows and columns: what parts ask for, what is left over, and what is too much."""

from __future__ import annotations

import pytest

from armoon.values.page import REST, Part, Rect, columns, grid, lengths, rows, staying, wrap

AREA = Rect(0.1, 0.2, 0.8, 0.6)


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ((0.25, REST), [2.5, 6.5]),
        ((Part(2.0), Part(1.0, grow=1.0), Part(1.0, grow=2.0)), [2.0, 2.0 + 1.0 / 3.0, 3.0 + 2.0 / 3.0]),
        ((Part(0.0, grow=1.0, most=2.0), REST), [2.0, 7.0]),
        ((Part(6.0), Part(6.0)), [4.5, 4.5]),
        ((Part(6.0, least=5.0), Part(6.0)), [5.0, 4.0]),
        ((Part(3.0), Part(3.0)), [3.0, 3.0]),
    ],
    ids=["a share and the rest", "grow", "most", "shrink", "least", "nobody grows"],
)
def test_parts_share_their_room(sizes: tuple[Part | float, ...], wanted: list[float]) -> None:
    gap = 1.0 if len(sizes) == 2 else 0.5
    assert lengths(10.0 if gap == 1.0 else 9.0, sizes, gap) == pytest.approx(wanted)


def test_rows_and_columns_fill_their_area_and_dont_overlap() -> None:
    for divided, along in ((rows(AREA, 0.5, REST, gap=0.1), "y"), (columns(AREA, 0.5, REST, gap=0.1), "x")):
        first, second = divided
        length = "height" if along == "y" else "width"
        assert getattr(first, along) == getattr(AREA, along)
        end = getattr(first, along) + getattr(first, length)
        assert getattr(second, along) == pytest.approx(end + 0.1)
        whole = getattr(AREA, along) + getattr(AREA, length)
        assert getattr(second, along) + getattr(second, length) == pytest.approx(whole)


def test_low_cells_stand_in_the_middle() -> None:
    cells = grid(AREA, 3, 2, 0.1, (0.0, 0.0))
    assert [cell.x for cell in cells] == pytest.approx([0.1, 0.5, 0.1])
    assert [cell.y for cell in cells] == pytest.approx([0.4, 0.4, 0.5])


def test_lines_are_as_full_as_they_can_be() -> None:
    assert wrap([3.0, 3.0, 3.0, 9.0, 1.0], 7.0, 1.0) == [[0, 1], [2], [3], [4]]
    assert wrap([], 7.0) == [[]]


def test_what_has_no_room_waits_in_turn() -> None:
    parts = {
        "stays": Part(4.0, least=3.0),
        "first": Part(2.0, least=2.0, waits=2),
        "last": Part(1.0, least=1.0, waits=1),
    }
    for room, wanted in (
        (8.0, {"stays", "first", "last"}),
        (7.0, {"stays", "last"}),
        (4.0, {"stays"}),
        (1.0, {"stays"}),
    ):
        assert staying(parts, room, 1.0).keys() == wanted


def test_rows_stand_at_the_top_in_the_middle_or_at_the_bottom() -> None:
    for to, y in ((0.0, 0.2), (0.5, 0.45), (1.0, 0.7)):
        (row,) = rows(AREA, Part(0.1), to=to)
        assert (row.x, row.y, row.height) == pytest.approx((0.1, y, 0.1))
