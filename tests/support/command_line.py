"""The command line in this process: typed lines and the program's answers."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import pytest

from armoon.cli import main


@dataclass(frozen=True)
class Said:
    exit_code: int
    output: str
    """Both streams, as a terminal shows them."""
    exception: BaseException | None
    stderr: str


class _AlsoTo(io.BytesIO):
    def __init__(self, terminal: io.BytesIO) -> None:
        super().__init__()
        self.terminal = terminal

    def write(self, data: Any) -> int:
        self.terminal.write(data)
        return super().write(data)


def run(*words: str, columns: int = 200) -> Said:
    """Type a command line into a terminal so wide; nothing but an exit code or a fault comes out of it."""
    written = io.BytesIO()
    complained = _AlsoTo(written)
    output, errors = (
        io.TextIOWrapper(stream, "utf-8", errors="backslashreplace", write_through=True)
        for stream in (written, complained)
    )
    code, fault = 0, None
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.setenv("COLUMNS", str(columns))
        try:
            main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception as error:
            code, fault = 1, error
    return Said(code, written.getvalue().decode("utf-8"), fault, complained.getvalue().decode("utf-8"))
