"""The systems with ready-made packages, and advice for the others; ``docs/systems.md`` has the whole table."""

from __future__ import annotations

import platform
import sys

from armoon.cli.findings import Level
from armoon.processes.system import SYSTEMS, this_system
from armoon.values.numbers import count_in

#: CPython versions that mediapipe 0.10.21 and numpy 1 have packages for, and the C library that mediapipe wants.
PYTHONS = ((3, 10), (3, 11), (3, 12))
#: Where LiteRT finds the hands instead, with numpy 2.
LITERT_ALONE = (3, 13)
LEAST_GLIBC = (2, 28)


def judge_this() -> tuple[Level, str, str]:
    """Return the judgement on the machine that this runs on."""
    python = (sys.version_info.major, sys.version_info.minor)
    judged = judge_system(platform.system(), platform.machine(), python, _glibc())
    return judge_kind(platform.release(), sys.base_prefix, judged)


def judge_kind(release: str, python_folder: str, judged: tuple[Level, str, str]) -> tuple[Level, str, str]:
    """Return the judgement on a system, or what is odd about its kind, if it can be played there otherwise.

    ``release``: of its kernel, as the module platform says it.
    """
    if judged[0] is Level.FAIL:
        return judged
    if "microsoft" in release.lower():
        return (
            Level.WARN,
            f"{judged[1]}; it is a Linux inside Windows (WSL), which has no webcam",
            f"Play from Windows itself with {SYSTEMS['win32'].start}, or name a camera's stream with --camera http://...",
        )
    if "windowsapps" in python_folder.lower():
        return (
            Level.WARN,
            f"{judged[1]}; it is the Microsoft Store's Python, which hides its files from other programs",
            f"Delete the folder .venv and type {SYSTEMS['win32'].start}: it takes uv's Python.",
        )
    return judged


def judge_system(
    system: str, machine: str, python: tuple[int, int], glibc: tuple[int, ...]
) -> tuple[Level, str, str]:
    """Level, what is found and remedy; ``system`` and ``machine`` as the module platform says them."""
    version = ".".join(map(str, python))
    found = f"{system} on {machine}, Python {version}"
    intel = machine.lower() in ("x86_64", "amd64")
    if system == "Linux" and not intel:
        return (
            Level.FAIL,
            f"{found}: moderngl and the physics have no package for it (LiteRT, which finds hands, has one)",
            "Use Linux on x86-64.",
        )
    if system == "Windows" and not intel:
        return (
            Level.WARN,
            f"{found}: most packages are ready for x86-64 only, and it was never tried by us",
            f"Delete the folder .venv and type {SYSTEMS['win32'].start}: it takes uv's Python for x86-64.",
        )
    if python == LITERT_ALONE:
        return (
            Level.WARN,
            f"{found}: all packages are ready for it, LiteRT finds the hands, and heads aren't found",
            f"To play with your head use Python 3.11: delete the folder .venv and type {this_system().start}.",
        )
    if python not in PYTHONS:
        return (
            Level.WARN,
            f"{found}: never tried by us, and mediapipe 0.10.21 has no package for it",
            f"Use Python 3.11: delete the folder .venv and type {this_system().start}, or uvx --python 3.11.",
        )
    if system == "Darwin" and intel:
        return (
            Level.WARN,
            f"{found}: never tried by us, and moderngl and sentencepiece have no ready package",
            "Build both from source with a C++ compiler (docs/systems.md), or use a Mac with Apple's processor.",
        )
    if system != "Linux":
        return (
            Level.WARN,
            f"{found}: all packages are ready for it, but it was never tried by us",
            "Please tell us what else armoon doctor says here.",
        )
    if glibc < LEAST_GLIBC:
        return (
            Level.WARN,
            f"{found}: its C library is too old for mediapipe",
            "Use a system with glibc 2.28 or newer.",
        )
    return Level.OK, f"{found}: all packages are ready for it", ""


def _glibc() -> tuple[int, ...]:
    """Return the C library's version; () where it isn't glibc."""
    name, version = platform.libc_ver()
    parts = map(count_in, version.split(".") if name == "glibc" else ())
    return tuple(part for part in parts if part is not None)
