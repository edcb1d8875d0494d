"""Files of JSON that somebody may have put in the way of the program."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from armoon.codec.wording import MalformedError

#: Kept files and descriptions have some kilobytes; nobody's film is read in by mistake.
LARGEST_BYTES = 16 * 1024 * 1024


def open_file(path: Path) -> BinaryIO:
    """Return a file to read. Raises OSError, and MalformedError for a device or a pipe, which may never end."""
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise MalformedError("no file but a device or a pipe")
    return file


def read_bytes(path: Path, largest: int = LARGEST_BYTES) -> bytes:
    """Return the content of a file. Raises OSError, and MalformedError for a larger one, a device or a pipe."""
    with open_file(path) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise MalformedError(f"larger than {largest // 1024**2} MB")
    return content


def _open_at_once(path: str, flags: int) -> int:
    """Without waiting for somebody to write into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
