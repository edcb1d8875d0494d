"""The shell scripts: set up once, do nothing the second time, and say what to type where they can't go on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(os.environ.get("ARMOON_CHECKOUT", Path(__file__).resolve().parent.parent))
pytestmark = pytest.mark.skipif(
    not (CHECKOUT / "scripts" / "setup.sh").is_file() or shutil.which("bash") is None,
    reason="the scripts belong to the checkout, which is not here",
)

#: Stands for Python: writes its arguments into $CALLS, makes an environment of copies of itself for
#: "-m venv", an installer for "-m pip install uv", and names $LACKING as what ctypes could not open.
FAKE_PYTHON = """#!/usr/bin/env bash
echo "python $*" >>"$CALLS"
here=$(dirname "$0")
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *"pip install"*" uv") [ -z "${NO_UV:-}" ] && cp "$here/python" "$here/uv" ;;
    "- "*) printf '%s' "${LACKING:-}" ;;
esac
"""


class Sandbox:
    """A copy of the scripts on a system whose Python, sudo and apt-get are stubs."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "check out"  # scripts have to survive a space
        shutil.copytree(CHECKOUT / "scripts", self.root / "scripts")
        shutil.copy(CHECKOUT / "pyproject.toml", self.root)
        self.calls = folder / "calls.txt"
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.stub("python3.11", FAKE_PYTHON)
        self.stub("id", "#!/bin/sh\necho 1000\n")
        self.stub("sudo", '#!/bin/sh\necho "sudo $*" >>"$CALLS"\nexit 1\n')
        self.stub("apt-get", '#!/bin/sh\necho "apt-get $*" >>"$CALLS"\n')

    def stub(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run(self, script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        self.calls.write_text("")
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "CALLS": str(self.calls), **variables}
        return subprocess.run(
            ["bash", str(self.root / "scripts" / script), *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def called(self) -> list[str]:
        return self.calls.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


def test_the_first_start_sets_up_and_the_second_only_plays(sandbox: Sandbox) -> None:
    first = sandbox.run("play", "--camera", "demo")
    assert first.returncode == 0, first.stderr
    calls = sandbox.called()
    assert any("-m venv" in call for call in calls)
    assert any("pip install --quiet --python" in call and "--overrides" in call for call in calls)
    assert calls[-1] == "python -m armoon play --camera demo"
    second = sandbox.run("play", "--seed", "3")
    assert second.returncode == 0
    assert second.stderr == ""
    assert sandbox.called() == ["python -m armoon play --seed 3"]


def test_what_the_tests_need_is_added_once_and_serves_playing_too(sandbox: Sandbox) -> None:
    sandbox.run("play")
    sandbox.run("test")
    assert any("[test,lint]" in call for call in sandbox.called())
    assert not any("-m venv" in call for call in sandbox.called())  # the environment is kept
    (sandbox.root / ".venv" / "set-up-").unlink()
    sandbox.run("play")
    assert sandbox.called() == ["python -m armoon play"]


def test_changed_dependencies_are_installed_again(sandbox: Sandbox) -> None:
    sandbox.run("play")
    with (sandbox.root / "pyproject.toml").open("a") as file:
        file.write("\n# another dependency\n")
    sandbox.run("play")
    assert any("--overrides" in call for call in sandbox.called())


def test_without_uv_pip_installs(sandbox: Sandbox) -> None:
    run = sandbox.run("play", NO_UV="1")
    assert run.returncode == 0, run.stderr
    installs = [call for call in sandbox.called() if "--editable" in call]
    assert installs == [
        f"python -m pip install --quiet --disable-pip-version-check --editable {sandbox.root}"
    ]


def test_missing_system_libraries_without_rights_name_the_command(sandbox: Sandbox) -> None:
    run = sandbox.run("play", LACKING="libEGL.so.1\n")
    assert run.returncode == 2
    assert "apt-get update && apt-get install -y libgl1 libegl1" in run.stderr
    assert not any(call.startswith("apt-get") for call in sandbox.called())
    assert not any("armoon play" in call for call in sandbox.called())


def test_missing_system_libraries_are_installed_where_sudo_allows(sandbox: Sandbox) -> None:
    sandbox.stub("sudo", '#!/bin/sh\necho "sudo $*" >>"$CALLS"\n')
    run = sandbox.run("play", LACKING="libEGL.so.1\n")
    calls = sandbox.called()
    assert "sudo apt-get update -qq" in calls
    assert any("apt-get install" in call and "libegl1" in call for call in calls)
    assert run.returncode == 2  # this stub of a system still lacks it, and that is noticed


def test_without_a_fitting_python_it_says_what_to_install(sandbox: Sandbox) -> None:
    for name in ("python3.11", "python3.10", "python3"):
        sandbox.stub(name, "#!/bin/sh\nexit 1\n")
    run = sandbox.run("play")
    assert run.returncode == 2
    assert "python3-venv" in run.stderr


def test_an_interpreter_that_is_named_is_used_as_it_is(sandbox: Sandbox) -> None:
    run = sandbox.run("play", "--turns", "1", ARMOON_PYTHON=str(sandbox.bin / "python3.11"))
    assert run.returncode == 0
    assert sandbox.called() == ["python -m armoon play --turns 1"]
    assert not (sandbox.root / ".venv").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "python -m pytest -m not slow"),
        (["--all"], "python -m pytest"),
        (["--all", "-k", "camera"], "python -m pytest -k camera"),
        (["tests/test_cli.py"], "python -m pytest -m not slow tests/test_cli.py"),
    ],
)
def test_all_brings_the_slow_tests(sandbox: Sandbox, arguments: list[str], expected: str) -> None:
    sandbox.run("test", *arguments, ARMOON_PYTHON=str(sandbox.bin / "python3.11"))
    assert sandbox.called() == [expected]


def test_a_fault_of_a_linter_is_handed_on(sandbox: Sandbox) -> None:
    failing = FAKE_PYTHON + '[[ "$*" != *"format"* ]]\n'
    sandbox.stub("picky", failing)
    run = sandbox.run("lint", ARMOON_PYTHON=str(sandbox.bin / "picky"))
    assert run.returncode != 0
    assert not any("mypy" in call for call in sandbox.called())


def test_the_real_play_script_knows_the_options() -> None:
    run = subprocess.run(
        ["bash", str(CHECKOUT / "scripts" / "play"), "--help"],
        env={**os.environ, "ARMOON_PYTHON": sys.executable, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    for option in ("--camera", "--headless", "--record", "--log", "--seed", "--players", "--turns"):
        assert option in run.stdout
