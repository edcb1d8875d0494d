"""Small JSON files stored between games: replaced whole; of a broken one the good rows are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from armoon.codec import MalformedError, convert, encode_json, parse
from armoon.codec.files import read_bytes
from armoon.codec.whole import locked
from armoon.messages import text
from armoon.saves.errors import SaveError
from armoon.saves.journal import begin_whole, free_name, write_whole

Row = TypeVar("Row")

VERSION = 1
#: Rows of a broken file that are given up before the rest is; a hostile file must not take minutes.
MOST_MISSES = 100


@dataclass(frozen=True)
class _Whole:
    """The file: what kind of file it is, and what it keeps."""

    format: str
    version: int
    content: list[Any]


def read_kept(
    path: Path, form: str, kind: type[Row], name: Callable[[Row], str] | None = None
) -> tuple[tuple[Row, ...], str]:
    """Return the rows that ``write_kept`` wrote, and a sentence if the file was broken; none where there is no file.

    Of a broken file every row is read that is one by itself; of two with the same ``name`` the first. The file
    stays as it is, to be mended by hand. Raises SaveError where it can't be read at all.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        return (), ""
    except OSError as error:
        raise SaveError(
            f"The file {path} can't be read ({error.strerror}).", remedy="Give yourself the right to read it."
        ) from error
    except MalformedError as problem:
        return (), _broken(path, 0, problem)
    fault: ValueError | None = None
    try:
        whole = convert(_Whole, parse(content), exact=True)
        if whole.format != form or whole.version != VERSION:
            raise MalformedError("of another format or version")
        found = iter(whole.content)
    except MalformedError as problem:
        fault, found = problem, iter(()) if _is_json(content) else _objects(content)
    rows: list[Row] = []
    names: set[str] = set()
    for number, plain in enumerate(found):
        try:
            row = convert(kind, plain, exact=True)
            if name is not None and name(row) in names:
                raise MalformedError(f"`content[{number}]`: named twice")
            names.update((name(row),) if name is not None else ())
            rows.append(row)
        except MalformedError as problem:
            fault = fault or problem
    return tuple(rows), "" if fault is None else _broken(path, len(rows), fault)


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


def write_kept(path: Path, form: str, content: Sequence[Any]) -> None:
    """Replace the file in one step. Raises SaveError."""
    try:
        whole = encode_json(_Whole(form, VERSION, list(content)), indent=1)
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


def set_aside(path: Path) -> None:
    """Keep a copy of a broken file under a name with ``.broken``, before it is replaced. Raises SaveError."""
    try:
        content = read_bytes(path)
    except (OSError, MalformedError) as error:
        raise SaveError(f"The file {path} is broken ({error}).", remedy="Mend it or move it away.") from error
    begin_whole(free_name(path, "broken"), content)


def _broken(path: Path, count: int, problem: ValueError) -> str:
    return text("kept.broken", path=path, count=count, why=problem)


def _is_json(content: bytes) -> bool:
    try:
        parse(content)
    except MalformedError:
        return False
    return True


def _objects(content: bytes) -> Iterator[Any]:
    """Return the rows that stand whole in what is no JSON; of a file that is cut off its first ones."""
    words = content.decode(errors="surrogateescape")
    decoder, at, misses = json.JSONDecoder(), words.find("{"), 0
    while at >= 0 and misses < MOST_MISSES:
        try:
            found, end = decoder.raw_decode(words, at)
        except (ValueError, RecursionError):
            end, misses = at + 1, misses + 1
        else:
            inside = found.get("content")
            yield from inside if isinstance(inside, list) else (found,)
        at = words.find("{", end)
