"""Processes that play real games into files, and say what they write, what is on disk and what they are doing.

Python and the engines take longer to start than a life lasts, so one process starts once and forks a player for
each line of its input, a JSON object of ``folder``, ``seed``, ``life``, ``resume`` and ``own_process``. Its
output is JSON lines, those of a player and its own: ``pid`` first, and at last ``ended`` with the exit status.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

from support.kill_table import PlayedGame, be_quick, score_of


def tell(line: dict[str, Any]) -> None:
    """In one call, and shorter than a pipe cuts: a kill leaves no half of it."""
    os.write(1, json.dumps(line).encode() + b"\n")


def play(order: dict[str, Any]) -> None:
    resume = order["resume"]
    game = PlayedGame(
        Path(order["folder"]),
        order["seed"],
        resume=None if resume is None else Path(resume),
        tell=tell,
        life=order["life"],
        own_process=order["own_process"],
    )
    helpers = [process.pid for process in multiprocessing.active_children()]
    tell({"laid": score_of(game.match.first_state), "helpers": helpers})
    doing = ""
    while not game.table.over:
        if game.doing != doing:
            doing = game.doing
            tell({"doing": doing})
        game.frame()
    game.close()
    tell({"doing": "over"})


def serve() -> None:
    be_quick()
    for line in sys.stdin:
        player = os.fork()
        if player == 0:
            code = 1
            try:
                play(json.loads(line))
                code = 0
            finally:
                sys.stderr.flush()
                os._exit(code)
        tell({"pid": player})
        _, status = os.waitpid(player, 0)
        tell({"ended": os.waitstatus_to_exitcode(status)})


if __name__ == "__main__":
    serve()
