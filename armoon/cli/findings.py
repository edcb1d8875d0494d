"""The doctor's findings: one value a check, and the resulting list of what works here."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class Level(enum.Enum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    """Playable, but something is slow or untried."""
    MISSING = "missing"
    """Not here; a game does without."""
    FAIL = "fail"
    """Not playable until it is cured."""


#: Findings with which a part can be used.
_USABLE = (Level.OK, Level.WARN)


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    name: str
    level: Level
    found: str
    remedy: str = ""


#: The checks that each ability needs, the most telling first: its remedy is shown.
_NEEDS: dict[str, tuple[str, ...]] = {
    "play by hand before a webcam": ("camera", "model", "GL", "physics"),
    "play with mouse and keys over a webcam's picture": ("display", "camera", "GL", "physics"),
    "play without a webcam, with mouse, keys or a gamepad": ("display", "GL", "physics"),
    "watch the demo in a window": ("display", "GL", "physics", "model"),
    "film a game or the demo": ("GL", "physics", "model", "disk"),
    "hear sounds": ("sound",),
}


def playable(findings: Sequence[Finding]) -> bool:
    """Whether a game can be played here, if only the demo."""
    return all(finding.level is not Level.FAIL for finding in findings)


def abilities(findings: Sequence[Finding]) -> tuple[dict[str, Any], ...]:
    """Return for each thing that people do with armoon its ``name``, whether it ``works`` here, and else a ``remedy``.

    Checks that weren't made don't count.
    """
    obstacles = {finding.name: finding.remedy for finding in findings if finding.level not in _USABLE}
    told = []
    for name, needs in _NEEDS.items():
        missing = [need for need in needs if need in obstacles]
        remedy = obstacles[missing[0]] if missing else ""
        told.append({"name": name, "works": not missing, "remedy": remedy})
    return tuple(told)
