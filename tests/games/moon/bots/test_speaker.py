"""The house's bots as programs: an answer in time whatever holds the thought up, and none where nobody waits."""

from __future__ import annotations

import io
import queue
import threading
from collections.abc import Callable, Iterator

import pytest
from benchmarks.towers import starting_structure
from support.waiting import PATIENCE_S, until

from armoon.games.moon.bots import speaker
from armoon.games.moon.bots.levels import Character, Level
from armoon.games.moon.bots.protocol import OWN_TIME, Greeting, Turn, greeting_lines, turn_lines
from armoon.games.moon.bots.speaker import Speaker, Thought
from armoon.placement.seeker import Seeker
from armoon.values.choices import Slots
from armoon.values.places import Place
from armoon.values.poses import Pose
from armoon.world.ladders import BOX_SEED

START = starting_structure(2)
STARTING = tuple(name for name, _, _ in START.standing)
GREETED = greeting_lines(
    Greeting("en", Level.LUNA.value, 7, BOX_SEED, Slots.FACING.value, STARTING), START.ladders, START.base
)
TURN = Turn(1, tuple(START.standing), (0, 0), 7, "ONE", "L07", Pose((0.2, 0.0, 0.1)), 8.0)
PLACE = Place(Pose((0.0, 0.0, 0.2)), Pose((0.0, 0.0, 0.19)), ("L01",), True, 0.2, 1.0, 8)
BETTER = Place(Pose((0.0, 0.0, 0.3)), Pose((0.0, 0.0, 0.29)), ("L02",), True, 0.3, 1.0, 24)
#: Nobody waits longer for a thread of these tests.


class Told:
    """A bot with the lines that it is told, and what it says."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.out = io.StringIO()
        self.thread = threading.Thread(target=Speaker(self.lines, self.out).run)

    def tell(self, *lines: str | None) -> None:
        for line in lines:
            self.lines.put(line)

    @property
    def said(self) -> list[str]:
        return [line.split()[0] for line in self.out.getvalue().splitlines()]


class Clock:
    """A timer that runs out when the test says so."""

    made: Clock

    def __init__(self, seconds: float, run_out: Callable[[], None]) -> None:
        self.seconds, self.run_out = seconds, run_out
        Clock.made = self

    def start(self) -> None:
        """It runs."""

    def cancel(self) -> None:
        """Nobody needs it any more."""


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    """It has been greeted and told of its turn."""
    monkeypatch.delenv(OWN_TIME, raising=False)
    monkeypatch.setattr(threading, "Timer", Clock)
    told = Told()
    told.tell(*GREETED, *turn_lines(TURN))
    yield told
    told.tell(None)
    told.thread.join(PATIENCE_S)
    assert not told.thread.is_alive()


class HeldUp:
    """A thought that knows a place, or none, and then hangs."""

    def __init__(self, known: Place | None) -> None:
        self._known = known
        self.hangs, self.goes_on = threading.Event(), threading.Event()

    def think(
        self,
        seeker: Seeker,
        turn: Turn,
        character: Character,
        seed: int,
        hurried: Callable[[], bool],
        spent: Callable[[], float | None],
    ) -> Iterator[Thought]:
        yield Thought({} if self._known is None else {0: self._known})
        self.hangs.set()
        self.goes_on.wait(PATIENCE_S)
        hurried()
        spent()
        yield Thought({0: BETTER})


def test_the_clock_answers_with_the_best_that_is_known(bot: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    thought = HeldUp(PLACE)
    monkeypatch.setattr(speaker, "think", thought.think)
    bot.thread.start()
    assert thought.hangs.wait(PATIENCE_S)
    assert Clock.made.seconds < TURN.limit_s
    Clock.made.run_out()
    assert bot.said[-1] == "place", "it waits for nobody"
    thought.goes_on.set()
    bot.tell("bye")
    bot.thread.join(PATIENCE_S)
    assert bot.said[-1] == "place", "it answers once"


def test_it_gives_up_by_its_work_and_not_by_the_clock(bot: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    thought = HeldUp(None)
    monkeypatch.setattr(speaker, "think", thought.think)
    bot.thread.start()
    assert thought.hangs.wait(PATIENCE_S)
    Clock.made.run_out()
    assert not {"place", "pass"} & set(bot.said), "nothing is known yet, and it goes on looking"
    thought.goes_on.set()
    until(lambda: bot.said[-1] == "place", "a place")


def test_a_void_turn_has_no_answer(bot: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    thought = HeldUp(PLACE)
    monkeypatch.setattr(speaker, "think", thought.think)
    bot.thread.start()
    assert thought.hangs.wait(PATIENCE_S)
    bot.tell("forget", "bye")
    thought.goes_on.set()
    bot.thread.join(PATIENCE_S)
    assert bot.said[-1] == "plan"


def test_it_gives_way_once_it_is_there_and_not_while_it_starts() -> None:
    said: list[list[str]] = []
    told = Told()
    speaker_ = Speaker(told.lines, told.out, lambda: said.append(told.said))
    told.tell(*GREETED, "bye")
    speaker_.run()
    assert said == [["hello"]]
