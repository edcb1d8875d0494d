"""Faults from outside: full and vanishing disks, dead and stopped processes, bad streams, jumping clocks."""

from __future__ import annotations

import itertools
import os
import random
import re
import resource
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.programs import armoon
from support.real_program import FILM_OPTIONS, ProgramStarter, list_children
from support.waiting import PATIENCE_S, until

from armoon.camera import sources
from armoon.camera.sources import CameraRequest, open_source
from armoon.clock import MAX_FRAME_S, TICKS_PER_SECOND, FixedStep, ManualClock
from armoon.engine.logbook import LogReader
from armoon.errors import CameraError
from armoon.saves.game_file import GameFile

STRACE = shutil.which("strace")


# Streams ------------------------------------------------------------------------------------------------------


def _multipart(picture: bytes) -> bytes:
    return b"--f\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(picture), picture)


def _make_jpeg(width: int = 64, height: int = 48) -> bytes:
    ok, encoded = cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))
    assert ok
    return encoded.tobytes()


HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=f\r\n\r\n"


def stall() -> Iterator[bytes]:
    yield from ()
    time.sleep(60.0)


def drip() -> Iterator[bytes]:
    for byte in HEAD + _multipart(_make_jpeg()) * 9:
        yield bytes([byte])
        time.sleep(0.05)


def break_off() -> Iterator[bytes]:
    yield HEAD
    yield from [_multipart(_make_jpeg())] * 5
    yield _multipart(_make_jpeg())[:200]


def mislead() -> Iterator[bytes]:
    yield HEAD
    yield from [_multipart(random.Random(5).randbytes(4000))] * 20


def swell() -> Iterator[bytes]:
    yield HEAD
    yield from [_multipart(_make_jpeg())] * 4
    yield from [_multipart(_make_jpeg(320, 240))] * 20


def refuse() -> Iterator[bytes]:
    yield b"HTTP/1.0 404 Not Found\r\n\r\n"


def send_garbage() -> Iterator[bytes]:
    yield bytes(range(256)) * 40


@contextmanager
def serve_stream(stream: Callable[[], Iterator[bytes]]) -> Iterator[str]:
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                visitor, _ = server.accept()
                with visitor, suppress(OSError):
                    for piece in stream():
                        visitor.sendall(piece)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/video"
    finally:
        server.close()


@pytest.mark.slow
def test_invalid_streams_raise_camera_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stream is read until its fault is reported; for a silent stream the library waits a second."""
    monkeypatch.setattr(sources, "STREAM_TIMEOUT_MS", 1000)

    def read_all(stream: Callable[[], Iterator[bytes]]) -> None:
        with serve_stream(stream) as url, closing(open_source(url, CameraRequest(64, 48))) as source:
            for _ in range(100):
                assert source.read() is not None

    streams = (stall, drip, break_off, mislead, swell, refuse, send_garbage)
    with ThreadPoolExecutor(len(streams)) as pool:
        faults = [pool.submit(read_all, stream).exception() for stream in streams]
    assert [type(fault) for fault in faults] == [CameraError] * len(streams)


# Clocks -------------------------------------------------------------------------------------------------------


def test_a_jumping_clock_neither_speeds_up_nor_stops_the_game() -> None:
    chance = random.Random(3)
    steps, now_s, most = FixedStep(1000.0), 1000.0, int(MAX_FRAME_S * TICKS_PER_SECOND) + 1
    for jump_s in itertools.chain(
        [3600.0, -3600.0, 1e9, 0.0], (chance.gauss(0.0, 100.0) for _ in range(500))
    ):
        assert 0 <= steps.advance(now_s + jump_s) <= most
        now_s = max(now_s, now_s + jump_s)
        assert 0.0 <= steps.fraction() <= 1.0
        assert steps.advance(now_s + 1.0) == most - 1
        now_s += 1.0
    clock = ManualClock(5.0)
    clock.set_s(1.0)
    assert clock.now_s() == 5.0


def test_the_games_time_does_not_depend_on_the_wall_clock() -> None:
    """Setting the date back during a game has no effect; only names and ages of files depend on the date."""
    import armoon as package

    calls = [
        path.name
        for path in Path(package.__file__).parent.rglob("*.py")
        if re.search(r"\btime\.time\(", path.read_text(encoding="utf-8"))
    ]
    assert sorted(calls) == ["files.py", "memory.py"], (
        "only the ages of parties and drafts depend on the wall clock"
    )


# The network --------------------------------------------------------------------------------------------------

#: A system call with a network address: its family and its address.
ADDRESS = re.compile(
    r"sa_family=(AF_INET6?),.*?(?:inet_addr\(\"([^\"]+)\"\)|inet_pton\(AF_INET6, \"([^\"]+)\")"
)


def list_addresses(trace: Path) -> list[str]:
    """Return every network address that a traced program used, except for this machine's own."""
    addresses = [match[2] or match[3] for match in ADDRESS.finditer(trace.read_text(errors="replace"))]
    return [address for address in addresses if not address.startswith("127.") and address != "::1"]


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
def test_a_game_continues_until_its_child_is_killed_and_never_uses_the_network(
    tmp_path: Path, start_program: ProgramStarter
) -> None:
    """The demo with log, save and film: a full disk, stopped processes, a deleted data folder, a killed child.

    Without strace the use of the network isn't checked.
    """
    trace = tmp_path / "trace"
    watch = (
        "-D",
        "-f",
        "-qq",
        "--seccomp-bpf",
        "-e",
        "trace=connect,bind,sendto,sendmsg,sendmmsg",
        "-o",
        str(trace),
    )
    program = start_program(*FILM_OPTIONS, before=(STRACE, *watch) if STRACE else ()).wait_for_games()
    own = program.process.pid
    size = program.logs[0].stat().st_size
    # The system limits the size of files, which has the effect of a full disk.
    resource.prlimit(own, resource.RLIMIT_FSIZE, (size + 10_000, size + 10_000_000))
    program.until(lambda: program.logs[0].stat().st_size > size + 8_000)
    program.wait_running(1.0)
    resource.prlimit(own, resource.RLIMIT_FSIZE, (size + 10_000_000, size + 10_000_000))
    program.wait_for_progress()
    stage = "before the game was closed"  # queued lines were written once there was room
    until(lambda: stage in str(LogReader(program.logs[0]).damage), "a log without a gap")
    pids = [own, *list_children(own)]
    for chosen in ([own], pids[1:], pids):
        for pid in chosen:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(0.5)
        for pid in reversed(chosen):
            os.kill(pid, signal.SIGCONT)
        program.wait_for_progress()
    shutil.rmtree(tmp_path / ".local")
    until(lambda: program.logs, "another log")
    program.wait_for_progress()
    for child in pids[1:]:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    output, complained = program.process.communicate(timeout=PATIENCE_S)
    assert program.process.returncode == 2
    assert "The rendered camera's process has ended." in complained
    assert "Traceback" not in output + complained
    assert len(re.findall(r"The game log \S+ can't be continued", output)) == 1
    assert len(re.findall(r"The game log \S+ was deleted during the game", output)) == 1
    assert LogReader(program.logs[0]).damage is None
    assert GameFile.read_saved(program.save).damage == ""
    assert not STRACE or list_addresses(trace) == []


@pytest.mark.skipif(STRACE is None, reason="needs strace")
def test_the_watch_notices_network_use(tmp_path: Path) -> None:
    import subprocess

    trace = tmp_path / "trace"
    speak = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 9))"
    watch = [str(STRACE), "-f", "-qq", "-e", "trace=connect,bind,sendto", "-o", str(trace)]
    result = subprocess.run([*watch, sys.executable, "-c", speak], check=False, capture_output=True)
    if not trace.exists() or b"ptrace" in result.stderr:
        pytest.skip("tracing isn't permitted here")
    assert list_addresses(trace) == ["192.0.2.1"]


def test_bots_play_without_the_network(tmp_path: Path) -> None:
    """Python's audit hooks report every address that is looked up."""
    prelude = (
        "import sys\n"
        "def watch(event, given):\n"
        "    if event in ('socket.connect', 'socket.bind', 'socket.getaddrinfo', 'socket.sendto'):\n"
        "        raise SystemExit(f'spoke to {given}')\n"
        "sys.addaudithook(watch)\n"
    )
    result = armoon("games", "list", cwd=tmp_path, prelude=prelude)
    assert (result.returncode, result.stderr) == (0, "")
    result = armoon("play", "--game", "lake", "--no-camera", "--seed", "3", cwd=tmp_path, prelude=prelude)
    assert (result.returncode, result.stderr) == (0, "")
