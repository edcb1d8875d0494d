"""The name of the tower that a game has built: from a catalogue, by its look, its players and the game's seed."""

from __future__ import annotations

import enum
import math
import zlib

from armoon.games.moon.table.match import MoonMatch
from armoon.messages import text

#: Minimum height of a high tower, metres; minimum placed ladders of a big one.
HIGH_M, MANY = 0.19, 12
#: Distance of the top from the base's middle from which a tower leans; reach to a side from which it is wide; metres.
LEANS_M, WIDE_M = 0.04, 0.09


class Look(enum.Enum):
    """What is remarkable about a tower."""

    HIGH = "high"
    MANY = "many"
    LEANING = "leaning"
    WIDE = "wide"
    SMALL = "small"


def tower_name(match: MoonMatch) -> str:
    """Return the name of what stands; empty where nothing was placed. Equal games end with equal names."""
    placed = [piece for piece in match.facts.pieces if piece.piece in match.state.placed]
    if not placed or match.state.options.practice:
        return ""
    top = max(placed, key=lambda piece: piece.highest_m)
    aside_m = [math.hypot(*piece.pose.position[:2]) for piece in placed]
    if top.highest_m >= HIGH_M:
        look = Look.HIGH
    elif len(placed) >= MANY:
        look = Look.MANY
    elif math.hypot(*top.pose.position[:2]) >= LEANS_M:
        look = Look.LEANING
    else:
        look = Look.WIDE if max(aside_m) >= WIDE_M else Look.SMALL
    by = (*match.players, match.setup.seed, *(piece.piece for piece in placed))
    chance = zlib.crc32(" ".join(map(str, by)).encode())
    names, endings = (text(key).split(" | ") for key in (f"tower.{look.value}", "tower.endings"))
    return f"{names[chance % len(names)]} {endings[chance // len(names) % len(endings)]}"
