"""The AppImage: its start, libraries and table of licences, and the script that builds it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.checkout import CHECKOUT
from support.command_line import run
from support.waiting import PATIENCE_S

from armoon.cli import licences

PARTS = CHECKOUT / "scripts" / "one_file"

pytestmark = pytest.mark.skipif(
    not PARTS.is_dir() or shutil.which("bash") is None,
    reason="needs the checkout's scripts",
)

#: A fake of the AppImage's Python: $HAS determines the libraries that it finds; otherwise it prints its arguments.
PYTHON = """#!/bin/sh
case "$1" in
    -IS) [ "$HAS" = all ] || { [ "$HAS" = "no OpenGL" ] && [ -z "$3" ]; } ;;
    *) echo "$@"; env ;;
esac
"""


def launch(folder: Path, *arguments: str, has: str = "all", **variables: str) -> tuple[str, dict[str, str]]:
    binaries = folder / "with space" / "usr" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python3.11").write_text(PYTHON)
    (binaries / "python3.11").chmod(0o755)
    head = Path(shutil.copy(PARTS / "AppRun", folder / "with space"))
    link = folder / "armoon"
    link.symlink_to(head)
    result = subprocess.run(
        [str(link), *arguments],
        env={"PATH": os.environ["PATH"], "HAS": has, **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    if result.returncode:
        return result.stderr, {}
    called, *lines = result.stdout.splitlines()
    return called, dict(line.partition("=")[::2] for line in lines)


def test_without_arguments_the_appimage_starts_the_game(tmp_path: Path) -> None:
    called, _ = launch(tmp_path)
    assert called == "-P -m armoon play"


def test_with_arguments_the_appimage_runs_the_command(tmp_path: Path) -> None:
    called, env = launch(tmp_path, "replay", "my log", PYTHONPATH="/elsewhere", PYTHONHOME="/elsewhere")
    assert called == "-P -m armoon replay my log"
    assert not {"PYTHONPATH", "PYTHONHOME"} & set(env)
    assert env["PYTHONNOUSERSITE"] == "1"


def test_a_system_with_opengl_keeps_its_own_libraries(tmp_path: Path) -> None:
    _, env = launch(tmp_path, LD_LIBRARY_PATH="/own")
    assert env["LD_LIBRARY_PATH"] == "/own"
    assert "LIBGL_DRIVERS_PATH" not in env


def test_a_system_without_opengl_gets_the_bundled_libraries(tmp_path: Path) -> None:
    _, env = launch(tmp_path, has="no OpenGL", LD_LIBRARY_PATH="/own")
    spare = f"{tmp_path}/with space/usr/lib/spare"
    assert env["LD_LIBRARY_PATH"] == f"{spare}:/own"
    assert env["ARMOON_SPARE"] == spare
    assert env["LIBGL_DRIVERS_PATH"] == f"{spare}/dri"


def test_a_system_that_is_too_old_is_refused_with_a_message(tmp_path: Path) -> None:
    output, _ = launch(tmp_path, has="an old C library")
    assert "glibc 2.36" in output
    assert output.count("\n") == 1


@pytest.mark.parametrize(("name", "found"), [("Own", "libOwn.so.1"), ("nowhere", "None")])
def test_bundled_libraries_are_found_by_name(tmp_path: Path, name: str, found: str) -> None:
    (tmp_path / "libOwn.so.1").touch()
    (tmp_path / "libOwn.so.1.7.0").touch()
    result = subprocess.run(
        [sys.executable, "-c", f"import ctypes.util; print(ctypes.util.find_library({name!r}))"],
        env={**os.environ, "PYTHONPATH": str(PARTS), "ARMOON_SPARE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert result.stdout.strip() == found


def test_the_desktop_entry_has_everything_that_menus_need() -> None:
    lines = (PARTS / "armoon.desktop").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]"
    entry = dict(line.partition("=")[::2] for line in lines[1:])
    assert {"Type", "Name", "Exec", "Icon", "Categories", "Comment", "Comment[fr]"} <= set(entry)
    assert entry["Categories"].endswith(";")


def test_the_command_lists_the_bundled_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, site = tmp_path / "doc", tmp_path / "site"
    for package, text in (("libown1", "License: LGPL-2.1+\n text\nLicense: MIT\n"), ("libodd2", "as is\n")):
        (texts / package).mkdir(parents=True)
        (texts / package / "copyright").write_text(text)
    (tmp_path / "packages.txt").write_text("libown1 1.2-3\nlibodd2 4\n")
    (site / "armoon").mkdir(parents=True)
    (site / "armoon" / "__init__.py").touch()
    (site / "toy-2.0.dist-info").mkdir()
    (site / "toy-2.0.dist-info" / "METADATA").write_text("Name: toy\nVersion: 2.0\nLicense-Expression: ISC\n")
    subprocess.run(
        [sys.executable, "-S", PARTS / "bundled.py", texts, tmp_path / "packages.txt"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(site)},
        check=True,
        timeout=PATIENCE_S,
    )
    table = site / "armoon" / "bundled.json"
    rows = {row["what"]: row["licence"] for row in json.loads(table.read_text(encoding="utf-8"))["bundled"]}
    assert rows["toy 2.0"] == "ISC"
    assert rows["libown1 1.2-3"] == "LGPL-2.1+, MIT"
    assert rows["libodd2 4"] == "see the text"
    monkeypatch.setattr(licences, "BUNDLE_TABLE", table)
    result = run("licences")
    assert result.exit_code == 0
    assert all(word in result.output for word in ("toy 2.0", "libown1 1.2-3", "AppImageKit"))


def test_the_script_names_the_command_that_installs_a_missing_tool(tmp_path: Path) -> None:
    for name in ("uv", "apt-get", "dpkg-deb"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    for name in ("bash", "dirname", "env"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    result = subprocess.run(
        [str(tmp_path / "bash"), str(CHECKOUT / "scripts" / "appimage"), str(tmp_path / "dist")],
        env={"PATH": str(tmp_path), "ARMOON_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert result.returncode == 2
    assert "mksquashfs is missing" in result.stderr
    assert "apt-get install -y squashfs-tools" in result.stderr
    assert not (tmp_path / "dist").exists()
