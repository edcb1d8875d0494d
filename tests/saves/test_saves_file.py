"""Files of saved games: round trips, damage, other files, full disks, and two windows."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from support.saves_kit import PROGRAM, START_TIME, FullDisk, open_save, play_game

from armoon.codec.files import is_locked, write_new
from armoon.games.moon.saving import resume_setup
from armoon.saves import game_file
from armoon.saves.files import SaveError, decode_journal, encode_line, write_whole
from armoon.saves.game_file import GameFile


def create_lake_file(folder: Path) -> GameFile:
    header = {"players": ["Ana", "Ben"], "seed": 3}
    return GameFile.create(folder / "lake.armoon", header, game="lake", begun=START_TIME, program=PROGRAM)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saves") / "game.armoon"
    play_game(path, 4)
    return path


def rewrite_header(path: Path, **changes: Any) -> None:
    first, *others = path.read_bytes().splitlines(keepends=True)
    line, _ = encode_line({**json.loads(first[9:]), **changes}, 0)
    path.write_bytes(line + b"".join(others))


# Round trips --------------------------------------------------------------------------------------------------


def test_header_moves_and_snapshots_are_read_bit_for_bit(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    file.append([{"move": "cast", "x": 0.1 + 0.2}, {"move": "étoile\n\u2028"}])
    file.append([], {"boat": [1.0 / 3.0, -0.0]})
    file.append([{"move": "land"}], {"boat": [5e-324]})
    file.close()
    saved = open_save(file.path)
    assert (saved.game, saved.begun, saved.program) == ("lake", START_TIME, PROGRAM)
    assert saved.header == {"players": ["Ana", "Ben"], "seed": 3}
    assert saved.moves == ({"move": "cast", "x": 0.1 + 0.2}, {"move": "étoile\n\u2028"}, {"move": "land"})
    assert saved.snapshots == ((2, {"boat": [1.0 / 3.0, -0.0]}), (3, {"boat": [5e-324]}))
    assert str(saved.snapshots[0][1]["boat"][1]) == "-0.0"
    assert saved.closed
    assert saved.damage == ""


def test_every_event_is_in_the_file_before_append_returns(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    for count in range(1, 6):
        file.append([{"move": count}])
        saved = open_save(file.path)
        assert [move["move"] for move in saved.moves] == list(range(1, count + 1))
        assert not saved.closed, "the game is running or was killed"


def test_important_records_are_synchronised_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = create_lake_file(tmp_path)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    file.append([{"move": 1}], {"boat": []})
    assert synced == []
    file.append([{"move": 2}], sync=True)
    assert len(synced) == 1
    file.close()
    assert len(synced) == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows synchronises names by itself")
def test_the_folder_of_a_new_file_is_synchronised_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the file is synchronised, and then the folder with the new name."""
    calls: list[tuple[bool, bool]] = []
    path = tmp_path / "new.json"

    def fsync(handle: int) -> None:
        calls.append((stat.S_ISDIR(os.fstat(handle).st_mode), path.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    write_whole(path, b"kept")
    assert calls == [(False, False), (True, True)]
    assert path.read_bytes() == b"kept"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, rooms = tmp_path / "new.armoon", iter((True, False))

    def refuse_link(source: Path, target: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    def fsync(handle: int) -> None:
        if not stat.S_ISDIR(os.fstat(handle).st_mode) and not next(rooms, True):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refuse_link)
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="No space"):
        write_new(path, b"begun")
    assert list(tmp_path.iterdir()) == []
    write_new(path, b"begun")
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"begun"]
    with pytest.raises(FileExistsError):
        write_new(path, b"another")
    assert path.read_bytes() == b"begun"
    (folder := tmp_path / "folder").mkdir()
    with pytest.raises(SaveError, match="folder"):
        write_whole(folder, b"another")
    assert sorted(tmp_path.iterdir()) == [folder, path], "no draft is left"


def test_resuming_continues_after_the_saved_moves(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    file.append([{"move": n} for n in range(5)], {"boat": [0.0]})
    file.close()
    file = GameFile.reopen(open_save(file.path), keep=3, again=[{"move": "again"}])
    file.turned_rad = 0.5
    file.append([{"move": "new"}])
    saved = open_save(file.path)
    assert saved.turned_rad == 0.5
    assert [move["move"] for move in saved.moves] == [0, 1, 2, "again", "new"]
    assert len(saved.snapshots) == 1, "the snapshot is kept"
    assert not saved.closed
    assert b'"move":4' in file.path.read_bytes(), "undone moves stay in the file"


# Damage -------------------------------------------------------------------------------------------------------


def test_every_changed_byte_is_detected(game: Path) -> None:
    """The lines before a changed byte are kept, and the loss is reported."""
    content = game.read_bytes()
    intact = decode_journal(content)
    line = 0
    for position, byte in enumerate(content):
        changed = bytearray(content)
        changed[position] = byte ^ (1 << position % 8)
        journal = decode_journal(bytes(changed))
        assert journal.records == intact.records[:line]
        assert (
            journal.damage == f"line {line + 1} is {'cut off' if position == len(content) - 1 else 'damaged'}"
        )
        if byte == ord("\n"):
            cut = decode_journal(content[:position])
            assert (cut.records, cut.damage) == (intact.records[:line], f"line {line + 1} is cut off")
            line += 1
    assert line == len(intact.records)


def test_missing_repeated_and_swapped_lines_are_detected(game: Path) -> None:
    lines = game.read_bytes().splitlines(keepends=True)
    records = decode_journal(b"".join(lines)).records
    for number in range(len(lines) - 1):
        before, line, after = lines[:number], lines[number], lines[number + 1 :]
        for damaged, count in (
            ([*before, *after], number),
            ([*before, line, line, *after], number + 1),
            ([*before, after[0], line, *after[1:]], number),
        ):
            journal = decode_journal(b"".join(damaged))
            assert journal.records == records[:count]
            assert journal.damage == f"line {count + 1} is damaged"


def test_a_damaged_game_continues_and_its_tail_is_backed_up(tmp_path: Path) -> None:
    path = tmp_path / "game.armoon"
    play_game(path, 5, events=30)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 4
    path.write_bytes(damaged)
    saved = open_save(path)
    resume_setup(saved)
    assert re.match(rf"Line \d+ is damaged: the first {len(saved.moves)} moves are kept", saved.damage)
    file = GameFile.reopen(saved, keep=len(saved.moves))
    file.append([{"move": "rest"}])
    assert (tmp_path / "game.armoon.damaged").read_bytes() == damaged
    reopened = open_save(path)
    assert reopened.damage == ""
    assert reopened.moves == (*saved.moves, {"move": "rest"})
    file._writer.close()  # as if the program were killed
    # If the file is damaged again, the first backup is kept.
    path.write_bytes(path.read_bytes()[:-3])
    GameFile.reopen(open_save(path), keep=0)
    assert (tmp_path / "game.armoon.damaged").read_bytes() == damaged
    assert (tmp_path / "game.armoon.damaged-2").exists()


# Other files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"{}", b'{"kind": "header", "game": "moon"}\n', bytes(1000), os.urandom(500)],
    ids=["empty", "newline", "json", "log", "zeros", "random"],
)
def test_another_file_is_refused_and_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.armoon"
    path.write_bytes(content)
    with pytest.raises(SaveError, match=r"not a saved game of armoon.*Nothing was changed"):
        open_save(path)
    assert path.read_bytes() == content


def test_a_damaged_header_is_distinguished_from_another_file(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.armoon"
    path.write_bytes(game.read_bytes().replace(b"Ben", b"Bel", 1))
    with pytest.raises(SaveError, match=r"damaged in its first line.*choose another"):
        open_save(path)


def test_an_incomplete_header_is_refused(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    rewrite_header(file.path, header=3)
    with pytest.raises(SaveError, match=r"`header`: expected an object.*Open it with armoon"):
        open_save(file.path)


def test_a_file_that_is_too_large_is_refused(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_file, "MAX_BYTES", game.stat().st_size - 1)
    with pytest.raises(SaveError, match="not a saved game"):
        open_save(game)


# While a game runs --------------------------------------------------------------------------------------------


def test_a_full_disk_is_reported_once_and_written_lines_are_kept(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    file.append([{"move": 1}])
    FullDisk(file._writer._file, room_bytes=20)
    with pytest.raises(SaveError, match=r"No space left on device.*Make room"):
        file.append([{"move": 2}])
    file.append([{"move": 3}])
    file.close()
    saved = open_save(file.path)
    assert saved.moves == ({"move": 1},)
    assert "cut off" in saved.damage


def test_nothing_is_written_after_an_invalid_record(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    file.append([{"move": 1}])
    with pytest.raises(SaveError):
        file.append([{"move": math.nan}])
    file.append([{"move": 3}])
    file.close()
    assert open_save(file.path).moves == ({"move": 1},), "lines after a missing one couldn't be read"


def test_a_disk_that_fills_up_twice_is_reported_twice_and_nothing_is_missing(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    disk = FullDisk(file._writer._file)
    for number in range(2):
        disk.room_bytes = 20
        with pytest.raises(SaveError, match="No space left"):
            file.append([{"move": number}])
        file.append([{"move": "still full"}])
        disk.room_bytes = 10_000
        file.append([{"move": "room"}])
    file.close()
    saved = open_save(file.path)
    assert [move["move"] for move in saved.moves] == [0, "still full", "room", 1, "still full", "room"]
    assert (saved.damage, saved.closed) == ("", True)


@pytest.mark.parametrize("whole_folder", [False, True], ids=["file", "folder"])
def test_a_save_deleted_in_mid_game_is_restored(tmp_path: Path, whole_folder: bool) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    file = create_lake_file(folder)
    file.append([{"move": 1}])
    if whole_folder:
        shutil.rmtree(folder)
    else:
        file.path.unlink()
    with pytest.raises(SaveError, match="was deleted during the game and has been restored"):
        file.append([{"move": 2}])
    file.append([{"move": 3}])
    file.close()
    assert open_save(file.path).moves == ({"move": 1}, {"move": 2}, {"move": 3})


def test_a_file_that_replaced_the_save_is_not_overwritten(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    file.path.unlink()
    file.path.write_bytes(b"mine")
    with pytest.raises(SaveError, match="Another file has replaced"):
        file.append([{"move": 1}])
    file.append([{"move": 2}])
    file.close()
    assert file.path.read_bytes() == b"mine"


def test_two_windows_cannot_play_one_game(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    with pytest.raises(SaveError, match="being played in another window"):
        GameFile.reopen(open_save(file.path), keep=0)
    file.append([{"move": "mine"}])
    assert is_locked(file.path)
    assert open_save(file.path).moves == ({"move": "mine"},)
    file.close()
    GameFile.reopen(open_save(file.path), keep=1).close()


def test_saving_stops_when_another_program_has_written_the_file(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    with file.path.open("ab") as other:
        other.write(b"yours")
    with pytest.raises(SaveError, match="one window only"):
        file.append([{"move": "mine"}])
    file.append([{"move": "mine"}])
    assert file.path.read_bytes().endswith(b"\nyours")


def test_a_game_continued_since_it_was_read_is_not_resumed(tmp_path: Path) -> None:
    file = create_lake_file(tmp_path)
    saved = open_save(file.path)
    file.append([{"move": 1}])
    file.close()
    with pytest.raises(SaveError, match="has changed since"):
        GameFile.reopen(saved, keep=0)
