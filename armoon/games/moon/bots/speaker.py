"""The house's bots as programs: ``python -m armoon.games.moon.bots.speaker`` speaks the lines of ``docs/bots.md``."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from typing import IO

from armoon.games.moon.bots.levels import Character, Level, character_of
from armoon.games.moon.bots.lines import (
    Heard,
    Hello,
    Passes,
    Places,
    Plans,
    Says,
    Turn,
    heard_line,
    read_greeting,
    read_turn,
)
from armoon.games.moon.bots.process import OWN_TIME
from armoon.games.moon.bots.talk import Talk
from armoon.games.moon.bots.thinking import think
from armoon.messages import set_language
from armoon.places.seeker import Seeker
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set

#: The game's own processes go first.
NICENESS = 10
#: It answers so long before its time is over.
MARGIN_S = 0.5


class Speaker:
    """One bot of the house at its table."""

    def __init__(self, told: queue.SimpleQueue[str | None], out: IO[str]) -> None:
        self._told = told
        self._out = out
        self._now_s = time.process_time if OWN_TIME in os.environ else time.monotonic

    def run(self) -> None:
        """Speak until ``bye`` or until nobody listens any more."""
        lines = self._until("ready")
        if lines is None:
            return
        met = read_greeting(lines)
        set_language(met.language)
        level = Level(met.level) if met.level else Level.LUNA
        ladders = make_ladder_set(met.ladder_seed)
        base = make_base(tuple(ladders[piece] for piece in met.starting), met.slots)
        seeker = Seeker(ladders, base)
        talk = Talk(level, met.seed)
        try:
            self._say(Hello(talk.name))
            while (line := self._told.get()) not in (None, "bye"):
                verb, *words = str(line).split()
                if verb == "turn":
                    rest = self._until("go")
                    if rest is None:
                        return
                    turn = read_turn([str(line), *rest])
                    seed = met.seed * 1000 + turn.number
                    self._play(seeker, turn, character_of(level), seed, talk)
                elif verb == "verdict":
                    self._talk(talk.verdict(words[0] == "ok"))
        finally:
            seeker.close()

    def _play(self, seeker: Seeker, turn: Turn, character: Character, seed: int, talk: Talk) -> None:
        until_s = self._now_s() + turn.limit_s - MARGIN_S
        self._talk(talk.die(turn))
        stopped: list[str | None] = []

        def hurried() -> bool:
            while not self._told.empty():
                stopped.append(self._told.get())
            return bool(stopped)

        def over() -> bool:
            void = any(line in (None, "forget", "bye") for line in stopped)
            return void or self._now_s() > until_s

        best = None
        for thought in think(seeker, turn, character, seed, hurried, over):
            before, best = best, thought.best(character)
            if best is not None and best != before:
                self._say(Plans(best.rest))
        if best is None:
            self._talk(talk.nothing(turn))
            self._say(Passes())
        else:
            self._talk(talk.plan(best))
            self._say(Places(best.release))
        for line in stopped:
            if line not in ("stop", "forget"):
                self._told.put(line)  # whatever else was said meanwhile holds as well

    def _talk(self, words: str) -> None:
        if words:
            self._say(Says(words))

    def _say(self, heard: Heard) -> None:
        self._out.write(heard_line(heard) + "\n")
        self._out.flush()

    def _until(self, last: str) -> list[str] | None:
        """The lines up to one that begins with that word; None where they end before."""
        lines: list[str] = []
        while (line := self._told.get()) is not None:
            if line.split():
                lines.append(line)
                if line.split()[0] == last:
                    return lines
        return None


def listen(stream: IO[str], told: queue.SimpleQueue[str | None]) -> None:
    """In a thread: every line as it comes, and None at the end."""
    for line in stream:
        if line.strip():
            told.put(line.strip())
    told.put(None)


def main() -> None:
    """Speak over standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice") and OWN_TIME not in os.environ:  # there the game waits for it
        os.nice(NICENESS)
    # Libraries print on standard output what is nobody's answer.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    told: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin, told), daemon=True).start()
    try:
        Speaker(told, out).run()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
