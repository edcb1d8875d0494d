"""The demo camera: a process that renders webcam pictures of a simulated player's hand.

The game receives only frames with times; the process receives only what the screen shows (``Observation``). It renders
the next frame while the game processes the current one.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np

from armoon.camera.profiles import CameraSeat
from armoon.camera.sources import Frame, Image
from armoon.errors import ArmoonError, CameraError
from armoon.geometry import mat_from_quat, pose_compose, quat_from_matrix, quat_rotate
from armoon.players.hand import Habits, Observation, PlayerFactory, SimulatedPlayer
from armoon.processes.child import Worker, WorkerLostError
from armoon.processes.system import release_memory
from armoon.synthetic_camera import anatomy
from armoon.synthetic_camera.look import StageLook
from armoon.values.paper import HELD_X_M, PaperLadder
from armoon.values.poses import Pose, Quat, Vec3

#: Time limits for the process's first message and for a frame, seconds.
START_PATIENCE_S = 180.0
FRAME_PATIENCE_S = 60.0
#: Angle by which a paper ladder points down in the picture, which keeps the hand above the table.
PAPER_SLOPE_RAD = math.radians(20.0)
PAPER_REST: Vec3 = (0.14, -0.06, 0.20)
#: Interval of the animation while the process starts, in seconds.
ANIMATION_INTERVAL_S = 0.05


@dataclass(frozen=True)
class DemoOptions:
    """The configuration of the demo's process, sent once at its start."""

    seat: CameraSeat
    seed: int
    rate_hz: float
    look: StageLook
    player_factory: PlayerFactory
    paper: PaperLadder | None = None
    """The paper ladder in the hand; None for a bare hand."""


class DemoCamera:
    """A frame source (``camera.sources.FrameSource``) with the frames of the demo's process."""

    def __init__(self, options: DemoOptions, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Start the process, and call ``meanwhile`` repeatedly until it is ready. Raises CameraError."""
        self.width = options.seat.camera.width
        self.height = options.seat.camera.height
        self.rate_hz = options.rate_hz
        self.description = f"built-in rendered camera, {self.width}x{self.height} at {self.rate_hz:g} Hz"
        self.live = False
        self._index = 0
        self._is_closed = False
        self._is_linked = True
        self._observation: Observation | None = None
        self._memory = SharedMemory(create=True, size=self.width * self.height * 3)
        self._picture: Image = np.ndarray((self.height, self.width, 3), np.uint8, buffer=self._memory.buf)
        self._worker = Worker("demo", serve, options, self._memory.name)
        try:
            deadline_s = time.monotonic() + START_PATIENCE_S
            while time.monotonic() < deadline_s and not self._worker.wait_for_message(ANIMATION_INTERVAL_S):
                meanwhile()
            self._receive(0.0, "ready")
            self._unlink_memory()
        except BaseException:
            self.close()
            raise
        self._request_frame()

    def set_observation(self, observation: Observation) -> None:
        self._observation = observation

    def read(self) -> Frame:
        """Return the next frame. Raises CameraError if the demo's process has ended."""
        self._receive(FRAME_PATIENCE_S, "frame")
        frame = Frame(self._index, self._index / self.rate_hz, self._picture.copy())
        self._index += 1
        self._request_frame()
        return frame

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._worker.close()
        del self._picture
        self._memory.close()
        self._unlink_memory()

    def _unlink_memory(self) -> None:
        """Unlink the memory after both processes have opened it, so that the system frees it when they end."""
        if self._is_linked:
            self._is_linked = False
            self._memory.unlink()

    def _request_frame(self) -> None:
        if not self._worker.send((self._index / self.rate_hz, self._observation)):
            raise CameraError("fault.camera.rendered_gone")

    def _receive(self, patience_s: float, *expected: str) -> tuple[Any, ...]:
        try:
            message: tuple[Any, ...] = self._worker.receive(patience_s)
        except WorkerLostError as error:
            raise CameraError("fault.camera.rendered_gone") from error
        if message[0] == "failed":
            fault = message[1]
            remedy = fault.remedy if isinstance(fault, ArmoonError) else None
            raise CameraError("fault.camera.rendered", remedy=remedy, why=getattr(fault, "what", fault))
        assert message[0] in expected, message[0]
        return message


def find_paper_rotation(seat: CameraSeat, rise_rad: float = -PAPER_SLOPE_RAD) -> Quat:
    """Return the rotation of a paper ladder, in a right hand, that faces the camera and rises by this angle."""
    right, down, view = mat_from_quat(seat.table_from_camera.rotation).T
    side = right if seat.mirrored else -right
    long_axis = math.cos(rise_rad) * side - math.sin(rise_rad) * down
    return quat_from_matrix(np.column_stack([long_axis, np.cross(-view, long_axis), -view]))


def make_paper_habits(seat: CameraSeat) -> Habits:
    habits, rotation = make_habits(seat), find_paper_rotation(seat)
    return Habits(Pose(PAPER_REST, rotation), rotation, habits.view_axis, habits.eye, exact=True)


def make_habits(seat: CameraSeat) -> Habits:
    """Return poses that the tracker recognises well and a right hand can reach."""
    view_axis = quat_rotate(seat.table_from_camera.rotation, (0.0, 0.0, 1.0))
    rotation = anatomy.MIRROR_ROTATION if seat.mirrored else anatomy.TABLE_ROTATION
    rest = (0.24, 0.02, 0.20) if seat.mirrored else (0.22, -0.03, 0.16)
    return Habits(Pose(rest, rotation), rotation, view_axis, seat.table_from_camera.position)


def serve(pipe: Connection, options: DemoOptions, memory_name: str) -> None:
    memory = SharedMemory(name=memory_name)
    camera = player = None
    picture: Image | None = None
    try:
        # Not at the top, because this import makes pyglet render offscreen in the whole process.
        from armoon.synthetic_camera.rendered_camera import RenderedCamera

        size = (options.seat.camera.height, options.seat.camera.width, 3)
        picture = np.ndarray(size, np.uint8, buffer=memory.buf)
        camera = RenderedCamera(options.seat.camera, options.seat.table_from_camera, options.look)
        habits = make_habits(options.seat) if options.paper is None else make_paper_habits(options.seat)
        player = options.player_factory(habits)
        release_memory()
        pipe.send(("ready",))
        while True:
            time_s, observation = pipe.recv()
            picture[:] = camera.render([pose_hand(player, observation, time_s, habits.rest, options.paper)])
            pipe.send(("frame", time_s))
    except (EOFError, ConnectionError):
        pass  # the game has closed the pipe
    except Exception as error:
        with contextlib.suppress(OSError):
            pipe.send(
                ("failed", error if isinstance(error, ArmoonError) else f"{type(error).__name__}: {error}.")
            )
    finally:
        if player is not None:
            player.close()
        if camera is not None:
            camera.close()
        picture = None  # the memory can't be closed while this view exists
        memory.close()


def pose_hand(
    player: SimulatedPlayer,
    view: Observation | None,
    time_s: float,
    rest: Pose,
    paper: PaperLadder | None = None,
) -> anatomy.HandState:
    """Return the player's hand in this frame; before the first observation, it rests."""
    grip, closing = (rest, 0.0) if view is None else player.aim_hand(replace(view, time_s=time_s))
    if paper is None:
        return anatomy.HandState(anatomy.place_palm(grip.position, grip.rotation), closing)
    card = pose_compose(grip, Pose((-HELD_X_M, 0.0, 0.0)))
    return anatomy.HandState(anatomy.place_palm_on_paper(card), closing, paper=anatomy.HeldPaper(paper, card))
