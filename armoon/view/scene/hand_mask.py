"""Where the hand is in the picture and how near, and where its shadow is: textures of capsules along its bones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, CameraModel, mat_from_pose
from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, Target, Texture, quad_triangles, target, texture
from armoon.gl.program import Program
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import SceneHand
from armoon.view.scene.mask_guide import Limits, MaskGuide
from armoon.view.scene.projection import undistort

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
#: The forearm is not tracked: it goes on from the middle knuckle through the wrist. Cuff and elbow lie so many
#: palms behind the wrist; the radii are those of a loose sleeve, which a bare arm doesn't fill.
_ARM_PALMS = (1.45, 3.2)
_ARM_RADII_M = (0.0455, 0.063)
#: A palm's slant towards the camera is guessed, so the forearm behind it comes no nearer than this part of the
#: wrist's distance: else a hand before the camera gets a sleeve that covers half of the picture.
_ARM_NEAREST = 0.7
#: A hand that is near is missed by more pixels than the fit to the camera's colours can mend, so its flesh is drawn
#: thicker: from this part of the picture's height on that its palm has, in full at the second, by so much.
_NEAR_FROM, _NEAR_IN_FULL, _NEAR_THICKER = 0.30, 0.50, 0.20
#: Bones are drawn at this part of the picture's size; what is fitted to the camera's colours has all of it.
_SCALE = 0.5
#: Side of the shadow's texture: 2 mm on the table, where its edge is softer than that.
_SHADOW_PX = 256


class HandMask:
    """The mask texture of all hands in one picture: their bones, fitted to the colours of the frame."""

    def __init__(self, camera: CameraModel, mirrored: bool, width: int, height: int) -> None:
        self._camera, self._mirrored = camera, mirrored
        self._capsules = _Capsules(as_shadow=False)
        self._guide = MaskGuide()
        self.resize(width, height)

    def see(self, camera: CameraModel) -> None:
        """Hands are seen by this camera from now on."""
        self._camera = camera

    def resize(self, width: int, height: int) -> None:
        """Fit the mask to a picture of ``width`` x ``height`` pixels."""
        self._width, self._height = width, height
        size = (max(1, int(width * _SCALE)), max(1, int(height * _SCALE)))
        self._bones = texture(*size, 2)
        self._bones_target = target(colour=self._bones)
        self.texture = texture(width, height, 2)
        self._target = target(colour=self.texture)
        self._guide.resize(size)
        self._empty = False

    def draw(self, hands: tuple[SceneHand, ...], feed: Texture) -> None:
        """Draw the hands' bones and fit them to the frame; with no hands the mask is cleared once."""
        if not hands and self._empty:
            return
        self._empty = not hands
        quads = [self._quads(hand) for hand in hands]
        self._capsules.draw(self._bones_target, (self._width, self._height), quads)
        self._guide.fit(self._target, self._bones, feed, self._limits(quads))

    def _limits(self, quads: list[npt.NDArray[np.float32]]) -> Limits | None:
        """Left, bottom, right, top of what the hands cover, in parts of the picture; None without hands."""
        if not quads:
            return None
        places = np.concatenate(quads)[:, :2] / [self._width, self._height]
        low, high = places.min(axis=0), places.max(axis=0)
        return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    def read(self) -> npt.NDArray[np.uint8]:
        """How much of each of its own pixels a hand covers (h, w), top row first; slow, for measuring."""
        pixels = np.frombuffer(self.texture.read(), np.uint8)
        pixels = pixels.reshape(self.texture.height, self.texture.width, 2)
        return np.ascontiguousarray(pixels[::-1, :, 0])

    def _quads(self, hand: SceneHand) -> npt.NDArray[np.float32]:
        joints, radii_m = _joints(self._camera, hand)
        depths = joints[:, 2]
        camera = self._camera
        points = joints[:, :2] / depths[:, None] * [camera.fx, camera.fy] + [camera.cx, camera.cy]
        zoom = np.array([self._width / camera.width, self._height / camera.height])
        drawn = (points + 0.5) * zoom
        drawn[:, 1] = self._height - drawn[:, 1]
        if self._mirrored:
            drawn[:, 0] = self._width - drawn[:, 0]
        palm_part = float(np.linalg.norm(points[9] - points[0])) / camera.height
        radii_m = radii_m * (1.0 + _NEAR_THICKER * _ramp(palm_part, _NEAR_FROM, _NEAR_IN_FULL))
        return _quads(drawn, radii_m * camera.fx / depths * zoom[0], radii_m, depths)


class HandShadow:
    """The hands' shadow on the ground that the shadow maps cover, so that it isn't drawn a second time."""

    def __init__(self, camera: CameraModel, table_from_camera: Pose, ground: tuple[float, ...]) -> None:
        """``ground``: left, near edge, width and depth of the maps' ground, metres."""
        self._ground = ground
        self._to_light: Vec3 = (0.0, 0.0, 1.0)
        self._capsules = _Capsules(as_shadow=True)
        self.texture = texture(_SHADOW_PX, _SHADOW_PX, 2)
        self._target = target(colour=self.texture)
        self.see(camera, table_from_camera)

    def see(self, camera: CameraModel, table_from_camera: Pose) -> None:
        """Hands are seen by this camera from now on."""
        self._camera, self._table_from_camera = camera, mat_from_pose(table_from_camera)

    def light_from(self, towards: Vec3) -> None:
        """The key light stands in this direction (unit vector)."""
        self._to_light = towards

    def draw(self, hands: tuple[SceneHand, ...]) -> None:
        """Draw the hands' bones as the light sees them."""
        self._capsules.draw(self._target, (_SHADOW_PX, _SHADOW_PX), [self._quads(hand) for hand in hands])

    def _quads(self, hand: SceneHand) -> npt.NDArray[np.float32]:
        joints, radii_m = _joints(self._camera, hand)
        rotation, shift = self._table_from_camera[:3, :3], self._table_from_camera[:3, 3]
        places = joints @ rotation.T + shift
        x, y, w, d = self._ground
        light = np.asarray(self._to_light)
        feet = places[:, :2] - light[:2] / light[2] * places[:, 2:]
        per_metre = np.array([_SHADOW_PX / w, _SHADOW_PX / d])
        return _quads((feet - [x, y]) * per_metre, radii_m * per_metre.mean(), radii_m, -places[:, 2])


class _Capsules:
    """Draws bones as tapered capsules into a texture."""

    def __init__(self, *, as_shadow: bool) -> None:
        self._program = Program("hand_mask.vert", "hand_mask.frag")
        self._as_shadow = 1.0 if as_shadow else 0.0
        self._mesh = Mesh((2, 4, 4, 2))

    def draw(self, into: Target, area: tuple[int, int], hands: list[npt.NDArray[np.float32]]) -> None:
        """``area``: size of the picture in whose pixels the quads are."""
        into.use()
        into.clear()
        if not hands:
            return
        quads = np.concatenate(hands)
        self._mesh.upload(quads, quad_triangles(len(quads) // 4))
        begin_pass(Blend.GREATEST)
        self._program.set("area", *area)
        self._program.set("as_shadow", self._as_shadow)
        self._mesh.draw(self._program)


def _quads(points: Array, radii_px: Array, radii_m: Array, depths: Array) -> npt.NDArray[np.float32]:
    """Four vertices (4 * bones, 12) around each bone between points (23, 2), in pixels."""
    a, b = points[BONES[:, 0]], points[BONES[:, 1]]
    along = b - a
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    # As far as the shader lets nearness go on, see hand_mask.frag.
    margin = (1.5 * np.maximum(radii_px[BONES[:, 0]], radii_px[BONES[:, 1]]) + 4.0)[:, None]
    corners = [
        a - (along + across) * margin,
        b + (along - across) * margin,
        b + (along + across) * margin,
        a - (along - across) * margin,
    ]
    shared = np.column_stack([a, b, radii_px[BONES], radii_m[BONES], depths[BONES]])
    block = np.stack([np.column_stack([corner, shared]) for corner in corners], axis=1)
    return np.asarray(block.reshape(-1, block.shape[-1]), dtype=np.float32)


def _ramp(value: float, start: float, end: float) -> float:
    return min(1.0, max(0.0, (value - start) / (end - start)))


def _joints(camera: CameraModel, hand: SceneHand) -> tuple[Array, Array]:
    """Places (23, 3) in the camera frame and radii (23,), metres; the last two are cuff and elbow."""
    points = undistort(camera, np.asarray(hand.points_px, dtype=np.float64))
    depths = np.maximum(np.asarray(hand.depths_m, dtype=np.float64), 0.04)
    focal = np.array([camera.fx, camera.fy])
    metric = np.column_stack(
        [(points - np.array([camera.cx, camera.cy])) / focal * depths[:, None], depths],
    )
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
