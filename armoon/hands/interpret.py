"""Turns hands into one grip: which hand plays, when it grabs and releases, and where. Deterministic for any input."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

from armoon.geometry import CameraModel, line_of_sight, mat_from_pose, pose_apply, pose_compose, pose_inverse
from armoon.hands.filters import limit_speed
from armoon.hands.grip_settings import GripSettings, apply_movement
from armoon.hands.landmarks import Hands
from armoon.hands.metric import FARTHEST_M, NEAREST_M
from armoon.hands.tracked_hand import GripRefusal, HandTracks, HandView, TrackedHand
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.player_settings import Movement
from armoon.values.poses import Pose, Vec3

#: Seconds without a frame after which the tracker has stopped or hangs; frames of a working camera never take as long.
STALLED_AFTER_S = 0.5
#: Seconds for which the hint "use your other hand" is shown.
OTHER_HAND_S = 2.0
#: Maximum distance across the view of an object from the hand that takes it: slightly over half a long ladder.
OUT_OF_REACH_M = 0.12


class Interpreter:
    """Turns the hands of every frame into one grip.

    The hand that closes first is the *owner* until it opens. If it disappears for ``lost_after_s``, the grip is LOST
    until another hand closes and takes over its source. A hand that arrives closed continues the grip (HOLD); a hand
    that was open grabs again (GRAB).

    ``park`` leaves a held object in the air, still counting as held, while the hand opens, moves and closes again. From
    then on the object moves with the hand, at its new offset. Parking needs a key or button, because opening the hand
    means releasing.
    """

    def __init__(
        self, camera: CameraModel, table_from_camera: Pose, settings: GripSettings | None = None
    ) -> None:
        self._views: tuple[HandView, ...] | None = None
        self._converted: tuple[Vec3 | None] | None = None
        """The last offered point, if the table hasn't moved since then."""
        self.move_table(table_from_camera)
        self._default_settings = settings or GripSettings()
        self.tracks = HandTracks(camera, self._default_settings)
        self._owner: TrackedHand | None = None
        self._focus: TrackedHand | None = None
        self._edges: deque[GripIntent] = deque()
        self._last_held: GripIntent | None = None
        self._offered: Vec3 | None = None
        self._preferred: str | None = None
        self._refused_s = -math.inf

    def add_hands(self, hands: Hands) -> None:
        """Add the newest frame; ignore a frame that isn't newer than the last."""
        self._views = None
        before_s = self.tracks.time_s
        if not self.tracks.start_frame(hands.time_s):
            return
        if hands.time_s < before_s and self._owner is not None:
            self._owner.seen_s = -math.inf
        for hand in self.tracks.update_hands(hands, self._offered, self._owner_is_gone):
            self._handle_grip_change(hand)
        self._choose_focus()

    def get_intent(self, time_s: float) -> GripIntent | None:
        """Return the grip at a tick, slightly predicted; None without a hand. Each change of phase is returned once."""
        if not math.isfinite(time_s):
            time_s = self.tracks.time_s
        if self._edges:
            return replace(self._edges.popleft(), time_s=time_s)
        is_stalled = time_s - self.tracks.time_s > STALLED_AFTER_S
        if self._owner is not None and self._last_held is not None:
            if is_stalled or self._owner_is_gone():
                self._last_held = replace(self._last_held, time_s=time_s)
                return replace(self._last_held, phase=GripPhase.LOST)
            pose = self._limit_speed(
                self._to_table(self._owner.path.get_pose(time_s)), time_s - self._last_held.time_s
            )
            self._last_held = self._make_intent(self._owner, GripPhase.HOLD, pose, time_s)
            return self._last_held
        if self._focus is None or is_stalled:
            return None
        return self._make_intent(
            self._focus, GripPhase.HOVER, self._to_table(self._focus.path.get_pose(time_s)), time_s
        )

    def set_offered_point(self, point: Vec3 | None) -> None:
        """Set the offered object's position, table frame; a grip starts at its depth, so both move alike."""
        if self._converted == (point,):
            return
        self._offered, self._converted = None, (point,)
        if point is not None:
            in_camera = pose_apply(self._camera_from_table, point)
            if NEAREST_M <= in_camera[2] <= FARTHEST_M:
                self._offered = in_camera

    def park(self, time_s: float) -> bool:
        """Park the held ladder, or take it again if the hand is closed. Return False if neither is possible."""
        self._views = None
        owner = self._owner
        if owner is None or self._owner_is_gone() or not math.isfinite(time_s):
            return False
        if not self.is_parked:
            owner.path.park(time_s)
        elif owner.grip.is_closed:
            owner.path.unpark()
        else:
            return False
        return True

    def set_palm_length(self, palm_m: float) -> None:
        """Set the palm length of the player whose turn it is, for hands that appear from now on."""
        self.tracks.settings = replace(self.tracks.settings, palm_m=palm_m)

    def set_movement(self, movement: Movement) -> None:
        """Set the movement of the player whose turn it is, for hands that appear from now on."""
        self.tracks.settings = apply_movement(self.tracks.settings, movement, self._default_settings)

    def prefer_side(self, side: str | None) -> None:
        """Set the side of the only hand that may grip while two are in view; None: either may."""
        self._preferred = side
        self._refused_s = -math.inf

    def move_table(self, table_from_camera: Pose) -> None:
        """Set the new pose of the camera on the table; table poses refer to it from now on."""
        self._views = self._converted = None
        self._table_from_camera, self._camera_from_table = table_from_camera, pose_inverse(table_from_camera)
        matrix = mat_from_pose(table_from_camera)
        self._rotation, self._shift = matrix[:3, :3], matrix[:3, 3]

    def end_grip(self) -> None:
        """End the grip (after the grace time, or on request); to grab again, the hand must open and close."""
        self._views = None
        if self._owner is not None:
            self._owner.path.stop_holding()
        self._owner = None
        self._choose_focus()

    def set_refusal(self, refusal: GripRefusal | None) -> None:
        """Set the reason why the hand that has just closed took nothing; None if it took something."""
        self._views = None
        if self._owner is not None:
            self._owner.refusal = refusal

    def list_views(self) -> tuple[HandView, ...]:
        """Return the hands in the newest frame, unpredicted, the longest known first."""
        if self._views is None:
            self._views = tuple([self._make_view(hand) for hand in self.tracks.visible_hands])
        return self._views

    @property
    def should_use_other_hand(self) -> bool:
        """Whether a hand has just closed without effect because its player prefers the other one, also in view."""
        return self.tracks.time_s - self._refused_s < OTHER_HAND_S

    @property
    def is_holding(self) -> bool:
        return self._owner is not None

    @property
    def is_parked(self) -> bool:
        return self._owner is not None and self._owner.path.parked is not None

    def _owner_is_gone(self) -> bool:
        return self._owner is not None and self.tracks.is_gone(self._owner)

    def _handle_grip_change(self, hand: TrackedHand) -> None:
        hand.refusal = None
        if not hand.grip.is_closed:
            if hand is self._owner and not self.is_parked:
                self._release(hand)
        elif hand is self._owner:
            hand.path.unpark()
        # A hand that has appeared since the owner was lost may replace it.
        elif self._owner is None or (self._owner_is_gone() and hand.trusted):
            if self._is_wrong_hand(hand):
                hand.refusal = GripRefusal.OTHER_HAND
                self._refused_s = self.tracks.time_s
            else:
                if self._owner is None:
                    hand.refusal = self._predict_refusal(hand)
                self._grab(hand)

    def _predict_refusal(self, hand: TrackedHand) -> GripRefusal | None:
        """Return why a hand that closes now probably can't take anything; the game decides later."""
        if self._offered is None:
            return GripRefusal.NOTHING
        x, y, z = self._offered
        position = hand.path.newest_pose.position
        away_m = math.hypot(position[0] / position[2] * z - x, position[1] / position[2] * z - y)
        return GripRefusal.TOO_FAR if away_m > OUT_OF_REACH_M else None

    def _is_wrong_hand(self, hand: TrackedHand) -> bool:
        side = hand.label.side
        if self._preferred is None or side is None or side == self._preferred:
            return False
        return any(other.label.side == self._preferred for other in self.tracks.hands if other is not hand)

    def _release(self, hand: TrackedHand) -> None:
        pose = self._limit_speed(self._to_table(hand.path.pose_before_opening), hand.path.look_back_s)
        self._edges.append(self._make_intent(hand, GripPhase.RELEASE, pose, self.tracks.time_s))
        self._owner = None
        self._focus = hand
        hand.path.stop_holding()

    def _grab(self, hand: TrackedHand) -> None:
        lost = self._owner
        is_continuing = lost is not None and not hand.grip.was_open
        self._owner = self._focus = hand
        if lost is not None:
            hand.identity = lost.identity
        if lost is not None and lost.path.parked and self._last_held is not None:
            hand.path.unpark(pose_compose(self._camera_from_table, self._last_held.pose))
        else:
            hand.path.start_holding(None if is_continuing or self._offered is None else self._offered[2])
        before, now_s = self._last_held, self.tracks.time_s
        if is_continuing and before is not None:
            # Report even a loss between two ticks, so that the grip restarts and drags nothing along.
            self._edges.append(replace(before, phase=GripPhase.LOST))
        self._last_held = self._make_intent(
            hand, GripPhase.HOLD, self._to_table(hand.path.get_pose(now_s)), now_s
        )
        if not is_continuing:
            self._edges.append(replace(self._last_held, phase=GripPhase.GRAB))

    def _limit_speed(self, target: Pose, step_s: float) -> Pose:
        if self._last_held is None:
            return target
        s = self.tracks.settings
        return limit_speed(
            self._last_held.pose, target, step_s, max_m_s=s.max_speed_m_s, max_rad_s=s.max_turn_rad_s
        )

    def _choose_focus(self) -> None:
        """Without an owner, keep the focus on the same hand while it is tracked, or else on the longest known one."""
        if self._owner is not None:
            return
        if self._focus in self.tracks.hands and (self._focus is None or not self._is_wrong_hand(self._focus)):
            return
        known = [hand for hand in self.tracks.hands if not self._is_wrong_hand(hand)]
        self._focus = min(known, key=lambda hand: hand.identity, default=None)

    def _make_intent(self, hand: TrackedHand, phase: GripPhase, pose: Pose, time_s: float) -> GripIntent:
        across_m, along_m = hand.sigmas_m
        return GripIntent(
            time_s=time_s,
            source=f"hand:{hand.identity}",
            phase=phase,
            pose=pose,
            view_axis=line_of_sight(self._table_from_camera.position, pose.position),
            sigma_across_m=across_m,
            sigma_along_m=along_m,
            closing=hand.grip.closing,
        )

    def _make_view(self, hand: TrackedHand) -> HandView:
        in_camera = hand.points_m
        points = in_camera @ self._rotation.T + self._shift
        return HandView(
            identity=hand.identity,
            side=hand.hand.side,
            points_px=hand.hand.points_px,
            depths_m=tuple(in_camera[:, 2].tolist()),
            points_table=tuple([(x, y, z) for x, y, z in points.tolist()]),
            grip_point=self._to_table(hand.path.newest_pose).position,
            closing=hand.grip.closing,
            is_closed=hand.grip.is_closed,
            is_owner=hand is self._owner,
            sigma_along_m=hand.sigmas_m[1],
            hand_depth_m=hand.path.hand_grip[1],
            refusal=hand.refusal,
        )

    def _to_table(self, camera_pose: Pose) -> Pose:
        return pose_compose(self._table_from_camera, camera_pose)
