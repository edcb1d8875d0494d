"""The loop without a clock: every camera frame is tracked, stepped and drawn, however long that takes.

For video files and the rendered camera without a screen: nothing is dropped, so two runs of one seed are the
same, and a slow machine makes the same film as a fast one.
"""

from __future__ import annotations

from functools import partial

from armoon.app.pictures import Pictures
from armoon.app.session import Onlooker, Session
from armoon.camera.frame import FrameSource
from armoon.clock import FixedStep
from armoon.engine.intake import Intake
from armoon.hands.tracking.tracker import HandTracker


def run_lockstep(
    session: Session,
    source: FrameSource,
    tracker: HandTracker,
    pictures: Pictures | None,
    onlooker: Onlooker | None = None,
) -> None:
    """Play until the game or the source ends."""
    measured = session.stopwatch.measured
    steps: FixedStep | None = None
    while not session.over:
        frame = measured("capture", source.read)
        if frame is None:
            return
        hands = measured("inference", partial(tracker.track, frame.image, frame.time_s, frame.index))
        if steps is None:
            steps = FixedStep(frame.time_s - 1.0 / source.rate_hz)
        session.turn(Intake(frame.time_s, steps.advance(frame.time_s), hands))
        if onlooker is not None:
            onlooker.show(session.sight(frame.time_s))
        if pictures is not None:
            scene = measured("compose", partial(session.scene, steps.fraction()))
            measured("draw", partial(pictures.draw, scene, frame.image, frame.time_s))
