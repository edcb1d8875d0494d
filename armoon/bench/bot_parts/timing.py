"""How long the opponents think by the clock, and what a game's frames cost beside one that thinks."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

from armoon.clock import TICK_S
from armoon.engine.intake import Intake
from armoon.games.moon.bots.alone import FRAME_TICKS, bot_match
from armoon.games.moon.bots.levels import Level
from armoon.games.moon.bots.seats import MoonBots
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame

#: A game's frame beside a thinking bot may cost so much of one without.
RATIO = 1.15
#: So many frames of each kind are measured.
THINKING_FRAMES = 60
#: Nobody waits longer for a thought; so many are timed.
LONGEST_THOUGHT_S, TIMED_THOUGHTS = 8.0, 8


@dataclass(frozen=True)
class Timed:
    """What the clock says."""

    think_s_most: float
    think_s_median: float
    frame_ratio: float
    """Of frames by the clock."""
    frame_ratio_work: float
    """The same by the processor's time of the game's own process."""


def timed() -> Timed:
    """Measure all of it."""
    ratio, work = frame_ratios()
    thoughts = thoughts_s()
    return Timed(max(thoughts), statistics.median(thoughts), ratio, work)


def frame_ratios() -> tuple[float, float]:
    """What a frame of a game costs while a bot thinks, in parts of one while nobody does: by clock and by work."""
    options = MoonOptions(bots=(Level.LUNA.value, None))
    match = bot_match(options, ("Luna", "Ann"), 3)
    bots = MoonBots(match, on_time=True, pause_ticks=2)
    game = MoonGame(match, bots)
    seconds: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    try:
        for frame in range(100_000):
            before = bots.thinking
            began, worked = time.perf_counter(), time.thread_time()
            game.advance(Intake((frame + 1) * FRAME_TICKS * TICK_S, FRAME_TICKS, None))
            if before is bots.thinking and match.facts.held is None:
                seconds[before].append((time.perf_counter() - began, time.thread_time() - worked))
            if min(map(len, seconds.values())) >= THINKING_FRAMES or match.state.turn > 1:
                break
            time.sleep(max(0.0, FRAME_TICKS * TICK_S - (time.perf_counter() - began)))
    finally:
        game.close()
    beside, without = (
        [statistics.median(column) for column in zip(*seconds[kind], strict=True)] for kind in (True, False)
    )
    return beside[0] / without[0], beside[1] / without[1]


def thoughts_s() -> list[float]:
    """How long the two strongest think by the clock, on a machine whose every core has something else to do."""
    options = MoonOptions(bots=(Level.LUNA.value, Level.SYLVA.value))
    match = bot_match(options, options.party(()), 5)
    bots = MoonBots(match, on_time=False, pause_ticks=2, patience=1.0)
    game = MoonGame(match, bots)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 2)]
    try:
        while len(bots.think_s) < TIMED_THOUGHTS and not game.over:
            game.advance(Intake((match.tick + FRAME_TICKS) * TICK_S, FRAME_TICKS, None))
        return bots.think_s
    finally:
        for process in busy:
            process.kill()
            process.wait()
        game.close()
