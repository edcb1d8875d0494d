"""Tracked hands as plain values, which logs store and restore exactly.

Landmarks: 0 wrist, then four from palm to tip of thumb (1 to 4), index (5 to 8), middle, ring and little finger.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from armoon.codec import convert
from armoon.geometry import Array
from armoon.values.poses import Vec2, Vec3

LANDMARKS = 21

WRIST = 0
THUMB_BASE = 1
THUMB_TIP = 4
INDEX_KNUCKLE = 5
INDEX_TIP = 8
MIDDLE_KNUCKLE = 9
MIDDLE_TIP = 12
RING_KNUCKLE = 13
RING_TIP = 16
LITTLE_KNUCKLE = 17
LITTLE_TIP = 20

#: Landmarks of the palm, whose shape doesn't change with the fingers.
PALM = (WRIST, THUMB_BASE, INDEX_KNUCKLE, MIDDLE_KNUCKLE, RING_KNUCKLE, LITTLE_KNUCKLE)

#: Decimals in logs: few, to keep them small, but much finer than the tracker's noise (0.2 px, about 1 mm).
PIXEL_DECIMALS = 3
METRE_DECIMALS = 6
SCORE_DECIMALS = 4

#: Maximum plausible coordinates of landmarks: in the picture, and from the hand's centre.
FARTHEST_PX = 1e5
FARTHEST_WORLD_M = 1.0

Side = Literal["left", "right"]


@dataclass(frozen=True)
class HandBounds:
    """The position of a hand, or its expected position, in the picture."""

    centre_px: Vec2
    palm_px: float
    """The palm's length or breadth, whichever is larger, because no view hides both."""


@dataclass(frozen=True)
class Hand:
    """One hand in one frame; ``make_hand`` rounds its numbers to the precision of a log."""

    points_px: tuple[Vec2, ...]
    """21 landmarks in the camera's own (unmirrored, distorted) pixels."""
    world_m: tuple[Vec3, ...]
    """21 landmarks in metres from the hand's centre, along the camera's axes, as if the hand were of average size."""
    side: Side
    """The tracker's label; it can flip from frame to frame, so identity never depends on it."""
    score: float
    """The tracker's confidence in the label, 0 to 1."""

    @cached_property
    def points(self) -> Array:
        """``points_px`` as an array (21, 2), which must not be modified."""
        return np.array(self.points_px, dtype=np.float64)

    @cached_property
    def world(self) -> Array:
        """``world_m`` as an array (21, 3), which must not be modified."""
        return np.array(self.world_m, dtype=np.float64)

    @cached_property
    def is_plausible(self) -> bool:
        """Whether all landmarks are present, finite and in a plausible range; ignore all other hands."""
        if not len(self.points_px) == len(self.world_m) == LANDMARKS:
            return False
        # NaN fails these comparisons.
        return bool(abs(self.points).max() < FARTHEST_PX and abs(self.world).max() < FARTHEST_WORLD_M)

    @cached_property
    def bounds(self) -> HandBounds:
        x = y = 0.0
        for i in PALM:
            x, y = x + self.points_px[i][0], y + self.points_px[i][1]
        return HandBounds((x / len(PALM), y / len(PALM)), measure_palm(self.points_px))


@dataclass(frozen=True)
class Hands:
    """All hands that the tracker found in one frame."""

    time_s: float
    frame_index: int
    width: int
    height: int
    hands: tuple[Hand, ...]
    is_filled: bool = False
    """Whether no hand was found, but skin colour fills the picture."""


def measure_palm(points: Sequence[Sequence[float]]) -> float:
    """Return the larger of a palm's length and breadth, from landmarks (21, n) in any unit."""
    length = math.dist(points[WRIST], points[MIDDLE_KNUCKLE])
    return max(length, math.dist(points[INDEX_KNUCKLE], points[LITTLE_KNUCKLE]))


def make_hand(
    points_px: Iterable[Sequence[float]], world_m: Iterable[Sequence[float]], side: Side, score: float
) -> Hand:
    """Return a hand with rounded landmarks (21, 2) and (21, 3)."""
    points = tuple((round(float(x), PIXEL_DECIMALS), round(float(y), PIXEL_DECIMALS)) for x, y in points_px)
    world = tuple(
        (round(float(x), METRE_DECIMALS), round(float(y), METRE_DECIMALS), round(float(z), METRE_DECIMALS))
        for x, y, z in world_m
    )
    return Hand(points, world, side, round(float(score), SCORE_DECIMALS))


@dataclass(frozen=True)
class HandLine:
    px: tuple[Vec2, ...]
    world: tuple[Vec3, ...]
    side: Side
    score: float

    def __post_init__(self) -> None:
        if len(self.px) != LANDMARKS or len(self.world) != LANDMARKS:
            raise ValueError(f"a hand has {LANDMARKS} landmarks, not {len(self.px)} and {len(self.world)}")


@dataclass(frozen=True)
class HandsLine:
    """The hands of one frame in a log."""

    time_s: float
    frame: int
    size: tuple[int, int]
    hands: tuple[HandLine, ...]
    filled: bool = False

    def to_hands(self) -> Hands:
        hands = tuple(Hand(hand.px, hand.world, hand.side, hand.score) for hand in self.hands)
        return Hands(self.time_s, self.frame, *self.size, hands, self.filled)


def hands_from_dict(plain: Any) -> Hands:
    """Return the hands of one line of a recording. Raises MalformedError (a ValueError) that names the wrong field."""
    line: HandsLine = convert(HandsLine, plain)
    return line.to_hands()


def hands_to_dict(hands: Hands) -> dict[str, Any]:
    """Return JSON values with the fields of ``HandsLine``; ``hands_from_dict`` restores exactly the same hands."""
    return {
        "time_s": hands.time_s,
        "frame": hands.frame_index,
        "size": (hands.width, hands.height),
        "hands": [
            {"px": hand.points_px, "world": hand.world_m, "side": hand.side, "score": hand.score}
            for hand in hands.hands
        ],
        **({"filled": True} if hands.is_filled else {}),
    }


Image = npt.NDArray[np.uint8]

#: Minimum confidence of a detected palm. mediapipe's default of 0.5 misses small and tilted hands in test pictures.
DETECTION_CONFIDENCE = 0.3


@dataclass(frozen=True)
class DetectedHand:
    """A hand found by a landmarker: landmarks (21, 2) in pixels of the input picture, and (21, 3) in metres."""

    points_px: Array
    world_m: Array
    side: Side
    score: float
