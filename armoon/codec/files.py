"""JSON files, possibly damaged or hostile."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from armoon.codec.wording import MalformedError

#: Maximum size of a kept file or description, in bytes: a film mustn't be read in by mistake.
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
        size = f"{largest // 1024**2} MB" if largest >= 1024**2 else f"{largest // 1024} kB"
        raise MalformedError(f"larger than {size}")
    return content


def _open_at_once(path: str, flags: int) -> int:
    """Without waiting for a pipe's writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
