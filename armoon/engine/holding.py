"""Grips of devices other than hands, within a match: edges wait for a tick, and one grip holds at a time."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from armoon.clock import TICKS_PER_SECOND
from armoon.geometry import CameraModel
from armoon.hands.tracked_hand import HandView
from armoon.hands.tracker import Region, play_region, should_come_closer
from armoon.values.pieces import CARD_SOURCE, GripIntent, GripPhase
from armoon.values.poses import Pose

_EDGES = (GripPhase.GRAB, GripPhase.RELEASE)


class Devices:
    """What mouse, keys or another device want; the last that spoke is the one that is heard."""

    def __init__(self) -> None:
        self._edges: deque[GripIntent] = deque()
        self._newest: GripIntent | None = None
        self._holding = False

    @property
    def holding(self) -> bool:
        """A device's grip is closed: hands do nothing meanwhile."""
        return self._holding

    @property
    def by_card(self) -> bool:
        """A paper ladder plays: the hand that holds it looks closed, and means nothing by it."""
        return self._newest is not None and self._newest.source == CARD_SOURCE

    @property
    def card(self) -> GripIntent | None:
        """The grip of the paper ladder that plays; None without one, or while it is out of sight."""
        seen = self.by_card and self._newest is not None and self._newest.phase is not GripPhase.LOST
        return self._newest if seen else None

    def take_in(self, grips: tuple[GripIntent, ...], hand_holds: bool, *, in_hand: bool = False) -> None:
        """Take the grips of one frame; while a hand holds only a card's count, unless something is ``in_hand``."""
        cards = not in_hand and any(grip.source == CARD_SOURCE for grip in grips)
        if hand_holds and not self._holding and not cards:
            self._newest = None
            return
        for grip in grips:
            self._newest = grip
            if grip.phase in _EDGES:
                self._edges.append(grip)
        put_away = self._newest is not None and self._newest.phase is GripPhase.LOST
        if self.by_card and put_away and not (self._holding or self._edges):
            self._newest = None

    def intent(self, time_s: float) -> GripIntent | None:
        """Return the grip at a tick, an edge first; None if no device speaks."""
        if self._edges:
            edge = self._edges.popleft()
            self._holding = edge.phase is GripPhase.GRAB
            return replace(edge, time_s=time_s)
        return None if self._newest is None else replace(self._newest, time_s=time_s)

    def let_go(self) -> None:
        """End the grip for the game: what comes before the next closing counts as an open one."""
        self._holding = False
        self._newest = None


class Grace:
    """Count the ticks for which the held piece has been frozen.

    The printed rules know no lost hands. Ours: a lost hand costs nothing, so a ladder that has waited long enough
    isn't dropped from where it hangs; it goes back to where it was taken.
    """

    def __init__(self, limit_s: float | None) -> None:
        self._limit = None if limit_s is None else max(1, round(limit_s * TICKS_PER_SECOND))
        self._ticks = 0

    def runs_out(self, frozen: bool) -> bool:
        """Count one tick; True in the tick in which the grace time is over."""
        self._ticks = self._ticks + 1 if frozen else 0
        return self._ticks == self._limit


class Hangs(enum.Enum):
    """Whether the held piece hangs in the air without a hand."""

    NOT = "not"
    LET_GO = "let_go"
    """Fingers opened far from everything; the next closing grip at it takes it."""
    PARKED = "parked"
    """It was parked by a wish; the next closing takes it from wherever the hand is."""


class Hanging:
    """Turn a tick's grips into those that the held thing feels."""

    def __init__(
        self, in_the_air: Callable[[GripIntent], bool], takes_again: Callable[[GripIntent], bool]
    ) -> None:
        self.hangs = Hangs.NOT
        self._in_the_air, self._takes_again = in_the_air, takes_again
        self._asked = False

    def park(self) -> None:
        self._asked = True

    def felt(self, grip: GripIntent | None, *, holding: bool, frozen: bool) -> GripIntent | None:
        """Return the grip as the game feels it: what hangs feels no hand until it is taken again."""
        asked, self._asked = self._asked, False
        if not holding:
            self.hangs = Hangs.NOT
            return grip
        if grip is None:
            return grip
        if self.hangs is not Hangs.NOT:
            takes = grip.phase is GripPhase.GRAB and (self.hangs is Hangs.PARKED or self._takes_again(grip))
            if not takes and not (asked and grip.phase is GripPhase.HOLD):
                return replace(grip, phase=GripPhase.LOST)
            self.hangs = Hangs.NOT
            return replace(grip, phase=GripPhase.HOLD)
        if asked and grip.phase is GripPhase.HOLD:
            self.hangs = Hangs.PARKED
        elif grip.phase is GripPhase.RELEASE and not frozen and self._in_the_air(grip):
            self.hangs = Hangs.LET_GO
        return grip if self.hangs is Hangs.NOT else replace(grip, phase=GripPhase.LOST)


#: Seconds for which a hand must be too small before its player is asked to come closer.
FAR_S = 1.0
#: Ticks for which the notice is shown to a player who holds something; then the game's own hint is shown again, since a
#: child's hand is small throughout the game.
TOLD_TICKS = 2 * TICKS_PER_SECOND


class FarHand:
    """Knows since when all hands have been too small to be found again once they are lost.

    ``see`` every frame with hands, ``count`` every tick.
    """

    def __init__(self, camera: CameraModel, *, cropped: bool) -> None:
        self._camera = camera
        self._cropped = cropped
        self._whole = Region(0, 0, camera.width, camera.height)
        self._since_s: float | None = None
        self._is_far = False
        self._told_ticks = 0

    def see(self, time_s: float, views: Sequence[HandView], table_from_camera: Pose) -> None:
        crop = play_region(self._camera, table_from_camera) if self._cropped else None
        far = bool(views) and all(should_come_closer(view.points_px, crop or self._whole) for view in views)
        if not far:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = time_s
        self._is_far = self._since_s is not None and time_s - self._since_s > FAR_S

    def count(self, *, held_in_sight: bool) -> None:
        self._told_ticks = self._told_ticks + 1 if held_in_sight and self._is_far else 0

    @property
    def asked_closer(self) -> bool:
        return self._is_far and self._told_ticks <= TOLD_TICKS
