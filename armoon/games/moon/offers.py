"""Places offered for the ladder in the lid, each reachable from straight above, in an order that doesn't change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon.turn import get_requirement
from armoon.placement.search import FoundPlace, PlaceFinder, PlaceSearch
from armoon.placement.values import Question, get_drop_budget, is_good, score_place
from armoon.values.places import HIGHEST, STEADY, LadderPlace, Slip
from armoon.world.ladders import list_standing

if TYPE_CHECKING:  # the built-in bots' processes load no match
    from armoon.games.moon.match import MoonMatch

#: Maximum distance at which a ladder that was lowered from above counts as being at its place, metres.
REACHED_M = 0.004


class AboveFinder(PlaceFinder):
    """Finds only places that a ladder reaches from straight above without touching anything on the way."""

    def search(self, question: Question, seed: int) -> Iterator[FoundPlace | None]:
        structure = self.prepare(question.standing)
        reachable: dict[int, bool] = {}
        for finding in super().search(question, seed):
            if structure is not None and finding is not None and finding.number not in reachable:
                release = finding.place.release
                end = structure.frozen.lower(release, None)
                is_reached = end is not None and math.dist(end.position, release.position) < REACHED_M
                reachable[finding.number] = is_reached
            yield finding if finding is None or reachable[finding.number] else None


def make_question(match: MoonMatch, slip: Slip = STEADY, seed: int = 0) -> Question:
    """Return the question for the current ladder; its search is limited by work, not by the clock."""
    state = match.state
    assert state.die is not None
    assert state.ladder is not None
    standing = tuple(list_standing(match.facts))
    drops = get_drop_budget(standing)
    return Question(standing, state.ladder, get_requirement(state.die), slip, seed=seed, drops=drops)


#: Number of places offered at a time; with more, grouping wouldn't help switch users (docs/access.md).
MAX_OFFERED = 6
#: Places are offered after EARLY_S seconds if ENOUGH_PLACES good ones are known, and after LATE_S seconds if one holds
#: in at least the share FAIR_SHARE of slips; otherwise when the search ends.
ENOUGH_PLACES, EARLY_S, LATE_S = 3, 2.0, 6.0
FAIR_SHARE = 0.6
#: Slip with which offered places are tested, metres and radians.
OFFER_SLIP = Slip(0.0015, 0.02)
#: Increase of the seed with each repeated search.
SEED_STEP = 1000
#: Minimum number of slips tried before a place is offered.
MIN_SLIPS = 4
#: In lock step: maximum duration of the whole search, and the game time that it takes, seconds.
MAX_SEARCH_S, LOCK_STEP_WAIT_S = 200.0, 6.0


class OfferedPlaces:
    """The places offered to players, found by successive searches; must be closed."""

    def __init__(self, match: MoonMatch, *, real_time: bool) -> None:
        """``real_time``: the game continues during a search; otherwise (lock step) it waits."""
        self._match = match
        self._is_real_time = real_time
        self._search = PlaceSearch(match.ladders, match.base, make=AboveFinder)
        self._key: object = None
        self._since_tick = 0
        self._ranked: tuple[LadderPlace, ...] = ()
        """All known places, in the order in which they are offered."""
        self._first_index = 0
        self._rounds = 0
        self.is_known = False
        """Whether the places to offer are known; there may be none."""
        self.share = 0.0

    @property
    def places(self) -> tuple[LadderPlace, ...]:
        return self._ranked[self._first_index : self._first_index + MAX_OFFERED] if self.is_known else ()

    @property
    def first_rank(self) -> int:
        return self._first_index + 1

    @property
    def has_more(self) -> bool:
        return self.is_known and len(self._ranked) > MAX_OFFERED

    def offer_next(self) -> None:
        """Offer the next places, cyclically, and append new ones."""
        self._append_places(keep_tried(self._search.read_answer().places))
        next_index = self._first_index + MAX_OFFERED
        self._first_index = next_index if next_index < len(self._ranked) else 0

    def search_again(self) -> None:
        self._rounds += 1
        self._start_search(self._key)

    def update(self) -> None:
        """Start the search for a new ladder, and offer its places; call once per frame."""
        match = self._match
        key = (match.state.turn, match.state.player, match.state.ladder, match.state.overrulings)
        if key != self._key:
            self._rounds = 0
            self._start_search(key)
        if self.is_known:
            return
        waited_s = (match.tick - self._since_tick) / TICKS_PER_SECOND
        if not self._is_real_time:
            if waited_s >= LOCK_STEP_WAIT_S:
                self._append_places(keep_tried(self._search.wait(MAX_SEARCH_S).places))
                self.is_known = True
            return
        answer = self._search.read_answer(list_standing(match.facts))
        if answer.is_outdated:
            self._start_search(key, self.share)  # the structure has moved
            return
        self.share = max(self.share, answer.share)
        tried = tuple(place for place in answer.places if place.slips >= MIN_SLIPS)
        tried = keep_tried(answer.places) if answer.done else tried
        has_enough = sum(map(is_good, tried)) >= ENOUGH_PLACES and waited_s >= EARLY_S
        is_fair = any(place.safety >= FAIR_SHARE for place in tried) and waited_s >= LATE_S
        if answer.done or has_enough or is_fair:
            self._append_places(tried)
            self.is_known = True

    def cancel_search(self) -> None:
        self._key, self._ranked, self._first_index, self.is_known = None, (), 0, False
        self._search.cancel()

    def close(self) -> None:
        self._search.close()

    def _start_search(self, key: object, share: float = 0.0) -> None:
        """Start a search; an automatic restart keeps the ``share`` of the search shown as done."""
        match = self._match
        self._search.ask(make_question(match, OFFER_SLIP, match.state.turn + SEED_STEP * self._rounds))
        self._key, self._since_tick = key, match.tick
        self._ranked, self._first_index, self.is_known, self.share = (), 0, False, share

    def _append_places(self, places: tuple[LadderPlace, ...]) -> None:
        releases = {place.release for place in self._ranked}
        self._ranked += interleave(tuple(place for place in places if place.release not in releases))


def keep_tried(places: tuple[LadderPlace, ...]) -> tuple[LadderPlace, ...]:
    """Return the places with at least MIN_SLIPS slips tried, or all if there are none."""
    return tuple(place for place in places if place.slips >= MIN_SLIPS) or places


def interleave(places: tuple[LadderPlace, ...]) -> tuple[LadderPlace, ...]:
    """Alternate the places in the given order with the good ones that build highest."""
    climbing = sorted(filter(is_good, places), key=lambda place: score_place(place, HIGHEST), reverse=True)
    pairs = itertools.zip_longest(places, climbing)
    return tuple(dict.fromkeys(place for pair in pairs for place in pair if place is not None))
