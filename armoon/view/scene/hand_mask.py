"""The mask of hands in the picture, with their depth, and the hands' shadow: capsules along bones, drawn by OpenCV."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel, mat_from_pose, mat_from_quat
from armoon.gl import make_texture
from armoon.values.paper import FAR_END_M, HANDLE_END_M, HEIGHT_M, HELD_X_M
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import SceneHand
from armoon.view.scene.camera_picture import make_lens_matrix, undistort

#: Radius of the flesh around each landmark (mediapipe's order), in metres, for a palm of ``PALM_M``; from common hand
#: measures (finger breadth 15 to 20 mm), and fitted to the rendered camera's hand (``bench picture``).
RADII_M = np.array(
    [
        *(0.0248, 0.0169, 0.0127, 0.0105, 0.0086),
        *(0.0122, 0.0096, 0.0085, 0.0075),
        *(0.0122, 0.0096, 0.0085, 0.0075),
        *(0.0118, 0.0092, 0.0081, 0.0071),
        *(0.0111, 0.0081, 0.0071, 0.0064),
    ]
)
#: Distance from wrist to middle knuckle, in metres.
PALM_M = 0.095
_FINGERS = [(i, i + 1) for start in (1, 5, 9, 13, 17) for i in range(start, start + 3)]
_PALM = [(0, 1), (0, 5), (0, 9), (0, 13), (0, 17), (5, 9), (9, 13), (13, 17), (1, 5), (2, 5)]
BONES = np.array(_FINGERS + _PALM + [(0, 21), (21, 22)])
#: Distances of cuff and elbow behind the wrist, in palms, and radii of a loose sleeve there. The forearm isn't tracked,
#: so it continues the line from middle knuckle to wrist.
_ARM_PALMS = (1.45, 3.2)
_ARM_RADII_M = (0.0455, 0.063)
#: Minimum distance of the forearm from the camera, relative to the wrist's. A palm's slant is only estimated, so the
#: sleeve of a hand close to the camera could otherwise cover half of the picture.
_ARM_NEAREST = 0.7
#: Palm sizes, relative to the picture's height, from which hands are drawn thicker and at which they are thickest, and
#: the maximum increase. Close to the camera, the fit to the frame's colours can't correct the errors.
_GROWTH_FROM, _GROWTH_UNTIL, _MAX_GROWTH = 0.30, 0.50, 0.20
#: Scale of the mask relative to the picture, and its maximum number of rows.
_SCALE, _MAX_ROWS = 0.25, 120
#: Radius of the guided filter (He, Sun, Tang: Guided Image Filtering, 2010), relative to the picture's height, and its
#: epsilon, the variance of grey levels below which colours count as noise.
_FILTER_RADIUS, _NOISE_VARIANCE = 0.078, 2.6
#: Coverage by the filter's value, from none below a quarter to full above three quarters.
_COVERAGE = np.clip((np.arange(256) / 255.0 - 0.25) / 0.5, 0.0, 1.0)
_COVERAGE = np.round(255.0 * _COVERAGE * _COVERAGE * (3.0 - 2.0 * _COVERAGE)).astype(np.uint8)
#: Distance from the camera at which nearness is 0, in metres (``HAND_NEAR`` in the shaders); one metre closer, it is 1.
_ZERO_NEARNESS_M = 1.10
#: Profile of the skin: distance from the bone and height above it, in capsule radii. It extends beyond the capsule,
#: because the mask may do so after the fit to the frame's colours.
_SKIN_PROFILE = ((2.5, 0.0), (1.5, 0.0), (0.87, 0.5), (0.5, 0.87))
#: Side of the shadow's texture, in pixels of 2 mm (shadow edges are softer), and maximum height in metres
#: (``SHADOW_HEIGHT`` in the shaders).
_SHADOW_PX, _SHADOW_M = 256, 0.5
#: Boundaries of the sections in which a paper ladder is painted, each with its own depth, in metres from the grip;
#: minimum distance of the paper from the camera, in metres.
_CARD_X_M = np.linspace(HANDLE_END_M, FAR_END_M, 9) - HELD_X_M
_CARD_NEAREST_M = 0.05


class HandMask:
    """The mask texture of all hands in a picture, fitted to the frame's colours."""

    def __init__(self, camera: CameraModel, mirrored: bool, width: int, height: int) -> None:
        self._camera, self._mirrored = camera, mirrored
        self.resize(width, height)

    def set_camera(self, camera: CameraModel) -> None:
        self._camera = camera
        self._zoom = np.array(self._size) / [camera.width, camera.height]
        self._lens: Any = None  # two maps, as OpenCV makes them
        if any(camera.distortion):
            lens = make_lens_matrix(camera, *self._size)
            distortion = np.array(camera.distortion)
            self._lens = cv2.initUndistortRectifyMap(
                lens, distortion, np.eye(3), lens, self._size, cv2.CV_32FC1
            )

    def resize(self, width: int, height: int) -> None:
        scale = min(_SCALE, _MAX_ROWS / height)
        self._size = (max(1, round(width * scale)), max(1, round(height * scale)))
        self._mask = np.zeros((*self._size[::-1], 2), np.uint8)
        self.texture = make_texture(*self._size, 2, self._mask)
        self._is_empty = True
        self.set_camera(self._camera)

    def paint_hands(
        self, hands: tuple[SceneHand, ...], frame_bgr: npt.NDArray[np.uint8], prop: Pose | None = None
    ) -> None:
        """Paint hands, fitted to the frame (h, w, 3), and a paper ladder with its grip at ``prop`` (camera frame)."""
        is_empty = not hands and prop is None
        if is_empty and self._is_empty:
            return
        self._is_empty = is_empty
        self._mask[:] = 0
        for hand in hands:
            _paint_bones(self._mask, *self._place_bones(hand))
        if hands:
            small = _shrink_frame(frame_bgr, self._size)
            if self._lens is not None:
                across, up = self._lens
                small = cv2.remap(small, across, up, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            reach = max(1, round(_FILTER_RADIUS * self._size[1]))
            coverage = cv2.ximgproc.guidedFilter(small, self._mask[..., 0].copy(), reach, _NOISE_VARIANCE)
            self._mask[..., 0] = cv2.LUT(coverage, _COVERAGE)
        if prop is not None:
            self._paint_card(prop)
        self.texture.write(np.ascontiguousarray(self._mask[::-1, :: -1 if self._mirrored else 1]))

    @property
    def has_hands(self) -> bool:
        return not self._is_empty

    @property
    def box(self) -> tuple[float, float, float, float]:
        x, y, width, height = cv2.boundingRect(self._mask[::-1, :: -1 if self._mirrored else 1, 0].copy())
        across, up = self._size
        # The mask is interpolated between its pixels.
        return ((x - 1) / across, (y - 1) / up, (x + width + 1) / across, (y + height + 1) / up)

    def _paint_card(self, grip: Pose) -> None:
        edges = np.array([(x, y, 0.0) for x in _CARD_X_M for y in (-HEIGHT_M / 2.0, HEIGHT_M / 2.0)])
        places = edges @ mat_from_quat(grip.rotation).T + grip.position
        depths, camera = places[:, 2], self._camera
        if depths.min() < _CARD_NEAREST_M:
            return
        points = places[:, :2] / depths[:, None] * [camera.fx, camera.fy] + [camera.cx, camera.cy]
        pixels = np.clip((points + 0.5) * self._zoom - 0.5, -1000.0, 1000.0)
        near = np.clip(_ZERO_NEARNESS_M - depths, 0.0, 1.0)
        coverage, nearness = (np.zeros(self._mask.shape[:2], np.uint8) for _ in range(2))
        for k in range(len(_CARD_X_M) - 1):
            corners = np.round(pixels[[2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2]] * 16.0).astype(np.int32)
            level = round(255.0 * float(near[2 * k : 2 * k + 4].mean()))
            cv2.fillConvexPoly(nearness, corners, (level,), cv2.LINE_8, 4)
        # The mask is interpolated; without dilation, seams and edges of the paper would look far away.
        nearness = np.asarray(cv2.dilate(nearness, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        whole = np.round(pixels[[0, 1, -1, -2]] * 16.0).astype(np.int32)
        cv2.fillConvexPoly(coverage, whole, (255,), cv2.LINE_AA, 4)
        self._mask[..., 0] = np.maximum(self._mask[..., 0], coverage)
        self._mask[..., 1] = np.maximum(self._mask[..., 1], nearness)

    def _place_bones(self, hand: SceneHand) -> tuple[Array, Array, Array, Array]:
        joints, radii_m = _place_joints(self._camera, hand)
        depths = joints[:, 2]
        camera = self._camera
        points = joints[:, :2] / depths[:, None] * [camera.fx, camera.fy] + [camera.cx, camera.cy]
        palm_part = float(np.linalg.norm(points[9] - points[0])) / camera.height
        near = min(1.0, max(0.0, (palm_part - _GROWTH_FROM) / (_GROWTH_UNTIL - _GROWTH_FROM)))
        radii_m = radii_m * (1.0 + _MAX_GROWTH * near)
        radii_px = radii_m * camera.fx / depths * self._zoom[0]
        return (points + 0.5) * self._zoom - 0.5, radii_px, _ZERO_NEARNESS_M - depths, radii_m


class HandShadow:
    """The real hands' shadow on the ground, which drawn shadows must not darken a second time."""

    def __init__(self, camera: CameraModel, table_from_camera: Pose, ground: tuple[float, ...]) -> None:
        """Create the texture. ``ground``: left and near edge, width and depth of the maps' ground, in metres."""
        self._ground = ground
        self._to_light: Vec3 = (0.0, 0.0, 1.0)
        self.texture = make_texture(_SHADOW_PX, _SHADOW_PX, 2)
        self.set_camera(camera, table_from_camera)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose) -> None:
        self._camera, self._table_from_camera = camera, mat_from_pose(table_from_camera)

    def set_light(self, towards: Vec3) -> None:
        self._to_light = towards

    def paint_shadow(self, hands: tuple[SceneHand, ...]) -> None:
        shadow = np.zeros((_SHADOW_PX, _SHADOW_PX, 2), np.uint8)
        for hand in hands:
            _paint_bones(shadow, *self._place_bones(hand))
        self.texture.write(shadow)

    def _place_bones(self, hand: SceneHand) -> tuple[Array, Array, Array, Array]:
        joints, radii_m = _place_joints(self._camera, hand)
        rotation, shift = self._table_from_camera[:3, :3], self._table_from_camera[:3, 3]
        places = joints @ rotation.T + shift
        x, y, w, d = self._ground
        light = np.asarray(self._to_light)
        feet = places[:, :2] - light[:2] / light[2] * places[:, 2:]
        per_metre = np.array([_SHADOW_PX / w, _SHADOW_PX / d])
        heights, radii = places[:, 2] / _SHADOW_M, radii_m / _SHADOW_M
        return (feet - [x, y]) * per_metre - 0.5, radii_m * per_metre.mean(), heights, radii


def _paint_bones(
    into: npt.NDArray[np.uint8], points: Array, radii: Array, nearness: Array, bulges: Array
) -> None:
    """Paint bones as tapered capsules into coverage and nearness (h, w, 2), keeping the maximum.

    ``points`` (23, 2), ``radii`` (23,): pixels; ``nearness`` (23,) of bones, ``bulges`` (23,) of skin: 0 to 1.
    """
    a, b = points[BONES[:, 0]], points[BONES[:, 1]]
    along = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-6)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    at_a, at_b = across * radii[BONES[:, :1]], across * radii[BONES[:, 1:]]
    coverage = np.ascontiguousarray(into[..., 0])
    # OpenCV takes sixteenths of a pixel; +-1000 px is beyond any mask.
    sides = np.round(
        np.clip(np.stack([a + at_a, b + at_b, b - at_b, a - at_a], axis=1), -1000.0, 1000.0) * 16.0
    )
    for side in sides.astype(np.int32):
        cv2.fillConvexPoly(coverage, side, (255,), cv2.LINE_AA, 4)
    joints = np.round(np.clip(np.column_stack([points, radii]), -1000.0, 1000.0) * 16.0).astype(int)
    for x, y, radius in joints.tolist():
        cv2.circle(coverage, (x, y), radius, (255,), cv2.FILLED, cv2.LINE_AA, 4)
    into[..., 0] = coverage
    into[..., 1] = np.maximum(into[..., 1], _paint_skin(into.shape[:2], points, radii, nearness, bulges))


def _paint_skin(
    shape: tuple[int, ...], points: Array, radii: Array, nearness: Array, bulges: Array
) -> npt.NDArray[np.uint8]:
    """Return the skin's nearness (h, w), painted as strokes along half bones, nearest last; see ``_paint_bones``."""
    parts, out = np.array(_SKIN_PROFILE).T[..., None]
    halves = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    ends = np.clip(halves @ points[BONES], -1000.0, 1000.0)
    ends = np.concatenate([ends[:, :2], ends[:, 1:]], axis=2).reshape(-1, 4)
    quarters = np.array([[0.75, 0.25], [0.25, 0.75]])
    widths = np.clip((2.0 * radii[BONES] @ quarters.T).ravel() * parts, 1.0, 255.0)
    levels = (nearness[BONES] @ quarters.T).ravel() + out * (bulges[BONES] @ quarters.T).ravel()
    # Strokes that extend beyond capsules come first, under those inside.
    order = np.argsort((levels + 2.0 * (parts < 2.0)).ravel())
    rows = np.column_stack(
        [np.tile(ends, (len(parts), 1)), widths.ravel(), 255.0 * np.clip(levels, 0.0, 1.0).ravel()]
    )
    near = np.zeros(shape, np.uint8)
    for x0, y0, x1, y1, width, level in np.round(rows[order]).astype(int).tolist():
        cv2.line(near, (x0, y0), (x1, y1), (level,), width)
    return near


def _shrink_frame(frame_bgr: npt.NDArray[np.uint8], size: tuple[int, int]) -> Any:
    """Average a frame (h, w, 3) to this size, halving it first, because OpenCV is much faster at that."""
    height, width = frame_bgr.shape[0] // 2, frame_bgr.shape[1] // 2
    if height < size[1] or width < size[0]:
        return cv2.resize(frame_bgr, size, interpolation=cv2.INTER_AREA)
    even = frame_bgr[: 2 * height, : 2 * width]
    half = cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA)
    return cv2.resize(half, size, interpolation=cv2.INTER_AREA)


def _place_joints(camera: CameraModel, hand: SceneHand) -> tuple[Array, Array]:
    """Return the joints (23, 3), camera frame, and radii (23,), in metres; the last two are cuff and elbow."""
    points = undistort(camera, np.asarray(hand.points_px, dtype=np.float64))
    depths = np.maximum(np.asarray(hand.depths_m, dtype=np.float64), 0.04)
    focal = np.array([camera.fx, camera.fy])
    metric = np.column_stack([(points - np.array([camera.cx, camera.cy])) / focal * depths[:, None], depths])
    palm = float(np.linalg.norm(metric[9] - metric[0]))
    size = min(max(palm / PALM_M, 0.7), 1.4)
    arm = []
    for palms in _ARM_PALMS:
        place = metric[0] + (metric[0] - metric[9]) * palms
        # Shorten an arm that starts behind the camera and couldn't be projected.
        nearest = _ARM_NEAREST * metric[0, 2]
        shrink = 1.0 if place[2] > nearest else (metric[0, 2] - nearest) / max(metric[0, 2] - place[2], 1e-6)
        arm.append(metric[0] + (place - metric[0]) * max(shrink, 0.05))
    return np.vstack([metric, *arm]), np.append(RADII_M, _ARM_RADII_M) * size
