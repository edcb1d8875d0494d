"""Settings for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# OpenCV reads this once, when the first video of the process is opened, which may be one that a test made.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


@pytest.fixture(scope="session")
def hand_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the rendered hand, which takes seconds to build, is kept for all tests and workers of a run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "hand"
    folder.mkdir(exist_ok=True)
    return folder
