"""Helpers for testing sinks: a real game in the loop, faulty sinks, and a recording sink."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from armoon.app.frames import FrameInput, Source
from armoon.app.program import Loop
from armoon.app.table import Table
from armoon.clock import TICK_S, ManualClock
from armoon.engine.logbook import LogWriter
from armoon.games.contract import Game
from armoon.games.lake.play import LakeGame
from armoon.games.moon.play import MoonGame
from armoon.sinks.files import create_game_sinks
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment, Rule, Sink
from support.app_kit import HEIGHT, WIDTH, setup_for
from support.lake_table_kit import lake_setup
from support.waiting import PATIENCE_S, until


class CountingSink(Sink):
    name = "The test"
    capacity = 10_000

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.taken: list[float] = []
        self.closed = 0

    def select(self, moment: Moment) -> Any:
        return moment.now_s

    def process(self, part: Any) -> None:
        self.taken.append(part)

    def close(self) -> None:
        self.closed += 1


class FailingSink(CountingSink):
    def process(self, part: Any) -> None:
        raise ValueError("no\nsuch thing")


class LateFailingSink(CountingSink):
    def process(self, part: Any) -> None:
        super().process(part)
        if len(self.taken) == 5:
            raise ValueError("not five")


class FailingSelectSink(CountingSink):
    def select(self, moment: Moment) -> Any:
        raise KeyError("nothing for me")


class FailingCloseSink(CountingSink):
    def close(self) -> None:
        raise OSError("can't end")


class TwiceFailingSink(FailingSink, FailingCloseSink):
    pass


class KilledChildSink(CountingSink):
    """Passes everything to a process, which is killed before the third part."""

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule)
        self.child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def process(self, part: Any) -> None:
        super().process(part)
        if len(self.taken) == 3:
            self.child.kill()
            self.child.wait()
        assert self.child.stdin is not None
        self.child.stdin.write(b"a line\n")
        self.child.stdin.flush()

    def close(self) -> None:
        self.child.kill()
        self.child.wait()


class HangingSink(CountingSink):
    def __init__(self, rule: Rule) -> None:
        super().__init__(rule)
        self.released = threading.Event()

    def process(self, part: Any) -> None:
        super().process(part)
        if len(self.taken) == 3:
            self.released.wait(PATIENCE_S)


class Listener(CountingSink):
    def __init__(self) -> None:
        super().__init__(Rule.IN_LOOP)
        self.sentences: list[str] = []
        self.banners: list[str] = []

    def select(self, moment: Moment) -> Moment:
        return moment

    def process(self, part: Moment) -> None:
        self.sentences += part.sentences
        if part.shown and part.scene is not None:
            self.banners.append(part.scene().hud.banner)


class TickSource(Source):
    def __init__(self, clock: ManualClock) -> None:
        super().__init__(WIDTH, HEIGHT)
        self.clock = clock

    def read_input(self) -> FrameInput:
        self.clock.set_s(self.clock.now_s() + TICK_S)
        return FrameInput(shown=True)


def quick_game() -> Game[Any]:
    return LakeGame(lake_setup().match())


def falling_game() -> Game[Any]:
    return MoonGame(setup_for(auto_roll_s=0.2).match())


class LoopGame:
    """A game in the loop, with a log, a listener, and the sinks to be tested."""

    def __init__(
        self,
        log: Path,
        *tested: Sink,
        game: Callable[[], Game[Any]] = quick_game,
        lock_step: bool = False,
        **limits: float,
    ) -> None:
        self.listener = Listener()
        self.sinks = Sinks(lock_step=lock_step, **limits)
        self.sinks.add(self.listener, *tested)
        self.table = Table(game(), self.sinks, create_game_sinks(LogWriter(log), None))
        self.clock = clock = ManualClock(10.0)
        self._loop = Loop(self.sinks, clock, None, TickSource(clock), self.table)

    @property
    def tick(self) -> int:
        tick: int = self.table.game.match.tick
        return tick

    def frames(self, count: int) -> None:
        for _ in range(count):
            assert self._loop.run_frame()

    def until(self, condition: Callable[[], bool]) -> None:
        until(condition, meanwhile=lambda: self.frames(1))

    def close(self) -> list[str]:
        self.table.close()
        self.sinks.close()
        return [sentence for sentence in self.listener.sentences if "rolls" not in sentence]
