"""The opponents of the moon game against each other: each level against the next lower, by a sequential test.

Games of two without a picture, begun in turn, until Wald's test knows which of two shares is true or the time is
over. Beside it: how often the strongest honours the die, how long thoughts take, what rules or protocol were broken,
and what a game's frames cost beside a bot that thinks.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.clock import TICK_S
from armoon.engine.intake import Intake
from armoon.games.moon.bots.alone import FRAME_TICKS, bot_match, play_bots
from armoon.games.moon.bots.levels import Level
from armoon.games.moon.bots.seats import MoonBots
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules.values import Reason

#: Where nobody says how long.
MINUTES = 60.0
#: Wald's test: between an even match and a level that wins as often as wanted, wrong in one case of twenty.
EVEN, WANTED, WRONG = 0.50, 0.65, 0.05
#: Up to so many ladders stand; and how often the strongest is to honour the die there.
HEIGHTS = {8: 0.95, 16: 0.90, 20: 0.80}
#: Verdicts that no bot may ever earn.
BREACHES = (Reason.TWO_HANDS, Reason.TWO_HANDS_NOTED, Reason.TWO_HANDS_WARNED, Reason.TIME_OUT)
#: What befalls between turns.
AFTER = (Reason.LATE_FALL, Reason.SAME_INCIDENT, Reason.NOBODY)
#: A game's frame beside a thinking bot may cost so much of one without.
RATIO = 1.15
#: So many frames of each kind are measured.
THINKING_FRAMES = 60
#: Nobody waits longer for a thought; so many are timed.
LONGEST_THOUGHT_S, TIMED_THOUGHTS = 8.0, 8


@dataclass
class Pair:
    """A level against the next lower one."""

    upper: Level
    lower: Level
    games: int = 0
    points: float = 0.0

    @property
    def share(self) -> float | None:
        """Of the points."""
        return self.points / self.games if self.games else None

    @property
    def evidence(self) -> float:
        """The logarithm of how much likelier the points are if the wanted share is true."""
        lost = self.games - self.points
        return self.points * math.log(WANTED / EVEN) + lost * math.log((1.0 - WANTED) / (1.0 - EVEN))

    @property
    def decided(self) -> bool | None:
        """True: the wanted share; False: an even match; None: not known yet."""
        limit = math.log((1.0 - WRONG) / WRONG)
        return True if self.evidence >= limit else False if self.evidence <= -limit else None


@dataclass
class Counts:
    """What is counted over all games."""

    honoured: dict[int, list[bool]] = field(default_factory=lambda: defaultdict(list))
    """By the next of ``HEIGHTS``, each turn of the strongest."""
    turns: int = 0
    broken: int = 0


def play_one(pair: Pair, seed: int, counts: Counts) -> None:
    """A game of a pair, begun by one and the other in turn."""
    options = MoonOptions(bots=(pair.upper.value, pair.lower.value))
    bout = play_bots(options, options.party(()), seed, first=pair.games % 2)
    pair.games += 1
    pair.points += 1.0 / len(bout.winners) if 0 in bout.winners else 0.0
    counts.broken += bout.faults
    for standing, verdict in bout.verdicts:
        counts.broken += verdict.reason in BREACHES
        if verdict.reason in AFTER:
            continue  # what fell between turns ends none
        counts.turns += 1
        if pair.upper is Level.LUNA and verdict.player == 0:
            height = next((limit for limit in HEIGHTS if standing <= limit), None)
            if height is not None:
                counts.honoured[height].append(verdict.ok)


def frame_ratio() -> float:
    """What a frame of a game costs while a bot thinks, in parts of one while nobody does, in the same run."""
    options = MoonOptions(bots=(Level.LUNA.value, None))
    match = bot_match(options, ("Luna", "Ann"), 3)
    bots = MoonBots(match, on_time=True, pause_ticks=2)
    game = MoonGame(match, bots)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    try:
        for frame in range(100_000):
            before = bots.thinking
            began = time.perf_counter()
            game.advance(Intake((frame + 1) * FRAME_TICKS * TICK_S, FRAME_TICKS, None))
            if before is bots.thinking and match.facts.held is None:
                seconds[before].append(time.perf_counter() - began)
            if min(map(len, seconds.values())) >= THINKING_FRAMES or match.state.turn > 1:
                break
            time.sleep(max(0.0, FRAME_TICKS * TICK_S - (time.perf_counter() - began)))
    finally:
        game.close()
    return statistics.median(seconds[True]) / statistics.median(seconds[False])


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


def run(json_path: Path | None, minutes: float = MINUTES) -> int:
    """Play until the tests know, or the minutes are over; 1 where something wanted isn't so."""
    console = Console()
    levels = list(Level)
    pairs = [Pair(upper, lower) for lower, upper in itertools.pairwise(levels)]
    counts, until = Counts(), time.monotonic() + 60.0 * minutes
    ratio, timed = frame_ratio(), thoughts_s()
    seed = 1
    while time.monotonic() < until and any(pair.decided is None for pair in pairs):
        for pair in reversed(pairs):
            if pair.decided is None and time.monotonic() < until:
                play_one(pair, seed, counts)
                _write(json_path, figures(pairs, counts, ratio, timed))
                console.print(f"{pair.upper} – {pair.lower}: {pair.points:g} of {pair.games}")
        seed += 1
    told = figures(pairs, counts, ratio, timed)
    table = Table(title="Opponents")
    for column in ("level", "beats the next lower", "games", "decided"):
        table.add_column(column)
    for row in told["levels"]:
        table.add_row(*(str(row[key]) for key in ("name", "beats_lower", "games", "decided")))
    console.print(table)
    console.print({key: value for key, value in told.items() if key != "levels"})
    _write(json_path, told)
    quick = ratio <= RATIO and max(timed) <= LONGEST_THOUGHT_S
    return 0 if all(pair.decided for pair in pairs) and counts.broken == 0 and quick else 1


def _write(json_path: Path | None, told: dict[str, Any]) -> None:
    if json_path is not None:
        json_path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def figures(pairs: list[Pair], counts: Counts, ratio: float, timed: list[float]) -> dict[str, Any]:
    """What is written."""
    return {
        "levels": [
            {
                "name": pair.upper.value,
                "lower": pair.lower.value,
                "beats_lower": pair.share,
                "games": pair.games,
                "decided": pair.decided,
            }
            for pair in pairs
        ],
        "strongest_honoured": {
            str(height): {
                "share": sum(turns) / len(turns),
                "turns": len(turns),
                "wanted": HEIGHTS[height],
            }
            for height, turns in sorted(counts.honoured.items())
        },
        "think_s_most": max(timed),
        "think_s_median": statistics.median(timed),
        "turns": counts.turns,
        "rules_broken": counts.broken,
        "frame_ratio": ratio,
    }
