"""The tracker's model is assembled from the installed package, checked, and never downloaded."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path

import pytest

from armoon.errors import TrackerError
from armoon.hands import model


def test_the_bundle_has_both_networks_stored_and_is_always_the_same() -> None:
    bundle = model.make_model_bundle()
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        assert [m.filename for m in archive.infolist()] == [p.member for p in model.PARTS]
        assert all(m.compress_type == zipfile.ZIP_STORED for m in archive.infolist())
        assert archive.testzip() is None
    assert model.make_model_bundle() == bundle


@pytest.fixture
def package_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    real = model.find_package_folder()
    for part in model.PARTS:
        (tmp_path / part.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(real / part.path, tmp_path / part.path)
    monkeypatch.setattr(model, "find_package_folder", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize("part", model.PARTS, ids=lambda p: p.member)
def test_a_changed_cut_or_missing_network_is_refused(package_copy: Path, part: model.ModelPart) -> None:
    path = package_copy / part.path
    data = path.read_bytes()
    changed = bytearray(data)
    changed[len(data) // 2] ^= 1
    for damaged in (data[:-1000], changed):
        path.write_bytes(damaged)
        with pytest.raises(TrackerError, match="damaged") as caught:
            model.make_model_bundle()
        assert "pip install" in caught.value.remedy
        assert part.path in str(caught.value)
    path.unlink()
    with pytest.raises(TrackerError, match="can't be read"):
        model.make_model_bundle()


def test_without_mediapipe_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "find_spec", lambda name: None)
    with pytest.raises(TrackerError, match="not installed") as caught:
        model.make_model_bundle()
    assert "mediapipe==0.10.21" in caught.value.remedy
