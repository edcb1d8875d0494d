"""The command about licences: where every shipped file that is no code comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import armoon
from armoon.cli.common import ends_plainly, say
from armoon.codec import decode_json

TABLE = Path(armoon.__file__).parent / "licences.json"

#: Only in the one file for Linux, which brings Python, packages and libraries along (scripts/appimage).
BROUGHT = TABLE.with_name("brought.json")


@dataclass(frozen=True)
class Bundled:
    """Files that belong together."""

    what: str
    files: tuple[str, ...]
    """Patterns of their paths in the source."""
    origin: str
    licence: str


def read_licences(table: Path = TABLE) -> tuple[Bundled, ...]:
    """Return the table of all files that are no code and no page of documentation. Raises ArmoonError."""
    what, remedy = "The table of licences is broken", "Install armoon again."
    return decode_json(dict[str, tuple[Bundled, ...]], table.read_bytes(), what, remedy)["bundled"]


@ends_plainly
def licences() -> int:
    """Show where every shipped file comes from, and under which licence it stands."""
    say(
        "armoon's own code and documentation: MIT, written for armoon. Packages that it uses stand under their own"
    )
    say("licences, and are shipped only with the one file for Linux (docs/dependencies.md). All other files:")
    _list(read_licences())
    if BROUGHT.is_file():
        say("\nWhat this file for Linux brings along (the texts are in it, beside the files named):")
        _list(read_licences(BROUGHT))
    return 0


def _list(table: tuple[Bundled, ...]) -> None:
    for one in table:
        say(
            f"\n{one.what}\n  files    {', '.join(one.files)}\n  origin   {one.origin}\n  licence  {one.licence}"
        )
