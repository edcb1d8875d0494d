"""One game's facts for the evening's book, taken from its feed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from armoon.broadcast.happenings import Began, Fall, Figures, GameOver, Happening, Seat, Verdict, Words
from armoon.broadcast.lines import Height

#: Number of sentences in the book.
MOST_SAID = 5
#: Happenings that the book is made of; the others are left out while they are collected.
NEEDED = (Began, Verdict, Figures, Fall, GameOver)


@dataclass(frozen=True)
class Said:
    """A sentence of a verdict or a move, and when."""

    turn: int
    name: str
    words: Words
    ok: bool | None


@dataclass(frozen=True)
class Played:
    """A game."""

    began: Began
    day: datetime | None
    """When it began, if that is known."""
    seats: tuple[Seat, ...]
    """The seats as they were at the end."""
    result: GameOver | None
    """None: it was left."""
    turns: int
    heights: tuple[Height, ...]
    fallen: int
    """How many pieces fell."""
    figures: tuple[tuple[str, Words, int], ...]
    """Who made which figure, and how often."""
    said: tuple[Said, ...]

    @property
    def highest(self) -> Height | None:
        """Where the structure was highest."""
        return max(self.heights, key=lambda one: one.top_m, default=None)


def played(
    happened: Sequence[Happening], day: datetime | None = None, seats: tuple[Seat, ...] = ()
) -> Played | None:
    """Return a game out of all that happened in it; None where nothing was judged or moved.

    ``seats`` are those at its end, if that is known.
    """
    began = next((one for one in happened if isinstance(one, Began)), None)
    told = [one for one in happened if isinstance(one, Verdict)]
    if began is None or not told:
        return None
    result = next((one for one in reversed(happened) if isinstance(one, GameOver)), None)
    names = [seat.name for seat in began.seats]
    figures: Counter[tuple[str, Words]] = Counter()
    for one in happened:
        if isinstance(one, Figures):
            figures.update((_name(names, one.seat), words) for words in one.figures)
    return Played(
        began,
        day,
        seats if len(seats) == len(names) else began.seats,
        result,
        max(one.turn for one in told),
        tuple(
            Height(one.turn, one.seat, one.top_m, one.ok)
            for one in told
            if one.top_m is not None and one.ok is not None
        ),
        sum(len(one.pieces) for one in happened if isinstance(one, Fall)),
        tuple((name, words, count) for (name, words), count in figures.most_common()),
        _said(happened, told, names),
    )


def _said(happened: Sequence[Happening], told: list[Verdict], names: list[str]) -> tuple[Said, ...]:
    """Return the sentences that tell most.

    Falls first, then what was narrow or high, and the last one; in their order.
    """
    fallen = {one.turn: len(one.pieces) for one in happened if isinstance(one, Fall)}

    def weight(one: Verdict) -> float:
        narrow = 1.0 - min(one.margin_m, 0.02) / 0.02 if one.ok and one.margin_m is not None else 0.0
        return 10.0 * fallen.get(one.turn, 0) + 3.0 * one.tears + 2.0 * narrow + (one.top_m or 0.0)

    # Where nothing weighs more than something else, the latest tell most.
    best = sorted(told[:-1], key=lambda one: (weight(one), one.turn), reverse=True)[: MOST_SAID - 1]
    kept = [one for one in told if any(one is other for other in best)] + told[-1:]
    return tuple(Said(one.turn, _name(names, one.seat), one.words, one.ok) for one in kept)


def _name(names: list[str], seat: int) -> str:
    return names[seat] if 0 <= seat < len(names) else ""
