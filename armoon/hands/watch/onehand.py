"""The watch over the one-hand rule (F3): is a second hand at the structure while a ladder is held?

A machine of plain values: the views of each frame go in, warnings and faults come out. It reacts
slowly, so that a passing arm or a false second detection costs nothing, and it warns before it
faults.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from armoon.hands.grips.identity import SAME_HAND_PALMS
from armoon.hands.grips.reading import PINCH, Reading
from armoon.hands.grips.view import HandView
from armoon.hands.tracking.landmarks import MIDDLE_KNUCKLE, WRIST, palm_size
from armoon.hands.watch.beside import BesideTracks, landmarks_beside, wrists_meet
from armoon.values.poses import Vec3


class WatchLevel(enum.Enum):
    """The watch's level of alarm."""

    CLEAR = "clear"
    NOTICED = "noticed"
    """A second hand is there, but not for long enough to mean anything."""
    WARNING = "warning"
    FAULT = "fault"


class Place(enum.Enum):
    """The thing that a second hand is near."""

    STRUCTURE = "structure"
    LADDER = "ladder"


@dataclass(frozen=True)
class Zone:
    """Where a second hand has no business: an upright cylinder at the structure and a ball at the grip."""

    centre: Vec3 = (0.0, 0.0, 0.0)
    """The foot of the cylinder's axis, table frame."""
    radius_m: float = 0.14
    """The base's 9 cm and a hand's breadth less than the tracker's depth error."""
    bottom_m: float = -0.05
    """Who faces the camera raises the hands from under the virtual table: there they are nowhere near."""
    top_m: float = 0.30
    grip_radius_m: float = 0.10
    """Around the owner's grip point: the held ladder's own neighbourhood."""

    def place_of(self, point: Vec3, grip: Vec3) -> Place | None:
        """Return the part of the zone that a point lies in, if the owner grips at ``grip``; None outside."""
        if math.dist(point, grip) <= self.grip_radius_m:
            return Place.LADDER
        x, y, z = (p - c for p, c in zip(point, self.centre, strict=True))
        at_structure = math.hypot(x, y) <= self.radius_m and self.bottom_m <= z <= self.top_m
        return Place.STRUCTURE if at_structure else None

    def places(self, points: Iterable[Vec3], grip: Vec3) -> list[Place]:
        """Where in the zone those of the points are that lie in it."""
        return [place for point in points if (place := self.place_of(point, grip)) is not None]


@dataclass(frozen=True)
class WatchSettings:
    """How patient the watch is."""

    persistence_s: float = 0.4
    """Seconds for which a second hand has to stay before the first warning."""
    gap_s: float = 0.2
    """Seconds for which it may be out of sight or out of the zone meanwhile: one look of the tracker's watch."""
    mercy_s: float = 1.0
    """From the warning to the fault, if the hand stays."""
    landmarks: int = 4
    """Number of a hand's 21 landmarks in the zone that make it near, or beside the owner's hand in the picture
    (``armoon.hands.watch.beside``); single ones are depth noise."""


@dataclass(frozen=True)
class NearHand:
    """Why a hand counts as a second one."""

    identity: int
    place: Place
    """Where most of its landmarks in the zone are."""
    landmarks: int
    """How many of its 21 are in the zone."""


@dataclass(frozen=True)
class WatchReport:
    """The watch's report on one frame, for the picture, the log and the referee."""

    level: WatchLevel
    near: tuple[NearHand, ...] = ()
    """The hands that it is about, in this very frame."""
    since_s: float | None = None
    """When the second hand came near."""
    warnings: int = 0
    """Number of warnings since the ladder was taken."""

    @property
    def hands(self) -> tuple[int, ...]:
        """Identities of the hands that it is about, to mark them in the picture."""
        return tuple(hand.identity for hand in self.near)

    @property
    def warns(self) -> bool:
        """Whether the player is to be warned, by picture and sound."""
        return self.level in (WatchLevel.WARNING, WatchLevel.FAULT)

    def is_for_referee(self, *, warn_only: bool) -> bool:
        """Whether the referee is to be told of a second hand.

        Where it costs a mistake, only of a fault, since the warning comes first; where the referee only
        warns, of the warning itself.
        """
        return self.warns if warn_only else self.level is WatchLevel.FAULT

    def to_dict(self) -> dict[str, Any]:
        """Return a form that ``json`` can write, with the reasons: for the log, whenever the level has changed."""
        return {
            "level": self.level.value,
            "since_s": self.since_s,
            "warnings": self.warnings,
            "near": [[hand.identity, hand.place.value, hand.landmarks] for hand in self.near],
        }


CLEAR = WatchReport(WatchLevel.CLEAR)
#: Twelve frames of 1/30 s are 0.4 s, whatever their rounded sum says.
SAME_MOMENT_S = 1e-6


@dataclass
class _Memory:
    """The watch's memory of one held ladder."""

    since_s: float | None = None
    last_s: float | None = None
    warned_now: bool = False
    warnings: int = 0
    fault: bool = False


class OneHandWatch:
    """Looks at every frame's hands; its memory begins anew with every ladder that is taken.

    A second hand that stays for ``persistence_s`` is warned; one that stays ``mercy_s`` longer, or comes
    again after a warning and stays for ``persistence_s``, is a fault, which stands until the ladder is free.
    """

    def __init__(self, reading: Reading = PINCH) -> None:
        """Begin with nothing held; ``reading`` is one of the ``READINGS``."""
        self._settings = WatchSettings()
        self._reading = reading
        self._tracks = BesideTracks(self._settings.gap_s)
        self._memory = _Memory()
        self._judged_s: float | None = None

    def see(self, time_s: float, views: Iterable[HandView], held: bool, zone: Zone) -> WatchReport:
        """Take in one frame; ``held`` is whether a ladder is held and not frozen."""
        views = tuple(views)
        memory = self._memory
        if not held:
            # Fingers that are seen to hold closed by the frame before.
            self._memory, self._judged_s = _Memory(), time_s if math.isfinite(time_s) else None
            self._tracks.clear()
            return CLEAR
        owner = next((view for view in views if view.owner), None)
        if owner is None:
            # Never judged while tracking has lost the owner; the time doesn't count either.
            memory.since_s = memory.last_s = self._judged_s = None
            self._tracks.clear()
            return self._report(())
        if not math.isfinite(time_s):
            return self._report(())
        came_s = since_s = self._came_s(time_s)
        near: tuple[NearHand, ...] = ()
        for view in views:
            if not view.owner and not _one_hand_seen_twice(view, owner):
                beside, stays_s = self._beside(time_s, came_s, view, owner)
                hand = self._if_near(view, owner, zone, beside)
                if hand is not None:
                    near, since_s = (*near, hand), min(since_s, stays_s)
        if memory.last_s is None or not 0.0 <= time_s - memory.last_s <= self._settings.gap_s:
            memory.since_s = None
            memory.warned_now = False
        if near:
            memory.since_s = since_s if memory.since_s is None else memory.since_s
            memory.last_s = time_s
        self._judged_s = time_s
        self._judge(time_s, bool(near))
        return self._report(near)

    def _came_s(self, time_s: float) -> float:
        """When a hand came that this frame shows first: after the frame before, so that slow frames warn no later."""
        before_s = self._judged_s
        if before_s is None or not 0.0 < time_s - before_s <= self._settings.gap_s:
            return time_s
        return before_s

    def _judge(self, time_s: float, near: bool) -> None:
        memory = self._memory
        if memory.fault or not near or memory.since_s is None:
            return
        stayed_s = time_s - memory.since_s + SAME_MOMENT_S
        patience_s = self._settings.persistence_s
        if memory.warned_now:
            memory.fault = stayed_s >= patience_s + self._settings.mercy_s
        elif stayed_s >= patience_s:
            memory.fault = memory.warnings > 0
            memory.warnings += 1
            memory.warned_now = True

    def _report(self, near: tuple[NearHand, ...]) -> WatchReport:
        memory = self._memory
        if memory.fault:
            level = WatchLevel.FAULT
        elif memory.since_s is None:
            level = WatchLevel.CLEAR
        else:
            level = WatchLevel.WARNING if memory.warned_now else WatchLevel.NOTICED
        return WatchReport(level, near, memory.since_s, memory.warnings)

    def _if_near(self, view: HandView, owner: HandView, zone: Zone, beside: int) -> NearHand | None:
        places = zone.places(view.points_table, owner.grip_point)
        if max(len(places), beside) < self._settings.landmarks:
            return None
        at_ladder = beside >= len(places) or 2 * places.count(Place.LADDER) >= len(places)
        place = Place.LADDER if at_ladder else Place.STRUCTURE
        return NearHand(view.identity, place, max(len(places), beside))

    def _beside(self, time_s: float, came_s: float, view: HandView, owner: HandView) -> tuple[int, float]:
        """Return how many landmarks of a hand are beside the owner's in the picture, if that counts, and since when."""
        beside = landmarks_beside(view, owner)
        if self._reading.follows_beside and wrists_meet(view, owner):
            beside = max(beside, self._settings.landmarks)
        if beside < self._settings.landmarks or not self._may_be_as_far(view, owner):
            return 0, came_s
        if not self._reading.follows_beside:
            return beside, came_s
        since_s = self._tracks.stays_since(time_s, came_s, view, owner)
        return (0, came_s) if since_s is None else (beside, since_s)

    def _may_be_as_far(self, view: HandView, owner: HandView) -> bool:
        """Whether a hand may be as far from the camera as the owner's, by the hands' own depths."""
        its_m, owner_m = view.own_depth_m, owner.own_depth_m
        if its_m is None or owner_m is None:
            return False
        nearer, farther = self._reading.beside_depths
        return its_m >= nearer * owner_m and owner_m >= farther * its_m


def _one_hand_seen_twice(a: HandView, b: HandView) -> bool:
    """Landmarks that lie on each other, or two palms in one place, are one hand."""
    palm_px = max(palm_size(a.points_px), palm_size(b.points_px), 1.0)
    pairs = zip(a.points_px, b.points_px, strict=True)
    apart = sum(math.dist(p, q) for p, q in pairs) / len(a.points_px)
    palms_apart = math.dist(a.points_px[MIDDLE_KNUCKLE], b.points_px[MIDDLE_KNUCKLE]) + math.dist(
        a.points_px[WRIST], b.points_px[WRIST]
    )
    return apart < SAME_HAND_PALMS * palm_px or palms_apart / 2.0 < SAME_HAND_PALMS * palm_px
