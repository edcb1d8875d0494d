"""A grip by mouse and keys: the pointer moves it across the view, the wheel along it, keys turn it.

The button closes it, letting the button go opens it. Nothing has to be quick, and a place that was reached
with the wheel or the keys stays reached.
"""

from __future__ import annotations

import math

from armoon.geometry import (
    CameraModel,
    pose_apply,
    pose_inverse,
    quat,
    quat_as_seen,
    quat_multiply,
    quat_rotate,
)
from armoon.values.intents import GripIntent, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec2, Vec3

SOURCE = "mouse"
#: One click of the wheel along the view: three of them are a ladder's rail and rung.
WHEEL_M = 0.004
#: One press of a turning key; the demo's wishes and people's are coarser than this.
TURN_RAD = math.radians(3.0)
#: The grip stays between these distances from the camera.
NEAREST_M, FARTHEST_M = 0.10, 1.4
#: Turning keys, and which way they rotate (``CommandKind.TILT``).
TILTS = {"q": -1, "e": 1, "w": 2, "s": -2, "a": -3, "d": 3}


def turned_by(
    name: str, before: Quat, table_from_camera: Pose, mirrored: bool, turn_rad: float = TURN_RAD
) -> Quat:
    """A grip's rotation after a turning key, seen through this camera."""
    return quat(quat_multiply(quat_as_seen(TILTS[name], turn_rad, table_from_camera, mirrored), before))


class MouseGrip:
    """Turns pointer and keys into grips; hover without a button, hold with it."""

    def __init__(self, camera: CameraModel, table_from_camera: Pose, mirrored: bool) -> None:
        self._camera = camera
        self._table_from_camera = table_from_camera
        self._mirrored = mirrored
        self._depth_m = pose_apply(pose_inverse(table_from_camera), (0.0, 0.0, 0.0))[2]
        self._place: Vec2 | None = None
        self._closed = False
        self._turned: Quat = IDENTITY_QUAT
        self._edges: list[GripPhase] = []

    def see_camera(self, table_from_camera: Pose) -> None:
        """The camera, or the table, was moved."""
        self._table_from_camera = table_from_camera

    def move(self, place: Vec2, pressed: bool, wheel: float = 0.0) -> None:
        """The pointer, in parts of the shown picture from its upper left corner, its button and its wheel."""
        if not all(math.isfinite(v) for v in (*place, wheel)):
            return
        self._place = place
        self._depth_m = min(FARTHEST_M, max(NEAREST_M, self._depth_m + wheel * WHEEL_M))
        if pressed is not self._closed:
            self._closed = pressed
            self._edges.append(GripPhase.GRAB if pressed else GripPhase.RELEASE)

    def key(self, name: str) -> bool:
        """A key went down; whether it was one that turns the grip."""
        if name not in TILTS or not self._closed:
            return False
        self._turned = turned_by(name, self._turned, self._table_from_camera, self._mirrored)
        return True

    @property
    def closed(self) -> bool:
        """Its button is down."""
        return self._closed

    def leave(self) -> None:
        """The pointer left the picture, or another device plays: nothing is shown any more."""
        if not self._closed:
            self._place = None

    def take(self, time_s: float, offered: Vec3 | None = None) -> tuple[GripIntent, ...]:
        """The grips since the last call, edges first; ``offered`` is where what can be taken stands.

        Nothing once the pointer has left. A closing grip begins at the offered thing's depth, as a hand's does.
        """
        if self._place is None:
            return ()
        if GripPhase.GRAB in self._edges:
            self._turned = IDENTITY_QUAT
            if offered is not None:
                self._depth_m = pose_apply(pose_inverse(self._table_from_camera), offered)[2]
        phases = [*self._edges, GripPhase.HOLD if self._closed else GripPhase.HOVER]
        self._edges = []
        return tuple(self._grip(time_s, phase) for phase in phases)

    def _grip(self, time_s: float, phase: GripPhase) -> GripIntent:
        assert self._place is not None
        across, down = self._place
        if self._mirrored:
            across = 1.0 - across
        # Pixel centres lie at whole numbers: the picture's left edge is at -0.5.
        pixel = (across * self._camera.width - 0.5, down * self._camera.height - 0.5)
        ray = self._camera.ray(pixel)
        x, y, z = (float(v) / float(ray[2]) * self._depth_m for v in ray)
        length = math.sqrt(x * x + y * y + z * z)
        axis = quat_rotate(self._table_from_camera.rotation, (x / length, y / length, z / length))
        position = pose_apply(self._table_from_camera, (x, y, z))
        return GripIntent(
            time_s=time_s,
            source=SOURCE,
            phase=phase,
            pose=Pose(position, self._turned),
            view_axis=axis,
            closing=1.0 if self._closed else 0.0,
        )
