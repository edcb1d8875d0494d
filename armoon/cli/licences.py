"""`armoon licences`: lists the third-party files in the package, with their origins and licences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import armoon
from armoon.cli.commands import command
from armoon.cli.common import say
from armoon.codec import decode_json
from armoon.messages import text

TABLE = Path(armoon.__file__).parent / "licences.json"
#: Table of Python, packages and libraries in the AppImage (scripts/appimage); missing in other installations.
BUNDLE_TABLE = TABLE.with_name("bundled.json")


@dataclass(frozen=True)
class BundledFiles:
    """Files with the same origin and licence."""

    what: str
    files: tuple[str, ...]
    """Path patterns in the source."""
    origin: str
    licence: str


def read_licences(table: Path = TABLE) -> tuple[BundledFiles, ...]:
    """Return the rows of a table of files. Raises ArmoonError."""
    return decode_json(dict[str, tuple[BundledFiles, ...]], table.read_bytes(), "licence.broken")["bundled"]


@command()
def licences() -> int:
    say(text("licence.own"))
    _print_table(read_licences())
    if BUNDLE_TABLE.is_file():
        say("\n" + text("licence.brought"))
        _print_table(read_licences(BUNDLE_TABLE))
    return 0


def _print_table(table: tuple[BundledFiles, ...]) -> None:
    for entry in table:
        fields = {"what": entry.what, "files": ", ".join(entry.files), "origin": entry.origin}
        say("\n" + text("licence.row", **fields, licence=entry.licence))
