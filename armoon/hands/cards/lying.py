"""A paper ladder laid on a table that the camera knows tells how large it was printed: a small one seems below."""

from __future__ import annotations

import math

from armoon.geometry import mat_from_quat, pose_compose, quat_angle
from armoon.hands.cards.follow import CardSight
from armoon.values.poses import Pose

#: A lying card: time at rest, seconds, maximum motion and tilt meanwhile (a hand trembles more), and minimum tags seen.
_STILL_S, _STILL_M, _STILL_RAD, _LEVEL_RAD, _TAGS = 1.0, 0.0006, math.radians(0.6), math.radians(4.0), 2
#: Maximum error of a print, as a share; a card that seems farther off lies on something.
_MOST = 0.08
#: Minimum distance between two measured places, metres, and maximum difference of their results, mm of 100.
_ELSEWHERE_M, _AGREE_MM = 0.05, 0.8


class PrintMeter:
    """Measures one print; ``see`` every sight of its card."""

    def __init__(self, printed: float = 1.0) -> None:
        """Begin anew; ``printed``: how large it is taken to be when it is looked for."""
        self._printed = printed
        self._since: CardSight | None = None
        self._laid: tuple[Pose, float] | None = None
        """Where it lay before, and what that said."""
        self.line_mm: float | None = None
        """What the line of 100 mm measures; None before it lay still in two places."""

    def see(self, sight: CardSight, table_from_camera: Pose) -> None:
        """Take in where the card is before the table."""
        since = self._since
        if sight.tags < _TAGS or since is None or _moved(since.camera_from_card, sight.camera_from_card):
            self._since = sight
            return
        if sight.time_s - since.time_s < _STILL_S:
            return
        lying = pose_compose(table_from_camera, sight.camera_from_card)
        up = mat_from_quat(table_from_camera.rotation)[2]
        down_m = -float(up @ sight.camera_from_card.position)
        level = abs(float(mat_from_quat(lying.rotation)[2, 2])) > math.cos(_LEVEL_RAD)
        size = table_from_camera.position[2] / down_m if down_m > 0.0 else 0.0
        if not level or abs(size - 1.0) > _MOST:
            return
        self._say(lying, 100.0 * self._printed * size)

    def _say(self, lying: Pose, line_mm: float) -> None:
        before = self._laid
        if before is None or math.dist(before[0].position[:2], lying.position[:2]) < _ELSEWHERE_M:
            self._laid = before or (lying, line_mm)
            return
        self._laid = lying, line_mm
        if abs(before[1] - line_mm) < _AGREE_MM:
            self.line_mm = (before[1] + line_mm) / 2.0


def _moved(one: Pose, other: Pose) -> bool:
    return (
        math.dist(one.position, other.position) > _STILL_M
        or quat_angle(one.rotation, other.rotation) > _STILL_RAD
    )
