"""Several programs write to one folder at the same time without losing anything; locks end with their processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import simultaneous
from support.waiting import PATIENCE_S

from armoon.cli import common
from armoon.codec.files import GrowingFile, locked, write_new
from armoon.engine.logbook import LogReader
from armoon.saves.game_file import GameFile
from armoon.saves.profiles import change_profile, load_profiles, load_results

PROCESSES = 3


@pytest.fixture(scope="module")
def processes() -> Iterator[simultaneous.Processes]:
    started = simultaneous.Processes(PROCESSES)
    yield started
    started.close()


def test_all_games_started_in_the_same_second_are_saved(
    tmp_path: Path, processes: simultaneous.Processes
) -> None:
    processes.run(simultaneous.begin_games, tmp_path)
    games = [GameFile.read_saved(path) for path in tmp_path.iterdir()]
    assert len(games) == 30 * PROCESSES
    for game in games:
        number = game.header["by"]
        assert game.moves == tuple({"by": number, "move": move} for move in range(5))
        assert (game.damage, game.closed) == ("", True)


def test_all_logs_with_the_same_name_are_saved(tmp_path: Path, processes: simultaneous.Processes) -> None:
    processes.run(simultaneous.write_logs, tmp_path)
    logs = [LogReader(path) for path in tmp_path.iterdir()]
    assert len(logs) == 30 * PROCESSES
    for log in logs:
        assert log.damage is None
        assert [record["by"] for record in log.records] == [log.header["by"]] * 2


def test_all_profiles_changed_by_several_programs_are_saved(
    tmp_path: Path, processes: simultaneous.Processes
) -> None:
    processes.run(simultaneous.change_profiles, tmp_path)
    profiles = load_profiles(tmp_path)
    assert profiles.trouble == ""
    expected = {f"player {number} {turn}" for number in range(PROCESSES) for turn in range(20)}
    assert {profile.name for profile in profiles.profiles} == expected | {"Ann"}
    assert not list(tmp_path.glob(".*.part"))


def test_all_results_stored_by_several_programs_are_kept(
    tmp_path: Path, processes: simultaneous.Processes
) -> None:
    processes.run(simultaneous.store_results, tmp_path)
    results = load_results(tmp_path)
    assert results.trouble == ""
    assert {result.game for result in results.results} == {
        f"{number} {turn}" for number in range(PROCESSES) for turn in range(20)
    }


def test_only_one_of_several_programs_resumes_a_game(
    tmp_path: Path, processes: simultaneous.Processes
) -> None:
    GameFile.create(tmp_path / "one.armoon", {}, game="lake", begun="", program="").close()
    processes.run(simultaneous.resume, tmp_path)
    results = sorted(path.read_text() for path in tmp_path.glob("*.result"))
    assert results.count("plays") == 1
    assert all("SaveError" in r and "played in another window" in r for r in results if r != "plays")
    saved = GameFile.read_saved(tmp_path / "one.armoon")
    assert len(saved.moves) == 1
    assert saved.damage == ""


@pytest.mark.parametrize("task", [simultaneous.die_with_lock, simultaneous.die_with_game])
def test_a_lock_ends_with_its_process(tmp_path: Path, task: simultaneous.Task) -> None:
    GameFile.create(tmp_path / "one.armoon", {}, game="lake", begun="", program="").close()
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(1)
    process = context.Process(target=task, args=(tmp_path, 0, barrier), daemon=True)
    process.start()
    process.join(PATIENCE_S)
    assert process.exitcode == -signal.SIGKILL
    with locked(tmp_path / "players.json", patience_s=0.0):
        pass
    saved = GameFile.read_saved(tmp_path / "one.armoon")
    GameFile.reopen(saved, keep=0).close()


def test_only_old_drafts_are_removed(tmp_path: Path) -> None:
    young, old = tmp_path / ".young.part", tmp_path / ".old.part"
    for draft in (young, old):
        draft.write_text("half")
    os.utime(old, (0.0, 0.0))
    write_new(tmp_path / "game", b"whole")
    assert young.exists()
    assert not old.exists()


def test_a_permanently_locked_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "players.json"
    with locked(path), pytest.raises(TimeoutError, match="changing it"), locked(path, patience_s=0.05):
        pass
    game = GrowingFile(tmp_path / "game", new=True)
    with pytest.raises(BlockingIOError, match="writing it"):
        GrowingFile(game.path, new=False)
    change_profile(tmp_path, "Ann", lambda before: before)
    assert [profile.name for profile in load_profiles(tmp_path).profiles] == ["Ann"]


def test_films_started_in_the_same_second_have_different_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(common, "has_display", lambda: False)
    films = [common.choose_screen_or_film(False, None)[1] for _ in range(3)]
    assert len(set(films)) == 3
