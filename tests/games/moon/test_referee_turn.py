"""The referee in a turn: facts become moves, verdicts with evidence, and orders."""

from __future__ import annotations

import pytest
from support.fake_table import ROLL, SLOTS, make_table, make_table_with_die

from armoon.games.moon import events
from armoon.games.moon.editions import Die, FallPlace, MoonRefusal, Phase, Reason, Verdict
from armoon.games.moon.events import Judgement
from armoon.games.moon.referee import SETTLE_TICKS, Referee
from armoon.games.moon.rules import create_state, replay_moves
from armoon.games.moon.turn import Draw, LetGo, Roll, Take
from armoon.values import pieces
from armoon.values.acts import Act
from armoon.values.poses import Pose
from armoon.world import bullet
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.piece import QUIET_M_S


def test_start_fixes_the_starting_ladders_in_their_slots() -> None:
    """Ruling M2."""
    table = make_table()
    assert [o for o in table.orders if isinstance(o, pieces.Place)] == [
        pieces.Place("L01", SLOTS[0], True),
        pieces.Place("L02", SLOTS[1], True),
    ]
    assert table.events == [events.TurnBegan(0, 1)]
    assert table.locked, "nothing can be gripped before the first roll"


def test_a_turn_runs_through_its_phases() -> None:
    """Ruling T1."""
    table = make_table_with_die("ONE")
    table.settle()
    judgement = table.tick(ROLL)
    first = table.ladder
    assert judgement.orders == (pieces.Offer(first), pieces.LockGrips(False))
    table.hold()
    assert table.phase() is Phase.HOLD
    table.let_go("L01")
    assert table.phase() is Phase.SETTLE
    table.settle()
    assert table.phase() is Phase.ROLL
    assert table.moves[:-1] == [Roll(Die.ONE), Draw(first), Take(), LetGo()]
    assert table.events[1:] == [events.TurnBegan(1, 2)]
    assert replay_moves(table.first, table.moves) == table.state, "the log reproduces the state"


@pytest.mark.parametrize(
    ("face", "touching", "height", "reason"),
    [
        ("ONE", ("L01",), 0.10, Reason.HONOURED),
        ("ONE", ("L01", "L02"), 0.10, Reason.TOO_MANY),
        ("ONE", (), 0.10, Reason.TOUCHES_NONE),
        ("TWO", ("L01", "L02"), 0.10, Reason.HONOURED),
        ("TWO", ("L02",), 0.10, Reason.TOO_FEW),
        ("MOON", ("L01",), 0.16, Reason.HONOURED),
        ("MOON", ("L01", "L02"), 0.16, Reason.HONOURED),
        ("MOON", ("L01",), 0.1501, Reason.HONOURED),
        ("MOON", ("L01",), 0.150002, Reason.HONOURED),
        ("MOON", ("L01",), 0.15, Reason.NOT_HIGHEST),
        ("MOON", ("L01",), 0.1500004, Reason.NOT_HIGHEST),
    ],
)
def test_the_die_is_judged_at_rest_with_its_evidence(
    face: str, touching: tuple[str, ...], height: float, reason: Reason
) -> None:
    """Rulings T4, F1, X3: a difference below a micrometre doesn't count."""
    table = make_table_with_die(face)
    piece = table.play(*touching, height=height)
    (verdict,) = table.verdicts
    honoured = reason is Reason.HONOURED
    assert (verdict.reason, verdict.ok) == (reason, honoured)
    assert verdict.ruling == ("T4" if honoured else "F1")
    assert verdict.die is not None
    assert (verdict.die.value, verdict.ladder, verdict.touched) == (face, piece, touching)
    assert (verdict.rival, verdict.rival_m) == ("L01", 0.15)
    assert verdict.height_m == pytest.approx(height, abs=1e-6)
    assert table.state.tears == ((0, 0) if honoured else (1, 0))
    assert table.state.placed == (piece,), "a ladder that doesn't honour the die stays where it stands"
    assert not any(isinstance(o, pieces.Remove) for o in table.orders)


def test_only_the_state_at_rest_counts() -> None:
    """Ruling T2: while a ladder is held, it may touch any others, and these may move."""
    table = make_table_with_die("ONE")
    table.roll()
    piece = table.hold()
    table.touch(piece, "L01", "L02")
    table.at_rest = False
    table.ticks(30)
    assert not table.verdicts
    table.let_go("L01", "L02")
    table.ticks(100)
    assert not table.verdicts, "still moving"
    table.touch(piece, "L02")
    table.settle()
    assert [v.reason for v in table.verdicts] == [Reason.HONOURED]


def test_grips_are_locked_once_the_ladder_is_released() -> None:
    """Ruling T3."""
    table = make_table()
    table.roll()
    assert not table.locked
    table.hold()
    table.let_go("L01")
    assert table.locked
    table.settle()
    assert table.locked, "until the next ladder is offered"


@pytest.mark.parametrize("onto", ["table", "base"])
def test_a_held_ladder_at_table_or_base_has_fallen(onto: str) -> None:
    """Ruling F2: it is judged at once, and leaves the game."""
    table = make_table()
    table.roll()
    piece = table.hold()
    table.touch(piece, "table")
    assert not table.tick().verdicts, "not while it is lifted out of the lid"
    table.pose[piece] = Pose((0.05, 0.0, 0.08))
    table.touch(piece, onto)
    judgement = table.tick()
    (verdict,) = judgement.verdicts
    assert (verdict.ruling, verdict.reason) == ("F2", Reason.HELD_TOUCHED)
    assert verdict.fallen == ((piece, FallPlace(onto)),)
    assert verdict.removed == (piece,)
    assert judgement.orders == (pieces.LockGrips(True), pieces.Remove(piece))
    assert table.state.tears == (1, 0)
    assert table.state.player == 1
    assert piece not in table.status


def test_a_fall_one_tick_before_the_roll_is_charged_to_the_last_player() -> None:
    """Ruling F5."""
    table = make_table()
    piece = table.honour()
    table.settle()
    table.touch(piece, "table")
    table.tick(ROLL)
    placed, fell = table.verdicts[-2:]
    assert fell.rulings == ("F5", "F2")
    assert (fell.charged, fell.turn) == (0, placed.turn), "it belongs to the last turn"
    assert table.events[-1] == events.ActRefused(Act.ROLL, MoonRefusal.STRUCTURE_MOVING, waits=True)
    table.settle()
    assert table.phase() is Phase.DRAW, "the waiting roll was accepted at rest"


def test_a_roll_before_rest_waits() -> None:
    """Ruling F5: a roll can't shift the blame for a falling ladder to the next player."""
    table = make_table()
    piece = table.honour()
    table.at_rest = False
    judgement = table.tick(ROLL)
    assert judgement.events == (events.ActRefused(Act.ROLL, MoonRefusal.STRUCTURE_MOVING, waits=True),)
    assert table.referee.measure_status().hint == "hint.roll_waits"
    table.ticks(50)
    assert table.phase() is Phase.ROLL
    table.touch(piece, "table")
    table.tick()
    assert table.verdicts[-1].charged == 0
    table.settle()
    assert table.phase() is Phase.DRAW
    assert table.state.player == 1


def test_the_offered_ladder_and_fixed_starting_ladders_cannot_fall() -> None:
    """Ruling F2."""
    table = make_table()
    table.touch("L01", "base")
    table.touch("L02", "base", "table")
    table.roll()
    table.touch(table.ladder, "table")
    table.ticks(20)
    assert not table.verdicts


def test_a_loose_starting_ladder_may_touch_the_base_only_in_its_slot() -> None:
    """Rulings F2, M3: outside its slot it has fallen; the fall is charged, and the ladder is put back."""
    table = make_table()
    table.honour()
    table.roll()
    offered = table.ladder
    table.status["L01"] = pieces.PieceStatus.FREE
    table.touch("L01", "base")
    table.at_rest = False
    table.ticks(5)
    assert len(table.verdicts) == 1
    table.pose["L01"] = SLOTS[1]
    judgement = table.tick()
    (verdict,) = judgement.verdicts
    assert (verdict.stood_back, verdict.removed) == (("L01",), (offered,)), "the offered ladder leaves too"
    back = pieces.Place("L01", SLOTS[0], True)
    assert back not in judgement.orders, "not during the fall"
    assert table.state.tears == (0, 1)
    table.ticks(SETTLE_TICKS)
    table.at_rest = True
    for _ in range(2):
        assert back in table.tick().orders, "and again if it is pushed out at once"
        table.status["L01"] = pieces.PieceStatus.FREE
        table.ticks(SETTLE_TICKS - 1)
    table.settle()
    assert table.status["L01"] is pieces.PieceStatus.FIXED
    assert len(table.verdicts) == 2


def test_a_loose_starting_ladder_is_put_back_at_no_cost() -> None:
    """Ruling M3: once everything is at rest, and before a placed ladder is judged."""
    table = make_table_with_die("TWO")
    table.roll()
    table.hold()
    piece = table.let_go("L01", "L02")
    table.status["L01"] = pieces.PieceStatus.FREE
    table.touch("L01", "base", piece)
    table.ticks(SETTLE_TICKS + 5)
    assert table.status["L01"] is pieces.PieceStatus.FREE, "ladders are still moving"
    table.at_rest = True
    judgement = table.tick()
    assert judgement.orders == (pieces.Place("L01", SLOTS[0], True),)
    assert judgement.events == (events.StartingLadderRestored("L01"),)
    assert not table.verdicts
    table.touch(piece, "L01", "L02")
    table.settle()
    table.settle()
    assert [v.reason for v in table.verdicts] == [Reason.HONOURED]
    assert table.state.tears == (0, 0)
    assert sum(isinstance(event, events.StartingLadderRestored) for event in table.events) == 1


def test_a_ladder_that_leaves_the_table_has_fallen() -> None:
    """Ruling F2."""
    table = make_table()
    table.roll()
    table.hold()
    piece = table.let_go()
    table.height[piece] = -0.1
    table.tick()
    assert table.verdicts[-1].fallen == ((piece, FallPlace.AWAY),)


def test_the_log_of_a_game_replays_to_its_state() -> None:
    """Ruling T5: turns go clockwise."""
    table = make_table(("Ana", "Ben", "Cleo"), "kosmos-2022", 3)
    seats = []
    while not table.state.over:
        seats.append(table.state.player)
        table.honour()
    assert seats == [n % 3 for n in range(27)]
    assert replay_moves(create_state(("Ana", "Ben", "Cleo"), "kosmos-2022", 3), table.moves) == table.state


def test_a_fall_in_the_tick_of_rest_is_judged_before_the_die() -> None:
    """Rulings F2, T4: a ladder that lies on the base is not judged by the die."""
    table = make_table_with_die("ONE")
    table.roll()
    table.hold()
    piece = table.let_go("L01")
    table.at_rest = True
    table.ticks(SETTLE_TICKS - 1)
    table.touch(piece, "L01", "base")
    table.tick()
    assert [v.reason for v in table.verdicts] == [Reason.PLACED_FELL]


def test_the_referee_waits_for_a_slow_world() -> None:
    """Rulings F2, F4: a ladder whose removal was ordered is judged once, and rest counts from its removal."""
    table = make_table()
    table.roll()
    table.hold()
    piece = table.let_go("L01")
    table.status["L01"] = pieces.PieceStatus.FREE
    table.touch("L01", "table")
    table.touch(piece, "base")
    table.at_rest = True
    table.lag = 40
    table.ticks(40)
    assert len(table.verdicts) == 1
    assert set(table.verdicts[0].fallen) == {("L01", FallPlace.TABLE), (piece, FallPlace.BASE)}
    assert sum(order == pieces.Remove(piece) for order in table.orders) == 1
    assert table.state.incident
    table.tick()
    assert piece not in table.status
    table.lag = 0
    table.ticks(SETTLE_TICKS + 1)
    assert table.status["L01"] is pieces.PieceStatus.FIXED
    table.ticks(SETTLE_TICKS - 1)
    assert table.state.incident
    table.ticks(2)
    assert not table.state.incident
    assert table.state.tears == (1, 0)


#: Release pose of L06.
WEDGED = Pose(
    (-0.043956212381295684, 0.0022005835726872803, 0.11965093248491226),
    (0.16669946860385557, 0.9816006644959325, -0.09083138909343777, 0.02052026763208446),
)


def test_a_wedged_ladder_falls_before_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ruling F2: wedged on a rail it seems to rest, but rebuilt from its pose by the world it slides to the base."""
    monkeypatch.setattr(bullet, "BODY_STILL_FRICTION", bullet.FRICTION**0.5)  # still wood would hold it
    supply = ("L03", "L06", "L04")
    state = create_state(("Ana", "Ben"), "bombyx-2017", 3, starting=("L01", "L02"), supply=supply)
    ladders = make_ladder_set(BOX_SEED)
    base = make_base(tuple(ladders[piece] for piece in state.starting))
    world, referee = LocalWorld(ladders, base), Referee(state)
    verdicts: list[Verdict] = []
    now = 0

    def apply_orders(judgement: Judgement) -> None:
        verdicts.extend(judgement.verdicts)
        for order in judgement.orders:
            world.apply(order)

    def run(ticks: int, *commands: pieces.Command, grip: pieces.GripIntent | None = None) -> pieces.Facts:
        nonlocal now
        for _ in range(ticks):
            now += 1
            facts = world.tick(grip)
            apply_orders(referee.judge(facts, commands, now))
        return facts

    def get_phase() -> Phase:
        return referee.state.phase

    apply_orders(referee.set_up_table(base.slots))
    run(45)
    run(1, pieces.Command(Act.ROLL))
    lid = run(1)["L06"].pose
    for phase in (pieces.GripPhase.GRAB, pieces.GripPhase.HOLD):
        run(1, grip=pieces.GripIntent(0.0, "test", phase, lid, (0.0, 1.0, 0.0)))
    world.apply(pieces.Place("L06", WEDGED, fixed=False))
    run(1, grip=pieces.GripIntent(0.0, "test", pieces.GripPhase.RELEASE, lid, (0.0, 1.0, 0.0)))
    assert get_phase() is Phase.SETTLE
    facts = run(60)
    assert (facts["L06"].speed_m_s < QUIET_M_S, facts.touching("L06"), verdicts) == (True, ("L01",), [])
    while get_phase() is not Phase.ROLL or referee.state.incident:
        run(1)
        assert now < 1400
    (verdict,) = verdicts
    assert (verdict.reason, verdict.fallen) == (Reason.PLACED_FELL, (("L06", FallPlace.BASE),))
    world.close()
