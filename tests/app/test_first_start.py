"""The first start opens the title page, and the first input chooses the way to play; one switch is enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.screens_kit import first_start
from support.table_kit import USUAL, parse_options

from armoon.app.host import make_front
from armoon.app.session import Session
from armoon.saves.profiles import Profiles
from armoon.screens.events import Ask, CameraStatus, ChangeSetting, Request, StartGame
from armoon.screens.machine import apply_camera, build_page
from armoon.screens.state import PageName
from armoon.settings.files import is_stored, load_preferences
from armoon.values.choices import CameraWay, TextSize, Way
from armoon.values.poses import Vec2
from armoon.view.window import MousePointer

FRAME_S = 0.05
NO_WEBCAM = CameraStatus(CameraWay.NONE, "none", (), "No webcam found.", None, True)


class StartedProgram:
    """The started program without a window; the session carries out its requests."""

    def __init__(self, camera: CameraStatus | None = NO_WEBCAM) -> None:
        self.front = make_front(parse_options(*USUAL), Profiles())
        self.session = Session.__new__(Session)  # without its window and camera
        self.session._front = self.front
        self.now_s = 0.0
        self.actions: list[object] = []
        if camera is not None:
            self.front.apply(apply_camera, camera)

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds / FRAME_S)):
            self.now_s += FRAME_S
            self.front.advance_time(self.now_s)
        for action in self.front.drain_actions():
            self.actions.append(action)
            if isinstance(action, ChangeSetting):
                self.session._carry_out(action)

    def keys(self, *names: str) -> None:
        self._press(self.front.handle_key, names)

    def pads(self, *names: str) -> None:
        self._press(self.front.handle_pad, names)

    def _press(self, handle: Callable[[str, bool], object], names: tuple[str, ...]) -> None:
        for name in names:
            for pressed in (True, False):
                handle(name, pressed)
                self.pass_time(0.1)

    def click(self, place: Vec2, *, moved: bool = True) -> None:
        self.pass_time(0.5)  # a click on a new button is ignored for a moment
        for pressed in (False, True, False) if moved else (True, False):
            self.front.handle_pointer(MousePointer(place, pressed, 0.0, place))
            self.pass_time(0.1)

    def place(self, name: str) -> Vec2:
        return build_page(self.front.screens)[name].rect.centre

    def is_on(self, page: PageName) -> bool:
        return self.front.screens.page is page

    @property
    def lit(self) -> list[str]:
        return [widget.name for widget in build_page(self.front.screens).widgets if widget.focused]

    def press_when_lit(self, name: str, press: Callable[[StartedProgram], None]) -> None:
        for _ in range(400):
            if self.lit == [name] and self.front.screens.scan.pause_s == 0.0:
                return press(self)
            self.pass_time(FRAME_S)
        raise AssertionError(f"{name} is never highlighted: {self.front.screens.page}, {self.lit}")


def play_by_hand(started: StartedProgram) -> None:
    place = started.place("play")
    for _ in range(30):
        started.front.handle_hand(place, FRAME_S)


#: Inputs on the title page, and the way to play that each of them chooses.
FIRST_INPUTS: dict[str, tuple[Callable[[StartedProgram], None], Way]] = {
    "a click": (lambda started: started.click(started.place("play")), Way.MOUSE),
    "Enter": (lambda started: started.keys("return"), Way.KEYS),
    "an arrow, which shows the focus, and Enter": (lambda started: started.keys("down", "return"), Way.KEYS),
    "arrows and Enter": (lambda started: started.keys("left", "down", "up", "return"), Way.KEYS),
    "Tab and Space": (lambda started: started.keys("tab", "backtab", "space"), Way.KEYS),
    "the D-pad and A": (lambda started: started.pads("left", "down", "up", "a"), Way.KEYS),
    "a resting hand": (play_by_hand, Way.HAND),
}


@pytest.mark.parametrize("device", FIRST_INPUTS)
def test_the_input_that_starts_the_game_becomes_the_way_to_play(device: str, home: Path) -> None:
    use, way = FIRST_INPUTS[device]
    started = StartedProgram(NO_WEBCAM if way is not Way.HAND else None)
    assert started.is_on(PageName.TITLE)
    use(started)
    started.pass_time(0.1)
    assert started.is_on(PageName.TABLE)
    assert [type(action) for action in started.actions] == [ChangeSetting, StartGame]
    assert load_preferences().way is way
    restarted = StartedProgram()
    assert not restarted.front.screens.must_choose_way
    assert restarted.is_on(PageName.CAMERA if way is Way.HAND else PageName.TITLE)


#: Inputs that a switch may send.
SWITCH_INPUTS: dict[str, Callable[[StartedProgram], None]] = {
    "space": lambda started: started.keys("space"),
    "x": lambda started: started.keys("x"),
    "a mouse button": lambda started: started.click((0.5, 0.6), moved=False),
    "a pad's A": lambda started: started.pads("a"),
}


@pytest.mark.parametrize("device", SWITCH_INPUTS)
def test_one_switch_is_recognised_and_plays_without_instructions(device: str, home: Path) -> None:
    started, press = StartedProgram(), SWITCH_INPUTS[device]
    press(started)
    assert started.is_on(PageName.SWITCH)
    assert not is_stored("way")
    started.press_when_lit("one_switch", press)
    assert started.is_on(PageName.TITLE)
    assert load_preferences().way is Way.SWITCH
    started.press_when_lit("learn", press)
    started.press_when_lit("guide", press)
    started.pass_time(0.1)
    assert started.is_on(PageName.GUIDE)
    assert started.actions[-1] == Ask(Request.START_PRACTICE, "")
    assert StartedProgram().is_on(PageName.TITLE), "the next start asks for a camera"


def test_a_second_press_before_the_page_can_be_read_is_ignored(home: Path) -> None:
    started = StartedProgram()
    for _ in range(2):
        started.keys("space")
    assert started.is_on(PageName.SWITCH)
    assert started.front.screens.must_choose_way


EXITS: dict[str, tuple[Callable[[StartedProgram], None], Way]] = {
    "an arrow": (lambda started: started.keys("down"), Way.KEYS),
    "a click": (lambda started: started.click(started.place("heading")), Way.MOUSE),
}


@pytest.mark.parametrize("device", EXITS)
def test_one_press_leaves_a_switch_mode_started_by_mistake(device: str, home: Path) -> None:
    started = StartedProgram()
    started.keys("space")
    started.press_when_lit("one_switch", SWITCH_INPUTS["space"])
    assert load_preferences().way is Way.SWITCH
    started.pass_time(1.0)
    use, way = EXITS[device]
    use(started)
    assert load_preferences().way is way
    assert started.is_on(PageName.TITLE)


@pytest.mark.parametrize("leave", ["switch", "escape", "arrows", "mouse"])
def test_the_question_about_a_switch_can_be_answered_no_and_is_asked_again(leave: str, home: Path) -> None:
    started = StartedProgram()
    started.keys("space")
    if leave == "switch":
        started.press_when_lit("no", SWITCH_INPUTS["space"])
    elif leave == "escape":
        started.keys("escape")
    elif leave == "arrows":
        started.keys("down")
        shown = started.lit
        assert shown == ["no"], "Enter wouldn't answer no"
        started.pass_time(5.0)
        assert started.lit == shown, "scanning continues"
        started.keys("return" if shown == ["no"] else "escape")
    else:
        started.click(started.place("no"))
    assert started.is_on(PageName.TITLE)
    assert started.front.screens.must_choose_way
    if leave in ("switch", "escape"):
        started.keys("space")
        assert started.is_on(PageName.SWITCH)


def test_text_size_voice_captions_and_contrast_are_saved_before_a_way_is_chosen(home: Path) -> None:
    """One person may set these for another, so the next start still asks for the way to play."""
    started = StartedProgram()
    started.click(started.place("settings"))
    for name in ("text_size", "captions", "speech", "contrast"):
        rect = build_page(started.front.screens)[name].rect
        started.click((rect.x + 0.95 * rect.width, rect.centre[1]))
    assert started.front.screens.must_choose_way
    restarted = StartedProgram().front.screens
    assert restarted.must_choose_way
    assert restarted.preferences.text_size is TextSize.LARGE
    assert restarted.preferences.captions
    assert restarted.preferences.contrast
    assert restarted.preferences.speaks


@pytest.mark.parametrize("way", Way)
def test_only_ways_that_need_a_camera_ask_for_one(way: Way, home: Path) -> None:
    started = StartedProgram()
    for name in ("settings", "ways"):
        started.click(started.place(name))
    started.click(started.place(way.value))
    assert load_preferences().way is way
    assert started.is_on(PageName.CAMERA if way in (Way.HAND, Way.CARD, Way.HEAD) else PageName.TITLE)
    program = StartedProgram(CameraStatus(CameraWay.REAL, "0", (("0", ""),)))
    program.front.screens = replace(first_start(), camera=program.front.screens.camera)
    for name in ("settings", "ways"):
        program.click(program.place(name))
    program.click(program.place(way.value))
    assert program.is_on(PageName.CARD if way is Way.CARD else PageName.TITLE), "the card isn't explained"


@pytest.mark.parametrize("way", Way)
def test_the_title_mentions_a_hand_only_to_hand_players(way: Way) -> None:
    screens = replace(StartedProgram(None).front.screens, must_choose_way=False)
    screens = replace(screens, preferences=replace(screens.preferences, way=way))
    assert ("hand" in build_page(screens)["motto"].text) is (way is Way.HAND)
