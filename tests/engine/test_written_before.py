"""What the version before wrote is still read: its logs give the same bits, its saves and kept files their content."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from armoon.camera.seat import table_seat
from armoon.engine.setup import table_at
from armoon.games.contract.kind import kind_of
from armoon.games.contract.library import list_games, unfinished, verify
from armoon.games.moon.table.saving import resume_point
from armoon.saves.game_file import GameFile
from armoon.saves.profiles import load_profiles
from armoon.saves.results import load_results
from armoon.settings.files import load_preferences
from armoon.settings.preferences import PlayOptions, Preferences
from armoon.world.physics import PHYSICS, build

WRITTEN = Path(__file__).parents[1] / "written_before"


@pytest.mark.parametrize(
    ("game", "verdicts", "ticks"),
    [
        ("moon", 3, 2656),
        ("moon-4", 1, 1126),
        ("moon-5", 1, 1072),
        ("moon-6", 1, 960),
        ("moon-7", 1, 1764),
        ("moon-8", 1, 316),
        ("lake", 9, 1790),
    ],
)
def test_a_log_gives_the_same_bits(game: str, verdicts: int, ticks: int, tmp_path: Path) -> None:
    log = tmp_path / f"{game}.jsonl"
    log.write_bytes(gzip.decompress((WRITTEN / f"{game}.jsonl.gz").read_bytes()))
    verification = verify(log)
    assert verification.same, verification.difference
    assert (verification.verdicts, verification.ticks, verification.damage) == (verdicts, ticks, "")


def test_saves_are_listed_and_go_on(tmp_path: Path) -> None:
    for path in WRITTEN.glob("*.armoon"):
        shutil.copy(path, tmp_path)
    entries = {entry.path.stem: entry for entry in list_games(tmp_path)}
    assert set(entries) == {"moon-20261123-061909", "lake-20261123-061958"}
    assert not [entry.trouble for entry in entries.values() if entry.trouble]
    assert [game.players for game in unfinished(tmp_path)] == [("Ann", "Ben", "Cleo")] * 2


def test_a_save_of_another_build_goes_on_and_its_log_names_ours(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.armoon"
    before = GameFile.open(next(WRITTEN.glob("moon-*.armoon")))
    header = {**before.header, "setup": {**before.header["setup"], "build": "bullet 9 win_arm64"}}
    file = GameFile.create(path, header, game="moon", begun=before.begun, program="9.9")
    file.append(before.moves, before.snapshots[-1].content)
    file.close()
    saved, kind = GameFile.open(path), kind_of("moon")
    options = PlayOptions(game="moon", game_options=kind.saves.summary(saved).options)
    match = kind.resumed(table_at(table_seat(640, 360), "ours"), options, saved, on_time=False)
    try:
        assert match.table.build == build()
        stood = {piece for piece, _ in resume_point(saved).structure}
        assert stood
        assert stood <= {facts.piece for facts in match.facts.pieces}
    finally:
        match.close()


def test_a_saved_game_goes_on_by_the_physics_that_it_was_begun_with() -> None:
    saved = GameFile.open(next(WRITTEN.glob("moon-*.armoon")))
    seat, kind = table_seat(640, 360), kind_of("moon")
    options = PlayOptions(game="moon", game_options=kind.saves.summary(saved).options)
    match = kind.resumed(table_at(seat, "today's"), options, saved, on_time=False)
    match.close()
    assert (table_at(seat, "today's").physics, match.table.physics) == (PHYSICS, 3)


@pytest.mark.parametrize("path", sorted(WRITTEN.glob("*.armoon")), ids=lambda path: path.stem)
def test_a_save_is_whole(path: Path) -> None:
    saved = GameFile.open(path)
    assert not saved.damage
    assert saved.moves


def test_profiles_results_and_preferences_keep_their_content(tmp_path: Path) -> None:
    for name in ("players.json", "results.json", "preferences.json"):
        shutil.copy(WRITTEN / name, tmp_path)
    profiles = load_profiles(tmp_path)
    assert not profiles.trouble
    (ann,) = profiles.profiles
    assert (ann.name, str(ann.born)) == ("Ann", "1990-05-01")
    results = load_results(tmp_path)
    assert not results.trouble
    assert [result.game for result in results.results] == ["moon-over"]
    kept = load_preferences(tmp_path / "preferences.json", Preferences())
    written = json.loads((WRITTEN / "preferences.json").read_text(encoding="utf-8"))
    assert (kept.volume, kept.grip, kept.text_size) == (written["volume"], "fist", "large")
    assert not list(tmp_path.glob("*.broken*"))
