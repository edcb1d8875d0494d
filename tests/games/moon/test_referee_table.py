"""The referee and the table: frozen tracking, time, second hands, overruling, status."""

from __future__ import annotations

import pytest
from support.fake_table import ROLL, FakeTable, make_table, make_table_with_die

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
    table = make_table()
    standing = table.honour()
    table.roll()
    held = table.hold()
    table.frozen = True
    table.touch(held, "base")
    table.touch(standing, "table")
    table.ticks(200)
    assert len(table.verdicts) == 1
    give_up = table.tick(Command(Act.GIVE_UP))
    assert give_up.events == (ActRefused(Act.GIVE_UP, MoonRefusal.HAND_LOST),)
    assert table.referee.measure_status().hint == "hint.frozen"
    table.separate(held)
    table.frozen = False
    table.tick()
    assert table.verdicts[-1].fallen[0][0] == standing, "the fall is judged when the hand is back"


def test_the_time_limit_warns_and_then_takes_the_held_ladder() -> None:
    """Ruling X1."""
    table = make_table(options=Options(turn_limit_s=5.0, timeout_grace_s=2.0))
    table.roll()
    # The clock starts in the tick after the roll; taking the ladder is the first tick that counts.
    held = table.hold()
    table.ticks(298)
    assert not table.verdicts
    table.tick()
    assert table.verdicts[-1].reason is Reason.TIME_WARNED
    assert table.state.tears == (0, 0)
    table.frozen = True
    table.ticks(500)
    table.frozen = False
    table.ticks(119)
    assert table.state.phase is Phase.HOLD, "no time passes while the hand is lost"
    table.tick()
    assert table.verdicts[-1].rulings == ("X1", "F2")
    assert table.verdicts[-1].removed == (held,)
    assert table.state.tears == (1, 0)
    table.roll()


@pytest.mark.parametrize("on_timeout", [OnTimeout.WARN, OnTimeout.OFF])
def test_the_time_limit_may_only_warn_or_do_nothing(on_timeout: OnTimeout) -> None:
    """Ruling X1."""
    table = make_table(options=Options(turn_limit_s=1.0, timeout_grace_s=1.0, on_timeout=on_timeout))
    table.roll()
    table.ticks(1000)
    warnings = [Reason.TIME_WARNED] if on_timeout is OnTimeout.WARN else []
    assert [v.reason for v in table.verdicts] == warnings
    assert table.state.phase is Phase.DRAW


def test_time_stops_in_a_pause_and_nobody_can_roll() -> None:
    """Ruling X1."""
    table = make_table(options=Options(turn_limit_s=1.0))
    table.tick(Command(Act.PAUSE))
    table.settle()
    assert table.tick(ROLL).events == (ActRefused(Act.ROLL, MoonRefusal.PAUSED),)
    assert table.referee.measure_status().hint == "hint.paused"
    table.tick(Command(Act.RESUME))
    table.roll()
    table.tick(Command(Act.PAUSE))
    table.ticks(100)
    assert not table.verdicts
    table.tick(Command(Act.RESUME))
    table.ticks(TICKS_PER_SECOND - 3)
    assert not table.verdicts
    table.ticks(2)
    assert [v.reason for v in table.verdicts] == [Reason.TIME_WARNED]


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
    table = make_table_with_die("ONE", options=Options(one_hand=option))
    table.tick(second_hand=True)
    table.tick()
    table.roll()
    table.hold()
    for near in (True, True, False, True):
        table.tick(second_hand=near)
    table.let_go("L01")
    table.settle()
    assert [v.reason for v in table.verdicts] == reasons
    assert table.state.tears == tears


def list_placed_poses(table: FakeTable) -> dict[str, Pose]:
    return {piece: table.pose[piece] for piece in table.state.placed}


def test_a_turn_is_put_back_with_its_structure() -> None:
    """Ruling X4: the same ladders in the same places, then the same face and the same next ladder."""
    table = make_table()
    first = table.honour()
    table.pose[first] = Pose((0.01, 0.02, 0.2))
    table.roll()
    die, drawn = table.state.die, table.ladder
    table.hold()
    table.touch(first, "table")
    table.at_rest = False
    table.tick()
    assert table.state.tears == (0, 1)
    judgement = table.tick(Command(Act.UNDO))
    assert Place(first, Pose((0.01, 0.02, 0.2)), False) in judgement.orders
    assert judgement.verdicts[0].ruling == "X4"
    assert table.state.tears == (0, 0)
    assert list_placed_poses(table) == {first: Pose((0.01, 0.02, 0.2))}
    assert set(table.status) == {"L01", "L02", first}
    table.roll()
    assert (table.state.die, table.ladder, table.state.player) == (die, drawn, 1)
    assert replay_moves(table.first, table.moves) == table.state


def test_a_fall_while_a_structure_is_rebuilt_is_no_mistake() -> None:
    """Rulings X4 and F5."""
    table = make_table()
    first = table.honour()
    table.roll()
    table.tick(Command(Act.UNDO))
    table.at_rest = False
    table.touch(first, "table")
    table.tick()
    assert table.state.tears == (0, 0)
    table.roll()


def test_a_tear_given_back_after_the_end_reports_the_new_outcome() -> None:
    """Rulings X4, E5: the outcome is reported once, and again only if it changes."""
    table = make_table_with_die("ONE", options=Options(supply_size=2))
    table.play("L01", "L02")
    table.honour()
    table.tick(Command(Act.GIVE_TEAR_BACK))
    table.ticks(3)
    winners = [event.outcome.winners for event in table.events if isinstance(event, GameEnded)]
    assert winners == [(1,), (0, 1)]


def test_the_status_reports_hint_contacts_and_whether_the_die_is_honoured() -> None:
    """Rulings T4 and X3."""
    table = make_table_with_die("TWO")
    assert table.referee.measure_status().hint == "hint.roll"
    table.roll()
    status = table.referee.measure_status()
    assert status.would_honour is None
    piece = table.hold()
    table.touch(piece, "L01")
    table.tick()
    status = table.referee.measure_status()
    assert (status.touching, status.would_honour) == (("L01",), False)
    table.touch(piece, "L01", "L02")
    table.height["L02"] = 0.25
    table.tick()
    status = table.referee.measure_status()
    assert status.would_honour
    assert (status.structure_top_m, len(table.state.supply), table.state.tears_left) == (0.25, 27, 7)
    assert status.hint == "hint.place.two"
    table.let_go("L01", "L02")
    assert table.referee.measure_status().hint == "hint.settling"
