"""How ladders move, by version: a log is replayed by the physics that it was played with."""

from __future__ import annotations

#: The physics of new games. 1: as the first logs were played. 2: what is set up again sleeps exactly where it stood,
#: and what is about to strike is followed in parts of a step (docs/physics.md). 3: starting ladders, till then
#: welded to the base, give in their slots and can come out of them (``world.slots``).
PHYSICS = 3


def known_physics(number: object) -> int:
    """Return the version that a log names; ValueError for one that this program doesn't know."""
    if isinstance(number, int) and 1 <= number <= PHYSICS:
        return number
    raise ValueError(f"the physics {number!r}")
