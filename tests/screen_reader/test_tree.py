"""Every page's tree for screen readers: names, roles, the focus; complete, and accepted by the library."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.screens_kit import every_page, fresh, in_game, resize

from armoon import messages
from armoon.screen_reader.tree import ADJUSTABLE, PRESSABLE, Role, build_tree, find_fault
from armoon.screens.machine import build_page, get_plan, press_key, request_widget
from armoon.screens.state import Key, PageName, WidgetAction
from armoon.values.choices import Language, TextSize
from armoon.values.scene import SceneHud, ScenePlayer

NO_HUD = SceneHud()
TABLE_HUD = SceneHud(
    players=(ScenePlayer("Ann", 2, on_turn=True), ScenePlayer("Ben", 0, on_turn=False)),
    hint="Roll the die",
    die_text="two ladders",
    verdict_text="Ann pays",
    height_text="14.0 cm",
)


@pytest.mark.parametrize("text_size", [TextSize.NORMAL, TextSize.ENORMOUS])
@pytest.mark.parametrize("language", Language)
def test_every_page_has_complete_names_roles_and_focus(language: Language, text_size: TextSize) -> None:
    """Every pressable widget's name contains letters or digits, and the page and the tree have the same focus."""
    messages.set_language(language)
    for name, state in every_page():
        for view in resize(replace(state, focus_shown=True, tabbed=True), (1280, 720), language, text_size):
            page, plan = build_page(view), get_plan(view)
            tree = build_tree(page, TABLE_HUD)
            assert find_fault(tree) == "", name
            by_widget = {node.widget: node for node in tree.nodes if node.widget}
            for item in plan.items:
                if not item.is_live:
                    continue
                node = by_widget[item.widget.name]
                assert node.role in PRESSABLE, (name, item.widget.name)
                assert any(letter.isalnum() for letter in node.name), (name, item.widget.name)
                assert node.enabled, (name, item.widget.name)
                assert (node.role in ADJUSTABLE) == (item.adjust is not None), (name, item.widget.name)
            focused = [widget.name for widget in page.widgets if widget.focused]
            focus = tree.find_node(tree.focus)
            assert focus is not None
            assert focus.widget == (focused[0] if focused else ""), name
            headings = [node.name for node in tree.nodes if node.role is Role.HEADING]
            groups = sum(widget.name.startswith("group ") for widget in page.widgets)
            assert len(headings) <= 1 + groups, name


def test_the_tables_state_is_complete_and_live() -> None:
    tree = build_tree(None, TABLE_HUD)
    labels = [node.name for node in tree.nodes if node.role is Role.LABEL]
    live = ["Ann pays", "Now playing: Ann, 2 tears", "Roll the die", "two ladders"]
    assert labels == [*live, "Ann, 2 tears", "Ben, 0 tears", "14.0 cm"]
    assert [node.name for node in tree.nodes if node.live] == live


def test_captions_are_live_and_a_highlighted_row_has_all_its_words_and_the_focus() -> None:
    state = next(state for name, state in every_page() if name == "table choosing free")
    names = tuple(f"choose {choice.name}" for choice in state.choices.choices if choice.group)
    page = build_page(replace(state, scan=replace(state.scan, names=names)))
    tree = build_tree(replace(page, captions=("Wood on wood, left",)), NO_HUD)
    assert find_fault(tree) == ""
    focus = tree.find_node(tree.focus)
    assert focus is not None
    assert focus.name.split(", ") == [page[name].text for name in names]
    assert all(focus.rect.contains(page[name].rect.centre) for name in names)
    assert "Wood on wood, left" in [node.name for node in tree.nodes if node.live]


def test_requests_press_turn_and_focus_by_name() -> None:
    """A screen reader's request has the same effect as a key."""
    for name, state in every_page():
        plan = get_plan(state)
        for item in plan.items:
            if not item.is_live:
                continue
            focused, actions = request_widget(state, item.widget.name, WidgetAction.FOCUS)
            assert focused.focus == item.widget.name, name
            assert focused.focus_shown
            assert actions == ()
    settings = fresh().go_to(PageName.SETTINGS)
    louder, _ = request_widget(settings, "volume", WidgetAction.MORE)
    softer, _ = request_widget(settings, "volume", WidgetAction.LESS)
    assert (louder.preferences.volume, softer.preferences.volume) == (8, 6)
    pressed, _ = request_widget(settings, "back")
    by_key, _ = press_key(replace(settings, focus="back"), Key.ENTER)
    assert pressed.page is by_key.page
    assert request_widget(settings, "no such thing") == (settings, ())
    assert request_widget(settings, "back", WidgetAction.MORE)[0].page is settings.page, "it has no value"
    table = in_game(fresh()).reset_to(PageName.TABLE)
    assert request_widget(table, "pause")[0].page is PageName.PAUSE
