"""Reading of files that may be damaged or hostile, and safe writing of files that other programs may be using."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO

from armoon.codec import MalformedError
from armoon.messages import text
from armoon.processes.system import lock_file, replace_file

#: Default maximum size of a file, in bytes, so that a video isn't read by mistake.
MAX_BYTES = 16 * 1024 * 1024


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading. Raises OSError, or MalformedError for a device or a pipe, which might never end."""
    file = open(path, "rb", opener=_open_nonblocking)  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise MalformedError("a device or a pipe, not a file")
    return file


def read_bytes(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return a file's content. Raises OSError, or MalformedError for a device, a pipe, or more than ``max_bytes``."""
    with open_file(path) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        size = f"{max_bytes // 1024**2} MB" if max_bytes >= 1024**2 else f"{max_bytes // 1024} kB"
        raise MalformedError(f"larger than {size}")
    return content


def _open_nonblocking(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


#: Maximum wait for a file's lock, in seconds. Programs hold a lock for milliseconds unless they are suspended.
PATIENCE_S = 10.0
_RETRY_S = 0.01
#: Maximum age of a draft, in seconds; older ones were left behind by killed programs.
_MAX_DRAFT_AGE_S = 3600.0


def write_whole(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Replace a file, or a link's target, atomically: a kill or a power cut leaves the old or the new content.

    Only the owner can read a ``secret`` file and its draft. Raises OSError.
    """
    path = Path(os.path.realpath(path))
    draft = _write_draft(path.parent, content, 0o600 if secret else 0o666)
    try:
        replace_file(draft, path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_new(path: Path, content: bytes) -> None:
    """Create a file atomically. Raises FileExistsError if it exists, or another OSError."""
    _remove_old_drafts(path.parent)
    draft = _write_draft(path.parent, content)
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        _create_synced(path, content)
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(path.parent)


@contextmanager
def locked(path: Path, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Lock a file while it is read, changed and replaced; create its folder if needed.

    The lock is on a hidden file beside it, and ends with the process. Raises OSError, or its subclass TimeoutError
    after ``patience_s``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("ab") as file:
        end_s = time.monotonic() + patience_s
        while not lock_file(file.fileno()):
            if time.monotonic() > end_s:
                raise TimeoutError(None, text("fault.os.changing"))
            time.sleep(_RETRY_S)
        yield


def is_locked(path: Path) -> bool:
    """Return whether any program, including this one, holds the file's lock; it is released after a crash."""
    try:
        with path.open("rb") as file:
            return not lock_file(file.fileno())
    except OSError:
        return False


def _write_draft(folder: Path, content: bytes, mode: int = 0o666) -> Path:
    draft = folder / f".{secrets.token_hex(8)}.part"
    _create_synced(draft, content, mode)
    return draft


def _create_synced(path: Path, content: bytes, mode: int = 0o666) -> None:
    try:
        with open(path, "xb", opener=partial(os.open, mode=mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise  # don't delete another program's file
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _remove_old_drafts(folder: Path) -> None:
    with suppress(OSError):
        for draft in folder.glob(".*.part"):
            with suppress(OSError):
                if time.time() - draft.stat().st_mtime > _MAX_DRAFT_AGE_S:
                    draft.unlink()


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that a new name in it survives a power cut. Windows neither has nor needs this call."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class GrowingFile:
    """A file to which bytes are appended; bytes that can't be written stay in a buffer until the next ``write``."""

    def __init__(self, path: Path, *, new: bool) -> None:
        """Open and lock the file; a ``new`` file must not exist. Raises OSError, or BlockingIOError if it is locked."""
        self.path = path
        self._file = path.open("x+b" if new else "a+b", buffering=0)
        self._waiting = bytearray()
        is_regular = stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
        if is_regular and not lock_file(self._file.fileno()):
            self._file.close()
            raise BlockingIOError(None, text("fault.os.writing"))

    @property
    def waiting_bytes(self) -> int:
        return len(self._waiting)

    @property
    def size_bytes(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def truncate(self, size_bytes: int) -> None:
        os.truncate(self._file.fileno(), size_bytes)

    def buffer(self, content: bytes) -> None:
        self._waiting += content

    def write(self, *, sync: bool = False) -> None:
        """Write the buffer. Raises OSError; unwritten bytes stay in the buffer."""
        while self._waiting:
            written = self._file.write(self._waiting)
            if written is None:  # a full pipe without a reader
                raise BlockingIOError(None, text("fault.os.unread"))
            del self._waiting[:written]
        if sync:
            os.fsync(self._file.fileno())

    @property
    def is_gone(self) -> bool:
        try:
            return not os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except OSError:
            return True

    def restore(self) -> None:
        """Restore a deleted file and its folder. Raises OSError, or FileExistsError if the name is taken."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        copy = self.path.open("x+b", buffering=0)
        try:
            lock_file(copy.fileno())
            self._file.seek(0)
            shutil.copyfileobj(self._file, copy)
            os.fsync(copy.fileno())
        except OSError:
            copy.close()
            self.path.unlink(missing_ok=True)
            raise
        self._file.close()
        self._file = copy

    def close(self) -> None:
        self._file.close()
