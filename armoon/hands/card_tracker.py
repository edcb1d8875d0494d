"""Tracks a paper ladder by its print near the expected pose, or else by nearby tags, optical flow or any tags."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from armoon import geometry
from armoon.camera.sources import Image, sample_levels, to_grey
from armoon.geometry import Array, CameraModel
from armoon.hands import card_finder
from armoon.hands.filters import smoothing_weight
from armoon.values.paper import PAPER_LADDERS, TAG_CELLS, PaperLadder
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat

#: Margin around the card in the stored part of a picture, pixels: the card's maximum motion until the next picture.
_AROUND_PX = 64
_WINDOW_PX, _LEVELS = 21, 2
#: Maximum error of a corner tracked forward and back, pixels, and minimum correlation of its surroundings.
_MAX_RETURN_PX, _MIN_SIMILARITY = 1.5, 0.6
#: Smoothing of both pictures, one sigma in pixels: one may be more blurred than the other.
_SMOOTHED_PX = 2.5
#: Minimum number of corners that agree on a pose, their maximum error in pixels, and the minimum share that is tracked.
_MIN_CORNERS, _AGREE_PX, _MIN_AGREEING = 8, 2.0, 0.3
#: Minimum error of a tracked corner, in pixels, and factor applied to it because neighbours share their errors.
_ERROR_PX, _ERROR_FACTOR = 0.7, 3.0


class OpticalFlow:
    """Follows a card from the last stored picture to the next one."""

    def __init__(self, camera: CameraModel) -> None:
        self._camera = camera
        self._before: tuple[Image, int, int, card_finder.FoundCard] | None = None
        """The stored part of a grey picture, its left and top edge, and the card in it."""

    def store_picture(self, image: Image, card: card_finder.FoundCard) -> None:
        """Store the part of a picture around its card, unless that part is too small."""
        box = card_finder.find_bounding_box(self._camera, card.prints, card.fit.rotation, card.fit.origin)
        if box is None:
            return
        left, top = max(0, box[0] - _AROUND_PX), max(0, box[1] - _AROUND_PX)
        right, bottom = min(image.shape[1], box[2] + _AROUND_PX), min(image.shape[0], box[3] + _AROUND_PX)
        if min(right - left, bottom - top) >= 2 * _WINDOW_PX:
            self._before = to_grey(image[top:bottom, left:right]).copy(), left, top, card

    def find_card(self, grey: Image, rotation: Array, origin: Array) -> card_finder.FoundCard | None:
        """Return the card in the next grey picture, near the expected pose; None if it can't be followed."""
        if self._before is None:
            return None
        part, left, top, card = self._before
        height, width = part.shape
        next_part = grey[top : top + height, left : left + width]
        if next_part.shape != part.shape:
            return None
        # Smooth only now, because most stored pictures are never used.
        previous, current = (
            np.asarray(cv2.GaussianBlur(picture, (0, 0), _SMOOTHED_PX), dtype=np.uint8)
            for picture in (part, next_part)
        )
        corners = _list_corners(card.ladder, card.front)
        offset = np.array([left, top])
        before_px, guess = (
            (card_finder.project(self._camera, corners @ pose[0].T + pose[1]).T - offset).astype(np.float32)
            for pose in ((card.fit.rotation, card.fit.origin), (rotation, origin))
        )
        inside = ((before_px > 2) & (before_px < (width - 3, height - 3))).all(axis=1)
        if inside.sum() < _MIN_CORNERS:
            return None
        corners, before_px, guess = corners[inside], before_px[inside], guess[inside]
        after_px = _track_pixels(previous, current, before_px, guess)
        returned_px = _track_pixels(current, previous, after_px, before_px)
        reliable = (np.linalg.norm(returned_px - before_px, axis=1) < _MAX_RETURN_PX) & (
            _measure_similarity(previous, current, before_px, after_px) > _MIN_SIMILARITY
        )
        if reliable.sum() < max(_MIN_CORNERS, _MIN_AGREEING * len(corners)):
            return None
        return self._solve_pose(card, corners[reliable], after_px[reliable] + offset, rotation, origin)

    def _solve_pose(
        self, last: card_finder.FoundCard, corners: Array, pixels: Array, rotation: Array, origin: Array
    ) -> card_finder.FoundCard | None:
        """Return the card in the pose that projects most of its corners (n, 3) to ``pixels`` (n, 2)."""
        camera = self._camera
        matrix, lens = camera.matrix(), np.array(camera.distortion)
        start = cv2.Rodrigues(rotation)[0], origin.reshape(3, 1).copy()
        try:
            solved, rotation_vector, shift, inliers = cv2.solvePnPRansac(
                corners,
                pixels,
                matrix,
                lens,
                *start,
                useExtrinsicGuess=True,
                iterationsCount=30,
                reprojectionError=_AGREE_PX,
                flags=cv2.SOLVEPNP_ITERATIVE,
            )
        except cv2.error:
            return None
        if not solved or inliers is None or len(inliers) < max(_MIN_CORNERS, len(corners) // 2):
            return None
        matrix_after: Array = np.asarray(cv2.Rodrigues(rotation_vector)[0], dtype=np.float64)
        offsets = corners[inliers.ravel()] @ matrix_after.T
        errors_px = card_finder.project(camera, offsets + np.ravel(shift)).T - pixels[inliers.ravel()]
        error_px = max(_ERROR_PX, float(np.sqrt((errors_px * errors_px).mean()))) * _ERROR_FACTOR
        # Derivatives of the pixels with respect to a small rotation about the card's origin and a shift.
        slopes = cv2.projectPoints(offsets, np.zeros(3), shift, matrix, lens)[1][:, :6]
        covariance = np.asarray(cv2.invert(slopes.T @ slopes)[1]) * error_px**2 + last.fit.covariance
        moved = card_finder.CardFit(
            matrix_after, np.ravel(shift).astype(np.float64), np.zeros(3), last.fit.misfit, covariance
        )
        return replace(last, fit=moved)


@cache
def _list_corners(ladder: PaperLadder, front: bool) -> Array:
    """Return the corners (n, 3) between ink and paper on one face's tags, card frame."""
    prints = card_finder.get_printed_tags(ladder, front=front)
    corners = []
    for quad, cells in zip(prints.corners, prints.cells, strict=True):
        border = (len(cells) - TAG_CELLS) // 2
        for row in range(TAG_CELLS + 1):
            for column in range(TAG_CELLS + 1):
                square = cells[border + row - 1 : border + row + 1, border + column - 1 : border + column + 1]
                if round(float(square.sum())) % 2:
                    across, down = quad[1] - quad[0], quad[3] - quad[0]
                    corners.append(quad[0] + (across * column + down * row) / TAG_CELLS)
    return np.array(corners)


def _track_pixels(image: Image, other: Image, before_px: Array, guess: Array) -> Array:
    """Return where the pixels (n, 2) of ``image`` are in ``other``, near ``guess``; -1000 for those not found."""
    after_px, tracked, _ = cv2.calcOpticalFlowPyrLK(
        image,
        other,
        np.ascontiguousarray(before_px),
        np.ascontiguousarray(guess).copy(),
        winSize=(_WINDOW_PX, _WINDOW_PX),
        maxLevel=_LEVELS,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.where(tracked.reshape(-1, 1) > 0, after_px, np.float32(-1e3)).astype(np.float32)


def _measure_similarity(image: Image, other: Image, before_px: Array, after_px: Array) -> Array:
    """Return the correlations (n,) of the surroundings of pixels (n, 2) in two pictures."""
    side = np.arange(_WINDOW_PX, dtype=np.float32) - _WINDOW_PX // 2
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(1, -1, 2)
    a = sample_levels(image, before_px[:, np.newaxis] + grid)
    b = sample_levels(other, after_px[:, np.newaxis] + grid)
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    return np.asarray((a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1) + 1e-9))


#: Cutoff at rest, and its increase with speed (Hz per m/s) and rotation (Hz per rad/s).
_REST_HZ, _HZ_PER_M_S, _HZ_PER_RAD_S = 4.0, 400.0, 40.0
#: Uncertainty above which the filter follows a pose more slowly.
_SIGMA_M, _SIGMA_RAD = 0.0015, math.radians(0.8)
#: When tags appear or disappear, the measured pose jumps. Time constant for fading in this step, seconds, and its
#: maximum size; a larger step is real motion.
_BLEND_S, _MAX_STEP_M, _MAX_STEP_RAD = 0.35, 0.025, math.radians(25.0)
#: Maximum size of such a step in standard deviations of both poses together; the rest is real motion.
_MAX_SIGMAS = 1.0
#: Smaller steps are invisible and count as real motion.
_MIN_STEP_M, _MIN_STEP_RAD = 0.001, math.radians(0.5)


class PoseSmoother:
    """Filters one card's pose; call ``add_pose`` once per picture."""

    def __init__(self) -> None:
        self._time_s: float | None = None
        self._tags: tuple[int, ...] = ()
        self._raw = self._smoothed = Pose((0.0, 0.0, 0.0))
        self._velocity, self._offset_m = np.zeros(3), np.zeros(3)
        self._rotation_rad_s = 0.0
        self._offset: Quat = IDENTITY_QUAT
        """Remaining offset of the smoothed pose from the measured one since tags appeared or disappeared."""
        self._sigmas = (0.0, 0.0)
        """Errors of the last pose, metres and radians."""

    def add_pose(
        self, time_s: float, raw: Pose, tags: tuple[int, ...], sigma_m: float, sigma_rad: float
    ) -> Pose:
        before, self._sigmas = self._sigmas, (sigma_m, sigma_rad)
        if self._time_s is None:
            self._time_s, self._raw, self._smoothed, self._tags = time_s, raw, raw, tags
            return raw
        step_s = max(1e-4, time_s - self._time_s)
        decay = math.exp(-step_s / _BLEND_S)
        self._offset_m = self._offset_m * decay
        self._offset = geometry.quat_slerp(IDENTITY_QUAT, self._offset, decay)
        if tags != self._tags:
            self._absorb_step(raw, step_s, before[0] + sigma_m, before[1] + sigma_rad)
        position = np.array(raw.position)
        if tags == self._tags:
            weight = smoothing_weight(3.0, step_s)
            velocity = (position - self._raw.position) / step_s
            self._velocity = self._velocity + weight * (velocity - self._velocity)
            rate = geometry.quat_angle(self._raw.rotation, raw.rotation) / step_s
            self._rotation_rad_s += weight * (rate - self._rotation_rad_s)
        speed = math.sqrt(sum(v * v for v in self._velocity.tolist()))
        position_weight = smoothing_weight(
            (_REST_HZ + _HZ_PER_M_S * speed) * min(1.0, _SIGMA_M / (sigma_m + 1e-9)), step_s
        )
        rotation_weight = smoothing_weight(
            (_REST_HZ + _HZ_PER_RAD_S * self._rotation_rad_s) * min(1.0, _SIGMA_RAD / (sigma_rad + 1e-9)),
            step_s,
        )
        goal = geometry.quat_multiply(self._offset, raw.rotation)
        last = self._smoothed
        self._smoothed = Pose(
            geometry.vec3(last.position + position_weight * (position + self._offset_m - last.position)),
            geometry.quat_slerp(last.rotation, goal, rotation_weight),
        )
        self._time_s, self._raw, self._tags = time_s, raw, tags
        return self._smoothed

    def _absorb_step(self, raw: Pose, step_s: float, sigma_m: float, sigma_rad: float) -> None:
        """Keep the predicted pose as an offset from the measured one when tags appear or disappear."""
        offset = self._raw.position + self._velocity * step_s + self._offset_m - raw.position
        rotation_offset = geometry.quat_multiply(
            geometry.quat_multiply(self._offset, self._raw.rotation), geometry.quat_inverse(raw.rotation)
        )
        distance_m, angle_rad = math.hypot(*offset), geometry.quat_angle(rotation_offset, IDENTITY_QUAT)
        if distance_m < _MAX_STEP_M and angle_rad < _MAX_STEP_RAD:
            share = _compute_step_share(distance_m, _MIN_STEP_M, _MAX_SIGMAS * sigma_m)
            self._offset_m = share * offset
            share = _compute_step_share(angle_rad, _MIN_STEP_RAD, _MAX_SIGMAS * sigma_rad)
            self._offset = geometry.quat_slerp(IDENTITY_QUAT, rotation_offset, share)


def _compute_step_share(step: float, min_step: float, max_step: float) -> float:
    return 0.0 if step < min_step else min(1.0, max_step / step)


#: Without a card, every eighth picture is searched; every third search uses the full picture, the others half its size.
SEARCH_EVERY, FULL_SEARCH_EVERY = 8, 3
#: Interval, in pictures, at which the mirrored tilt is tried, and the ratio of errors below which it is preferred.
MIRROR_EVERY, _MAX_MIRRORED_RATIO = 12, 0.93
#: Minimum score of a visible tag, and of a sharp one.
_VISIBLE_SCORE, _SHARP_SCORE = 0.65, 0.85
#: Seconds for which a lost card is searched for near its last position.
_NEAR_S = 0.6
#: Maximum gap bridged by optical flow alone, in seconds.
FLOW_S = 0.3
#: Share of the motion between two pictures that is predicted for the next one.
_PREDICTED_SHARE = 0.8
#: Exposure time of the webcam, in seconds: initial estimate and its limits.
_EXPOSURE_S, _SHORTEST_S, _LONGEST_S = 1.0 / 90.0, 1.0 / 500.0, 1.0 / 15.0
#: Factor by which the blur or, above this motion in pixels, the exposure time is varied.
_STEP_FACTOR, _MOVING_PX = 1.12, 2.5


@dataclass(frozen=True)
class CardSighting:
    """A paper ladder in one picture."""

    time_s: float
    ladder: PaperLadder
    front: bool
    camera_from_card: Pose
    """Smoothed, so that it doesn't jump when tags appear or disappear."""
    sigma_m: float
    """Standard deviation of the position."""
    sigma_rad: float
    """Standard deviation of the rotation."""
    tags: int
    """Number of visible tags, up to 3; 0 while optical flow bridges a gap."""
    sharp: int
    """Number of sharp tags among the visible ones."""
    thumb: float | None
    """Visible share of the thumb's tag: 0 (covered) to 1; None if unknown."""
    exposure_s: float
    """Estimated exposure time of the camera."""


class CardTracker:
    """Tracks paper ladders in one camera's pictures, using only the pictures' own times."""

    def __init__(self, camera: CameraModel, ladders: Sequence[PaperLadder] = PAPER_LADDERS) -> None:
        self._camera = camera
        self._finder = card_finder.CardFinder(camera, ladders)
        self._last: card_finder.FoundCard | None = None
        self._seen_s = self._read_s = -math.inf
        """Times of the last sighting of a card, and of its tags."""
        self._single_s = -math.inf
        """Time when a single tracked tag was last decoded."""
        self._flow = OpticalFlow(camera)
        self._velocity = np.zeros(6)
        """Velocity, camera frame, per second: rotation and position."""
        self._blur_px, self._exposure_s = card_finder.USUAL_BLUR_PX, _EXPOSURE_S
        self._smoother = PoseSmoother()
        self._pictures = self._searches = 0

    def find_paper_ladder(self, image: Image, time_s: float) -> CardSighting | None:
        """Return the ladder in a picture, (h, w, 3) BGR or (h, w) grey; None if there is none."""
        self._pictures += 1
        elapsed_s = time_s - self._seen_s
        if elapsed_s <= 0.0:
            return None
        card = None
        if self._last is not None and time_s - self._read_s < _NEAR_S:
            card = self._fit_expected(image, self._last, elapsed_s)
            if card is None:
                card = self._find_near(image, self._last)
            elif not self._is_same_card(image, card, time_s):
                card = None
            if card is None and time_s - self._read_s < FLOW_S:
                card = self._flow.find_card(to_grey(image), *self._predict(self._last, elapsed_s))
        if card is None and self._pictures % SEARCH_EVERY == 0:
            card = self._search_picture(image)
        if card is None:
            return None
        return self._add_card(image, card, time_s)

    def _fit_expected(
        self, image: Image, last: card_finder.FoundCard, elapsed_s: float
    ) -> card_finder.FoundCard | None:
        rotation, origin = self._predict(last, elapsed_s)
        front = float(rotation[:, 2] @ origin) < 0.0
        prints = card_finder.get_printed_tags(last.ladder, front=front)
        crop = card_finder.crop_around(self._camera, image, prints, rotation, origin)
        if crop is None:
            return None
        fit = card_finder.fit_pose(self._camera, crop, prints, rotation, origin, self._estimate_blur(origin))
        if fit is None or not (fit.scores > _VISIBLE_SCORE).any():
            return None
        if self._pictures % MIRROR_EVERY == 0:
            fit = self._choose_tilt(crop, prints, fit)
        if self._pictures % 2:
            self._adapt_blur(crop, prints, fit.rotation, fit.origin)
        return card_finder.FoundCard(last.ladder, front, fit)

    def _is_same_card(self, image: Image, card: card_finder.FoundCard, time_s: float) -> bool:
        """Return whether ``card`` is still the tracked one; a single tag is decoded again at times: tags look alike."""
        if (card.fit.scores > _VISIBLE_SCORE).sum() > 1:
            self._single_s = -math.inf
            return True
        if time_s - self._single_s > FLOW_S:
            if self._find_near(image, card) is None:
                return False
            self._single_s = time_s
        return True

    def _predict(self, last: card_finder.FoundCard, elapsed_s: float) -> tuple[Array, Array]:
        change = self._velocity * min(elapsed_s, 0.1) * _PREDICTED_SHARE
        rotation = np.asarray(cv2.Rodrigues(change[:3])[0] @ last.fit.rotation, dtype=np.float64)
        return rotation, last.fit.origin + change[3:]

    def _choose_tilt(
        self, crop: card_finder.PicturePart, prints: card_finder.PrintedTags, fit: card_finder.CardFit
    ) -> card_finder.CardFit:
        line_of_sight = fit.origin / np.linalg.norm(fit.origin)
        normal = fit.rotation[:, 2]
        axis = np.cross(normal, line_of_sight * float(normal @ line_of_sight))
        sine = float(np.linalg.norm(axis))
        rotation = cv2.Rodrigues(axis / (sine + 1e-12) * 2.0 * math.asin(min(1.0, sine)))[0]
        mirrored = np.asarray(rotation @ fit.rotation, dtype=np.float64)
        other = card_finder.fit_pose(
            self._camera, crop, prints, mirrored, fit.origin, self._estimate_blur(fit.origin)
        )
        if other is None or (other.scores > _VISIBLE_SCORE).sum() < (fit.scores > _VISIBLE_SCORE).sum():
            return fit
        return other if other.misfit < _MAX_MIRRORED_RATIO * fit.misfit else fit

    def _find_near(self, image: Image, last: card_finder.FoundCard) -> card_finder.FoundCard | None:
        box = card_finder.find_bounding_box(self._camera, last.prints, last.fit.rotation, last.fit.origin)
        if box is None:
            return None
        left, top, right, bottom = box
        reach = max(right - left, bottom - top, 60) // 2 + 20
        height, width = image.shape[:2]
        left, top = max(0, left - reach), max(0, top - reach)
        right, bottom = min(width, right + reach), min(height, bottom + reach)
        if right - left < 30 or bottom - top < 30:
            return None
        return self._finder.find_card(to_grey(image[top:bottom, left:right]), left, top, last)

    def _search_picture(self, image: Image) -> card_finder.FoundCard | None:
        self._searches += 1
        grey = to_grey(image)
        if self._searches % FULL_SEARCH_EVERY and image.shape[1] > 800:
            half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            if not self._finder.has_card(np.asarray(half, dtype=np.uint8)):
                return None
        return self._finder.find_card(grey, 0, 0)

    def _add_card(self, image: Image, card: card_finder.FoundCard, time_s: float) -> CardSighting:
        fit = card.fit
        if self._last is not None and self._last.ladder is card.ladder and time_s - self._seen_s < 0.2:
            elapsed_s = time_s - self._seen_s
            change = geometry.quat_from_matrix(fit.rotation @ self._last.fit.rotation.T)
            turn = geometry.rotation_vector(change)
            self._velocity = np.concatenate([turn, fit.origin - self._last.fit.origin]) / elapsed_s
        else:
            self._velocity = np.zeros(6)
        if self._last is None or self._last.ladder is not card.ladder or time_s - self._read_s > _NEAR_S:
            self._smoother = PoseSmoother()
        self._last, self._seen_s = card, time_s
        if fit.scores.any():
            self._read_s = time_s
        self._flow.store_picture(image, card)
        sigma = np.sqrt(np.diag(fit.covariance))
        sigma_rad, sigma_m = float(np.linalg.norm(sigma[:3])), float(np.linalg.norm(sigma[3:]))
        tags = zip(card.prints.tags, fit.scores, strict=False)
        visible = [tag.number for tag, score in tags if score > _VISIBLE_SCORE]
        raw = Pose(geometry.vec3(fit.origin), geometry.quat_from_matrix(fit.rotation))
        pose = self._smoother.add_pose(time_s, raw, tuple(visible), sigma_m, sigma_rad)
        sharp = int((fit.scores > _SHARP_SCORE).sum())
        thumb = self._measure_thumb(image, card) if card.front and sharp >= 2 else None
        return CardSighting(
            time_s,
            card.ladder,
            card.front,
            pose,
            sigma_m,
            sigma_rad,
            len(visible),
            sharp,
            thumb,
            self._exposure_s,
        )

    def _measure_thumb(self, image: Image, card: card_finder.FoundCard) -> float | None:
        prints = card_finder.get_thumb_tag(card.ladder)
        rotation, origin = card.fit.rotation, card.fit.origin
        crop = card_finder.crop_around(self._camera, image, prints, rotation, origin, margin_px=3)
        if crop is None:
            return None
        score = card_finder.measure_scores(
            self._camera, crop, prints, rotation, origin, self._estimate_blur(origin)
        ).item()
        return None if math.isnan(score) else min(1.0, max(0.0, score))

    def _estimate_blur(
        self, origin: Array, exposure_s: float | None = None, still_px: float | None = None
    ) -> Array:
        """Return the covariance (2, 2) of the blur by lens and motion at a position, squared pixels."""
        still_px = self._blur_px if still_px is None else still_px
        move_px = self._project_velocity(origin) * (self._exposure_s if exposure_s is None else exposure_s)
        return np.asarray(np.eye(2) * still_px**2 + np.outer(move_px, move_px) / 12.0)

    def _project_velocity(self, origin: Array) -> Array:
        step_s = 1e-3
        points = np.stack([origin, origin + self._velocity[3:] * step_s])
        current, later = card_finder.project(self._camera, points).T
        return np.asarray((later - current) / step_s)

    def _adapt_blur(
        self, crop: card_finder.PicturePart, prints: card_finder.PrintedTags, rotation: Array, origin: Array
    ) -> None:
        """Try slightly more or less blur (or exposure time, if the card moves), and keep the better fit."""
        is_moving = float(np.linalg.norm(self._project_velocity(origin))) * self._exposure_s > _MOVING_PX
        factor = _STEP_FACTOR if self._pictures % 4 == 1 else 1.0 / _STEP_FACTOR
        exposure_s = min(_LONGEST_S, max(_SHORTEST_S, self._exposure_s * (factor if is_moving else 1.0)))
        blur_px = min(
            card_finder.MAX_BLUR_PX,
            max(card_finder.MIN_BLUR_PX, self._blur_px * (1.0 if is_moving else factor)),
        )
        blurs = self._estimate_blur(origin), self._estimate_blur(origin, exposure_s, blur_px)
        current, changed = card_finder.measure_scores(self._camera, crop, prints, rotation, origin, *blurs)
        if np.nansum(changed) > np.nansum(current):
            self._exposure_s, self._blur_px = exposure_s, blur_px
