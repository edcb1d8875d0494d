"""With a house option players can draw any ladder of the supply: rules, keys, log and button."""

from __future__ import annotations

from dataclasses import replace

from games.drivers.moon import MoonDriver
from games.every_game.steps import grab_piece
from support.screens_kit import fresh, in_game
from support.table_kit import IdealTable, Seats

from armoon.games.library import verify_log
from armoon.games.moon.editions import DrawFrom, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules import apply_move, create_state, list_legal_kinds
from armoon.games.moon.turn import Draw, Roll, State, Take
from armoon.messages import text
from armoon.screens.events import Ask
from armoon.screens.machine import build_page, press_pointer
from armoon.screens.state import PageName
from armoon.values.acts import Act

ANY = Options(draw_from=DrawFrom.ALL)


def make_rolled_state() -> State:
    state = create_state(("Ann", "Ben"), seed=5, options=ANY)
    assert state.fixed_face is not None
    return apply_move(state, Roll(state.fixed_face))


def test_a_drawn_ladder_can_be_exchanged_for_any_other() -> None:
    state = make_rolled_state()
    ring = state.supply
    third = apply_move(state, Draw(ring[2]))
    assert third.ladder == ring[2]
    assert third.supply == (*ring[3:], *ring[:2])
    assert Draw in list_legal_kinds(third)
    other = apply_move(third, Draw(ring[0]))
    assert other.ladder == ring[0]
    assert sorted((other.ladder, *other.supply)) == sorted(ring)
    assert Draw not in list_legal_kinds(apply_move(other, Take()))


def find_offered(table: IdealTable) -> str:
    return next(piece.piece for piece in table.scene.pieces if piece.look == "offered")


def test_keys_exchange_the_offered_ladder_and_the_log_replays_bit_for_bit(seat: Seats) -> None:
    driver = MoonDriver()
    table = seat("moon", "--players", "Ann,Ben", "--draw-any")
    driver.prepare_turn(table)
    first = find_offered(table)
    table.press("n")
    table.rest(0.3)
    second = find_offered(table)
    assert second != first
    table.ask(Act.ANOTHER, -1)
    table.rest(0.3)
    assert find_offered(table) == first, "-1 steps back"
    table.press("n", "n")
    table.rest(0.3)
    third = find_offered(table)
    assert len({first, second, third}) == 3
    assert sum(piece.look == "offered" for piece in table.scene.pieces) == 1, "the exchanged ladder is gone"
    grab_piece(driver, table)
    table.press("n")
    assert text("refusal.wrong_phase") in table.hud_text
    table.press("b", "g")
    table.until(lambda: table.game.is_awaiting_roll and table.game.match.at_rest, "the next roll")
    removed = table.game.match.state.removed
    assert removed[-1:] == (third,)
    table.close()
    assert verify_log(table.log).same
    resumed = seat("moon", "--resume", str(table.path))
    assert resumed.game.match.state.removed == removed
    assert resumed.game.match.state.options.draw_from is DrawFrom.ALL
    driver.prepare_turn(resumed)
    resumed.press("n")
    resumed.rest(0.3)
    assert find_offered(resumed) not in removed


def test_the_exchange_button_appears_only_with_the_option() -> None:
    form = fresh(2).form.with_options(MoonOptions(house=ANY))
    screens = in_game(replace(fresh(2), form=form))
    button = build_page(screens)["ladder"]
    assert press_pointer(screens, button.rect.centre)[1] == (Ask(Act.ANOTHER, 1),)
    rows = {widget.name for widget in build_page(screens.go_to(PageName.PAUSE)).widgets}
    assert "ladder" in rows
    assert "ladder" not in {widget.name for widget in build_page(in_game(fresh(2))).widgets}
