"""An append-only file that survives full disks and deleted folders: unwritten data waits in memory."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from armoon.processes.system import lock


class GrowingFile:
    """Appends bytes to a file and never loses their order: what a disk didn't take is written first the next time."""

    def __init__(self, path: Path, *, new: bool) -> None:
        """Open the file; with ``new`` there must be none of that name.

        Raises OSError; FileExistsError, BlockingIOError where another program is writing it.
        """
        self.path = path
        self._file = path.open("x+b" if new else "a+b", buffering=0)
        self._waiting = bytearray()
        kept = stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
        if kept and not lock(self._file.fileno()):
            self._file.close()
            raise BlockingIOError(None, "another program is writing it")

    @property
    def waiting_bytes(self) -> int:
        """Bytes not yet on disk."""
        return len(self._waiting)

    @property
    def size_bytes(self) -> int:
        """Bytes on disk. Raises OSError."""
        return os.fstat(self._file.fileno()).st_size

    def cut(self, size_bytes: int) -> None:
        """Take away what stands behind this. Raises OSError."""
        os.truncate(self._file.fileno(), size_bytes)

    def put(self, content: bytes) -> None:
        """Lay down what ``write`` is to write; this can't fail."""
        self._waiting += content

    def write(self, *, sync: bool = False) -> None:
        """Write all that waits. Raises OSError; what wasn't taken goes on waiting."""
        while self._waiting:
            written = self._file.write(self._waiting)
            if written is None:  # a pipe that nobody empties
                raise BlockingIOError(None, "nobody takes it")
            del self._waiting[:written]
        if sync:
            os.fsync(self._file.fileno())

    @property
    def gone(self) -> bool:
        """The file can't be found any more: it was deleted, or replaced by another."""
        try:
            return not os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except OSError:
            return True

    def restore(self) -> None:
        """Write a deleted file again, with its folder. Raises OSError; FileExistsError where another took its place."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        again = self.path.open("x+b", buffering=0)
        try:
            lock(again.fileno())
            self._file.seek(0)
            shutil.copyfileobj(self._file, again)
            os.fsync(again.fileno())
        except OSError:
            again.close()
            self.path.unlink(missing_ok=True)
            raise
        self._file.close()
        self._file = again

    def close(self) -> None:
        """Give the file back; what waits is lost."""
        self._file.close()
