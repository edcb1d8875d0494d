"""Hands beside the holding one in the picture: which of them are hands of their own, and stay there.

The holding hand is drawn at the depth of what it holds, and one camera hardly tells two hands' own depths: a palm that
turns away changes its size as much as one that is 20 cm nearer. So a hand's own track decides: it stays beside
the holding hand without a jump in place or size, and isn't that hand's forearm. What the tracker finds
where no hand is lasts for a frame or two, or lies along a forearm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from armoon.hands.grips.reading import SAME_MOMENT_S, Lasting, Recent
from armoon.hands.grips.view import HandView
from armoon.hands.tracking.landmarks import MIDDLE_KNUCKLE, WRIST, palm_size
from armoon.values.poses import Vec2

#: A landmark this near to the holding hand in the picture, in palm lengths, is beside it: a hand's breadth, like the
#: zone's ball around the grip.
BESIDE_PALMS = 1.15
#: Time for which a hand has to be beside the holding one to count as staying, seconds.
STAYS_S = 0.2
#: Maximum motion relative to the holding hand meanwhile, in its palm lengths: at once, and per second. An arm that
#: passes at more than half a metre a second doesn't stay.
STEP_PALMS, STEP_PALMS_PER_S = 0.3, 4.0
#: Maximum factor by which its palm has grown or shrunk in the picture.
STEP_SIZE = 1.6
#: A forearm: maximum distance behind the holding hand's wrist and aside of it, palm lengths, and cosine of their angle.
FOREARM_PALMS, FOREARM_ASIDE_PALMS, FOREARM_COSINE = 4.0, 0.7, 0.7


@dataclass(frozen=True)
class _Sight:
    time_s: float
    wrist: Vec2
    """From the holding hand's wrist, in its palm lengths."""
    palm_px: float

    def leads_to(self, later: _Sight) -> bool:
        """Whether a hand that stays may be there later."""
        most = STEP_PALMS + STEP_PALMS_PER_S * (later.time_s - self.time_s)
        size = later.palm_px / self.palm_px
        return math.dist(self.wrist, later.wrist) <= most and 1.0 / STEP_SIZE <= size <= STEP_SIZE


@dataclass
class _Track:
    since_s: float
    """From when on it has stayed."""
    seen_s: float
    sights: Recent[_Sight] = field(default_factory=lambda: Recent(Lasting(1000, STAYS_S)))


class BesideTracks:
    """The other hands' ways beside a holding one, by identity."""

    def __init__(self, gap_s: float) -> None:
        """``gap_s``: for how long a hand that stays may be out of sight."""
        self._gap_s = gap_s
        self._tracks: dict[int, _Track] = {}

    def clear(self) -> None:
        """Forget every hand."""
        self._tracks.clear()

    def stays_since(self, time_s: float, came_s: float, view: HandView, owner: HandView) -> float | None:
        """Take in a frame's hand that is beside the owner's; from when on it has stayed, None as long as it hasn't.

        ``came_s`` is when a hand came that this frame shows first. Hands that aren't beside the owner's are not told.
        """
        palm_px = max(palm_size(owner.points_px), 1.0)
        (x, y), (a, b) = owner.points_px[WRIST], view.points_px[WRIST]
        sight = _Sight(time_s, ((a - x) / palm_px, (b - y) / palm_px), max(palm_size(view.points_px), 1.0))
        track = self._tracks.get(view.identity)
        if track is None or not 0.0 <= time_s - track.seen_s <= self._gap_s:
            track = _Track(came_s, time_s)
        elif not all(before.leads_to(sight) for before in track.sights):
            track = _Track(time_s, time_s)
        if _is_forearm(view, owner, palm_px):
            track.since_s = time_s
        track.seen_s = time_s
        track.sights.see(sight, time_s)
        self._tracks[view.identity] = track
        return track.since_s if time_s - track.since_s >= STAYS_S - SAME_MOMENT_S else None


def landmarks_beside(view: HandView, owner: HandView) -> int:
    """Return how many of a hand's landmarks are beside the owner's in the picture."""
    reach = BESIDE_PALMS * palm_size(owner.points_px)
    return sum(any(math.dist(point, other) <= reach for other in owner.points_px) for point in view.points_px)


def wrists_meet(view: HandView, owner: HandView) -> bool:
    """Whether a hand's wrist is beside the owner's, as that of an arm that crosses it: its fingers may be far away."""
    reach = BESIDE_PALMS * palm_size(owner.points_px)
    return math.dist(view.points_px[WRIST], owner.points_px[WRIST]) <= reach


def _is_forearm(view: HandView, owner: HandView, palm_px: float) -> bool:
    """Whether a hand lies along the owner's forearm and points as its hand does."""
    (x, y), (a, b) = owner.points_px[WRIST], owner.points_px[MIDDLE_KNUCKLE]
    (u, v), (c, d) = view.points_px[WRIST], view.points_px[MIDDLE_KNUCKLE]
    length, its_length = math.hypot(x - a, y - b), math.hypot(u - c, v - d)
    if length < 1.0 or its_length < 1.0:
        return False
    back = ((x - a) / length, (y - b) / length)
    away = ((u + c) / 2.0 - x, (v + d) / 2.0 - y)
    behind = away[0] * back[0] + away[1] * back[1]
    aside = abs(away[0] * back[1] - away[1] * back[0])
    alike = (back[0] * (u - c) + back[1] * (v - d)) / its_length
    return (
        0.0 <= behind <= FOREARM_PALMS * palm_px
        and aside <= FOREARM_ASIDE_PALMS * palm_px
        and alike >= FOREARM_COSINE
    )
