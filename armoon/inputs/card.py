"""Grips by a paper ladder that a player holds, in all six degrees of freedom.

Covering the tag with the thumb closes the grip; lifting the thumb opens it, at the pose before the thumb moved. A
card that is out of sight never releases.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

from armoon import geometry
from armoon.camera.sources import Image
from armoon.hands.card_tracker import CardSighting, CardTracker
from armoon.inputs.controls import GripDevice
from armoon.inputs.grips import DEBOUNCE_S, EMPTY_S
from armoon.messages import number, text
from armoon.values.choices import Way
from armoon.values.paper import HELD_X_M, PAPER_LADDERS
from armoon.values.pieces import CARD_SOURCE, GripIntent, GripPhase
from armoon.values.poses import Pose, Vec3

CARD_FROM_GRIP = Pose((HELD_X_M, 0.0, 0.0))
#: Match scores of the tag under the thumb: below the first it is covered, above the second visible.
THUMB_COVERED, THUMB_VISIBLE = 0.45, 0.75
#: Minimum time for which the tag must be covered or visible, in seconds and in pictures.
THUMB_S, THUMB_PICTURES = 0.1, 2
#: Time from the start of a thumb's movement until its tag is visible, in seconds.
LOOK_BACK_S = 0.08
#: Time without a sighting after which the card is lost, in seconds.
LOST_S = 0.25
#: Maximum motion of a resting card, in metres and radians; maximum distance of its grip from the line of sight to the
#: offered object, in metres.
REST_M, REST_RAD, REACH_M = 0.006, math.radians(4.0), 0.03
#: Minimum distance by which an object must be carried before resting releases it, in metres.
CARRIED_M = 0.03


#: A picture's time in seconds, and the grip's pose in the table frame.
_GripSample = tuple[float, Pose]


class CardGrip(GripDevice):
    """Turns camera pictures into grips once the paper ladder (the card) has been seen."""

    way = Way.CARD

    def __init__(
        self,
        camera: geometry.CameraModel,
        table_from_camera: Pose,
        *,
        dwell_s: float | None = None,
        print_scale: float = 1.0,
        find_card: Callable[[Image, float], CardSighting | None] | None = None,
    ) -> None:
        """``dwell_s``: resting time that closes or opens the grip; None: resting does neither."""
        ladders = [ladder.scale_by(print_scale) for ladder in PAPER_LADDERS]
        self._find_card = find_card or CardTracker(camera, ladders).find_paper_ladder
        self._table_from_camera = table_from_camera
        self._dwell_s = dwell_s
        self.sighting: CardSighting | None = None
        self._poses: deque[_GripSample] = deque(maxlen=30)
        self._has_new_picture, self._last_seen_s = False, -math.inf
        """Whether the card has been seen since the last call of ``collect_grips``, and when it was last seen."""
        self._toggled_s = -math.inf
        self._is_thumb_on: bool | None = None
        """Whether the thumb is on its tag; None: unknown."""
        self._change_times_s: list[float] = []
        """Times of the latest pictures in a row in which the thumb's state differs from ``_is_thumb_on``."""
        self._edges: list[tuple[GripPhase, Pose]] = []
        self._is_hidden = True
        self._rest: _GripSample | None = None
        """The first picture of the current rest."""
        self._grab_pose: Pose | None = None
        self._status, self._status_since_s = "", -math.inf

    def set_camera_pose(self, table_from_camera: Pose) -> None:
        self._table_from_camera = table_from_camera

    def add_picture(self, image: Image, time_s: float) -> None:
        sighting = self._find_card(image, time_s)
        if sighting is None:
            return
        if not self._poses or time_s - self._poses[-1][0] > LOST_S:
            self._rest, self._change_times_s = None, []
        self.sighting, self._has_new_picture = sighting, True
        table_from_card = geometry.pose_compose(self._table_from_camera, sighting.camera_from_card)
        self._poses.append((time_s, geometry.pose_compose(table_from_card, CARD_FROM_GRIP)))
        if sighting.thumb is not None:
            self._update_thumb(sighting.thumb, time_s)

    def is_in_use(self, time_s: float) -> bool:
        is_visible = self._has_new_picture or time_s - self._last_seen_s <= LOST_S
        return not self.is_disabled and bool(self._poses) and (is_visible or self.is_closed)

    def toggle(self, time_s: float) -> None:
        if self._poses and time_s - self._toggled_s >= DEBOUNCE_S:
            self._set_closed(not self.is_closed, time_s, self._poses[-1][1])

    def collect_grips(
        self, time_s: float, offered: Vec3 | None = None, *, holding: bool | None = None
    ) -> tuple[GripIntent, ...]:
        if self._has_new_picture:
            self._has_new_picture, self._last_seen_s = False, time_s
        if not self.is_in_use(time_s):
            was_hidden, self._is_hidden = self._is_hidden, True
            self._edges.clear()
            if was_hidden or not self._poses:
                return ()
            return (self._make_intent(time_s, GripPhase.LOST, self._poses[-1][1]),)
        self._is_hidden = False
        _, newest = self._poses[-1]
        if self.is_closed and holding is False and time_s - self._toggled_s > EMPTY_S:
            self._set_closed(False, time_s, newest)
        if self._dwell_s is not None:
            self._check_rest(self._dwell_s, offered, time_s)
        edges, self._edges = self._edges, []
        grips = [self._make_intent(time_s, phase, pose) for phase, pose in edges]
        is_lost = time_s - self._last_seen_s > LOST_S
        phase = GripPhase.LOST if is_lost else GripPhase.HOLD if self.is_closed else GripPhase.HOVER
        return (*grips, self._make_intent(time_s, phase, newest))

    def describe_status(self, now_s: float) -> str:
        if self.sighting is None or not self.is_in_use(now_s):
            self._status, self._status_since_s = "", -math.inf
        elif now_s - self._status_since_s >= STATUS_S:
            self._status, self._status_since_s = describe_card(self.sighting, now_s), now_s
        return self._status

    def describe_keys(self, *, holding: bool) -> str:
        return text("strip.card_holds" if holding else "strip.card")

    def _update_thumb(self, visible_share: float, time_s: float) -> None:
        is_on = True if visible_share < THUMB_COVERED else False if visible_share > THUMB_VISIBLE else None
        if is_on is None or is_on is self._is_thumb_on:
            if is_on is not None:
                self._change_times_s = []
            return
        self._change_times_s.append(time_s)
        if self._is_thumb_on is None and not is_on:
            self._is_thumb_on = is_on
        if len(self._change_times_s) < THUMB_PICTURES or time_s - self._change_times_s[0] < THUMB_S - 1e-6:
            return
        was_known, self._is_thumb_on = self._is_thumb_on is not None, is_on
        start_s, self._change_times_s = self._change_times_s[0], []
        if was_known and is_on is not self.is_closed:
            earlier = [pose for at_s, pose in self._poses if at_s <= start_s - LOOK_BACK_S]
            release_pose = earlier[-1] if earlier else self._poses[0][1]
            self._set_closed(is_on, time_s, self._poses[-1][1] if is_on else release_pose)

    def _set_closed(self, closed: bool, time_s: float, pose: Pose) -> None:
        self.is_closed, self._toggled_s = closed, time_s
        self._rest = None
        self._grab_pose = pose if closed else None
        self._edges.append((GripPhase.GRAB if closed else GripPhase.RELEASE, pose))

    def _check_rest(self, dwell_s: float, offered: Vec3 | None, time_s: float) -> None:
        newest_s, newest = self._poses[-1]
        if self._rest is None or not geometry.are_near(self._rest[1], newest, REST_M, REST_RAD):
            self._rest = (newest_s, newest)
        if newest_s - self._rest[0] < dwell_s:
            return
        if self.is_closed and self._grab_pose is not None:
            if math.dist(self._grab_pose.position, newest.position) > CARRIED_M:
                self._set_closed(False, time_s, newest)
        elif not self.is_closed and offered is not None and self._aims_at(offered, newest):
            self._set_closed(True, time_s, newest)

    def _aims_at(self, offered: Vec3, grip: Pose) -> bool:
        camera_from_table = geometry.pose_inverse(self._table_from_camera)
        x, y, z = geometry.pose_apply(camera_from_table, offered)
        u, v, w = geometry.pose_apply(camera_from_table, grip.position)
        return math.hypot(u / w * z - x, v / w * z - y) < REACH_M

    def _make_intent(self, time_s: float, phase: GripPhase, pose: Pose) -> GripIntent:
        sigma_m = 0.0 if self.sighting is None else self.sighting.sigma_m
        return GripIntent(
            time_s=time_s,
            source=CARD_SOURCE,
            phase=phase,
            pose=pose,
            view_axis=geometry.line_of_sight(self._table_from_camera.position, pose.position),
            sigma_across_m=sigma_m,
            sigma_along_m=sigma_m,
            closing=1.0 if self.is_closed else 0.0,
        )


#: Minimum time for which a text is shown, in seconds; a number that changes with every picture is unreadable.
STATUS_S = 0.5
#: Maximum distance at which a card's tags can be read, in metres; exposure time from which motion blurs, in seconds.
FAR_M, LONG_EXPOSURE_S = 0.85, 1.0 / 45.0
#: Maximum error of the pose without a warning, in metres and radians.
_POOR_M, _POOR_RAD = 0.003, math.radians(1.5)


def describe_card(sighting: CardSighting, now_s: float) -> str:
    if now_s - sighting.time_s > LOST_S:
        return text("card.lost")
    if sighting.sharp < 2 or sighting.sigma_m > _POOR_M or sighting.sigma_rad > _POOR_RAD:
        if math.hypot(*sighting.camera_from_card.position) > FAR_M:
            return text("card.far")
        all_tags = sum(tag.front is sighting.front for tag in sighting.ladder.tags)
        if sighting.tags < 2 or sighting.sharp == sighting.tags < all_tags:
            return text("card.covered")
        if sighting.sharp < sighting.tags:
            return text("card.dark" if sighting.exposure_s > LONG_EXPOSURE_S else "card.blurred")
        # All tags are sharp, but the tilt of a card that faces the camera is uncertain.
    length = number(max(0.1, 1000.0 * sighting.sigma_m), 1)
    angle = number(max(0.1, math.degrees(sighting.sigma_rad)), 1)
    return text("card.seen", length=length, angle=angle)
