"""The region of the picture that the tracker searches, and whether a hand in it is large enough to be found.

The palm network sees the whole picture shrunk to 192 pixels, so detection depends on a hand's share of the long
side: with 0.22 it succeeds in 81 % of tries, with 0.27 in 91 %, with 0.33 in 96 % (photographs of hands, scaled).
Cropping to the playing area makes every hand larger in it. Of 32 first detections of a rendered hand (both
seats, light and dark skin, open and pinched) the whole picture of 640 pixels finds 32 at 0.6 m, 28 at 0.9, 30 at
1.2, 21 at 1.5 and 3 at 2 m, and the crop all 32 at every distance.
"""

from __future__ import annotations

import itertools
import math

from armoon.geometry import CameraModel, project_table_points
from armoon.hands.grips.interpret import HandView
from armoon.hands.tracking.landmarks import INDEX_KNUCKLE, LITTLE_KNUCKLE, MIDDLE_KNUCKLE, WRIST
from armoon.hands.tracking.tracker import Region
from armoon.values.poses import Pose

#: Where playing hands are, table frame: from left of the base to right of the lid, and up to where a long
#: ladder is carried over a tall structure.
PLAY_VOLUME_M = ((-0.20, 0.33), (-0.10, 0.10), (0.0, 0.38))
#: Width to height; the palm network pads everything to a square.
ASPECT = 4.0 / 3.0
#: Cropping by less than this share of the picture isn't worth a seam.
WORTH_IT = 0.9
#: A hand's length in palm lengths, and the share of the long side below which it is easily lost.
HAND_PALMS = 1.95
SMALLEST_SHARE = 0.22


def play_region(camera: CameraModel, table_from_camera: Pose) -> Region | None:
    """Return the smallest 4:3 part of the picture that shows the play volume; None for the whole picture."""
    corners = list(itertools.product(*PLAY_VOLUME_M))
    pixels = project_table_points(camera, table_from_camera, corners)
    if not all(math.isfinite(float(v)) for v in pixels.ravel()):
        return None
    left, top = (max(0.0, float(v)) for v in pixels.min(axis=0))
    right = min(float(camera.width), float(pixels[:, 0].max()))
    bottom = min(float(camera.height), float(pixels[:, 1].max()))
    if right <= left or bottom <= top:
        return None
    width = min(float(camera.width), max(right - left, (bottom - top) * ASPECT))
    height = min(float(camera.height), max(bottom - top, width / ASPECT))
    if width >= WORTH_IT * camera.width and height >= WORTH_IT * camera.height:
        return None
    x = min(max(0.0, (left + right - width) / 2.0), camera.width - width)
    y = min(max(0.0, (top + bottom - height) / 2.0), camera.height - height)
    return Region(round(x), round(y), round(width), round(height))


def should_come_closer(view: HandView, looked_at: Region) -> bool:
    """Whether a hand is so small in what the tracker looks at that it would hardly be found again."""
    points = view.points_px
    palm_px = max(
        math.dist(points[WRIST], points[MIDDLE_KNUCKLE]),
        math.dist(points[INDEX_KNUCKLE], points[LITTLE_KNUCKLE]),
    )
    return HAND_PALMS * palm_px < SMALLEST_SHARE * max(looked_at.width, looked_at.height)
