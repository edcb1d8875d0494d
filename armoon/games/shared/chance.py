"""All chance of the moon game: the die and the order of the supply, pure functions of the game's seed.

Only ``Random(text).random()`` is used: of Python's generator, that sequence alone is promised to stay the
same from version to version, and a saved game must find the same next die years later.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from armoon.games.moon.rules.values import Die

#: Six faces, two of each (ruling M1).
FACES = (Die.ONE, Die.ONE, Die.TWO, Die.TWO, Die.MOON, Die.MOON)


def face_of_turn(seed: int, turn: int) -> Die:
    """The die's face in that turn. A turn that is put back and played again has the same face."""
    return FACES[int(random.Random(f"{seed}:die:{turn}").random() * len(FACES))]


def shuffled(seed: int, pieces: Sequence[str], purpose: str = "supply") -> tuple[str, ...]:
    """The pieces in random order (Fisher and Yates)."""
    chance = random.Random(f"{seed}:{purpose}")
    order = list(pieces)
    for last in range(len(order) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return tuple(order)
