"""What a table keeps of its games with others, for a program that is started again: its key, and the journal."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.settings.files import games_folder

if TYPE_CHECKING:
    from armoon.remote.journal import Journal
    from armoon.remote.link import Link
    from armoon.remote.seal import Seal

#: Age at which the files of an untouched game are removed, in seconds: 30 days.
OLD_S = 30 * 24 * 3600.0


def kept_key(link: Link, *, hosts: bool) -> bytes | None:
    """Return this table's own key, if it has been in this game before."""
    with suppress(OSError):
        content = _file(link, "key", hosts=hosts).read_bytes()
        if len(content) == len(link.key):
            return content
    return None


def keep_key(link: Link, seal: Seal) -> None:
    """Keep this table's key for a program that is started again; nobody else may read it."""
    _tidy()
    with suppress(OSError):
        path = _file(link, "key", hosts=seal.table == link.host)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "wb") as kept:
            kept.write(seal.own)


def journal_of(link: Link, version: str, *, hosts: bool) -> Journal:
    """Return the game's journal, which begins with the version of the program that has begun it.

    Raises ArmoonError where that was another one: it would come to other bits.
    """
    from armoon.remote.journal import Journal

    journal = Journal(_file(link, "journal", hosts=hosts))
    if journal.packets and journal.packets[0] != version.encode():
        why = text("remote.other_version")
        raise ArmoonError(why, remedy=text("remote.other_version_remedy"))
    return journal


def _file(link: Link, kind: str, *, hosts: bool) -> Path:
    """Return where something of this table is; host and guest may play at one computer."""
    return games_folder() / f"remote-{link.room}{'-host' if hosts else ''}.{kind}"


def _tidy() -> None:
    with suppress(OSError):
        for path in games_folder().glob("remote-*.*"):
            with suppress(OSError):
                if path.stat().st_mtime < time.time() - OLD_S:
                    path.unlink()
