"""Runs tasks in several processes in one folder at the same time; a spawned process imports its task from here."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from armoon.codec.files import locked
from armoon.engine.logbook import VERSION, LogWriter
from armoon.saves.game_file import GameFile, create_named
from armoon.saves.profiles import Result, change_profile, store_result
from support.waiting import PATIENCE_S

WHEN = datetime(2026, 5, 4, 20, 15, 30)
#: A task, called with the folder, the process's number, and the barrier to wait at before each round.
Task = Callable[[Path, int, Barrier], None]


class Processes:
    """Runs each task in several processes at the same time."""

    def __init__(self, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._barrier = context.Barrier(count)
        self._connections: list[Connection[Any, Any]] = []
        for number in range(count):
            own, other = context.Pipe()
            context.Process(target=_run_tasks, args=(other, number, self._barrier), daemon=True).start()
            other.close()
            self._connections.append(own)

    def run(self, task: Task, folder: Path) -> None:
        for connection in self._connections:
            connection.send((task, folder))
        for connection in self._connections:
            assert connection.poll(PATIENCE_S), "a process hangs"
            assert connection.recv() == "done"

    def close(self) -> None:
        for connection in self._connections:
            connection.close()


def _run_tasks(connection: Connection[Any, Any], number: int, barrier: Barrier) -> None:
    with suppress(EOFError):
        while True:
            task, folder = connection.recv()
            task(folder, number, barrier)
            connection.send("done")


def begin_games(folder: Path, number: int, barrier: Barrier) -> None:
    for turn in range(30):
        barrier.wait(PATIENCE_S)
        game = create_named(
            folder,
            WHEN.replace(second=turn),
            "lake",
            lambda path: GameFile.create(path, {"by": number}, game="lake", begun="", program=""),
        )
        for move in range(5):
            game.append([{"by": number, "move": move}])
        game.close()


def write_logs(folder: Path, number: int, barrier: Barrier) -> None:
    for _ in range(30):
        barrier.wait(PATIENCE_S)
        log = LogWriter(folder / "armoon.jsonl", named=False)
        log.write_record({"kind": "header", "version": VERSION, "by": number})
        log.write_record({"kind": "end", "by": number})
        log.close()


def change_profiles(folder: Path, number: int, barrier: Barrier) -> None:
    for turn in range(20):
        barrier.wait(PATIENCE_S)
        change_profile(folder, f"player {number} {turn}", lambda before: before)
        change_profile(folder, "Ann", lambda before: replace(before, palm_length_m=0.09))


def store_results(folder: Path, number: int, barrier: Barrier) -> None:
    for turn in range(20):
        barrier.wait(PATIENCE_S)
        game = f"{number} {turn}"
        store_result(folder, game, Result(game, "2026-05-04", "", "", ("Ann",), (), 3, "moon"))


def resume(folder: Path, number: int, barrier: Barrier) -> None:
    saved = GameFile.read_saved(folder / "one.armoon")
    barrier.wait(PATIENCE_S)
    try:
        game = GameFile.reopen(saved, keep=len(saved.moves))
    except Exception as error:
        (folder / f"{number}.result").write_text(f"{type(error).__name__} {error}")
        barrier.wait(PATIENCE_S)
        return
    (folder / f"{number}.result").write_text("plays")
    game.append([{"by": number}])
    barrier.wait(PATIENCE_S)
    game.close()


def die_with_lock(folder: Path, number: int, barrier: Barrier) -> None:
    with locked(folder / "players.json"):
        os.kill(os.getpid(), signal.SIGKILL)


def die_with_game(folder: Path, number: int, barrier: Barrier) -> None:
    held: list[Any] = [GameFile.read_saved(folder / "one.armoon")]
    held.append(GameFile.reopen(held[0], keep=0))
    os.kill(os.getpid(), signal.SIGKILL)
