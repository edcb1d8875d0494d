"""Ten seconds in which a head is measured: how still it is, how far it turns, how its mouth opens; and what fits it."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median, pstdev

from armoon.screens.preferences import DEAD_DEG, MOUTHS, REACH_DEG
from armoon.values.choices import HeadConfirm

#: The pointer stands while a head moves by so many standard deviations.
DEAD_SIGMAS = 5.0
#: The pointer has its full speed before the head is turned as far as it goes.
REACH_SHARE = 0.8
#: Lips that come apart by less than this are no sign that could be read.
LEAST_MOUTH = 0.08
#: A longer frame counts as this long: no step is jumped over.
LONGEST_FRAME_S = 1.0
#: Who keeps still for the first part of a step has heard it.
HEARD_S = 1.0


@dataclass(frozen=True)
class HeadSeen:
    """A head, or none, for another ``seconds``."""

    seconds: float
    turned: tuple[float, float] | None = None
    """To the picture's right and up, degrees; None: nobody is seen."""
    mouth: float = 0.0
    """How far the lips are apart, over the distance of the outer corners of the eyes."""


class HeadStep(enum.Enum):
    """What is asked for."""

    STRAIGHT = "straight"
    TURN = "turn"
    MOUTH = "mouth"
    DONE = "done"


#: How long each takes: ten seconds together.
STEP_S = {HeadStep.STRAIGHT: 3.0, HeadStep.TURN: 4.0, HeadStep.MOUTH: 3.0}


@dataclass(frozen=True)
class HeadMeasuring:
    """How far it has come; only time in which a head is seen counts."""

    seconds: float = 0.0
    seen: tuple[tuple[float, HeadSeen], ...] = ()
    """Every head with its time."""
    missing: bool = True
    """Nobody is seen now."""

    def after(self, seen: HeadSeen) -> HeadMeasuring:
        """A frame later."""
        if self.step is HeadStep.DONE:
            return self
        if seen.turned is None:
            return replace(self, missing=True)
        seconds = self.seconds + min(seen.seconds, LONGEST_FRAME_S)
        return HeadMeasuring(seconds, (*self.seen, (self.seconds, seen)), False)

    @property
    def step(self) -> HeadStep:
        """What is asked for now."""
        ends_s = 0.0
        for step, long_s in STEP_S.items():
            ends_s += long_s
            if self.seconds < ends_s:
                return step
        return HeadStep.DONE

    @property
    def left_s(self) -> float:
        """Until the step is over."""
        ends_s = 0.0
        for long_s in STEP_S.values():
            ends_s += long_s
            if self.seconds < ends_s:
                return ends_s - self.seconds
        return 0.0

    @property
    def still_deg(self) -> float:
        """The standard deviation of a head that keeps still, of the noisier of its two ways."""
        turns = self._turns(HeadStep.STRAIGHT)
        return max(pstdev([yaw for yaw, _ in turns]), pstdev([pitch for _, pitch in turns]))

    @property
    def turns_deg(self) -> float:
        """So far it turns to a side, the lesser of both; where it turns to one alone, that."""
        straight = median(yaw for yaw, _ in self._turns(HeadStep.STRAIGHT))
        yaws = sorted(yaw - straight for yaw, _ in self._turns(HeadStep.TURN))
        few = max(1, len(yaws) // 20)
        left, right = -fmean(yaws[:few]), fmean(yaws[-few:])
        least, most = sorted((left, right))
        return least if least >= most / 3.0 else most

    @property
    def opens(self) -> tuple[float, float]:
        """The mouth shut, and open."""
        shut = median(seen.mouth for seen in self._of(HeadStep.STRAIGHT))
        mouths = sorted(seen.mouth for seen in self._of(HeadStep.MOUTH))
        return shut, fmean(mouths[-max(1, len(mouths) // 5) :])

    @property
    def dead_deg(self) -> float:
        """The smallest dead zone that such a head rests in."""
        return _least(DEAD_DEG, DEAD_SIGMAS * self.still_deg)

    @property
    def reach_deg(self) -> float:
        """The largest reach that such a head comes to with ease, beyond its dead zone."""
        wanted = max(REACH_SHARE * self.turns_deg, self.dead_deg + 3.0)
        return max((one for one in REACH_DEG if one <= wanted), default=REACH_DEG[0])

    @property
    def mouth(self) -> float | None:
        """Half open; None where it hardly opens."""
        shut, opened = self.opens
        if opened - shut < LEAST_MOUTH:
            return None
        return min(MOUTHS, key=lambda one: abs(one - (shut + opened) / 2.0))

    @property
    def confirm(self) -> HeadConfirm:
        """By what to press."""
        return HeadConfirm.DWELL if self.mouth is None else HeadConfirm.MOUTH

    def _of(self, step: HeadStep) -> list[HeadSeen]:
        """What was seen in a step; without its beginning, while it is read."""
        begins_s = 0.0
        for one, long_s in STEP_S.items():
            if one is step:
                ends_s = begins_s + long_s
                break
            begins_s += long_s
        heard = [seen for at_s, seen in self.seen if begins_s + HEARD_S <= at_s < ends_s]
        return heard or [seen for at_s, seen in self.seen if begins_s <= at_s < ends_s]

    def _turns(self, step: HeadStep) -> list[tuple[float, float]]:
        return [seen.turned for seen in self._of(step) if seen.turned is not None]


def _least(offered: Sequence[float], wanted: float) -> float:
    """The smallest that is enough, or the largest that there is."""
    return next((one for one in offered if one >= wanted - 0.05), offered[-1])
