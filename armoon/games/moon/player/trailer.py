"""The demo's default seed, found by a search and stored as data beside this file.

``scripts/trailer`` plays candidates and keeps the one that shows most. It stores only a seed and a player's manner;
the demo itself is played before the camera, like every other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from armoon.codec import decode_json
from armoon.games.moon.player.manner import UNHURRIED, Manner

FILE = "trailer.json"


@dataclass(frozen=True)
class Trailer:
    """A seed, and its player's manner."""

    seed: int
    manner: Manner


@cache
def trailer() -> Trailer:
    """Return the one that is kept. Raises ArmoonError for a damaged installation."""
    file = resources.files(__package__) / FILE
    return decode_json(Trailer, file.read_bytes(), f"The file {FILE} is broken", "Install armoon again.")


def manner_of(seed: int) -> Manner:
    """How the demo of a seed is played."""
    return trailer().manner if seed == trailer().seed else UNHURRIED
