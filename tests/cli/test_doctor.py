"""The doctor: every fault is found and has a remedy, and only real obstacles give exit code 2."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import cv2
import pytest

from armoon import messages
from armoon.app.pictures import BUDGET_MS
from armoon.camera.sources import make_webcam_fault
from armoon.cli import doctor
from armoon.cli.doctor import (
    CheckResult,
    Status,
    is_playable,
    judge_host,
    judge_system,
    list_abilities,
    measure_pace,
    run_checks,
)
from armoon.clock import ManualClock
from armoon.errors import CameraError, TrackerError
from armoon.processes.system import get_system, get_system_name
from armoon.settings import files as settings
from armoon.settings.preferences import Settings
from armoon.view.scene.tiers import TierController


@pytest.fixture(autouse=True)
def _use_own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "settings_path", lambda: tmp_path / "settings.toml")
    monkeypatch.setattr(settings, "settings_path", lambda: tmp_path / "settings.toml")
    monkeypatch.setattr(doctor, "games_folder", lambda: tmp_path)


def pass_check(settings: Settings) -> tuple[Status, str, str]:
    return Status.OK, "all [well]", ""


def fail_camera(settings: Settings) -> tuple[Status, str, str]:
    raise CameraError("There is no webcam.", remedy="Plug one in.")


def fail_model(settings: Settings) -> tuple[Status, str, str]:
    raise TrackerError("The model is missing.", remedy="Install it again.")


def fail_library(settings: Settings) -> tuple[Status, str, str]:
    raise ImportError("libGL.so.1: cannot open shared object file")


def test_a_fault_becomes_a_finding_with_its_remedy_and_the_others_run() -> None:
    findings = run_checks({"model": fail_model, "GL": fail_library, "disk": pass_check})
    assert [f.name for f in findings] == ["settings", "model", "GL", "disk"]
    assert [f.level for f in findings] == [Status.OK, Status.FAIL, Status.FAIL, Status.OK]
    assert all(f.remedy for f in findings if f.level is not Status.OK)
    assert "libGL.so.1" in findings[2].found
    assert not is_playable(findings)


def test_a_missing_webcam_leaves_the_demo() -> None:
    findings = run_checks({"camera": fail_camera})
    assert findings[-1] == CheckResult("camera", Status.MISSING, "There is no webcam.", "Plug one in.")
    assert is_playable(findings)


def test_broken_settings_are_a_finding_and_defaults_replace_them(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("seat = 3\n")
    given_settings: list[Settings] = []

    def remember(given: Settings) -> tuple[Status, str, str]:
        given_settings.append(given)
        return Status.OK, "", ""

    findings = run_checks({"disk": remember})
    assert findings[0].level is Status.FAIL
    assert "line 1" in findings[0].found
    assert given_settings == [Settings()]


def test_json_is_complete_and_the_exit_code_follows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "CHECKS", {"disk": pass_check})
    assert doctor.doctor.run(as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["playable"] is True
    assert {"name": "hear sounds", "works": True, "remedy": ""} in report["abilities"]
    assert report["checks"][1] == {"name": "disk", "level": "ok", "found": "all [well]", "remedy": ""}
    monkeypatch.setattr(doctor, "CHECKS", {"model": fail_model})
    assert doctor.doctor.run(as_json=True) == 2
    assert json.loads(capsys.readouterr().out)["playable"] is False


@pytest.mark.parametrize(("language", "other"), [("en", "fr"), ("fr", "en")])
def test_the_table_shows_everything_in_the_players_language(
    language: str, other: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    linux = {"system": lambda _: judge_system("Linux", "aarch64", (3, 11), ())}
    checks = dict.fromkeys(doctor.CHECKS, pass_check) | linux | {"model": fail_model, "GL": fail_library}
    monkeypatch.setattr(doctor, "CHECKS", checks)
    with messages.speaking(language):
        assert doctor.doctor.run(as_json=False) == 2
    printed = capsys.readouterr().out.replace(str(settings.settings_path()), "")
    assert ("all [well]" in printed, "Install it again." in printed) == (True, True)
    printed = printed.replace("The model is missing.", "")
    own, foreign = messages.catalogue(language), messages.catalogue(other)
    keys = [key for key in own if key.startswith("doctor.")]
    for key in ("unplayable", "system.linux_arm", "reinstall", "ability.hear", "part.disk"):
        assert is_in(own[f"doctor.{key}"], printed)
    assert not [key for key in keys if foreign[key] != own[key] and is_in(foreign[key], printed)]


def is_in(entry: str, printed: str) -> bool:
    parts = [re.escape(part) for part in re.split(r"\{\w+\}", entry)]
    return bool(re.search(r"\w", "".join(parts)) and re.search(rf"\b{'.*'.join(parts)}(?!\w)", printed))


def test_a_full_disk_fails_and_a_nearly_full_one_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 0

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)
    levels = [doctor.check_disk(Settings())[0] for Usage.free in (10_000_000, 500_000_000, 5_000_000_000)]
    assert levels == [Status.FAIL, Status.WARN, Status.OK]


@pytest.mark.gl
@pytest.mark.parametrize("lacks", ["", "Devanagari", "HarfBuzz"])
def test_writing_systems_without_a_font_are_named(lacks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from armoon.view import typeface

    monkeypatch.setattr(typeface, "has_letters", lambda letters: letters != doctor.SCRIPTS.get(lacks))
    monkeypatch.setattr(typeface, "can_shape", lambda: lacks != "HarfBuzz")
    level, finding, remedy = doctor.check_letters(Settings())
    assert (level, bool(remedy)) == ((Status.MISSING, True) if lacks else (Status.OK, False))
    assert lacks in finding + remedy
    assert all((script in finding) == (lacks in ("", script, "HarfBuzz")) for script in doctor.SCRIPTS)


#: Abilities that need a display.
SHOWN = ("over_picture", "without_camera", "watch")


@pytest.mark.parametrize(
    ("faults", "lost"),
    [
        ({}, {}),
        ({"camera": Status.WARN}, {}),
        ({"camera": Status.MISSING}, {"by_hand": "camera", "over_picture": "camera"}),
        (
            {"display": Status.MISSING, "sound": Status.MISSING},
            {"hear": "sound"} | dict.fromkeys(SHOWN, "display"),
        ),
        ({"GL": Status.FAIL}, dict.fromkeys(("by_hand", *SHOWN, "film"), "GL")),
    ],
)
def test_a_fault_prevents_only_the_abilities_that_need_the_faulty_part(
    faults: dict[str, Status], lost: dict[str, str]
) -> None:
    """Each lost ability has the remedy of the first faulty part that it needs."""
    parts = ("camera", "display", "model", "GL", "physics", "sound", "disk")
    findings = [CheckResult(part, faults.get(part, Status.OK), "", f"Mend the {part}.") for part in parts]
    abilities = {row["name"]: row["remedy"] for row in list_abilities(findings) if not row["works"]}
    assert abilities == {messages.text(f"doctor.ability.{name}"): f"Mend the {lost[name]}." for name in lost}


@pytest.mark.parametrize(
    ("system", "machine", "python", "glibc", "level", "word"),
    [
        ("Linux", "x86_64", (3, 10), (2, 28), Status.OK, "ready"),
        ("Linux", "x86_64", (3, 11), (2, 41), Status.OK, "ready"),
        ("Linux", "x86_64", (3, 12), (2, 41), Status.OK, "ready"),
        ("Linux", "x86_64", (3, 13), (2, 41), Status.WARN, "LiteRT"),
        ("Linux", "x86_64", (3, 14), (2, 41), Status.WARN, "never tried"),
        ("Linux", "x86_64", (3, 11), (2, 17), Status.WARN, "too old"),
        ("Linux", "x86_64", (3, 11), (), Status.WARN, "too old"),
        ("Linux", "aarch64", (3, 11), (2, 41), Status.FAIL, "moderngl and the physics"),
        ("Darwin", "arm64", (3, 11), (), Status.WARN, "never tried"),
        ("Darwin", "x86_64", (3, 11), (), Status.WARN, "moderngl"),
        ("Windows", "AMD64", (3, 11), (), Status.WARN, "all packages are ready"),
        ("Windows", "ARM64", (3, 11), (), Status.WARN, "x86-64 only"),
    ],
)
def test_systems_are_judged_by_the_packages_that_exist(
    system: str, machine: str, python: tuple[int, int], glibc: tuple[int, ...], level: Status, word: str
) -> None:
    judged, finding, remedy = judge_system(system, machine, python, glibc)
    assert judged is level
    assert word in finding
    assert bool(remedy) is (level is not Status.OK)


READY = (Status.OK, "Linux: ready", "")


@pytest.mark.parametrize(
    ("release", "folder", "word", "remedy"),
    [
        ("6.1.0-amd64", "/usr", "", ""),
        ("5.15.153.1-microsoft-standard-WSL2", "/usr", "no webcam", "play.cmd"),
        ("10", r"C:\Program Files\WindowsApps\PythonSoftwareFoundation.Python.3.11", "Store", "uv's Python"),
    ],
)
def test_unusual_systems_are_reported(release: str, folder: str, word: str, remedy: str) -> None:
    level, finding, remedy_text = judge_host(release, folder, READY)
    assert level is (Status.WARN if word else Status.OK)
    assert word in finding
    assert remedy in remedy_text
    bad = (Status.FAIL, "Linux on aarch64", "Use another.")
    assert judge_host(release, folder, bad) == bad


@pytest.mark.parametrize(
    ("system", "camera", "gl", "start"),
    [
        ("linux", "Close other programs", "libegl1", "scripts/play"),
        ("darwin", "System Settings, Privacy & Security, Camera", "not over ssh", "scripts/play"),
        ("win32", "Let desktop apps access your camera", "driver", r"scripts\play.cmd"),
        ("freebsd14", "Close other programs", "libegl1", "scripts/play"),
    ],
)
def test_each_system_has_its_own_remedies(
    system: str, camera: str, gl: str, start: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    (tmp_path / "video7").touch()
    assert camera in make_webcam_fault(7, tmp_path).remedy
    assert gl in messages.text(f"fault.gl_cure.{get_system_name()}")
    assert get_system().start == start
    assert all(getattr(cv2, name) > 0 for name in get_system().cameras)


#: Seconds per picture on a machine with two cores, by tier, while the tracker reads every camera picture, and while it
#: reads every second one.
BUSY_S = {"full": (0.090, 0.070), "plain": (0.045, 0.025)}


@pytest.mark.parametrize(
    ("times", "first", "expected", "rate_hz"),
    [
        (1.0, "full", ["the picture (plain)", "the tracker (every second camera picture)"], 40),
        (0.5, "full", ["the picture (plain)"], 44),
        (0.1, "full", [], 60),
        (2.0, "plain", ["the tracker (every second camera picture)"], 20),
    ],
)
def test_the_picture_is_reduced_before_the_tracker(
    times: float, first: str, expected: list[str], rate_hz: int
) -> None:
    clock, controller = ManualClock(), TierController(first, BUDGET_MS, highest=first)

    def pass_time(seconds: float) -> None:
        clock.set_s(clock.now_s() + seconds)

    def draw(tier: str, every: int) -> None:
        pass_time(times * BUSY_S[tier][every - 1])

    found_hz, reduced = measure_pace(draw, controller, clock, pass_time)
    assert reduced == expected
    assert found_hz == pytest.approx(rate_hz, abs=0.6)
