"""Palms out of the palm network's numbers, as mediapipe's hand detector reads them: anchors, decoding, merging.

The network sees the picture in a square of ``SIDE`` pixels. For each of 2,016 anchors (places on two grids) it says
how likely a palm is there, as a logit, and where its box and seven points are, in pixels from the anchor. All is
reckoned in single floats, as mediapipe does it (``squares.py`` says why).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

#: The network's input, in pixels.
SIDE = 192
#: Pixels between the places of a grid, and how many anchors each place has.
GRIDS = ((8, 2), (16, 6))
#: The points that give the palm's direction, from the wrist to the middle finger's knuckle, of seven.
WRIST, MIDDLE_KNUCKLE = 0, 2
POINTS = 7
#: Boxes that overlap the likeliest one by more than this share of their union are the same palm.
SAME_PALM = 0.3
#: The logits are cut off here: e to a higher power is no single float.
MOST_LOGIT = 80.0


@dataclass(frozen=True)
class Palm:
    """A palm in the network's square, whose sides are 1 long."""

    box: tuple[float, float, float, float]
    """Left, top, right, bottom."""
    wrist: tuple[float, float]
    middle_knuckle: tuple[float, float]


@functools.cache
def anchors() -> Floats:
    """Return the anchors' places (2016, 2) in the square, in the network's order."""
    rows = []
    for step, each in GRIDS:
        count = SIDE // step
        places = (np.arange(count, dtype=np.float32) + 0.5) / count
        grid = np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 2)
        rows.append(np.repeat(grid, each, axis=0))
    return np.concatenate(rows)


def likeliest_palm(numbers: Floats, logits: Floats, confidence: float) -> Palm | None:
    """Return the likeliest palm of the network's output (2016, 18) and (2016,), if one is at least so likely.

    It is the mean of all boxes that overlap the likeliest one, weighted by how likely they are.
    """
    odds = np.exp(np.clip(-logits.astype(np.float64), -MOST_LOGIT, MOST_LOGIT)).astype(np.float32)
    scores = np.float32(1.0) / (np.float32(1.0) + odds)
    kept = np.flatnonzero(scores >= np.float32(confidence))
    if not len(kept):
        return None
    kept = kept[np.argsort(-scores[kept], kind="stable")]
    pairs = numbers[kept].reshape(len(kept), POINTS + 2, 2) / np.float32(SIDE)
    middles, halves = pairs[:, 0] + anchors()[kept], pairs[:, 1] / np.float32(2.0)
    low, high = middles - halves, middles + halves
    high = low + (high - low)  # mediapipe keeps the size instead
    points = (pairs[:, 2:] + anchors()[kept][:, None]).reshape(len(kept), 2 * POINTS)
    boxes = np.concatenate([low, high], axis=1)
    same = _overlap(boxes, boxes[0]) > SAME_PALM
    if not same.any():  # a box without area overlaps nothing
        return None
    weights = scores[kept][same][:, None]
    # Row after row, as mediapipe adds them up; numpy would add a single column in another order.
    numbers = np.concatenate([weights, boxes[same] * weights, points[same] * weights], axis=1).sum(axis=0)
    left, top, right, bottom, *mean = numbers[1:] / numbers[0]
    right, bottom = left + (right - left), top + (bottom - top)
    wrist, knuckle = ((float(mean[2 * one]), float(mean[2 * one + 1])) for one in (WRIST, MIDDLE_KNUCKLE))
    return Palm((float(left), float(top), float(right), float(bottom)), wrist, knuckle)


def _overlap(boxes: Floats, one: Floats) -> Floats:
    """Return each box's (n, 4) intersection with one box, as a share of the union of both."""
    sides = np.minimum(boxes[:, 2:], one[2:]) - np.maximum(boxes[:, :2], one[:2])
    shared = np.prod(np.clip(sides, 0.0, None), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    union = areas + np.prod(one[2:] - one[:2]) - shared
    share: Floats = np.where(union > 0.0, shared / np.where(union > 0.0, union, 1.0), 0.0)
    return share
