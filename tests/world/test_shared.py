"""Poses in shared memory: complete ones or none, whatever happens to the writer."""

from __future__ import annotations

import multiprocessing
import os
import threading
from typing import Any

import pytest
from support.waiting import PATIENCE_S

from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from armoon.world.process import SharedPoses, allocate_memory

NAMES = ["L01", "L02", "L03"]
FIRST = {name: Pose((0.1, 0.2, 0.3)) for name in NAMES}
SECOND = {name: Pose((0.4, 0.5, 0.6)) for name in NAMES[:2]}


class Deadly(dict[PieceId, Pose]):
    def get(self, name: PieceId, default: Any = None) -> Any:
        if name == NAMES[1]:
            os._exit(9)
        return super().get(name, default)


def write_and_die(memory: Any) -> None:
    shared = SharedPoses(memory, NAMES)
    shared.write(FIRST)
    shared.write(Deadly(SECOND))


@pytest.fixture
def memory() -> Any:
    return allocate_memory(len(NAMES))


def test_the_last_written_poses_are_read(memory: Any) -> None:
    shared = SharedPoses(memory, NAMES)
    assert shared.read() == {}
    for poses in (FIRST, SECOND, {}, FIRST):
        shared.write(poses)
        assert SharedPoses(memory, NAMES).read() == poses


def test_a_writer_that_dies_in_a_write_leaves_the_last_complete_poses(memory: Any) -> None:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=write_and_die, args=(memory,), daemon=True)
    process.start()
    process.join(PATIENCE_S)
    assert process.exitcode == 9
    read: list[dict[PieceId, Pose]] = []
    reader = threading.Thread(target=lambda: read.append(SharedPoses(memory, NAMES).read()), daemon=True)
    reader.start()
    reader.join(PATIENCE_S)
    assert read == [FIRST], "the reader neither waits endlessly nor sees half of it"


def test_a_reader_sees_the_poses_of_one_moment(memory: Any) -> None:
    shared, done = SharedPoses(memory, NAMES), threading.Event()

    def write() -> None:
        k = 0
        while not done.is_set():
            k += 1
            shared.write({name: Pose((float(k), float(k), float(k))) for name in NAMES})

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        for _ in range(2000):
            places = {part for pose in shared.read().values() for part in pose.position}
            assert len(places) <= 1
    finally:
        done.set()
        writer.join()
