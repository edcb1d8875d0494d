"""How well the drawn hand mask fits the real hand, and how long a movement takes to the picture.

The rendered camera's hand has an exact outline: its own mesh, projected. The whole way is real: rendered frame,
tracker, interpretation, scene, mask and picture.
"""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.seat import Seat, table_seat
from armoon.clock import FixedStep
from armoon.engine.intake import Intake
from armoon.engine.setup import table_at
from armoon.games.moon.presenters.scene import compose
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.setup import MoonSetup
from armoon.geometry import CameraModel, mat_from_pose, pose_inverse
from armoon.hands.tracking.tracker import HandTracker
from armoon.synthetic_camera.anatomy import (
    HandState,
    bone_transforms,
    grip_angles,
    hand_matrix,
    palm_for_grip,
)
from armoon.synthetic_camera.hand_model import HandMesh, load_hand_model
from armoon.synthetic_camera.holding import TABLE_ROTATION, rotated
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.choices import Air
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Scene

if TYPE_CHECKING:
    from armoon.gl.surface import HeadlessSurface
    from armoon.view.scene.renderer import Renderer

WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0
#: Frames for which a hand stands still before its mask is judged: filters have come to rest then.
STILL_FRAMES = 12
#: Grip places (table frame) with turns about the upright axis, degrees, and how far the hand is closed.
POSES: tuple[tuple[Vec3, float, float], ...] = (
    ((0.06, -0.02, 0.14), 0.0, 0.0),
    ((0.06, -0.02, 0.14), 0.0, 1.0),
    ((0.12, 0.00, 0.08), 20.0, 0.6),
    ((-0.02, 0.02, 0.22), -20.0, 1.0),
    ((0.02, -0.08, 0.18), 10.0, 0.3),
    ((0.10, 0.06, 0.20), -10.0, 0.0),
)
#: Steps of the moving hand whose way to the picture is timed, after some that warm everything up.
STEPS, WARM_UP = 24, 6
STEP_M = 0.012
#: Difference from which a pixel has changed: more than the camera's noise.
CHANGED = 24


@dataclass(frozen=True)
class HandFigures:
    """The figures of the hand's mask and of the latency."""

    mask_iou: float
    """Mean over the poses of the area in common over the area of both."""
    mask_iou_least: float
    poses_seen: int
    motion_to_photon_ms: float
    """Median time from a frame with the hand moved to the picture, read back, with the hand moved."""
    motion_to_photon_worst_ms: float


def measure_hand() -> HandFigures:
    """Track a rendered hand through a match, and look at its mask and at the time it takes."""
    # Drawing imports pyglet, which decides then whether there is a screen.
    from armoon.gl.surface import HeadlessSurface

    seat = table_seat(WIDTH, HEIGHT)
    surface = HeadlessSurface(WIDTH, HEIGHT)
    from armoon.view.scene.renderer import Renderer

    camera = RenderedCamera(seat.camera, seat.table_from_camera, None)
    way = _Way(seat, camera)
    surface.make_current()
    match = way.match
    renderer = Renderer(
        match.ladders, match.base, seat.camera, seat.table_from_camera, seat.mirrored, WIDTH, HEIGHT
    )
    try:
        found = _mask_ious(way, surface, renderer)
        spent = _latencies(way, surface, renderer)
    finally:
        way.close()
        camera.close()
        surface.close()
    return HandFigures(
        statistics.fmean(found) if found else 0.0,
        min(found, default=0.0),
        len(found),
        statistics.median(spent) if spent else math.nan,
        max(spent, default=math.nan),
    )


class _Way:
    """From a hand's pose to a scene: rendered camera, tracker, match."""

    def __init__(self, seat: Seat, camera: RenderedCamera) -> None:
        self.seat = seat
        self.match = _match(seat)
        self._camera = camera
        self._tracker = HandTracker()
        self._steps = FixedStep(-1.0 / RATE_HZ)
        self._frames = 0

    def film(self, hand: HandState) -> npt.NDArray[np.uint8]:
        """Return the next frame."""
        return self._camera.render([hand])

    def scene(self, frame: npt.NDArray[np.uint8]) -> Scene:
        """Return the game's scene."""
        time_s = self._frames / RATE_HZ
        hands = self._tracker.track(frame, time_s, self._frames)
        self.match.advance(Intake(time_s, self._steps.advance(time_s), hands))
        self._frames += 1
        return compose(self.match, self._steps.fraction(), None)

    def close(self) -> None:
        self._tracker.close()
        self.match.close()


def _match(seat: Seat) -> MoonMatch:
    setup = MoonSetup(seed=3, edition="bombyx-2017", players=("Ann", "Ben"), auto_roll_s=1000.0)
    return MoonMatch(table_at(seat, "bench", air=Air.FALLS), setup)


def _mask_ious(way: _Way, surface: HeadlessSurface, renderer: Renderer) -> list[float]:
    """Return the fit of the mask in each pose in which the tracker sees the hand."""
    mesh = load_hand_model().mesh
    found = []
    for place, turn_deg, grip in POSES:
        rotation = rotated(TABLE_ROTATION, (0.0, 0.0, 1.0), math.radians(turn_deg))
        hand = HandState(palm_for_grip(place, rotation, grip), grip)
        scene: Scene | None = None
        for _ in range(STILL_FRAMES):
            frame = way.film(hand)
            scene = way.scene(frame)
        if scene is None or not scene.hands:
            continue
        surface.make_current()
        renderer.draw(scene, frame)
        mask = renderer.hand_mask.read()
        drawn = cv2.resize(mask, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR) > 127
        true = true_mask(mesh, hand, way.seat.camera, way.seat.table_from_camera)
        found.append(float((drawn & true).sum() / (drawn | true).sum()))
    return found


def true_mask(
    mesh: HandMesh, hand: HandState, camera: CameraModel, table_from_camera: Pose
) -> npt.NDArray[np.bool_]:
    """Return the pixels (h, w) that the rendered camera's hand and sleeve cover: every triangle, projected."""
    bones = hand_matrix(hand.palm, hand.side) @ bone_transforms(grip_angles(hand.grip))
    rest = np.column_stack([mesh.positions, np.ones(len(mesh.positions))])
    carried = np.einsum("nkij,nj->nki", bones[mesh.bones.astype(np.intp)][..., :3, :], rest)
    places = np.einsum("nk,nki->ni", mesh.weights, carried)
    to_camera = mat_from_pose(pose_inverse(table_from_camera))
    seen = places @ to_camera[:3, :3].T + to_camera[:3, 3]
    pixels = seen[:, :2] / seen[:, 2:] * [camera.fx, camera.fy] + [camera.cx, camera.cy]
    mask = np.zeros((camera.height, camera.width), dtype=np.uint8)
    before = (seen[:, 2] > 0.05)[mesh.triangles].all(axis=1)
    # Sixteenths of a pixel; beyond +-2000 px nothing of the picture is left.
    corners = np.round(np.clip(pixels, -2000.0, 2000.0) * 16.0).astype(np.int32)
    for triangle in corners[mesh.triangles[before]]:
        cv2.fillConvexPoly(mask, triangle, (255,), shift=4)
    return np.asarray(mask > 0)


def _latencies(way: _Way, surface: HeadlessSurface, renderer: Renderer) -> list[float]:
    """Milliseconds from each frame in which the hand has moved to the picture that shows it, read back."""
    spent = []
    before: npt.NDArray[np.uint8] | None = None
    for step in range(WARM_UP + STEPS):
        place = (0.02 + STEP_M * (step % 8), -0.02, 0.14)
        frame = way.film(HandState(palm_for_grip(place, TABLE_ROTATION, 0.0), 0.0))
        start = time.perf_counter()
        scene = way.scene(frame)
        surface.make_current()
        renderer.draw(scene, frame)
        after = surface.read_bgr()
        end = time.perf_counter()
        moved = before is not None and bool((cv2.absdiff(after, before) > CHANGED).any())
        if step >= WARM_UP and moved:
            spent.append(1000.0 * (end - start))
        before = after
    return spent
