"""The shell scripts: set up once, do nothing the second time, and say what to type if they can't continue."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from support.checkout import CHECKOUT
from support.waiting import PATIENCE_S
from support.without_posix.posix_only import REASONS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.skipif(
    not (CHECKOUT / "scripts" / "setup.sh").is_file() or shutil.which("bash") is None,
    reason="needs the checkout's scripts",
)

#: A fake Python: it appends its arguments to $CALLS, creates an environment of copies of itself for "-m venv", installs
#: itself as uv for "-m pip install uv", and prints $LACKING as the libraries that ctypes can't open.
FAKE_PYTHON = """#!/usr/bin/env bash
echo "python $*" >>"$CALLS"
here=$(dirname "$0")
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *"pip install"*" uv") cp "$here/python" "$here/uv" ;;
    "- "*) printf '%s' "${LACKING:-}" ;;
esac
"""


#: A fake Python that is too new; its "-m pip install uv" installs ``FAKE_UV``.
NEWER_PYTHON = """#!/usr/bin/env bash
[[ "$*" != *version_info* ]] || exit 1
echo "newer $*" >>"$CALLS"
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *"pip install"*" uv") cp "${PATH%%:*}/fake-uv" "$(dirname "$0")/uv" ;;
esac
"""

#: A fake uv: "python install 3.11" installs the fake Python where the real uv installs CPython.
FAKE_UV = """#!/usr/bin/env bash
case "$*" in
    --version) echo "uv 0.9" ;;
    "python install 3.11")
        echo "uv $* into $UV_PYTHON_INSTALL_DIR bin $UV_PYTHON_INSTALL_BIN" >>"$CALLS"
        [ -z "${NO_FETCH:-}" ] || { echo "error: dns error" >&2; exit 1; }
        folder=$UV_PYTHON_INSTALL_DIR/cpython-3.11.14-linux-x86_64-gnu/bin
        mkdir -p "$folder" && cp "${PATH%%:*}/real-python" "$folder/python3.11" ;;
    *) exit 1 ;;
esac
"""


PYTEST = "python -m pytest -n 2 --dist loadfile --no-loadscope-reorder"


class Sandbox:
    """A copy of the scripts on a system whose Python, sudo and apt-get are stubs."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "check out"  # scripts must work in a path with a space
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
            timeout=PATIENCE_S,
        )

    def read_calls(self) -> list[str]:
        return self.calls.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


def test_the_first_start_sets_up_and_the_second_only_plays(sandbox: Sandbox) -> None:
    first = sandbox.run("play", "--camera", "demo")
    assert first.returncode == 0, first.stderr
    calls = sandbox.read_calls()
    assert any("-m venv" in call for call in calls)
    (install,) = (call for call in calls if "pip install --quiet --python" in call)
    assert "--overrides" in install
    assert f"--constraints {sandbox.root}/scripts/constraints.txt" in install, "the tested versions"
    assert calls[-1] == "python -m armoon play --camera demo"
    second = sandbox.run("play", "--seed", "3")
    assert second.returncode == 0
    assert second.stderr == ""
    assert sandbox.read_calls() == ["python -m armoon play --seed 3"]


def test_packages_for_tests_are_added_once_and_suffice_for_playing(sandbox: Sandbox) -> None:
    sandbox.run("play")
    sandbox.run("test")
    assert any("[test,lint]" in call for call in sandbox.read_calls())
    assert not any("-m venv" in call for call in sandbox.read_calls())  # the environment is kept
    (sandbox.root / ".venv" / "set-up-").unlink()
    sandbox.run("play")
    assert sandbox.read_calls() == ["python -m armoon play"]


def test_changed_dependencies_are_installed_again(sandbox: Sandbox) -> None:
    sandbox.run("play")
    with (sandbox.root / "pyproject.toml").open("a") as file:
        file.write("\n# another dependency\n")
    sandbox.run("play")
    assert any("--overrides" in call for call in sandbox.read_calls())


def test_without_rights_the_script_names_the_command_for_missing_system_libraries(sandbox: Sandbox) -> None:
    run = sandbox.run("play", LACKING="libEGL.so.1\n")
    assert run.returncode == 2
    assert "apt-get update && apt-get install -y libgl1 libegl1" in run.stderr
    assert not any(call.startswith("apt-get") for call in sandbox.read_calls())
    assert not any("armoon play" in call for call in sandbox.read_calls())


def test_missing_system_libraries_are_installed_if_sudo_allows(sandbox: Sandbox) -> None:
    sandbox.stub("sudo", '#!/bin/sh\necho "sudo $*" >>"$CALLS"\n')
    run = sandbox.run("play", LACKING="libEGL.so.1\n")
    calls = sandbox.read_calls()
    assert "sudo apt-get update -qq" in calls
    assert any("apt-get install" in call and "libegl1" in call for call in calls)
    assert run.returncode == 2, "the library is still missing"


class TestWithoutASuitablePython:
    """As on Debian 13, Ubuntu 24.04 and most desktops, Python is newer than the packages support."""

    @pytest.fixture
    def newer(self, sandbox: Sandbox) -> Sandbox:
        """Return a system with only Python 3.13, which has pip and venv, and can install uv to fetch another Python."""
        for name in ("python3.11", "python3.10", "python3.12", "python3.13"):
            sandbox.stub(name, "#!/bin/sh\nexit 1\n")
        sandbox.stub("python3", NEWER_PYTHON)
        sandbox.stub("real-python", FAKE_PYTHON)
        sandbox.stub("uv", "#!/bin/sh\nexit 1\n")
        sandbox.stub("fake-uv", FAKE_UV)
        return sandbox

    def test_uv_installs_a_python_into_the_projects_folder(self, newer: Sandbox) -> None:
        run = newer.run("play", "--turns", "1")
        assert run.returncode == 0, run.stderr
        own = newer.root / ".venv-python"
        calls = newer.read_calls()
        assert f"newer -m venv {own}/uv" in calls
        assert f"uv python install 3.11 into {own} bin 0" in calls
        assert f"python -m venv {newer.root}/.venv" in calls
        assert calls[-1] == "python -m armoon play --turns 1"

    def test_an_installed_uv_is_used(self, newer: Sandbox) -> None:
        newer.stub("uv", FAKE_UV)
        newer.stub("python3", "#!/bin/sh\nexit 1\n")  # no Python at all
        run = newer.run("play")
        assert run.returncode == 0, run.stderr
        assert not any(call.startswith("newer") for call in newer.read_calls())

    def test_the_second_setup_fetches_nothing(self, newer: Sandbox) -> None:
        newer.run("play")
        shutil.rmtree(newer.root / ".venv")
        assert newer.run("play").returncode == 0
        assert not any("python install" in call for call in newer.read_calls())

    def test_if_python_cannot_be_fetched_a_mirror_is_named(self, newer: Sandbox) -> None:
        run = newer.run("play", NO_FETCH="1")
        assert run.returncode == 2
        assert "UV_PYTHON_INSTALL_MIRROR=ADDRESS" in run.stderr
        assert not (newer.root / ".venv").exists()

    def test_if_python_cannot_be_fetched_a_python_for_litert_is_used(self, newer: Sandbox) -> None:
        newer.stub("python3.13", FAKE_PYTHON)
        run = newer.run("play", "--turns", "1", NO_FETCH="1")
        assert run.returncode == 0, run.stderr
        assert "LiteRT" in run.stderr
        assert newer.read_calls()[-1] == "python -m armoon play --turns 1"

    def test_without_pip_and_venv_the_script_names_the_packages_to_install(self, newer: Sandbox) -> None:
        newer.stub("python3", "#!/bin/sh\nexit 1\n")
        run = newer.run("play")
        assert run.returncode == 2
        assert "apt-get update && apt-get install -y python3-venv" in run.stderr
        assert not any(call.startswith("apt-get") for call in newer.read_calls())

    def test_without_pip_and_venv_the_script_installs_them_if_permitted(self, newer: Sandbox) -> None:
        newer.stub("python3", "#!/bin/sh\nexit 1\n")
        newer.stub("sudo", '#!/bin/sh\n[ "$1" = -n ] || "$@"\n')
        with_venv = newer.bin / "newer"
        newer.stub("newer", NEWER_PYTHON)
        newer.stub(
            "apt-get", f'#!/bin/sh\necho "apt-get $*" >>"$CALLS"\ncp {with_venv} {newer.bin}/python3\n'
        )
        run = newer.run("play")
        assert run.returncode == 0, run.stderr
        assert any("apt-get install" in call and "python3-venv" in call for call in newer.read_calls())


def test_an_unsupported_processor_is_reported_before_anything_is_installed(sandbox: Sandbox) -> None:
    sandbox.stub("uname", '#!/bin/sh\n[ "$1" = -m ] && echo aarch64 || echo Linux\n')
    run = sandbox.run("play")
    assert run.returncode == 2
    assert "moderngl" in run.stderr
    assert sandbox.read_calls() == []


def test_every_dependency_has_a_tested_version() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["test"], *extras["lint"]]
    tested: dict[str, list[str]] = {}
    for line in (CHECKOUT / "scripts" / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith(("#", " ")):
            name, _, version = line.removesuffix("\\").partition(";")[0].strip().partition("==")
            tested.setdefault(name, []).append(version)
    # A package can have several requirements, each for some versions of Python.
    needed: dict[str, list[Requirement]] = {}
    for requirement in map(Requirement, wanted):
        needed.setdefault(requirement.name, []).append(requirement)
    for name, requirements in needed.items():
        versions = tested.get(name, [])
        for row in requirements:
            assert any(row.specifier.contains(version) for version in versions), f"{row}: run scripts/lock"
        for version in versions:
            assert any(r.specifier.contains(version) for r in requirements), f"{name} {version}"


def test_every_tested_version_has_hashes() -> None:
    lines = (CHECKOUT / "scripts" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [number for number, line in enumerate(lines) if not line.startswith(("#", " "))]
    bare = [lines[number] for number in pins if not lines[number + 1].startswith("    --hash=sha256:")]
    assert pins
    assert not bare


def test_the_scripts_for_windows_have_windows_line_breaks() -> None:
    for name in ("play.cmd", "play.ps1"):
        content = (CHECKOUT / "scripts" / name).read_bytes()
        assert content.count(b"\n") == content.count(b"\r\n") > 0


def test_the_audit_reports_an_unreachable_service(sandbox: Sandbox) -> None:
    sandbox.stub("uv", '#!/bin/sh\n[ "$1" = --version ]\n')
    run = sandbox.run("audit", ARMOON_PYTHON=sys.executable)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "nothing was checked" in run.stderr


@pytest.mark.parametrize(
    ("answer", "code", "expected"),
    [
        ('{"name": "rich", "version": "15.0.0", "vulns": []}', 0, "1 packages checked, 0 advisories"),
        ('{"name": "rich", "version": "15.0.0", "vulns": [%s]}', 1, "rich 15.0.0: PYSEC-1, fixed in 15.0.1"),
        ('{"name": "rich", "skip_reason": "not found"}', 2, ""),
    ],
)
def test_the_audit_lists_unreviewed_vulnerabilities(
    sandbox: Sandbox, answer: str, code: int, expected: str
) -> None:
    fault = '{"id": "PYSEC-1", "aliases": [], "fix_versions": ["15.0.1"]}'
    known = '{"id": "GHSA-x", "aliases": ["CVE-2025-53644"], "fix_versions": []}'
    packages = answer % f"{fault}, {known}" if "%s" in answer else answer
    sandbox.stub("uv", f'#!/bin/sh\n[ "$1" = --version ] || echo \'{{"dependencies": [{packages}]}}\'\n')
    run = sandbox.run("audit", ARMOON_PYTHON=sys.executable)
    assert run.returncode == code, run.stderr
    assert expected in run.stdout
    assert ("GHSA-x (accepted)" in run.stdout) is (code == 1)


def test_the_core_tests_name_existing_files(sandbox: Sandbox) -> None:
    sandbox.run("test", "--core", ARMOON_PYTHON=str(sandbox.bin / "python3.11"))
    (call,) = sandbox.read_calls()
    chosen = call.removeprefix(f"{PYTEST} -m not long ").split()
    assert len(chosen) > 5
    assert not [path for path in chosen if not (CHECKOUT / path).exists()]


def test_every_test_skipped_without_posix_exists() -> None:
    tests = (CHECKOUT / "tests").rglob("test_*.py")
    texts = "\n".join(f"{path} {path.read_text(encoding='utf-8')}" for path in tests)
    assert [part for part in REASONS if part.partition("[")[0] not in texts] == []


def test_programs_started_by_tests_are_compiled_once(sandbox: Sandbox) -> None:
    sandbox.stub(
        "recorder", '#!/bin/sh\necho "${PYTHONDONTWRITEBYTECODE-compiled} $PYTHONPYCACHEPREFIX" >>"$CALLS"\n'
    )
    sandbox.run("test", ARMOON_PYTHON=str(sandbox.bin / "recorder"), PYTHONDONTWRITEBYTECODE="1")
    assert sandbox.read_calls() == [f"compiled {sandbox.root}/.pytest_cache/bytecode"]


def test_a_linters_failure_is_passed_on(sandbox: Sandbox) -> None:
    failing = FAKE_PYTHON + '[[ "$*" != *"format"* ]]\n'
    sandbox.stub("picky", failing)
    run = sandbox.run("lint", ARMOON_PYTHON=str(sandbox.bin / "picky"))
    assert run.returncode != 0
    assert not any("mypy" in call for call in sandbox.read_calls())


def test_the_real_play_script_knows_the_options() -> None:
    run = subprocess.run(
        ["bash", str(CHECKOUT / "scripts" / "play"), "--help"],
        env={**os.environ, "ARMOON_PYTHON": sys.executable, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert run.returncode == 0, run.stderr
    for option in ("--camera", "--headless", "--record", "--log", "--seed", "--players", "--turns"):
        assert option in run.stdout


def test_benchmarks_start_without_a_screen() -> None:
    imports = (
        "import benchmarks.__main__ as b; [b.importlib.import_module(f'benchmarks.{n}') for n in b.NAMES]"
    )
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", imports]
    assert subprocess.run(command, env=environment, timeout=PATIENCE_S).returncode == 0
