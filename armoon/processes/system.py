"""Functions that depend on the operating system. Only Linux is fully tested."""

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

#: Position of the locked byte on systems where a lock prevents reading: far beyond any content.
_LOCKED_BYTE = 1 << 40

#: Number of attempts to replace a file while it is being read, and seconds between them.
MAX_REPLACE_ATTEMPTS, _RETRY_S = 100, 0.01


@dataclass(frozen=True)
class System:
    """One system's camera back ends and start command."""

    cameras: tuple[str, ...]
    """Names of OpenCV's back ends for webcams, in the order in which they are tried."""
    start: str = "scripts/play"
    """Command that sets up and starts the game from a checkout."""


SYSTEMS = {
    # By default, OpenCV would try GStreamer and others after V4L2, with seconds of delay.
    "linux": System(("CAP_V4L2",)),
    "darwin": System(("CAP_AVFOUNDATION",)),
    # The newer back end (MSMF) takes up to a minute to open some webcams, but supports more of them.
    "win32": System(("CAP_DSHOW", "CAP_MSMF"), start=r"scripts\play.cmd"),
}


def get_system_name() -> str:
    return sys.platform if sys.platform in SYSTEMS else "linux"


def get_system() -> System:
    return SYSTEMS[get_system_name()]


def lower_priority(niceness: int) -> None:
    if hasattr(os, "nice"):
        os.nice(niceness)


def can_inherit_sockets() -> bool:
    return hasattr(os, "fork")


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 selects a free one. Raises OSError or OverflowError."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # on Windows this would let two programs listen on one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except BaseException:
        listener.close()
        raise
    return listener


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a program that was started in a session of its own, and its descendants."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        command = ("taskkill", "/T", "/F", "/PID", str(process.pid))
        with contextlib.suppress(OSError):
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        process.kill()


def replace_file(draft: Path, path: Path) -> None:
    """Replace a file atomically; retry on Windows, which refuses while a program reads it. Raises OSError."""
    attempts = 1 if os.name != "nt" else MAX_REPLACE_ATTEMPTS
    for remaining in reversed(range(attempts)):
        try:
            os.replace(draft, path)
            return
        except PermissionError:
            if not remaining:
                raise
            time.sleep(_RETRY_S)


def lock_file(descriptor: int) -> bool:
    """Lock an open file until it is closed; return False if another program holds it, True without lock support."""
    try:
        import fcntl
    except ImportError:
        return _lock_bytes(descriptor)
    with contextlib.suppress(OSError):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _lock_bytes(descriptor: int) -> bool:
    import msvcrt

    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    finally:
        os.lseek(descriptor, position, os.SEEK_SET)
    return True


#: glibc's mallopt parameters (malloc.h).
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
#: Minimum size of blocks that are returned to the system when freed: worlds and render targets, but not camera pictures
#: (6 MB at 1080p).
_MMAP_BYTES = 8 << 20
#: Maximum free bytes kept at the heap's end.
_TRIM_BYTES = 16 << 20


def limit_heap() -> None:
    """Make glibc return freed memory early and share one heap among threads: saves 11 MB at no measurable cost."""
    _call_glibc("mallopt", _ARENA_MAX, 1)
    _call_glibc("mallopt", _MMAP_THRESHOLD, _MMAP_BYTES)
    _call_glibc("mallopt", _TRIM_THRESHOLD, _TRIM_BYTES)


def release_memory() -> None:
    """Return freed memory to the system (1 to 5 ms): 90 MB after loading networks, 16 after meshes, 24 after a turn."""
    _call_glibc("malloc_trim", 0)


def collect_garbage() -> None:
    """Collect garbage before a game, and exempt remaining objects from later collections, which would take 50 ms."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    release_memory()


def _call_glibc(function: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*arguments)


@contextmanager
def stub_modules(modules: Mapping[str, str]) -> Iterator[None]:
    """Temporarily replace unloaded modules by stubs with one empty class each; ``modules``: class by module name."""
    stubs = {name: ModuleType(name) for name in modules if name not in sys.modules}
    for name, module in stubs.items():
        setattr(module, modules[name], type(modules[name], (), {}))
    sys.modules.update(stubs)
    try:
        yield
    finally:
        for name in stubs:
            del sys.modules[name]


@contextmanager
def silence_native_log() -> Iterator[None]:
    """Discard output to file descriptor 2, because native code writes there regardless of its log settings."""
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        saved = os.dup(2)
    except OSError:  # there is no stderr, so nothing to silence
        yield
        return
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
