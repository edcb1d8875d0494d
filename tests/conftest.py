"""Settings for all tests."""

from __future__ import annotations

import gc
import os
import platform
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import platformdirs
import pytest
from hypothesis import HealthCheck, settings
from support.real_program import Program, ProgramStarter

from armoon.messages import set_language

if platform.machine() in ("x86_64", "AMD64"):
    # numpy's BLAS chooses its kernels for the processor, and their results differ in the last bits. The recorded logs
    # were written with the Haswell kernels, which reproduce them on other machines. BLAS reads this when numpy loads.
    os.environ["OPENBLAS_CORETYPE"] = "Haswell"
# Texts start in English in any locale.
os.environ["LC_ALL"] = "C.UTF-8"
# Tests neither use nor change a developer's own settings and games.
_HOME = tempfile.TemporaryDirectory(prefix="armoon-tests-")
os.environ.update({f"XDG_{kind}_HOME": str(Path(_HOME.name, kind.lower())) for kind in ("CONFIG", "DATA")})
# OpenCV reads this once, when a process opens its first video.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
settings.register_profile(
    "untimed", deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("untimed")

#: Unmarked tests with a case that takes more than a second.
SLOW = frozenset((Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").split())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark long tests as slow too, and run files with slow tests first, so that both workers finish together."""
    for item in items:
        if item.get_closest_marker("long") or item.nodeid.split("[")[0] in SLOW:
            item.add_marker("slow")
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Exclude all objects loaded so far from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test an empty home; return the folder of its games."""
    from support.table_kit import make_home

    return make_home(tmp_path, monkeypatch)


@pytest.fixture(autouse=True)
def _restore_english() -> Iterator[None]:
    yield
    set_language("en")


@pytest.fixture
def blocked_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the user's own folder for games unwritable; return the temporary folder that contains its fallback."""
    blocked, temporary = tmp_path / "file", tmp_path / "temporary"
    blocked.write_text("in the way")
    temporary.mkdir()
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(blocked / "data"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    return temporary


@pytest.fixture
def start_program(tmp_path: Path) -> Iterator[ProgramStarter]:
    """Yield a function that starts real programs; they are killed after the test."""
    started: list[Program] = []

    def start(*arguments: str, before: Sequence[str] = ()) -> Program:
        started.append(Program(tmp_path, *arguments, before=before))
        return started[-1]

    yield start
    for program in started:
        program.kill()
