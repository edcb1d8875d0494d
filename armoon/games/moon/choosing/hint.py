"""The hint: on request, the ghost of a ladder at a good place, with its contacts and its safety.

The first in a turn shows the safest place, the next one a higher place that holds, if there is one, and so by turns.
The match counts each player's hints, for logs and results, and takes back one that came to nothing; the search is the
picture's alone. A replay shows none.
"""

from __future__ import annotations

from dataclasses import replace

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.intake import Intake
from armoon.games.moon.choosing.offers import FEWEST_SLIPS
from armoon.games.moon.choosing.search import SeekerAbove, question_now
from armoon.games.moon.figures.shape import nearest, spots_of
from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.messages import text
from armoon.messages.numbers import centimetres, number
from armoon.placement.question import GOOD_OF, Answer, is_good
from armoon.placement.search import PlaceSearch
from armoon.values.acts import Act
from armoon.values.intents import CHOICE_SOURCE, Command
from armoon.values.pieces import PieceId
from armoon.values.places import HIGHEST, SAFEST, Place
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Fate, Ghost
from armoon.world.standing import standing_of

#: The phases in which there is a ladder to be placed.
ASKABLE = (Phase.DRAW, Phase.HOLD)
#: Interval at which the search's progress is reported while nothing is found, in ticks.
TELL_TICKS = 4 * TICKS_PER_SECOND
#: Minimum gain in height of a place that is shown when a higher one is asked for, metres.
HIGHER_M = 0.002


class Helper:
    """Searches for a place when a hint is asked for, and shows it; close it."""

    def __init__(self, match: MoonMatch, search: PlaceSearch | None = None) -> None:
        self._match = match
        self._search = search or PlaceSearch(match.ladders, match.base, make=SeekerAbove)
        self._asked = 0
        """Hints that were asked for, of those that the match counts."""
        self._turn: int | None = None
        """The turn for which a place is searched."""
        self._prepared: int | None = None
        """The turn whose structure the processes got last; None before the first hint."""
        self._shown: tuple[Place, Ghost] | None = None
        self._safest: Place | None = None
        """The place over which a higher one is asked for; None: the safest one is."""
        self._told = False
        self._empty: tuple[int, ...] = ()
        """Seats whose hint found nothing and has still to be given back."""
        self._seat: int | None = None
        """The seat that asked and has been shown nothing so far."""
        self._told_tick = 0

    def close(self) -> None:
        """End the processes."""
        self._search.close()

    @property
    def place(self) -> Place | None:
        """The place that is shown."""
        return None if self._shown is None else self._shown[0]

    @property
    def high(self) -> bool:
        """Whether the place that is shown is a higher one than the safest."""
        return self._safest is not None and self.place not in (None, self._safest)

    def take_back(self, intake: Intake) -> Intake:
        """Return the intake of a frame with a command for each hint that came to nothing: it isn't counted."""
        if any(command.kind is Act.HINT for command in intake.commands):
            return intake  # counted down with one that is counted up, that one would pass unseen
        backs = tuple(Command(Act.HINT, CHOICE_SOURCE, -1 - seat) for seat in self._empty)
        self._empty = ()
        return replace(intake, commands=(*intake.commands, *backs)) if backs else intake

    def see(self) -> str:
        """Once a frame: begin to search where it was asked for, give up what is over; a sentence or ''."""
        match, state = self._match, self._match.state
        asked = sum(match.hints)
        if asked > self._asked and state.die is not None and state.ladder is not None:
            self._empties()
            self._safest = self.place if self._turn == state.turn and not self.high else None
            self._shown = None if self._safest is None else self._shown
            taste = SAFEST if self._safest is None else HIGHEST
            self._search.ask(replace(question_now(match), taste=taste))
            self._turn = self._prepared = state.turn
            self._told, self._seat = False, state.player
            self._told_tick = match.tick
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
        best = self._best(answer)
        if best is not None:
            self._seat = None
            if self._shown is None or self._shown[0] != best:
                self._shown = (best, ghost_of(match, best))
        elif answer.done and not self._told:
            self._told = True
            self._empties()
            none = "none" if self._safest is None else "none_higher"
            return text("places.failed" if answer.failed else f"places.{none}")
        elif not answer.done and match.tick - self._told_tick >= TELL_TICKS:
            self._told_tick = match.tick
            return text("places.looking", share=number(100.0 * answer.share, 0))
        return ""

    def _best(self, answer: Answer) -> Place | None:
        """Return the place to be shown of those that were found: the first, or the first good one that is higher."""
        low = self._safest
        if low is None:
            return next(iter(answer.places), None)
        higher = (place for place in answer.places if place.height_m > low.height_m + HIGHER_M)
        return next(filter(is_good, higher), None)

    def ghosts(self) -> tuple[Ghost, ...]:
        """Return the ghosts to draw."""
        return () if self._shown is None else (self._shown[1],)

    def _end(self) -> None:
        self._search.cancel()
        self._empties()
        self._turn = self._shown = self._safest = None

    def _empties(self) -> None:
        """Who asked last and was shown nothing gets the hint back."""
        if self._seat is not None:
            self._empty = (*self._empty, self._seat)
        self._seat = None


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
    """Return what it would touch, its safety as far as known, and how high it leads."""
    held = text("places.unsure")
    if place.slips >= FEWEST_SLIPS:
        held = text("places.safety", held=round(place.safety * GOOD_OF), of=GOOD_OF)
    return " · ".join(
        (text("places.touches", count=len(place.touched)), held, centimetres(place.height_m, 0))
    )
