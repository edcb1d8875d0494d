"""A paper ladder in the rendered hand: how its fingers hold it, how the thumb lifts, and what is printed on it.

The hand is held as one holds a ruler: a fist round the handle, and the thumb beside it on its tag.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat, quat_from_matrix, vec3
from armoon.synthetic_camera.anatomy import HeldPaper, Side
from armoon.values.paper import (
    DICTIONARY,
    FAR_END_M,
    HANDLE_END_M,
    HEIGHT_M,
    TAG_CELLS,
    THUMB_X_M,
    PaperLadder,
    Tag,
)
from armoon.values.poses import Pose, Vec3

#: The print's pixels per metre: every edge of a tag lies between two of them.
PX_PER_M = 6000.0
_PAPER, _INK = 255, 0
#: How a fist is bent: spread, knuckle, middle joint and end joint of each finger, degrees.
_FIST = ((-6.0, 62.0, 84.0, 50.0), (0.0, 74.0, 90.0, 55.0), (4.0, 78.0, 92.0, 55.0), (9.0, 80.0, 90.0, 55.0))
#: The thumb's root as a rotation vector, and its two other joints in degrees: on its tag, and lifted.
_PRESSED: tuple[Vec3, tuple[float, float]] = ((-0.35, 0.02, -0.16), (4.0, 12.0))
_LIFTED: tuple[Vec3, tuple[float, float]] = ((-0.10, -0.85, 0.10), (0.0, -12.0))
#: Distance of the paper from the hand's middle towards the thumb, where the bent index ends, metres.
_BESIDE_M = 0.0385
#: Place of the thumb's tip on the paper: along the hand, and towards its palm, metres.
_THUMB_AT_M, _BELOW_M = 0.093, -0.042


def paper_angles(pressed: float) -> Array:
    """Return the joint angles (23,) of a hand that holds a paper ladder; ``pressed``: 0 thumb lifted, 1 on its tag."""
    bent = [math.radians(angle) for finger in _FIST for angle in finger]

    def whole(thumb: tuple[Vec3, tuple[float, float]]) -> Array:
        root, joints = thumb
        return np.array([*root, *(math.radians(angle) for angle in joints), *bent, 0.0, 0.0])

    return whole(_LIFTED) + (whole(_PRESSED) - whole(_LIFTED)) * pressed


def palm_for_paper(table_from_card: Pose, side: Side = "right", hand_scale: float = 1.0) -> Pose:
    """Return the palm (table from hand) that holds a paper ladder which lies there."""
    mirror = -1.0 if side == "left" else 1.0
    # The card's axes in the hand's frame: it points on as the hand does, its front to the thumb.
    axes = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, -mirror), (0.0, mirror, 0.0)]).T
    at = hand_scale * np.array([_THUMB_AT_M, mirror * _BESIDE_M, _BELOW_M])
    origin = at - axes @ np.array([THUMB_X_M, 0.0, 0.0])
    turn = mat_from_quat(table_from_card.rotation) @ axes.T
    return Pose(vec3(np.array(table_from_card.position) - turn @ origin), quat_from_matrix(turn))


def paper_corners(paper: HeldPaper) -> Array:
    """Return the four corners (4, 3) in the table frame: handle end below, then round."""
    turn = mat_from_quat(paper.table_from_card.rotation)
    half = HEIGHT_M / 2.0
    outline = ((HANDLE_END_M, -half), (FAR_END_M, -half), (FAR_END_M, half), (HANDLE_END_M, half))
    corners = [(x, y, 0.0) for x, y in outline]
    return np.asarray(np.array(corners) @ turn.T + np.array(paper.table_from_card.position))


def printed(ladder: PaperLadder) -> npt.NDArray[np.uint8]:
    """Return both faces (h, w) as seen through the front: the front's rows, from its upper edge, then the back's."""
    return np.concatenate([_face(ladder, front=front) for front in (True, False)])


def _face(ladder: PaperLadder, *, front: bool) -> npt.NDArray[np.uint8]:
    shape = (round(HEIGHT_M * PX_PER_M), round((FAR_END_M - HANDLE_END_M) * PX_PER_M))
    face = np.full(shape, _PAPER, np.uint8)
    for tag in (*ladder.tags, ladder.thumb):
        if tag.front is front:
            _print(face, tag)
    return face


def _print(face: npt.NDArray[np.uint8], tag: Tag) -> None:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    cells = cv2.aruco.generateImageMarker(book, tag.number, TAG_CELLS)
    if not tag.front:
        cells = cells[::-1]  # seen through the front
    cell = round(tag.side_m / TAG_CELLS * PX_PER_M)
    ink = np.kron(np.where(cells > 0, _PAPER, _INK), np.ones((cell, cell)))
    left = round((tag.centre[0] - tag.side_m / 2.0 - HANDLE_END_M) * PX_PER_M)
    top = round((HEIGHT_M / 2.0 - tag.centre[1] - tag.side_m / 2.0) * PX_PER_M)
    face[top : top + len(ink), left : left + len(ink)] = ink
