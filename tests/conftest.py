"""Settings for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support.real_program import Begin, Program

# OpenCV reads this once, when the first video of the process is opened, which may be one that a test made.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


@pytest.fixture(scope="session")
def hand_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the rendered hand, which takes seconds to build, is kept for all tests and workers of a run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "hand"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def begin_program(tmp_path: Path, hand_folder: Path) -> Iterator[Begin]:
    """Begins real programs; whatever becomes of the test, none of them outlives it."""
    begun: list[Program] = []

    def begin(*arguments: str, before: Sequence[str] = ()) -> Program:
        begun.append(Program(tmp_path, hand_folder, *arguments, before=before))
        return begun[-1]

    yield begin
    for program in begun:
        program.end()
