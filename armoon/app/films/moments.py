"""The choice of moments for clips: their order, and the pace of time in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.broadcast.happenings import Began, Fall, Figures, GameOver, Happening, Verdict, Words

#: Seconds of the game that a clip shows before and after its moment, and the span of its slow motion.
BEFORE_S, AFTER_S = 4.2, 2.2
SLOW_BEFORE_S, SLOW_AFTER_S, SLOW = 1.1, 0.9, 0.4
#: How long a clip is.
CLIP_S = BEFORE_S + AFTER_S + (SLOW_BEFORE_S + SLOW_AFTER_S) * (1.0 / SLOW - 1.0)
#: Maximum lead over the next highest ladder of a moon that counts as narrow, metres.
NARROW_M = 0.010
#: Separator between the effects of a move.
JOINS = " · "
#: Maximum number of clips of one game.
MOST = 12
#: Time between two moments below which only the higher-ranked one is used, seconds.
ONE_S = 2.0


@dataclass(frozen=True)
class Telling:
    """A clip to be made."""

    kind: str
    """``fall``, ``figure``, ``crescent``, ``narrow``, ``move`` or ``result``: for the file's name."""
    time_s: float
    rank: float
    title: str
    words: str
    good: bool | None
    first_s: float = 0.0
    """The game begins here."""

    @property
    def from_s(self) -> float:
        """Where in the game the clip begins."""
        return max(self.first_s, self.time_s - BEFORE_S)

    @property
    def _slow_from_s(self) -> float:
        """In the clip, where slow motion begins."""
        return max(0.0, self.time_s - SLOW_BEFORE_S - self.from_s)

    @property
    def _slow_s(self) -> float:
        """Seconds of the game that pass slowly."""
        return self.time_s + SLOW_AFTER_S - self.from_s - self._slow_from_s

    @property
    def told_s(self) -> float:
        """In the clip, when the moment itself is there."""
        return self._slow_from_s + (self.time_s - self.from_s - self._slow_from_s) / SLOW

    @property
    def length_s(self) -> float:
        """Length of the clip, seconds."""
        return self._slow_from_s + self._slow_s / SLOW + AFTER_S - SLOW_AFTER_S

    def film_at(self, game_s: float) -> float:
        """Return the clip's time at a time of the game that it shows."""
        passed_s = game_s - self.from_s
        slowly_s = min(max(passed_s - self._slow_from_s, 0.0), self._slow_s)
        return passed_s + slowly_s * (1.0 / SLOW - 1.0)

    def at(self, film_s: float) -> float:
        """Return the game's time at a time of the clip."""
        if film_s <= self._slow_from_s:
            return self.from_s + film_s
        slowly_s = min(film_s - self._slow_from_s, self._slow_s / SLOW)
        rest_s = film_s - self._slow_from_s - slowly_s
        return self.from_s + self._slow_from_s + SLOW * slowly_s + rest_s


def tellings(happened: Sequence[tuple[float, Happening]], language: str) -> tuple[Telling, ...]:
    """Return the moments of a game, the best first."""
    began = next((one for _, one in happened if isinstance(one, Began)), None)
    first_s = happened[0][0] if happened else 0.0
    names = () if began is None else tuple(seat.name for seat in began.seats)

    def said(words: Words) -> str:
        return str(getattr(words, language))

    def named(seat: int) -> str:
        return names[seat] if seat < len(names) else ""

    found: list[Telling] = []
    falls: dict[int, int] = {}
    for time_s, one in happened:
        if isinstance(one, Fall):
            falls[one.turn] = len(one.pieces)
        elif isinstance(one, Verdict):
            found += _of_verdict(time_s, one, falls.pop(one.turn, 0), named(one.seat), said(one.words))
        elif isinstance(one, Figures):
            figures = ", ".join(said(figure) for figure in one.figures)
            found.append(
                Telling("figure", time_s, 3.0 + 0.2 * len(one.figures), named(one.seat), figures, good=True)
            )
        elif isinstance(one, GameOver):
            found.append(Telling("result", time_s, 3.6, said(one.words), said(one.more), good=None))
    kept: list[Telling] = []
    for telling in sorted(found, key=lambda one: (-one.rank, one.time_s)):
        if all(abs(telling.time_s - other.time_s) >= ONE_S for other in kept):
            kept.append(replace(telling, first_s=first_s))
    return tuple(kept[:MOST])


def _of_verdict(time_s: float, one: Verdict, fallen: int, name: str, words: str) -> list[Telling]:
    if fallen:
        return [Telling("fall", time_s, 3.0 + 0.25 * min(fallen, 6), name, words, good=one.ok)]
    if one.ok and one.margin_m is not None and one.margin_m <= NARROW_M:
        return [Telling("narrow", time_s, 3.3, name, words, good=True)]
    if one.ok and one.die == "crescent":
        return [Telling("crescent", time_s, 2.5, name, words, good=True)]
    if (
        one.ok is None and not one.reason
    ):  # of games without verdicts the moves that did most, the later first
        return [Telling("move", time_s, 2.0 + 0.1 * min(words.count(JOINS), 4), name, words, good=None)]
    return []
