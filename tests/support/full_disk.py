"""A disk that is full until somebody makes room."""

from __future__ import annotations

import errno
from typing import Any

from armoon.codec.growing import GrowingFile


class FullDisk:
    """Stands before the disk of one file: takes so many bytes, then no more."""

    def __init__(self, growing: GrowingFile, room_bytes: int = 0) -> None:
        self._file: Any = growing._file
        self.room_bytes = room_bytes
        growing._file = self  # type: ignore[assignment]

    def write(self, content: bytes) -> int:
        if not self.room_bytes:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = int(self._file.write(content[: self.room_bytes]))
        self.room_bytes -= written
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
