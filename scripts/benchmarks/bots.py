"""The opponents of the moon game against each other: each level against the next lower, by a sequential test.

Games of two without a picture, several at once, begun in turn, until Wald's test knows which of two shares is true and
enough turns were played, or the time is over. Every game is written down as it ends, and a later run with the same
file goes on from there. Bots count their processor's time there, so a busy machine takes longer and measures the same.
Beside it, once the games are over: how long thoughts take by the clock, and what a game's frames cost beside a bot that
thinks.
"""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.games.moon.bots.levels import CHARACTERS, Level
from armoon.games.moon.bots.seats import THINK_S
from benchmarks.bot_parts.played import HEIGHTS, Played, play_one
from benchmarks.bot_parts.timing import LONGEST_THOUGHT_S, RATIO, Timed, timed

#: Where nobody says how long.
MINUTES = 60.0
#: Wald's test: between an even match and a level that wins as often as wanted, wrong in one case of twenty.
EVEN, WANTED, WRONG = 0.50, 0.65, 0.05
#: So many turns are played at least, for rules that might be broken.
TURNS = 500
#: Every level against the next lower, the weakest first.
PAIRS = tuple((upper, lower) for lower, upper in itertools.pairwise(Level))
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass
class Pair:
    """A level against the next lower one."""

    upper: Level
    lower: Level
    played: dict[int, Played] = field(default_factory=dict)
    """By the number of the game."""

    @property
    def in_order(self) -> list[Played]:
        """The games without a gap before them: what is still played may be a long one, and long ones differ."""
        numbers = itertools.takewhile(self.played.__contains__, itertools.count())
        return [self.played[number] for number in numbers]

    @property
    def share(self) -> float | None:
        """Of the points."""
        games = self.in_order
        return sum(game.points for game in games) / len(games) if games else None

    @property
    def decided(self) -> bool | None:
        """True: the wanted share; False: an even match; None: not known yet. By the first games that tell."""
        limit, evidence = math.log((1.0 - WRONG) / WRONG), 0.0
        for game in self.in_order:
            evidence += game.points * math.log(WANTED / EVEN)
            evidence += (1.0 - game.points) * math.log((1.0 - WANTED) / (1.0 - EVEN))
            if abs(evidence) >= limit:
                return evidence > 0.0
        return None


class Tournament:
    """All that was played, and what is to be played next."""

    def __init__(self, first_seed: int) -> None:
        self.first_seed = first_seed
        self.pairs = [Pair(upper, lower) for upper, lower in PAIRS]
        self.timed: Timed | None = None

    @property
    def games(self) -> Iterator[Played]:
        """Every game."""
        return itertools.chain.from_iterable(pair.played.values() for pair in self.pairs)

    @property
    def turns(self) -> int:
        """Of all games."""
        return sum(game.turns for game in self.games)

    @property
    def over(self) -> bool:
        """Nothing more need be known."""
        return all(pair.decided is not None for pair in self.pairs) and self.turns >= TURNS

    def next(self, under_way: set[tuple[Level, int]]) -> tuple[Pair, int]:
        """The pair that has played least of those that aren't decided, and the number of its game."""
        open_ones = [pair for pair in self.pairs if pair.decided is None] or self.pairs[-1:]

        def begun(pair: Pair) -> int:
            return len(pair.played) + sum(level is pair.upper for level, _ in under_way)

        pair = min(open_ones, key=begun)
        numbers = (k for k in itertools.count() if k not in pair.played and (pair.upper, k) not in under_way)
        return pair, next(numbers)

    # The file -----------------------------------------------------------------------------------------------

    def figures(self) -> dict[str, Any]:
        """What is written."""
        honoured: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for game in self.games:
            for height, (kept, turns) in game.honoured.items():
                honoured[height][0] += kept
                honoured[height][1] += turns
        return {
            "levels": [
                {
                    "name": pair.upper.value,
                    "lower": pair.lower.value,
                    "beats_lower": pair.share,
                    "games": len(pair.in_order),
                    "decided": pair.decided,
                }
                for pair in self.pairs
            ],
            "strongest_honoured": {
                str(height): {"share": kept / turns, "turns": turns, "wanted": HEIGHTS[height]}
                for height, (kept, turns) in sorted(honoured.items())
            },
            **(asdict(self.timed) if self.timed is not None else {}),
            "turns": self.turns,
            "rules_broken": sum(game.broken for game in self.games),
            "characters": characters(),
            "first_seed": self.first_seed,
            "played": [
                {"upper": pair.upper.value, "number": number, **asdict(game)}
                for pair in self.pairs
                for number, game in sorted(pair.played.items())
            ],
        }

    def take_up(self, told: dict[str, Any]) -> bool:
        """Go on with what a file tells; False where that was played by others."""
        if told.get("characters") != characters() or told.get("first_seed") != self.first_seed:
            return False
        for row in told["played"]:
            pair = next(pair for pair in self.pairs if pair.upper.value == row["upper"])
            honoured = {int(height): (kept, turns) for height, (kept, turns) in row["honoured"].items()}
            pair.played[row["number"]] = Played(row["points"], row["turns"], row["broken"], honoured)
        if "frame_ratio" in told:
            self.timed = Timed(**{name: told[name] for name in Timed.__dataclass_fields__})
        return True


def characters() -> list[str]:
    """Who plays, and how long they may think: figures of others are other figures."""
    return [f"{level.value}: {CHARACTERS[level]}" for level in Level] + [f"{THINK_S:g} s"]


def run(json_path: Path | None, minutes: float = MINUTES, first_seed: int = 1) -> int:
    """Play until the tests know, or the minutes are over; 1 where something wanted isn't so."""
    console, tournament = Console(), Tournament(first_seed)
    if json_path is not None and json_path.exists():
        told = json.loads(json_path.read_text(encoding="utf-8"))
        console.print("goes on" if tournament.take_up(told) else "others played: it begins anew")
    _play(tournament, time.monotonic() + 60.0 * minutes, json_path, console)
    if tournament.over or not minutes:
        tournament.timed = timed()
    _write(json_path, tournament)
    _print(tournament, console)
    return 0 if _as_wanted(tournament) else 1


def _play(tournament: Tournament, until_s: float, json_path: Path | None, console: Console) -> None:
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))  # of the processes that play
    at_once = os.cpu_count() or 1
    under_way: dict[Future[Played], tuple[Pair, int]] = {}
    with ProcessPoolExecutor(at_once, multiprocessing.get_context("spawn")) as pool:
        while True:
            while len(under_way) < at_once and time.monotonic() < until_s and not tournament.over:
                pair, number = tournament.next({(pair.upper, k) for pair, k in under_way.values()})
                words = (pair.upper.value, pair.lower.value)
                job = pool.submit(play_one, words, tournament.first_seed + number, number % 2)
                under_way[job] = (pair, number)
            if not under_way:
                return
            for job in wait(under_way, return_when=FIRST_COMPLETED).done:
                pair, number = under_way.pop(job)
                pair.played[number] = job.result()
                _write(json_path, tournament)
                points, games = sum(game.points for game in pair.played.values()), len(pair.played)
                console.print(f"{pair.upper} – {pair.lower}: {points:g} of {games}, {pair.decided}")


def _as_wanted(tournament: Tournament) -> bool:
    told = tournament.figures()
    measured = tournament.timed
    return (
        tournament.over
        and all(pair.decided for pair in tournament.pairs)
        and told["rules_broken"] == 0
        and all(row["share"] >= row["wanted"] for row in told["strongest_honoured"].values())
        and measured is not None
        and measured.frame_ratio <= RATIO
        and measured.think_s_most <= LONGEST_THOUGHT_S
    )


def _write(json_path: Path | None, tournament: Tournament) -> None:
    if json_path is not None:
        beside = json_path.with_name(json_path.name + ".new")  # a run that is killed leaves a whole file
        beside.write_text(json.dumps(tournament.figures(), indent=1) + "\n", encoding="utf-8")
        beside.replace(json_path)


def _print(tournament: Tournament, console: Console) -> None:
    told = tournament.figures()
    table = Table(title="Opponents")
    for column in ("level", "beats the next lower", "games", "decided"):
        table.add_column(column)
    for row in told["levels"]:
        table.add_row(*(str(row[key]) for key in ("name", "beats_lower", "games", "decided")))
    console.print(table)
    console.print(
        {key: value for key, value in told.items() if key not in ("levels", "played", "characters")}
    )
