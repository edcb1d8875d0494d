"""Processes that play pretended games into files, and say after each event that it is on disk.

Python takes longer to start than such a game lasts, so one process starts once and forks a player for each
line ``path seed life`` of its input. Its output is, for each: the player's process id and a newline; a dot
from the player for the game and for each event that is on disk; and, once that process has ended, ``=``, its
exit status and a newline.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from armoon.games.moon.table.saving import MoonRecorder, resume_point
from armoon.saves.game_file import GameFile
from support.saves_kit import BEGUN, PROGRAM, SETUP, PretendTable, new_game


def play(path: Path, seed: int, life: int) -> None:
    if path.exists():
        saved = GameFile.open(path)
        point = resume_point(saved)
        recorder = MoonRecorder.resume(saved, point)
        table = PretendTable(point.state, point.structure, dict(point.places), f"{seed}:{life}")
    else:
        first = new_game(seed)
        recorder = MoonRecorder.begin(path, first, SETUP, begun=BEGUN, program=PROGRAM)
        table = PretendTable(first, (), {}, f"{seed}:{life}")
    os.write(1, b".")
    for moves in table.batches(rebuilt=bool(life)):
        recorder.write(moves, table.standing, at_rest=True)
        os.write(1, b".")
    recorder.file.close()


def serve() -> None:
    for line in sys.stdin:
        path, seed, life = line.rstrip("\n").rsplit(" ", 2)
        player = os.fork()
        if player == 0:
            code = 1
            try:
                play(Path(path), int(seed), int(life))
                code = 0
            finally:
                os._exit(code)
        os.write(1, b"%d\n" % player)
        _, status = os.waitpid(player, 0)
        os.write(1, b"=%d\n" % os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    serve()
