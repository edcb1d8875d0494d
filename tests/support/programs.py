"""Runs the command line as a user does, with a home folder of its own.

A run is a process with its own folder, environment and exit. To save loading time, it is forked from a process that has
loaded all modules, unless a setting must apply from the start.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from support.waiting import PATIENCE_S

TESTS = Path(__file__).resolve().parents[1]
ProgramResult = subprocess.CompletedProcess[str]
#: Variables that have an effect only if they are set when a program starts.
STARTUP_VARIABLES = {"LD_LIBRARY_PATH", "PYTHONHASHSEED"}


def make_environment(home: Path, **variables: str) -> dict[str, str]:
    """Return this process's environment without a desktop, but with ``home`` as home folder and ``variables``."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "DISPLAY", "WAYLAND"))}
    return {**inherited, "HOME": str(home), **variables}


def armoon(
    *arguments: str,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    prelude: str = "",
    timeout_s: float = PATIENCE_S,
) -> ProgramResult:
    """Run a command in a folder; ``prelude`` is Python code that runs before the program starts."""
    home = cwd / "home"
    home.mkdir(exist_ok=True)
    environment = make_environment(home, **{"COLUMNS": "200", **(env or {})})
    if hasattr(os, "fork") and not STARTUP_VARIABLES & set(env or {}):
        return _server().run(arguments, cwd, environment, prelude, timeout_s)
    start = ["-m", "armoon"]
    if prelude:
        start = ["-c", f"{prelude}\nfrom armoon.cli import main\nmain()"]
    return subprocess.run(
        [sys.executable, *start, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout_s,
    )


class Server:
    def __init__(self) -> None:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("DISPLAY", "WAYLAND"))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "support.program_server"],
            cwd=TESTS,
            env=inherited,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self, arguments: tuple[str, ...], cwd: Path, env: Mapping[str, str], prelude: str, timeout_s: float
    ) -> ProgramResult:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        output, errors = cwd / "home" / "stdout", cwd / "home" / "stderr"
        order = {
            "arguments": arguments,
            "cwd": str(cwd),
            "env": dict(env),
            "prelude": prelude,
            "stdout": str(output),
            "stderr": str(errors),
            "timeout_s": timeout_s,
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the server has ended"
        status = json.loads(answer)
        if status is None:
            raise subprocess.TimeoutExpired(["armoon", *arguments], timeout_s)
        texts = [path.read_text(encoding="utf-8") for path in (output, errors)]
        output.unlink()
        errors.unlink()
        return ProgramResult(["armoon", *arguments], status, *texts)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=PATIENCE_S)


@cache
def _server() -> Server:
    server = Server()
    atexit.register(server.close)
    return server
