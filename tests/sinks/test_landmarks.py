"""Landmarks for research are written only with the player's consent, and contain only the promised data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from support.hands_kit import frame_of, stick_hand
from support.session_kit import AppSession, start, temporary_session

from armoon.engine.logbook import VERSION
from armoon.hands.landmarks import hands_to_dict
from armoon.screens.events import Request, SeatedPlayers, StartTrial
from armoon.sinks.files import HEADER_FIELDS, VERDICT_FIELDS, digest_task, save_landmarks
from armoon.values.acts import Act
from armoon.values.choices import SeatName
from armoon.values.pieces import Command

session = pytest.fixture(temporary_session)


def find_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("landmarks-*"))


def play_trial(session: AppSession) -> None:
    session.host.carry_out(
        StartTrial("moon", "place-three", SeatedPlayers(("Zoé",), ((1.0, 0.5, 0.2),)), SeatName.MIRROR)
    )
    session.run_ticks(60)
    assert session.host.table is not None
    for act in (Act.ROLL, Act.GIVE_UP):
        session.host.table.controls.add_command(Command(act))
        session.run_ticks(5)


def read_lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_nothing_is_written_without_consent(session: AppSession, tmp_path: Path) -> None:
    play_trial(session)
    session.host.carry_out(Request.OPEN_TRIALS)
    session.host.carry_out(Request.LEAVE_GAME)
    assert find_files(tmp_path) == []


def make_log(path: Path) -> Path:
    task = {"name": "place-three", "deal": ["L07"], "kind": "place"}
    header = dict.fromkeys(HEADER_FIELDS, 1) | {
        "kind": "header",
        "version": VERSION,
        "game": "moon",
        "began": "2026-11-24T00:15:00",
    }
    records: list[dict[str, Any]] = [header | {"players": ["Zoé"], "options": {"trial": task}}]
    for k in range(10):
        hands = frame_of(stick_hand((0.0, 0.0, 0.5)), time_s=100.0 + k / 15.0)
        plain = hands_to_dict(hands) if k % 2 == 0 else None
        records.append({"kind": "hands", "now_s": 100.05 + k / 15.0, "ticks": 4, "hands": plain})
    verdict = dict.fromkeys(VERDICT_FIELDS, None) | {"ok": True, "fallen": ["L02"], "turn": 1}
    records.append({"kind": "verdict", "tick": 7, "player": "Zoé", "tally": {"Zoé": 0}} | verdict)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_the_file_has_only_landmarks_times_task_and_verdicts(tmp_path: Path) -> None:
    log = make_log(tmp_path / "log.jsonl")
    message = save_landmarks(log, tmp_path)
    (path,) = find_files(tmp_path)
    assert path.name in message
    assert str(path.parent) in message
    header, *lines = read_lines(path)
    assert set(header) == {"kind", "version", "trial", "task", *HEADER_FIELDS}
    assert header["trial"] == "place-three"
    assert header["task"] == digest_task({"kind": "place", "deal": ("L07",), "name": "place-three"})
    assert [line["kind"] for line in lines] == ["hands"] * 5 + ["verdict"]
    assert [line["time_s"] for line in lines[:5]] == pytest.approx([2.0 * k / 15.0 for k in range(5)])
    assert lines[5]["time_s"] == pytest.approx(0.05 + 9.0 / 15.0)
    assert all(set(line) == {"kind", "time_s", "frame", "size", "hands"} for line in lines[:5])
    assert all(set(hand) == {"px", "world", "side", "score"} for line in lines[:5] for hand in line["hands"])
    assert set(lines[5]) == {"kind", "time_s", *VERDICT_FIELDS}
    packed = path.read_bytes()
    assert "Zo" not in gzip.decompress(packed).decode()
    assert packed[3:8] == bytes(5), "the archive contains neither a name nor a time"
    save_landmarks(log, tmp_path)
    assert len(find_files(tmp_path)) == 2, "no file is overwritten"


def test_consent_on_the_page_writes_the_last_trial(session: AppSession, tmp_path: Path) -> None:
    play_trial(session)
    session.host.carry_out(Request.LEAVE_GAME)
    session.host.carry_out(Request.SAVE_LANDMARKS)
    (path,) = find_files(tmp_path)
    message = session.host._front.screens.picture
    assert path.name in message
    assert str(path.parent) in message
    assert read_lines(path)[0]["trial"] == "place-three"


def test_a_game_other_than_a_trial_is_not_saved(session: AppSession, tmp_path: Path) -> None:
    session.host.carry_out(start("moon"))
    session.run_ticks(10)
    session.host.carry_out(Request.SAVE_LANDMARKS)
    assert save_landmarks(None, tmp_path)
    assert find_files(tmp_path) == []
