"""Profiles are saved completely or refused with a remedy, and the last good one can be restored."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from armoon.camera import profiles
from armoon.camera.profiles import (
    Calibration,
    get_profile_path,
    load_profile,
    parse_profile,
    restore_profile,
    save_profile,
)
from armoon.errors import CameraError
from armoon.geometry import CameraModel

NAME = "Integrated Camera: HD"
CAMERA = CameraModel(640, 480, 520.0, 521.0, 317.0, 244.0, (0.1, -0.25, 0.001, -0.0007, 0.05))
GOOD = Calibration(CAMERA, 0.1, 0.12, 15, 0.001)


def test_a_profile_is_read_back_bit_for_bit(tmp_path: Path) -> None:
    folder = tmp_path / "cameras"
    path = save_profile(folder, NAME, GOOD)
    assert path == get_profile_path(folder, NAME, 640, 480)
    assert load_profile(folder, NAME, 640, 480) == CAMERA
    assert sorted(p.name for p in folder.iterdir()) == ["integrated-camera-hd-640x480.json"]


def test_an_unwritable_folder_is_reported_and_keeps_both_profiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_profile(tmp_path, NAME, GOOD)
    path = save_profile(tmp_path, NAME, replace(GOOD, camera=replace(CAMERA, fx=525.0)))

    def refuse(draft: Path, path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as refused:
        refused.setattr(profiles, "replace_file", refuse)
        with pytest.raises(CameraError, match=r"can't be written \(Read-only file system\)") as caught:
            restore_profile(tmp_path, NAME, 640, 480)
    assert str(path) in caught.value.what
    assert "permission to write" in caught.value.remedy
    assert restore_profile(tmp_path, NAME, 640, 480) == CAMERA


def test_a_truncated_file_never_becomes_the_last_good_one(tmp_path: Path) -> None:
    save_profile(tmp_path, NAME, GOOD)
    path = save_profile(tmp_path, NAME, GOOD)
    path.write_text("{", encoding="utf-8")
    save_profile(tmp_path, NAME, replace(GOOD, camera=replace(CAMERA, fx=525.0)))
    assert restore_profile(tmp_path, NAME, 640, 480) == CAMERA


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"fx": 0.0}, "focal length of 0"),
        ({"fy": -500.0}, "focal length"),
        ({"fx": 1e9, "fy": 1e9}, "focal length"),
        ({"fx": float("nan")}, "finite"),
        ({"fx": 400.0}, "square"),
        ({"cx": -3.0}, "centre"),
        ({"width": 0}, "picture of 0"),
        ({"distortion": (-9.0, 0.0, 0.0, 0.0, 0.0)}, "folds"),
    ],
)
def test_impossible_numbers_are_refused_and_the_last_good_profile_stays(
    tmp_path: Path, change: dict[str, object], expected: str
) -> None:
    path = save_profile(tmp_path, NAME, GOOD)
    wrong = replace(CAMERA, **change)  # type: ignore[arg-type]
    with pytest.raises(CameraError, match=expected):
        save_profile(tmp_path, NAME, replace(GOOD, camera=wrong))
    assert load_profile(tmp_path, NAME, 640, 480) == CAMERA
    data = {**json.loads(path.read_text(encoding="utf-8")), **change}
    with pytest.raises(CameraError, match=expected):
        parse_profile(json.dumps(data), "edited by hand")
