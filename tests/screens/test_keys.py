"""Keys are reassigned on their page by a press or by arrows; conflicts name the other act; texts name the new keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.screens_kit import fresh, press_item, press_widget

from armoon import messages
from armoon.app.front import Front
from armoon.app.switches import find_act_for_key, get_current_buttons, show_key_names
from armoon.games.shared import RuleScreen
from armoon.messages import key_name, set_keys, text
from armoon.screens.events import ChangeSetting
from armoon.screens.machine import build_page
from armoon.screens.pages.rulebook import build_keys_screen
from armoon.screens.pages.settings import assign_key
from armoon.screens.state import PageName, Screens
from armoon.values import acts
from armoon.values.choices import KeyHand, Way
from armoon.values.page import DrawnWord


@pytest.fixture(autouse=True)
def _restore_keys() -> Iterator[None]:
    yield
    set_keys({})
    messages.set_language("en")


def open_keys(group: int = 0) -> Screens:
    screens = fresh().go_to(PageName.KEYS)
    return replace(screens, keys=replace(screens.keys, group=group))


def test_an_unused_key_is_assigned_at_once() -> None:
    waiting = press_item(open_keys(), "roll")[0]
    assert build_page(waiting)["roll"].value == text("screens.keys.press")
    after, actions = assign_key(waiting, "k")
    assert actions == (ChangeSetting("keys", (("roll", "k"),)),)
    assert build_page(after)["roll"].value == "K"
    assert find_act_for_key(after, "k") is acts.Act.ROLL


def test_a_used_key_names_its_act_and_a_second_press_swaps_the_two() -> None:
    waiting = press_item(open_keys(), "roll")[0]
    question, actions = assign_key(waiting, "r")
    assert actions == ()
    note = build_page(question)["note"].text
    assert text("act.lift") in note
    assert "R" in note
    after, _ = assign_key(question, "r")
    assert (find_act_for_key(after, "r"), find_act_for_key(after, "space")) == (acts.Act.ROLL, acts.Act.LIFT)


@pytest.mark.parametrize("name", acts.KEPT_KEYS)
def test_keys_that_leave_a_page_cannot_be_moved(name: str) -> None:
    after, actions = assign_key(press_item(open_keys(), "take")[0], name)
    assert (actions, after.keys.waiting_act) == ((), "")
    assert not after.preferences.keys


def test_arrows_step_through_free_keys() -> None:
    screens, seen = open_keys(), set[str]()
    for _ in range(40):
        screens, _ = press_widget(screens, "take")
        now = acts.get_keys(screens.preferences.key_hand, screens.preferences.keys)
        assert len(set(now.values())) == len(now)
        assert {act: key for act, key in now.items() if act != "take"}.items() <= acts.KEYS.items()
        seen.add(now["take"])
    assert {"enter", "k"} <= seen


def test_changing_one_key_often_leaves_other_moved_keys_alone() -> None:
    screens, _ = assign_key(press_item(open_keys(), "roll")[0], "k")
    for _ in range(2 * len(acts.KEYS)):
        screens, _ = press_widget(screens, "take")
    assert find_act_for_key(screens, "k") is acts.Act.ROLL
    assert len(screens.preferences.keys) <= len(acts.KEYS), "the keys can still be saved"


def test_gamepad_buttons_are_swapped_and_reset_to_the_usual() -> None:
    waiting = press_item(open_keys(list(acts.GROUPS).index("pad")), "roll")[0]
    assert assign_key(waiting, "y") == (waiting, ()), "a key isn't a button"
    question, _ = assign_key(waiting, "y", pad=True)
    after, _ = assign_key(question, "y", pad=True)
    assert [acts.find_act_by_button(name, get_current_buttons(after)) for name in "yx"] == [
        acts.Act.ROLL,
        acts.Act.PARK,
    ]
    usual = press_item(after, "usual")[0]
    assert usual.preferences.pad == ()


def test_with_a_switch_keys_are_moved_without_a_keyboard() -> None:
    screens = open_keys()
    screens = replace(screens, preferences=replace(screens.preferences, way=Way.SWITCH))
    after = press_item(screens, "roll")[0]
    assert after.keys.waiting_act == ""
    assert after.preferences.keys
    assert find_act_for_key(after, "space") is acts.Act.ROLL, "any key acts as the switch"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_strip_names_the_effective_keys(language: str) -> None:
    messages.set_language(language)
    before = text("strip.keys.carry")
    assert key_name(("left", "right", "up", "down")) in before
    set_keys(acts.get_shown_keys(KeyHand.LEFT, (("take", "z"),), (("take", "y"),)))
    after = text("strip.keys.carry")
    assert "S F E D" in after
    assert "Z" in after
    assert "Y" in text("strip.pad.take")
    assert set(acts.KEY_WORDS) | set(acts.PAD_WORDS) | {"k_switch"} == set(messages.USUAL_KEYS)
    assert acts.get_buttons(())["take"] == acts.PAD["take"]


def drawn_keys(screen: RuleScreen, step: str) -> set[str]:
    picture = next(s for s in screen.steps if s.name == step).picture
    return {shape.text for shape in picture(0.5).shapes if isinstance(shape, DrawnWord)}


def test_strip_guide_and_pictures_of_keys_follow_a_moved_key() -> None:
    moved = (("take", "z"), ("nod", "7"), ("park", "k"), ("lift", "8"), ("left", "9"))
    screens = open_keys()
    screens = replace(screens, preferences=replace(screens.preferences, keys=moved))
    show_key_names(screens.preferences)
    rules = build_keys_screen(frozenset({acts.Feature.ROLL}))
    assert {"7", "Q"} <= drawn_keys(rules, "keys")
    assert "W" not in drawn_keys(rules, "keys")
    assert {"K", "Esc"} <= drawn_keys(rules, "always")
    assert drawn_keys(build_keys_screen(frozenset({acts.Feature.CHOOSE})), "keys") == {"9", "→", "↑", "↓"}
    assert "Z: take" in text("strip.keys.take")
    assert "8 and F" in text("screens.guide.carry.keys")
    assert "Press Z" in text("screens.guide.take.keys")
    assert build_page(screens)["park"].value == "K"


def test_a_stick_is_moved_on_its_page_by_pushing_it() -> None:
    front = Front(press_item(open_keys(list(acts.GROUPS).index("sticks")), "lift")[0])
    still = {
        f"{stick}_{way}": 0.0
        for stick in ("leftstick", "rightstick")
        for way in ("left", "right", "up", "down")
    }
    for pushed in (0.8, 1.0, 0.0, 0.8, 0.0):
        assert front.handle_sticks({**still, "leftstick_up": pushed})
    assert dict(front.screens.preferences.pad)["lift"] == "leftstick_up"
    assert build_page(front.screens)["lift"].value == key_name(("leftstick_up",))
    assert build_page(front.screens)["away"].value == key_name(("rightstick_up",))
    assert acts.find_act_by_button("leftstick_up", get_current_buttons(front.screens)) is acts.Act.LIFT
    show_key_names(front.screens.preferences)
    assert key_name(("rightstick_up",)) in text("strip.pad.carry")
