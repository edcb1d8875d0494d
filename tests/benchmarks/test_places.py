"""The statistics of the benchmark of places, and drops on its live table."""

from __future__ import annotations

import math
from contextlib import closing

import pytest
from benchmarks.places import Case, KindResult, collect_figures
from benchmarks.tower import check_rehearsal, measure_woken_shift_m
from benchmarks.towers import LiveTable, make_structure

from armoon.games.moon.editions import Die
from armoon.geometry import quat_from_axis_angle
from armoon.placement.values import is_decided, is_good
from armoon.values.places import LadderPlace, PlaceKind
from armoon.values.poses import Pose

#: Release pose of a ladder that comes to rest across the tops of both starting ladders.
ACROSS = Pose((0.0, 0.0, 0.128), quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0))
BEST = LadderPlace(Pose((0.0, 0.0, 0.2)), Pose((0.0, 0.0, 0.19)), ("L01",), True, 0.2, 1.0, 8)


def make_case(seed: int, first_s: float | None, good: int, die: str = "ONE") -> Case:
    if first_s is None:
        return Case(seed, 8, die)
    good_s = 2.0 * first_s if good else None
    return Case(seed, 8, die, first_s, good_s, good, 9, BEST, true_1mm=1.0, true_3mm=0.5)


def make_place(held: int, slips: int) -> LadderPlace:
    return LadderPlace(BEST.release, BEST.rest, (), True, 0.2, held / slips if slips else 0.0, slips)


def test_a_place_that_was_never_found_has_no_time() -> None:
    cases = [
        make_case(1, 0.5, 3),
        make_case(2, 1.0, 2),
        make_case(3, None, 0),
        make_case(1, 0.5, 0, "TWO"),
        make_case(2, None, 0, "TWO"),
    ]
    figures = collect_figures(cases)
    one, two = figures["rows"]
    assert (one["first_s"], one["good_s"], one["good_p90_s"]) == (1.0, 2.0, None)
    assert (one["true_1mm"], one["true_3mm"], one["good_drops"]) == (1.0, 0.5, 9)
    assert (two["first_s"], two["good_s"], two["found"], two["found_good"]) == (None, None, 1, 0)
    assert [(row["ladders"], row["die"]) for row in figures["sizes"]] == [(8, "all")]


def test_figures_by_kind_with_lean_and_hook_combined() -> None:
    lean, hook = KindResult(2.0, BEST, 1.0), KindResult(0.5, BEST, 0.5)
    poor = KindResult(None, BEST)
    cases = (
        (1, 2, {PlaceKind.LEAN: lean, PlaceKind.HOOK: hook}),
        (2, 2, {PlaceKind.LEAN: lean, PlaceKind.PLATE: poor}),
        (1, 8, {PlaceKind.PLATE: poor}),
    )
    figures = collect_figures([Case(seed, size, "ONE", kinds=kinds) for seed, size, kinds in cases])
    rows = {(figure["ladders"], figure["kind"]): figure for figure in figures["kinds"]}
    assert [rows[2, kind]["found"] for kind in ("plate", "lean", "hook", "lean or hook")] == [0, 2, 1, 2]
    assert rows[2, "lean or hook"]["good_s"] == pytest.approx(1.25)
    assert rows[2, "lean or hook"]["true_1mm"] == pytest.approx(2.5 / 3.0)
    assert rows[8, "lean or hook"]["good_s"] is None
    assert (rows["all", "lean or hook"]["found"], rows["all", "lean or hook"]["trials"]) == (2, 3)
    assert rows["all", "plate"]["true_1mm"] is None


@pytest.mark.parametrize(
    ("held_count", "slips", "is_known", "good"),
    [(6, 6, True, True), (6, 8, True, True), (5, 8, True, False), (5, 7, False, False), (0, 3, True, False),
     (0, 0, False, False), (9, 12, True, True), (8, 12, True, False)],
)  # fmt: skip
def test_a_place_is_good_if_six_of_eight_slips_hold(
    held_count: int, slips: int, is_known: bool, good: bool
) -> None:
    assert is_decided(make_place(held_count, slips)) is is_known
    assert is_good(make_place(held_count, slips)) is good


def test_a_tried_drop_gives_the_same_result_as_a_real_one_and_changes_nothing() -> None:
    with closing(LiveTable(make_structure(2))) as live:
        tried = live.try_drop("L14", ACROSS, Die.TWO)
        assert tried.honoured
        assert tried.seating_ticks > 0
        assert len(live.structure.standing) == 2
        assert live.drop("L14", ACROSS, Die.TWO) == tried
        assert len(live.structure.standing) == 3
        assert check_rehearsal(live.structure)
        assert measure_woken_shift_m(live.structure) < 1e-3
        assert not live.try_drop("L07", Pose((0.0, 0.3, 0.2)), Die.ONE).honoured
