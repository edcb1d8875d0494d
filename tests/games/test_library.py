"""The saved games that can be resumed: recent and unfinished ones that nobody is playing."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from support.samples import SAMPLES
from support.session_kit import AppSession
from support.table_kit import IdealTable, make_home

from armoon.games import GAMES, title_of
from armoon.games.contract import load_kind
from armoon.games.library import list_unfinished
from armoon.games.moon.rulebook import WOOD, draw_structure
from armoon.saves.files import SaveError
from armoon.saves.game_file import DEMONSTRATION_PREFIX, GameFile
from armoon.screens.machine import build_page
from armoon.values.page import ASPECT, Stroke
from armoon.values.poses import Pose
from armoon.world.ladders import BOX_SEED, make_ladder_set

SAVES = sorted(SAMPLES.glob("*.armoon"))


@pytest.mark.skipif(sys.platform == "win32", reason="files aren't locked there")
@pytest.mark.parametrize("save", SAVES, ids=[save.stem for save in SAVES])
def test_a_game_that_is_being_played_is_not_offered(save: Path, tmp_path: Path) -> None:
    shutil.copy(save, tmp_path)
    (offered,) = list_unfinished(tmp_path)
    saved = GameFile.read_saved(offered.path)
    playing = GameFile.reopen(saved, keep=len(saved.moves))
    assert not list_unfinished(tmp_path)
    playing.close()
    assert len(list_unfinished(tmp_path)) == 1, "once left, it can be resumed"


def test_a_game_without_a_window_is_saved_as_shown_and_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_home(tmp_path, monkeypatch)
    table = IdealTable("moon")
    table.press("space")
    table.rest(1.0)
    assert table.saved.moves
    assert table.path.name.startswith(DEMONSTRATION_PREFIX)
    table.close()
    assert not list_unfinished(table.path.parent)


@pytest.mark.parametrize("save", SAVES, ids=[save.stem for save in SAVES])
def test_the_structure_of_a_game_is_drawn_inside_the_picture(save: Path, tmp_path: Path) -> None:
    shutil.copy(save, tmp_path)
    (offered,) = list_unfinished(tmp_path)
    assert offered.drawing is not None
    for shape in offered.drawing.shapes:
        for x, y in (shape.a, shape.b) if isinstance(shape, Stroke) else (shape.centre,):
            assert 0.0 <= x <= ASPECT
            assert 0.0 <= y <= 1.0


def test_more_ladders_add_strokes_and_shrink_the_drawing() -> None:
    (ladder, *_) = make_ladder_set(BOX_SEED).ladders
    tower = [(ladder, Pose((0.0, 0.0, 0.06 + 0.1 * k)), WOOD) for k in range(6)]
    pictures = [draw_structure(tuple(tower[:count])) for count in (1, 2, 6)]
    rails = [[shape for shape in picture.shapes if isinstance(shape, Stroke)] for picture in pictures]
    assert len(rails[0]) < len(rails[1]) < len(rails[2])
    assert min(shape.a[1] for shape in rails[2]) >= 0.0
    widths = [max(shape.width for shape in strokes[1:-1]) for strokes in rails]
    assert widths[0] > widths[1] > widths[2]


def test_a_game_that_cannot_be_drawn_is_offered_without_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_drawing(self: object, saved: object) -> None:
        raise SaveError("No such ladder.", remedy="None.")

    shutil.copy(SAVES[0], tmp_path)
    monkeypatch.setattr(type(load_kind(GameFile.read_saved(SAVES[0]).game)), "draw_saved_game", fail_drawing)
    (offered,) = list_unfinished(tmp_path)
    assert offered.drawing is None


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("device", ["mouse", "keys", "switch"])
def test_each_card_resumes_the_game_that_it_names(
    device: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last played game comes first; an unreadable one isn't offered."""
    folder = make_home(tmp_path, monkeypatch)
    folder.mkdir(parents=True, exist_ok=True)
    for age, save in enumerate(SAVES):
        os.utime(shutil.copy(save, folder), (1e9 - age, 1e9 - age))
    (folder / "torn.armoon").write_bytes(SAVES[0].read_bytes()[:100])
    session = AppSession("moon", "Zoé,Yan", games=tuple(GAMES), device=device)
    offered = session.screens.unfinished
    assert [game.path.name for game in offered] == [save.name for save in SAVES]
    assert {game.game for game in offered} == {"moon", "lake"}
    session.choose("others", "more", "saved")
    one, card = offered[number - 1], build_page(session.screens)[f"game {number}"]
    assert card.text == f"{title_of(one.game)}, turn {one.turn}"
    assert card.value.startswith("Ann, Ben and Cleo · ")
    assert build_page(session.screens)[f"picture {number}"].drawing == one.drawing
    session.choose(card.name)
    assert session.path == one.path
    match = session.game.match
    assert (match.game, match.players, match.on_turn[0]) == (one.game, one.players, one.turn)
    assert session.screens.game == one.game
    session.host.close_table()
