"""The game's log on disk: records are read back unchanged, and damage is reported once."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.saves_kit import FullDisk

from armoon.engine import logbook
from armoon.engine.logbook import VERSION, LogReader, LogWriter
from armoon.errors import LogError

HEADER = {"kind": "header", "version": VERSION, "seed": 3}
END = {"kind": "end", "tick": 5}


def write_log(path: Path, *records: dict[str, Any]) -> None:
    log = LogWriter(path)
    for record in records:
        log.write_record(record)
    log.close()


def test_records_are_read_in_the_order_written(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [HEADER, {"kind": "hands", "name": "Zoë “Z” Müller", "hands": None}, END]
    write_log(tmp_path / "new" / "folder" / "a.jsonl", *records)
    reader = LogReader(tmp_path / "new" / "folder" / "a.jsonl")
    assert list(reader.records) == records
    assert reader.header == HEADER
    assert reader.damage is None


def test_a_value_impossible_in_json_ends_the_log_with_a_message(tmp_path: Path) -> None:
    log = LogWriter(tmp_path / "a.jsonl")
    log.write_record(HEADER)
    with pytest.raises(LogError, match=r"can't be continued \(`x`: nan is not finite\)"):
        log.write_record({"kind": "hands", "x": float("nan")})
    log.write_record(END)
    log.close()
    assert list(LogReader(tmp_path / "a.jsonl").records) == [HEADER]


def test_a_verdict_is_on_disk_before_the_next_record(tmp_path: Path) -> None:
    log = LogWriter(tmp_path / "a.jsonl")
    log.write_record(HEADER)
    log.write_record({"kind": "verdict", "ok": True})
    assert [r["kind"] for r in LogReader(tmp_path / "a.jsonl").records] == ["header", "verdict"]
    log.close()


@pytest.mark.parametrize("cut", range(1, 20))
def test_the_log_ends_at_a_truncated_line(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.jsonl"
    write_log(path, HEADER, {"kind": "move", "die": "ONE"}, END)
    content = path.read_bytes()
    path.write_bytes(content[:-cut])
    reader = LogReader(path)
    if cut == 1:  # only the last newline is missing
        assert reader.damage is None
    else:
        assert list(reader.records) == [HEADER, {"kind": "move", "die": "ONE"}]
        assert reader.damage == "line 3 is cut or damaged"


def test_an_unfinished_game_is_reported(tmp_path: Path) -> None:
    write_log(tmp_path / "a.jsonl", HEADER, {"kind": "move"})
    assert "stops after line 2" in str(LogReader(tmp_path / "a.jsonl").damage)


def test_damage_in_the_middle_keeps_the_records_before(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_log(path, HEADER, {"kind": "move"}, {"kind": "verdict"}, END)
    lines = path.read_bytes().split(b"\n")
    lines[2] = b"\xff\x00 not a record"
    path.write_bytes(b"\n".join(lines))
    reader = LogReader(path)
    assert [r["kind"] for r in reader.records] == ["header", "move"]
    assert reader.damage == "line 3 is cut or damaged"


def test_a_full_disk_is_reported_once(tmp_path: Path) -> None:
    log = LogWriter(tmp_path / "a.jsonl")
    log.write_record(HEADER)
    FullDisk(log._file, room_bytes=5)
    with pytest.raises(LogError, match="No space left") as error:
        log.write_record({"kind": "move"})
    assert "Make room" in error.value.remedy
    log.write_record(END)  # neither this nor ``close`` reports it again
    log.close()
    reader = LogReader(tmp_path / "a.jsonl")
    assert list(reader.records) == [HEADER]
    assert reader.damage == "line 2 is cut or damaged"


def test_a_disk_that_is_full_only_at_the_end_is_reported_too(tmp_path: Path) -> None:
    log = LogWriter(tmp_path / "a.jsonl")
    log.write_record({"kind": "hands"})
    FullDisk(log._file)
    with pytest.raises(LogError, match="No space left"):
        log.close()


def test_a_log_deleted_in_mid_game_is_restored(tmp_path: Path) -> None:
    log = LogWriter(tmp_path / "games" / "a.jsonl")
    log.write_record(HEADER)
    shutil.rmtree(tmp_path / "games")
    with pytest.raises(LogError, match="was deleted during the game and has been restored"):
        log.write_record({"kind": "move"})
    log.write_record(END)
    log.close()
    assert list(LogReader(tmp_path / "games" / "a.jsonl").records) == [HEADER, {"kind": "move"}, END]


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_WAITING_BYTES"])
def test_a_log_has_a_maximum_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(logbook, limit, 2000)
    log = LogWriter(tmp_path / "a.jsonl")
    log.write_record(HEADER)
    reports: list[str] = []
    for _ in range(100):
        try:
            log.write_record({"kind": "hands", "x": "y" * 100})
        except LogError as error:
            reports.append(error.what)
    assert len(reports) == 1
    assert "can't be continued" in reports[0]
    log.write_record(END)
    log.close()
    assert (tmp_path / "a.jsonl").stat().st_size < 2500


# Overwriting --------------------------------------------------------------------------------------------------


def test_a_named_log_overwrites_nothing_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    with pytest.raises(LogError, match=r"mine\.txt already") as error:
        LogWriter(path)
    assert "--log" in error.value.remedy
    assert path.read_text() == "mine"


def test_a_log_that_replaces_a_link_keeps_its_target(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "mine.txt")
    log = LogWriter(tmp_path / "a.jsonl", replace=True)
    log.write_record(HEADER)
    log.close()
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert list(LogReader(tmp_path / "a.jsonl").records) == [HEADER]


def test_a_log_without_a_given_name_gets_an_unused_one(tmp_path: Path) -> None:
    logs = [LogWriter(tmp_path / "a.jsonl", named=False) for _ in range(3)]
    assert [log.path.name for log in logs] == ["a.jsonl", "a-2.jsonl", "a-3.jsonl"]
    for log in logs:
        log.close()


def test_two_logs_can_be_written_to_the_null_device() -> None:
    for log in [LogWriter(Path(os.devnull)) for _ in range(2)]:
        log.write_record(HEADER)
        log.close()
        assert log.path == Path(os.devnull)
