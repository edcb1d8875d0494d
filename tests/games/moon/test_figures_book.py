"""The picture book has a page for each printed figure, and players' counts add up."""

from __future__ import annotations

import pytest
from benchmarks.structures.structure import Structure, build_world

from armoon import messages
from armoon.games.moon.figures.book import pages
from armoon.games.moon.figures.figure import PRINTED, Figure, FigureKind, Figures, tally_of
from armoon.games.moon.figures.recognise import recognise
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set


def test_the_book_has_a_page_for_each_printed_figure_in_order() -> None:
    assert tuple(page.kind for page in pages()) == PRINTED
    assert len(PRINTED) == 8


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.kind.value)
def test_a_page_stands_still_and_shows_its_figure(page) -> None:  # type: ignore[no-untyped-def]
    ladders = make_ladder_set(page.ladder_seed)
    world = build_world(Structure(ladders, make_base(()), page.standing))
    try:
        while not (facts := world.tick(None)).at_rest:
            assert facts.tick < 1200
    finally:
        world.close()
    for name, pose, _ in page.standing:
        moved = [abs(a - b) for a, b in zip(facts[name].pose.position, pose.position, strict=True)]
        assert max(moved) < 2e-3
    named = {figure.kind for figure in recognise(ladders, facts, page.makers[-1])}
    assert page.kind in named, "without any history"
    assert {name for name, _, _ in page.standing} >= set(page.makers)


@pytest.mark.parametrize("kind", FigureKind)
@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_figure_has_a_name_and_a_sentence(kind: FigureKind, language: str) -> None:
    texts = messages.catalogue(language)
    assert texts[kind.name_key]
    assert texts[f"figure.{kind.value}.what"].endswith(".")


def test_french_names_are_the_printed_ones() -> None:
    french = messages.catalogue("fr")
    assert [french[kind.name_key] for kind in PRINTED] == [
        "Croc-en-jambe",
        "Diagonale du fou",
        "Balancelle",
        "Péché d'orgueil",
        "Verrou",
        "Chandelle",
        "Funambule malicieux",
        "Appui honteux",
    ]


def test_a_tally_counts_by_seat_and_kind() -> None:
    candle = Figure(FigureKind.CANDLE, "L04", ("L01",))
    swing = Figure(FigureKind.SWING, "L05", ("L04",))
    made = [Figures(1, 1, "L05", (swing, candle)), Figures(2, 1, "L04", (candle,)), Figures(3, 2, "L06", ())]
    assert tally_of(made, 3) == ({}, {FigureKind.CANDLE: 2, FigureKind.SWING: 1}, {})
