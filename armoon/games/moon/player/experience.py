"""What the demo's player has been through, and what it means to do by that."""

from __future__ import annotations

import math

from armoon.games.moon.player.manner import Manner, MoonSight, Wish
from armoon.games.moon.player.ways import CEILING_M
from armoon.world.standing import standing_of

#: Number of lost ladders after which no more risks are taken.
COLLAPSED = 4
#: After a loss the hand stays this much lower than where it was lost, but no lower than a camera sees for certain.
LOWER_M, LOWEST_CEILING_M = 0.02, 0.20
#: Number of losses in one turn after which the ladder is put down anywhere.
MOST_LOSSES = 4


class Experience:
    """Of one game."""

    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self.ceiling_m = CEILING_M if manner.eager else math.inf
        """Higher than this the hand leaves the picture: it was lost there."""
        self._held_m = math.inf
        """How high the held ladder's centre was when it was seen in the hand last."""
        self._most = 0
        """Maximum number of ladders that have stood."""
        self._losses = (0, 0)
        """A turn, and how often the hand was lost in it."""

    def see(self, sight: MoonSight) -> None:
        """Note where the ladder is that is held."""
        if sight.facts.held is not None:
            self._held_m = sight.facts[sight.facts.held].pose.position[2]

    def loses(self, sight: MoonSight) -> None:
        """Learn from a loss: stay lower where the ladder is back in the lid; the camera doesn't see a hand up there."""
        turn, count = self._losses
        self._losses = (sight.turn, count + 1 if turn == sight.turn else 1)
        if not sight.facts.held_waits:
            self.ceiling_m = max(LOWEST_CEILING_M, min(self.ceiling_m, self._held_m - LOWER_M))

    def wish(self, sight: MoonSight) -> Wish:
        """Return what it means to do with the next ladder."""
        if self._losses[0] == sight.turn and self._losses[1] >= MOST_LOSSES:
            return Wish.TABLE  # a person would give up as well
        manner = self._manner
        standing = len(standing_of(sight.facts))
        self._most = max(self._most, standing)
        whole = self._most - standing < COLLAPSED
        if 0 < manner.dares_at <= self._most and whole and sight.time_s >= manner.dares_after_s:
            return Wish.DARE
        return manner.wishes[(sight.turn - 1) % len(manner.wishes)]
