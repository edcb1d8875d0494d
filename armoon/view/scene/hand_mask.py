"""The mask of hands in the picture, with depth and shadow: capsules along bones, painted by OpenCV."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel, mat_from_pose, mat_from_quat
from armoon.gl import texture
from armoon.values.paper import FAR_END_M, HANDLE_END_M, HEIGHT_M
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import SceneCard, SceneHand
from armoon.view.scene.camera_picture import lens_matrix, undistort

#: Radius of the flesh around each landmark (mediapipe's order), metres, for a palm of ``PALM_M``; from common
#: hand measures (finger breadth 15 to 20 mm) and fitted to the rendered camera's hand (bench picture).
RADII_M = np.array(
    [
        *(0.0248, 0.0169, 0.0127, 0.0105, 0.0086),
        *(0.0122, 0.0096, 0.0085, 0.0075),
        *(0.0122, 0.0096, 0.0085, 0.0075),
        *(0.0118, 0.0092, 0.0081, 0.0071),
        *(0.0111, 0.0081, 0.0071, 0.0064),
    ]
)
#: Wrist to middle knuckle.
PALM_M = 0.095
_FINGERS = [(i, i + 1) for start in (1, 5, 9, 13, 17) for i in range(start, start + 3)]
_PALM = [(0, 1), (0, 5), (0, 9), (0, 13), (0, 17), (5, 9), (9, 13), (13, 17), (1, 5), (2, 5)]
BONES = np.array(_FINGERS + _PALM + [(0, 21), (21, 22)])
#: The forearm is not tracked: it goes on from the middle knuckle through the wrist. Distances of cuff and elbow
#: behind the wrist, in palms; the radii are those of a loose sleeve, which a bare arm doesn't fill.
_ARM_PALMS = (1.45, 3.2)
_ARM_RADII_M = (0.0455, 0.063)
#: A palm's slant towards the camera is guessed, so the forearm behind it comes no nearer than this part of the
#: wrist's distance: else a hand before the camera gets a sleeve that covers half of the picture.
_ARM_NEAREST = 0.7
#: A near hand is missed by more pixels than the fit to the camera's colours can mend, so its flesh is drawn thicker:
#: from the first palm height (part of the picture's) on, in full at the second, by the third figure.
_NEAR_FROM, _NEAR_IN_FULL, _NEAR_THICKER = 0.30, 0.50, 0.20
#: The mask's share of the picture's size, and its maximum number of rows.
_SCALE, _MOST_ROWS = 0.25, 120
#: Guided filter (He, Sun, Tang: Guided Image Filtering, 2010): radius in parts of the picture's height; variance of
#: colours, in grey levels, below which they are noise.
_REACH, _NOISE = 0.078, 2.6
#: Coverage by the filter's value: below a quarter no hand, above three quarters nothing else.
_SURE = np.clip((np.arange(256) / 255.0 - 0.25) / 0.5, 0.0, 1.0)
_SURE = np.round(255.0 * _SURE * _SURE * (3.0 - 2.0 * _SURE)).astype(np.uint8)
#: Distance from the camera at which nearness is 0, metres; it is 1 a metre closer (``HAND_NEAR`` in the shaders).
_NEAR_M = 1.10
#: Skin bulges: at this part of a capsule's radius it stands out by that part of it. It goes on beyond the capsule
#: because the camera's colours may find that the hand does.
_SKIN = ((2.5, 0.0), (1.5, 0.0), (0.87, 0.5), (0.5, 0.87))
#: Side of the shadow's texture: 2 mm on the table, where its edge is softer than that. Heights count up to that many
#: metres (``SHADOW_HEIGHT`` in the shaders).
_SHADOW_PX, _SHADOW_M = 256, 0.5
#: A paper ladder is painted in pieces between these places along it, each at a depth of its own; nearer to the camera
#: than the last, metres, it can't be.
_CARD_X_M = np.linspace(HANDLE_END_M, FAR_END_M, 9)
_CARD_NEAREST_M = 0.05


class HandMask:
    """The mask texture of all hands in one picture: their bones, fitted to the colours of the frame."""

    def __init__(self, camera: CameraModel, mirrored: bool, width: int, height: int) -> None:
        self._camera, self._mirrored = camera, mirrored
        self.resize(width, height)

    def set_camera(self, camera: CameraModel) -> None:
        self._camera = camera
        self._zoom = np.array(self._size) / [camera.width, camera.height]
        self._lens: Any = None  # two maps, as OpenCV makes them
        if any(camera.distortion):
            lens = lens_matrix(camera, *self._size)
            distortion = np.array(camera.distortion)
            self._lens = cv2.initUndistortRectifyMap(
                lens, distortion, np.eye(3), lens, self._size, cv2.CV_32FC1
            )

    def resize(self, width: int, height: int) -> None:
        scale = min(_SCALE, _MOST_ROWS / height)
        self._size = (max(1, round(width * scale)), max(1, round(height * scale)))
        self._mask = np.zeros((*self._size[::-1], 2), np.uint8)
        self.texture = texture(*self._size, 2, self._mask)
        self._empty = True
        self.set_camera(self._camera)

    def draw(
        self, hands: tuple[SceneHand, ...], frame_bgr: npt.NDArray[np.uint8], card: SceneCard | None = None
    ) -> None:
        """Paint the hands' bones, fitted to the frame (h, w, 3), and a paper ladder; clear the mask without either."""
        nothing = not hands and card is None
        if nothing and self._empty:
            return
        self._empty = nothing
        self._mask[:] = 0
        for hand in hands:
            _paint(self._mask, *self._bones(hand))
        if hands:
            small = _smaller(frame_bgr, self._size)
            if self._lens is not None:
                across, up = self._lens
                small = cv2.remap(small, across, up, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            reach = max(1, round(_REACH * self._size[1]))
            covers = cv2.ximgproc.guidedFilter(small, self._mask[..., 0].copy(), reach, _NOISE)
            self._mask[..., 0] = cv2.LUT(covers, _SURE)
        if card is not None:
            self._paint_card(card)
        self.texture.write(np.ascontiguousarray(self._mask[::-1, :: -1 if self._mirrored else 1]))

    @property
    def any(self) -> bool:
        return not self._empty

    @property
    def box(self) -> tuple[float, float, float, float]:
        x, y, wide, high = cv2.boundingRect(self._mask[::-1, :: -1 if self._mirrored else 1, 0].copy())
        across, up = self._size
        # Between its pixels the mask is blended.
        return ((x - 1) / across, (y - 1) / up, (x + wide + 1) / across, (y + high + 1) / up)

    def read(self) -> npt.NDArray[np.uint8]:
        """Return the hands' coverage of its pixels (h, w), top row first, unmirrored."""
        return np.ascontiguousarray(self._mask[..., 0])

    def _paint_card(self, card: SceneCard) -> None:
        edges = np.array([(x, y, 0.0) for x in _CARD_X_M for y in (-HEIGHT_M / 2.0, HEIGHT_M / 2.0)])
        places = edges @ mat_from_quat(card.camera_from_card.rotation).T + card.camera_from_card.position
        depths, camera = places[:, 2], self._camera
        if depths.min() < _CARD_NEAREST_M:
            return
        points = places[:, :2] / depths[:, None] * [camera.fx, camera.fy] + [camera.cx, camera.cy]
        pixels = np.clip((points + 0.5) * self._zoom - 0.5, -1000.0, 1000.0)
        near = np.clip(_NEAR_M - depths, 0.0, 1.0)
        covers, nearness = (np.zeros(self._mask.shape[:2], np.uint8) for _ in range(2))
        for k in range(len(_CARD_X_M) - 1):
            corners = np.round(pixels[[2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2]] * 16.0).astype(np.int32)
            level = round(255.0 * float(near[2 * k : 2 * k + 4].mean()))
            cv2.fillConvexPoly(nearness, corners, (level,), cv2.LINE_8, 4)
        # Between its pixels the mask is blended: without this, seams and edges of the paper would seem to be far away.
        nearness = np.asarray(cv2.dilate(nearness, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        whole = np.round(pixels[[0, 1, -1, -2]] * 16.0).astype(np.int32)
        cv2.fillConvexPoly(covers, whole, (255,), cv2.LINE_AA, 4)
        self._mask[..., 0] = np.maximum(self._mask[..., 0], covers)
        self._mask[..., 1] = np.maximum(self._mask[..., 1], nearness)

    def _bones(self, hand: SceneHand) -> tuple[Array, Array, Array, Array]:
        joints, radii_m = _joints(self._camera, hand)
        depths = joints[:, 2]
        camera = self._camera
        points = joints[:, :2] / depths[:, None] * [camera.fx, camera.fy] + [camera.cx, camera.cy]
        palm_part = float(np.linalg.norm(points[9] - points[0])) / camera.height
        radii_m = radii_m * (1.0 + _NEAR_THICKER * _ramp(palm_part, _NEAR_FROM, _NEAR_IN_FULL))
        radii_px = radii_m * camera.fx / depths * self._zoom[0]
        return (points + 0.5) * self._zoom - 0.5, radii_px, _NEAR_M - depths, radii_m


class HandShadow:
    """The hands' shadow on the ground that the shadow maps cover, so that it isn't drawn a second time."""

    def __init__(self, camera: CameraModel, table_from_camera: Pose, ground: tuple[float, ...]) -> None:
        """``ground``: left, near edge, width and depth of the maps' ground, metres."""
        self._ground = ground
        self._to_light: Vec3 = (0.0, 0.0, 1.0)
        self.texture = texture(_SHADOW_PX, _SHADOW_PX, 2)
        self.set_camera(camera, table_from_camera)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose) -> None:
        self._camera, self._table_from_camera = camera, mat_from_pose(table_from_camera)

    def light_from(self, towards: Vec3) -> None:
        self._to_light = towards

    def draw(self, hands: tuple[SceneHand, ...]) -> None:
        shadow = np.zeros((_SHADOW_PX, _SHADOW_PX, 2), np.uint8)
        for hand in hands:
            _paint(shadow, *self._bones(hand))
        self.texture.write(shadow)

    def _bones(self, hand: SceneHand) -> tuple[Array, Array, Array, Array]:
        joints, radii_m = _joints(self._camera, hand)
        rotation, shift = self._table_from_camera[:3, :3], self._table_from_camera[:3, 3]
        places = joints @ rotation.T + shift
        x, y, w, d = self._ground
        light = np.asarray(self._to_light)
        feet = places[:, :2] - light[:2] / light[2] * places[:, 2:]
        per_metre = np.array([_SHADOW_PX / w, _SHADOW_PX / d])
        heights, radii = places[:, 2] / _SHADOW_M, radii_m / _SHADOW_M
        return (feet - [x, y]) * per_metre - 0.5, radii_m * per_metre.mean(), heights, radii


def _paint(into: npt.NDArray[np.uint8], points: Array, radii: Array, nearness: Array, bulges: Array) -> None:
    """Paint bones as tapered capsules into coverage and nearness (h, w, 2), by maximum.

    ``points`` (23, 2) and ``radii`` (23,): pixels; ``nearness`` (23,) of bones, ``bulges`` (23,) of skin: 0 to 1.
    """
    a, b = points[BONES[:, 0]], points[BONES[:, 1]]
    along = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-6)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    at_a, at_b = across * radii[BONES[:, :1]], across * radii[BONES[:, 1:]]
    covers = np.ascontiguousarray(into[..., 0])
    # Sixteenths of a pixel; beyond +-1000 px nothing of a mask is left.
    sides = np.round(
        np.clip(np.stack([a + at_a, b + at_b, b - at_b, a - at_a], axis=1), -1000.0, 1000.0) * 16.0
    )
    for side in sides.astype(np.int32):
        cv2.fillConvexPoly(covers, side, (255,), cv2.LINE_AA, 4)
    joints = np.round(np.clip(np.column_stack([points, radii]), -1000.0, 1000.0) * 16.0).astype(int)
    for x, y, radius in joints.tolist():
        cv2.circle(covers, (x, y), radius, (255,), cv2.FILLED, cv2.LINE_AA, 4)
    into[..., 0] = covers
    into[..., 1] = np.maximum(into[..., 1], _skin(into.shape[:2], points, radii, nearness, bulges))


def _skin(
    shape: tuple[int, ...], points: Array, radii: Array, nearness: Array, bulges: Array
) -> npt.NDArray[np.uint8]:
    """Return the skin's nearness (h, w): halves of bones as strokes, the nearest last; see ``_paint``."""
    parts, out = np.array(_SKIN).T[..., None]
    halves = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    ends = np.clip(halves @ points[BONES], -1000.0, 1000.0)
    ends = np.concatenate([ends[:, :2], ends[:, 1:]], axis=2).reshape(-1, 4)
    quarters = np.array([[0.75, 0.25], [0.25, 0.75]])
    widths = np.clip((2.0 * radii[BONES] @ quarters.T).ravel() * parts, 1.0, 255.0)
    levels = (nearness[BONES] @ quarters.T).ravel() + out * (bulges[BONES] @ quarters.T).ravel()
    # What goes on beyond a capsule lies under all that is inside of one.
    order = np.argsort((levels + 2.0 * (parts < 2.0)).ravel())
    rows = np.column_stack(
        [np.tile(ends, (len(parts), 1)), widths.ravel(), 255.0 * np.clip(levels, 0.0, 1.0).ravel()]
    )
    near = np.zeros(shape, np.uint8)
    for x0, y0, x1, y1, width, level in np.round(rows[order]).astype(int).tolist():
        cv2.line(near, (x0, y0), (x1, y1), (level,), width)
    return near


def _smaller(frame_bgr: npt.NDArray[np.uint8], size: tuple[int, int]) -> Any:
    """Return a frame (h, w, 3) averaged to this size: halved first, which OpenCV does far faster than by 3.7 or 6."""
    height, width = frame_bgr.shape[0] // 2, frame_bgr.shape[1] // 2
    if height < size[1] or width < size[0]:
        return cv2.resize(frame_bgr, size, interpolation=cv2.INTER_AREA)
    even = frame_bgr[: 2 * height, : 2 * width]
    half = cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA)
    return cv2.resize(half, size, interpolation=cv2.INTER_AREA)


def _ramp(value: float, start: float, end: float) -> float:
    return min(1.0, max(0.0, (value - start) / (end - start)))


def _joints(camera: CameraModel, hand: SceneHand) -> tuple[Array, Array]:
    """Return places (23, 3) in the camera frame and radii (23,), metres; the last two are cuff and elbow."""
    points = undistort(camera, np.asarray(hand.points_px, dtype=np.float64))
    depths = np.maximum(np.asarray(hand.depths_m, dtype=np.float64), 0.04)
    focal = np.array([camera.fx, camera.fy])
    metric = np.column_stack([(points - np.array([camera.cx, camera.cy])) / focal * depths[:, None], depths])
    palm = float(np.linalg.norm(metric[9] - metric[0]))
    size = min(max(palm / PALM_M, 0.7), 1.4)
    arm = []
    for palms in _ARM_PALMS:
        place = metric[0] + (metric[0] - metric[9]) * palms
        # It may also come from behind the camera: its end is kept where it can be projected.
        nearest = _ARM_NEAREST * metric[0, 2]
        short = 1.0 if place[2] > nearest else (metric[0, 2] - nearest) / max(metric[0, 2] - place[2], 1e-6)
        arm.append(metric[0] + (place - metric[0]) * max(short, 0.05))
    return np.vstack([metric, *arm]), np.append(RADII_M, _ARM_RADII_M) * size
