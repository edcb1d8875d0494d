"""Today's tower: dealt by the date, the same at every table and without a network."""

from __future__ import annotations

import datetime

from armoon.games.moon.rules.die import FACES
from armoon.games.moon.rules.editions import CROOKED, STRAIGHT
from armoon.games.moon.rules.values import Die, PieceId
from armoon.games.shared.chance import shuffled


def name_of_day(day: datetime.date) -> str:
    """Return the name of a day's task."""
    return f"today-{day.isoformat()}"


def dealt(day: datetime.date, ladders: int) -> tuple[tuple[PieceId, ...], tuple[Die, ...]]:
    """Return the ladders in their order, and a face for each; every six faces are those of the die, shuffled."""
    seed = day.toordinal()
    deal = shuffled(seed, (*STRAIGHT[2:], *CROOKED), "today")[:ladders]
    faces: list[Die] = []
    while len(faces) < ladders:
        order = shuffled(seed, [str(k) for k in range(len(FACES))], f"faces {len(faces)}")
        faces += [FACES[int(k)] for k in order]
    return deal, tuple(faces[:ladders])
