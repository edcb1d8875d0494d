"""Laying a table of any game, and starting the cameras that look at it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

from armoon.app.feed import Feed
from armoon.app.laid import Laid
from armoon.app.webcam import open_upright
from armoon.camera.capture import CameraThread
from armoon.camera.frame import Frame, FrameSource
from armoon.camera.seat import Seat
from armoon.clock import Clock
from armoon.hands.tracking.tracker import HandTracker
from armoon.hands.tracking.worker import TrackerThread
from armoon.messages import text
from armoon.players.demo import DemoOptions
from armoon.settings.options import PlayOptions

if TYPE_CHECKING:
    from armoon.players.demo import DemoCamera

#: How long the tracker may take to start on a slow machine.
TRACKER_PATIENCE_S = 60.0


def lay(
    options: PlayOptions, seat: Seat, folder: Path, console: Console, *, cropped: bool, on_time: bool
) -> Laid:
    """The game that the options name, ready to be played. Raises ArmoonError for what a user can mend."""
    if options.game == "lake":
        from armoon.app.lay_lake import lay_lake

        return lay_lake(options, seat, folder, console, on_time=on_time)
    from armoon.app.lay_moon import lay_moon

    return lay_moon(options, seat, folder, console, cropped=cropped, on_time=on_time)


def start_camera(options: PlayOptions, source: FrameSource, stack: ExitStack, clock: Clock) -> Feed:
    """Camera and tracker in their threads, which the stack will join.

    From here on the thread owns the source: OpenCV crashes when another one closes it.
    """
    waiting = [source]

    def open_again() -> FrameSource:
        return waiting.pop() if waiting else open_upright(options)

    made: list[HandTracker] = []

    def make_tracker() -> HandTracker:
        made.append(HandTracker())
        return made[0]

    camera = CameraThread(open_again)
    stack.callback(camera.close)
    worker: TrackerThread[Frame] = TrackerThread(make_tracker)
    stack.callback(worker.close)
    worker.wait_ready(TRACKER_PATIENCE_S)
    camera.start()
    return Feed(camera, worker, clock, lambda region: made[0].look_at(region))


def open_demo(demo: DemoOptions, meanwhile: Callable[[], None]) -> DemoCamera:
    """The rendered camera whose player plays; ``meanwhile`` is called while it gets ready."""
    from armoon.players.demo import DemoCamera

    with Progress(transient=True) as bar:
        task = bar.add_task(text("start.preparing"), total=1.0)

        def show_progress(fraction: float, what: str) -> None:
            bar.update(task, completed=fraction)
            meanwhile()

        return DemoCamera(demo, progress=show_progress)
