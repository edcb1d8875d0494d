"""Scanning: the order and duration of highlighted choices, and the effect of a switch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.every_case import every_case
from support.screens_kit import every_page, fresh, in_game, press_item

from armoon.app.switches import show_key_names
from armoon.screens import machine
from armoon.screens.events import Action, Ask, ChangeSetting, Request
from armoon.screens.layout import Reply
from armoon.screens.machine import build_page, get_plan
from armoon.screens.measuring import UNANSWERED_S, WAITS_S, ReactionMeasurement
from armoon.screens.scanning import FIRST_FACTOR, MAX_SINGLE, MIN_STEPS, THINKING_S, list_scan_steps
from armoon.screens.state import Key, OpenChoices, PageName, Screens, SwitchEvent
from armoon.settings.preferences import Preferences
from armoon.speech_output.narration import NO_HUD, Narrator
from armoon.values.choices import ScanKind, Speech, Way
from armoon.values.places import HINT, TableChoice

TICK_S = 0.05


def start_scan(screens: Screens, way: Way = Way.SWITCH, **changes: object) -> Screens:
    preferences = replace(screens.preferences, way=way, scan_s=1.0, switch_pause_s=0.5)
    return replace(screens, preferences=replace(preferences, **changes))  # type: ignore[arg-type]


def advance_scan(screens: Screens, seconds: float) -> Screens:
    for _ in range(round(seconds / TICK_S)):
        screens, _ = machine.pass_time(screens, TICK_S)
    return screens


def lit_names(screens: Screens) -> list[str]:
    return [widget.name for widget in build_page(screens).widgets if widget.focused]


def table_screens(way: Way = Way.SWITCH) -> Screens:
    offered = (
        TableChoice("place 1", "on two · safe · 14 cm", slow_scan=True),
        TableChoice("place 2", "on two · risky · 15 cm", slow_scan=True),
        TableChoice("free", "Carry it freely"),
    )
    screens, _ = machine.offer_choices(start_scan(in_game(fresh()), way), OpenChoices(offered))
    return screens


def test_the_first_choice_is_highlighted_longer_than_the_following_ones() -> None:
    screens = advance_scan(start_scan(fresh()), TICK_S)
    names = [item.widget.name for item in get_plan(screens).items if item.is_live]
    assert lit_names(screens) == names[:1]
    assert lit_names(advance_scan(screens, FIRST_FACTOR - 2 * TICK_S)) == names[:1]
    assert lit_names(advance_scan(screens, FIRST_FACTOR + 0.2)) == names[1:2]
    assert lit_names(advance_scan(screens, FIRST_FACTOR + 1.2)) == names[2:3]


def test_a_press_takes_the_lit_choice_and_then_nothing_happens_for_a_while() -> None:
    screens = advance_scan(start_scan(fresh()), TICK_S)
    (name,) = lit_names(screens)
    pressed, actions = machine.press_switch(screens, SwitchEvent.DOWN)
    straight, performed = press_item(screens, name)
    assert (pressed.page, actions) == (straight.page, performed)
    assert pressed.scan.pause_s == 0.5
    assert pressed.page is not screens.page
    for _ in range(3):
        pressed_twice, more = machine.press_switch(pressed, SwitchEvent.DOWN)
        assert (pressed_twice.page, more, lit_names(pressed_twice)) == (pressed.page, (), [])


def test_a_row_is_left_after_two_rounds() -> None:
    pages = [start_scan(state, Way.SWITCHES) for _, state in every_page()]
    page = next(state for state in pages if _is_row_first(state))
    screens, _ = machine.press_switch(advance_scan(page, TICK_S), SwitchEvent.DOWN)
    row = screens.scan.row
    assert len(row) > 1
    screens = advance_scan(screens, 1.0)
    for step in range(2 * len(row)):
        assert screens.scan.row == row, step
        screens, _ = machine.press_switch(screens, SwitchEvent.STEP)
    assert screens.scan.row == ()


def _is_row_first(screens: Screens) -> bool:
    steps = list_scan_steps(get_plan(screens))
    return bool(steps) and len(steps[0]) > 1


def test_only_the_first_round_leaves_time_to_think_about_a_place() -> None:
    screens = table_screens()
    runs: list[tuple[str, int]] = []
    for _ in range(round(40.0 / TICK_S)):
        screens = advance_scan(screens, TICK_S)
        for name in lit_names(screens):
            count = runs.pop()[1] if runs and runs[-1][0] == name else 0
            runs.append((name, count + 1))
    place = next(item.widget.name for item in get_plan(screens).items if item.slow_scan)
    first, second, *_ = (ticks for name, ticks in runs if name == place)
    assert first - second == pytest.approx(THINKING_S / TICK_S, abs=2)


def test_an_inverse_switch_scans_while_pressed_and_takes_on_release() -> None:
    screens = advance_scan(start_scan(fresh(), scan=ScanKind.INVERSE), 5.0)
    first = lit_names(screens)
    up, actions = machine.press_switch(screens, SwitchEvent.UP)
    assert (up.page, actions, lit_names(up)) == (screens.page, (), first), "it wasn't pressed before"
    assert first == lit_names(advance_scan(screens, 5.0)), "nothing moves by itself"
    screens, actions = machine.press_switch(screens, SwitchEvent.DOWN)
    screens = advance_scan(screens, FIRST_FACTOR + 0.5)
    (second,) = lit_names(screens)
    assert [second] != first
    assert actions == ()
    pressed, performed = machine.press_switch(screens, SwitchEvent.UP)
    straight, wanted = press_item(screens, second)
    assert (pressed.page, performed) == (straight.page, wanted)


@pytest.mark.parametrize("way", [Way.SWITCH, Way.SWITCHES])
def test_irreversible_choices_are_delayed_and_ignore_presses_for_a_period(way: Way) -> None:
    offered = (TableChoice("let_go", "Let go", final=True), TableChoice("put_back", "Put it back"))
    screens, _ = machine.offer_choices(start_scan(in_game(fresh()), way), OpenChoices(offered))
    screens = advance_scan(screens, TICK_S)

    def advance(screens: Screens, seconds: float) -> Reply:
        return (
            machine.press_switch(screens, SwitchEvent.STEP)
            if way is Way.SWITCHES
            else machine.pass_time(screens, seconds)
        )

    assert lit_names(screens) == ["choose let_go"], "the first choice is highlighted at once"
    for _ in range(2):
        screens, _ = advance(screens, FIRST_FACTOR)
    assert len(lit_names(screens)) > 1, "the buttons at the edge are highlighted together"
    screens, _ = advance(screens, 1.0)
    for share in (0.0, 0.5, 0.4):
        screens = advance_scan(screens, share)
        assert lit_names(screens) == []
        screens, actions = machine.press_switch(screens, SwitchEvent.DOWN)
        assert actions == ()
    screens = advance_scan(screens, 0.2)
    assert lit_names(screens) == ["choose let_go"]
    assert machine.press_switch(screens, SwitchEvent.DOWN)[1] == (Ask(Request.TAKE_CHOICE, "let_go"),)


def test_at_the_table_the_next_action_comes_first_and_the_edge_is_one_step() -> None:
    steps = list_scan_steps(get_plan(table_screens()))
    assert steps[:3] == (("choose place 1",), ("choose place 2",), ("choose free",))
    assert len(steps) == 4
    assert "pause" in steps[3]
    _, actions = machine.press_switch(advance_scan(table_screens(), TICK_S), SwitchEvent.DOWN)
    assert actions == (Ask(Request.TAKE_CHOICE, "place 1"),)


def test_new_choices_start_a_new_scan_even_if_nothing_was_lit() -> None:
    awake = advance_scan(start_scan(in_game(fresh())), 20.0)
    assert lit_names(awake), "a player who reads the verdict needs no press to wake a short scan"
    asleep = advance_scan(awake, 40.0)
    assert asleep.scan.is_asleep
    offered, _ = machine.offer_choices(asleep, OpenChoices((TableChoice("roll", "Roll the die"),)))
    assert lit_names(advance_scan(offered, TICK_S)) == ["choose roll"]


def test_one_press_stops_any_long_motion() -> None:
    moving, _ = machine.offer_choices(
        start_scan(in_game(fresh())), OpenChoices((TableChoice("stop", "Stop", stops=True),))
    )
    actions: list[Action] = []
    for seconds in range(55, 65):
        now = advance_scan(moving, float(seconds))
        assert lit_names(now), f"nothing can be pressed after {seconds} s"
        actions += machine.press_switch(now, SwitchEvent.DOWN)[1] if lit_names(now) == ["choose stop"] else ()
    assert set(actions) == {Ask(Request.TAKE_CHOICE, "stop")}


def test_two_switches_never_step_into_sleep_while_a_motion_can_be_stopped() -> None:
    screens, _ = machine.offer_choices(
        start_scan(in_game(fresh()), Way.SWITCHES), OpenChoices((TableChoice("stop", "Stop", stops=True),))
    )
    screens = advance_scan(screens, TICK_S)
    for _ in range(2 * MIN_STEPS):
        screens, _ = machine.press_switch(screens, SwitchEvent.STEP)
        assert lit_names(screens)
        assert not screens.scan.is_asleep


@every_case("name, state", every_page())
def test_every_page_is_scanned_completely(name: str, state: Screens) -> None:
    plan = get_plan(state)
    live = [item.widget.name for item in plan.items if item.is_live]
    steps = list_scan_steps(plan)
    assert sorted(name for step in steps for name in step) == sorted(live)
    if len(live) > MAX_SINGLE:
        assert len(steps) < len(live)


def test_tab_moves_to_a_place_at_the_table_and_enter_takes_it() -> None:
    screens = table_screens(Way.KEYS)
    screens = replace(screens, preferences=replace(screens.preferences, choosing=True))
    same, actions = machine.press_key(screens, Key.ENTER)
    assert actions == ()
    walked, _ = machine.press_key(same, Key.TAB)
    assert lit_names(walked) == ["choose place 1"]
    walked, _ = machine.press_key(walked, Key.TAB)
    _, actions = machine.press_key(walked, Key.ENTER)
    assert actions == (Ask(Request.TAKE_CHOICE, "place 2"),)


def test_a_reaction_is_measured_by_ten_presses_and_a_period_proposed() -> None:
    start = start_scan(fresh()).go_to(PageName.PLAYING).go_to(PageName.MEASURE)
    early, _ = machine.press_switch(start, SwitchEvent.DOWN)
    assert early.measuring.reactions_s == (), "a press that comes too early doesn't count"
    screens = early
    for k, _ in enumerate(WAITS_S):
        assert not screens.measuring.is_done, f"{k} presses are enough"
        while not screens.measuring.is_lit:
            screens = advance_scan(screens, TICK_S)
        screens, _ = machine.press_switch(advance_scan(screens, 0.55 if k % 2 else 0.75), SwitchEvent.DOWN)
    assert len(screens.measuring.reactions_s) == 10
    assert screens.measuring.usual_s == pytest.approx(0.65, abs=TICK_S)
    assert screens.measuring.proposed_s == 1.0
    screens = advance_scan(screens, 1.0)
    assert lit_names(screens) == ["scan_s"]
    longer, actions = machine.press_switch(screens, SwitchEvent.DOWN)
    assert (longer.page, actions) == (PageName.MEASURE, ()), "nothing is set before the period is accepted"
    for before, period_s in ((screens, 1.0), (longer, 1.2)):
        lighted = before
        while lit_names(lighted) != ["take"]:
            lighted = advance_scan(lighted, TICK_S)
        pressed, actions = machine.press_switch(lighted, SwitchEvent.DOWN)
        assert (pressed.page, actions) == (PageName.PLAYING, (ChangeSetting("scan_s", period_s),))


def test_scanning_resumes_without_presses_during_a_measurement() -> None:
    start = start_scan(fresh()).go_to(PageName.PLAYING).go_to(PageName.MEASURE)
    waited = advance_scan(start, WAITS_S[0] + UNANSWERED_S + 0.2)
    assert waited.measuring.is_unanswered
    steps = [waited := advance_scan(waited, 0.5) for _ in range(12)]
    assert {name for screens in steps for name in lit_names(screens)} == {"target", "back"}
    lit_there = next(screens for screens in steps if lit_names(screens) == ["target"])
    pressed, _ = machine.press_switch(lit_there, SwitchEvent.DOWN)
    assert (pressed.measuring.reactions_s, pressed.measuring.is_lit) == ((), False), "the wait starts again"


@pytest.mark.parametrize(
    ("reactions_s", "period_s"),
    [
        ((0.3,) * 10, 0.5),
        ((0.4, 0.6, 0.5, 0.9, 0.7, 0.65, 0.6, 0.75, 0.8, 0.65), 1.0),
        ((0.4, 0.6, 0.5, 0.9, 0.7, 0.65, 0.6, 0.75, 0.8, 9.0), 1.0),
        ((0.9, 1.8, 1.3, 0.8, 1.2, 1.4, 1.0, 1.6, 1.9, 1.3), 2.0),
        ((5.0,) * 10, 6.0),
    ],
    ids=("even", "usual", "one slip", "slow", "very slow"),
)
def test_a_period_leaves_time_for_the_reaction(reactions_s: tuple[float, ...], period_s: float) -> None:
    assert ReactionMeasurement(reactions_s).proposed_s == period_s


def test_a_sleeping_scan_says_how_to_wake_it_and_a_press_wakes_it() -> None:
    awake = advance_scan(start_scan(fresh()), TICK_S)
    narrator = Narrator()
    narrator.list_utterances(build_page(awake), NO_HUD, Speech.BRIEF, 0.0)
    assert build_page(awake).notice == ""
    asleep = advance_scan(awake, 2.0 * MIN_STEPS)
    assert asleep.scan.is_asleep
    assert lit_names(asleep) == []
    show_key_names(asleep.preferences, "left_button")
    try:
        notice = build_page(asleep).notice
        assert "the left button" in notice
        assert notice in [
            utterance.words
            for utterance in narrator.list_utterances(build_page(asleep), NO_HUD, Speech.BRIEF, 0.0)
        ]
    finally:
        show_key_names(Preferences())
    woken, actions = machine.press_switch(asleep, SwitchEvent.DOWN)
    assert actions == ()
    assert woken.page is asleep.page
    assert len(lit_names(woken)) == 1
    assert build_page(woken).notice == ""


def test_enter_takes_the_shown_hint_and_any_other_key_continues_play() -> None:
    screens, _ = machine.offer_choices(in_game(fresh()), OpenChoices((TableChoice(HINT, "Carry it there"),)))
    assert lit_names(screens) == [f"choose {HINT}"]
    assert machine.press_key(screens, Key.ENTER)[1] == (Ask(Request.TAKE_CHOICE, HINT),)
    after, _ = machine.press_key(screens, Key.LEFT)
    assert machine.press_key(after, Key.ENTER)[1] == ()
