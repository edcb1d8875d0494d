"""The doctor: every fault is found and has a cure, and only real obstacles end in exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from armoon.cli import doctor
from armoon.cli.doctor import CHECKS, Check, Finding, Level, doctor_command, examine, playable
from armoon.errors import CameraError, TrackerError
from armoon.settings import options as settings
from armoon.settings.table import Settings


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "settings_path", lambda: tmp_path / "settings.toml")
    monkeypatch.setattr(settings, "settings_path", lambda: tmp_path / "settings.toml")
    monkeypatch.setattr(doctor, "games_folder", lambda: tmp_path)


def well(settings: Settings) -> tuple[Level, str, str]:
    return Level.OK, "all [well]", ""


def camera_missing(settings: Settings) -> tuple[Level, str, str]:
    raise CameraError("There is no webcam.", remedy="Plug one in.")


def model_missing(settings: Settings) -> tuple[Level, str, str]:
    raise TrackerError("The model is missing.", remedy="Install it again.")


def library_missing(settings: Settings) -> tuple[Level, str, str]:
    raise ImportError("libGL.so.1: cannot open shared object file")


def test_a_fault_becomes_a_finding_with_its_cure_and_the_rest_is_tried() -> None:
    findings = examine([Check("model", model_missing), Check("GL", library_missing), Check("disk", well)])
    assert [(f.name, f.level) for f in findings] == [
        ("settings", Level.OK),
        ("model", Level.FAIL),
        ("GL", Level.FAIL),
        ("disk", Level.OK),
    ]
    assert all(f.remedy for f in findings if f.level is not Level.OK)
    assert "libGL.so.1" in findings[2].found
    assert not playable(findings)


def test_a_missing_webcam_is_only_a_warning() -> None:
    findings = examine([Check("camera", camera_missing, at_worst=Level.WARN)])
    assert findings[-1] == Finding("camera", Level.WARN, "There is no webcam.", "Plug one in.")
    assert playable(findings)


def test_broken_settings_are_a_finding_and_the_usual_ones_go_on(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("seat = 3\n")
    seen: list[Settings] = []

    def remember(given: Settings) -> tuple[Level, str, str]:
        seen.append(given)
        return Level.OK, "", ""

    findings = examine([Check("disk", remember)])
    assert findings[0].level is Level.FAIL
    assert "line 1" in findings[0].found
    assert seen == [Settings()]


def test_json_is_complete_and_the_exit_code_follows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "CHECKS", (Check("disk", well),))
    assert doctor_command(as_json=True) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["playable"] is True
    assert said["checks"][1] == {"name": "disk", "level": "ok", "found": "all [well]", "remedy": ""}
    monkeypatch.setattr(doctor, "CHECKS", (Check("model", model_missing),))
    assert doctor_command(as_json=True) == 2
    assert json.loads(capsys.readouterr().out)["playable"] is False


def test_the_table_shows_everything_as_it_was_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(doctor, "CHECKS", (Check("disk", well), Check("model", model_missing)))
    assert doctor_command(as_json=False) == 2
    printed = capsys.readouterr().out
    assert "all [well]" in printed
    assert "Install it again." in printed
    assert "can't be played here yet" in printed


def test_it_checks_what_a_game_needs() -> None:
    assert [check.name for check in CHECKS] == [
        "camera",
        "display",
        "model",
        "GL",
        "physics",
        "disk",
        "speed",
    ]


def test_a_full_disk_fails_and_a_nearly_full_one_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 0

    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: Usage)
    levels = []
    for Usage.free in (10_000_000, 500_000_000, 5_000_000_000):
        levels.append(doctor.check_disk(Settings())[0])
    assert levels == [Level.FAIL, Level.WARN, Level.OK]


def test_the_demo_needs_no_camera() -> None:
    assert doctor.check_camera(Settings(camera="demo"))[0] is Level.OK


def test_a_video_that_is_not_there_is_told() -> None:
    finding = Check("camera", doctor.check_camera, at_worst=Level.WARN).find(Settings(camera="no.mp4"))
    assert (finding.level, "no.mp4" in finding.found) == (Level.WARN, True)


def test_the_model_is_whole_here() -> None:
    assert doctor.check_model(Settings())[0] is Level.OK


def test_physics_runs_here() -> None:
    level, found, _ = doctor.check_physics(Settings())
    assert level in (Level.OK, Level.WARN)  # how fast is the machine's affair
    assert "tick" in found


@pytest.mark.gl
def test_gl_draws_here() -> None:
    assert doctor.check_gl(Settings())[0] in (Level.OK, Level.WARN)


@pytest.mark.tracker
def test_the_tracker_is_timed_here() -> None:
    level, found, _ = doctor.check_speed(Settings())
    assert level in (Level.OK, Level.WARN)
    assert "ms" in found
