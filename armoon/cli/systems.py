"""The systems with ready-made packages, and advice for the others; ``docs/systems.md`` has the whole table."""

from __future__ import annotations

import platform
import sys

from armoon.cli.findings import Level

#: CPython versions with a ready pybullet 3.2.7 that armoon runs on, and the C library that mediapipe 0.10.21 wants.
PYTHONS = ((3, 10), (3, 11))
LEAST_GLIBC = (2, 28)


def this_system() -> tuple[Level, str, str]:
    """Return the judgement on the machine that this runs on."""
    return judge_system(
        platform.system(), platform.machine(), (sys.version_info.major, sys.version_info.minor), _glibc()
    )


def judge_system(
    system: str, machine: str, python: tuple[int, int], glibc: tuple[int, ...]
) -> tuple[Level, str, str]:
    """Level, what is found and remedy; ``system`` and ``machine`` as the module platform says them."""
    version = ".".join(map(str, python))
    found = f"{system} on {machine}, Python {version}"
    intel = machine.lower() in ("x86_64", "amd64")
    if system == "Linux" and not intel:
        return Level.FAIL, f"{found}: mediapipe 0.10.21 has no package for it", "Use Linux on x86-64."
    if python not in PYTHONS:
        return (
            Level.WARN,
            f"{found}: never tried by us, and pybullet has no ready package for it",
            "Use Python 3.11: delete the folder .venv and type scripts/play, or uvx --python 3.11.",
        )
    if system != "Linux":
        return (
            Level.WARN,
            f"{found}: never tried by us, and pybullet has no ready package for it",
            "Build pybullet from source with a C++ compiler, as docs/systems.md says.",
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
    return tuple(int(part) for part in version.split(".") if part.isdecimal()) if name == "glibc" else ()
