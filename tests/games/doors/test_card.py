"""Every game is played with a paper ladder, of either hand, from both seats, whatever takes and lets go."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from games.drivers.driver import Driver
from games.drivers.moon import MoonDriver
from support.card_kit import TableCard
from support.doors_kit import Seated, Seats, command

from armoon.games.moon.match import MoonMatch
from armoon.games.moon.presenters import make_result
from armoon.games.moon.saving import resume_point
from armoon.geometry import pose_apply, pose_compose
from armoon.inputs.card import CARD_FROM_GRIP
from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.paper import LEFT_LADDER, RIGHT_LADDER, PaperLadder

Grips = Callable[[Seated, TableCard], None]


def with_card(table: Seated, ladder: PaperLadder, dwell_s: float | None = None) -> TableCard:
    table.hand.shut = 1.0
    card = TableCard(table.seat, lambda: table.step(table.hand.seen), lambda: table.now_s, ladder, dwell_s)
    table.controls.card = table.table.controls.card = card.grip
    return card


def by_thumb(table: Seated, card: TableCard) -> None:
    if card.thumb:
        card.press()
    else:
        card.lift()


def by_key(table: Seated, card: TableCard) -> None:
    table.press("enter")
    card.rest(0.3)


def by_pad(table: Seated, card: TableCard) -> None:
    table.controls.handle_pad_button("a", True)
    table.controls.handle_pad_button("a", False)
    card.rest(0.3)


def by_word(table: Seated, card: TableCard) -> None:
    act = Act.LET_GO if card.grip.is_closed else Act.TAKE
    table.controls.handle_act(act, True)
    table.controls.handle_act(act, False)
    card.rest(0.3)


def by_rest(table: Seated, card: TableCard) -> None:
    card.rest(1.6)


def test_nobody_who_holds_a_card_is_told_to_pinch_or_to_bring_the_hand_nearer(
    driver: Driver, seat: Seats
) -> None:
    table = seat(driver.name, "--players", driver.players)
    driver.ready(table)
    table.hand.place, table.hand.size = (0.0, 0.0, 0.15), 0.4
    table.hand.rest(2.0)
    assert text("watch.too_far") in table.glass
    card = with_card(table, RIGHT_LADDER)
    card.rest(2.0)
    assert text("watch.too_far") not in table.glass
    if isinstance(table.game.match, MoonMatch):
        told = text("hint.take_with_card", player="Ann", in_lid=text("word.in_lid"))
        assert told in table.glass


@pytest.mark.parametrize(
    ("grips", "where", "ladder"),
    [
        (by_thumb, "mirror", RIGHT_LADDER),
        (by_key, "table", RIGHT_LADDER),
        (by_pad, "mirror", RIGHT_LADDER),
        (by_word, "table", LEFT_LADDER),
        (by_rest, "mirror", LEFT_LADDER),
    ],
)
def test_a_turn_is_played(driver: Driver, grips: Grips, where: str, ladder: PaperLadder, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.ready(table)
    before, turn = len(table.saved.moves), table.game.turns_played
    card = with_card(table, ladder, 1.0 if grips is by_rest else None)
    if grips is not by_thumb:
        card.thumb = None  # a stick has no thumb
    way = driver.way(table)
    card.move(driver.taken_at(table))
    grips(table, card)
    assert table.game.match.holding, table.glass
    for place in way:
        card.move(place)
        card.rest(0.5)
    grips(table, card)
    table.until(lambda: table.game.turns_played > turn and table.game.match.at_rest, "the turn's end")
    assert len(table.saved.moves) > before, "what a card did is on disk"
    match = table.game.match
    if isinstance(match, MoonMatch):
        assert sum(match.by_card) == 1, "that it was laid with a card is declared"
        said = text("card.beside", count=1)
        assert [said in one.note for one in table.scene.hud.players].count(True) == 1
        assert [text("card.count", count=1) in one.note for one in make_result(match).lines].count(True) == 1
        assert resume_point(table.saved).counted == match.seat_counts
    table.press("u")
    table.until(lambda: table.game.match.at_rest, "the turn to be back")
    assert not isinstance(match, MoonMatch) or sum(match.by_card) == 0, "it isn't laid any more"
    driver.turn_by_keys(table)
    table.close()
    assert command("replay", str(table.log), "--verify").exit_code == 0


def test_a_ladder_that_a_card_put_back_was_not_laid_with_it(seat: Seats) -> None:
    driver = MoonDriver()
    table = seat(driver.name, "--players", driver.players, "--seat", "table")
    driver.ready(table)
    card = with_card(table, RIGHT_LADDER)
    card.move(driver.taken_at(table))
    for _ in range(2):
        by_key(table, card)
    table.press("g")
    table.until(lambda: table.game.turns_played == 1, "the turn's end")
    match = table.game.match
    assert isinstance(match, MoonMatch)
    assert (match.state.tears[0], sum(match.by_card)) == (1, 0)


@pytest.mark.parametrize("where", ["table", "mirror"])
def test_what_is_held_is_drawn_at_the_papers_end(driver: Driver, where: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.ready(table)
    card = with_card(table, RIGHT_LADDER)
    way = driver.way(table)
    card.move(driver.taken_at(table))
    assert table.scene.card is not None
    assert table.scene.card.held_at is None
    card.press()
    for place in way:
        card.move(place)
        card.rest(1.0)
    drawn = table.scene.card
    assert drawn is not None
    there = pose_compose(table.seat.table_from_camera, drawn.camera_from_card)
    assert pose_apply(there, CARD_FROM_GRIP.position) == pytest.approx(card.pose.position, abs=1e-6)
    assert drawn.held_at is not None
    assert math.dist(drawn.held_at, card.pose.position) < 0.03
    assert text("card.seen", length="0.5", angle="0.2") in table.table.compose_scene("").hud.keys
    card.hidden = True
    card.rest(1.0)
    assert table.scene.card is None, "nothing hides what no paper is seen to hide"
    assert text("card.lost") in table.table.compose_scene("").hud.keys
