"""The command line reports every missing or broken resource in one sentence with a remedy, and exits with code 2."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.programs import armoon

from armoon.cli.doctor import CHECKS

ProgramResult = subprocess.CompletedProcess[str]


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "film.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, (320, 180))
    rng = np.random.default_rng(1)
    for _ in range(15):
        writer.write(rng.integers(0, 255, (180, 320, 3)).astype(np.uint8))
    writer.release()
    return path


def check_one_sentence(result: ProgramResult, *words: str) -> None:
    """Check for exit code 2 and one line on stderr that begins with the program's name and contains these words."""
    assert result.returncode == 2, (result.returncode, result.stderr)
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("armoon: ")
    assert lines[0].count(".") >= 2  # the problem, and the remedy
    assert "Traceback" not in result.stdout + result.stderr
    for word in words:
        assert word in lines[0]


def test_a_busy_webcam_is_reported(tmp_path: Path) -> None:
    busy = """
import armoon.camera.sources as sources, cv2
class Busy:
    def set(self, *_): return True
    def get(self, *_): return 30.0
    def isOpened(self): return True
    def read(self): return False, None
    def release(self): pass
sources.cv2.VideoCapture = lambda *_: Busy()
sources.os.access = lambda *_: True
sources.Path.exists = lambda self: True
"""
    result = armoon("play", "--camera", "0", "--headless", cwd=tmp_path, prelude=busy)
    check_one_sentence(result, "busy", "Close other programs")


BROKEN_MODEL = """
import pathlib, shutil, sys
import armoon.hands.model as model
real = model.find_package_folder()
copy = pathlib.Path("package")
for part in model.PARTS:
    (copy / part.path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(real / part.path, copy / part.path)
file = copy / model.PARTS[1].path
BREAK
model.find_package_folder = lambda: copy
"""


@pytest.mark.tracker
@pytest.mark.parametrize("damage", ["file.write_bytes(file.read_bytes()[:100_000])", "file.unlink()"])
def test_a_truncated_or_missing_model_is_reported(tmp_path: Path, video: Path, damage: str) -> None:
    prelude = BROKEN_MODEL.replace("BREAK", damage)
    result = armoon("play", "--camera", video.name, "--headless", cwd=tmp_path, prelude=prelude)
    check_one_sentence(result, "hand tracker's model")


def write_junk_libraries(folder: Path, *names: str) -> dict[str, str]:
    libraries = folder / "broken"
    libraries.mkdir()
    for name in names:
        (libraries / name).write_text("junk")
    return {"LD_LIBRARY_PATH": str(libraries)}


@pytest.mark.tracker
def test_a_film_without_egl_is_reported(tmp_path: Path, video: Path) -> None:
    env = write_junk_libraries(tmp_path, "libEGL.so.1", "libEGL.so")
    result = armoon("play", "--camera", video.name, "--headless", "--record", "a.mp4", cwd=tmp_path, env=env)
    check_one_sentence(result, "OpenGL", "libegl1")


def test_the_demo_without_egl_is_reported(tmp_path: Path) -> None:
    env = write_junk_libraries(tmp_path, "libEGL.so.1", "libEGL.so")
    result = armoon("play", "--camera", "demo", "--headless", cwd=tmp_path, env=env)
    check_one_sentence(result, "EGL")


def test_a_machine_without_opengl_is_reported(tmp_path: Path, video: Path) -> None:
    env = write_junk_libraries(tmp_path, "libGL.so.1", "libGL.so", "libEGL.so.1", "libEGL.so")
    result = armoon("play", "--camera", video.name, "--headless", cwd=tmp_path, env=env)
    check_one_sentence(result, "libGL", "armoon doctor")


def test_a_missing_display_is_reported(tmp_path: Path, video: Path) -> None:
    result = armoon("play", "--camera", video.name, cwd=tmp_path, env={"DISPLAY": ":987"})
    check_one_sentence(result, "window", "--headless")


@pytest.mark.gl
@pytest.mark.tracker
def test_without_display_and_home_a_film_is_made_and_logged_elsewhere(tmp_path: Path, video: Path) -> None:
    (tmp_path / "file").write_text("")
    env = {"HOME": str(tmp_path / "file" / "home"), "TMPDIR": str(tmp_path)}
    result = armoon("play", "--camera", video.name, cwd=tmp_path, env=env)
    assert result.returncode == 0, result.stderr
    (film,) = tmp_path.glob("armoon-*.mp4")
    (log,) = tmp_path.glob("armoon-games/*.jsonl")
    assert film.name in result.stdout
    assert str(log) in result.stdout
    assert json.loads(log.read_text().splitlines()[-1])["kind"] == "end"


#: Arguments that name a file; ``bad`` contains neither a log nor rules for OBS. Option values that are refused before
#: anything is opened are tested in settings/test_every_option.py, others in cli/test_refusals.py.
REFUSED_ARGUMENTS = (
    ("replay", "bad", "--party"),
    ("play", "--camera", "demo", "--log", "bad"),
    ("play", "--camera", "demo", "--party", "--obs", "bad"),
)


@pytest.mark.gl
@pytest.mark.parametrize("arguments", REFUSED_ARGUMENTS, ids=" ".join)
def test_without_a_display_only_the_bad_argument_is_reported(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """No message mentions filming the game or playing the demo, and no film remains."""
    (tmp_path / "bad").write_text("no log, no film, no game\n")
    result = armoon(*arguments, cwd=tmp_path)
    assert result.returncode == 2, (result.stdout, result.stderr)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert "no display" not in result.stderr
    assert not list(tmp_path.glob("*.mp4"))


@pytest.mark.parametrize(("option", "name"), [("--log", "a.jsonl"), ("--record", "a.mp4")])
def test_an_unwritable_place_is_reported(tmp_path: Path, video: Path, option: str, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    place = str(tmp_path / "file" / name)
    result = armoon("play", "--camera", video.name, "--headless", option, place, cwd=tmp_path)
    check_one_sentence(result, place, option)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.tracker
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_reported_once_and_the_game_continues(tmp_path: Path, video: Path) -> None:
    result = armoon("play", "--camera", video.name, "--headless", "--log", "/dev/full", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    (sentence,) = (line for line in result.stdout.splitlines() if "No space left" in line)
    assert "Make room" in sentence
    assert "0 turns were played." in result.stdout


@pytest.mark.tracker
def test_a_log_in_another_folder_moves_no_other_file(tmp_path: Path, video: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    result = armoon("play", "--camera", video.name, "--headless", "--log", "elsewhere/a.jsonl", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["a.jsonl"]
    (save,) = (tmp_path / "home").rglob("*.armoon")
    assert save.parent.name == "games"


@pytest.mark.gl
@pytest.mark.tracker
def test_the_doctor_checks_this_machine(tmp_path: Path) -> None:
    result = armoon("doctor", "--json", cwd=tmp_path)
    report = json.loads(result.stdout)
    names = [check["name"] for check in report["checks"]]
    assert names == ["settings", *CHECKS]
    assert result.returncode == (0 if report["playable"] else 2)
    assert all(check["remedy"] for check in report["checks"] if check["level"] != "ok")


@pytest.mark.tracker
def test_the_doctor_finds_broken_gl_and_names_the_remedy(tmp_path: Path) -> None:
    env = write_junk_libraries(tmp_path, "libGL.so.1", "libGL.so", "libEGL.so.1", "libEGL.so")
    result = armoon("doctor", "--json", cwd=tmp_path, env=env)
    assert result.returncode == 2
    report = json.loads(result.stdout)
    (gl,) = (check for check in report["checks"] if check["name"] == "GL")
    assert gl["level"] == "fail"
    assert "libegl1" in gl["remedy"]
