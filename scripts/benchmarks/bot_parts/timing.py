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
from armoon.games.moon.bots.process import GRACE_S
from armoon.games.moon.bots.seats import THINK_S, MoonBots
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules.editions import Options
from armoon.games.moon.rules.values import Phase
from armoon.values.intents import Command, CommandKind

#: A game's frame beside a thinking bot may cost so much of one without.
RATIO = 1.15
#: So many frames of each kind are measured.
THINKING_FRAMES = 60
#: A person does something after so many; the game is broken off after so many.
PERSONS_FRAMES, MOST_FRAMES = 20, 20_000
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
    """What a frame costs while a bot thinks, in parts of one while a person does: by clock and by work.

    Both have a ladder in the lid, and the same stands but for what the bot has placed since.
    """
    options = MoonOptions(bots=(None, Level.LUNA.value), house=Options(tears=30, two_player_limit=30))
    match = bot_match(options, ("Ann", "Luna"), 3)
    bots = MoonBots(match, on_time=True, pause_ticks=2)
    game = MoonGame(match, bots)
    seconds: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    waited = 0
    try:
        for frame in range(MOST_FRAMES):
            before = _beside(match, bots)
            commands: tuple[Command, ...] = ()
            if match.state.player == 0:
                waited += 1
                kind = CommandKind.ROLL if match.state.phase is Phase.ROLL else CommandKind.GIVE_UP_LADDER
                commands = (Command(kind),) if waited % PERSONS_FRAMES == 0 else ()
            began, worked = time.perf_counter(), time.thread_time()
            game.advance(Intake((frame + 1) * FRAME_TICKS * TICK_S, FRAME_TICKS, None, commands))
            if before is not None and before is _beside(match, bots):
                seconds[before].append((time.perf_counter() - began, time.thread_time() - worked))
            if min(map(len, seconds.values())) >= THINKING_FRAMES or game.over:
                break
            time.sleep(max(0.0, FRAME_TICKS * TICK_S - (time.perf_counter() - began)))
    finally:
        game.close()
    beside, without = (
        [statistics.median(column) for column in zip(*seconds[kind], strict=True)] for kind in (True, False)
    )
    return beside[0] / without[0], beside[1] / without[1]


def _beside(match: MoonMatch, bots: MoonBots) -> bool | None:
    """Whether a bot thinks, or a person, where a ladder lies in the lid; None: neither does."""
    if match.state.phase is not Phase.DRAW or not match.at_rest:
        return None
    if match.bot is None:
        return False
    return True if bots.thinking else None


def thoughts_s() -> list[float]:
    """How long the two strongest think by the clock, on a machine whose every core has something else to do.

    A turn that is lost because nobody answers counts as longer than anybody waits.
    """
    options = MoonOptions(bots=(Level.LUNA.value, Level.SYLVA.value))
    match = bot_match(options, options.party(()), 5)
    bots = MoonBots(match, on_time=False, pause_ticks=2, patience=1.0)
    game = MoonGame(match, bots)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 2)]
    try:
        while len(bots.think_s) < TIMED_THOUGHTS and not game.over:
            game.advance(Intake((match.tick + FRAME_TICKS) * TICK_S, FRAME_TICKS, None))
        return bots.think_s + [THINK_S + GRACE_S] * bots.faults
    finally:
        for process in busy:
            process.kill()
            process.wait()
        game.close()
