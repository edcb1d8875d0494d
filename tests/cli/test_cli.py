"""The command line: options passed to the app, and errors for mistakes and missing devices."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.command_line import run
from support.kill_table import save_tower
from support.waiting import PATIENCE_S

from armoon import __version__, cli, messages
from armoon.camera import sources
from armoon.cli import calibration, common, play
from armoon.errors import CameraError, DisplayError
from armoon.games.lake.rules import Strength
from armoon.games.library import Verification
from armoon.games.moon.bot_protocol import BotLevel
from armoon.saves.game_file import GameFile
from armoon.settings.preferences import PlayOptions, Settings
from armoon.values.choices import Language


class FakeApp(ModuleType):
    def __init__(self) -> None:
        super().__init__("armoon.app")
        self.calls: list[Any] = []
        self.answer: int | BaseException = 0

    def play(self, options: PlayOptions) -> int:
        return self._answer(options)

    def replay_game(self, log: Path, options: PlayOptions) -> int:
        return self._answer(options)

    def _answer(self, options: object) -> int:
        self.calls.append(options)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeApp:
    fake = FakeApp()
    monkeypatch.setitem(sys.modules, "armoon.app", fake)
    monkeypatch.setitem(sys.modules, "armoon.app.playing", fake)
    monkeypatch.setattr(play, "load_settings", Settings)
    for module in (play, common):
        monkeypatch.setattr(module, "games_folder", lambda: tmp_path / "games")
    monkeypatch.setattr(common, "has_display", lambda: True)

    def no_camera(*_: object) -> None:
        raise CameraError("There is no webcam.", remedy="Plug one in.")

    for module in (sources, calibration):
        monkeypatch.setattr(module, "open_source", no_camera)
    monkeypatch.setattr(messages, "_language", "en")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return fake


def test_a_session_searches_for_a_webcam_only_after_its_window_is_open(game: FakeApp) -> None:
    run("play")
    (options,) = game.calls
    assert (options.camera, options.seat, options.menu) == ("0", "mirror", True)


@pytest.mark.parametrize(
    ("typed", "camera"),
    [
        (("--now",), "none"),
        (("--now", "--game", "lake", "--bots", "hand,strong"), "none"),
        (("--headless",), "demo"),
    ],
)
def test_without_a_webcam_only_a_headless_game_uses_the_demo(
    game: FakeApp, typed: tuple[str, ...], camera: str
) -> None:
    run("play", *typed)
    assert game.calls[0].camera == camera
    assert "No webcam found" in " ".join(game.calls[0].notices)


def test_a_resumed_game_needs_no_game_name(game: FakeApp, tmp_path: Path) -> None:
    """Games are numbered from the newest; the saved game determines the players, not the settings."""
    folder = tmp_path / "games"
    folder.mkdir()
    for name, kind, when in (("a", "moon", 1), ("b", "lake", 2)):
        path = folder / f"{name}.armoon"
        GameFile.create(path, {}, game=kind, begun="2026-01-01", program="1").close()
        os.utime(path, (when, when))
    for which, kind in (("1", "lake"), ("2", "moon"), ("b", "lake")):
        assert run("play", "--resume", which, "--camera", "demo").exit_code == 0
        assert game.calls[-1].game == kind


@pytest.mark.parametrize(
    ("typed", "flag"),
    [
        (("--resume", "1", "--players", "Zoe,Karl"), "--players"),
        (("--resume", "1", "--tears", "3"), "--tears"),
        (("--join", "ws://a.b:1#key", "--seed", "3"), "--seed"),
    ],
)
def test_an_option_determined_by_the_game_is_refused(
    typed: tuple[str, ...], flag: str, game: FakeApp, tmp_path: Path
) -> None:
    (tmp_path / "games").mkdir()
    GameFile.create(tmp_path / "games" / "a.armoon", {}, game="moon", begun="2026-01-01", program="1").close()
    result = run("play", *typed, "--camera", "demo")
    assert result.exit_code == 2
    sentence = " ".join(result.output.split())
    assert f"{flag} does nothing with {typed[0]}" in sentence
    assert not game.calls


def test_a_working_webcam_is_used(game: FakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    class WorkingCamera:
        closed = False

        def close(self) -> None:
            self.closed = True

    webcam = WorkingCamera()
    monkeypatch.setattr(sources, "open_source", lambda *_: webcam)
    run("play", "--now")
    assert (game.calls[0].camera, game.calls[0].width_px) == ("0", 1280)
    assert webcam.closed  # the game reopens it


@pytest.mark.parametrize("command", [("play", "--camera", "demo"), ("replay", "a.jsonl")])
def test_without_a_screen_a_film_is_made_and_named(
    game: FakeApp, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(common, "has_display", lambda: False)
    run(*command)
    (options,) = game.calls
    assert options.headless
    assert options.value("record") is not None
    assert re.fullmatch(r"armoon-\d{8}-\d{6}\.mp4", options.value("record").name)
    (notice,) = options.notices
    assert str(options.value("record")) in notice


def test_headless_records_only_on_request(game: FakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "has_display", lambda: False)
    run("play", "--camera", "demo", "--headless")
    assert game.calls[0].value("record") is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "--zzz"], "armoon play has no option --zzz. armoon play --help lists the options"),
        (["play", "--recrod", "a.mp4"], "Did you mean: --record"),
        (["play", "--seed", "-1"], "a whole number from 0 up"),
        (["play", "-seed", "3"], "Did you mean: --seed"),
        (["film", "--tier", "full", "a"], "FILE.mp4 is missing. armoon film --help"),
        (["play", "extra"], "Unexpected argument: extra. armoon play"),
        (["kit", "kit.pdf"], "Unexpected argument: kit.pdf. A file is named with --out: --out kit.pdf."),
        (["board", "b.pdf"], "A file is named with --out: --out b.pdf."),
        (["juggle"], "There is no command 'juggle'. armoon --help lists the options"),
        (["plya"], "Did you mean: play"),
        (["games", "lsit"], "There is no command 'lsit'. Did you mean: list?"),
    ],
)
def test_a_mistyped_command_is_reported_before_anything_starts(
    game: FakeApp, arguments: list[str], says: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.startswith("armoon: ")
    assert result.output.count("\n") == 1, "not one line"
    assert game.calls == []


#: The paths of all commands and groups.
PATHS = [
    "",
    *cli.COMMANDS,
    *(f"{group} {name}" for group, own in cli.COMMANDS.items() if isinstance(own, dict) for name in own),
]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("path", PATHS)
def test_every_help_is_in_the_players_language_and_fits_the_terminal(
    path: str, language: Language, game: FakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "load_settings", lambda: Settings(language=language))
    result = run(*path.split(), "--help", columns=60)
    assert (result.exit_code, result.stderr) == (0, "")
    assert all(
        len(line) <= 60 and line.strip()[:1] not in tuple(":;?!") for line in result.output.splitlines()
    )
    words = set(result.output.split())
    english, french = {"this", "the", "with", "and"}, {"cette", "la", "les", "une"}
    own, other = (french, english) if language is Language.FR else (english, french)
    assert words & own
    assert not words & other
    assert words >= {f"armoon {path}".split()[-1], "--help"}


def test_a_fault_is_reported_with_its_remedy_and_exit_code_2(game: FakeApp) -> None:
    game.answer = DisplayError("The lamp is broken.", remedy="Change the lamp.")
    result = run("play", "--camera", "demo")
    assert result.exit_code == 2
    assert result.stderr == "armoon: The lamp is broken. Change the lamp.\n"


def test_ctrl_c_ends_with_130_and_no_message(game: FakeApp) -> None:
    game.answer = KeyboardInterrupt()
    result = run("play", "--camera", "demo")
    assert (result.exit_code, result.stderr) == (130, "")


def test_ctrl_c_at_a_question_ends_without_a_traceback(
    game: FakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(question: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    Path("a.jsonl").touch()
    result = run("play", "--camera", "demo", "--log", "a.jsonl", "--now")
    assert result.exception is None
    assert (result.exit_code, game.calls) == (1, [])


def test_a_programmers_mistake_is_not_hidden(game: FakeApp) -> None:
    game.answer = ZeroDivisionError("oops")
    assert isinstance(run("play", "--camera", "demo").exception, ZeroDivisionError)


@pytest.mark.parametrize(
    ("verification", "code", "says"),
    [
        (Verification(same=True, verdicts=6, ticks=900), 0, "bit for bit: 6 verdicts, 900 ticks"),
        (Verification(same=False, verdicts=1, ticks=9, difference="line 4"), 1, "line 4"),
        (Verification(same=True, verdicts=2, ticks=9, damage="line 8 is cut"), 2, "line 8 is cut"),
    ],
)
def test_the_exit_code_is_the_outcome_of_verifying(
    game: FakeApp, monkeypatch: pytest.MonkeyPatch, verification: Verification, code: int, says: str
) -> None:
    monkeypatch.setattr("armoon.games.library.verify_log", lambda path: verification)
    result = run("replay", "a.jsonl", "--verify")
    assert result.exit_code == code
    assert says in result.output
    assert game.calls == []


def test_the_module_prints_its_version() -> None:
    command = [sys.executable, "-m", "armoon", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (result.returncode, result.stdout) == (0, f"armoon {__version__}\n")


@pytest.mark.parametrize(("source", "seat"), [("0", "mirror"), ("demo", "table"), ("game.mp4", "table")])
def test_a_webcam_faces_the_player_by_default(game: FakeApp, source: str, seat: str) -> None:
    assert run("play", "--camera", source).exit_code == 0
    assert game.calls[0].seat == seat


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--game", "lake", "--no-camera", "--bots", "clever"), ", ".join(("hand", *Strength))),
        (("--bots", "weak,weak"), ", ".join(("hand", *BotLevel))),
        (("--bots", "hand,luna,pip", "--players", "Ann,Ben"), "3 seats"),
        (("--together", "--edition", "bombyx-2017"), "no co-operative game"),
    ],
)
def test_options_that_contradict_each_other_are_reported(
    game: FakeApp, arguments: tuple[str, ...], hint: str
) -> None:
    result = run("play", *arguments)
    assert result.exit_code == 2
    assert hint in " ".join(result.output.split())
    assert game.calls == []


def test_without_a_camera_resuming_is_refused_in_one_sentence(game: FakeApp, tmp_path: Path) -> None:
    path = save_tower(tmp_path, 12, seed=5)
    before = path.read_bytes()
    result = run("play", "--no-camera", "--resume", str(path))
    assert result.exit_code == 2
    assert "--resume does nothing in a game without camera" in " ".join(result.output.split())
    assert path.read_bytes() == before
