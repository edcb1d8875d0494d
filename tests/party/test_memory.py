"""A party can be resumed after a restart, for up to twelve hours."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from support.waiting import until

from armoon.codec import convert, parse
from armoon.party.memory import FILE, KEY_LIFETIME_S, PartyFile, SavedParty
from armoon.party.votes import Guest, SavedGuests

GUESTS = SavedGuests({"a": Guest("Luna", 3), "b": Guest("Max", waiting=True)}, False, ("holds",), 7, True)


def test_a_restarted_program_has_the_same_keys_and_guests(tmp_path: Path) -> None:
    first = PartyFile(tmp_path)
    first.save_changes(kept=GUESTS)
    first.close(ended=False)
    reloaded = PartyFile(tmp_path)
    assert reloaded.keys == first.keys
    assert reloaded.state.kept == GUESTS
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0, "others can read the file"


def test_two_changes_in_a_row_are_both_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armoon.party.memory.WRITE_INTERVAL_S", 0.05)
    memory = PartyFile(tmp_path)
    memory.save_changes(batched=True, kept=GUESTS)
    later = replace(GUESTS, number=8)
    memory.save_changes(batched=True, kept=later)
    until(lambda: convert(SavedParty, parse((tmp_path / FILE).read_bytes())).kept == later)


def test_programs_at_different_ports_have_separate_parties(tmp_path: Path) -> None:
    file, other = PartyFile(tmp_path), PartyFile(tmp_path, 9000)
    other.save_changes(kept=GUESTS)
    other.close(ended=False)
    assert file.keys.join != other.keys.join
    assert PartyFile(tmp_path).state.kept is None
    assert PartyFile(tmp_path, 9000).state.kept == GUESTS


def test_the_code_and_certificate_survive_a_restart_but_not_the_end_of_the_party(tmp_path: Path) -> None:
    first = PartyFile(tmp_path)
    first.save_changes(code="MNPQ", certificate="key and certificate")
    assert PartyFile(tmp_path).state.code == "MNPQ"
    first.close(ended=True)
    assert (PartyFile(tmp_path).state.code, PartyFile(tmp_path).state.certificate) == ("", "")


def test_after_the_party_the_old_code_fails_but_obs_finds_its_overlay(tmp_path: Path) -> None:
    first = PartyFile(tmp_path)
    first.save_changes(kept=GUESTS)
    first.close(ended=True)
    next_one = PartyFile(tmp_path)
    assert next_one.keys.view == first.keys.view
    assert {next_one.keys.join, next_one.keys.host}.isdisjoint({first.keys.join, first.keys.host})
    assert next_one.state.kept is None


@pytest.mark.parametrize("late_s", [KEY_LIFETIME_S + 1.0, -60.0], ids=["the next day", "a clock set back"])
def test_a_saved_party_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late_s: float) -> None:
    first = PartyFile(tmp_path)
    first.save_changes(kept=GUESTS)
    first.close(ended=False)
    now_s = time.time() + late_s
    monkeypatch.setattr(time, "time", lambda: now_s)
    later = PartyFile(tmp_path)
    assert later.keys.view == first.keys.view
    assert later.keys.join != first.keys.join
    assert later.state.kept is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"view": 3}',
        '{"view": "../../etc/passwd0000"}',
        '{"view": "x", "kept": {"guests": 1}}',
    ],
)
def test_a_broken_file_loses_only_the_old_keys(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    memory = PartyFile(tmp_path)
    assert all(16 <= len(key) <= 64 for key in (memory.keys.view, memory.keys.join, memory.keys.host))
    assert json.loads((tmp_path / FILE).read_text())["view"] == memory.keys.view


@pytest.mark.skipif(os.name != "posix", reason="Windows has other file permissions")
def test_the_keys_are_never_readable_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    permissions: list[int] = []
    replaced = os.replace

    def replace_watched(draft: Path, path: Path) -> None:
        permissions.append(draft.stat().st_mode & 0o077)
        replaced(draft, path)

    before = os.umask(0)
    try:
        monkeypatch.setattr(os, "replace", replace_watched)
        PartyFile(tmp_path).save_changes(code="MNPQ", certificate="key and certificate")
    finally:
        os.umask(before)
    assert set(permissions) == {0}
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
