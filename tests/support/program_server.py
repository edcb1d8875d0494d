"""Runs the command line repeatedly without loading it again: each run forks this process.

Orders come as lines of JSON on stdin (arguments, folder, environment, prelude, files for the output); each is answered
with a line: the exit status, or null for a run that took too long and was killed.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import sys
import tempfile
import time
import traceback
from typing import Any

import armoon
from armoon import cli

#: Modules loaded in advance; loading them takes longer than most runs.
SLOW = ("mediapipe", "rich.table", "rich.traceback")


def load() -> None:
    """Load all modules that a run may need, and create the ladders that every game uses."""
    sys.modules["pyglet.gl"] = None  # type: ignore[assignment]  # an OpenGL context doesn't survive a fork
    modules = [name for _, name, _ in pkgutil.walk_packages(armoon.__path__, "armoon.", lambda _: None)]
    for name in (*SLOW, *modules):
        if not name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    del sys.modules["pyglet.gl"]
    from armoon.world.ladders import BOX_SEED, make_ladder_set

    make_ladder_set(BOX_SEED)
    gc.freeze()  # keeps a fork's garbage collection from copying all objects


def begin(order: dict[str, Any]) -> None:
    os.setsid()
    for path, handle in ((os.devnull, 0), (order["stdout"], 1), (order["stderr"], 2)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, handle)
        os.close(opened)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    tempfile.tempdir = None  # makes tempfile read this environment
    sys.argv = ["armoon", *order["arguments"]]
    exec(order["prelude"], {"__name__": "prelude"})


def await_exit(pid: int, timeout_s: float) -> int | None:
    end_s, parent, status = time.monotonic() + timeout_s, os.getppid(), None
    try:
        while status is None and time.monotonic() < end_s and os.getppid() == parent:
            ended, exit_status = os.waitpid(pid, os.WNOHANG)
            if ended:
                status = os.waitstatus_to_exitcode(exit_status)
            else:
                time.sleep(0.005)
    finally:
        if status is None:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return status


def main() -> int:
    """Run orders until stdin ends. In a fork, run the program and exit with its status."""
    load()
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            try:
                begin(order)
                cli.main()
            except Exception:
                traceback.print_exc()
                return 1
            return 0
        print(json.dumps(await_exit(pid, order["timeout_s"])), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
