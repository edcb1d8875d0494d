"""Bugs planted by hand, with the quick tests that notice them: the table ``planted.toml``.

Some of them once went unnoticed. ``scripts/mutate --planted [WORD]`` plants each of them again. A row whose
text is missing is reported: its code has changed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class Row(NamedTuple):
    """One bug: in a file below ``armoon``, one text is replaced by another; the tests are files below ``tests``."""

    file: str
    text: str
    bug: str
    tests: tuple[str, ...]


def _read_rows() -> tuple[Row, ...]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        Row(entry["file"], text, bug, tuple(entry["tests"]))
        for entry in table["planted"]
        for text, bug in entry["bugs"]
    )


ROWS = _read_rows()
