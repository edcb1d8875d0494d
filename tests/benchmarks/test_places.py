"""The benchmark of places: its figures, and one structure grown."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from benchmarks.places import Case, OfKind, RandomDrops, Run, row, to_plain, told
from benchmarks.tower import stands_rehearsed, woken_shift_m
from benchmarks.towers import LiveTable, starting_structure

from armoon.games.moon.rules.values import Die
from armoon.geometry import quat_from_axis_angle
from armoon.placement.values import Question, decided, is_good
from armoon.values.places import LadderPlace, PlaceKind, Wanted
from armoon.values.poses import Pose

NEVER = Run(None, None, 0, 5.0, None)
#: Let go of here, a ladder comes to lie across the heads of both starting ladders.
ACROSS = Pose((0.0, 0.0, 0.128), quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0))
BEST = LadderPlace(Pose((0.0, 0.0, 0.2)), Pose((0.0, 0.0, 0.19)), ("L01",), True, 0.2, 1.0, 8)


def case(seed: int, first_s: float | None, good: int, die: str = "ONE") -> Case:
    found = NEVER if first_s is None else Run(first_s, 2.0 * first_s if good else None, good, 5.0, BEST)
    share = None if first_s is None else 1.0
    return Case(seed, 8, die, found, NEVER, share, 0.5 if share else None)


def place(held: int, slips: int) -> LadderPlace:
    return LadderPlace(BEST.release, BEST.rest, (), True, 0.2, held / slips if slips else 0.0, slips)


def test_what_was_never_found_counts_as_never() -> None:
    figures = row(8, "ONE", [case(1, 0.5, 3), case(2, 1.0, 2), case(3, None, 0)])
    assert (figures["first_s"], figures["good_s"]) == (1.0, 2.0)
    assert figures["per_s"] == pytest.approx(5 / 15)
    assert figures["random_per_s"] == 0.0
    assert (figures["true_1mm"], figures["true_3mm"]) == (1.0, 0.5)
    assert row(8, "ONE", [case(1, 0.5, 0), case(2, None, 0), case(3, None, 0)])["first_s"] is None
    assert "first 0.50" in told(case(1, 0.5, 3))
    plain = to_plain([case(1, 0.5, 3), case(1, 0.5, 3, "TWO")])
    assert [(one["ladders"], one["die"]) for one in plain["rows"] + plain["sizes"]] == [
        (8, "ONE"), (8, "TWO"), (8, "all"),
    ]  # fmt: skip


def test_kinds_are_told_apart_and_what_climbs_is_one_of_two() -> None:
    def run(*kinds: OfKind) -> Run:
        return replace(NEVER, kinds=kinds)

    lean, hook = OfKind(PlaceKind.LEAN, 2.0, BEST, 1.0), OfKind(PlaceKind.HOOK, 0.5, BEST, 0.5)
    poor = OfKind(PlaceKind.PLATE, None, BEST)
    cases = [
        Case(seed, size, "ONE", run(*kinds), NEVER, None, None)
        for seed, size, kinds in ((1, 2, (lean, hook)), (2, 2, (lean, poor)), (1, 8, (poor,)))
    ]
    rows = {(one["ladders"], one["kind"]): one for one in to_plain(cases)["kinds"]}
    assert [rows[2, kind]["found"] for kind in ("plate", "lean", "hook", "lean or hook")] == [0, 2, 1, 2]
    assert rows[2, "lean or hook"]["good_s"] == pytest.approx(1.25)
    assert rows[2, "lean or hook"]["true_1mm"] == pytest.approx(2.5 / 3.0)
    assert rows[8, "lean or hook"]["good_s"] is None
    assert (rows[0, "lean or hook"]["found"], rows[0, "lean or hook"]["trials"]) == (2, 3)
    assert rows[0, "plate"]["true_1mm"] is None
    assert "hook 0.50" in told(cases[0])


def test_random_drops_that_were_sooner_are_counted() -> None:
    late, soon = Run(1.0, 2.0, 1, 5.0, BEST, 14), Run(0.5, 1.0, 1, 5.0, BEST, 9)
    pairs = [(late, soon), (soon, late), (soon, NEVER), (NEVER, soon), (NEVER, NEVER)]
    figures = row(8, "ONE", [Case(1, 8, "ONE", *pair, None, None) for pair in pairs])
    assert figures["random_sooner"] == 2
    assert (figures["good_drops"], figures["random_good_drops"]) == (14, 14)


@pytest.mark.parametrize(
    ("held", "slips", "known", "good"),
    [(6, 6, True, True), (6, 8, True, True), (5, 8, True, False), (5, 7, False, False), (0, 3, True, False),
     (0, 0, False, False), (9, 12, True, True), (8, 12, True, False)],
)  # fmt: skip
def test_six_of_eight_are_good(held: int, slips: int, known: bool, good: bool) -> None:
    assert decided(place(held, slips)) is known
    assert is_good(place(held, slips)) is good


def test_a_drop_in_a_copy_leaves_the_live_table_as_it_was_and_comes_to_the_same_again() -> None:
    live = LiveTable(starting_structure(2))
    try:
        tried = live.try_drop("L14", ACROSS, Die.TWO)
        assert tried.honoured
        assert tried.seating_ticks > 0
        assert len(live.structure.standing) == 2
        assert live.drop("L14", ACROSS, Die.TWO) == tried
        assert len(live.structure.standing) == 3
        assert stands_rehearsed(live.structure)
        assert woken_shift_m(live.structure) < 1e-3
        assert not live.try_drop("L07", Pose((0.0, 0.3, 0.2)), Die.ONE).honoured
    finally:
        live.close()


def test_random_drops_find_true_places_as_well() -> None:
    start = starting_structure(2)
    blind = RandomDrops(start.ladders, start.base)
    try:
        findings = blind.seek(Question(start.standing, "L05", Wanted(1, 2)), 4)
        found = next(finding for finding in findings if finding is not None)
    finally:
        blind.close()
    assert 1 <= len(found.place.touched) <= 2
