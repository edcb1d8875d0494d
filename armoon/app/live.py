"""The loop in real time: threads for camera and tracker, newest frame wins, 60 ticks a second."""

from __future__ import annotations

from functools import partial

from armoon.app.feed import Feed
from armoon.app.pictures import Pictures
from armoon.app.session import Onlooker, Session
from armoon.app.webcam import TableWatch
from armoon.clock import Clock, FixedStep, WallClock
from armoon.engine.intake import Intake
from armoon.inputs.controls import Controls
from armoon.messages import text
from armoon.values.intents import Command, CommandKind


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
    feed: Feed,
    pictures: Pictures | None,
    controls: Controls,
    onlooker: Onlooker | None = None,
    clock: Clock | None = None,
    table: TableWatch | None = None,
) -> None:
    """Play until the game or the camera ends, or the player leaves.

    ``clock`` is the one by which the camera's thread stamps its frames; ``table`` follows the real table, if
    there is one. Raises the camera's fault when a
    video breaks off, and the tracker's.
    """
    clock = clock or WallClock()
    window = None if pictures is None else pictures.window
    steps = FixedStep(clock.now_s())
    pause = Pause()
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
        moved = None
        if table is not None:
            table.see(fed)
            reason = reason or table.pause_key
            moved = table.take_change()
        now_s = clock.now_s()
        hands = None if fed.result is None else fed.result.hands
        commands = controls.take() + pause.commands(reason)
        grips = controls.grips(now_s, session.game)
        session.turn(Intake(now_s, steps.advance(now_s), hands, commands, grips, moved))
        if moved is not None:
            controls.see_table(moved)
            if pictures is not None and table is not None:
                pictures.renderer.see_table(moved, table.state.camera)
        if onlooker is not None:
            onlooker.show(session.sight(now_s))
        if pictures is not None and (window is not None or fed.result is not None):
            scene = session.scene(steps.fraction(), "" if reason is None else text(reason))
            session.stopwatch.measured("draw", partial(pictures.draw, scene, feed.image, now_s))
