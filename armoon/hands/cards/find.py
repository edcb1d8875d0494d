"""Finding a paper ladder where none was seen: its tags are read, and both poses that they allow are tried."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from armoon.geometry import Array, CameraModel
from armoon.hands.cards.fit import USUAL_BLUR_PX, CardFit, Cut, Image, cut_out, fitted, project
from armoon.hands.cards.prints import Prints, dictionary, prints_of
from armoon.values.paper import TAG_CELLS, PaperLadder

#: Minimum tags of one face that show a new card, and the minimum likeness of its print to the picture.
_TAGS, _LIKENESS = 2, 0.75
#: Maximum distance of a single tag, which may be misread, from where its card was last, metres.
_NEAR_M = 0.1
#: Factor between the errors of two poses from which the better one is taken; else the one nearer to the last.
_BETTER = 1.15
#: Angle below which two poses count as one, since following the card settles it.
_ALIKE_RAD = 0.25
#: Margin around a card's picture, pixels.
MARGIN_PX = 14


@dataclass(frozen=True, eq=False)
class Found:
    """A card in a picture."""

    ladder: PaperLadder
    front: bool
    fit: CardFit


class CardFinder:
    """Reads tags; use it from one thread."""

    def __init__(self, camera: CameraModel, ladders: Sequence[PaperLadder]) -> None:
        self._camera, self._ladders = camera, tuple(ladders)
        parameters = cv2.aruco.DetectorParameters()
        # A misread tag is worse than none, and one threshold is enough for ink on paper.
        parameters.errorCorrectionRate = 0.0
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 17
        parameters.minMarkerPerimeterRate = 0.02
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
        self._detector = cv2.aruco.ArucoDetector(dictionary(), parameters)

    def find(self, grey: Image, left: int, top: int, last: Found | None = None) -> Found | None:
        """Return the ladder in a grey picture whose part in ``grey`` begins at (left, top), None without.

        ``last``: where one was seen a moment ago; then a single tag is enough, and decides between two poses.
        """
        corners, numbers, _ = self._detector.detectMarkers(grey)
        if numbers is None:
            return None
        seen = {
            int(n): c.reshape(4, 2).astype(np.float64) for n, c in zip(numbers.ravel(), corners, strict=True)
        }
        best: Found | None = None
        for ladder, front, prints, pixels in self._faces(seen):
            known = last if last is not None and last.ladder is ladder else None
            if len(pixels) < (_TAGS if known is None else 1):
                continue
            fits = self._posed(grey, left, top, prints, pixels)
            found = _chosen(fits, known)
            if found is None:
                # Two read tags alone can't tell; a third, in part under a finger or in shadow, often can.
                found = _chosen(self._whole(grey, left, top, prints_of(ladder, front=front), fits), known)
            if found is None or (
                known and len(pixels) == 1 and math.dist(found.place, known.fit.place) > _NEAR_M
            ):
                continue
            if best is None or len(found.likeness) > len(best.fit.likeness):
                best = Found(ladder, front, found)
        return best

    def seen(self, grey: Image) -> bool:
        """Return whether tags of one face are seen in a picture of any size."""
        _, numbers, _ = self._detector.detectMarkers(grey)
        known = set() if numbers is None else set(numbers.ravel().tolist())
        return any(
            sum(tag.number in known for tag in ladder.tags if tag.front is front) >= _TAGS
            for ladder in self._ladders
            for front in (True, False)
        )

    def _faces(self, seen: dict[int, Array]) -> Iterator[tuple[PaperLadder, bool, Prints, Array]]:
        """Yield each face of which tags are seen, with those tags and their corners (tags, 4, 2)."""
        for ladder in self._ladders:
            for front in (True, False):
                prints = prints_of(ladder, front=front)
                which = [k for k, tag in enumerate(prints.tags) if tag.number in seen]
                if which:
                    chosen = prints.chosen(which)
                    yield ladder, front, chosen, np.array([seen[tag.number] for tag in chosen.tags])

    def _posed(self, grey: Image, left: int, top: int, prints: Prints, pixels: Array) -> list[CardFit]:
        """Return the poses, at most two, of a face by the corners (tags, 4, 2) of its tags."""
        camera = self._camera
        points = prints.corners.reshape(-1, 3)
        level = points * (1.0, 1.0, 0.0)
        places = np.ascontiguousarray((pixels + np.array([left, top])).reshape(-1, 1, 2))
        flat = cv2.undistortPoints(places, camera.matrix(), np.array(camera.distortion))
        try:
            _, turns, shifts, _ = cv2.solvePnPGeneric(
                level, flat, np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE
            )
        except cv2.error:
            return []
        low, high = pixels.min(axis=(0, 1)) - MARGIN_PX, pixels.max(axis=(0, 1)) + MARGIN_PX
        cell_px = float(np.linalg.norm(pixels[:, 1] - pixels[:, 0], axis=1).mean()) / TAG_CELLS
        (x0, y0), (x1, y1) = low.astype(int), high.astype(int)
        cut = cut_out(grey, int(x0), int(y0), int(x1), int(y1), cell_px)
        if cut is None:
            return []
        shifted = moved_by(camera, left, top)
        fits = []
        for turn, shift in zip(turns, shifts, strict=True):
            matrix: Array = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
            place: Array = np.ravel(shift).astype(np.float64)
            faces = float(matrix[:, 2] @ place) * (1.0 if prints.tags[0].front else -1.0) < 0.0
            if not faces or place[2] <= 0.0:
                continue
            fit = fitted(shifted, cut, prints, matrix, place, np.eye(2) * USUAL_BLUR_PX**2)
            if fit is not None and (fit.likeness > _LIKENESS).all():
                fits.append(fit)
        return fits

    def _whole(self, grey: Image, left: int, top: int, prints: Prints, fits: list[CardFit]) -> list[CardFit]:
        """Return the poses of a face fitted anew by all of its three tags."""
        shifted = moved_by(self._camera, left, top)
        again = []
        for fit in fits:
            cut = cut_around(shifted, grey, prints, fit.turn, fit.place)
            if cut is not None:
                again.append(fitted(shifted, cut, prints, fit.turn, fit.place, np.eye(2) * USUAL_BLUR_PX**2))
        return [fit for fit in again if fit is not None]


def moved_by(camera: CameraModel, left: int, top: int) -> CameraModel:
    """Return the camera whose picture begins at this pixel."""
    return CameraModel(
        camera.width,
        camera.height,
        camera.fx,
        camera.fy,
        camera.cx - left,
        camera.cy - top,
        camera.distortion,
    )


def _chosen(fits: list[CardFit], last: Found | None) -> CardFit | None:
    """Return the right one of two poses; None while that can't be told."""
    fits = sorted(fits, key=lambda fit: fit.misfit)
    if len(fits) < 2 or _turn_between(fits[0].turn, fits[1].turn) < _ALIKE_RAD:
        return fits[0] if fits else None
    if fits[1].misfit > _BETTER * fits[0].misfit:
        return fits[0]
    if last is None:
        return None
    return min(fits, key=lambda fit: _turn_between(fit.turn, last.fit.turn))


def _turn_between(a: Array, b: Array) -> float:
    """Return the angle between two rotations (3, 3), radians."""
    return float(np.arccos(np.clip((np.trace(a.T @ b) - 1.0) / 2.0, -1.0, 1.0)))


def box_of(
    camera: CameraModel, prints: Prints, turn: Array, place: Array
) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom of a face in the picture, pixels; None if it is behind the camera."""
    points = prints.corners.reshape(-1, 3) @ turn.T + place
    if points[:, 2].min() < 0.05:
        return None
    u, v = project(camera, points)
    low, high = (min(u), min(v)), (max(u), max(v))
    return int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1


def cut_around(
    camera: CameraModel, image: Image, prints: Prints, turn: Array, place: Array, margin_px: int = MARGIN_PX
) -> Cut | None:
    """Return the part of a picture, as ``cut_out`` takes it, in which a face would be; None if too little is seen."""
    box = box_of(camera, prints, turn, place)
    if box is None:
        return None
    left, top, right, bottom = box
    cell_px = camera.fx * prints.tags[0].side_m / TAG_CELLS / max(0.05, float(place[2]))
    return cut_out(image, left - margin_px, top - margin_px, right + margin_px, bottom + margin_px, cell_px)
