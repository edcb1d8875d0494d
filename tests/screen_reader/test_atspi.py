"""Another program reads the tree of every page through AT-SPI, in a separate D-Bus session."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from armoon.screen_reader.link import supports_readers
from armoon.screens.state import PageName
from armoon.values.choices import Language

LAUNCHER = next(
    (
        p
        for p in ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
        if Path(p).exists()
    ),
    "",
)
#: The system's own Python: AT-SPI's library isn't on PyPI.
PYTHON = "/usr/bin/python3"
_IMPORT = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
_SESSION = """
{launcher} --launch-immediately & bus=$!
for try in $(seq 50); do
    gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus \\
        --method org.freedesktop.DBus.Properties.Set org.a11y.Status IsEnabled '<true>' >/dev/null 2>&1 && break
    sleep 0.1
done
"$@"
code=$?
kill $bus
exit $code
"""


def _missing_library() -> str:
    if not supports_readers():
        return "accesskit isn't installed, or this isn't Linux"
    for program in ("dbus-run-session", "gdbus"):
        if shutil.which(program) is None:
            return f"{program} isn't installed"
    if not LAUNCHER:
        return "at-spi2-core isn't installed"
    result = subprocess.run([PYTHON, "-c", _IMPORT], capture_output=True) if Path(PYTHON).exists() else None
    return (
        ""
        if result is not None and result.returncode == 0
        else "gir1.2-atspi-2.0 or python3-gi isn't installed"
    )


WHY = _missing_library()


pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY), reason=WHY)]


def run_in_session(folder: Path, module: str, *arguments: str) -> Any:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY")
    }
    environment |= {
        "XDG_RUNTIME_DIR": str(folder),
        "GSETTINGS_BACKEND": "memory",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    script = _SESSION.format(launcher=LAUNCHER)
    runs = (sys.executable, "-m", f"support.{module}", PYTHON, *arguments)
    result = subprocess.run(
        ["dbus-run-session", "--", "bash", "-c", script, "bash", *runs],
        env=environment,
        capture_output=True,
        text=True,
        timeout=3600,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    return json.loads(result.stdout.splitlines()[-1])


def test_another_program_reads_and_presses_every_page(tmp_path: Path) -> None:
    report = run_in_session(tmp_path, "atspi_pages")
    assert report["hello"] == {"found": True, "name": "armoon", "toolkit": "armoon"}
    assert report["differs"] == []
    assert report["read"] == len(PageName) * len(Language)
    assert report["focus Settings"]
    assert report["press Learn"]
    assert [tuple(request) for request in report["requests"]] == [("settings", "focus"), ("learn", "click")]


def test_another_program_alone_plays_a_turn_and_changes_a_setting(tmp_path: Path) -> None:
    report = run_in_session(tmp_path, "atspi_turn")
    presses = ("rolled", "taken", "judged", "paused", "settings", "contrast")
    assert {name: report[name] for name in presses} == dict.fromkeys(presses, True)
    assert report["box"] == ["check box", True]
