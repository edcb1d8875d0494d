"""Showing a logged game again: the same intakes, stepped and drawn over an empty table."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

import numpy as np

from armoon.app.pictures import Picture, open_pictures
from armoon.app.session import Session, sentences_console
from armoon.engine.logbook import LogReader
from armoon.engine.match import Match
from armoon.engine.replay import intakes, logged_match
from armoon.errors import LogError
from armoon.games import kind_of
from armoon.inputs.controls import Controls
from armoon.messages import text
from armoon.settings.options import ReplayOptions

#: The film of a replay, whatever the rate of the logged loop.
RATE_HZ = 30.0
#: What stands behind a game whose camera pictures were never kept.
NIGHT_BGR = (58, 42, 34)


def replay_game(options: ReplayOptions) -> int:
    """Show the log's game from its start to its end, or to where the log is damaged."""
    console = sentences_console()
    reader = LogReader(options.log)
    match = logged_match(reader)
    kind = kind_of(match.game)
    with ExitStack() as stack:
        session = Session(kind.game(match), None, console.print)
        stack.callback(session.close)
        controls = Controls()
        pictures = open_pictures(
            kind.viewed(match),
            headless=options.headless,
            record=options.record,
            rate_hz=RATE_HZ,
            title=f"armoon: {options.log.name}",
            on_key=controls.key,
        )
        if pictures is not None:
            stack.callback(pictures.close)
        night = _night(match)
        start_s: float | None = None
        shown_s = -1.0
        for intake in intakes(reader):
            session.turn(intake)
            if pictures is None or intake.now_s - shown_s < 0.999 / RATE_HZ:
                continue
            shown_s = intake.now_s
            if pictures.window is not None:
                start_s = time.monotonic() - intake.now_s if start_s is None else start_s
                time.sleep(max(0.0, start_s + intake.now_s - time.monotonic()))
                pictures.window.pump()
                if controls.leave or pictures.window.closed:
                    break
            pictures.draw(session.scene(1.0), night, intake.now_s)
        console.print(text("log.closing", count=session.turns_played))
    if reader.damage is not None:
        raise LogError(
            f"The log {options.log} is not complete: {reader.damage}.",
            remedy="Everything before that was shown.",
        )
    return 0


def _night(match: Match[Any]) -> Picture:
    camera = match.table.camera
    picture = np.empty((camera.height, camera.width, 3), np.uint8)
    picture[:] = NIGHT_BGR
    return picture
