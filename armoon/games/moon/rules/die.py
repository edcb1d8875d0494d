"""The die, a pure function of the game's seed (ruling M1)."""

from __future__ import annotations

import random

from armoon.games.moon.rules.values import Die

#: Six faces, two of each (ruling M1).
FACES = (Die.ONE, Die.ONE, Die.TWO, Die.TWO, Die.MOON, Die.MOON)


def face_of_turn(seed: int, turn: int) -> Die:
    """Return the die's face in that turn. A turn that is put back and played again has the same face.

    Of Python's generator only the sequence of ``random()`` is promised to stay, so nothing else is used.
    """
    return FACES[int(random.Random(f"{seed}:die:{turn}").random() * len(FACES))]


def face_told(number: int) -> Die | None:
    """Return the face of a real die by the number that players tell.

    1, 2, and 3 for the moon; None for anything else.
    """
    faces = tuple(Die)
    return faces[number - 1] if 1 <= number <= len(faces) else None
