"""The referee with the real world: orders are carried out, and what physics does is judged."""

from __future__ import annotations

from dataclasses import replace

from support.slot_kit import KnockingEngine

from armoon.games.moon.referee.events import Event, StoodBack
from armoon.games.moon.referee.referee import Referee
from armoon.games.moon.rules.editions import DieSource, Options
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.values import Die, Onto, Phase, Reason, Verdict
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts, GripIntent, GripPhase, PieceStatus
from armoon.values.poses import Pose, Vec3
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.slots import HOLDS_N_M


class Table:
    """A real world and a referee, driven by a grip that goes where it is told."""

    def __init__(self, options: Options) -> None:
        self.engine = KnockingEngine()
        state = initial(("Ana", "Ben"), "bombyx-2017", 3, options)
        ladders = make_ladder_set(7)
        base = make_base(tuple(ladders[piece] for piece in state.starting))
        self.slots = base.slots
        self.world = LocalWorld(ladders, base, engine=self.engine)
        self.referee = Referee(state)
        self.verdicts: list[Verdict] = []
        self.events: list[Event] = []
        self.grip: GripIntent | None = None
        self.facts: Facts
        self.now = 0
        for order in self.referee.start(base.slots).orders:
            self.world.apply(order)
        self.run(45)

    def phase(self) -> Phase:
        return self.referee.state.phase

    def run(self, ticks: int, *commands: Command) -> None:
        for _ in range(ticks):
            self.now += 1
            self.facts = self.world.tick(self.grip)
            judgement = self.referee.observe(self.facts, commands, self.now)
            self.verdicts += judgement.verdicts
            self.events += judgement.events
            for order in judgement.orders:
                self.world.apply(order)
            commands = ()
            if self.grip is not None and self.grip.phase is GripPhase.GRAB:
                self.grip = replace(self.grip, phase=GripPhase.HOLD)

    def run_until(self, phase: Phase, most: int = 1200) -> None:
        for _ in range(most):
            if self.referee.state.phase is phase and not self.referee.state.incident:
                return
            self.run(1)
        raise AssertionError(f"{self.referee.state.phase} instead of {phase} after {most} ticks")

    def draw(self) -> None:
        """Roll at rest: a ladder is offered."""
        self.run(1, Command(Act.ROLL))
        self.run(1)
        assert self.phase() is Phase.DRAW

    def grab(self) -> None:
        """Take the offered ladder where its centre is."""
        ladder = self.referee.state.ladder
        assert ladder is not None
        self.grip = GripIntent(0.0, "test", GripPhase.GRAB, self.facts[ladder].pose, (0.0, 1.0, 0.0))
        self.run(2)

    def carry(self, position: Vec3, ticks: int = 90) -> None:
        """Move the hand there in a straight line, then wait for the ladder."""
        assert self.grip is not None
        start = self.grip.pose.position
        for step in range(1, ticks + 1):
            x, y, z = (a + (b - a) * step / ticks for a, b in zip(start, position, strict=True))
            self.grip = replace(self.grip, pose=Pose((x, y, z), self.grip.pose.rotation))
            self.run(1)
        self.run(30)

    def open(self) -> None:
        assert self.grip is not None
        self.grip = replace(self.grip, phase=GripPhase.RELEASE)
        self.run(1)
        self.grip = replace(self.grip, phase=GripPhase.HOVER)


def test_a_ladder_dropped_on_the_table_is_charged_removed_and_the_next_turn_comes() -> None:
    """F2 T1 T3"""
    table = Table(Options())
    table.draw()
    piece = table.referee.state.ladder
    assert piece is not None
    assert table.facts[piece].status is PieceStatus.OFFERED
    table.grab()
    assert table.phase() is Phase.HOLD
    table.carry((0.16, -0.16, 0.14))
    table.open()
    assert table.phase() is Phase.SETTLE
    table.run_until(Phase.ROLL)
    (verdict,) = table.verdicts
    assert (verdict.reason, verdict.fallen) == (Reason.PLACED_FELL, ((piece, Onto.TABLE),))
    assert table.referee.state.tears == (1, 0)
    table.run(2)
    assert {p.piece for p in table.facts.pieces} == {"L01", "L02"}
    table.draw()
    assert table.referee.state.player == 1


def test_a_held_ladder_pressed_on_the_table_is_charged_while_held() -> None:
    """F2: it leaves the hand, and grips are locked."""
    table = Table(Options())
    table.draw()
    piece = table.referee.state.ladder
    table.grab()
    table.carry((0.16, -0.16, 0.02))
    (verdict,) = table.verdicts
    assert (verdict.reason, verdict.removed) == (Reason.HELD_TOUCHED, (piece,))
    assert table.facts.held is None
    assert piece not in {p.piece for p in table.facts.pieces}


def test_a_ladder_let_go_of_in_the_lid_is_offered_again() -> None:
    """T1: no penalty."""
    table = Table(Options())
    table.draw()
    table.grab()
    table.open()
    table.run(2)
    assert table.phase() is Phase.DRAW
    assert not table.verdicts
    table.grab()
    assert table.phase() is Phase.HOLD


def test_a_real_die_reaches_the_world() -> None:
    """M1"""
    table = Table(Options(die=DieSource.REAL))
    table.run(1, Command(Act.ROLL, value=3))
    assert table.referee.state.die is Die.MOON


def test_a_starting_ladder_that_is_knocked_out_is_charged_and_stood_back() -> None:
    """F2 M3: in a hand's turn, whose ladder leaves the game with it."""
    table = Table(Options())
    table.draw()
    piece = table.referee.state.ladder
    assert piece is not None
    table.grab()
    table.carry((0.0, -0.10, 0.20))
    table.open()
    table.engine.knock = (3.0 * HOLDS_N_M, 0.0, 0.0)
    table.run_until(Phase.ROLL)
    assert table.verdicts[0].reason in (Reason.OTHERS_FELL, Reason.PLACED_FELL)
    back = [name for verdict in table.verdicts for name in verdict.stood_back]
    assert back == ["L01"]
    assert [event for event in table.events if isinstance(event, StoodBack)] == [StoodBack("L01")]
    assert table.referee.state.tears == (1, 0), "one incident, one tear"
    table.run(60)
    assert (table.facts["L01"].status, table.facts["L01"].pose) == (PieceStatus.FIXED, table.slots[0])
    assert table.referee.state.starting == ("L01", "L02")
    table.draw()
    assert table.referee.state.player == 1
