"""Which saved games go on: the recent ones that aren't over, and that nobody plays at the moment."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from support.doors_kit import Seated, a_home
from support.evening_kit import Evening
from support.readers_kit import WRITTEN

from armoon.games import GAMES, title_of
from armoon.games.contract.library import unfinished
from armoon.saves.game_file import GameFile
from armoon.saves.library import SHOWN
from armoon.screens.machine import page_of

SAVES = sorted(save for save in WRITTEN.glob("*.armoon") if not save.stem.endswith("-over"))


@pytest.mark.skipif(sys.platform == "win32", reason="files aren't held there")
@pytest.mark.parametrize("save", SAVES, ids=[save.stem for save in SAVES])
def test_a_game_that_is_played_elsewhere_is_not_offered(save: Path, tmp_path: Path) -> None:
    shutil.copy(save, tmp_path)
    (offered,) = unfinished(tmp_path)
    saved = GameFile.open(offered.path)
    playing = GameFile.reopen(saved, keep=len(saved.moves))
    assert not unfinished(tmp_path)
    playing.close()
    assert len(unfinished(tmp_path)) == 1, "left, it goes on"


@pytest.mark.parametrize("save", SAVES, ids=[save.stem for save in SAVES])
def test_what_was_only_shown_is_not_offered(save: Path, tmp_path: Path) -> None:
    shutil.copy(save, tmp_path / f"{SHOWN}{save.name}")
    assert not unfinished(tmp_path)


def test_what_is_played_without_a_window_is_only_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_home(tmp_path, monkeypatch)
    table = Seated("moon")
    table.press("space")
    table.rest(1.0)
    assert table.saved.moves
    assert table.path.name.startswith(SHOWN)
    table.close()
    assert not unfinished(table.path.parent)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("device", ["mouse", "keys", "switch"])
def test_each_of_several_games_goes_on_as_the_one_that_it_names(
    device: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one played last stands first; what can't be read isn't offered."""
    folder = a_home(tmp_path, monkeypatch)
    folder.mkdir(parents=True, exist_ok=True)
    for age, save in enumerate(SAVES):
        os.utime(shutil.copy(save, folder), (1e9 - age, 1e9 - age))
    (folder / "torn.armoon").write_bytes(SAVES[0].read_bytes()[:100])
    evening = Evening("moon", "Zoé,Yan", games=tuple(GAMES), device=device)
    offered = evening.screens.unfinished
    assert [game.path.name for game in offered] == [save.name for save in SAVES]
    assert {game.game for game in offered} == {"moon", "lake"}
    evening.choose("others")
    one, card = offered[number - 1], page_of(evening.screens)[f"game {number}"]
    assert card.text == f"{title_of(one.game)}, turn {one.turn}"
    assert card.value.startswith("Ann, Ben and Cleo · ")
    evening.choose(card.name)
    assert evening.path == one.path
    match = evening.game.match
    assert (match.game, match.players, match.on_turn[0]) == (one.game, one.players, one.turn)
    assert evening.screens.playing == one.game
    evening.host.clear_table()
