"""A sink with an option, registered in one line, receives a whole game in every configuration of the program."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.log_kit import lines_of
from support.programs import ProgramResult, armoon
from support.samples import sample_log
from support.waiting import PATIENCE_S, until
from support.window_kit import MISSING, REASON, Screen, await_window, start_program

#: Registers the new sink, device and source. PYTHONHASHSEED makes ``armoon()`` start a new process, which
#: loads them.
PRELUDE = (
    "from armoon.options.parts import PARTS\n"
    'PARTS.extend(f"support.toy_parts.{name}" for name in ("LampPart", "DeskPart", "FogPart"))'
)
FIXED_SEED = {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
BOTS = ("play", "--game", "lake", "--camera", "none", "--players", "Ann,Ben", "--bots", "weak,weak")


def run(*arguments: str, cwd: Path) -> ProgramResult:
    return armoon(*arguments, cwd=cwd, prelude=PRELUDE, env=FIXED_SEED)


def run_headless(folder: Path) -> ProgramResult:
    return run(*BOTS, "--headless", "--turns", "2", "--lamp", "lamp.txt", cwd=folder)


def film_headless(folder: Path) -> ProgramResult:
    film = ("--record", "film.mp4", "--size", "160x120")
    return run(*BOTS, "--headless", "--turns", "2", "--lamp", "lamp.txt", *film, cwd=folder)


def replay_log(folder: Path) -> ProgramResult:
    return run("replay", str(sample_log("lake", folder)), "--headless", "--lamp", "lamp.txt", cwd=folder)


def film_log(folder: Path) -> ProgramResult:
    log, size = str(sample_log("lake", folder)), ("--size", "160x120", "--speed", "20")
    return run("film", log, "film.mp4", *size, "--lamp", "lamp.txt", cwd=folder)


def clip_log(folder: Path) -> ProgramResult:
    log, size = str(sample_log("lake", folder)), ("--size", "160x120", "--best", "1")
    return run("clips", log, "clips", *size, "--lamp", "lamp.txt", cwd=folder)


def assert_whole_game_received(folder: Path) -> None:
    lines = (folder / "lamp.txt").read_text(encoding="utf-8").splitlines()
    # The title page also has a scene.
    assert next(line for line in lines if line != "scene") == "begins lake"
    assert lines.count("ended") == 1
    assert lines[-2:] == ["ended", "closed"]
    assert lines.count("MatchClosed") == 1
    assert "scene" in lines


@pytest.mark.parametrize(
    "configuration",
    [
        run_headless,
        replay_log,
        pytest.param(film_headless, marks=[pytest.mark.gl, pytest.mark.long]),
        pytest.param(film_log, marks=[pytest.mark.gl]),
        pytest.param(clip_log, marks=[pytest.mark.gl, pytest.mark.long]),
    ],
    ids=lambda kind: kind.__name__,
)
def test_the_sink_receives_a_whole_game(
    configuration: Callable[[Path], ProgramResult], tmp_path: Path
) -> None:
    result = configuration(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert_whole_game_received(tmp_path)


@pytest.mark.parametrize("command", ["film", "clips"])
@pytest.mark.parametrize("option", [("--record", "b.mp4"), ("--stream", "rtmp://127.0.0.1/live")])
def test_film_and_clips_refuse_other_picture_sinks(
    command: str, option: tuple[str, str], tmp_path: Path
) -> None:
    where = () if command == "clips" else ("film.mp4",)
    result = armoon(command, str(sample_log("lake", tmp_path)), *where, *option, cwd=tmp_path)
    assert result.returncode == 2
    assert option[0] in result.stderr
    assert "Traceback" not in result.stderr


def test_a_device_sends_acts_without_spectators(tmp_path: Path) -> None:
    (tmp_path / "pedal.txt").write_text("PAUSE\nPAUSE\nMENU\n", encoding="utf-8")
    result = run(*BOTS, "--headless", "--pedal", "pedal.txt", "--log", "game.jsonl", cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "The pedal rests." in result.stdout
    kinds = [str(line) for line in lines_of(tmp_path / "game.jsonl")]
    assert any("'pause'" in line for line in kinds)
    assert any("'resume'" in line for line in kinds)
    assert not any("'outcome'" in line for line in kinds)  # MENU quit the game


def test_a_device_sends_grips(tmp_path: Path) -> None:
    places = [f"[0.0, 0.0, 0.2, {down}]" for down in (0, 1, 1, 1, 0)]
    (tmp_path / "pen.txt").write_text("\n".join(places), encoding="utf-8")
    (tmp_path / "pedal.txt").write_text("FINE\n" * len(places) + "MENU\n", encoding="utf-8")
    result = run(
        *BOTS, "--headless", "--pen", "pen.txt", "--pedal", "pedal.txt", "--log", "game.jsonl", cwd=tmp_path
    )
    assert result.returncode == 0, result.stdout + result.stderr
    phases = [line["phase"] for line in lines_of(tmp_path / "game.jsonl") if line.get("source") == "pen"]
    assert phases == ["hover", "grab", "hold", "release", "hover"]


@pytest.mark.tracker
def test_a_source_provides_the_games_pictures(tmp_path: Path) -> None:
    result = run("play", "--headless", "--camera", "fog", "--fog", "4", "--log", "game.jsonl", cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "fog" in result.stdout.splitlines()
    sizes = [line["hands"]["size"] for line in lines_of(tmp_path / "game.jsonl") if line["kind"] == "hands"]
    assert sizes == [[64, 48]] * 4


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.skipif(MISSING, reason=REASON)
def test_a_window_shows_a_whole_game_to_the_sink(tmp_path: Path) -> None:
    lamp = tmp_path / "lamp.txt"
    with closing(Screen(tmp_path)) as screen:
        program = start_program(
            screen, tmp_path, *BOTS, "--way", "keys", "--lamp", "lamp.txt", prelude=PRELUDE, env=FIXED_SEED
        )
        await_window(screen, program)
        until(lambda: lamp.exists() and "scene" in lamp.read_text(encoding="utf-8"), "the title")
        screen.xdotool("key", "Return")
        until(lambda: "Intake" in lamp.read_text(encoding="utf-8"), "the game")
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=PATIENCE_S)
    assert_whole_game_received(tmp_path)
