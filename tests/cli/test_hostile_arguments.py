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
LONG = "x" * 300
#: Hostile values of options of `play`.
PLAY_VALUES = {
    "--players": (f"{'A' * 300},B", f"{ESCAPES},Ben", "\u202egnikcab,Ben"),
    "--seed": (HUGE, "²"),
    "--turns": (HUGE,),
    "--turn-limit": ("inf", "nan"),
    "--turned": ("1e999",),
    "--rate": ("nan",),
    "--size": ("²x²", "999999999x999999999", f"{HUGE}x{HUGE}"),
    "--palm-length": ("inf",),
    "--tears": (HUGE,),
    "--first": ("²", HUGE),
    "--edition": (ESCAPES,),
    "--language": (ESCAPES,),
    "--log": ("~nosuchuser/game.jsonl", "/dev/full"),
    "--record": ("~nosuchuser/game.mp4",),
    "--resume": ("~nosuchuser", ESCAPES, HUGE),
}
PLAY_ARGUMENTS = [(name, value) for name, values in PLAY_VALUES.items() for value in values]
CAMERAS = [
    *("~nosuchuser/clip.mp4", "x" * 5000, "file:///clip.mp4", "file://" + "x" * 300, "²", "٣", HUGE),
    *("/", "/dev/zero", "/dev/null", ESCAPES, "http://127.0.0.1:1/none", "rtsp://127.0.0.1:1/none", "-1"),
]
#: Hostile last arguments by the words before them.
LAST_WORDS = {
    "": ("\x1b" * 3000, " ".join("ab" * 1000), LONG, "--" + LONG),
    "replay": ("/dev/zero", LONG, "~nosuchuser/log", ESCAPES),
    "replay --verify": ("/dev/zero",),
    "replay --": (ESCAPES, "-" + LONG),
    "board --board": ("/dev/zero", LONG),
    "board --screen 6 --pixels": ("²x²", "999999999x999999999", f"{HUGE}x1"),
    "board --screen": ("²", "nan", "1e999", HUGE),
    "board --out": ("/dev/full",),
    "kit --screen": ("²", "nan", "1e999", HUGE),
    "kit --measured": ("nan",),
    "kit --hand": (LONG,),
    "kit --paper": (LONG,),
    "bots match pip luna --games": ("1_0",),
    "bots match pip luna --seed": ("٣",),
    "film nowhere.jsonl x.mp4 --speed": ("nan",),
    "film game.jsonl x.mp4 --tier": (LONG,),
    "film game.jsonl --": ("--",),
    "players set": (ESCAPES, LONG),
    "players set Ann --born": (HUGE, "²²²²-01-01"),
    "players set Ann --colour": (LONG,),
    "players set Ann": ("--hand=" + LONG,),
    "players show": (ESCAPES, LONG),
    "games show": (ESCAPES, "²", HUGE, LONG, "~nosuchuser"),
    "games export 1": ("/dev/full",),
    "games resume": (ESCAPES,),
    "hand": (LONG,),
    "hand Ann --camera": ("/dev/zero",),
    "calibrate --camera": ("/dev/zero",),
    "calibrate --pixels": ("²x²",),
    "calibrate --paper": (LONG,),
    "join": (LONG,),
    "tables --broker": (LONG,),
    "play": (
        "--log",
        "--log=--",
        "--handicaps=-,x",
        "--line=-½",
        *(f"-{LONG}", f"-{LONG}=1", f"--{LONG}", f"--{LONG}=1"),
    ),
}
COMMANDS = [(*words.split(), last) for words, lasts in LAST_WORDS.items() for last in lasts]


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
