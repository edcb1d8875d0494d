"""The referee with the real world: orders are carried out, and what physics does is judged."""

from __future__ import annotations

from dataclasses import replace

from armoon.games.moon.referee.events import Event
from armoon.games.moon.referee.referee import Referee
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.values import Onto, Phase, Reason, Verdict
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts, GripIntent, GripPhase, Place
from armoon.values.poses import Pose, Vec3
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.piece import QUIET_M_S

#: Where L06 is let go of: position and rotation.
WEDGED = (
    *(-0.043956212381295684, 0.0022005835726872803, 0.11965093248491226),
    *(0.16669946860385557, 0.9816006644959325, -0.09083138909343777, 0.02052026763208446),
)


class Table:
    """A real world and a referee, driven by a grip that goes where it is told."""

    def __init__(self, *supply: str) -> None:
        state = initial(("Ana", "Ben"), "bombyx-2017", 3, starting=("L01", "L02"), supply=supply)
        ladders = make_ladder_set(BOX_SEED)
        base = make_base(tuple(ladders[piece] for piece in state.starting))
        self.slots = base.slots
        self.world = LocalWorld(ladders, base)
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


def test_what_falls_when_only_its_poses_hold_it_falls_in_its_turn_before_the_verdict() -> None:
    """F2: it comes to rest on a rail, wedged; rebuilt from its poses it slides down to the cloud."""
    table = Table("L03", "L06", "L04")
    table.draw()
    table.grab()
    x, y, z, *rotation = WEDGED
    qx, qy, qz, qw = rotation
    table.world.apply(Place("L06", Pose((x, y, z), (qx, qy, qz, qw)), fixed=False))
    table.open()
    assert table.phase() is Phase.SETTLE
    table.run(60)
    wedged = table.facts["L06"]
    assert (wedged.speed_m_s < QUIET_M_S, table.facts.touching("L06"), table.verdicts) == (True, ("L01",), [])
    table.run_until(Phase.ROLL)
    (verdict,) = table.verdicts
    assert (verdict.reason, verdict.fallen) == (Reason.PLACED_FELL, (("L06", Onto.BASE),))
