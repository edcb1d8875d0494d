"""Palms out of the palm network's numbers, as mediapipe's hand detector reads them: anchors, decoding, merging.

The network sees the picture in a square of ``SIDE`` pixels. For each of 2,016 anchors (places on two grids) it says
how likely a palm is there, as a logit, and where its box and seven points are, in pixels from the anchor.
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
#: The logits are cut off here, as in mediapipe.
MOST_LOGIT = 100.0


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
    scores = 1.0 / (1.0 + np.exp(-np.clip(logits.astype(np.float64), -MOST_LOGIT, MOST_LOGIT)))
    kept = np.flatnonzero(scores >= confidence)
    if not len(kept):
        return None
    scores = scores[kept]
    pairs = numbers[kept].reshape(len(kept), POINTS + 2, 2) / SIDE
    middles, sizes = pairs[:, 0] + anchors()[kept], pairs[:, 1]
    points = pairs[:, 2:] + anchors()[kept][:, None]
    boxes = np.concatenate([middles - sizes / 2.0, middles + sizes / 2.0], axis=1)
    same = _overlap(boxes, boxes[int(scores.argmax())]) > SAME_PALM
    if not same.any():  # a box without area overlaps nothing
        return None
    weights = scores[same] / scores[same].sum()
    left, top, right, bottom = (float(v) for v in weights @ boxes[same])
    mean = np.tensordot(weights, points[same], axes=1)
    wrist, knuckle = ((float(x), float(y)) for x, y in mean[[WRIST, MIDDLE_KNUCKLE]])
    return Palm((left, top, right, bottom), wrist, knuckle)


def _overlap(boxes: Floats, one: Floats) -> Floats:
    """Return each box's (n, 4) intersection with one box, as a share of the union of both."""
    sides = np.minimum(boxes[:, 2:], one[2:]) - np.maximum(boxes[:, :2], one[:2])
    shared = np.prod(np.clip(sides, 0.0, None), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    union = areas + np.prod(one[2:] - one[:2]) - shared
    share: Floats = np.where(union > 0.0, shared / np.where(union > 0.0, union, 1.0), 0.0)
    return share
