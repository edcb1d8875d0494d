"""System differences, a row each, looked up rather than found by failing. Only Linux's are all tried."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

#: A file's byte that its lock lies on where locks keep others from reading: beyond all content.
_LOCKED_BYTE = 1 << 40

#: The number of tries at a name that somebody reads, and seconds between two of them.
REPLACE_TRIES, _RETRY_S = 100, 0.01

#: Linux's number of the call, and the wanted size in bytes.
_SET_PIPE_SIZE, _PIPE_BYTES = 1031, 1024 * 1024


@dataclass(frozen=True)
class System:
    """What one system has, and what its users type or click."""

    cameras: tuple[str, ...]
    """OpenCV's back ends for webcams, by their names there, in the order in which they are tried."""
    camera_cure: str
    """What to do where a webcam gives no picture, as an English sentence."""
    gl_cure: str
    start: str = "scripts/play"
    """What is typed in a checkout to set up and play."""


SYSTEMS = {
    "linux": System(
        # Without a word from us OpenCV would try GStreamer and others after V4L2, with seconds of delay.
        cameras=("CAP_V4L2",),
        camera_cure="Close other programs that use it, plug it in again, or take another --camera.",
        gl_cure="Update the graphics driver, or install Mesa (Debian: apt install libegl1 libgl1-mesa-dri).",
    ),
    "darwin": System(
        cameras=("CAP_AVFOUNDATION",),
        camera_cure="Allow it in System Settings, Privacy & Security, Camera, for the terminal that armoon runs in, "
        "and start that again; or close other programs that use it.",
        gl_cure="Start armoon in a session at the screen, not over ssh.",
    ),
    "win32": System(
        # The newer back end (MSMF) takes up to a minute to open some webcams, but knows some that the older doesn't.
        cameras=("CAP_DSHOW", "CAP_MSMF"),
        camera_cure='Turn on "Let desktop apps access your camera" in Settings, Privacy & security, Camera, '
        "or close other programs that use it.",
        gl_cure="Install the graphics card's own driver; over Remote Desktop, start armoon at the screen itself.",
        start=r"scripts\play.cmd",
    ),
}


def this_system() -> System:
    """Return the row of the system that this runs on; what isn't listed is taken for a Linux."""
    return SYSTEMS.get(sys.platform, SYSTEMS["linux"])


def give_way(niceness: int) -> None:
    """Let all else on the machine go first from now on, where the system knows such an order."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def inherits_sockets() -> bool:
    return hasattr(os, "fork")


def inheriting(number: int) -> dict[str, Any]:
    """Return the options for ``Popen`` by which a program gets one of our sockets."""
    return {"pass_fds": (number,)}


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0: a free one. Raises OSError or OverflowError."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let two programs listen at one port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(512)
    except BaseException:
        made.close()
        raise
    return made


def widen(pipe: int) -> None:
    """Let a pipe take a good part of a picture at once, which costs fewer changes between two processes: on Linux."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, _SET_PIPE_SIZE, _PIPE_BYTES)


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a program that was begun in a session of its own, and what it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        command = ("taskkill", "/T", "/F", "/PID", str(process.pid))
        with contextlib.suppress(OSError):
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        process.kill()


def replace(draft: Path, path: Path) -> None:
    """Move a file over another in one step; Windows refuses for the moment that others read it. Raises OSError."""
    tries = 1 if os.name != "nt" else REPLACE_TRIES
    for left in reversed(range(tries)):
        try:
            os.replace(draft, path)
            return
        except PermissionError:
            if not left:
                raise
            time.sleep(_RETRY_S)


def lock(number: int) -> bool:
    """Lock an open file until it is closed; False while another has it. A disk without locks always agrees."""
    try:
        import fcntl
    except ImportError:
        return _lock_bytes(number)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _lock_bytes(number: int) -> bool:
    """Do the same by Windows's locks, which lie on bytes and keep others from reading them."""
    import msvcrt

    here = os.lseek(number, 0, os.SEEK_CUR)
    os.lseek(number, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    finally:
        os.lseek(number, here, os.SEEK_SET)
    return True


#: Numbers of glibc's options (malloc.h).
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
#: Blocks from this size on are returned when freed: worlds and render targets, but not camera pictures (6 MB at 1080p).
_LARGE = 8 << 20
#: Bytes at the heap's end that are kept for what comes next.
_KEPT = 16 << 20


def limit_heap() -> None:
    """Make glibc return freed memory soon and keep one heap for all threads: 11 MB less, at no measurable time."""
    _glibc("mallopt", _ARENA_MAX, 1)
    _glibc("mallopt", _MMAP_THRESHOLD, _LARGE)
    _glibc("mallopt", _TRIM_THRESHOLD, _KEPT)


def give_back() -> None:
    """Return freed memory now (1 to 5 ms): 90 MB after loading networks, 16 after meshes, 24 after a turn."""
    _glibc("malloc_trim", 0)


def clear_up() -> None:
    """Collect garbage before a game and exempt what lives from later collections, which stop everything for 50 ms."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()


def _glibc(function: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*arguments)


@contextmanager
def left_out(modules: Mapping[str, str]) -> Iterator[None]:
    """Leave out modules that aren't loaded, each with the name taken from it; later they can be loaded for good."""
    stand_ins = {name: ModuleType(name) for name in modules if name not in sys.modules}
    for name, module in stand_ins.items():
        setattr(module, modules[name], type(modules[name], (), {}))
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]
