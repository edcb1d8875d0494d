"""Figures: a page of the book for each printed one; in a match named once, counted, forgotten with an undone turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from armoon.engine.events import Happened
from armoon.games.moon.figures.recognise import recognise
from armoon.games.moon.figures.shape import BookPage, Figure, FigureKind, Figures, pages, tally_of
from armoon.games.moon.presenters.save import moon_records
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.games.moon.table.setup import FiguresMade
from armoon.values.pieces import Facts, LadderSet
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld

CANDLE = next(page for page in pages() if page.kind is FigureKind.CANDLE)


def settled(page: BookPage) -> tuple[LadderSet, Facts]:
    """The page's structure in the world, at rest."""
    ladders = make_ladder_set(page.ladder_seed)
    fixed = [(name, pose) for name, pose, is_fixed in page.standing if is_fixed]
    base = make_base(tuple(ladders[name] for name, _ in fixed))
    world = LocalWorld(ladders, base)
    try:
        world.rebuild(page.standing)
        while not (facts := world.tick(None)).at_rest:
            assert facts.tick < 1200
        return ladders, facts
    finally:
        world.close()


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.kind.value)
def test_a_page_stands_still_and_shows_its_figure(page: BookPage) -> None:
    ladders, facts = settled(page)
    for name, pose, _ in page.standing:
        moved = [abs(a - b) for a, b in zip(facts[name].pose.position, pose.position, strict=True)]
        assert max(moved) < 2e-3
    named = {figure.kind for figure in recognise(ladders, facts, page.makers[-1])}
    assert page.kind in named, "without any history"
    assert {name for name, _, _ in page.standing} >= set(page.makers)


def test_a_tally_counts_by_seat_and_kind() -> None:
    candle = Figure(FigureKind.CANDLE, "L04", ("L01",))
    swing = Figure(FigureKind.SWING, "L05", ("L04",))
    made = [Figures(1, 1, "L05", (swing, candle)), Figures(2, 1, "L04", (candle,)), Figures(3, 2, "L06", ())]
    assert tally_of(made, 3) == ({}, {FigureKind.CANDLE: 2, FigureKind.SWING: 1}, {})


def played(page: BookPage) -> State:
    placed = tuple(name for name, _, is_fixed in page.standing if not is_fixed)
    return replace(initial(("Ann", "Ben"), "bombyx-2017", 1), placed=placed, turn=5)


def verdict(page: BookPage, reason: Reason = Reason.HONOURED) -> Verdict:
    return Verdict(4, 1, True, reason, ("T4",), ladder=page.makers[-1])


@pytest.mark.parametrize("kind", [FigureKind.CANDLE, FigureKind.SWING])
def test_a_figure_is_named_once_and_counted_for_who_placed_it(kind: FigureKind) -> None:
    page = next(page for page in pages() if page.kind is kind)
    ladders, facts = settled(page)
    state, figures = played(page), FiguresMade(ladders)
    made = figures.see(verdict(page), state, facts)
    assert made is not None
    assert kind in [figure.kind for figure in made.figures]
    assert figures.see(verdict(page), state, facts) is None
    assert tally_of(figures.made, 2)[1][kind] == 1
    assert tally_of(figures.made, 2)[0].total() == 0
    (line,) = moon_records(Happened(7, made, state, state))
    assert line["player"] == "Ben"


def test_an_undone_turn_takes_its_figures_with_it() -> None:
    ladders, facts = settled(CANDLE)
    state, figures = played(CANDLE), FiguresMade(ladders)
    assert figures.see(verdict(CANDLE), state, facts) is not None
    back = Verdict(4, 1, True, Reason.TURN_PUT_BACK, ("X4",))
    assert figures.see(back, replace(state, turn=4), facts) is None
    assert tally_of(figures.made, 2)[1].total() == 0
    assert figures.of_turn(4) == ()


def test_a_ladder_that_left_the_game_makes_nothing() -> None:
    ladders, facts = settled(CANDLE)
    state = replace(played(CANDLE), placed=())
    assert FiguresMade(ladders).see(verdict(CANDLE), state, facts) is None
