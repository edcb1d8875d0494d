"""Candidates for the trailer: a seed, and a player whose habits differ a little from the kept one's."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

from armoon.clock import TICK_S
from armoon.games.moon.player.manner import Manner, Trailer
from armoon.games.moon.rules.values import Die, face_of_turn
from armoon.games.moon.table.match import MoonMatch
from armoon.values.facts import PieceStatus
from armoon.values.places import Taste
from benchmarks.show import SHOWN_S, WANTED_LADDERS

#: What a quick turn takes, and how many of a candidate's may go wrong before it is given up.
TURN_S, MOST_MISTAKES = 10.5, 4
#: Turns of a trailer; in the first of them a ONE is honoured as easily as a TWO, and hardly ever later.
TURNS, EASY_TURNS = 18, 2
#: More moons than these are hardly honoured in them.
MOST_MOONS = 8
#: It dares so late that what it brings down falls once all of that was shown which the benchmark asks of three minutes.
DARES_AFTER_S = SHOWN_S - 10.0


def seeds(first: int) -> Iterator[int]:
    """Yield the seeds from this one on whose dice suit a tower: about one in two thousand."""
    return filter(suits, itertools.count(first))


def suits(seed: int) -> bool:
    """Whether the die shows no ONE once the tower has begun, and some moons, but not too many."""
    if any(face_of_turn(seed, turn) is Die.ONE for turn in range(EASY_TURNS + 1, TURNS + 1)):
        return False
    return 1 <= sum(face_of_turn(seed, turn) is Die.MOON for turn in range(1, TURNS + 1)) <= MOST_MOONS


def candidate(kept: Trailer, seed: int) -> Trailer:
    """Return the same seed's player with the same habits, all of which a person could have."""
    dice = random.Random(seed)
    return Trailer(
        seed,
        replace(
            kept.manner,
            think_s=round(dice.uniform(1.8, 2.4), 1),
            drops=dice.choice((90, 120)),
            taste=Taste(
                safety=round(dice.uniform(4.0, 7.0), 1),
                height=round(dice.uniform(0.5, 1.0), 1),
                rise=round(dice.uniform(0.3, 0.7), 1),
                ahead=round(dice.uniform(0.4, 1.0), 1),
            ),
            sides=dice.choice((4, 5)),
            lower_m_s=round(dice.uniform(0.12, 0.18), 2),
            steady_s=round(dice.uniform(0.15, 0.35), 2),
            turns_before=dice.choice((3, 4, 5)),
            patience_s=5.0,
            dares_after_s=DARES_AFTER_S,
            waits_in=dice.choice((2, 3, 4)),
        ),
    )


def hopeless(match: MoonMatch, manner: Manner) -> bool:
    """Whether so much has gone wrong, or so little was built, that it shows no longer what a trailer has to."""
    pieces, now_s = match.facts.pieces, match.tick * TICK_S
    standing = sum(p.status in (PieceStatus.FREE, PieceStatus.FIXED) for p in pieces)
    if now_s < manner.dares_after_s and match.state.tears_total - match.state.tears_left >= MOST_MISTAKES:
        return True
    left_s = max(0.0, SHOWN_S - now_s)
    return now_s < manner.dares_after_s and standing + 1.0 + left_s / TURN_S < WANTED_LADDERS
