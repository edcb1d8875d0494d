"""How carefully contacts are solved (docs/physics.md), and by which build of the engine: another gives other bits."""

from __future__ import annotations

import functools
import math
import sysconfig
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

#: Distributions that bring the module ``pybullet``: its own, and a fork with wheels for more systems.
DISTRIBUTIONS = ("pybullet", "pybullet-arm64")

ERROR_REDUCTION = 0.6
#: Minimum solver iterations in a part of a step, in which little changes.
LEAST_ITERATIONS_A_PART = 8


@dataclass(frozen=True)
class Solving:
    """How carefully contacts are solved; chosen by the state of the game, never by the clock: replays agree."""

    iterations: int
    """How often the solver goes over the contacts in each step."""
    error_reduction: float = ERROR_REDUCTION
    """The share of an overlap, or of a slip, that one step takes back."""
    parts: int = 1
    """Number of parts of a step (``world.impact``)."""
    cone: bool = True
    """Friction has the same limit in all directions; otherwise one in each of two, at less than half the cost."""

    def in_parts(self, parts: int) -> Solving:
        """Return the solving of each part of a step: as much work and haste in all together, and no cone."""
        iterations = max(LEAST_ITERATIONS_A_PART, math.ceil(self.iterations / parts))
        return replace(
            self,
            iterations=iterations,
            error_reduction=self.error_reduction / parts,
            parts=parts,
            cone=False,
        )


#: To dissolve overlaps before sleep: to hundredths of a millimetre in a few ticks, gently (0.9 shakes towers down).
FIRM = Solving(300, 0.3)

#: Number of free ladders up to which friction is solved as a cone while they move.
MOST_WITH_CONE = 20


def moving(ladders: int, *, settles: bool = False) -> Solving:
    """Return how contacts are solved while one of this many free ladders moves: high towers get all 100 iterations.

    ``settles``: all is slow; with fewer than twice the iterations some structures creep until they fall.
    """
    if ladders > MOST_WITH_CONE:
        return Solving(100, cone=False)
    return Solving((10 if settles else 5) * max(12, ladders))


@functools.cache
def build() -> str:
    """Return the engine's distribution, version and platform; in a frozen program without metadata the system."""
    from importlib import metadata  # here: only a table that is set asks, not every process with a world

    module = find_spec("pybullet")
    folder = Path((module and module.origin) or "").parent
    for name in DISTRIBUTIONS:
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if Path(str(found.locate_file(""))) != folder:
            continue  # another one comes first on the path
        lines = (found.read_text("WHEEL") or "").splitlines()
        tags = [line.rpartition("-")[2] for line in lines if line.startswith("Tag:")]
        # A platform with a C library's version comes before its older nickname.
        tags.sort(key=lambda tag: (tag.startswith("manylinux20"), tag))
        return f"{name} {found.version} {(*tags, sysconfig.get_platform())[0]}"
    return sysconfig.get_platform()
