"""What is lit, when and for how long, and what a switch takes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.over import over
from support.screens_kit import every_page, fresh, in_game

from armoon.screens.actions import ChangeSetting, Choose
from armoon.screens.input import ChoicesTold, Key, KeyPressed, Switch, Switched, TimePassed
from armoon.screens.machine import hear, page_of, plan_of
from armoon.screens.measuring import UNANSWERED_S, WAITS_S, Measuring
from armoon.screens.scanning import FIRST, MOST_ROUNDS, MOST_SINGLE, WEIGHING_S, steps_of
from armoon.screens.state import PageName, Screens
from armoon.values.choices import ScanKind, Way
from armoon.values.choosing import HINT, Offered

TICK_S = 0.05


def scanned(screens: Screens, way: Way = Way.SWITCH, **changes: object) -> Screens:
    preferences = replace(screens.preferences, way=way, scan_s=1.0, switch_pause_s=0.5)
    return replace(screens, preferences=replace(preferences, **changes))  # type: ignore[arg-type]


def after(screens: Screens, seconds: float) -> Screens:
    for _ in range(round(seconds / TICK_S)):
        screens, _ = hear(screens, TimePassed(TICK_S))
    return screens


def lit(screens: Screens) -> list[str]:
    """What a page shows as lit."""
    return [widget.name for widget in page_of(screens).widgets if widget.focused]


def at_table(way: Way = Way.SWITCH) -> Screens:
    offered = (
        Offered("place 1", "on two · safe · 14 cm", weighed=True),
        Offered("place 2", "on two · risky · 15 cm", weighed=True),
        Offered("free", "Carry it freely"),
    )
    screens, _ = hear(scanned(in_game(fresh()), way), ChoicesTold(offered))
    return screens


def test_the_first_is_lit_longer_and_then_one_after_the_other() -> None:
    screens = after(scanned(fresh()), TICK_S)
    names = [item.widget.name for item in plan_of(screens).items if item.live]
    assert lit(screens) == names[:1]
    assert lit(after(screens, FIRST - 2 * TICK_S)) == names[:1]
    assert lit(after(screens, FIRST + 0.2)) == names[1:2]
    assert lit(after(screens, FIRST + 1.2)) == names[2:3]


def test_a_press_takes_what_is_lit_and_then_nothing_happens_for_a_while() -> None:
    screens = after(scanned(fresh()), TICK_S)
    (name,) = lit(screens)
    pressed, actions = hear(screens, Switched(Switch.DOWN))
    item = plan_of(screens).item(name)
    assert item is not None
    assert item.press is not None
    straight, asked = item.press(screens)
    assert (pressed.page, actions) == (straight.page, asked)
    assert pressed.scan.rests_s == 0.5
    again, more = hear(pressed, Switched(Switch.DOWN))
    assert (again.page, more) == (pressed.page, ())


def test_after_some_rounds_in_vain_nothing_is_lit_until_a_press_wakes_it() -> None:
    screens = scanned(fresh())
    asleep = after(screens, 1.2 * (MOST_ROUNDS + 1) * len(plan_of(screens).items))
    assert asleep.scan.asleep
    assert lit(asleep) == []
    awake, actions = hear(asleep, Switched(Switch.DOWN))
    assert actions == ()
    assert awake.page is asleep.page
    assert len(lit(awake)) == 1


def test_inverse_goes_on_while_it_is_down_and_takes_as_it_comes_up() -> None:
    screens = after(scanned(fresh(), scan=ScanKind.INVERSE), 5.0)
    first = lit(screens)
    assert first == lit(after(screens, 5.0)), "nothing goes on by itself"
    screens, actions = hear(screens, Switched(Switch.DOWN))
    screens = after(screens, FIRST + 0.5)
    (second,) = lit(screens)
    assert [second] != first
    assert actions == ()
    taken, asked = hear(screens, Switched(Switch.UP))
    item = plan_of(screens).item(second)
    assert item is not None
    assert item.press is not None
    straight, wanted = item.press(screens)
    assert (taken.page, asked) == (straight.page, wanted)


def test_with_two_switches_nothing_goes_on_by_itself() -> None:
    screens = after(scanned(fresh(), Way.SWITCHES), 5.0)
    first = lit(screens)
    assert lit(after(screens, 20.0)) == first
    stepped, _ = hear(screens, Switched(Switch.STEP))
    assert lit(stepped) != first


def test_a_place_is_lit_longer_the_first_time() -> None:
    screens = after(at_table(), TICK_S)
    assert lit(screens) == ["choose place 1"]
    assert lit(after(screens, FIRST + WEIGHING_S - 0.1)) == ["choose place 1"]
    assert lit(after(screens, FIRST + WEIGHING_S + 0.1)) == ["choose place 2"]


def test_at_the_table_what_is_to_be_done_comes_first_and_the_edge_as_one() -> None:
    steps = steps_of(plan_of(at_table()))
    assert steps[:3] == (("choose place 1",), ("choose place 2",), ("choose free",))
    assert len(steps) == 4
    assert "pause" in steps[3]
    _, actions = hear(after(at_table(), TICK_S), Switched(Switch.DOWN))
    assert actions == (Choose("place 1"),)


def test_new_choices_begin_anew_even_if_nothing_was_lit() -> None:
    asleep = after(scanned(in_game(fresh())), 60.0)
    assert asleep.scan.asleep
    told, _ = hear(asleep, ChoicesTold((Offered("roll", "Roll the die"),)))
    assert lit(after(told, TICK_S)) == ["choose roll"]


@over("name, state", every_page())
def test_every_page_is_gone_through_whole(name: str, state: Screens) -> None:
    """Each live thing is in one step; pages of many things go row by row."""
    plan = plan_of(state)
    live = [item.widget.name for item in plan.items if item.live]
    steps = steps_of(plan)
    assert sorted(one for step in steps for one in step) == sorted(live)
    if len(live) > MOST_SINGLE:
        assert len(steps) < len(live)


def test_the_first_page_takes_what_is_used_on_it() -> None:
    start = fresh().home(PageName.WAY)
    by_switch, changed = hear(start, Switched(Switch.DOWN))
    assert by_switch.preferences.way is Way.SWITCH
    assert by_switch.page is PageName.TITLE
    assert changed == (ChangeSetting("way", Way.SWITCH),)
    by_keys = start
    for key in (Key.DOWN, Key.ENTER):
        by_keys, _ = hear(by_keys, KeyPressed(key))
    assert by_keys.page is PageName.TITLE
    assert by_keys.preferences.way is Way.KEYS


def test_tab_walks_to_a_place_at_the_table_and_enter_takes_it() -> None:
    screens = at_table(Way.KEYS)
    screens = replace(screens, preferences=replace(screens.preferences, choosing=True))
    same, actions = hear(screens, KeyPressed(Key.ENTER))
    assert actions == ()
    walked, _ = hear(same, KeyPressed(Key.TAB))
    assert lit(walked) == ["choose place 1"]
    walked, _ = hear(walked, KeyPressed(Key.TAB))
    _, actions = hear(walked, KeyPressed(Key.ENTER))
    assert actions == (Choose("place 2"),)


def test_a_reaction_is_measured_by_five_presses_and_a_period_proposed() -> None:
    start = scanned(fresh()).to(PageName.PLAYING).to(PageName.MEASURE)
    early, _ = hear(start, Switched(Switch.DOWN))
    assert early.measuring.reactions_s == (), "too early counts as nothing"
    screens = early
    for _ in WAITS_S:
        while not screens.measuring.now:
            screens = after(screens, TICK_S)
        screens, _ = hear(after(screens, 0.65), Switched(Switch.DOWN))
    assert screens.measuring.mean_s == pytest.approx(0.65, abs=TICK_S)
    assert screens.measuring.proposed_s == 1.0
    screens = after(screens, 1.0)
    assert lit(screens) == ["take"]
    taken, actions = hear(screens, Switched(Switch.DOWN))
    assert (taken.page, actions) == (PageName.PLAYING, (ChangeSetting("scan_s", 1.0),))


def test_who_does_not_press_while_measured_is_scanned_for_again() -> None:
    start = scanned(fresh()).to(PageName.PLAYING).to(PageName.MEASURE)
    waited = after(start, WAITS_S[0] + UNANSWERED_S + 0.2)
    assert waited.measuring.unanswered
    shown = [waited := after(waited, 0.5) for _ in range(12)]
    assert {name for screens in shown for name in lit(screens)} == {"target", "back"}
    lit_there = next(screens for screens in shown if lit(screens) == ["target"])
    pressed, _ = hear(lit_there, Switched(Switch.DOWN))
    assert (pressed.measuring.reactions_s, pressed.measuring.now) == ((), False), "that wait begins anew"


@pytest.mark.parametrize(("mean_s", "period_s"), [(0.3, 0.5), (0.65, 1.0), (1.3, 2.0), (5.0, 6.0)])
def test_a_period_leaves_time_for_the_reaction(mean_s: float, period_s: float) -> None:
    assert Measuring((mean_s,) * 5).proposed_s == period_s


def test_enter_takes_the_hint_that_is_shown_and_any_other_key_plays_on() -> None:
    """Also for players who grip."""
    screens, _ = hear(in_game(fresh()), ChoicesTold((Offered(HINT, "Carry it there"),)))
    assert lit(screens) == [f"choose {HINT}"]
    assert hear(screens, KeyPressed(Key.ENTER))[1] == (Choose(HINT),)
    played, _ = hear(screens, KeyPressed(Key.LEFT))
    assert hear(played, KeyPressed(Key.ENTER))[1] == ()
