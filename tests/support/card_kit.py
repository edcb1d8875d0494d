"""A paper ladder seen by an ideal detector; it can be moved and rotated, and a thumb can cover its tag."""

from __future__ import annotations

from collections.abc import Callable

from armoon.camera.profiles import CameraSeat
from armoon.camera.sources import Image, make_blank
from armoon.geometry import pose_between, pose_compose, pose_inverse
from armoon.hands.card_tracker import CardSighting
from armoon.inputs.card import CARD_FROM_GRIP, CardGrip
from armoon.values.paper import RIGHT_LADDER, PaperLadder
from armoon.values.poses import Pose, Quat, Vec3

NOTHING = make_blank(4, 4)


class TableCard:
    """A card held at a grip pose in the table frame; ``frame`` is called to play one frame."""

    def __init__(
        self,
        seat: CameraSeat,
        frame: Callable[[], object],
        now_s: Callable[[], float],
        ladder: PaperLadder = RIGHT_LADDER,
        dwell_s: float | None = None,
    ) -> None:
        self._seat, self._frame, self._now_s, self._ladder = seat, frame, now_s, ladder
        self.pose = Pose((0.22, -0.05, 0.20))
        """Pose of the grip."""
        self.thumb: float | None = 1.0
        """Visible share of the thumb's tag: 1 while the thumb is lifted."""
        self.hidden = False
        self.grip = CardGrip(seat.camera, seat.table_from_camera, find_card=self.find_card, dwell_s=dwell_s)

    def find_card(self, image: Image, time_s: float) -> CardSighting | None:
        if self.hidden:
            return None
        table_from_card = pose_compose(self.pose, pose_inverse(CARD_FROM_GRIP))
        pose = pose_compose(pose_inverse(self._seat.table_from_camera), table_from_card)
        return CardSighting(time_s, self._ladder, True, pose, 0.0005, 0.003, 3, 3, self.thumb, 1.0 / 60.0)

    def rest(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds * 30.0))):
            self.grip.add_picture(NOTHING, self._now_s())
            self._frame()

    def move(self, place: Vec3, rotation: Quat | None = None, seconds: float = 0.6) -> None:
        start, steps = self.pose, max(1, round(seconds * 30.0))
        goal = Pose(place, self.pose.rotation if rotation is None else rotation)
        for k in range(1, steps + 1):
            self.pose = pose_between(start, goal, k / steps)
            self.rest(0.0)

    def press(self) -> None:
        self.thumb = 0.0
        self.rest(0.3)

    def lift(self) -> None:
        self.thumb = 1.0
        self.rest(0.3)
