"""The ten-second measurement of a hand: trembling, reach, speed, grip; and the settings that fit it."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from statistics import fmean, median

from armoon.screens.measurement import Measurement, spans_of
from armoon.values.choices import GripKind, Steadiness
from armoon.values.movement import Movement
from armoon.values.poses import Vec2

#: The first of a step is for hearing it.
HEARD_S = 0.8
#: Window of the mean that is subtracted as drift before tremor is measured, seconds.
DRIFT_S = 0.5
#: Trembling from these on, to and fro in millimetres, gets a gentle or a strong filter.
GENTLE_MM, STRONG_MM = 1.5, 5.0
#: Distance from the lid to the far side of the base, metres: a hand that goes this far with ease needs no help.
WHOLE_M = 0.30
REACHES = (1.0, 1.25, 1.5, 2.0, 2.5)
#: Speeds below which a longer, and from which the shortest rest is proposed, metres a second; the rests, seconds.
SLOW_M_S, QUICK_M_S = 0.15, 0.40
DWELLS_S = (0.8, 1.0, 1.5, 2.0)
#: Number of good grips, of the three asked for, that make a grip reliable.
SURELY = 2


@dataclass(frozen=True)
class HandSeen:
    """A hand, or none, for another ``seconds``."""

    seconds: float
    place_m: Vec2 | None = None
    """Its palm across the view, to the right and down, for a palm of its player's length; None: no hand is seen."""
    pinched: bool = False
    fist: bool = False

    @property
    def there(self) -> bool:
        """A hand is seen, at a place that can be."""
        return self.place_m is not None and all(math.isfinite(v) for v in self.place_m)


class HandStep(enum.Enum):
    """The requests, in order."""

    STILL = "still"
    FAR = "far"
    PINCH = "pinch"
    FIST = "fist"
    DONE = "done"


#: How long each takes: ten seconds together.
STEP_S = {HandStep.STILL: 3.0, HandStep.FAR: 3.0, HandStep.PINCH: 2.0, HandStep.FIST: 2.0}


@dataclass(frozen=True)
class HandMeasuring(Measurement[HandStep, HandSeen]):
    """How far it has come, and what came of it."""

    spans = spans_of(STEP_S)
    finished = HandStep.DONE

    @property
    def tremor_mm(self) -> float:
        """How far it trembles to and fro: the amplitude of a sine that is as strong, drift taken out."""
        places = self._places(HandStep.STILL)
        if len(places) < 3:
            return 0.0
        squares = []
        for at_s, place in places:
            near = [other for other_s, other in places if abs(other_s - at_s) <= DRIFT_S / 2.0]
            squares.append(sum((place[k] - fmean(other[k] for other in near)) ** 2 for k in range(2)))
        return 1000.0 * math.sqrt(2.0 * fmean(squares))

    @property
    def reach_m(self) -> float:
        """How far it goes in ease across the view, the longer way."""
        places = [place for _, place in self._places(HandStep.FAR)]
        spans = []
        for k in range(2):
            along = sorted(place[k] for place in places)
            few = len(along) // 20
            spans.append(along[-1 - few] - along[few] if along else 0.0)
        return max(spans)

    @property
    def speed_m_s(self) -> float:
        """Typical speed of the moving hand: the median of all speeds above a creep."""
        places = self._places(HandStep.FAR)
        speeds = [
            math.dist(a, b) / (b_s - a_s)
            for (a_s, a), (b_s, b) in zip(places, places[3:], strict=False)
            if b_s > a_s
        ]
        going = [speed for speed in speeds if speed > 0.03]
        return median(going) if going else 0.0

    def closed(self, step: HandStep) -> int:
        """How often the grip that a step asks for was closed."""
        shut = [seen.pinched if step is HandStep.PINCH else seen.fist for _, seen in self.during(step, 0.0)]
        return sum(now and not before for before, now in zip([False, *shut], shut, strict=False))

    @property
    def reliable(self) -> tuple[GripKind, ...]:
        """The grips that were seen as they were asked for; resting always is."""
        asked = ((GripKind.PINCH, HandStep.PINCH), (GripKind.FIST, HandStep.FIST))
        return (*(grip for grip, step in asked if self.closed(step) >= SURELY), GripKind.DWELL)

    @property
    def proposed(self) -> Movement:
        """What fits such a hand."""
        tremor_mm, reach_m = self.tremor_mm, self.reach_m
        steadiness = Steadiness.OFF
        if tremor_mm >= GENTLE_MM:
            steadiness = Steadiness.STRONG if tremor_mm >= STRONG_MM else Steadiness.GENTLE
        wanted = WHOLE_M / max(reach_m, 0.01)
        reach = max(one for one in REACHES if one <= max(1.0, wanted))
        speed = self.speed_m_s
        dwell_s = DWELLS_S[0] if speed >= QUICK_M_S else DWELLS_S[2 if speed < SLOW_M_S else 1]
        return Movement(steadiness, reach, dwell_s, self.reliable[0])

    def _places(self, step: HandStep) -> list[tuple[float, Vec2]]:
        seen = self.during(step, HEARD_S)
        return [(at_s, one.place_m) for at_s, one in seen if one.place_m is not None]
