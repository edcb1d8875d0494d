"""The loop in real time: threads for camera and tracker, newest frame wins, 60 ticks a second."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from armoon.app.pictures import Pictures
from armoon.app.session import Session
from armoon.camera.capture import CameraState, CameraThread
from armoon.camera.frame import Frame
from armoon.clock import FixedStep
from armoon.demo import DemoCamera
from armoon.hands.worker import TrackerThread
from armoon.intents import Command, CommandKind
from armoon.match.match import Intake
from armoon.messages import text

if TYPE_CHECKING:
    from armoon.view.window import Pointer

#: Without a window to wait for, the loop turns this often.
LOOP_S = 1.0 / 60.0
#: What the player is told while the camera gives no picture.
CAMERA_PAUSES = {CameraState.FROZEN: "pause.camera_frozen", CameraState.GONE: "pause.camera_gone"}


class Controls:
    """Keys and mouse buttons as commands, collected between two turns of the loop."""

    def __init__(self) -> None:
        self._commands: list[Command] = []
        self._pressed = False
        self._paused = False
        self.leave = False

    @property
    def paused(self) -> bool:
        """The player asked for a pause."""
        return self._paused

    def key(self, name: str, pressed: bool) -> None:
        """A key went down or up."""
        if not pressed:
            return
        if name == "space":
            self._commands.append(Command(CommandKind.ROLL))
        elif name == "p":
            self._paused = not self._paused
        elif name == "g":
            self._commands.append(Command(CommandKind.GIVE_UP_LADDER))
        elif name == "escape":
            self.leave = True

    def pointer(self, pointer: Pointer) -> None:
        """The mouse moved; a click rolls."""
        if pointer.pressed and not self._pressed:
            self._commands.append(Command(CommandKind.ROLL, "mouse"))
        self._pressed = pointer.pressed

    def take(self) -> tuple[Command, ...]:
        """What came in since the last call."""
        commands = tuple(self._commands)
        self._commands.clear()
        return commands


class _Pause:
    """Turns reasons to pause into PAUSE and RESUME commands at their edges."""

    def __init__(self) -> None:
        self._reason: str | None = None

    def commands(self, reason: str | None) -> tuple[Command, ...]:
        was, self._reason = self._reason, reason
        if reason is not None and was is None:
            return (Command(CommandKind.PAUSE, reason),)
        if reason is None and was is not None:
            return (Command(CommandKind.RESUME, was),)
        return ()


def run_live(
    session: Session,
    camera: CameraThread,
    tracker: TrackerThread[Frame],
    pictures: Pictures | None,
    controls: Controls,
    demo: DemoCamera | None,
) -> None:
    """Play until the game or the camera ends, or the player leaves."""
    window = None if pictures is None else pictures.window
    steps = FixedStep(time.monotonic())
    pause = _Pause()
    shown: Frame | None = None
    while not session.over and not controls.leave:
        # Intake: window events, the newest frame for the tracker, its newest result.
        if window is not None:
            window.pump()
            if window.closed:
                return
        frame = camera.frames.take(0.0 if window is not None else LOOP_S)
        if frame is not None:
            tracker.submit(frame)
        result = tracker.take()
        if result is not None:
            shown = result.frame
        state = camera.state
        if state is CameraState.ENDED and frame is None and result is None:
            if camera.fault is not None:
                raise camera.fault
            return
        reason = "pause.asked" if controls.paused else CAMERA_PAUSES.get(state)
        now_s = time.monotonic()
        session.turn(
            Intake(
                now_s,
                steps.advance(now_s),
                None if result is None else result.hands,
                controls.take() + pause.commands(reason),
            )
        )
        if demo is not None:
            demo.show(session.sight(now_s))
        if pictures is not None and shown is not None:
            banner = "" if reason is None else text(reason)
            scene = session.scene(steps.fraction(), banner)
            if window is not None or result is not None:
                session.stopwatch.measured("draw", partial(pictures.draw, scene, shown.image, now_s))
