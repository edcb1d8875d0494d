"""Which saved game goes on: the latest that nobody plays at the moment."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from support.doors_kit import Seated, a_home
from support.readers_kit import WRITTEN

from armoon.games.contract.library import last_unfinished
from armoon.saves.game_file import GameFile
from armoon.saves.library import SHOWN

SAVES = sorted(save for save in WRITTEN.glob("*.armoon") if not save.stem.endswith("-over"))


@pytest.mark.skipif(sys.platform == "win32", reason="files aren't held there")
@pytest.mark.parametrize("save", SAVES, ids=[save.stem for save in SAVES])
def test_a_game_that_is_played_elsewhere_is_not_offered(save: Path, tmp_path: Path) -> None:
    shutil.copy(save, tmp_path)
    offered = last_unfinished(tmp_path)
    assert offered is not None
    saved = GameFile.open(offered.path)
    playing = GameFile.reopen(saved, keep=len(saved.moves))
    assert last_unfinished(tmp_path) is None
    playing.close()
    assert last_unfinished(tmp_path) is not None, "left, it goes on"


@pytest.mark.parametrize("save", SAVES, ids=[save.stem for save in SAVES])
def test_what_was_only_shown_is_not_offered(save: Path, tmp_path: Path) -> None:
    shutil.copy(save, tmp_path / f"{SHOWN}{save.name}")
    assert last_unfinished(tmp_path) is None


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
    assert last_unfinished(table.path.parent) is None
