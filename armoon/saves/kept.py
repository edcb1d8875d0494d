"""Small JSON files that are kept between games: replaced whole, and set aside where they are broken."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from armoon.saves.errors import SaveError
from armoon.saves.journal import free_name, write_whole

Content = TypeVar("Content")

VERSION = 1


def read_kept(path: Path, form: str, read: Callable[[Any], Content], empty: Content) -> tuple[Content, str]:
    """What ``write_kept`` wrote, and a sentence if that was broken; ``empty`` where there is nothing.

    ``read`` makes the content of the JSON value; it may raise KeyError, TypeError, ValueError or
    AttributeError. A broken file is set aside under a name with ``.broken``, never overwritten. Raises
    SaveError where it can be neither read nor set aside.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return empty, ""
    except OSError as error:
        raise SaveError(
            f"The file {path} can't be read ({error.strerror}).", remedy="Give yourself the right to read it."
        ) from error
    try:
        whole = json.loads(text)
        if whole["format"] != form or whole["version"] != VERSION:
            raise ValueError("another format or version")
        return read(whole["content"]), ""
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return empty, _set_aside(path, form)


def write_kept(path: Path, form: str, content: Any) -> None:
    """Replace the file in one step. Raises SaveError."""
    whole = {"format": form, "version": VERSION, "content": content}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(
            f"The folder {path.parent} can't be made ({error.strerror}).",
            remedy="Give yourself the right to write there.",
        ) from error
    write_whole(path, (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())


def _set_aside(path: Path, form: str) -> str:
    aside = free_name(path, "broken")
    try:
        os.replace(path, aside)
    except OSError as error:
        raise SaveError(
            f"The file {path} is broken and can't be set aside ({error.strerror}).",
            remedy="Mend it or move it away.",
        ) from error
    return f"{path} was no {form} of this version: it is kept as {aside.name}, and a new one is begun."
