"""`armoon licences`: every file except code is in exactly one row, and every row has files."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

from support.checkout import CHECKOUT
from support.command_line import run

from armoon.cli.licences import read_licences

#: Code and documentation under the project's licence, and files that aren't shipped.
OURS = re.compile(r"\.(py|pyc|md|typed)$|__pycache__|/\.")
FOLDERS = ("armoon", "calibration", "shaders", "docs", "scripts", "tests")


def list_other_files() -> list[str]:
    files = [path for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*") if path.is_file()]
    names = [path.relative_to(CHECKOUT).as_posix() for path in files]
    return sorted(name for name in names if not OURS.search(name))


def test_every_file_except_code_has_one_row_and_every_row_has_files() -> None:
    rows = [pattern for licence in read_licences() for pattern in licence.files]
    files = list_other_files()
    assert len(files) > 150
    narrow = [row for row in rows if row != "scripts/*"]
    by_file = {name: [row for row in narrow if fnmatch(name, row)] or ["scripts/*"] for name in files}
    assert {name: patterns for name, patterns in by_file.items() if len(patterns) > 1} == {}
    assert [name for name, patterns in by_file.items() if not fnmatch(name, patterns[0])] == []
    assert [row for row in rows if [row] not in by_file.values()] == []
    assert [
        name for name, patterns in by_file.items() if patterns == ["scripts/*"] and name.count("/") > 1
    ] == []


def test_the_command_shows_every_row() -> None:
    result = run("licences")
    assert result.exit_code == 0
    for row in read_licences():
        assert all(word in result.output for word in (row.what, row.origin, row.licence, *row.files))
    assert "OFL.txt" in result.output


def test_the_locked_packages_have_hashes() -> None:
    locked = (CHECKOUT / "scripts" / "constraints.txt").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", "\n".join(re.sub(r"(?m)^#.*\n", "", locked).splitlines()))
    assert len(entries) > 50
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert Path(CHECKOUT / "LICENSE").is_file()
