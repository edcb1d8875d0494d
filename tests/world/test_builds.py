"""The installed engine is named by its distribution, its version and the platform it was compiled for."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from armoon.world import physics

WHEEL = "Wheel-Version: 1.0\nTag: cp311-cp311-{0}\nTag: cp311-cp311-{1}\n"


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    physics.build.cache_clear()
    yield
    physics.build.cache_clear()


@pytest.mark.parametrize(
    ("name", "tags", "told"),
    [
        ("pybullet", ("manylinux_2_17_x86_64", "manylinux2014_x86_64"), "manylinux_2_17_x86_64"),
        ("pybullet", ("manylinux2014_x86_64", "manylinux_2_17_x86_64"), "manylinux_2_17_x86_64"),
        ("pybullet-arm64", ("win_amd64", "win_amd64"), "win_amd64"),
        ("pybullet-arm64", ("macosx_11_0_universal2",) * 2, "macosx_11_0_universal2"),
    ],
)
def test_a_build_is_named_by_its_wheel(
    name: str, tags: tuple[str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pybullet.py").touch()
    folder = tmp_path / f"{name.replace('-', '_')}-7.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 7.0\n", encoding="utf-8")
    (folder / "WHEEL").write_text(WHEEL.format(*tags), encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "pybullet", raising=False)
    assert physics.build() == f"{name} 7.0 {told}"


def test_an_engine_without_metadata_is_named_by_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(physics, "DISTRIBUTIONS", ("no-such-engine",))
    assert physics.build() == sysconfig.get_platform()
