"""The command line in this process: typed lines and the program's answers.

Typer's own runner builds every command with all its options again for each typed line, which takes twice as
long as reading most of them. Here they are built once, but for the help, which keeps the language it was first said in.
"""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from typer.main import get_command

from armoon.cli import app


@dataclass(frozen=True)
class Said:
    exit_code: int
    output: str
    exception: BaseException | None


@cache
def _built() -> Any:
    return get_command(app)


def run(*words: str, columns: int = 200) -> Said:
    """Type a command line into a terminal so wide; nothing but an exit code or a fault comes out of it."""
    command = get_command(app) if "--help" in words else _built()
    written = io.BytesIO()
    terminal = io.TextIOWrapper(written, "utf-8", errors="backslashreplace", write_through=True)
    code, fault = 0, None
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(terminal), redirect_stderr(terminal):
        patch.setenv("COLUMNS", str(columns))
        try:
            command.main(args=list(words), prog_name="armoon")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception as error:
            code, fault = 1, error
    return Said(code, written.getvalue().decode("utf-8"), fault)
