"""What the faint ladder's foretelling costs the game's own thread, with a ladder held over a tower."""

from __future__ import annotations

import math
import time

from armoon import __version__
from armoon.camera.seat import SEATS
from armoon.clock import TICK_S
from armoon.engine.intake import Intake
from armoon.engine.setup import table_at
from armoon.games.moon.choosing.foretelling import Foretelling
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.setup import MoonSetup
from armoon.values.choices import Air, Slots
from armoon.values.facts import PieceStatus
from armoon.values.intents import GripIntent, GripPhase
from armoon.values.poses import Pose
from benchmarks.placement_parts.cases import EDITION, PLAYERS, Case
from benchmarks.placement_parts.table import started
from benchmarks.structures.towers import CONFIGURATION, STAGE, load_tower

#: Ticks a picture, and number of pictures.
TICKS, FRAMES = 2, 240
#: How far, and how often, the hand moves between holding still.
SWAY_M, SWAY_S = 0.03, 2.0


def extra_ms() -> float:
    """Return milliseconds of processor time a picture, a ladder being moved and held still in turn."""
    tower = load_tower(STAGE)
    case = Case(1, STAGE, tuple((name, pose) for name, pose, fixed in tower.standing if not fixed))
    table = table_at(SEATS["table"](640, 360), __version__, air=Air.WAITS)
    setup = MoonSetup(
        seed=1,
        edition=EDITION,
        players=PLAYERS,
        auto_roll_s=0.25,
        slots=Slots(CONFIGURATION),
        start=started(case),
    )
    match = MoonMatch(table, setup)
    foretelling = Foretelling(match, on_time=True)
    now_s, spent_s = 0.0, 0.0
    try:
        while not (offered := [p for p in match.facts.pieces if p.status is PieceStatus.OFFERED]):
            now_s += TICKS * TICK_S
            match.advance(Intake(now_s, TICKS, None))
        (rail, *_) = match.ladders[offered[0].piece].rails
        x, y, z = (a + b for a, b in zip(offered[0].pose.position, rail[0], strict=True))
        for frame in range(FRAMES):
            now_s += TICKS * TICK_S
            sway = SWAY_M * max(0.0, math.sin(math.tau * now_s / SWAY_S))
            place = Pose((x + (min(frame, 60) / 60.0) * -x + sway, y, z + min(frame, 60) * 0.003))
            phase = GripPhase.HOLD if frame else GripPhase.GRAB
            match.advance(
                Intake(now_s, TICKS, None, (), (GripIntent(now_s, "mouse", phase, place, (0.0, 1.0, 0.0)),))
            )
            began_s = time.thread_time()
            foretelling.see()
            spent_s += time.thread_time() - began_s
        assert match.holding, "nothing is held"
    finally:
        foretelling.close()
        match.close()
    return round(1000.0 * spent_s / FRAMES, 3)
