"""Each figure of the book can be tried from its page: all stands but the ladder that makes it, which comes first."""

from __future__ import annotations

import pytest

from armoon.app.setup import practice
from armoon.camera.profiles import table_seat
from armoon.engine.setup import table_at
from armoon.games.contract.kind import kind_of, picture_book
from armoon.games.moon.kind import MoonKind
from armoon.games.moon.pictures.standing import leaf_of, page_named
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.setup import MoonSetup
from armoon.games.shared.seating import Beginner
from armoon.settings.preferences import PlayOptions
from armoon.values.choices import Air, SeatName


def tried(figure: str) -> MoonMatch:
    options = practice(PlayOptions(seed=5), SeatName.TABLE, figure)
    kind = kind_of(options.game)
    assert isinstance(kind, MoonKind)
    table = table_at(table_seat(640, 360), "test", air=Air.FALLS)
    return kind.new(table, options, Beginner(0), on_time=False)


@pytest.mark.parametrize("figure", picture_book().figures)
def test_all_stands_but_the_ladder_that_makes_it(figure: str) -> None:
    page = page_named(figure)
    match = tried(figure)
    try:
        state = match.state
        standing = {piece.piece: piece.pose for piece in match.facts.pieces}
        assert state.options.practice
        assert state.supply[0] == page.makers[-1]
        assert {*state.starting, *state.placed} == {row[0] for row in page.standing} - {page.makers[-1]}
        assert set(standing) >= {*state.starting, *state.placed}
        assert len(set(state.supply)) == len(state.supply) == 30 - len(page.standing) + 1
        for name, pose, _ in page.standing:
            if name in standing and name != page.makers[-1]:
                assert standing[name].position == pytest.approx(pose.position, abs=1e-3)
        assert MoonSetup.from_record(match.setup.to_record()) == match.setup
    finally:
        match.close()


@pytest.mark.parametrize("leaf", range(len(picture_book().figures)))
def test_a_page_shows_where_its_ladders_touch(leaf: int) -> None:
    shown = leaf_of(leaf)
    assert shown.contacts
    assert all(0.0 < z < 0.4 for _, _, z in shown.contacts)
    lit = {piece.piece for piece in shown.pieces if piece.look == "touched"}
    assert lit == set(page_named(picture_book().figures[leaf]).makers)
