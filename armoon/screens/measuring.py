"""Measurements of players (reaction time, hand and head movements, own phrases), and the settings they suggest."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean, median, pstdev, quantiles
from typing import Any, ClassVar, Generic, TypeVar

from armoon.settings.preferences import DEAD_DEG, MOUTH_OPENINGS, PERIODS_S, REACH_DEG
from armoon.values.acts import BY_PHRASE, CALL, SAMPLES
from armoon.values.choices import GripKind, HeadConfirm, Steadiness
from armoon.values.player_settings import Movement
from armoon.values.poses import Vec2

#: Times from each press to the next light, in seconds; irregular, so that rhythmic pressing is noticed.
WAITS_S = (1.6, 2.4, 1.2, 2.9, 1.9, 1.4, 2.6, 1.7, 2.2, 1.3)
#: Time limit for a press, in seconds; afterwards the switch scans the page again.
UNANSWERED_S = 10.0
#: Margin of the proposed period over the median reaction time, in standard deviations, with which 97 of 100 presses
#: are in time; its minimum for very regular players, relative to the median (docs/access.md).
MARGIN_SIGMAS, MIN_MARGIN = 2.0, 0.25
#: Interquartile range of a normal distribution, in standard deviations.
_QUARTILES = 1.35


@dataclass(frozen=True)
class ReactionMeasurement:
    """Progress of measuring reaction times."""

    reactions_s: tuple[float, ...] = ()
    passed_s: float = 0.0
    """Seconds since the last press, or since the light came on."""
    is_lit: bool = False
    chosen_s: float | None = None
    """Period chosen by the player instead of the proposal."""

    @property
    def is_done(self) -> bool:
        return len(self.reactions_s) == len(WAITS_S)

    @property
    def is_unanswered(self) -> bool:
        """Whether the light has been on for too long, so that a press doesn't count."""
        return self.is_lit and self.passed_s > UNANSWERED_S

    @property
    def usual_s(self) -> float:
        return median(self.reactions_s)

    @property
    def proposed_s(self) -> float:
        if self.chosen_s is not None:
            return self.chosen_s
        low, _, high = quantiles(self.reactions_s, n=4, method="inclusive")
        wanted = self.usual_s + max(MARGIN_SIGMAS * (high - low) / _QUARTILES, MIN_MARGIN * self.usual_s)
        return next((period for period in PERIODS_S if period >= wanted - 0.05), PERIODS_S[-1])


#: Maximum time that one frame adds, in seconds; a longer one could skip a step.
MAX_FRAME_S = 1.0

StepT = TypeVar("StepT", bound=enum.Enum)
MeasurementT = TypeVar("MeasurementT", bound="Measurement[Any, Any]")
Sample = TypeVar("Sample", bound="HandSample | HeadSample")


def time_steps(durations_s: Mapping[StepT, float]) -> dict[StepT, tuple[float, float]]:
    """Return the start and end of each step, in seconds."""
    spans, start_s = {}, 0.0
    for step, duration_s in durations_s.items():
        spans[step] = (start_s, start_s + duration_s)
        start_s += duration_s
    return spans


@dataclass(frozen=True)
class Measurement(Generic[StepT, Sample]):
    """Progress of a measurement, whose time runs only while the hand or head is visible."""

    spans: ClassVar[Mapping[Any, tuple[float, float]]]
    done_step: ClassVar[Any]

    seconds: float = 0.0
    # Not hashed: hundreds of samples would be slow, and ``seconds`` distinguishes the states.
    samples: tuple[tuple[float, Sample], ...] = field(default=(), hash=False)
    is_missing: bool = True

    def add_sample(self: MeasurementT, sample: Sample) -> MeasurementT:
        if self.is_done:
            return self
        if not sample.is_visible:
            return replace(self, is_missing=True)
        seconds = self.seconds + min(sample.seconds, MAX_FRAME_S)
        samples = (*self.samples, (self.seconds, sample))
        return replace(self, seconds=seconds, samples=samples, is_missing=False)

    @property
    def step(self) -> StepT:
        unfinished = (step for step, (_, end_s) in self.spans.items() if self.seconds < end_s)
        step: StepT = next(unfinished, self.done_step)
        return step

    @property
    def is_done(self) -> bool:
        return self.step is self.done_step

    @property
    def remaining_s(self) -> float:
        return 0.0 if self.is_done else self.spans[self.step][1] - self.seconds

    def samples_during(self, step: StepT, skip_s: float) -> list[tuple[float, Sample]]:
        """Return a step's samples with their times, excluding its first ``skip_s`` seconds."""
        begin_s, end_s = self.spans[step]
        return [sample for sample in self.samples if begin_s + skip_s <= sample[0] < end_s]


#: Ignored time at the start of a step, while the player hears the request, in seconds.
REQUEST_S = 0.8
#: Window of the moving average that is subtracted as drift before the tremor is measured, in seconds.
DRIFT_S = 0.5
#: Amplitudes of tremor for a gentle and a strong filter, in millimetres.
GENTLE_MM, STRONG_MM = 1.5, 5.0
#: Reach that needs no amplification, in metres: the distance from the lid to the far side of the base.
FULL_REACH_M = 0.30
REACHES = (1.0, 1.25, 1.5, 2.0, 2.5)
#: Hand speeds, in m/s: below the first a longer dwell is proposed, from the second the shortest; dwells in seconds.
SLOW_M_S, QUICK_M_S = 0.15, 0.40
DWELLS_S = (0.8, 1.0, 1.5, 2.0)
#: Minimum number of successes, of three attempts, for a grip to count as reliable.
MIN_GRIPS = 2


@dataclass(frozen=True)
class HandSample:
    """The hand, if visible, in the last ``seconds``."""

    seconds: float
    place_m: Vec2 | None = None
    is_pinched: bool = False
    is_fist: bool = False

    @property
    def is_visible(self) -> bool:
        return self.place_m is not None and all(math.isfinite(v) for v in self.place_m)


class HandStep(enum.Enum):
    """Steps of measuring a hand, in order."""

    STILL = "still"
    FAR = "far"
    PINCH = "pinch"
    FIST = "fist"
    DONE = "done"


STEP_S = {HandStep.STILL: 3.0, HandStep.FAR: 3.0, HandStep.PINCH: 2.0, HandStep.FIST: 2.0}


class HandMeasurement(Measurement[HandStep, HandSample]):
    """Measurement of a hand, with the proposed settings."""

    spans = time_steps(STEP_S)
    done_step = HandStep.DONE

    @property
    def tremor_mm(self) -> float:
        """Amplitude of a sine wave with the same power as the tremor, without drift."""
        places = self._list_places(HandStep.STILL)
        if len(places) < 3:
            return 0.0
        squares = []
        for at_s, place in places:
            neighbours = [other for other_s, other in places if abs(other_s - at_s) <= DRIFT_S / 2.0]
            squares.append(sum((place[k] - fmean(other[k] for other in neighbours)) ** 2 for k in range(2)))
        return 1000.0 * math.sqrt(2.0 * fmean(squares))

    @property
    def reach_m(self) -> float:
        """Comfortable reach across the camera's view, along the axis on which it is larger."""
        places = [place for _, place in self._list_places(HandStep.FAR)]
        spans = []
        for k in range(2):
            along = sorted(place[k] for place in places)
            trim_count = len(along) // 20
            spans.append(along[-1 - trim_count] - along[trim_count] if along else 0.0)
        return max(spans)

    @property
    def speed_m_s(self) -> float:
        """Typical speed of the moving hand: the median of the speeds above a threshold."""
        places = self._list_places(HandStep.FAR)
        speeds = [
            math.dist(a, b) / (b_s - a_s)
            for (a_s, a), (b_s, b) in zip(places, places[3:], strict=False)
            if b_s > a_s
        ]
        moving_speeds = [speed for speed in speeds if speed > 0.03]
        return median(moving_speeds) if moving_speeds else 0.0

    def count_closings(self, step: HandStep) -> int:
        shut = [
            sample.is_pinched if step is HandStep.PINCH else sample.is_fist
            for _, sample in self.samples_during(step, 0.0)
        ]
        return sum(now and not before for before, now in zip([False, *shut], shut, strict=False))

    @property
    def reliable_grips(self) -> tuple[GripKind, ...]:
        steps = ((GripKind.PINCH, HandStep.PINCH), (GripKind.FIST, HandStep.FIST))
        return (*(grip for grip, step in steps if self.count_closings(step) >= MIN_GRIPS), GripKind.DWELL)

    @property
    def proposed_movement(self) -> Movement:
        tremor_mm, reach_m = self.tremor_mm, self.reach_m
        steadiness = Steadiness.OFF
        if tremor_mm >= GENTLE_MM:
            steadiness = Steadiness.STRONG if tremor_mm >= STRONG_MM else Steadiness.GENTLE
        wanted = FULL_REACH_M / max(reach_m, 0.01)
        reach = max(value for value in REACHES if value <= max(1.0, wanted))
        speed = self.speed_m_s
        dwell_s = DWELLS_S[0] if speed >= QUICK_M_S else DWELLS_S[2 if speed < SLOW_M_S else 1]
        return Movement(steadiness, reach, dwell_s, self.reliable_grips[0])

    def _list_places(self, step: HandStep) -> list[tuple[float, Vec2]]:
        samples = self.samples_during(step, REQUEST_S)
        return [(at_s, sample.place_m) for at_s, sample in samples if sample.place_m is not None]


#: Radius of the pointer's dead zone, in standard deviations of a resting head's motion.
DEAD_SIGMAS = 5.0
#: Share of a head's maximum rotation at which the pointer has its full speed.
REACH_SHARE = 0.8
#: Minimum change of the mouth's opening that works as a signal.
MIN_MOUTH = 0.08
#: Ignored time at the start of a step, while the player hears the request, in seconds.
HEAD_REQUEST_S = 1.0


@dataclass(frozen=True)
class HeadSample:
    """The head, if visible, in the last ``seconds``."""

    seconds: float
    yaw_pitch_deg: tuple[float, float] | None = None
    mouth: float = 0.0

    @property
    def is_visible(self) -> bool:
        return self.yaw_pitch_deg is not None


class HeadStep(enum.Enum):
    """Steps of measuring a head, in order."""

    STRAIGHT = "straight"
    TURN = "turn"
    MOUTH = "mouth"
    DONE = "done"


HEAD_STEP_S = {HeadStep.STRAIGHT: 3.0, HeadStep.TURN: 4.0, HeadStep.MOUTH: 3.0}


class HeadMeasurement(Measurement[HeadStep, HeadSample]):
    """Measurement of a head, with the proposed settings."""

    spans = time_steps(HEAD_STEP_S)
    done_step = HeadStep.DONE

    @property
    def still_deg(self) -> float:
        turns = self._list_rotations(HeadStep.STRAIGHT)
        return max(pstdev([yaw for yaw, _ in turns]), pstdev([pitch for _, pitch in turns]))

    @property
    def max_rotation_deg(self) -> float:
        """Maximum rotation to the weaker side, or to the stronger if the head hardly turns to the weaker."""
        straight = median(yaw for yaw, _ in self._list_rotations(HeadStep.STRAIGHT))
        yaws = sorted(yaw - straight for yaw, _ in self._list_rotations(HeadStep.TURN))
        trim_count = max(1, len(yaws) // 20)
        left, right = -fmean(yaws[:trim_count]), fmean(yaws[-trim_count:])
        least, most = sorted((left, right))
        return least if least >= most / 3.0 else most

    @property
    def mouth_range(self) -> tuple[float, float]:
        shut = median(sample.mouth for sample in self._list_samples(HeadStep.STRAIGHT))
        mouths = sorted(sample.mouth for sample in self._list_samples(HeadStep.MOUTH))
        return shut, fmean(mouths[-max(1, len(mouths) // 5) :])

    @property
    def dead_deg(self) -> float:
        wanted = DEAD_SIGMAS * self.still_deg
        return next((angle for angle in DEAD_DEG if angle >= wanted - 0.05), DEAD_DEG[-1])

    @property
    def reach_deg(self) -> float:
        wanted = max(REACH_SHARE * self.max_rotation_deg, self.dead_deg + 3.0)
        return max((angle for angle in REACH_DEG if angle <= wanted), default=REACH_DEG[0])

    @property
    def mouth(self) -> float | None:
        """The offered threshold nearest to a half-open mouth; None if the mouth hardly opens."""
        shut, opened = self.mouth_range
        if opened - shut < MIN_MOUTH:
            return None
        return min(MOUTH_OPENINGS, key=lambda mouth: abs(mouth - (shut + opened) / 2.0))

    @property
    def confirm(self) -> HeadConfirm:
        return HeadConfirm.DWELL if self.mouth is None else HeadConfirm.MOUTH

    def _list_samples(self, step: HeadStep) -> list[HeadSample]:
        return [s for _, s in self.samples_during(step, HEAD_REQUEST_S) or self.samples_during(step, 0.0)]

    def _list_rotations(self, step: HeadStep) -> list[tuple[float, float]]:
        return [s.yaw_pitch_deg for s in self._list_samples(step) if s.yaw_pitch_deg is not None]


#: Phrases to record, in order.
RECORDED_PHRASES = (*BY_PHRASE, CALL)


@dataclass(frozen=True)
class PhraseRecording:
    """Progress of recording samples of a player's own phrases."""

    sample_counts: tuple[tuple[str, int], ...] = ()
    asked: str = RECORDED_PHRASES[0]
    """The phrase that the player is asked to say."""
    should_delete: bool = False
    """Whether the app should delete all samples."""

    @property
    def sample_count(self) -> int:
        return dict(self.sample_counts).get(self.asked, 0)

    def with_counts(self, counts: Mapping[str, int]) -> PhraseRecording:
        """Set the sample counts, and go to the next phrase if the current one has enough samples."""
        counted = replace(self, sample_counts=tuple(counts.items()), should_delete=False)
        return counted if counted.sample_count < SAMPLES else counted.next_phrase()

    def next_phrase(self) -> PhraseRecording:
        counts, start = dict(self.sample_counts), RECORDED_PHRASES.index(self.asked) + 1
        after = (*RECORDED_PHRASES[start:], *RECORDED_PHRASES[:start])
        lacking = (phrase for phrase in after if counts.get(phrase, 0) < SAMPLES)
        return replace(self, asked=next(lacking, after[0]))
