"""The referee with the real world: orders are carried out, and what physics does is judged."""

from __future__ import annotations

from armoon.games.moon.referee.events import Judgement
from armoon.games.moon.referee.referee import Referee
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.values import Onto, Phase, Reason, Verdict
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts, GripIntent, GripPhase, Place
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.piece import QUIET_M_S

#: Where L06 is let go of.
WEDGED = Pose(
    (-0.043956212381295684, 0.0022005835726872803, 0.11965093248491226),
    (0.16669946860385557, 0.9816006644959325, -0.09083138909343777, 0.02052026763208446),
)


def test_what_falls_when_only_its_poses_hold_it_falls_in_its_turn_before_the_verdict() -> None:
    """F2: it comes to rest on a rail, wedged; rebuilt from its poses it slides down to the cloud."""
    state = initial(("Ana", "Ben"), "bombyx-2017", 3, starting=("L01", "L02"), supply=("L03", "L06", "L04"))
    ladders = make_ladder_set(BOX_SEED)
    base = make_base(tuple(ladders[piece] for piece in state.starting))
    world, referee = LocalWorld(ladders, base), Referee(state)
    verdicts: list[Verdict] = []
    now = 0

    def obey(judgement: Judgement) -> None:
        verdicts.extend(judgement.verdicts)
        for order in judgement.orders:
            world.apply(order)

    def run(ticks: int, *commands: Command, grip: GripIntent | None = None) -> Facts:
        nonlocal now
        for _ in range(ticks):
            now += 1
            facts = world.tick(grip)
            obey(referee.observe(facts, commands, now))
        return facts

    def stage() -> Phase:
        return referee.state.phase

    obey(referee.start(base.slots))
    run(45)
    run(1, Command(Act.ROLL))
    lid = run(1)["L06"].pose
    for phase in (GripPhase.GRAB, GripPhase.HOLD):
        run(1, grip=GripIntent(0.0, "test", phase, lid, (0.0, 1.0, 0.0)))
    world.apply(Place("L06", WEDGED, fixed=False))
    run(1, grip=GripIntent(0.0, "test", GripPhase.RELEASE, lid, (0.0, 1.0, 0.0)))
    assert stage() is Phase.SETTLE
    facts = run(60)
    assert (facts["L06"].speed_m_s < QUIET_M_S, facts.touching("L06"), verdicts) == (True, ("L01",), [])
    while stage() is not Phase.ROLL or referee.state.incident:
        run(1)
        assert now < 1400
    (verdict,) = verdicts
    assert (verdict.reason, verdict.fallen) == (Reason.PLACED_FELL, (("L06", Onto.BASE),))
    world.close()
