"""JSON files, possibly damaged or hostile."""

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
from armoon.processes.system import lock, replace

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
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


#: Changing a kept file takes milliseconds; who holds it longer was stopped.
PATIENCE_S = 10.0
_RETRY_S = 0.01
#: A draft that is older than this was left by a program that was killed.
_DRAFT_LIVES_S = 3600.0


def write_whole(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Replace a file: after a kill or a power cut there is the old one or the new one. Raises OSError.

    Where ``path`` is a link, the file that it leads to is replaced, and the link stays. Nobody but its owner may ever
    read a ``secret`` one, nor its draft.
    """
    path = Path(os.path.realpath(path))
    draft = _draft(path.parent, content, 0o600 if secret else 0o666)
    try:
        replace(draft, path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_new(path: Path, content: bytes) -> None:
    """Begin a file, all of it or nothing. Raises FileExistsError where there is one, and OSError."""
    _sweep(path.parent)
    draft = _draft(path.parent, content)
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a disk that knows no links
        _fill(path, content)
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(path.parent)


@contextmanager
def locked(path: Path, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Alone with a file that is read, changed and replaced; the folder is made if need be.

    Others wait their turn. The lock lies beside the file and ends with the process that holds it, however that ends.
    Raises OSError, TimeoutError after ``patience_s``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("ab") as file:
        end_s = time.monotonic() + patience_s
        while not lock(file.fileno()):
            if time.monotonic() > end_s:
                raise TimeoutError(None, "another program is changing it")
            time.sleep(_RETRY_S)
        yield


def held(path: Path) -> bool:
    """Return whether a program holds this file's lock. Raises OSError where it can't be opened."""
    with path.open("rb") as file:
        return not lock(file.fileno())


def _draft(folder: Path, content: bytes, mode: int = 0o666) -> Path:
    draft = folder / f".{secrets.token_hex(8)}.part"
    _fill(draft, content, mode)
    return draft


def _fill(path: Path, content: bytes, mode: int = 0o666) -> None:
    try:
        with open(path, "xb", opener=partial(os.open, mode=mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise  # it is somebody else's
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _sweep(folder: Path) -> None:
    with suppress(OSError):
        for draft in folder.glob(".*.part"):
            with suppress(OSError):
                if time.time() - draft.stat().st_mtime > _DRAFT_LIVES_S:
                    draft.unlink()


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder last through a power cut; Windows has no such call, and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class GrowingFile:
    """Appends bytes to a file and never loses their order: what a disk didn't take is written first the next time."""

    def __init__(self, path: Path, *, new: bool) -> None:
        """Open the file, a ``new`` one exclusively. Raises OSError; BlockingIOError where another program writes it."""
        self.path = path
        self._file = path.open("x+b" if new else "a+b", buffering=0)
        self._waiting = bytearray()
        kept = stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
        if kept and not lock(self._file.fileno()):
            self._file.close()
            raise BlockingIOError(None, "another program is writing it")

    @property
    def waiting_bytes(self) -> int:
        return len(self._waiting)

    @property
    def size_bytes(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def cut(self, size_bytes: int) -> None:
        os.truncate(self._file.fileno(), size_bytes)

    def put(self, content: bytes) -> None:
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
        """Whether the file was deleted, or replaced by another."""
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
        self._file.close()
