"""Hand identity: by continuity in space, never by the tracker's left and right.

A hand seen edge on is sometimes taken for the other hand, for one to five frames (rendered hand over the
table: 2 % of the frames while lifting), and such a frame shows wrong finger tips: 50 pixels
away, wide apart. A frame that contradicts the consensus of the hand's other frames is rejected.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from armoon.hands.tracking.landmarks import (
    INDEX_KNUCKLE,
    INDEX_TIP,
    LITTLE_KNUCKLE,
    MIDDLE_KNUCKLE,
    THUMB_TIP,
    WRIST,
    Hand,
    Side,
    Whereabouts,
)

#: Two sets of landmarks that lie this close (mean, in palm lengths) are one hand seen twice.
SAME_HAND_PALMS = 0.4
#: How far a hand may be from where it is expected: this much at once, and more for every second unseen. The
#: tracker itself loses hands that move more than 0.7 palm lengths a frame.
REACH_PALMS = 1.0
REACH_PALMS_PER_S = 10.0
REACH_PALMS_MOST = 3.0


def without_doubles(hands: Sequence[Hand]) -> tuple[Hand, ...]:
    """Return the hands, less those that are another one of them seen a second time."""
    kept: list[Hand] = []
    for hand in hands:
        if not any(_same_hand(hand, other) for other in kept):
            kept.append(hand)
    return tuple(kept)


def match_hands(
    known: Sequence[Whereabouts], unseen_s: Sequence[float], seen: Sequence[Whereabouts]
) -> dict[int, int]:
    """Which of the ``seen`` hands each of the ``known`` is: nearest pairs first, none beyond reach.

    ``unseen_s`` is how long each known hand was out of sight. Keys index ``known``, values ``seen``.
    """
    pairs = []
    for k, (expected, unseen) in enumerate(zip(known, unseen_s, strict=True)):
        reach = min(REACH_PALMS_MOST, REACH_PALMS + REACH_PALMS_PER_S * unseen)
        for s, place in enumerate(seen):
            palm = max(expected.palm_px, place.palm_px, 1.0)
            away = math.dist(expected.centre_px, place.centre_px) / palm
            if away <= reach:
                pairs.append((away, k, s))
    matched: dict[int, int] = {}
    taken: set[int] = set()
    for _, k, s in sorted(pairs):
        if k not in matched and s not in taken:
            matched[k] = s
            taken.add(s)
    return matched


def _same_hand(a: Hand, b: Hand) -> bool:
    apart = np.linalg.norm(a.points - b.points, axis=1).mean()
    return bool(apart < SAME_HAND_PALMS * max(a.whereabouts.palm_px, b.whereabouts.palm_px))


#: A label is settled when it is ahead by this many frames of 30 Hz: 0.13 s.
SETTLED_LEAD = 4
#: The lead grows no further, so that a label that was wrong from the start is given up after 12 such frames.
MOST_LEAD = 15


class SettledLabel:
    """Counts one hand's labels."""

    def __init__(self) -> None:
        self._lead = 0.0

    @property
    def settled(self) -> Side | None:
        """What the frames agree on; None while they haven't for long enough."""
        if abs(self._lead) < SETTLED_LEAD:
            return None
        return "right" if self._lead > 0 else "left"

    def doubts(self, side: Side, weight: float = 1.0) -> bool:
        """Take in a frame's label; True if the frame should not be believed.

        ``weight`` is how many frames of 30 Hz it stands for: slower frames are fewer, not less sure.
        """
        ours = weight if side == "right" else -weight
        contrary = abs(self._lead) >= SETTLED_LEAD and self._lead * ours < 0.0
        self._lead = max(-MOST_LEAD, min(MOST_LEAD, self._lead + ours))
        return contrary


#: Seconds after which a shape that stays mirrored is taken to be the true one.
MIRRORED_S = 0.8
#: A palm that shows at least this part of its squared length in the picture has a front and a back.
SHOWN_AREA = 0.15


class SettledShape:
    """Tells a closed hand's landmarks from their mirror image, which has the tips on the other side of the palm."""

    def __init__(self) -> None:
        self._beside = 0.0
        """How far the tips are before the palm, in the world: positive to the one side, negative to the other."""
        self._true_s: float | None = None

    def doubts(self, hand: Hand, time_s: float) -> bool:
        """Take in a closed hand's frame; True if it should not be believed."""
        beside, shown = _sides(hand)
        mirrored = shown < -SHOWN_AREA or (
            self._beside * beside < 0.0 and abs(self._beside - beside) > abs(self._beside)
        )
        known = self._true_s is not None and 0.0 <= time_s - self._true_s <= MIRRORED_S
        if mirrored and known:
            return True
        self._beside = self._beside + 0.1 * (beside - self._beside) if known else beside
        self._true_s = time_s
        return False


def _sides(hand: Hand) -> tuple[float, float]:
    """Return how far the tips are before the palm, and the palm's area as the picture shows it, in palm lengths.

    The first changes its sign in the world landmarks' mirror image; the second is negative where the picture shows the
    side of the palm that the world landmarks turn away.
    """
    # Plain arithmetic: numpy's calls cost more than their work on three numbers.
    world, seen = hand.world_m, hand.points_px
    (x, y, z), (ix, iy, iz), (lx, ly, lz) = world[WRIST], world[INDEX_KNUCKLE], world[LITTLE_KNUCKLE]
    (tx, ty, tz), (sx, sy, sz) = world[THUMB_TIP], world[INDEX_TIP]
    ax, ay, az, bx, by, bz = ix - x, iy - y, iz - z, lx - x, ly - y, lz - z
    ox, oy, oz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    out = ((tx + sx) / 2.0 - x) * ox + ((ty + sy) / 2.0 - y) * oy + ((tz + sz) / 2.0 - z) * oz
    palm_m = max(math.dist(world[WRIST], world[MIDDLE_KNUCKLE]), 1e-6)
    (x, y), (ix, iy), (lx, ly) = seen[WRIST], seen[INDEX_KNUCKLE], seen[LITTLE_KNUCKLE]
    palm_px = max(math.dist(seen[WRIST], seen[MIDDLE_KNUCKLE]), 1e-3)
    area = ((ix - x) * (ly - y) - (iy - y) * (lx - x)) / (palm_px * palm_px)
    turned = oz / (palm_m * palm_m)
    shown = math.copysign(min(abs(area), abs(turned)), area * turned)
    return out / (max(math.hypot(ox, oy, oz), 1e-9) * palm_m), shown
