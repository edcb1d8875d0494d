"""The referee and the table: frozen tracking, time, second hands, overruling, status."""

from __future__ import annotations

import pytest
from support.fake_table import ROLL, FakeTable, table, table_with_die

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon.editions import MoonRefusal, OnTimeout, Options, Phase, Reason
from armoon.games.moon.events import ActRefused, GameEnded
from armoon.games.moon.rules import replay_moves
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from armoon.values.pieces import Command, Place
from armoon.values.poses import Pose


def test_nothing_is_judged_while_frozen() -> None:
    """Ruling X2."""
    t = table()
    standing = t.honour()
    t.roll()
    held = t.hold()
    t.frozen = True
    t.touch(held, "base")
    t.touch(standing, "table")
    t.ticks(200)
    assert len(t.verdicts) == 1
    give_up = t.tick(Command(Act.GIVE_UP))
    assert give_up.events == (ActRefused(Act.GIVE_UP, MoonRefusal.HAND_LOST),)
    assert t.referee.measure_status().hint == "hint.frozen"
    t.separate(held)
    t.frozen = False
    t.tick()
    assert t.verdicts[-1].fallen[0][0] == standing, "the fall is judged when the hand is back"


def test_the_time_limit_warns_and_then_takes_the_held_ladder() -> None:
    """Ruling X1."""
    t = table(options=Options(turn_limit_s=5.0, timeout_grace_s=2.0))
    t.roll()
    # The clock starts in the tick after the roll; taking the ladder is the first tick that counts.
    held = t.hold()
    t.ticks(298)
    assert not t.verdicts
    t.tick()
    assert t.verdicts[-1].reason is Reason.TIME_WARNED
    assert t.state.tears == (0, 0)
    t.frozen = True
    t.ticks(500)
    t.frozen = False
    t.ticks(119)
    assert t.state.phase is Phase.HOLD, "no time passes while the hand is lost"
    t.tick()
    assert t.verdicts[-1].rulings == ("X1", "F2")
    assert t.verdicts[-1].removed == (held,)
    assert t.state.tears == (1, 0)
    t.roll()


@pytest.mark.parametrize("on_timeout", [OnTimeout.WARN, OnTimeout.OFF])
def test_the_time_limit_may_only_warn_or_do_nothing(on_timeout: OnTimeout) -> None:
    """Ruling X1."""
    t = table(options=Options(turn_limit_s=1.0, timeout_grace_s=1.0, on_timeout=on_timeout))
    t.roll()
    t.ticks(1000)
    assert [v.reason for v in t.verdicts] == ([Reason.TIME_WARNED] if on_timeout is OnTimeout.WARN else [])
    assert t.state.phase is Phase.DRAW


def test_time_stops_in_a_pause_and_nobody_can_roll() -> None:
    """Ruling X1."""
    t = table(options=Options(turn_limit_s=1.0))
    t.tick(Command(Act.PAUSE))
    t.settle()
    assert t.tick(ROLL).events == (ActRefused(Act.ROLL, MoonRefusal.PAUSED),)
    assert t.referee.measure_status().hint == "hint.paused"
    t.tick(Command(Act.RESUME))
    t.roll()
    t.tick(Command(Act.PAUSE))
    t.ticks(100)
    assert not t.verdicts
    t.tick(Command(Act.RESUME))
    t.ticks(TICKS_PER_SECOND - 3)
    assert not t.verdicts
    t.ticks(2)
    assert [v.reason for v in t.verdicts] == [Reason.TIME_WARNED]


@pytest.mark.parametrize(
    ("option", "reasons", "tears"),
    [
        (OneHand.MISTAKE, [Reason.TWO_HANDS_NOTED, Reason.TWO_HANDS], (1, 0)),
        (OneHand.WARN, [Reason.TWO_HANDS_WARNED, Reason.TWO_HANDS_WARNED, Reason.HONOURED], (0, 0)),
        (OneHand.OFF, [Reason.HONOURED], (0, 0)),
    ],
)
def test_a_second_hand_is_judged_by_the_house_option(
    option: OneHand, reasons: list[Reason], tears: tuple[int, int]
) -> None:
    """Ruling F3: reported once each time it appears; a noted mistake is charged with the turn's verdict."""
    t = table_with_die("ONE", options=Options(one_hand=option))
    t.tick(second_hand=True)
    t.tick()
    t.roll()
    t.hold()
    for near in (True, True, False, True):
        t.tick(second_hand=near)
    t.let_go("L01")
    t.settle()
    assert [v.reason for v in t.verdicts] == reasons
    assert t.state.tears == tears


def placed_poses(t: FakeTable) -> dict[str, Pose]:
    return {piece: t.pose[piece] for piece in t.state.placed}


def test_a_turn_is_put_back_with_its_structure() -> None:
    """Ruling X4: the same ladders in the same places, then the same face and the same next ladder."""
    t = table()
    first = t.honour()
    t.pose[first] = Pose((0.01, 0.02, 0.2))
    t.roll()
    die, drawn = t.state.die, t.ladder
    t.hold()
    t.touch(first, "table")
    t.at_rest = False
    t.tick()
    assert t.state.tears == (0, 1)
    judgement = t.tick(Command(Act.UNDO))
    assert Place(first, Pose((0.01, 0.02, 0.2)), False) in judgement.orders
    assert judgement.verdicts[0].ruling == "X4"
    assert t.state.tears == (0, 0)
    assert placed_poses(t) == {first: Pose((0.01, 0.02, 0.2))}
    assert set(t.status) == {"L01", "L02", first}
    t.roll()
    assert (t.state.die, t.ladder, t.state.player) == (die, drawn, 1)
    assert replay_moves(t.first, t.moves) == t.state


def test_a_fall_while_a_structure_is_rebuilt_is_no_mistake() -> None:
    """Rulings X4 and F5."""
    t = table()
    first = t.honour()
    t.roll()
    t.tick(Command(Act.UNDO))
    t.at_rest = False
    t.touch(first, "table")
    t.tick()
    assert t.state.tears == (0, 0)
    t.roll()


def test_a_tear_given_back_after_the_end_reports_the_new_outcome() -> None:
    """Rulings X4, E5: the outcome is reported once, and again only if it changes."""
    t = table_with_die("ONE", options=Options(supply_size=2))
    t.play("L01", "L02")
    t.honour()
    t.tick(Command(Act.GIVE_TEAR_BACK))
    t.ticks(3)
    winners = [event.outcome.winners for event in t.events if isinstance(event, GameEnded)]
    assert winners == [(1,), (0, 1)]


def test_the_status_reports_hint_contacts_and_whether_the_die_is_honoured() -> None:
    """Rulings T4 and X3."""
    t = table_with_die("TWO")
    assert t.referee.measure_status().hint == "hint.roll"
    t.roll()
    status = t.referee.measure_status()
    assert status.would_honour is None
    piece = t.hold()
    t.touch(piece, "L01")
    t.tick()
    status = t.referee.measure_status()
    assert (status.touching, status.would_honour) == (("L01",), False)
    t.touch(piece, "L01", "L02")
    t.height["L02"] = 0.25
    t.tick()
    status = t.referee.measure_status()
    assert status.would_honour
    assert (status.structure_top_m, len(t.state.supply), t.state.tears_left) == (0.25, 27, 7)
    assert status.hint == "hint.place.two"
    t.let_go("L01", "L02")
    assert t.referee.measure_status().hint == "hint.settling"
