"""A file of another version is refused in one sentence that names both versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.readers_kit import READERS, Reader, outcome, signed

#: By reader, the field of its file that holds the version.
FIELDS = {
    **dict.fromkeys(("moon log", "lake log", "moon save", "lake save", "players", "results"), "version"),
    **dict.fromkeys(("feed", "table's feed"), "feed"),
}
VERSIONED = [reader for reader in READERS if reader.name in FIELDS]


def of_version(reader: Reader, version: object) -> bytes:
    first, *others = reader.good.decode().splitlines()
    if reader.name.endswith("save"):
        lines = [line.partition(" ")[2] for line in (first, *others)]
        return signed([json.dumps(json.loads(lines[0]) | {"version": version}), *lines[1:]])
    if reader.name.endswith("log"):
        return "\n".join([json.dumps(json.loads(first) | {"version": version}), *others, ""]).encode()
    return json.dumps(json.loads(reader.good) | {FIELDS[reader.name]: version}).encode()


@pytest.mark.parametrize("version", [0, 2, 99])
@pytest.mark.parametrize("reader", VERSIONED, ids=lambda reader: reader.name)
def test_a_file_of_another_version_is_refused(reader: Reader, version: int, tmp_path: Path) -> None:
    assert outcome(reader, of_version(reader, 1), tmp_path) == ""
    said = outcome(reader, of_version(reader, version), tmp_path)
    assert f"is of version {version}; this program reads version 1" in said
