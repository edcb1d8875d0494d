"""Readers of files with arbitrary contents raise only their documented errors.

They overwrite nothing: an unreadable file stays unchanged or is renamed.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.every_case import every_case
from support.readers_kit import READER, READERS, Reader, make_short_log, outcome, sign_lines
from support.samples import SAMPLES

from armoon import broadcast
from armoon.engine import logbook
from armoon.engine.logbook import LogReader
from armoon.errors import LogError
from armoon.games.library import list_games, list_unfinished, read_intakes
from armoon.saves import game_file
from armoon.saves.files import SaveError

RAW = {
    "empty": b"",
    "newline": b"\n",
    "nul": bytes(4096),
    "binary": bytes(range(256)) * 40,
    "random": os.urandom(5000),
    "brackets": b"[" * 1_000_000,
    "deep list": b"[" * 100_000 + b"]" * 100_000,
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "nan": b"NaN",
    "infinity": b"-Infinity",
    "huge": b"1" + b"0" * 400,
    "5000 digits": b"7" * 5000,
    "half a surrogate pair": b'"\\ud800"',
    "null": b"null",
    "true": b"true",
    "list": b"[]",
    "object": b"{}",
    "utf-16": '{"format": "armoon players"}'.encode("utf-16"),
    "one long line": b'{"kind":"header","x":"' + b"x" * 2_000_000,
}


@READER
@every_case("content", RAW)
def test_a_file_without_the_format_is_refused(reader: Reader, content: str, tmp_path: Path) -> None:
    message = outcome(reader, RAW[content], tmp_path)
    assert message or reader.name == "preferences"


@READER
def test_a_good_file_is_read(reader: Reader, tmp_path: Path) -> None:
    assert outcome(reader, reader.good, tmp_path) == ""


@READER
def test_a_truncated_file_is_refused_or_read(reader: Reader, tmp_path: Path) -> None:
    step = max(1, len(reader.good) // 60)
    for length in range(0, len(reader.good), step):
        outcome(reader, reader.good[:length], tmp_path)


@READER
def test_a_file_of_another_kind_is_refused(reader: Reader, tmp_path: Path) -> None:
    """Files of all formats are tried under this reader's file name."""
    for other in READERS:
        message = outcome(reader, other.good, tmp_path)
        kind, of_other = reader.name.split()[-1], other.name.split()[-1]
        assert bool(message) == (kind != of_other) or reader.name == "preferences"


@READER
def test_a_folder_a_pipe_and_a_dangling_link_are_refused(reader: Reader, tmp_path: Path) -> None:
    for kind in ("folder", "pipe", "link", "loop"):
        folder = tmp_path / kind
        folder.mkdir()
        path = reader.where(folder)
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to(folder / "nowhere" if kind == "link" else path)
        # Such files may be reported, but must not be deleted.
        with suppress(*(reader.raises or (SaveError,))):
            reader.read(path)
        assert path.is_symlink() or path.exists() or list(folder.glob("*.broken")), "nothing is deleted"


# Regressions --------------------------------------------------------------------------------------------------


def read_moon_lines() -> list[Any]:
    content = (SAMPLES / "moon.armoon").read_text(encoding="utf-8")
    return [json.loads(line[9:]) for line in content.splitlines()]


def change_header(**change: Any) -> list[str]:
    lines = read_moon_lines()
    lines[0]["header"] |= change
    return [json.dumps(line) for line in lines]


def insert_moves(text: str) -> list[str]:
    lines = [json.dumps(line) for line in read_moon_lines()]
    lines[1:1] = ['{"kind": "moves", "moves": ' + text + "}"]
    return lines


BAD_SAVES = {
    "names that aren't text": change_header(players=[1, None, {}]),
    "half a surrogate pair": change_header(players=["\udcff", "Ben", "Cleo"]),
    "moves that aren't moves": insert_moves("[true]"),
    "an infinite turn": [
        json.dumps(line).replace('"turn": 1', '"turn": Infinity') for line in read_moon_lines()
    ],
    "a huge seed": change_header(seed=10**400),
    "more kept than there were": [
        *map(json.dumps, read_moon_lines()),
        '{"kind": "resumed", "keep": 999, "again": []}',
    ],
    "deeply nested moves": insert_moves("[" * 100_000 + "]" * 100_000),
}


@pytest.mark.parametrize("lines", BAD_SAVES.values(), ids=BAD_SAVES.keys())
def test_a_bad_save_does_not_affect_the_others(lines: list[str], tmp_path: Path) -> None:
    good = tmp_path / "good.armoon"
    shutil.copy(SAMPLES / "moon.armoon", good)
    bad = tmp_path / "bad.armoon"
    bad.write_bytes(sign_lines(lines))
    os.utime(good, (1, 1))
    (tmp_path / "link.armoon").symlink_to(tmp_path / "gone")
    entries = {entry.path.name: entry for entry in list_games(tmp_path)}
    assert set(entries) == {"good.armoon", "bad.armoon", "link.armoon"}
    assert not entries["good.armoon"].trouble
    assert entries["good.armoon"].summary is not None
    assert entries["bad.armoon"].trouble
    assert "no saved game" in entries["link.armoon"].trouble
    # The lines before a damaged one are kept, and the game continues from there.
    offered = [game.path.name for game in list_unfinished(tmp_path)]
    assert offered in (["good.armoon"], ["bad.armoon", "good.armoon"])


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"kind":"hands","now_s":0.1,"ticks":1000000000}', "ticks"),
        ('{"kind":"hands","now_s":"soon","ticks":1}', "now_s"),
        (
            '{"kind":"hands","now_s":0.1,"ticks":1,"hands":null,"commands":[["fly","keys",0]]}',
            r"commands\[0\]",
        ),
    ],
)
def test_an_invalid_intake_is_reported_with_line_and_field(line: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = make_short_log("moon").decode().splitlines()
    plain = {**json.loads(lines[1]), **json.loads(line)}
    path.write_text("\n".join([lines[0], json.dumps(plain), *lines[1:], ""]), encoding="utf-8")
    with pytest.raises(LogError, match=rf"Line 2 of .*{error}"):
        list(read_intakes(LogReader(path)))


def test_the_log_ends_at_landmarks_that_are_not_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = make_short_log("moon").decode().splitlines()
    hands = json.loads(lines[2])
    hands["hands"]["hands"][0]["px"][3][0] = math.nan
    path.write_text("\n".join([*lines[:2], json.dumps(hands), *lines[3:], ""]), encoding="utf-8")
    reader = LogReader(path)
    assert reader.damage == "line 3 is cut or damaged"
    assert len(list(reader.records)) == 2


#: Field that contains the version of each reader's file, and the version.
FIELDS = {
    **dict.fromkeys(("moon log", "lake log"), ("version", logbook.VERSION)),
    **dict.fromkeys(("moon save", "lake save"), ("version", game_file.VERSION)),
    **dict.fromkeys(("players", "results"), ("version", 1)),
    **dict.fromkeys(("feed", "table's feed"), ("feed", broadcast.VERSION)),
}
VERSIONED = [reader for reader in READERS if reader.name in FIELDS]


def make_file_of_version(reader: Reader, version: object) -> bytes:
    first, *others = reader.good.decode().splitlines()
    if reader.name.endswith("save"):
        lines = [line.partition(" ")[2] for line in (first, *others)]
        return sign_lines([json.dumps(json.loads(lines[0]) | {"version": version}), *lines[1:]])
    if reader.name.endswith("log"):
        return "\n".join([json.dumps(json.loads(first) | {"version": version}), *others, ""]).encode()
    return json.dumps(json.loads(reader.good) | {FIELDS[reader.name][0]: version}).encode()


@pytest.mark.parametrize("version", [0, 99])
@pytest.mark.parametrize("reader", VERSIONED, ids=lambda reader: reader.name)
def test_a_file_of_another_version_is_refused(reader: Reader, version: int, tmp_path: Path) -> None:
    expected = FIELDS[reader.name][1]
    assert outcome(reader, make_file_of_version(reader, expected), tmp_path) == ""
    message = outcome(reader, make_file_of_version(reader, version), tmp_path)
    assert f"is of version {version}; this program reads version {expected}" in message
