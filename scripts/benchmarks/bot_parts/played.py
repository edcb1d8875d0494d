"""One game of two bots without a picture, and what the benchmark wants to know of it."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.moon.bots.alone import play_bots
from armoon.games.moon.bots.levels import Level
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.values import Reason

#: Up to so many ladders stand; and how often the strongest is to honour the die there.
HEIGHTS = {8: 0.95, 16: 0.90, 20: 0.80}
#: Verdicts that no bot may ever earn.
BREACHES = (Reason.TWO_HANDS, Reason.TWO_HANDS_NOTED, Reason.TWO_HANDS_WARNED, Reason.TIME_OUT)
#: What befalls between turns.
AFTER = (Reason.LATE_FALL, Reason.SAME_INCIDENT, Reason.NOBODY)


@dataclass(frozen=True)
class Played:
    """One game of the upper of two levels, seat 0, against the lower."""

    points: float
    """Of the upper: 1, or its part of a victory that is shared."""
    turns: int
    broken: int
    """Turns in which a rule of the game or of the lines was broken."""
    honoured: dict[int, tuple[int, int]]
    """Of the strongest, by the next of ``HEIGHTS``: how many of how many turns honoured the die."""


def play_one(words: tuple[str, str], seed: int, first: int) -> Played:
    """A game of the upper and the lower of these words, begun by seat ``first``."""
    options = MoonOptions(bots=words)
    bout = play_bots(options, options.party(()), seed, first=first)
    turns, broken, honoured = 0, bout.faults, dict.fromkeys(HEIGHTS, (0, 0))
    for standing, verdict in bout.verdicts:
        broken += verdict.reason in BREACHES
        if verdict.reason in AFTER:
            continue  # what fell between turns ends none
        turns += 1
        height = next((limit for limit in HEIGHTS if standing <= limit), None)
        if words[0] == Level.LUNA and verdict.player == 0 and height is not None:
            kept, of = honoured[height]
            honoured[height] = (kept + verdict.ok, of + 1)
    points = 1.0 / len(bout.winners) if 0 in bout.winners else 0.0
    return Played(points, turns, broken, {height: told for height, told in honoured.items() if told[1]})
