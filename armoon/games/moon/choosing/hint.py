"""The hint: on request, the ghost of a ladder at a good place, with its contacts and its safety.

The match counts each player's hints, for logs and results; the search is the picture's alone. A replay shows none.
"""

from __future__ import annotations

from armoon.games.moon.choosing.offers import FEWEST_SLIPS
from armoon.games.moon.choosing.search import question_now
from armoon.games.moon.figures.shape import nearest, spots_of
from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.messages import text
from armoon.placement.question import GOOD_OF
from armoon.placement.search import PlaceSearch
from armoon.values.pieces import PieceId
from armoon.values.places import Place
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Fate, Ghost
from armoon.world.structures.copying import standing_of

#: While this holds, there is a ladder to be placed.
ASKABLE = (Phase.DRAW, Phase.HOLD)


class Helper:
    """Searches when a hint is asked for, and shows what it has come to; close it."""

    def __init__(self, match: MoonMatch) -> None:
        self._match = match
        self._search = PlaceSearch(match.ladders, match.base)
        self._asked = 0
        """Hints that were asked for, of those that the match counts."""
        self._turn: int | None = None
        """The turn for which a place is searched,"""
        self._prepared: int | None = None
        """The turn whose structure the processes got last; None before the first hint."""
        self._shown: tuple[Place, Ghost] | None = None
        self._told = False

    def close(self) -> None:
        """End the processes."""
        self._search.close()

    def see(self) -> str:
        """Once a frame: begin to search where it was asked for, give up what is over; a sentence or ''."""
        match, state = self._match, self._match.state
        asked = sum(match.hints)
        if asked > self._asked and state.die is not None and state.ladder is not None:
            self._search.ask(question_now(match))
            self._turn = self._prepared = state.turn
            self._shown, self._told = None, False
        self._asked = asked
        if self._turn is None:
            between = state.phase is Phase.ROLL and match.at_rest
            if between and self._prepared not in (None, state.turn):
                self._prepared = state.turn
                self._search.prepare(standing_of(match.facts))
            return ""
        if state.turn != self._turn or state.phase not in ASKABLE:
            self._end()
            return ""
        answer = self._search.answers(standing_of(match.facts))
        if answer.void:
            self._end()
            return text("places.void")
        if answer.places:
            best = answer.places[0]
            if self._shown is None or self._shown[0] != best:
                self._shown = (best, ghost_of(match, best))
        elif answer.done and not self._told:
            self._told = True
            return text("places.failed" if answer.failed else "places.none")
        return ""

    def ghosts(self) -> tuple[Ghost, ...]:
        """Return the ghosts to draw."""
        return () if self._shown is None else (self._shown[1],)

    def _end(self) -> None:
        self._search.cancel()
        self._turn = self._shown = None


def ghost_of(match: MoonMatch, place: Place) -> Ghost:
    """Return a place as a picture shows it, with its words."""
    piece = match.state.ladder or ""
    points = points_of(match, piece, place.rest, place.touched)
    return Ghost(piece, place.rest, place.touched, points, Fate.HOLDS, words_of(place))


def points_of(match: MoonMatch, piece: PieceId, rest: Pose, touched: tuple[PieceId, ...]) -> tuple[Vec3, ...]:
    """Return where a ladder at rest would touch these others, table frame."""
    poses = {one.piece: one.pose for one in match.facts.pieces}
    own = spots_of(match.ladders[piece], rest)
    return tuple(
        nearest(own, spots_of(match.ladders[other], poses[other]))[0] for other in touched if other in poses
    )


def words_of(place: Place) -> str:
    """Return what it would touch, and its safety as far as known."""
    touches = text("places.touches", count=len(place.touched))
    if place.slips < FEWEST_SLIPS:
        return f"{touches} · {text('places.unsure')}"
    held = round(place.safety * GOOD_OF)
    return f"{touches} · {text('places.safety', held=held, of=GOOD_OF)}"
