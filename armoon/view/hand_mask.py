"""Where the hand is in the picture and how near: a small texture of the capsules along its bones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pyglet import gl

from armoon.geometry import Array, CameraModel
from armoon.scene import SceneHand
from armoon.view.gl import Framebuffer, Mesh, Program, Texture, quad_triangles
from armoon.view.projection import undistort

#: Radius of the flesh around each landmark (mediapipe's order), metres, for a palm of ``PALM_M``; from common
#: hand measures (finger breadth 15 to 20 mm), a little generous because a gap is seen sooner than an overlap.
RADII_M = np.array(
    [
        *(0.022, 0.018, 0.0135, 0.0112, 0.0092),
        *(0.0130, 0.0102, 0.0090, 0.0080),
        *(0.0130, 0.0102, 0.0090, 0.0080),
        *(0.0125, 0.0098, 0.0086, 0.0076),
        *(0.0118, 0.0086, 0.0076, 0.0068),
    ]
)
#: Wrist to middle knuckle.
PALM_M = 0.095
_FINGERS = [(i, i + 1) for start in (1, 5, 9, 13, 17) for i in range(start, start + 3)]
_PALM = [(0, 1), (0, 5), (0, 9), (0, 13), (0, 17), (5, 9), (9, 13), (13, 17), (1, 5), (2, 5)]
BONES = np.array(_FINGERS + _PALM + [(0, 21)])
#: The forearm is not tracked: it goes on from the middle knuckle through the wrist, this many palms long.
_FOREARM_PALMS = 2.4
_FOREARM_RADIUS_M = 0.036
#: The mask is drawn at this part of the picture's size; its edges are soft anyway.
_SCALE = 0.5


class HandMask:
    """The mask texture of all hands in one picture."""

    def __init__(self, camera: CameraModel, mirrored: bool, width: int, height: int) -> None:
        self._camera, self._mirrored = camera, mirrored
        self._program = Program("hand_mask.vert", "hand_mask.frag")
        self._mesh = Mesh((2, 4, 4, 2), dynamic=True)
        self._make(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit the mask to a picture of ``width`` x ``height`` pixels."""
        self._target.delete()
        self.texture.delete()
        self._make(width, height)

    def _make(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self.texture = Texture(max(1, int(width * _SCALE)), max(1, int(height * _SCALE)), 2)
        self._target = Framebuffer(self.texture.width, self.texture.height, texture=self.texture)
        self._empty = False

    def draw(self, hands: tuple[SceneHand, ...]) -> None:
        """Draw the hands' bones; with no hands the mask is cleared once."""
        if not hands and self._empty:
            return
        self._target.bind()
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        self._empty = not hands
        if not hands:
            return
        quads = np.concatenate([self._quads(hand) for hand in hands])
        self._mesh.upload(quads, quad_triangles(len(quads) // 4))
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendEquation(gl.GL_MAX)
        self._program.use()
        self._mesh.draw()
        gl.glBlendEquation(gl.GL_FUNC_ADD)
        gl.glDisable(gl.GL_BLEND)

    def _quads(self, hand: SceneHand) -> npt.NDArray[np.float32]:
        """Four vertices (4 * bones, 12) around each bone."""
        points, depths, radii_m = _joints(self._camera, hand)
        zoom = np.array([self._width / self._camera.width, self._height / self._camera.height])
        drawn = (points + 0.5) * zoom
        drawn[:, 1] = self._height - drawn[:, 1]
        if self._mirrored:
            drawn[:, 0] = self._width - drawn[:, 0]
        radii_px = radii_m * self._camera.fx / depths * zoom[0]
        a, b = drawn[BONES[:, 0]], drawn[BONES[:, 1]]
        along = b - a
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
        across = np.column_stack([-along[:, 1], along[:, 0]])
        margin = (np.maximum(radii_px[BONES[:, 0]], radii_px[BONES[:, 1]]) + 4.0)[:, None]
        corners = [
            a - (along + across) * margin,
            b + (along - across) * margin,
            b + (along + across) * margin,
            a - (along - across) * margin,
        ]
        shared = np.column_stack(
            [a, b, radii_px[BONES], radii_m[BONES], depths[BONES]],
        )
        block = np.stack([np.column_stack([corner, shared]) for corner in corners], axis=1)
        return np.asarray(block.reshape(-1, block.shape[-1]), dtype=np.float32)


def _joints(camera: CameraModel, hand: SceneHand) -> tuple[Array, Array, Array]:
    """Undistorted pixels (22, 2), depths (22,) and radii (22,) in metres; the last is the forearm's end."""
    points = undistort(camera, np.asarray(hand.points_px, dtype=np.float64))
    depths = np.maximum(np.asarray(hand.depths_m, dtype=np.float64), 0.08)
    focal = np.array([camera.fx, camera.fy])
    metric = np.column_stack(
        [(points - np.array([camera.cx, camera.cy])) / focal * depths[:, None], depths],
    )
    palm = float(np.linalg.norm(metric[9] - metric[0]))
    size = min(max(palm / PALM_M, 0.7), 1.4)
    elbow = metric[0] + (metric[0] - metric[9]) * _FOREARM_PALMS
    # The forearm may come from behind the camera: keep its end in front, where it can be projected.
    short = 1.0 if elbow[2] > 0.12 else (metric[0, 2] - 0.12) / max(metric[0, 2] - elbow[2], 1e-6)
    elbow = metric[0] + (elbow - metric[0]) * max(short, 0.05)
    end = elbow[:2] / elbow[2] * focal + np.array([camera.cx, camera.cy])
    return (
        np.vstack([points, end]),
        np.append(depths, elbow[2]),
        np.append(RADII_M, _FOREARM_RADIUS_M) * size,
    )
