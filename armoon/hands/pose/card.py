"""Finding a bank card in a picture, and its plane: a ruler that everyone carries.

Cards are 85.60 x 53.98 mm (ISO/IEC 7810, ID-1) with round corners. A card is found as a convex outline with
four straight sides, whose pose in space explains its four corners as a rectangle of that very shape.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel
from armoon.hands.pose.metric import undistorted_rays

CARD_LONG_M, CARD_SHORT_M = 0.08560, 0.05398
#: Minimum long side of a card to measure by, in pixels.
SMALLEST_CARD_PX = 50.0
#: A card fills no more of the picture than this.
LARGEST_SHARE = 0.4
#: Sides bent by more of their length than this aren't a card's; round corners take some of it.
STRAIGHTNESS = 0.02
#: The rectangle's corners, seen in the best pose, lie this near to the found ones, in parts of its long side.
LARGEST_MISFIT = 0.03
#: Grey levels at which outlines are cut: a card may be lighter or darker than what is behind it.
EDGE_LOW, EDGE_HIGH = 40, 120

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Corners in camera pixels, in order round the card; the first side is a long one."""

_CORNERS_M = np.array(
    [(0.0, 0.0, 0.0), (CARD_LONG_M, 0.0, 0.0), (CARD_LONG_M, CARD_SHORT_M, 0.0), (0.0, CARD_SHORT_M, 0.0)]
)


def find_card(camera: CameraModel, image_bgr: npt.NDArray[np.uint8]) -> Quad | None:
    """Return the card in a picture (h, w, 3): the largest outline that can be one; None without."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    edges = cv2.morphologyEx(cv2.Canny(grey, EDGE_LOW, EDGE_HIGH), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    most_px = LARGEST_SHARE * grey.shape[0] * grey.shape[1]
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True):
        area = cv2.contourArea(outline)
        if area < SMALLEST_CARD_PX**2 / 3.0:
            return None
        quad = _four_sides(outline) if area <= most_px else None
        if quad is not None and card_plane(camera, quad) is not None:
            return quad
    return None


def card_plane(camera: CameraModel, quad: Quad) -> tuple[Array, float] | None:
    """Return the card's plane in the camera frame.

    Unit normal away from the camera, distance; None if it is no card.
    """
    rays = undistorted_rays(camera, quad)
    if not bool(np.all(np.isfinite(rays))):
        return None
    found, turns, shifts, errors = cv2.solvePnPGeneric(
        _CORNERS_M, rays, np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
    )
    if not found:
        return None
    turn, shift = cv2.Rodrigues(turns[0])[0], np.ravel(shifts[0])
    depth_m = float(shift[2])
    # The error is in the plane one metre off; a card's long side there is its length over its distance.
    if depth_m <= 0.0 or not float(np.ravel(errors)[0]) <= LARGEST_MISFIT * CARD_LONG_M / depth_m:
        return None
    normal: Array = np.asarray(turn[:, 2], dtype=np.float64)
    distance_m = float(normal @ shift)
    return (normal, distance_m) if distance_m > 0.0 else (-normal, -distance_m)


def _four_sides(outline: npt.NDArray[Any]) -> Quad | None:
    """Return the corners of an outline with four straight sides, where its sides would meet."""
    rough = cv2.approxPolyDP(outline, 0.03 * cv2.arcLength(outline, True), True)
    if len(rough) != 4 or not cv2.isContourConvex(rough):
        return None
    corners = np.array(rough[:, 0], dtype=np.float64)
    points = np.array(outline[:, 0], dtype=np.float64)
    lines = [_side(points, corners[k], corners[(k + 1) % 4]) for k in range(4)]
    sides = [line for line in lines if line is not None]
    if len(sides) < 4:
        return None
    met = [_meeting(sides[k - 1], sides[k]) for k in range(4)]
    places = [place for place in met if place is not None]
    if len(places) < 4:
        return None
    lengths = [math.dist(places[k], places[(k + 1) % 4]) for k in range(4)]
    if max(lengths) < SMALLEST_CARD_PX:
        return None
    first = 0 if lengths[0] + lengths[2] >= lengths[1] + lengths[3] else 1
    a, b, c, d = (places[(first + k) % 4] for k in range(4))
    return (a, b, c, d)


def _side(points: Array, start: Array, end: Array) -> tuple[Array, Array] | None:
    """Return a point and the direction of the line through the outline's points between two corners."""
    way = end - start
    length = float(np.hypot(*way))
    if length < 1.0:
        return None
    along = (points - start) @ way / length
    beside = (points - start) @ np.array([-way[1], way[0]]) / length
    # The corners are round: the middle four fifths count.
    own = points[(np.abs(beside) < 0.05 * length) & (along > 0.1 * length) & (along < 0.9 * length)]
    if len(own) < 5:
        return None
    middle = own.mean(axis=0)
    _, spread, axes = np.linalg.svd(own - middle, full_matrices=False)
    if spread[1] / math.sqrt(len(own)) > STRAIGHTNESS * length:
        return None
    return middle, axes[0]


def _meeting(a: tuple[Array, Array], b: tuple[Array, Array]) -> tuple[float, float] | None:
    (p, u), (q, v) = a, b
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.1:
        return None
    t = float((q - p)[0] * v[1] - (q - p)[1] * v[0]) / cross
    x, y = p + t * u
    return (float(x), float(y))
