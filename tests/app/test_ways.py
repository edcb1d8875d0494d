"""Whole games with keys, clicks or the head alone, through the program's own input; test_by_ear.py uses a switch."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.app_kit import FRAME_S
from support.person_kit import PATIENCE_S, Person
from support.session_kit import SteeredHead, way_to

from armoon.games.lake.layout import find_floor_middle, locate_stack_top
from armoon.games.lake.match import LakeMatch
from armoon.games.lake.rules import Choose, apply_move, legal_moves
from armoon.games.library import verify_log
from armoon.screens.machine import build_page
from armoon.screens.pages.opening import start_guide
from armoon.screens.state import GuidedGame, PageName
from armoon.settings.files import games_folder
from armoon.values.choices import Device, Palette, TextSize, Way
from armoon.values.places import HINT
from armoon.values.player_settings import PlayerSettings
from armoon.values.poses import Vec2, Vec3
from armoon.view.window import MousePointer

pytestmark = pytest.mark.slow
#: A point beside the base, with only the table under a ladder.
BESIDE: Vec3 = (-0.17, 0.0, 0.10)
#: A height above all ladders.
HIGH_M = 0.30
#: Height below which a released ladder falls instead of being parked.
NEAR_M = 0.012


def held_x_m(person: Person) -> float:
    facts = person.moon.match.facts
    return math.inf if facts.held is None else facts[facts.held].pose.position[0]


def play_game(person: Person, turn: Callable[[], None], presses_per_turn: int) -> None:
    match, turns = person.moon.match, 0
    while not match.over:
        person.until(lambda: match.over or (person.moon.is_awaiting_roll and match.at_rest), "the next turn")
        if not match.over:
            turns += 1
            turn()
    assert turns >= 2
    assert person.presses == presses_per_turn * turns
    close_and_verify(person)


def close_and_verify(person: Person) -> None:
    person.host.close_table()
    (log,) = games_folder().glob("evening*.jsonl")
    assert verify_log(log).same


def test_keys_alone_play_a_whole_game(home: Path) -> None:
    person = Person(way=Way.KEYS, tears=2)

    def turn() -> None:
        person.hold("space")
        person.until(lambda: person.offered is not None, "a ladder")
        person.pass_time(0.3)
        person.hold("enter")
        assert person.moon.match.holding
        person.hold("pageup", 1.2)
        person.hold_until(
            "right" if person.mirrored else "left", lambda: person.held.pose.position[0] < BESIDE[0]
        )
        person.hold_until("pagedown", lambda: person.held.lowest_m < NEAR_M)
        assert person.moon.match.holding
        person.hold("enter")
        person.pass_time(0.5)
        assert not person.moon.match.holding

    play_game(person, turn, 6)


def test_clicks_alone_play_a_whole_game(home: Path) -> None:
    person = Person(way=Way.MOUSE, tears=2)

    def turn() -> None:
        person.click((0.0, 0.0, 0.2))
        person.until(lambda: person.offered is not None, "a ladder")
        person.pass_time(0.3)
        offered = person.offered
        assert offered is not None
        person.click(offered)
        person.pass_time(0.5)
        assert person.moon.match.holding
        high, low = (BESIDE[0], BESIDE[1], HIGH_M), (BESIDE[0], BESIDE[1], offered[2] - 0.006)
        for place in ((offered[0], offered[1], HIGH_M), high, low):
            person.point(place)
            person.pass_time(0.8)
        assert person.moon.match.holding, f"the ladder slipped: {person.hud_text}"
        person.click(low)
        person.pass_time(0.5)
        assert not person.moon.match.holding

    play_game(person, turn, 3)


def test_a_switch_player_and_a_mouse_player_alternate_at_one_table(home: Path) -> None:
    person = Person(starts_in_game=False, choosing=True)
    default_preferences = person.screens.preferences
    ann = PlayerSettings(Way.SWITCH, 0.8, TextSize.ENORMOUS, Palette.TRITAN)
    form = person.screens.form.with_player_changes(0, habits=ann).with_player_changes(
        1, habits=PlayerSettings(Way.MOUSE)
    )
    person.front.screens = replace(person.screens, form=form)
    person.choose(*way_to("moon", person.screens))
    match = person.moon.match

    def check_no_roll(press: Callable[[], None]) -> None:
        press()
        person.pass_time(1.0)
        assert person.moon.is_awaiting_roll

    def by_switch() -> None:
        preferences = person.screens.preferences
        assert (preferences.way, preferences.scan_s, preferences.text_scale) == (Way.SWITCH, 0.8, 2.5)
        assert preferences.look.palette is Palette.TRITAN
        check_no_roll(lambda: person.click((0.0, 0.0, 0.2)))
        for name in ("roll", "place 1", "let_go"):
            person.press_when_lit(f"choose {name}")
        person.until(lambda: match.places_chosen[0] == 1 and person.moon.turns_played == 1, "the verdict")

    def by_mouse() -> None:
        preferences = person.screens.preferences
        assert replace(preferences, way=default_preferences.way) == default_preferences
        assert preferences.way is Way.MOUSE
        for key in ("j", "space"):
            check_no_roll(lambda key=key: person.hold(key))  # type: ignore[misc]
        person.click((0.0, 0.0, 0.2))
        person.until(lambda: person.offers("choose place 1"), "a place")
        person.hold("enter")
        person.pass_time(0.5)
        assert not match.holding, "Enter took a ladder in the mouse player's turn"
        for name in ("place 1", "let_go"):
            person.until(lambda name=name: person.offers(f"choose {name}"), name)  # type: ignore[misc]
            person.pass_time(0.5)
            over = build_page(person.screens)[f"choose {name}"].rect.centre
            for pressed in (False, True, False):
                assert person.front.handle_pointer(MousePointer(over, pressed, over=over)) or not pressed
                person.pass_time(0.1)
        person.until(lambda: match.places_chosen == [1, 1] and person.moon.turns_played == 2, "the verdict")

    for seat, turn in enumerate((by_switch, by_mouse)):
        person.until(lambda seat=seat: match.on_turn[1] == seat and person.moon.is_awaiting_roll, "the turn")  # type: ignore[misc]
        person.until(lambda: match.at_rest and person.screens.page is PageName.TABLE, "rest")
        turn()
    assert sorted(made.player for made in match.figures.records) == [0, 1]
    person.until(lambda: match.on_turn[1] == 0 and person.screens.preferences.way is Way.SWITCH, "Ann again")
    person.front.screens = person.screens.cleared_for(PageName.TITLE)
    assert person.screens.preferences == default_preferences, "a player's settings apply on the title page"
    close_and_verify(person)


def test_one_switch_plays_the_guided_first_game(home: Path) -> None:
    person = Person(way=Way.SWITCH, starts_in_game=False)
    names: list[str] = []

    def guide_step() -> str:
        guide = person.screens.guide
        return "" if guide is None else guide.text_name

    def reach_step(name: str) -> None:
        person.until(lambda: guide_step() == name, f"the step {name}")
        names.append(name)

    person.press_when_lit("learn")
    person.press_when_lit("guide")
    for name, choice in (("roll", "roll"), ("take", "place 1"), ("let_go", "let_go")):
        reach_step(name)
        person.press_when_lit(f"choose {choice}")
    reach_step("table")
    person.press_when_lit("turn right")
    reach_step("die")
    person.press_when_lit("next")
    reach_step("tears")
    person.press_when_lit("next")
    reach_step("help")
    person.press_when_lit("next")
    reach_step("end")
    person.press_when_lit("next")
    person.until(lambda: person.screens.page is PageName.GAME, "the choice of a game")
    assert names == ["roll", "take", "let_go", "table", "die", "tears", "help", "end"]


def test_a_move_at_the_lake_is_shown_before_it_can_be_played(home: Path) -> None:
    person = Person(game="lake", choosing=True)
    for device in ("mouse", "switch", "reader"):
        person.until(lambda: person.offers("choose next"), "the moves")
        before = person.game.match.state
        assert not person.offers("choose play")
        person.push("choose next", device)
        person.until(lambda: person.offers("choose play"), "a highlighted move")
        assert person.game.match.state == before, "the move is already played"
        (move, *_) = legal_moves(before)
        assert person.screens.choices.sentence
        person.push("choose play", device)
        person.until(lambda: person.game.match.state != before, "the move")  # noqa: B023 - done at once
        assert person.game.match.state == apply_move(before, move)


def test_keys_play_only_a_highlighted_move_although_the_mouse_rests_on_a_dome(home: Path) -> None:
    person = Person(game="lake")
    match: LakeMatch = person.game.match
    person.until(lambda: match.at_rest, "the lake")

    def at(star: int) -> None:
        person.point(find_floor_middle(locate_stack_top(star, 0)))
        person.until(lambda: match.hover is not None and match.hover.star == star, "the mouse over a dome")

    def lit() -> set[str]:
        board: Any = person.game.build_scene(1.0, "").board
        return {dome.colour for dome in board.domes if dome.look == "hover"}

    at(0)
    over = match.state.stars[0][0].colour.value
    assert lit() == {over}
    colours = [move.colour.value for move in legal_moves(match.state) if isinstance(move, Choose)]
    other = next(k for k, colour in enumerate(colours) if colour != over)
    for _ in range(other + 1):
        person.hold("right")
    highlighted = lit()
    assert highlighted == {colours[other]}
    star = next(
        k for k, stack in enumerate(match.state.stars) if {stack[0].colour.value} not in ({over}, highlighted)
    )
    at(star)
    assert lit() == {match.state.stars[star][0].colour.value}
    before = match.state
    person.hold("enter")
    assert match.state == before, "a move was played that wasn't shown"
    person.hold("enter")
    assert match.state == apply_move(before, legal_moves(before)[0])


def test_the_head_alone_plays_a_whole_game(home: Path) -> None:
    person = Person(way=Way.HEAD, tears=2)

    def point_and_run(over: tuple[Vec2, bool] | None) -> None:
        if over is not None:
            person.controls.handle_pointer(MousePointer(*over, over=over[0]))
        person.run_frame()

    steered = SteeredHead(person.front, 1.0 / FRAME_S, point_and_run)

    def press_widget(name: str) -> None:
        end_s = person.now_s + PATIENCE_S

        def waits() -> bool:
            nonlocal end_s
            end_s += person.run_search()
            return person.now_s < end_s

        steered.press_widget(name, waits)
        person.presses += 1

    def turn() -> None:
        for name in ("choose roll", "choose free", "choose right" if person.mirrored else "choose left"):
            press_widget(name)
        end_s = person.now_s + PATIENCE_S
        while held_x_m(person) >= BESIDE[0]:
            assert person.now_s < end_s
            steered.frame()
        press_widget("choose stop")
        if person.moon.match.state.turn == 1:
            # When the face is lost during a turn, a held ladder stays held and the game continues.
            for _ in range(round(3.0 / FRAME_S)):
                steered.frame(seen=False)
            assert person.moon.match.holding
            assert steered.pointer.problem_key == "head.nobody"
        press_widget("choose let_go")
        person.until(lambda: not person.moon.match.holding, "the release")

    play_game(person, turn, 5)


class Beginner(Person):
    def __init__(self) -> None:
        super().__init__(starts_in_game=False)
        self.front.apply(start_guide)
        self.front.set_device(Device.KEYS)
        self.pass_time(0.2)
        self.front.screens = replace(self.screens, device=Device.KEYS)
        self.wait_for_lesson("roll")
        self.key("space", True)

    @property
    def guide(self) -> GuidedGame:
        guide = self.screens.guide
        assert guide is not None
        return guide

    def wait_for_lesson(self, name: str) -> None:
        # The search for the hint runs in real time, however fast the simulated clock runs.
        self.until(lambda: self.guide.text_name == name, name, seconds=600.0)


def test_the_guides_hint_leads_to_a_standing_ladder(home: Path) -> None:
    person = Beginner()
    person.wait_for_lesson("hint")
    person.key("h", True)
    person.wait_for_lesson("take")
    person.push(f"choose {HINT}", "mouse")
    person.wait_for_lesson("table")
    assert person.moon.match.state.tears == (0,)
    assert len(person.moon.match.state.placed) == 1
    person.host.close_table()


def test_a_turn_given_up_is_repeated(home: Path) -> None:
    person = Beginner()
    person.wait_for_lesson("side")
    person.hold("g")
    person.choose("give_up")
    person.wait_for_lesson("again")
    person.pass_time(3.0)
    person.key("space", True)
    person.wait_for_lesson("hint")
    person.host.close_table()
