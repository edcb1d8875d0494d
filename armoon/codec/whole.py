"""Whole files: replaced in one step, created only if there is none, changed by one program at a time."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from armoon.processes.system import lock, replace

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
    """Whether a program has this file for itself now. Raises OSError where it can't be opened."""
    with path.open("rb") as file:
        return not lock(file.fileno())


def _draft(folder: Path, content: bytes, mode: int = 0o666) -> Path:
    """Return the content on disk under a unique name."""
    draft = folder / f".{secrets.token_hex(8)}.part"
    _fill(draft, content, mode)
    return draft


def _fill(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Make this file, on disk, where there is none; where that fails no part of it stays."""
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
