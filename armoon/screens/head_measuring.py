"""The ten-second measurement of a head: its stillness, its range, its mouth; and the settings that fit it."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev

from armoon.screens.measurement import Measurement, spans_of
from armoon.settings.preferences import DEAD_DEG, MOUTHS, REACH_DEG
from armoon.values.choices import HeadConfirm

#: Standard deviations of a head's motion within which the pointer stands.
DEAD_SIGMAS = 5.0
#: Share of a head's greatest rotation at which the pointer has its full speed.
REACH_SHARE = 0.8
#: Minimum opening of the mouth that can be read as a sign.
LEAST_MOUTH = 0.08
#: Time at a step's beginning in which the head isn't measured, while the player hears the request, seconds.
HEARD_S = 1.0


@dataclass(frozen=True)
class HeadSeen:
    """A head, or none, for another ``seconds``."""

    seconds: float
    turned: tuple[float, float] | None = None
    """To the picture's right and up, degrees; None: no head is seen."""
    mouth: float = 0.0
    """How far the lips are apart, over the distance of the outer corners of the eyes."""

    @property
    def there(self) -> bool:
        """A head is seen."""
        return self.turned is not None


class HeadStep(enum.Enum):
    """The requests, in order."""

    STRAIGHT = "straight"
    TURN = "turn"
    MOUTH = "mouth"
    DONE = "done"


#: How long each takes: ten seconds together.
STEP_S = {HeadStep.STRAIGHT: 3.0, HeadStep.TURN: 4.0, HeadStep.MOUTH: 3.0}


@dataclass(frozen=True)
class HeadMeasuring(Measurement[HeadStep, HeadSeen]):
    """How far it has come, and what came of it."""

    spans = spans_of(STEP_S)
    finished = HeadStep.DONE

    @property
    def still_deg(self) -> float:
        """The standard deviation of a head that keeps still, of the noisier of its two ways."""
        turns = self._turns(HeadStep.STRAIGHT)
        return max(pstdev([yaw for yaw, _ in turns]), pstdev([pitch for _, pitch in turns]))

    @property
    def turns_deg(self) -> float:
        """Turn of the head to a side, the lesser of both; for a head that turns to one side alone, that one."""
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
        """How to press."""
        return HeadConfirm.DWELL if self.mouth is None else HeadConfirm.MOUTH

    def _of(self, step: HeadStep) -> list[HeadSeen]:
        """Return what was seen in a step, without its beginning, which is reading time."""
        return [seen for _, seen in self.during(step, HEARD_S) or self.during(step, 0.0)]

    def _turns(self, step: HeadStep) -> list[tuple[float, float]]:
        return [seen.turned for seen in self._of(step) if seen.turned is not None]


def _least(offered: Sequence[float], wanted: float) -> float:
    """Return the smallest that is enough, or the largest that there is."""
    return next((one for one in offered if one >= wanted - 0.05), offered[-1])
