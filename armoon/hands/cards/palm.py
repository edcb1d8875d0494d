"""A card that isn't seen for a moment goes as the palm does that holds it: across the picture, and turned in it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from armoon.geometry import (
    Array,
    CameraModel,
    mat_from_quat,
    quat_from_axis_angle,
    quat_multiply,
    vec3,
)
from armoon.hands.cards.follow import CardSight
from armoon.hands.tracking.landmarks import MIDDLE_KNUCKLE, PALM, WRIST, Hand, Hands
from armoon.values.paper import HANDLE_END_M, HANDLE_M
from armoon.values.poses import Pose

#: Maximum gap that a palm bridges, in seconds: it gives no depth of the card, and little of its rotation.
PALM_S = 0.5
#: Error of the bridged pose at once, and its growth per second: metres and radians.
_SIGMA_M, _GROWS_M_S, _SIGMA_RAD, _GROWS_RAD_S = 0.004, 0.06, math.radians(3.0), math.radians(40.0)
#: Maximum distance of the holding hand from the handle, its maximum way during a gap (palm lengths), and rotation.
_NEAR_PALMS, _FAR_PALMS, _MOST_RAD = 1.5, 2.0, math.radians(60.0)
#: Where a card is held, along its x.
_HELD_M = (HANDLE_END_M + HANDLE_M) / 2.0


@dataclass(frozen=True, eq=False)
class _Palm:
    centre: Array
    """(2,) pixels."""
    along: Array
    """(2,) pixels, from the wrist to the middle finger."""

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.along))


class PalmCarry:
    """Remembers how one camera's card lay in its palm."""

    def __init__(self, camera: CameraModel) -> None:
        self._camera = camera
        self._noted: tuple[CardSight, _Palm] | None = None

    def note(self, sight: CardSight, hands: Hands | None) -> None:
        """Take in a card that is seen, and the hands in the same picture."""
        self._noted = None
        if hands is None or not hands.hands:
            return
        ((u, v),) = self._camera.project([vec3(_held(sight))])
        palm = _nearest(hands.hands, np.array([u, v]))
        if float(np.linalg.norm(palm.centre - (u, v))) < _NEAR_PALMS * palm.length:
            self._noted = sight, palm

    def carried(self, hands: Hands | None, time_s: float) -> CardSight | None:
        """Return the card as the palm goes on with it; None if no palm holds it, or for too long."""
        if self._noted is None or hands is None or not hands.hands:
            return None
        sight, then = self._noted
        waited_s = time_s - sight.time_s
        now = _nearest(hands.hands, then.centre)
        way = now.centre - then.centre
        turned_rad = math.atan2(
            float(then.along[0] * now.along[1] - then.along[1] * now.along[0]), float(then.along @ now.along)
        )
        far = float(np.linalg.norm(way)) > _FAR_PALMS * then.length
        if not 0.0 < waited_s < PALM_S or far or abs(turned_rad) > _MOST_RAD:
            return None
        held = _held(sight)
        held = held + np.array([way[0] / self._camera.fx, way[1] / self._camera.fy, 0.0]) * held[2]
        rotation = quat_multiply(
            quat_from_axis_angle((0.0, 0.0, 1.0), turned_rad), sight.camera_from_card.rotation
        )
        place = held - mat_from_quat(rotation)[:, 0] * _HELD_M
        return replace(
            sight,
            time_s=time_s,
            camera_from_card=Pose(vec3(place), rotation),
            sigma_m=sight.sigma_m + _SIGMA_M + _GROWS_M_S * waited_s,
            sigma_rad=sight.sigma_rad + _SIGMA_RAD + _GROWS_RAD_S * waited_s,
            tags=0,
            sharp=0,
            thumb=None,
        )


def _held(sight: CardSight) -> Array:
    """Return where the hand holds the card (3,), camera frame."""
    pose = sight.camera_from_card
    return np.asarray(np.array(pose.position) + mat_from_quat(pose.rotation)[:, 0] * _HELD_M)


def _nearest(hands: tuple[Hand, ...], place: Array) -> _Palm:
    """Return the palm nearest to a pixel (2,)."""
    palms = [
        _Palm(hand.points[list(PALM)].mean(axis=0), hand.points[MIDDLE_KNUCKLE] - hand.points[WRIST])
        for hand in hands
    ]
    return min(palms, key=lambda palm: float(np.linalg.norm(palm.centre - place)))
