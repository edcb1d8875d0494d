"""The page that teaches the paper ladder, shown after choosing that way and at the first start with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from support.screens_kit import fresh, press_item

from armoon.app.host import make_front
from armoon.saves.profiles import Profiles
from armoon.screens.events import CameraStatus, ChangeSetting
from armoon.screens.machine import build_page
from armoon.screens.state import PageName
from armoon.settings.files import save_preferences
from armoon.settings.preferences import PlayOptions, Preferences
from armoon.values.choices import Way
from armoon.values.page import WidgetKind


def test_choosing_the_paper_ladder_shows_three_pictures() -> None:
    chosen, actions = press_item(fresh().go_to(PageName.WAY), Way.CARD.value)
    assert chosen.page is PageName.CARD
    assert ChangeSetting("way", Way.CARD) in actions
    drawings = [widget.drawing for widget in build_page(chosen).widgets if widget.kind is WidgetKind.PICTURE]
    assert len(drawings) == 3
    assert len(set(map(id, drawings))) == 3
    assert press_item(chosen, "practice")[0].page is PageName.PRACTICE
    assert press_item(chosen, "kit")[0].page is PageName.KIT
    assert press_item(chosen, "back")[0].page is PageName.TITLE


def test_without_a_camera_the_camera_page_comes_first() -> None:
    blind = replace(fresh(), camera=CameraStatus(error="Webcam 0 gives no picture."))
    assert press_item(blind.go_to(PageName.WAY), Way.CARD.value)[0].page is PageName.CAMERA


def test_the_page_comes_first_until_it_was_left_once(home: Path) -> None:
    options = PlayOptions(way=Way.CARD, explicit_names=frozenset({"way"}))
    begun = make_front(options, Profiles()).screens
    assert begun.page is PageName.CARD
    left, actions = press_item(begun, "back")
    assert left.page is PageName.TITLE
    assert ChangeSetting("way", Way.CARD) in actions
    save_preferences(replace(Preferences(), way=Way.CARD))
    assert make_front(options, Profiles()).screens.page is PageName.TITLE
