"""The loop in real time: threads for camera and tracker, newest frame wins, 60 ticks a second."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armoon.app.feed import Feed
from armoon.app.pictures import Pictures
from armoon.app.session import Onlooker, Session
from armoon.camera.capture import CameraThread
from armoon.camera.frame import Frame
from armoon.clock import Clock, FixedStep, WallClock
from armoon.hands.worker import TrackerThread
from armoon.intents import Command, CommandKind
from armoon.match.intake import Intake
from armoon.messages import text

if TYPE_CHECKING:
    from armoon.view.window import Pointer


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


class Pause:
    """Turns reasons to pause into PAUSE and RESUME commands at their edges."""

    def __init__(self) -> None:
        self._reason: str | None = None

    def commands(self, reason: str | None) -> tuple[Command, ...]:
        """The command that a new reason, or the end of one, comes to."""
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
    onlooker: Onlooker | None = None,
    clock: Clock | None = None,
) -> None:
    """Play until the game or the camera ends, or the player leaves.

    ``clock`` is the one by which the camera's thread stamps its frames. Raises the camera's fault when a
    video breaks off, and the tracker's.
    """
    clock = clock or WallClock()
    window = None if pictures is None else pictures.window
    steps = FixedStep(clock.now_s())
    pause = Pause()
    feed = Feed(camera, tracker, clock)
    while not session.over and not controls.leave:
        # Intake: window events, the newest frame for the tracker, its newest result.
        if window is not None:
            window.pump()
            if window.closed:
                return
        fed = feed.take()
        if fed.ended:
            return
        reason = "pause.asked" if controls.paused else fed.pause_key
        now_s = clock.now_s()
        hands = None if fed.result is None else fed.result.hands
        commands = controls.take() + pause.commands(reason)
        session.turn(Intake(now_s, steps.advance(now_s), hands, commands))
        if onlooker is not None:
            onlooker.show(session.sight(now_s))
        if pictures is not None and (window is not None or fed.result is not None):
            scene = session.scene(steps.fraction(), "" if reason is None else text(reason))
            session.stopwatch.measured("draw", partial(pictures.draw, scene, feed.image, now_s))
