"""Settings of grips (filters, prediction, loss), and helpers that count frames and measure their pace."""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from armoon.hands.filters import OneEuro
from armoon.hands.metric import DEFAULT_PALM_M
from armoon.values.choices import DepthHelp, GripKind, Steadiness
from armoon.values.player_settings import Movement

#: Filter across the view. With 0.6 mm of noise at 30 Hz, a still hand jitters by 0.3 mm RMS; motions of 10 to 30 cm
#: lag by 9 to 12 ms.
ACROSS = OneEuro(min_cutoff_hz=1.5, beta=50.0, speed_cutoff_hz=6.0)
#: Filter along the view. With 7 mm of noise, a still hand jitters by 2 mm RMS, but motions lag by 40 to 90 ms.
ALONG = OneEuro(min_cutoff_hz=0.4, beta=6.0, speed_cutoff_hz=1.0)
#: The palm's rotation jitters by 0.5 degrees (edge on) to 2 degrees (facing) per frame; filtered, by 0.05 to 0.2 (RMS).
ROTATION = OneEuro(min_cutoff_hz=1.0, beta=2.0, speed_cutoff_hz=2.0)


@dataclass(frozen=True)
class GripSettings:
    """One player's grip settings; every default is playable."""

    palm_m: float = DEFAULT_PALM_M
    """Distance from the player's wrist to the middle knuckle."""
    grip: GripKind = GripKind.PINCH
    """How a ladder is taken: by a ``pinch``, by a ``fist``, or by holding the hand still (``dwell``)."""
    dwell_s: float = 1.0
    """Seconds for which a dwelling hand must be still to take or to release."""
    dwell_reach_m: float = 0.03
    """Maximum distance of a dwelling hand from the centre of the offered ladder, in metres at a distance of 0.5 m."""
    across: OneEuro = ACROSS
    """Filter across the view; speeds in m/s."""
    along: OneEuro = ALONG
    """Filter along the view, where noise is largest by far; speeds in m/s."""
    rotation: OneEuro = ROTATION
    """Filter of the rotation; speeds in rad/s."""
    depth_gain: float = 0.5
    """Share of a holding hand's motion along the view that counts, from the grab on; 0 locks the depth."""
    depth_halved_at_m_s: float = 0.03
    """Speed across the view that halves ``depth_gain``, because a hand moving across seems to change its depth."""
    depth_play_m: float = 0.0
    """Dead travel of a holding hand along the view, like backlash in gears, in metres."""
    gain: float = 1.0
    """Motion of a held object across the view per motion of the hand; 1 keeps it under the fingers."""
    fine_gain: float = 1.0
    """Share of a hand's motion that counts while the hand is slow; 1 disables the fine mode."""
    fine_below_m_s: float = 0.03
    """Speed across the view up to which the fine mode is fully active; it ends at three times this speed."""
    max_fine_m: float = 0.02
    """Maximum offset of an object from the fingers in fine mode, in metres at a distance of 0.5 m."""
    max_speed_m_s: float = 2.0
    """Maximum speed of a held object, even if the landmarks jump; the tracker loses hands at about 1 m/s."""
    max_turn_rad_s: float = 12.0
    prediction_s: float = 0.05
    """Maximum prediction time after the newest frame."""
    overshoot_m: float = 0.003
    """Maximum distance of a predicted point beyond the newest measured one."""
    overshoot_rad: float = math.radians(2.0)
    """Maximum angle of a predicted rotation from the filtered one."""
    lost_after_s: float = 0.2
    """Losses up to this long are bridged: the hand is assumed to stay where it was."""


#: Filters (across, along, rotation) for a trembling hand; low cutoffs suppress tremor of 4 to 12 Hz, but add lag.
STEADY_FILTERS = {
    Steadiness.GENTLE: (OneEuro(0.8, 12.0, 0.8), OneEuro(0.3, 4.0, 0.7), OneEuro(0.7, 1.2, 1.0)),
    Steadiness.STRONG: (OneEuro(0.4, 6.0, 0.4), OneEuro(0.2, 3.0, 0.4), OneEuro(0.4, 0.8, 0.5)),
}


def apply_movement(settings: GripSettings, movement: Movement, usual: GripSettings) -> GripSettings:
    """Return the settings for a player's hand movement; the values it doesn't set come from ``usual``."""
    across, along, rotation = STEADY_FILTERS.get(
        movement.steadiness, (usual.across, usual.along, usual.rotation)
    )
    return replace(
        settings,
        across=across,
        along=along,
        rotation=rotation,
        gain=usual.gain * movement.reach,
        dwell_s=movement.dwell_s,
        grip=movement.grip or usual.grip,
    )


#: Minimum push or pull: more than the apparent change of depth while a hand only moves across.
PUSH_PLAY_M = 0.012


def apply_depth_help(settings: GripSettings, depth_help: DepthHelp) -> GripSettings:
    """Return settings in which half of a motion in depth counts (``SHARE``), only clear pushes, or none (``LOCK``)."""
    if depth_help == DepthHelp.LOCK:
        return replace(settings, depth_gain=0.0)
    play_m = PUSH_PLAY_M if depth_help == DepthHelp.PUSH else 0.0
    return replace(settings, depth_gain=GripSettings.depth_gain, depth_play_m=play_m)


ValueT = TypeVar("ValueT")

#: Tolerance of sums of rounded times, seconds.
SAME_MOMENT_S = 1e-6
#: Time between frames at 30 Hz.
USUAL_FRAME_S = 1.0 / 30.0
#: Number of frames used for the median frame time, and its limit in seconds: a slower camera has stalled.
PACE_FRAMES = 5
SLOWEST_FRAME_S = 0.2


@dataclass(frozen=True)
class FrameSpan:
    """A minimum number of consecutive frames, and a minimum time from the first of them to the last."""

    frames: int
    seconds: float = 0.0


class Streak:
    """Counts consecutive frames and their duration."""

    def __init__(self) -> None:
        self.frames = 0
        self._since_s = self._now_s = 0.0

    def add_frame(self, shown: bool, time_s: float) -> None:
        if shown and self.frames == 0:
            self._since_s = time_s
        self.frames = self.frames + 1 if shown else 0
        self._now_s = time_s

    def has_lasted(self, span: FrameSpan) -> bool:
        if self.frames == 0 or self.frames < span.frames:
            return False
        return self._now_s - self._since_s >= span.seconds - SAME_MOMENT_S


class RecentValues(Generic[ValueT]):
    """The values of a recent period, always including the newest one."""

    def __init__(self, longest: FrameSpan) -> None:
        self._seconds = longest.seconds
        self._values: deque[ValueT] = deque(maxlen=longest.frames)
        self._times_s: deque[float] = deque(maxlen=longest.frames)

    def add_value(self, value: ValueT, time_s: float) -> None:
        self._values.append(value)
        self._times_s.append(time_s)
        while self._times_s[0] < time_s - self._seconds:
            self._values.popleft()
            self._times_s.popleft()

    def clear(self) -> None:
        self._values.clear()
        self._times_s.clear()

    def __iter__(self) -> Iterator[ValueT]:
        return iter(self._values)


class Pace:
    """Measures the time between frames, using the frames' own times."""

    def __init__(self) -> None:
        self._steps: deque[float] = deque(maxlen=PACE_FRAMES)
        self.frame_s = USUAL_FRAME_S

    def add_step(self, step_s: float) -> None:
        if 0.0 < step_s < math.inf:
            self._steps.append(step_s)
            self.frame_s = min(SLOWEST_FRAME_S, statistics.median_low(self._steps))

    @property
    def weight(self) -> float:
        """Number of frames at 30 Hz that one frame replaces."""
        return self.frame_s / USUAL_FRAME_S

    def count_frames(self, seconds: float) -> int:
        """Return the number of frames in a period, but at least three."""
        return max(3, round(seconds / self.frame_s))
