"""Small JSON files stored between games: replaced whole, and set aside if they are broken."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from armoon.codec import MalformedError, convert, encode_json, parse
from armoon.codec.files import read_bytes
from armoon.codec.whole import locked
from armoon.saves.errors import SaveError
from armoon.saves.journal import free_name, write_whole

Content = TypeVar("Content")

VERSION = 1


@dataclass(frozen=True)
class _Whole:
    """The file: what kind of file it is, and what it keeps."""

    format: str
    version: int
    content: Any


def read_kept(path: Path, form: str, read: Callable[[Any], Content], empty: Content) -> tuple[Content, str]:
    """Read what ``write_kept`` wrote, and a sentence if it was broken; ``empty`` where there is nothing.

    ``read`` makes the content of plain JSON values; it may raise ValueError. A broken file is set aside under a
    name with ``.broken``, never overwritten. Raises SaveError where it can be neither read nor set aside.
    """
    try:
        whole = convert(_Whole, parse(read_bytes(path)), exact=True)
        if whole.format != form or whole.version != VERSION:
            raise MalformedError("of another format or version")
        return read(whole.content), ""
    except FileNotFoundError:
        return empty, ""
    except OSError as error:
        raise SaveError(
            f"The file {path} can't be read ({error.strerror}).", remedy="Give yourself the right to read it."
        ) from error
    except ValueError as problem:
        return empty, _set_aside(path, form, problem)


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Alone with a kept file, from reading it to writing it again; others wait. Raises SaveError."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path))
        except OSError as error:
            raise SaveError(
                f"The file {path} can't be changed ({error.strerror}).",
                remedy="Make room on the disk, or give yourself the right to write there.",
            ) from error
        yield


def write_kept(path: Path, form: str, content: Any) -> None:
    """Replace the file in one step. Raises SaveError."""
    try:
        whole = encode_json(_Whole(form, VERSION, content), indent=1)
    except MalformedError as problem:
        raise SaveError(
            f"{path} can't keep this ({problem}).", remedy="Give the players other names."
        ) from problem
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(
            f"The folder {path.parent} can't be made ({error.strerror}).",
            remedy="Give yourself the right to write there.",
        ) from error
    write_whole(path, whole + b"\n")


def _set_aside(path: Path, form: str, problem: Exception) -> str:
    aside = free_name(path, "broken")
    try:
        os.replace(path, aside)
    except FileNotFoundError:
        return ""  # another program has just set it aside, and said so
    except OSError as error:
        raise SaveError(
            f"The file {path} is broken and can't be set aside ({error.strerror}).",
            remedy="Mend it or move it away.",
        ) from error
    return (
        f"{path} was no {form} of this version ({problem}): "
        f"it is kept as {aside.name}, and a new one is begun."
    )
