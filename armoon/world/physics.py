"""Settings of the contact solver (docs/physics.md), and the engine's build, because results depend on it."""

from __future__ import annotations

import functools
import math
import sysconfig
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

#: Distributions that contain the module ``pybullet``: its own, and a fork with wheels for more systems.
DISTRIBUTIONS = ("pybullet", "pybullet-arm64")

ERROR_REDUCTION, GENTLE_ERROR_REDUCTION = 0.6, 0.3
#: Minimum number of solver iterations in a part of a step, during which little changes.
MIN_PART_ITERATIONS = 8


@dataclass(frozen=True)
class SolverSettings:
    """Settings of the contact solver; they depend on the game's state, never on a clock, so that replays agree."""

    iterations: int
    """Passes over all contacts in each step."""
    error_reduction: float = ERROR_REDUCTION
    """Share of an overlap or slip that one step corrects."""
    parts: int = 1
    """Number of parts of a step."""
    cone: bool = True
    """Limit friction by a cone; otherwise by a pyramid, at less than half the cost."""

    def divide(self, parts: int) -> SolverSettings:
        """Return the settings for each part of a step: the same total work and correction, without a cone."""
        iterations = max(MIN_PART_ITERATIONS, math.ceil(self.iterations / parts))
        return replace(
            self, iterations=iterations, error_reduction=self.error_reduction / parts, parts=parts, cone=False
        )


#: Settings that reduce overlaps to hundredths of a millimetre in a few ticks before sleep. An error reduction of 0.9
#: shook towers down.
CAREFUL = SolverSettings(300, GENTLE_ERROR_REDUCTION)

#: Number of free ladders up to which friction is limited by a cone.
MAX_WITH_CONE = 20


@functools.cache
def choose_solver(ladders: int, *, is_slow: bool = False, is_free: bool = False) -> SolverSettings:
    """Return the settings for this many free ladders while any of them moves.

    ``is_slow``: all are slow: with fewer iterations some structures creep until they fall. ``is_free``: no ladder is
    held, so that a step may take longer.
    """
    iterations, cone = (100, False) if ladders > MAX_WITH_CONE else (5 * max(12, ladders), True)
    if is_slow and is_free:
        return SolverSettings(4 * iterations, GENTLE_ERROR_REDUCTION, cone=cone)
    return SolverSettings((2 if is_slow else 1) * iterations, cone=cone)


@functools.cache
def describe_build() -> str:
    """Return the engine's distribution, version and platform; only the platform if the metadata is missing."""
    from importlib import metadata  # here, because most processes with a world never need it

    module = find_spec("pybullet")
    folder = Path((module and module.origin) or "").parent
    for name in DISTRIBUTIONS:
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if Path(str(distribution.locate_file(""))) != folder:
            continue  # another distribution's files are imported
        lines = (distribution.read_text("WHEEL") or "").splitlines()
        tags = [line.rpartition("-")[2] for line in lines if line.startswith("Tag:")]
        # A tag with a C library's version sorts before its older alias.
        tags.sort(key=lambda tag: (tag.startswith("manylinux20"), tag))
        return f"{name} {distribution.version} {(*tags, sysconfig.get_platform())[0]}"
    return sysconfig.get_platform()
