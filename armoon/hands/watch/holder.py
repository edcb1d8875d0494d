"""Finds the hand that holds a paper ladder: it counts as holding, though its fingers don't show it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from armoon.geometry import CameraModel, pose_apply, project_table_points
from armoon.hands.grips.view import HandView
from armoon.hands.tracking.landmarks import MIDDLE_KNUCKLE, WRIST, palm_size
from armoon.values.paper import HELD_X_M, THUMB_X_M
from armoon.values.poses import Pose, Vec2

#: Maximum distance of that hand from the place of the thumb, in palm lengths.
NEAR_PALMS = 1.5


def held_by_card(
    views: Sequence[HandView], grip: Pose, camera: CameraModel, table_from_camera: Pose
) -> tuple[HandView, ...]:
    """Return the hands of a frame with the one that holds the paper ladder as the owner; none if it isn't seen.

    ``grip``: the ladder's grip, table frame. What counts is the picture: a bare hand's depth is a guess.
    """
    thumb = pose_apply(grip, (THUMB_X_M - HELD_X_M, 0.0, 0.0))
    x, y = project_table_points(camera, table_from_camera, [thumb])[0]
    near = min(views, key=lambda view: _palms_away(view, (x, y)), default=None)
    if near is not None and _palms_away(near, (x, y)) > NEAR_PALMS:
        near = None
    return tuple(
        replace(view, owner=True, grip_point=grip.position) if view is near else replace(view, owner=False)
        for view in views
    )


def _palms_away(view: HandView, place: Vec2) -> float:
    points = view.points_px
    away = min(math.dist(points[landmark], place) for landmark in (WRIST, MIDDLE_KNUCKLE))
    return away / max(1.0, palm_size(points))
