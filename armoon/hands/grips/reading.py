"""How grips are read, by version: a log is replayed by the reading that it was played with.

What tells a grip lasts a time and a number of frames, never frames alone, so that 10, 15, 30 and 60 Hz behave
alike. Only the first reading counted frames, at 30 Hz in thought.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")

#: The reading of new games. 1: as the first logs were played. 2: for real hands (docs/hands.md, "Pinch"). 3: a finger
#: that wags asks for a hint; what touches another doesn't wait in the air when it is let go of; the lid has six sides.
#: 4: the watch takes a second hand to have come with the frame before the first that shows it.
READING = 4
#: Sums of rounded times may fall short of a time by so much.
SAME_MOMENT_S = 1e-6
#: The frame rate at which the first reading thought.
USUAL_FRAME_S = 1.0 / 30.0
#: A usual frame is the middle one of so many, and never longer than this: a slower camera has stalled.
PACE_FRAMES = 5
SLOWEST_FRAME_S = 0.2


@dataclass(frozen=True)
class Lasting:
    """What has to be seen in so many frames in a row, and for so long from the first of them to the last."""

    frames: int
    seconds: float = 0.0


class Streak:
    """Counts frames in a row, and their time."""

    def __init__(self) -> None:
        self.frames = 0
        self._since_s = self._now_s = 0.0

    def see(self, shown: bool, time_s: float) -> None:
        """Take in a frame that shows it or doesn't."""
        if shown and self.frames == 0:
            self._since_s = time_s
        self.frames = self.frames + 1 if shown else 0
        self._now_s = time_s

    def lasts(self, lasting: Lasting) -> bool:
        """Whether it is long enough by the newest frame."""
        if self.frames == 0 or self.frames < lasting.frames:
            return False
        return self._now_s - self._since_s >= lasting.seconds - SAME_MOMENT_S


class Recent(Generic[Value]):
    """The values of the last while, at least the newest."""

    def __init__(self, longest: Lasting) -> None:
        self._longest = longest
        self._kept: deque[tuple[float, Value]] = deque(maxlen=longest.frames)

    def see(self, value: Value, time_s: float) -> None:
        """Take in a frame's value."""
        self._kept.append((time_s, value))
        while self._kept[0][0] < time_s - self._longest.seconds:
            self._kept.popleft()

    def clear(self) -> None:
        """Begin anew."""
        self._kept.clear()

    def __iter__(self) -> Iterator[Value]:
        return (value for _, value in self._kept)


class Pace:
    """How often frames come, by their own stamps."""

    def __init__(self, reading: int = READING) -> None:
        self._measures = reading > 1
        self._steps: deque[float] = deque(maxlen=PACE_FRAMES)
        self.frame_s = USUAL_FRAME_S
        """From one frame to the next."""

    def see(self, step_s: float) -> None:
        """A frame has come so long after the last one."""
        if self._measures and 0.0 < step_s < math.inf:
            self._steps.append(step_s)
            self.frame_s = min(SLOWEST_FRAME_S, statistics.median_low(self._steps))

    @property
    def weight(self) -> float:
        """For how many frames of 30 Hz a frame stands."""
        return self.frame_s / USUAL_FRAME_S if self._measures else 1.0

    def frames(self, seconds: float) -> int:
        """How many frames come in a time, at least three."""
        return max(3, round(seconds / self.frame_s))


@dataclass(frozen=True)
class PinchReading:
    """What makes a pinch; gaps in palm lengths (``armoon.hands.grips.pinch``)."""

    closed_picture: float
    closed_world: float
    closed_both: float
    """Of the picture's gap and half of the world's."""
    joints: tuple[float, float]
    """The end joints of thumb and index are this near to each other, for a palm edge on and one that is seen."""
    index_reach: tuple[float, float]
    """The index finger reaches at least so far, for a palm edge on and one that is seen: less is a fist."""
    world_part: float
    """How much of the world's gap counts beside the picture's when a hand may open."""
    release: tuple[float, float]
    """Below the first that gap is never open, from the second on always."""
    release_margin: float
    """Open when it has grown this much, and as much again as it trembles."""
    release_margins: tuple[float, float]
    """And when it has grown this much in the picture and in the world: a gap that grows in the picture alone is
    a hand that turns, unless it is beyond doubt."""
    trembling: float
    """How many standard deviations of the gap's own trembling the margin is widened by."""
    arm: Lasting
    """A hand has to be seen open for so long before it can grab: one that arrives pinched takes nothing."""
    close: Lasting
    close_doubted: Lasting
    """The same for a hand whose shape alone is no proof."""
    rest_palms_s: float
    """Tips that have met lie still against the wrist: those that move faster are passing each other."""
    open: Lasting
    open_world: Lasting
    """The world's gap is noisier, so alone it needs longer."""
    recent: Lasting
    """At most so many frames or so long make the last while: slower than fingers, quicker than a turning wrist."""
    level: float
    """The part of the last while's gaps that is smaller than what a growing gap is measured from."""


_ANY = math.inf
PINCH_READINGS = {
    1: PinchReading(
        closed_picture=0.35,
        closed_world=0.55,
        closed_both=_ANY,
        joints=(_ANY, _ANY),
        index_reach=(1.0, 1.0),
        world_part=0.0,
        release=(0.35, 0.50),
        release_margin=0.30,
        release_margins=(-_ANY, 0.10),
        trembling=0.0,
        arm=Lasting(2),
        close=Lasting(2),
        close_doubted=Lasting(2),
        rest_palms_s=_ANY,
        open=Lasting(3),
        open_world=Lasting(4),
        recent=Lasting(30, _ANY),
        level=0.0,
    ),
    2: PinchReading(
        closed_picture=0.27,
        closed_world=0.55,
        closed_both=0.36,
        joints=(0.46, 0.58),
        index_reach=(1.10, 0.96),
        world_part=0.5,
        release=(0.30, 0.75),
        release_margin=0.12,
        release_margins=(0.05, 0.03),
        trembling=3.0,
        arm=Lasting(2, 0.03),
        close=Lasting(2, 0.06),
        close_doubted=Lasting(2, 0.12),
        rest_palms_s=4.0,
        open=Lasting(2, 0.03),
        open_world=Lasting(2, 0.09),
        recent=Lasting(1000, 1.0),
        level=0.5,
    ),
}
PINCH_READINGS[3] = PINCH_READINGS[4] = PINCH_READINGS[2]


def known_reading(number: object) -> int:
    """The version that a log names; ValueError for one that this program doesn't know."""
    if isinstance(number, int) and number in PINCH_READINGS:
        return number
    raise ValueError(f"the reading {number!r} of grips")
