"""Shows the program's own files the standard library as on Windows; put this folder first on PYTHONPATH.

The program can't import modules that exist on POSIX only, and can't use attributes of ``os``, ``signal``, ``socket``,
``select``, ``sys`` and ``subprocess`` that Windows doesn't have. Folders such as /proc seem not to exist. A file that
this process has open can't be deleted or replaced. Files opened by ``os.open`` without O_BINARY get Windows line
ends. ``msvcrt.locking`` is emulated. Python's library and other packages work as usual. Processes started by the
program inherit all this. Other differences of Windows aren't emulated.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

PROGRAM = "armoon"
DRAWING_MODULES = ("armoon.gl.", "armoon.view.")
_MODULES = "crypt curses fcntl grp nis posix pty pwd readline resource spwd syslog termios tty"
MODULES = frozenset(_MODULES.split())
_LACKS = {
    "os": """chown chroot ctermid fchdir fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg getpgid
        getpgrp getpriority getsid getuid killpg lchown lockf memfd_create mkfifo mknod nice openpty pipe2 posix_spawn
        pread pwrite sched_getaffinity sched_setaffinity sched_yield set_blocking setpgid setsid setuid statvfs sync
        sysconf tcgetpgrp ttyname uname wait wait3 wait4 WNOHANG""",
    "signal": """SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 alarm pause
        pthread_kill pthread_sigmask setitimer sigwait""",
    "socket": "AF_UNIX SO_REUSEPORT send_fds recv_fds socketpair",
    "select": "epoll poll",
    "sys": "getdlopenflags setdlopenflags",
    "subprocess": "",
}
LACKS = {module: frozenset(names.split()) for module, names in _LACKS.items()}
FOLDERS = ("/proc/", "/sys/", "/dev/")
_FILES = frozenset((os.devnull, "/dev/urandom", "/dev/full"))


class _Popen(subprocess.Popen):  # type: ignore[type-arg]
    def __init__(self, *arguments: Any, **options: Any) -> None:
        for name in ("pass_fds", "preexec_fn"):
            if options.get(name):
                raise ValueError(f"{name} is not supported on Windows platforms")
        super().__init__(*arguments, **options)


def _select(readers: Any, writers: Any, faults: Any, timeout_s: float | None = None) -> Any:
    for descriptor in (*readers, *writers, *faults):
        if not isinstance(descriptor, socket.socket):
            raise OSError(10038, "An operation was attempted on something that is not a socket")
    return select.select(readers, writers, faults, timeout_s)


class _PatchedModule(types.ModuleType):
    """A standard module as the program sees it; assignments change the real module."""

    def __init__(self, module: types.ModuleType, others: dict[str, Any]) -> None:
        super().__init__(module.__name__)
        own = object.__getattribute__(self, "__dict__")
        own.update(_module=module, _others=others, _lacks=LACKS[module.__name__])

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__(self, "__dict__")
        if name in own["_lacks"]:
            raise AttributeError(f"module {own['_module'].__name__!r} has no attribute {name!r}")
        value = getattr(own["_module"], name)
        before, instead = own["_others"].get(name, (None, None))
        return instead if instead is not None and value is before else value  # a test may have replaced it

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "__dict__")["_module"], name, value)


#: Value of os.O_BINARY; on Windows, files opened without this flag get a carriage return before each line feed.
_BINARY = 0x8000
_with_line_ends: set[int] = set()


def _open(path: Any, flags: int, mode: int = 0o777) -> int:
    number = os.open(path, flags & ~_BINARY, mode)
    (_with_line_ends.discard if flags & _BINARY else _with_line_ends.add)(number)
    return number


def _write(number: int, content: bytes) -> int:
    if number not in _with_line_ends:
        return os.write(number, content)
    os.write(number, bytes(content).replace(b"\n", b"\r\n"))
    return len(content)


def _close(number: int) -> None:
    _with_line_ends.discard(number)
    os.close(number)


_PATCHES = {
    "os": _PatchedModule(
        os,
        {
            "name": (os.name, "nt"),
            "open": (os.open, _open),
            "write": (os.write, _write),
            "close": (os.close, _close),
        },
    ),
    "signal": _PatchedModule(signal, {}),
    "socket": _PatchedModule(socket, {}),
    "select": _PatchedModule(select, {"select": (select.select, _select)}),
    "sys": _PatchedModule(sys, {"platform": (sys.platform, "win32")}),
    "subprocess": _PatchedModule(subprocess, {"Popen": (subprocess.Popen, _Popen)}),
}
_import = builtins.__import__


def _is_ours(names: dict[str, Any]) -> bool:
    """Return whether a module with these globals belongs to the program, also if run by ``python -m``."""
    return any(str(names.get(word)).partition(".")[0] == PROGRAM for word in ("__name__", "__package__"))


def _import_own(
    name: str,
    globals: Any = None,  # noqa: A002  # Python calls them so
    locals: Any = None,  # noqa: A002
    fromlist: Any = (),
    level: int = 0,
) -> Any:
    # Modules for windows and drawing see the real system, because the tests use its displays.
    is_own = _is_ours(globals or {}) and not str((globals or {}).get("__name__")).startswith(DRAWING_MODULES)
    if level or not is_own:
        return _import(name, globals, locals, fromlist, level)
    root = name.partition(".")[0]
    if root in MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    module = _import(name, globals, locals, fromlist, level)
    return _PATCHES[root] if root in _PATCHES and (name == root or not fromlist) else module


def _check_access(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("os.remove", "os.rename"):
        for path in map(os.fspath, arguments[: 1 + (event == "os.rename")]):
            if isinstance(path, str) and _is_own() and _is_open(path):
                raise PermissionError(13, "The file is being used by another process", path)
    if event in ("open", "os.listdir", "os.scandir", "glob.glob"):
        path = arguments[0]
        if isinstance(path, str) and f"{path}/".startswith(FOLDERS) and path not in _FILES and _is_own():
            # A glob calls os.stat first, which no hook sees, and takes this error as an empty folder.
            error = PermissionError if event == "os.scandir" else FileNotFoundError
            raise error(2, "No such file or directory", path)


def _is_own() -> bool:
    frame = sys._getframe(2)
    while frame is not None and Path(frame.f_code.co_filename).name in ("pathlib.py", "glob.py", "codecs.py"):
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None and _is_ours(frame.f_globals)


def _is_open(path: str) -> bool:
    try:
        sought = os.stat(path)
    except OSError:
        return False
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.path.samestat(os.fstat(int(name)), sought):
                return True
        except OSError:
            continue
    return False


def _lock_file(number: int, mode: int, count: int) -> None:
    position = os.lseek(number, 0, os.SEEK_CUR)
    kind = fcntl.F_UNLCK if mode == 0 else fcntl.F_WRLCK
    try:  # F_OFD_SETLK (37): the lock belongs to the open file, as on Windows, not to the process
        fcntl.fcntl(number, 37, struct.pack("hhqqi4x", kind, os.SEEK_SET, position, count, 0))
    except OSError as error:
        if error.errno == 9:  # POSIX requires a writable file
            fcntl.fcntl(number, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, position, count, 0))
            return
        raise PermissionError(13, "Permission denied") from error


_msvcrt = types.ModuleType("msvcrt")
_msvcrt.__dict__.update(locking=_lock_file, LK_UNLCK=0, LK_NBLCK=2)
sys.modules["msvcrt"] = _msvcrt
builtins.__import__ = _import_own
os.O_BINARY = _BINARY  # type: ignore[attr-defined]
sys.addaudithook(_check_access)
