"""Following a paper ladder from picture to picture.

Where it was a moment ago its print is fitted anew; where that fails its tags are read around that place, or the
picture's flow carries it over for a moment; and where there is none, now and then in the whole picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from armoon.geometry import Array, CameraModel, quat_from_matrix, rotation_vector, vec3
from armoon.hands.cards.find import CardFinder, Found, box_of, cut_around
from armoon.hands.cards.fit import (
    LEAST_BLUR_PX,
    MOST_BLUR_PX,
    USUAL_BLUR_PX,
    CardFit,
    Cut,
    Image,
    as_grey,
    fitted,
    likeness_at,
    project,
)
from armoon.hands.cards.flow import Flow
from armoon.hands.cards.prints import Prints, prints_of, thumb_of
from armoon.hands.cards.steady import Steadied
from armoon.values.paper import PAPER_LADDERS, PaperLadder
from armoon.values.poses import Pose

#: Without a card, every eighth picture is searched at half its size, and every third of those at full size.
LOOK_EVERY, LARGE_EVERY = 8, 3
#: Interval, in pictures, at which the mirrored tilt is tried, and the factor of error below which it replaces the pose.
MIRROR_EVERY, _MIRRORED = 12, 0.93
#: Likeness to the picture from which a tag counts as seen, and from which it counts as sharp.
_SEEN, _SHARP = 0.65, 0.85
#: Seconds for which a card that was lost is looked for near its last place.
_NEAR_S = 0.6
#: Maximum gap that is bridged by the picture's flow alone, in seconds.
FLOW_S = 0.3
#: Share of the motion between two pictures that is predicted for the next.
_GOES_ON = 0.8
#: Exposure time of a webcam, in seconds: the first guess, and the limits of its estimate.
_EXPOSURE_S, _SHORTEST_S, _LONGEST_S = 1.0 / 90.0, 1.0 / 500.0, 1.0 / 15.0
#: Factor by which other exposure times are tried in each picture, if the card moves by at least this many pixels.
_TRIED, _MOVES_PX = 1.12, 2.5


@dataclass(frozen=True)
class CardSight:
    """A paper ladder in one picture."""

    time_s: float
    ladder: PaperLadder
    front: bool
    """The face that is seen."""
    camera_from_card: Pose
    """Steadied: nothing jumps when tags come and go."""
    sigma_m: float
    """One standard deviation of where it is."""
    sigma_rad: float
    """... and of how it is rotated."""
    tags: int
    """How many are seen, of three; 0: the picture's flow carries the card over."""
    sharp: int
    """How many of them without blur."""
    thumb: float | None
    """How much of the thumb's tag is seen: 0 covered to 1; None where that can't be told."""
    exposure_s: float
    """How long the camera's shutter seems to be open."""


class CardFollower:
    """Looks for paper ladders in one camera's pictures; it has no clock but theirs."""

    def __init__(self, camera: CameraModel, ladders: Sequence[PaperLadder] = PAPER_LADDERS) -> None:
        self._camera = camera
        self._finder = CardFinder(camera, ladders)
        self._last: Found | None = None
        self._seen_s = self._read_s = -math.inf
        """When there was a card, and when its tags were seen."""
        self._single_s = -math.inf
        """When a single tag that is followed was read."""
        self._flow = Flow(camera)
        self._speed = np.zeros(6)
        """Speed of rotation and place, camera frame, per second."""
        self._blur_px, self._exposure_s = USUAL_BLUR_PX, _EXPOSURE_S
        self._steady = Steadied()
        self._pictures = self._looks = 0

    def see(self, image: Image, time_s: float) -> CardSight | None:
        """Return the ladder in a picture (h, w, 3) BGR or (h, w) grey; None without."""
        self._pictures += 1
        passed_s = time_s - self._seen_s
        if passed_s <= 0.0:
            return None
        found = None
        if self._last is not None and time_s - self._read_s < _NEAR_S:
            found = self._followed(image, self._last, passed_s)
            if found is None:
                found = self._found_near(image, self._last)
            elif not self._known(image, found, time_s):
                found = None
            if found is None and time_s - self._read_s < FLOW_S:
                found = self._flow.carried(as_grey(image), *self._expected(self._last, passed_s))
        if found is None and self._pictures % LOOK_EVERY == 0:
            found = self._looked(image)
        if found is None:
            return None
        return self._sight(image, found, time_s)

    def _followed(self, image: Image, last: Found, passed_s: float) -> Found | None:
        """Fit the print where it should be by now."""
        turn, place = self._expected(last, passed_s)
        front = float(turn[:, 2] @ place) < 0.0
        prints = prints_of(last.ladder, front=front)
        cut = cut_around(self._camera, image, prints, turn, place)
        if cut is None:
            return None
        fit = fitted(self._camera, cut, prints, turn, place, self._blur(place))
        if fit is None or not (fit.likeness > _SEEN).any():
            return None
        if self._pictures % MIRROR_EVERY == 0:
            fit = self._of_both(cut, prints, fit)
        if self._pictures % 2:
            self._learn(cut, prints, fit.turn, fit.place)
        return Found(last.ladder, front, fit)

    def _known(self, image: Image, found: Found, time_s: float) -> bool:
        """Return whether what is followed is the card: of a single tag, what is read there decides now and then.

        Any tag that stands where the card was looks somewhat like the card's.
        """
        if (found.fit.likeness > _SEEN).sum() > 1:
            self._single_s = -math.inf
            return True
        if time_s - self._single_s > FLOW_S:
            if self._found_near(image, found) is None:
                return False
            self._single_s = time_s
        return True

    def _expected(self, last: Found, passed_s: float) -> tuple[Array, Array]:
        """Return the rotation (3, 3) and the place (3,) that the motion so far leads to."""
        change = self._speed * min(passed_s, 0.1) * _GOES_ON
        turn = np.asarray(cv2.Rodrigues(change[:3])[0] @ last.fit.turn, dtype=np.float64)
        return turn, last.fit.place + change[3:]

    def _of_both(self, cut: Cut, prints: Prints, fit: CardFit) -> CardFit:
        """Return the better one of a fit and the other pose that looks nearly so: tilted to the other side."""
        sight = fit.place / np.linalg.norm(fit.place)
        normal = fit.turn[:, 2]
        half = np.cross(normal, sight * float(normal @ sight))
        turn = cv2.Rodrigues(half / (np.linalg.norm(half) + 1e-12) * 2.0 * np.arcsin(np.linalg.norm(half)))[0]
        other = fitted(
            self._camera, cut, prints, np.asarray(turn @ fit.turn), fit.place, self._blur(fit.place)
        )
        better = other is not None and (other.likeness > _SEEN).sum() >= (fit.likeness > _SEEN).sum()
        return other if better and other is not None and other.misfit < _MIRRORED * fit.misfit else fit

    def _found_near(self, image: Image, last: Found) -> Found | None:
        """Read the tags around the last place."""
        box = box_of(self._camera, prints_of(last.ladder, front=last.front), last.fit.turn, last.fit.place)
        if box is None:
            return None
        left, top, right, bottom = box
        reach = max(right - left, bottom - top, 60) // 2 + 20
        height, width = image.shape[:2]
        left, top = max(0, left - reach), max(0, top - reach)
        right, bottom = min(width, right + reach), min(height, bottom + reach)
        if right - left < 30 or bottom - top < 30:
            return None
        return self._finder.find(as_grey(image[top:bottom, left:right]), left, top, last)

    def _looked(self, image: Image) -> Found | None:
        """Read the tags of the whole picture, mostly at half its size."""
        self._looks += 1
        grey = as_grey(image)
        if self._looks % LARGE_EVERY and image.shape[1] > 800:
            half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            if not self._finder.seen(np.asarray(half, dtype=np.uint8)):
                return None
        return self._finder.find(grey, 0, 0)

    def _sight(self, image: Image, found: Found, time_s: float) -> CardSight:
        fit, prints = found.fit, prints_of(found.ladder, front=found.front)
        if self._last is not None and self._last.ladder is found.ladder and time_s - self._seen_s < 0.2:
            passed_s = time_s - self._seen_s
            turned = rotation_vector(quat_from_matrix(fit.turn @ self._last.fit.turn.T))
            self._speed = np.concatenate([turned, fit.place - self._last.fit.place]) / passed_s
        else:
            self._speed = np.zeros(6)
        if self._last is None or self._last.ladder is not found.ladder or time_s - self._read_s > _NEAR_S:
            self._steady = Steadied()
        self._last, self._seen_s = found, time_s
        if fit.likeness.any():
            self._read_s = time_s
        self._note(image, found)
        sigma = np.sqrt(np.diag(fit.covariance))
        sigma_rad, sigma_m = float(np.linalg.norm(sigma[:3])), float(np.linalg.norm(sigma[3:]))
        seen = [tag.number for tag, alike in zip(prints.tags, fit.likeness, strict=False) if alike > _SEEN]
        raw = Pose(vec3(fit.place), quat_from_matrix(fit.turn))
        pose = self._steady.update(time_s, raw, tuple(seen), sigma_m, sigma_rad)
        sharp = int((fit.likeness > _SHARP).sum())
        thumb = self._thumb(image, found) if found.front and sharp >= 2 else None
        return CardSight(
            time_s,
            found.ladder,
            found.front,
            pose,
            sigma_m,
            sigma_rad,
            len(seen),
            sharp,
            thumb,
            self._exposure_s,
        )

    def _note(self, image: Image, found: Found) -> None:
        """Keep the picture around the card for the next one."""
        area = self._flow.area(found, image.shape)
        if area is not None:
            left, top, right, bottom = area
            self._flow.note(as_grey(image[top:bottom, left:right]).copy(), left, top, found)

    def _thumb(self, image: Image, found: Found) -> float | None:
        """Return how much of the thumb's tag is seen; None where it lies outside of the picture."""
        prints = thumb_of(found.ladder)
        cut = cut_around(self._camera, image, prints, found.fit.turn, found.fit.place, margin_px=3)
        if cut is None:
            return None
        blur = self._blur(found.fit.place)
        alike = float(likeness_at(self._camera, cut, prints, found.fit.turn, found.fit.place, blur)[0, 0])
        return None if math.isnan(alike) else min(1.0, max(0.0, alike))

    def _blur(self, place: Array, exposure_s: float | None = None, still_px: float | None = None) -> Array:
        """Return the blur (2, 2) of lens and motion at a place."""
        still_px = self._blur_px if still_px is None else still_px
        way = self._way_px(place) * (self._exposure_s if exposure_s is None else exposure_s)
        return np.asarray(np.eye(2) * still_px**2 + np.outer(way, way) / 12.0)

    def _way_px(self, place: Array) -> Array:
        """How the card moves in the picture (2,), pixels per second."""
        step_s = 1e-3
        points = np.stack([place, place + self._speed[3:] * step_s])
        now, then = project(self._camera, points).T
        return np.asarray((then - now) / step_s)

    def _learn(self, cut: Cut, prints: Prints, turn: Array, place: Array) -> None:
        """Try a little more or less blur, or exposure if the card moves, and keep what fits better."""
        moves = float(np.linalg.norm(self._way_px(place))) * self._exposure_s > _MOVES_PX
        more = _TRIED if self._pictures % 4 == 1 else 1.0 / _TRIED
        exposure_s = min(_LONGEST_S, max(_SHORTEST_S, self._exposure_s * (more if moves else 1.0)))
        blur_px = min(MOST_BLUR_PX, max(LEAST_BLUR_PX, self._blur_px * (1.0 if moves else more)))
        blurs = self._blur(place), self._blur(place, exposure_s, blur_px)
        now, tried = likeness_at(self._camera, cut, prints, turn, place, *blurs)
        if np.nansum(tried) > np.nansum(now):
            self._exposure_s, self._blur_px = exposure_s, blur_px
