"""How ladders move, by version: a log is replayed by the physics that it was played with (docs/physics.md).

A version's settings never change once games were logged by it. Another build of the engine may give other bits.
"""

from __future__ import annotations

import functools
import math
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

#: Distributions that bring the module ``pybullet``: its own, and a fork with wheels for more systems.
DISTRIBUTIONS = ("pybullet", "pybullet-arm64")
#: The build of logs and saves that name none.
FIRST_BUILD = "pybullet 3.2.7 manylinux_2_17_x86_64"

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

    def in_parts(self, parts: int, *, cone: bool = True) -> Solving:
        """Return the same for a step that is taken in parts.

        As much work and as much haste in all of them together.
        """
        iterations = max(LEAST_ITERATIONS_A_PART, math.ceil(self.iterations / parts))
        return replace(
            self,
            iterations=iterations,
            error_reduction=self.error_reduction / parts,
            parts=parts,
            cone=self.cone and cone,
        )


#: To dissolve overlaps before everything sleeps: within a few ticks they sink to some hundredths of a millimetre,
#: with so little haste that nothing is kicked (0.9 shakes towers down).
FIRM = Solving(300, 0.3)


@dataclass(frozen=True)
class Physics:
    """How ladders move, in one version."""

    solvings: tuple[tuple[int, Solving], ...]
    """How contacts are solved while any of up to this many free ladders moves; beyond the last row, as by it."""
    cone_in_parts: bool
    """Whether ``Solving.cone`` holds in the parts of a step, too."""
    wakes_all: bool
    """A ladder that is let go of wakes all others at once; otherwise its touch does."""
    steps_asleep: bool
    """Whether steps are taken while all sleeps and nothing is held; they move nothing."""
    hand_pushes: bool
    """Whether a hand far ahead of the ladder it holds pushes starting ladders (``grip.Grasp.insist``)."""
    hand_complies: bool
    """Whether a held ladder that touches something gives way along the view and in turns out of the picture."""
    lid_wakes: bool
    """Whether all wakes when a ladder goes back into the lid, or is taken from a hand, though it touched nothing."""
    trembling_rests: bool
    """Whether what trembles faster than rest, but stays where it is, comes to rest as well (``rest.STAYS_M``)."""
    reseats: bool
    """Whether what came to rest has to stand by its poses alone (``world.seating``)."""

    def moving(self, ladders: int) -> Solving:
        """How contacts are solved while any of this many free ladders moves."""
        return next((solving for most, solving in self.solvings if ladders <= most), self.solvings[-1][1])


#: Low towers need fewer iterations, and high ones get all 100 in two directions of friction.
_FOURTH = Physics(
    solvings=(
        *((ladders, Solving(5 * ladders)) for ladders in range(12, 21)),
        (21, Solving(100, cone=False)),
    ),
    cone_in_parts=False,
    wakes_all=False,
    steps_asleep=False,
    hand_pushes=False,
    hand_complies=False,
    lid_wakes=True,
    trembling_rests=False,
    reseats=False,
)
#: Nothing moves otherwise than by 4 until a hand pushes.
_FIFTH = replace(_FOURTH, hand_pushes=True)
#: A held ladder gives way where its hand can't be sure.
_SIXTH = replace(_FIFTH, hand_complies=True)
#: What hangs in a hand's grip and touches nothing holds nothing up.
_SEVENTH = replace(_SIXTH, lid_wakes=False)
VERSIONS: Mapping[int, Physics] = {
    # With fewer than 100 iterations towers sink in, but each ladder beyond 20 takes 5 away, for real time.
    3: Physics(
        solvings=tuple((ladders, Solving(200 - 5 * ladders)) for ladders in range(20, 29)),
        cone_in_parts=True,
        wakes_all=True,
        steps_asleep=True,
        hand_pushes=False,
        hand_complies=False,
        lid_wakes=True,
        trembling_rests=False,
        reseats=False,
    ),
    4: _FOURTH,
    5: _FIFTH,
    6: _SIXTH,
    7: _SEVENTH,
    # A solver's own trembling is no movement.
    8: replace(_SEVENTH, trembling_rests=True),
    9: replace(_SEVENTH, trembling_rests=True, reseats=True),
}
#: The version of new games.
PHYSICS = max(VERSIONS)


@functools.cache
def build() -> str:
    """Return the installed engine as words: distribution, version, and the platform it was compiled for.

    Without its metadata, as in a frozen program, only this system's name is known.
    """
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
        return f"{name} {found.version} {min(tags, default=sysconfig.get_platform(), key=_rank)}"
    return sysconfig.get_platform()


def _rank(tag: str) -> tuple[bool, str]:
    """Order a wheel's platforms: by name, but one with a C library's version before its older nickname."""
    return tag.startswith("manylinux20"), tag
