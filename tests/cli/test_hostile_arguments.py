"""Hostile arguments: every command exits with an error message, and prints no control characters."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import run
from support.programs import ProgramResult, armoon

from armoon.values.text import MAX_QUOTED

ESCAPES = "\x1b[31m\x1b]0;title\x07"
HUGE = "9" * 5000
#: Arguments of `play` with a missing video, so that it exits early even if they are accepted.
PLAY_ARGUMENTS = [
    ("--players", f"{'A' * 300},B"),
    ("--players", f"{ESCAPES},Ben"),
    ("--players", "\u202egnikcab,Ben"),
    ("--seed", HUGE),
    ("--seed", "²"),
    ("--turns", HUGE),
    ("--turn-limit", "inf"),
    ("--turn-limit", "nan"),
    ("--turned", "1e999"),
    ("--rate", "nan"),
    ("--size", "²x²"),
    ("--size", "999999999x999999999"),
    ("--size", f"{HUGE}x{HUGE}"),
    ("--palm-length", "inf"),
    ("--tears", HUGE),
    ("--first", "²"),
    ("--first", HUGE),
    ("--edition", ESCAPES),
    ("--language", ESCAPES),
    ("--log", "~nosuchuser/game.jsonl"),
    ("--log", "/dev/full"),
    ("--record", "~nosuchuser/game.mp4"),
    ("--resume", "~nosuchuser"),
    ("--resume", ESCAPES),
    ("--resume", HUGE),
]
CAMERAS = [
    *("~nosuchuser/clip.mp4", "x" * 5000, "file:///clip.mp4", "file://" + "x" * 300, "²", "٣", HUGE),
    *("/", "/dev/zero", "/dev/null", ESCAPES, "http://127.0.0.1:1/none", "rtsp://127.0.0.1:1/none", "-1"),
]
COMMANDS = [
    ("\x1b" * 3000,),
    (" ".join("ab" * 1000),),
    ("replay", "/dev/zero"),
    ("replay", "/dev/zero", "--verify"),
    ("replay", "x" * 300),
    ("replay", "~nosuchuser/log"),
    ("replay", ESCAPES),
    ("board", "--board", "/dev/zero"),
    ("board", "--board", "x" * 300),
    ("board", "--pixels", "²x²", "--screen", "6"),
    ("board", "--pixels", "999999999x999999999", "--screen", "6"),
    ("board", "--pixels", f"{HUGE}x1", "--screen", "6"),
    *((command, "--screen", words) for command in ("board", "kit") for words in ("²", "nan", "1e999", HUGE)),
    ("board", "--out", "/dev/full"),
    ("kit", "--measured", "nan"),
    ("bots", "match", "pip", "luna", "--games", "1_0"),
    ("bots", "match", "pip", "luna", "--seed", "٣"),
    ("film", "nowhere.jsonl", "x.mp4", "--speed", "nan"),
    ("players", "set", ESCAPES),
    ("players", "set", "x" * 300),
    ("players", "set", "Ann", "--born", HUGE),
    ("players", "set", "Ann", "--born", "²²²²-01-01"),
    ("players", "show", ESCAPES),
    ("games", "show", ESCAPES),
    ("games", "show", "²"),
    ("games", "show", HUGE),
    ("games", "show", "x" * 300),
    ("games", "show", "~nosuchuser"),
    ("games", "export", "1", "/dev/full"),
    ("games", "resume", ESCAPES),
    ("hand", "x" * 300),
    ("hand", "Ann", "--camera", "/dev/zero"),
    ("calibrate", "--camera", "/dev/zero"),
    ("calibrate", "--pixels", "²x²"),
    ("film", "game.jsonl", "--", "--"),
    ("replay", "--", ESCAPES),
    ("replay", "--", "-" + "x" * 300),
    *(("play", words) for words in ("--log", "--log=--", "--handicaps=-,x", "--line=-½")),
    ("x" * 300,),
    ("--" + "x" * 300,),
    *(("play", dashes + "x" * 300 + value) for dashes in ("-", "--") for value in ("", "=1")),
    ("kit", "--hand", "x" * 300),
    ("kit", "--paper", "x" * 300),
    ("calibrate", "--paper", "x" * 300),
    ("film", "game.jsonl", "x.mp4", "--tier", "x" * 300),
    ("players", "show", "x" * 300),
    ("players", "set", "Ann", "--colour", "x" * 300),
    ("players", "set", "Ann", "--hand=" + "x" * 300),
    ("join", "x" * 300),
    ("tables", "--broker", "x" * 300),
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    for name in [*(key for key in os.environ if key.startswith("XDG_")), "DISPLAY", "WAYLAND_DISPLAY"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)
    return home


def run_command(*arguments: str, columns: int = 200) -> ProgramResult:
    """Run a command line in this process; a new process for each of a hundred cases would take half a second."""
    result = run(*arguments, columns=columns)
    if result.exception is not None:
        raise result.exception
    return ProgramResult(["armoon", *arguments], result.exit_code, result.output, result.output)


def repeats_value(result: ProgramResult, value: str) -> bool:
    """Return whether the output quotes more of the value than an error message may (MAX_QUOTED characters)."""
    output = (result.stdout + result.stderr).replace("\n", "")
    runs = [run for run in re.split(r"[,=\s]", value) if run.isprintable()]
    long = MAX_QUOTED + 1
    return any(run[k : k + long] in output for run in runs for k in range(len(run) - MAX_QUOTED))


def check_ending(result: ProgramResult, *values: str) -> None:
    assert not any(repeats_value(result, value) for value in values), result.stderr
    for output in (result.stdout, result.stderr):
        assert "Traceback" not in output, output
        control_characters = [c for c in output if not c.isprintable() and c not in "\n\u00a0\u202f"]
        assert control_characters == []
    assert result.returncode in (0, 1, 2), result.returncode
    assert result.returncode == 0 or result.stderr or result.stdout
    assert len(result.stderr) < 2000, "a long argument is shortened"


@pytest.mark.parametrize("arguments", PLAY_ARGUMENTS, ids=lambda pair: f"{pair[0]} {ascii(pair[1])[:20]}")
def test_an_invalid_option_is_reported(tmp_path: Path, arguments: tuple[str, str]) -> None:
    play = ("play", "--headless", "--turns", "1", "--camera", "nowhere.mp4")
    check_ending(run_command(*play, *arguments), *arguments)
    assert not (tmp_path / "~nosuchuser").exists()


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: ascii(camera)[:20])
def test_an_invalid_camera_is_refused(camera: str) -> None:
    result = run_command("play", "--headless", "--turns", "1", "--camera", camera)
    check_ending(result, camera)
    assert result.returncode == 2


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda words: ascii(" ".join(words))[:30])
def test_invalid_arguments_of_a_command_are_reported(arguments: tuple[str, ...]) -> None:
    result = run_command(*arguments)
    check_ending(result, *arguments)
    assert "unexpected extra argument" not in result.stderr, "the case should fail for its value"


@pytest.mark.parametrize(
    "content",
    [
        f"a = {'[' * 100_000}",
        f"a = {'[' * 3000}{']' * 3000}",
        "a = " + "{a = " * 3000 + "1" + "}" * 3000,
        f"{'.'.join(['a'] * 5_000)} = 1",
        f"seed = {HUGE}",
        f"grace_s = {HUGE}",
        "grace_s = 1e400",
        "grace_s = nan",
        f"palm_length_m = 1{'0' * 400}",
        f"rate_hz = 1{'0' * 400}",
        'size = "²x²"',
        "size = [1e400, 3]",
        f"size = [{HUGE}, {HUGE}]",
        'players = ["\\u001b[31m", "Ben"]',
        'language = "\\u001b[31m"',
        '"\\u001b[31m" = 1',
        "\x1b[31m = 1",
        'players = ["\\ud800"]',
        "\udcff",
    ],
    ids=lambda content: ascii(content)[:24],
)
def test_invalid_settings_are_refused(home: Path, content: str) -> None:
    folder = home / ".config" / "armoon"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text(content, errors="surrogateescape")
    result = run_command("replay", "none.jsonl")
    check_ending(result)
    assert result.returncode == 2
    assert "settings.toml" in result.stderr


@pytest.mark.parametrize("kind", ["folder", "pipe", "endless", "link to itself"])
def test_settings_that_are_not_a_file_are_refused(home: Path, kind: str) -> None:
    folder = home / ".config" / "armoon"
    folder.mkdir(parents=True)
    path = folder / "settings.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "endless" else path)
    result = run_command("replay", "none.jsonl")
    check_ending(result)
    assert result.returncode == 2
    assert "settings.toml" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "encoding"),
    [
        (("players", "set", "Zoë Ł 月", "--born", "2011-02-28"), "ascii"),
        (("play", "--help"), "ascii"),
        (("play", "--headless", "--camera", "nowhere.mp4", "--players", "Zoë,月", "--language", "fr"), ""),
    ],
    ids=["set", "help", "play in C"],
)
def test_a_locale_without_utf_8_works(tmp_path: Path, arguments: tuple[str, ...], encoding: str) -> None:
    # The locale is read at the start of a program, so this needs a new process.
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "0"}
    check_ending(armoon(*arguments, cwd=tmp_path, env={**locale, "PYTHONIOENCODING": encoding}))


@pytest.mark.parametrize(
    ("words", "output"),
    [
        *(("players list", output) for output in (">&-", ">/dev/full", "<&- >&- 2>&-", "2>/dev/full")),
        ("kit --help", ">/dev/full"),
    ],
)
def test_a_closed_or_full_output_gives_no_traceback(tmp_path: Path, words: str, output: str) -> None:
    result = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m armoon {words} {output}"],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in result.stderr, result.stderr
    assert "Exception ignored" not in result.stderr, result.stderr
    full = output == ">/dev/full"
    assert (result.returncode == 2) == full
    assert len(result.stderr.splitlines()) == full


@pytest.mark.parametrize("columns", [20, 59, 60, 200])
def test_a_narrow_terminal_gets_lines_instead_of_a_table(columns: int) -> None:
    name = "Maximilian-Anton"
    for player in (name, "Ann"):
        assert run_command("players", "set", player).returncode == 0
    result = run_command("players", "list", columns=columns)
    assert max(map(len, result.stdout.splitlines())) <= columns
    assert ("player: Ann" in result.stdout) == (columns < 60)
    assert columns == 60 or name in result.stdout.replace("\n", "")
