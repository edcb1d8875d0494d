"""The packages that each process loads, and differences between operating systems."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import pytest
from support.waiting import PATIENCE_S

from armoon.camera.profiles import SEATS
from armoon.games.lake.bot import serve_bot
from armoon.games.lake.rules import Strength, create_state
from armoon.games.moon.demo_player import DemoPlayer
from armoon.party.encoding import FILM
from armoon.party.link import Server
from armoon.party.live import StreamState, run_stream
from armoon.party.memory import new_key
from armoon.party.server.lines import Keys
from armoon.placement.search import PlaceSearch
from armoon.placement.values import Question
from armoon.players.demo import DemoCamera, DemoOptions
from armoon.processes import system
from armoon.processes.child import Worker
from armoon.speech_recognition.listener import serve_listener
from armoon.synthetic_camera.look import StageLook
from armoon.values.places import Requirement
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set
from armoon.world.process import ProcessWorld

#: Packages that take more than about 10 ms or 5 MB to load.
HEAVY_PACKAGES = """
numpy cv2 mediapipe pybullet pyglet moderngl av pydantic rich msgspec starlette uvicorn segno asyncio pocketsphinx
sounddevice paho accesskit ai_edge_litert matplotlib markdown_it pygments PIL
"""
#: A ``sitecustomize.py``, which every Python process runs first, that records imports of heavy packages.
NOTES_IMPORTS = """
import os, sys

def note(event, arguments):
    if event == "import" and arguments[0] in {heavy!r}:
        with open({path!r}, "a") as file:
            file.write(arguments[0] + chr(10))

sys.addaudithook(note)
"""
LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base(LADDERS.ladders[:2])


def run_module(*arguments: str, stdin: bytes = b"", check: bool = True) -> None:
    command = [sys.executable, "-m", *arguments]
    subprocess.run(command, input=stdin, capture_output=True, check=check, timeout=PATIENCE_S)


def run_tracker() -> None:
    load = "from armoon.hands import tracker, model; model.load_mediapipe()"
    subprocess.run([sys.executable, "-c", load], check=True, timeout=PATIENCE_S)


def run_streamer() -> None:
    with closing(Worker("stream", run_stream, None, "rtmp://127.0.0.1:1/x", FILM, (64, 36), 30.0)) as worker:
        assert worker.receive(PATIENCE_S) is StreamState.REFUSED


def run_listener() -> None:
    with closing(Worker("listener", serve_listener)) as worker:
        worker.receive(PATIENCE_S)


def run_party_server() -> None:
    with closing(Server(Keys(new_key(), new_key(), new_key()), lambda words: None, port=0)) as server:
        urlopen(server.address("board"), timeout=PATIENCE_S).close()


def run_world() -> None:
    with closing(ProcessWorld(LADDERS, BASE)) as stepped:
        stepped.tick(None)


def run_search() -> None:
    with closing(PlaceSearch(LADDERS, BASE, processes=1)) as search:
        search.ask(Question((), "L05", Requirement(1, 1), drops=1))
        search.wait(PATIENCE_S)  # otherwise it might be killed while it is still loading


def run_demo() -> None:
    make_player = partial(DemoPlayer, LADDERS, BASE, seed=1)
    options = DemoOptions(SEATS["table"](320, 180), 1, 30.0, StageLook(seed=1), make_player)
    with closing(DemoCamera(options)) as camera:
        camera.read()


def run_lake_bot() -> None:
    worker = Worker("lake bot", serve_bot)
    with closing(worker):
        worker.send((create_state(("Ann", "Ben"), 1), Strength.STRONG))
        worker.receive(PATIENCE_S)


@contextmanager
def note_imports(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], set[str]]]:
    notes = folder / "loaded"
    notes.touch()
    (folder / "sitecustomize.py").write_text(
        NOTES_IMPORTS.format(heavy=set(HEAVY_PACKAGES.split()), path=str(notes))
    )
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=":")
    yield lambda: set(notes.read_text().split())


@pytest.mark.parametrize(
    ("begin", "needs"),
    [
        pytest.param(lambda: run_module("armoon", "--help"), "msgspec", id="help"),
        pytest.param(lambda: run_module("armoon", "--version"), "msgspec", id="version"),
        pytest.param(
            lambda: run_module("armoon", "play", "--game", "?", "--headless", check=False),
            "msgspec",
            id="play",
        ),
        pytest.param(run_listener, "numpy pocketsphinx sounddevice msgspec", id="listener"),
        pytest.param(run_tracker, "numpy cv2 mediapipe msgspec sounddevice", id="tracker"),
        pytest.param(run_party_server, "starlette uvicorn segno asyncio msgspec", id="party's server"),
        pytest.param(run_streamer, "numpy av", id="streamer"),
        pytest.param(lambda: run_module("armoon.games.moon.built_in_bot"), "numpy pybullet", id="moon bot"),
        pytest.param(
            lambda: run_module("armoon.processes.child", sys.executable, "-c", ""), "", id="supervisor"
        ),
        pytest.param(run_world, "numpy pybullet", id="world"),
        pytest.param(run_search, "numpy pybullet", id="search"),
        pytest.param(
            run_demo, "numpy cv2 pybullet moderngl pyglet msgspec", id="demo's player", marks=pytest.mark.gl
        ),
        pytest.param(run_lake_bot, "", id="lake bot"),
    ],
)
def test_a_process_loads_only_needed_packages(
    begin: Callable[[], None], needs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with note_imports(tmp_path, monkeypatch) as loaded:
        begin()
        assert loaded() == set(needs.split())


#: Maximum number of the package's files that the help loads. If it loads more, look for the import that causes this.
MAX_HELP_FILES = 55
COUNTS = """
import sys
from armoon.cli import main
sys.argv = ["armoon", "--help"]
try:
    main()
except SystemExit:
    print(sum(name.partition(".")[0] == "armoon" for name in sys.modules), file=sys.stderr)
"""


def test_the_help_loads_few_modules_of_the_package() -> None:
    result = subprocess.run(
        [sys.executable, "-c", COUNTS], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert 10 < int(result.stderr) <= MAX_HELP_FILES


PROBE = """
import importlib.util, os, sys
from importlib.machinery import ModuleSpec
import types
probe = types.ModuleType("armoon.probe")
source = '''
import os, select, signal, subprocess, sys
from pathlib import Path
found = [hasattr(os, "killpg"), hasattr(signal, "SIGHUP"), os.name, sys.platform, Path("/proc/self/fd").exists()]
try:
    import fcntl
except ImportError:
    found.append("no fcntl")
try:
    subprocess.Popen(["true"], pass_fds=(1,))
except ValueError:
    found.append("no pass_fds")
try:
    open("/proc/self/stat")
except FileNotFoundError:
    found.append("no /proc")
kept = Path(sys.argv[1])
with kept.open("wb"):
    try:
        kept.unlink()
    except PermissionError:
        found.append("no unlink")
number = os.open(kept, os.O_WRONLY)
os.write(number, bytes([10]))
os.close(number)
found.append(kept.read_bytes())
'''
exec(compile(source, "probe.py", "exec"), probe.__dict__)
print(probe.found, hasattr(os, "killpg"), sys.platform)
"""


def test_without_posix_the_standard_library_behaves_as_on_windows(tmp_path: Path) -> None:
    folder = Path(__file__).parent / "support" / "without_posix"
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    command = [sys.executable, "-c", PROBE, str(tmp_path / "kept")]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)
    lacks = "'no fcntl', 'no pass_fds', 'no /proc', 'no unlink', b'\\r\\n'"
    assert f"{lacks}] True linux" in result.stdout, result.stderr
    assert "[False, False, 'nt', 'win32'" in result.stdout


def test_replacing_an_open_file_is_retried_only_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft, kept = tmp_path / "draft", tmp_path / "kept"
    draft.write_bytes(b"new")
    kept.write_bytes(b"old")
    refusals = [PermissionError(13, "in use")] * 3

    def refuse(one: Path, other: Path) -> None:
        if refusals:
            raise refusals.pop()
        os.replace(one, other)

    patched = SimpleNamespace(name="posix", replace=refuse)
    monkeypatch.setattr(system, "os", patched)
    with pytest.raises(PermissionError):
        system.replace_file(draft, kept)  # on other systems the error isn't temporary
    assert kept.read_bytes() == b"old"
    patched.name = "nt"
    system.replace_file(draft, kept)
    assert (kept.read_bytes(), refusals) == (b"new", [])
