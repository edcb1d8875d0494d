"""Games are played with both paper ladders, from both seats, and with every method of grabbing and releasing."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from games.drivers.driver import Driver
from games.drivers.moon import MoonDriver
from support.card_kit import TableCard
from support.table_kit import IdealTable, Seats, command

from armoon.games.moon.match import MoonMatch
from armoon.games.moon.presenters import make_result
from armoon.games.moon.saving import resume_setup
from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.paper import LEFT_LADDER, RIGHT_LADDER, PaperLadder

GripToggle = Callable[[IdealTable, TableCard], None]


def hold_card(table: IdealTable, ladder: PaperLadder, dwell_s: float | None = None) -> TableCard:
    table.hand.closing = 1.0
    card = TableCard(table.seat, lambda: table.step(table.hand.view), lambda: table.now_s, ladder, dwell_s)
    table.controls.devices = table.table.controls.devices = (card.grip,)
    return card


def press_thumb(table: IdealTable, card: TableCard) -> None:
    if card.thumb:
        card.press()
    else:
        card.lift()


def press_enter(table: IdealTable, card: TableCard) -> None:
    table.press("enter")
    card.rest(0.3)


def press_pad(table: IdealTable, card: TableCard) -> None:
    table.controls.handle_pad_button("a", True)
    table.controls.handle_pad_button("a", False)
    card.rest(0.3)


def say_word(table: IdealTable, card: TableCard) -> None:
    act = Act.LET_GO if card.grip.is_closed else Act.TAKE
    table.controls.handle_act(act, True)
    table.controls.handle_act(act, False)
    card.rest(0.3)


def hold_still(table: IdealTable, card: TableCard) -> None:
    card.rest(1.6)


def test_a_player_with_a_card_is_not_asked_to_pinch_or_come_closer(driver: Driver, table: IdealTable) -> None:
    driver.prepare_turn(table)
    table.hand.position, table.hand.size = (0.0, 0.0, 0.15), 0.4
    table.hand.rest(2.0)
    assert text("watch.too_far") in table.hud_text
    card = hold_card(table, RIGHT_LADDER)
    card.rest(2.0)
    assert text("watch.too_far") not in table.hud_text
    if isinstance(table.game.match, MoonMatch):
        hint = text("hint.take_with_card", player="Ann", in_lid=text("word.in_lid"))
        assert hint in table.hud_text


@pytest.mark.parametrize(
    ("driver", "toggle", "where", "ladder"),
    [
        ("moon", press_thumb, "mirror", RIGHT_LADDER),
        ("moon", hold_still, "table", LEFT_LADDER),
        ("lake", press_pad, "mirror", RIGHT_LADDER),
        ("lake", say_word, "table", LEFT_LADDER),
        ("toy", press_enter, "table", RIGHT_LADDER),
    ],
    indirect=["driver"],
)
def test_a_turn_is_played_with_a_card(
    driver: Driver, toggle: GripToggle, where: str, ladder: PaperLadder, seat: Seats
) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.prepare_turn(table)
    before, turn = len(table.saved.moves), table.game.turns_played
    card = hold_card(table, ladder, 1.0 if toggle is hold_still else None)
    if toggle is not press_thumb:
        card.thumb = None  # a ladder on a stick has no tag for the thumb
    path = driver.carry_points(table)
    card.move(driver.grab_point(table))
    toggle(table, card)
    assert table.game.match.holding, table.hud_text
    for place in path:
        card.move(place)
        card.rest(0.5)
    toggle(table, card)
    table.until(lambda: table.game.turns_played > turn and table.game.match.at_rest, "the turn's end")
    assert len(table.saved.moves) > before, "moves made with a card are on disk"
    match = table.game.match
    if isinstance(match, MoonMatch):
        assert sum(match.by_card) == 1, "the player list and the result mention the placement by card"
        note = text("card.beside", count=1)
        assert [note in p.note for p in table.scene.hud.players].count(True) == 1
        assert [text("card.count", count=1) in p.note for p in make_result(match).lines].count(True) == 1
        assert resume_setup(table.saved).last_snapshot.counts == match.seat_counts
    table.press("u")
    table.until(lambda: table.game.match.at_rest, "the undone turn")
    assert not isinstance(match, MoonMatch) or sum(match.by_card) == 0, "the undone placement doesn't count"
    driver.play_turn(table)
    table.close()
    assert command("replay", str(table.log), "--verify").exit_code == 0


def test_a_ladder_that_a_card_put_back_does_not_count_as_placed_by_card(seat: Seats) -> None:
    driver = MoonDriver()
    table = seat(driver.name, "--players", driver.players, "--seat", "table")
    driver.prepare_turn(table)
    card = hold_card(table, RIGHT_LADDER)
    card.move(driver.grab_point(table))
    for _ in range(2):
        press_enter(table, card)
    table.press("g")
    table.until(lambda: table.game.turns_played == 1, "the turn's end")
    match = table.game.match
    assert isinstance(match, MoonMatch)
    assert (match.state.tears[0], sum(match.by_card)) == (1, 0)


@pytest.mark.parametrize(("driver", "where"), [("moon", "mirror"), ("lake", "table")], indirect=["driver"])
def test_the_held_piece_is_drawn_at_the_end_of_the_paper(driver: Driver, where: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.prepare_turn(table)
    card = hold_card(table, RIGHT_LADDER)
    path = driver.carry_points(table)
    card.move(driver.grab_point(table))
    assert table.scene.prop is not None
    assert table.scene.prop.held_at is None
    card.press()
    for place in path:
        card.move(place)
        card.rest(1.0)
    drawn = table.scene.prop
    assert drawn is not None
    assert drawn.grip.position == pytest.approx(card.pose.position, abs=1e-6)
    assert drawn.held_at is not None
    assert math.dist(drawn.held_at, card.pose.position) < 0.03
    assert text("card.seen", length="0.5", angle="0.2") in table.table.compose_scene("").hud.keys
    card.hidden = True
    card.rest(1.0)
    assert table.scene.prop is None, "a card out of view isn't drawn"
    assert text("card.lost") in table.table.compose_scene("").hud.keys
