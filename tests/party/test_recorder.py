"""Recordings play as written, at their own pace, even if the process is killed or the disk is full."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from support.waiting import PATIENCE_S

from armoon.errors import ArmoonError
from armoon.party.encoding import Recorder

WIDTH, HEIGHT, RATE_HZ = 160, 96, 30.0


def grey_picture(level: int, width: int = WIDTH, height: int = HEIGHT) -> npt.NDArray[np.uint8]:
    return np.full((height, width, 3), level, np.uint8)


def read_film(path: Path) -> list[tuple[float, npt.NDArray[np.uint8]]]:
    with av.open(str(path)) as container:
        return [
            (float(frame.pts * frame.time_base), frame.to_ndarray(format="bgr24"))
            for frame in container.decode(video=0)
        ]


def test_a_recording_plays_in_order_with_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "game.mp4"
    blue = grey_picture(0)
    blue[:, :, 0] = 220
    with Recorder(path, WIDTH, HEIGHT, RATE_HZ) as recorder:
        for number, picture in enumerate([grey_picture(50), grey_picture(100), blue]):
            recorder.write_picture(picture, 7.0 + number / RATE_HZ)
    frames = read_film(path)
    assert [time_s for time_s, _ in frames] == pytest.approx([0.0, 1 / 30, 2 / 30])
    assert [float(picture.mean()) for _, picture in frames[:2]] == pytest.approx([50, 100], abs=4)
    assert frames[2][1].mean(axis=(0, 1)) == pytest.approx([220, 0, 0], abs=12)  # 4:2:0 video range
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")


def test_pauses_are_recorded_and_too_fast_frames_are_dropped(tmp_path: Path) -> None:
    with Recorder(tmp_path / "game.mp4", WIDTH, HEIGHT, RATE_HZ) as recorder:
        for time_s in (0.0, 0.001, 1 / 30, 2.0):
            recorder.write_picture(grey_picture(90), time_s)
    assert [time_s for time_s, _ in read_film(recorder.path)] == pytest.approx([0.0, 1 / 30, 2.0])


def test_a_killed_process_leaves_a_playable_film(tmp_path: Path) -> None:
    with Recorder(tmp_path / "game.mp4", WIDTH, HEIGHT, RATE_HZ) as recorder:
        for number in range(100):
            recorder.write_picture(grey_picture(number), number / RATE_HZ)
        shutil.copy(recorder.path, tmp_path / "killed.mp4")  # as on the disk at this moment
    assert len(read_film(tmp_path / "killed.mp4")) >= 60
    assert len(read_film(tmp_path / "game.mp4")) == 100


FILLS_THE_DISK = """
import resource, signal, sys
import numpy as np
from pathlib import Path
from armoon.errors import ArmoonError
from armoon.party.encoding import Recorder

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
recorder = Recorder(Path(sys.argv[1]), 160, 96, 30.0)
noise = np.random.default_rng(1)
try:
    for number in range(600):
        recorder.write_picture(noise.integers(0, 255, (96, 160, 3)).astype(np.uint8), number / 30.0)
except ArmoonError as error:
    print(error)
recorder.write_picture(np.zeros((96, 160, 3), np.uint8), 60.0)
recorder.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_a_full_disk_is_reported_once_and_leaves_a_playable_film(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    run = subprocess.run(
        [sys.executable, "-c", FILLS_THE_DISK, str(path)], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"The recording {path} can't be continued (File too large).")
    frames = 0
    with av.open(str(path)) as container, contextlib.suppress(av.error.InvalidDataError):
        for _ in container.decode(video=0):  # up to the picture that the disk truncated
            frames += 1
    assert frames >= 10


NEEDS_DEV_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


@pytest.mark.parametrize(
    "obstacle", ["folder", "file above", pytest.param("full disk", marks=NEEDS_DEV_FULL)]
)
def test_an_unwritable_place_is_reported(tmp_path: Path, obstacle: str) -> None:
    path = tmp_path / "game.mp4"
    if obstacle == "folder":
        path.mkdir()
    elif obstacle == "full disk":
        path.symlink_to("/dev/full")
    else:
        (tmp_path / "file").write_text("in the way")
        path = tmp_path / "file" / "game.mp4"
    with pytest.raises(ArmoonError, match="--record"):
        Recorder(path, WIDTH, HEIGHT, RATE_HZ)
