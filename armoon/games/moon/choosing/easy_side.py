"""A beginner's help: the lid shows the drawn ladder with the side on which the search finds it easiest to place.

The side is shown by the same command as a player's own *Next side*, so it is in the log and a replay needs no search.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from armoon.engine.intake import Intake
from armoon.games.moon.choosing.search import question_now
from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.geometry import quat_inverse, quat_rotate
from armoon.placement.question import is_good
from armoon.placement.search import PlaceSearch
from armoon.values.acts import Act
from armoon.values.handicap import Helping
from armoon.values.intents import CHOICE_SOURCE, Command
from armoon.values.places import Place
from armoon.values.poses import Quat
from armoon.world.standing import standing_of

#: Later than this the player has looked at the ladder, and it isn't changed any more.
SECONDS = 4.0
_OWN = (Act.TIP, Act.TILT)


class EasySide:
    """The easiest side of the next ladder, for players who practise or have all helps; close it."""

    def __init__(self, match: MoonMatch) -> None:
        self._match = match
        self._search = PlaceSearch(match.ladders, match.base, processes=1)
        self._key: object = None
        """The ladder that is looked at, or was."""
        self._looks = False
        self._hinted: Place | None = None
        """The hint whose side is shown."""

    def close(self) -> None:
        """End the process."""
        self._search.close()

    def play(self, intake: Intake, hinted: Place | None = None) -> Intake:
        """Return the intake of a frame, with the command that shows the side once it is known.

        ``hinted``: the place that a hint shows, whose side it is then.
        """
        match, state = self._match, self._match.state
        key = (state.turn, state.ladder, state.overrulings)
        lies = state.phase is Phase.DRAW and state.ladder is not None and match.facts.held is None
        if not lies or any(command.kind in _OWN for command in intake.commands):
            self._stop()
            self._key = key if lies or key == self._key else None
            return intake
        if key != self._key and match.at_rest and self._helped:
            self._key, self._looks = key, True
            self._search.ask(replace(question_now(match), seconds=SECONDS))
        if hinted is not None and hinted is not self._hinted and self._helped:
            self._stop()
            step = self._side_of(hinted)
        else:
            step = self._found() if self._looks else 0
        self._hinted = hinted
        side = Command(Act.TIP, CHOICE_SOURCE, step)
        return replace(intake, commands=(*intake.commands, side)) if step else intake

    @property
    def _helped(self) -> bool:
        """The first game is practice; later a handicap of all helps asks for it."""
        match, state = self._match, self._match.state
        helps = state.options.handicap_of(state.player).helps
        wanted = helps is Helping.ALL or (state.options.practice and helps is not Helping.NONE)
        return wanted and match.bot is None and not match.setup.options.no_hints

    def _found(self) -> int:
        """Return by how many sides the ladder is to be tipped; 0 while that isn't known, or for none."""
        answer = self._search.answers(standing_of(self._match.facts))
        best = next((place for place in answer.places if is_good(place) or answer.done), None)
        if best is not None or answer.done:
            self._stop()
        return 0 if best is None else self._side_of(best)

    def _side_of(self, place: Place) -> int:
        return nearest_side(place.release.rotation, tuple(self._match.lid.sides.values()))

    def _stop(self) -> None:
        if self._looks:
            self._search.cancel()
        self._looks = False


def nearest_side(rotation: Quat, sides: Sequence[Quat]) -> int:
    """Return which of the lid's sides is the nearest, however it is turned about the upright."""
    up = _up(rotation)
    return min(range(len(sides)), key=lambda side: math.dist(_up(sides[side]), up))


def _up(rotation: Quat) -> tuple[float, float, float]:
    """Return what points up, in the ladder's own frame."""
    return quat_rotate(quat_inverse(rotation), (0.0, 0.0, 1.0))
