"""Order by chance, a pure function of a game's seed.

Only ``Random(text).random()`` is used. Python promises that this sequence alone stays the
same from version to version, and a saved game must find the same order years later.
"""

from __future__ import annotations

import random
from collections.abc import Sequence


def shuffled(seed: int, pieces: Sequence[str], purpose: str = "supply") -> tuple[str, ...]:
    """Return the pieces in random order (Fisher and Yates)."""
    chance = random.Random(f"{seed}:{purpose}")
    order = list(pieces)
    for last in range(len(order) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return tuple(order)
