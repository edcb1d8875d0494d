"""How the built-in bots choose a place: they weigh as many as their character has patience for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from armoon.games.moon.bots.levels import Character
from armoon.games.moon.bots.protocol import Turn
from armoon.games.moon.choosing.search import reached
from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import Die
from armoon.placement.question import Question, enough_drops, liking
from armoon.placement.seeker import Finding, Seeker
from armoon.values.places import SAFEST, Place, Slip

#: Number of slips after which a place is known well enough.
SURE_SLIPS = 4
#: Safety, over this many slips, that ends the thinking: at first and when time is over. Between the two the demand
#: falls, so that a hard turn takes long and an easy one doesn't.
SAFE, SAFE_AT_LAST, SAFE_SLIPS = 0.97, 0.75, 8
#: Greatest unsteadiness that a bot assumes of its hand: asked for places that bear more, the search finds none.
BELIEVED_M, BELIEVED_RAD = 0.002, math.radians(1.4)
#: Simulated drops after which a bot has thought enough, for each place that it wants to weigh.
DROPS_EACH = 24


@dataclass
class Thought:
    """A bot's thoughts until now."""

    places: dict[int, Place]

    def best(self, character: Character) -> Place | None:
        """Return the place that it likes best."""
        return max(self.places.values(), key=lambda place: liking(place, character.taste), default=None)

    def enough(self, character: Character, spent: float) -> bool:
        """Return whether it has weighed enough places, or knows a safe one and likes nothing else.

        ``spent`` is its share of time, 0 to 1.
        """
        known = [place for place in self.places.values() if place.slips >= SURE_SLIPS or not place.slips]
        bar = SAFE + (SAFE_AT_LAST - SAFE) * min(1.0, spent)
        safe = any(place.slips >= SAFE_SLIPS and place.safety >= bar for place in known)
        return len(known) >= character.places or (safe and character.taste == SAFEST)


def question_of(turn: Turn, character: Character, seed: int) -> Question:
    """Return the question for its search."""
    return Question(
        standing=turn.standing,
        piece=turn.piece,
        wanted=wanted_by(Die(turn.die)),
        slip=Slip(min(character.slip_m, BELIEVED_M), min(character.slip_rad, BELIEVED_RAD)),
        taste=character.taste,
        seed=seed,
        seconds=math.inf,  # ``think`` watches the time
        drops=DROPS_EACH * character.places,
    )


def think(
    seeker: Seeker,
    turn: Turn,
    character: Character,
    seed: int,
    hurried: Callable[[], bool],
    spent: Callable[[], float | None],
) -> Iterator[Thought]:
    """Yield the bot's thought as it grows, until it is enough, or a place is known and ``hurried`` or the time is over.

    A bot that knows no place goes on until its drops are made, however long a busy machine takes for them.
    ``spent``: the share of its time that is over, from 0 to 1 and beyond; None: the answer isn't needed any more.
    """
    thought, known = Thought({}), seeker.prepare(turn.standing)
    barred: set[int] = set()
    before, vain = seeker.work, enough_drops(turn.standing)
    findings: Iterator[Finding | None] = seeker.seek(question_of(turn, character, seed), seed)
    for finding in findings:
        if finding is not None and finding.number not in barred:
            if finding.number not in thought.places and not reached(known, finding.place):
                barred.add(finding.number)
                continue
            thought.places[finding.number] = finding.place
            yield thought
        hasty, gone = hurried(), spent()
        if gone is None or thought.enough(character, gone):
            break
        if (hasty or gone >= 1.0) and (thought.places or seeker.work - before >= vain):
            break
    yield thought
