"""Runs the command line in this process."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

import pytest

from armoon.cli import main


@dataclass(frozen=True)
class CommandOutput:
    exit_code: int
    output: str
    """Both streams."""
    exception: BaseException | None
    stderr: str


def run(*words: str, columns: int = 200) -> CommandOutput:
    """Run a command line in a terminal of ``columns`` characters; return its exit code, output and exception."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code, fault = 0, None
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.setenv("COLUMNS", str(columns))
        try:
            main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception as error:
            code, fault = 1, error
    output.seek(0)
    errors.seek(0)
    errors_read = errors.read()
    return CommandOutput(code, output.read() + errors_read, fault, errors_read)
