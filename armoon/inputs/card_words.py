"""Sentences on a paper ladder in play: how exactly it is seen, or what keeps it from being seen well."""

from __future__ import annotations

import math

from armoon.hands.cards.follow import CardSight
from armoon.inputs.card import LOST_S, CardGrip
from armoon.messages import text
from armoon.messages.numbers import number

#: Minimum time for which a text stays, seconds: figures that change with every picture can't be read.
STAYS_S = 0.5
#: Maximum distance of a card for its tags to be read, metres; exposure time from which motion is blurred, seconds.
FAR_M, LONG_S = 0.85, 1.0 / 45.0
#: Error of the pose from which the player is warned, metres and radians.
_POOR_M, _POOR_RAD = 0.003, math.radians(1.5)


class CardWords:
    """Reports how well the card of one game is seen; ask once a picture."""

    def __init__(self) -> None:
        self._said, self._since_s = "", -math.inf

    def at(self, card: CardGrip | None, now_s: float) -> str:
        """Return the words for the glass, in the players' language; empty while no card plays."""
        if card is None or card.sight is None or not card.plays(now_s):
            self._said, self._since_s = "", -math.inf
        elif now_s - self._since_s >= STAYS_S:
            self._said, self._since_s = words_of(card.sight, now_s), now_s
        return self._said


def words_of(sight: CardSight, now_s: float) -> str:
    """Return what is to be told of a card that was seen so; one that is out of sight plays only while it holds."""
    if now_s - sight.time_s > LOST_S:
        return text("card.lost")
    if sight.sharp < 2 or sight.sigma_m > _POOR_M or sight.sigma_rad > _POOR_RAD:
        if math.hypot(*sight.camera_from_card.position) > FAR_M:
            return text("card.far")
        all_tags = sum(tag.front is sight.front for tag in sight.ladder.tags)
        if sight.tags < 2 or sight.sharp == sight.tags < all_tags:
            return text("card.covered")
        if sight.sharp < sight.tags:
            return text("card.dark" if sight.exposure_s > LONG_S else "card.blurred")
        # All is seen sharp, and small: of a card that faces the camera its tilt is told worst.
    length = number(max(0.1, 1000.0 * sight.sigma_m), 1)
    angle = number(max(0.1, math.degrees(sight.sigma_rad)), 1)
    return text("card.seen", length=length, angle=angle)
