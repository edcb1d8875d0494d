"""One match as a machine: interpret, step and judge, with nothing in it but what is put in.

No clock, no camera, no picture. The same intakes in the same order give the same records and the same bits,
which is what a log's replay relies on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.facts import PieceStatus
from armoon.hands.interpret import HandView, Interpreter
from armoon.hands.landmarks import Hands
from armoon.hands.settings import GripSettings
from armoon.intents import Command, CommandKind, GripIntent
from armoon.match import records
from armoon.match.records import Record
from armoon.match.setup import MatchSetup
from armoon.pieces import Base, LadderSet
from armoon.referee.events import Event, Judgement
from armoon.referee.referee import Referee
from armoon.referee.status import TableStatus
from armoon.rules import moon
from armoon.rules.moon_state import State
from armoon.rules.moon_values import Phase, Verdict
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld

Result = TypeVar("Result")


@dataclass(frozen=True)
class Intake:
    """Everything that comes into one turn of the loop."""

    now_s: float
    """The camera's clock at the end of this turn."""
    ticks: int
    """How many fixed ticks are due."""
    hands: Hands | None
    """A tracker's result that wasn't seen before, if there is one."""
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True)
class Outturn:
    """What one turn of the loop came to."""

    records: tuple[Record, ...]
    verdicts: tuple[Verdict, ...]
    events: tuple[Event, ...]


class Stopwatch:
    """Adds up the time that each phase takes, for the benchmark; the match itself never reads a clock."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def measured(self, phase: str, work: Callable[[], Result]) -> Result:
        """Do the work and add its time to the phase's."""
        start_s = time.perf_counter()
        result = work()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - start_s
        return result


class Match:
    """A game in progress: hands and commands in, records, verdicts and events out."""

    def __init__(self, setup: MatchSetup, stopwatch: Stopwatch | None = None) -> None:
        self.setup = setup
        self.ladders: LadderSet = make_ladder_set(setup.ladder_seed)
        state = moon.initial(setup.players, setup.edition, setup.seed)
        self.base: Base = make_base(tuple(self.ladders[piece] for piece in state.starting), setup.slots)
        self._world = LocalWorld(self.ladders, self.base)
        self._interpreter = Interpreter(
            setup.camera, setup.table_from_camera, GripSettings(palm_m=setup.palm_length_m)
        )
        self._referee = Referee(state)
        self.stopwatch = stopwatch or Stopwatch()
        self._tick = 0
        self._rest_ticks = 0
        self._paused = False
        self._records: list[Record] = []
        self._verdicts: list[Verdict] = []
        self._events: list[Event] = []
        self._grip: GripIntent | None = None
        self._last_facts_key: object = None
        self._last_phase: object = None
        self._take_in(self._referee.start(self.base.slots))
        self.previous = self.facts = self._world.tick(None)
        self.opening = self._outturn()

    # What pictures and players may look at ------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The game by the rules."""
        return self._referee.state

    @property
    def status(self) -> TableStatus:
        """How the table stands, for the screen."""
        return self._referee.status()

    @property
    def grip(self) -> GripIntent | None:
        """The grip of the last tick."""
        return self._grip

    @property
    def hand_views(self) -> tuple[HandView, ...]:
        """The hands of the last result, measured."""
        return self._interpreter.views()

    @property
    def paused(self) -> bool:
        """Nothing moves and nothing is judged."""
        return self._paused

    # One turn of the loop -----------------------------------------------------------------------------------

    def turn(self, intake: Intake) -> Outturn:
        """Interpret, step and judge what has come in."""
        self._records.append(records.intake_record(intake.now_s, intake.ticks, intake.hands, intake.commands))
        if intake.hands is not None:
            hands = intake.hands
            self.stopwatch.measured("interpret", lambda: self._interpreter.see(hands))
        for command in intake.commands:
            if command.kind in (CommandKind.PAUSE, CommandKind.RESUME):
                self._paused = command.kind is CommandKind.PAUSE
        commands = intake.commands
        for k in range(intake.ticks):
            if self._paused and not commands:
                break
            self._one_tick(intake.now_s - (intake.ticks - 1 - k) * TICK_S, commands)
            commands = ()
        return self._outturn()

    def finish(self) -> Outturn:
        """The closing records: where every body ended."""
        self._records.append(records.poses_record(self._tick, self.facts))
        self._records.append(records.end_record(self._tick, self.state))
        return self._outturn()

    def close(self) -> None:
        """Give the physics back."""
        self._world.close()

    def _one_tick(self, time_s: float, commands: tuple[Command, ...]) -> None:
        self.stopwatch.measured("interpret", lambda: self._interpret(time_s))
        if not self._paused:
            self.stopwatch.measured("step", self._step)
        self.stopwatch.measured("judge", lambda: self._judge(commands))

    def _interpret(self, time_s: float) -> None:
        # One camera hardly tells depth: a grip starts at the depth of the one thing there is to take.
        offered = next((p for p in self.facts.pieces if p.status is PieceStatus.OFFERED), None)
        self._interpreter.offer(None if offered is None else offered.pose.position)
        self._grip = self._interpreter.intent(time_s)
        phase = None if self._grip is None else self._grip.phase
        if phase is not self._last_phase:
            self._last_phase = phase
            self._records.append(records.intent_record(self._tick, self._grip))

    def _step(self) -> None:
        self._tick += 1
        self.previous = self.facts
        self.facts = self._world.tick(self._grip)
        if self.facts.held is None and self.previous.held is not None and self._interpreter.holding:
            # The referee took the ladder away: the closed hand holds nothing until it has opened.
            self._interpreter.let_go()

    def _judge(self, commands: tuple[Command, ...]) -> None:
        key = records.facts_key(self.facts)
        if key != self._last_facts_key:
            self._last_facts_key = key
            self._records.append(records.facts_record(self._tick, self.facts))
        commands += self._auto_roll()
        self._take_in(self._referee.observe(self.facts, commands, self._tick))

    def _auto_roll(self) -> tuple[Command, ...]:
        """The die rolls by itself once the table has been quiet between turns for a while."""
        waiting = self.state.phase is Phase.ROLL and self.facts.at_rest and not self._paused
        self._rest_ticks = self._rest_ticks + 1 if waiting else 0
        if self.setup.auto_roll_s is None or self._rest_ticks != round(
            self.setup.auto_roll_s * TICKS_PER_SECOND
        ):
            return ()
        return (Command(CommandKind.ROLL, "auto"),)

    def _take_in(self, judgement: Judgement) -> None:
        for order in judgement.orders:
            self._world.apply(order)
        for event in judgement.events:
            self._records.append(records.event_record(self._tick, event, self.state))
        for verdict in judgement.verdicts:
            self._records.append(records.verdict_record(self._tick, verdict, self.state))
            self._records.append(records.poses_record(self._tick, self.facts))
        self._verdicts += judgement.verdicts
        self._events += judgement.events

    def _outturn(self) -> Outturn:
        out = Outturn(tuple(self._records), tuple(self._verdicts), tuple(self._events))
        self._records.clear()
        self._verdicts.clear()
        self._events.clear()
        return out
