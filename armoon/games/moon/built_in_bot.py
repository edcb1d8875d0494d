"""The program that runs a built-in bot; it speaks the protocol in ``docs/bots.md``."""

from __future__ import annotations

import math
import os
import queue
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from typing import IO

from armoon.games.moon import bot_protocol
from armoon.games.moon.bot_protocol import BotLevel, BotLine, BotTurn, get_character
from armoon.games.moon.editions import Die
from armoon.games.moon.offers import AboveFinder
from armoon.games.moon.turn import get_requirement
from armoon.messages import set_language, text
from armoon.placement.search import PlaceFinder
from armoon.placement.values import Question, get_drop_budget, score_place
from armoon.processes import system
from armoon.values.places import SAFEST, BotCharacter, LadderPlace, Slip
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set

#: Number of slips tried before a place is compared with others.
SURE_SLIPS = 4
#: Safety of a place that ends the search, at the start and at the end of the thinking time, and minimum number of slips
#: for it. In between, the required safety falls linearly, so only hard turns take long.
INITIAL_SAFETY, FINAL_SAFETY, SAFE_SLIPS = 0.97, 0.75, 8
#: Maximum slip that a bot assumes for its hand; with a larger one the search would find no place.
ASSUMED_SLIP_M, ASSUMED_SLIP_RAD = 0.002, math.radians(1.4)
#: Maximum number of simulated drops for each place to be compared.
DROPS_PER_PLACE = 24


def find_best_place(places: Iterable[LadderPlace], character: BotCharacter) -> LadderPlace | None:
    return max(places, key=lambda place: score_place(place, character.weights), default=None)


def has_enough_places(places: Iterable[LadderPlace], character: BotCharacter, used_share: float) -> bool:
    """Return whether enough places are known, or a safe one for a bot that prefers safety.

    ``used_share``: the share of the thinking time used, 0 to 1.
    """
    compared = [place for place in places if place.slips >= SURE_SLIPS or not place.slips]
    required_safety = INITIAL_SAFETY + (FINAL_SAFETY - INITIAL_SAFETY) * min(1.0, used_share)
    is_safe_known = any(place.slips >= SAFE_SLIPS and place.safety >= required_safety for place in compared)
    return len(compared) >= character.places or (is_safe_known and character.weights == SAFEST)


def make_question(turn: BotTurn, character: BotCharacter, seed: int) -> Question:
    return Question(
        standing=turn.standing,
        piece=turn.piece,
        wanted=get_requirement(Die(turn.die)),
        slip=Slip(min(character.slip_m, ASSUMED_SLIP_M), min(character.slip_rad, ASSUMED_SLIP_RAD)),
        weights=character.weights,
        seed=seed,
        seconds=math.inf,  # ``search_places`` limits the time
        drops=DROPS_PER_PLACE * character.places,
    )


def search_places(
    finder: PlaceFinder,
    turn: BotTurn,
    character: BotCharacter,
    seed: int,
    is_hurried: Callable[[], bool],
    measure_used_share: Callable[[], float | None],
) -> Iterator[Collection[LadderPlace]]:
    """Yield the places found so far until there are enough or, if hurried or out of time, until there is one.

    Without a place the search continues until its drops are used up, even on a busy machine.
    ``measure_used_share`` returns the share of the thinking time used, 0 to 1 or more; None if no answer is wanted.
    """
    places: dict[int, LadderPlace] = {}
    start_work, max_drops = finder.work, get_drop_budget(turn.standing)
    for finding in finder.search(make_question(turn, character, seed), seed):
        if finding is not None:
            places[finding.number] = finding.place
            yield places.values()
        hurried, used_share = is_hurried(), measure_used_share()
        if used_share is None or has_enough_places(places.values(), character, used_share):
            break
        if (hurried or used_share >= 1.0) and (places or finder.work - start_work >= max_drops):
            break
    yield places.values()


#: Probability of a comment.
COMMENT_PROBABILITY = 0.5
#: Minimum safety of a place that the bot calls sure.
SURE_SAFETY = 0.8
#: Niceness of a bot, so that the game has priority; set after the bot has started, because it must start quickly.
NICENESS = 10
#: Time before the limit at which a bot answers, seconds.
MARGIN_S = 0.8


class BuiltInBot:
    """A built-in bot, which answers the lines of one game."""

    def __init__(self, lines: queue.SimpleQueue[str | None], out: IO[str]) -> None:
        self._lines = lines
        self._out = out
        self._uses_cpu_time = bot_protocol.CPU_TIME_VARIABLE in os.environ
        self._now_s = time.process_time if self._uses_cpu_time else time.monotonic

    def play_games(self) -> None:
        lines = self._read_until("ready")
        if lines is None:
            return
        greeting = bot_protocol.read_greeting(lines)
        set_language(greeting.language)
        level = BotLevel(greeting.level) if greeting.level else BotLevel.LUNA
        ladders = make_ladder_set(greeting.ladder_seed)
        base = make_base(tuple(ladders[piece] for piece in greeting.starting), greeting.slots)
        self._rng = random.Random(f"{greeting.seed} {level}")
        with closing(AboveFinder(ladders, base)) as finder:
            self.say_line(BotLine("hello", text(f"bots.name.{level}")))
            if not self._uses_cpu_time:
                system.lower_priority(NICENESS)
            while (line := self._lines.get()) not in (None, "bye"):
                verb, *words = str(line).split()
                if verb == "turn":
                    rest = self._read_until("go")
                    if rest is None:
                        return
                    turn = bot_protocol.read_turn([str(line), *rest])
                    seed = greeting.seed * 1000 + turn.number
                    self._answer_turn(finder, turn, get_character(level), seed)
                elif verb == "verdict" and words[0] == "ok":
                    self.make_comment("bots.say.joy")
                elif verb == "verdict":
                    self.say_line(BotLine("say", text(f"bots.say.sigh.{level}")))

    def _answer_turn(self, finder: PlaceFinder, turn: BotTurn, character: BotCharacter, seed: int) -> None:
        """Send each better place as a plan, which the game uses if the answer is late, and answer with the last one."""
        began_s, limit_s = self._now_s(), turn.limit_s - MARGIN_S
        self.make_comment(f"bots.say.die.{turn.die.lower()}")
        interruptions: list[str | None] = []

        def is_hurried() -> bool:
            while not self._lines.empty():
                interruptions.append(self._lines.get())
            return bool(interruptions)

        def measure_used_share() -> float | None:
            if any(line in (None, "forget", "bye") for line in interruptions):
                return None  # the turn is void, and its answer could be mistaken for the next turn's
            return (self._now_s() - began_s) / limit_s

        best: LadderPlace | None = None
        for places in search_places(finder, turn, character, seed, is_hurried, measure_used_share):
            candidate = find_best_place(places, character)
            if candidate is not None and candidate != best:
                best = candidate
                self.say_line(BotLine("plan", pose=best.rest))
        if measure_used_share() is not None:
            self._give_answer(best)
        for line in interruptions:
            if line not in ("stop", "forget"):
                self._lines.put(line)  # handled after this turn

    def _give_answer(self, best: LadderPlace | None) -> None:
        if best is None:
            self.say_line(BotLine("say", text("bots.say.nothing")))
            self.say_line(BotLine("pass"))
        else:
            is_sure = best.slips and best.safety >= SURE_SAFETY
            self.make_comment("bots.say.sure" if is_sure else "bots.say.daring")
            self.say_line(BotLine("place", pose=best.release))

    def make_comment(self, key: str) -> None:
        """Comment with COMMENT_PROBABILITY; games with the same seed have the same comments."""
        if self._rng.random() < COMMENT_PROBABILITY:
            self.say_line(BotLine("say", text(key)))

    def say_line(self, line: BotLine) -> None:
        self._out.write(bot_protocol.format_line(line) + "\n")
        self._out.flush()

    def _read_until(self, last: str) -> list[str] | None:
        """Return the lines up to one that begins with the word ``last``; None at the end of the input."""
        lines: list[str] = []
        while (line := self._lines.get()) is not None:
            if line.split():
                lines.append(line)
                if line.split()[0] == last:
                    return lines
        return None


def read_input(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    for line in stream:
        if line.strip():
            lines.put(line.strip())
    lines.put(None)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Libraries may print to standard output; that must not count as an answer.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=read_input, args=(sys.stdin, lines), daemon=True).start()
    try:
        BuiltInBot(lines, out).play_games()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
