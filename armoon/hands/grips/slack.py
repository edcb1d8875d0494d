"""The present uncertainty of a hand's landmarks, as slack for the thresholds of a grip.

Two things make a closed hand look open for some frames. One is trembling landmarks, measured here on the palm,
which keeps its shape whatever the fingers do. The other is a palm seen end on: its length in the picture, the unit
of the gaps, is then mostly a guess. A doubtful hand has to open further before it lets go, and to close tighter
before it takes, so that its edges come later but never by chance.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from armoon.geometry import Array
from armoon.hands.grips.reading import Pace
from armoon.hands.pose.metric import MetricHand
from armoon.hands.tracking.landmarks import PALM

#: Averaging time of trembling, seconds.
NOISE_S = 0.5
#: Trembling up to this (palm lengths, RMS of a coordinate) is the tracker's usual: 0.003 to 0.012 over the
#: placement trials of both seats.
USUAL_NOISE = 0.013
#: Slack per palm length of trembling beyond: three deviations of a difference of two tips, which tremble half
#: as much again as the palm.
SLACK_PER_NOISE = 6.0
#: A palm that shows at least the first part of its length is seen well, one that shows the second end on.
SEEN_WELL, END_ON = 0.45, 0.20
VIEW_SLACK = 0.10
#: Maximum slack: with more, a hand would be hard to open.
MOST_SLACK = 0.15
#: Second differences of white noise are larger than the noise by the root of 1 + 4 + 1.
SECOND_DIFFERENCE = math.sqrt(6.0)
_PALM = list(PALM)


class Doubt:
    """One hand's slack; make a new one when the hand is acquired anew."""

    def __init__(self) -> None:
        self._shapes: deque[Array] = deque(maxlen=3)
        self._squares: deque[float] = deque()

    def see(self, hand: MetricHand, pace: Pace | None = None) -> float:
        """Take in a frame; the slack now, in palm lengths. ``pace`` is the frames', 30 Hz where none is given."""
        palm = hand.rays[_PALM] / hand.palm_ray_length
        self._shapes.append(palm - palm.sum(axis=0) / len(palm))
        if len(self._shapes) == 3:
            first, second, third = self._shapes
            shake = first - 2.0 * second + third
            self._squares.append(float((shake * shake).sum()) / shake.size)
            while len(self._squares) > (pace or Pace()).frames(NOISE_S):
                self._squares.popleft()
        return min(MOST_SLACK, self._from_noise() + _from_view(hand))

    @property
    def noise(self) -> float:
        """RMS of one coordinate of the palm's trembling, in palm lengths."""
        if not self._squares:
            return 0.0
        return math.sqrt(sum(self._squares) / len(self._squares)) / SECOND_DIFFERENCE

    def _from_noise(self) -> float:
        return SLACK_PER_NOISE * max(0.0, self.noise - USUAL_NOISE)


def _from_view(hand: MetricHand) -> float:
    shown = float(np.hypot(*hand.finger_line)) / hand.palm_ray_length
    return VIEW_SLACK * min(1.0, max(0.0, (SEEN_WELL - shown) / (SEEN_WELL - END_ON)))
