"""Grips by mouse, keys and other devices, parking of held objects, and detection of distant hands."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from armoon.clock import TICKS_PER_SECOND
from armoon.geometry import CameraModel
from armoon.hands.tracked_hand import HandView
from armoon.hands.tracker import Region, find_play_region, should_come_closer
from armoon.values.pieces import PROP_SOURCES, GripIntent, GripPhase
from armoon.values.poses import Pose

_EDGES = (GripPhase.GRAB, GripPhase.RELEASE)


class Devices:
    """Collects the grips of mouse, keys and other devices: every GRAB and RELEASE, and otherwise the newest grip."""

    def __init__(self) -> None:
        self._edges: deque[GripIntent] = deque()
        self._newest: GripIntent | None = None
        self.holding = False
        """Whether a device's grip is closed; while it is, hands have no effect."""

    @property
    def is_prop_in_use(self) -> bool:
        """Whether a prop is in use; the hand that holds it looks closed and is ignored."""
        return self._newest is not None and self._newest.source in PROP_SOURCES

    @property
    def prop(self) -> GripIntent | None:
        """The prop's grip; None without a prop, or while it is out of sight."""
        newest = self._newest if self.is_prop_in_use else None
        return None if newest is None or newest.phase is GripPhase.LOST else newest

    def add_grips(
        self, grips: tuple[GripIntent, ...], is_hand_closed: bool, *, is_held: bool = False
    ) -> None:
        """Add a frame's grips. While a hand is closed, only a prop's grips count, and only if nothing is held."""
        has_props = not is_held and any(grip.source in PROP_SOURCES for grip in grips)
        if is_hand_closed and not self.holding and not has_props:
            self._newest = None
            return
        for grip in grips:
            self._newest = grip
            if grip.phase in _EDGES:
                self._edges.append(grip)
        is_out_of_sight = self._newest is not None and self._newest.phase is GripPhase.LOST
        if self.is_prop_in_use and is_out_of_sight and not (self.holding or self._edges):
            self._newest = None

    def next_grip(self, time_s: float) -> GripIntent | None:
        """Return the next tick's grip: a pending GRAB or RELEASE, or else the newest grip; None without a device."""
        if self._edges:
            edge = self._edges.popleft()
            self.holding = edge.phase is GripPhase.GRAB
            return replace(edge, time_s=time_s)
        return None if self._newest is None else replace(self._newest, time_s=time_s)

    def end_grip(self) -> None:
        """End the grip; the device must grab again."""
        self.holding = False
        self._newest = None


class ParkingState(enum.Enum):
    """Whether and how the held object is parked in the air."""

    NOT = "not"
    LET_GO = "let_go"
    """Parked by a release over nothing; only a hand that closes at the object takes it again."""
    PARKED = "parked"
    """Parked by ``Act.PARK``; a hand that closes anywhere takes the object again."""


class ParkingFilter:
    """Parks the held object by replacing each tick's grip with a LOST one."""

    def __init__(
        self, is_over_nothing: Callable[[GripIntent], bool], would_regrab: Callable[[GripIntent], bool]
    ) -> None:
        self.parking = ParkingState.NOT
        self._is_over_nothing, self._would_regrab = is_over_nothing, would_regrab
        self._is_requested = False

    def park(self) -> None:
        self._is_requested = True

    def filter_grip(self, grip: GripIntent | None, *, holding: bool, frozen: bool) -> GripIntent | None:
        """Return the tick's effective grip, which is LOST while the object is parked."""
        is_requested, self._is_requested = self._is_requested, False
        if not holding:
            self.parking = ParkingState.NOT
        if not holding or grip is None:
            return grip
        if self.parking is not ParkingState.NOT:
            is_regrab = grip.phase is GripPhase.GRAB and (
                self.parking is ParkingState.PARKED or self._would_regrab(grip)
            )
            if not is_regrab and not (is_requested and grip.phase is GripPhase.HOLD):
                return replace(grip, phase=GripPhase.LOST)
            self.parking = ParkingState.NOT
            return replace(grip, phase=GripPhase.HOLD)
        if is_requested and grip.phase is GripPhase.HOLD:
            self.parking = ParkingState.PARKED
        elif grip.phase is GripPhase.RELEASE and not frozen and self._is_over_nothing(grip):
            self.parking = ParkingState.LET_GO
        return grip if self.parking is ParkingState.NOT else replace(grip, phase=GripPhase.LOST)


#: Time, in seconds, for which all hands must look too small before the player is asked to come closer.
DISTANT_S = 1.0
#: Ticks for which the notice replaces the game's hint while a player holds something. The notice is short because a
#: child's hand looks small throughout the game.
NOTICE_TICKS = 2 * TICKS_PER_SECOND


class DistantHandCheck:
    """Detects that all hands look too small for the tracker to find a lost one again.

    Call ``add_hands`` for every frame with hands and ``count_tick`` for every tick.
    """

    def __init__(self, camera: CameraModel, *, cropped: bool) -> None:
        self._camera = camera
        self._cropped = cropped
        self._whole = Region(0, 0, camera.width, camera.height)
        self._since_s: float | None = None
        self._is_distant = False
        self._notice_ticks = 0

    def add_hands(self, time_s: float, views: Sequence[HandView], table_from_camera: Pose) -> None:
        crop = find_play_region(self._camera, table_from_camera) if self._cropped else None
        region = crop or self._whole
        if not views or not all(should_come_closer(view.points_px, region) for view in views):
            self._since_s = None
        elif self._since_s is None:
            self._since_s = time_s
        self._is_distant = self._since_s is not None and time_s - self._since_s > DISTANT_S

    def count_tick(self, *, held_in_sight: bool) -> None:
        self._notice_ticks = self._notice_ticks + 1 if held_in_sight and self._is_distant else 0

    @property
    def asks_closer(self) -> bool:
        return self._is_distant and self._notice_ticks <= NOTICE_TICKS
