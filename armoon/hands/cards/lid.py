"""The lid of a real box, by its label: where it stands on a known table, and how high its upper edge is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, CameraModel, mat_from_quat, quat_from_axis_angle
from armoon.hands.cards.fit import Image
from armoon.hands.cards.tags import TagReader, poses_of
from armoon.values.paper import LID_LABEL_M, LID_TAG, LID_TAG_M
from armoon.values.poses import Pose

#: A standing lid: maximum tilt of its label, and limits of the height of the label's middle, metres.
_UPRIGHT_RAD = math.radians(15.0)
_LEAST_M, _MOST_M = 0.03, 0.60


@dataclass(frozen=True)
class LidSeen:
    """A lid that stands on its edge."""

    foot: Pose
    """Table frame: on the table below the label's middle, x along the label, y into the lid."""
    top_m: float
    """The upper edge above the table, if the label's upper edge lies along it."""


class LidReader:
    """Reads the label; use it from one thread."""

    def __init__(self, scale: float = 1.0) -> None:
        """``scale``: how much too large the kit was printed."""
        half = scale * LID_TAG_M / 2.0
        corners = [(-half, half, 0.0), (half, half, 0.0), (half, -half, 0.0), (-half, -half, 0.0)]
        self._tags = TagReader({LID_TAG: np.array(corners)})
        self._label_m = scale * LID_LABEL_M

    def look(self, grey: Image, camera: CameraModel, table_from_camera: Pose) -> LidSeen | None:
        """Return the lid in a picture; None without one, or if it doesn't stand upright."""
        seen = self._tags.read(grey)
        if not seen:
            return None
        to_table = mat_from_quat(table_from_camera.rotation)
        found = []
        for turn, place in poses_of(camera, self._tags.points(seen), np.concatenate(list(seen.values()))):
            lid = self._standing(to_table @ turn, to_table @ place + table_from_camera.position)
            if lid is not None:
                found.append(lid)
        # Of two poses that both stand the second one fits less well.
        return found[0] if found else None

    def _standing(self, turn: Array, place: Array) -> LidSeen | None:
        """Return the lid whose label lies so in the table frame, if that stands."""
        right, up = turn[:, 0], turn[:, 1]
        middle_m = float(place[2])
        if up[2] < math.cos(_UPRIGHT_RAD) or not _LEAST_M < middle_m < _MOST_M:
            return None
        about = quat_from_axis_angle((0.0, 0.0, 1.0), math.atan2(right[1], right[0]))
        foot = Pose((float(place[0]), float(place[1]), 0.0), about)
        return LidSeen(foot, middle_m + self._label_m / 2.0)
