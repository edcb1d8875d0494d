"""When a video or the tracker ends, or the player closes the window, a page opens and the program continues."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console
from support.screens_kit import fresh, in_game
from support.session_kit import by_mouse as press
from support.table_kit import USUAL, parse_options

from armoon.app import session_camera
from armoon.app.frames import FrameInput, NoCameraSource
from armoon.app.front import Front
from armoon.app.session_camera import SessionCamera
from armoon.clock import ManualClock
from armoon.errors import ArmoonError, CameraError, TrackerError
from armoon.screens.events import Request
from armoon.screens.machine import apply_camera, build_page
from armoon.screens.pages.table import close_window, pause_for, resume
from armoon.screens.state import PageName, Screens
from armoon.settings.files import LastChoices
from armoon.values.choices import CameraWay, Way


class EndingSource(NoCameraSource):
    def __init__(self, fault: ArmoonError | None) -> None:
        super().__init__((640, 360), lambda seconds: None)
        self._fault, self._frames = fault, 0

    def read_input(self) -> FrameInput:
        self._frames += 1
        if self._frames == 1:
            return FrameInput(shown=True)
        if self._fault is not None:
            raise self._fault
        return FrameInput(ended=True)


def choose_way(way: Way, screens: Screens) -> Screens:
    return replace(screens, preferences=replace(screens.preferences, way=way))


FAULTS = (None, CameraError("It broke off.", remedy="Copy it."), TrackerError("It stopped.", remedy="Go on."))


def make_failed_camera(fault: ArmoonError | None) -> SessionCamera:
    options = replace(parse_options(*USUAL, "--camera", "none"), headless=False)
    camera = SessionCamera(options, Console(quiet=True), ManualClock(), ExitStack())
    feed: Any = EndingSource(fault)
    camera.feed = feed
    assert camera.read_input(feed) == FrameInput(shown=True)
    assert camera.pop_new_fault(should_ask_player=True) is None
    for _ in range(3):
        frame_input = camera.read_input(feed)
        assert not frame_input.ended, "the loop would end and close the window"
        assert frame_input.pause_key is not None
    return camera


def test_a_lost_camera_is_forgotten_once_another_is_chosen() -> None:
    camera = make_failed_camera(FAULTS[1])
    assert camera.pop_new_fault(should_ask_player=True) is not None
    camera.change_to("none")
    assert camera.pop_new_fault(should_ask_player=True) is None


@pytest.mark.parametrize(("last", "way"), [("", CameraWay.NONE), ("demo", CameraWay.DEMO)])
def test_without_a_webcam_the_pages_ask_unless_a_source_was_chosen_last_time(
    last: str, way: CameraWay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_camera, "load_last_choices", lambda: LastChoices(camera=last))
    options = replace(parse_options(*USUAL, "--camera", "999"), explicit_names=frozenset())
    status = SessionCamera(options, Console(quiet=True), ManualClock(), ExitStack()).build_status()
    assert status.way is way
    assert ("play without" in status.error) is (not last)


def go_to_title(screens: Screens, *names: str) -> None:
    for name in names:
        screens, _ = press(screens, name)
    assert screens.page is PageName.TITLE


@pytest.mark.parametrize("fault", FAULTS)
def test_a_video_that_ends_before_a_game_opens_the_camera_page(fault: ArmoonError | None) -> None:
    camera, front = make_failed_camera(fault), Front(fresh())
    status = camera.pop_new_fault(should_ask_player=True)
    assert status is not None
    front.apply(apply_camera, status)
    assert front.screens.page is PageName.CAMERA
    note = " ".join(widget.text for widget in front.page.widgets if widget.name.startswith("note"))
    assert note == camera.trouble
    assert note == str(fault) if fault else note.startswith("The video is over.")
    assert camera.pop_new_fault(should_ask_player=True) is None, "the fault is reported twice"
    go_to_title(front.screens, "back")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_video_that_ends_during_a_game_pauses_it(fault: ArmoonError | None) -> None:
    camera, front = make_failed_camera(fault), Front(in_game(fresh()))
    status = camera.pop_new_fault(should_ask_player=False)
    assert status is not None
    front.apply(apply_camera, status)
    front.apply(pause_for, camera.trouble)
    assert front.screens.page is PageName.PAUSE
    assert not front.is_running
    assert front.page["note 0"].text == camera.trouble
    assert front.page["camera"].enabled
    go_to_title(front.screens, "leave", "leave")


def test_the_end_of_a_video_before_a_game_is_also_shown_to_players_without_camera() -> None:
    camera, front = make_failed_camera(None), Front(choose_way(Way.MOUSE, fresh()))
    status = camera.pop_new_fault(should_ask_player=True)
    assert status is not None
    front.apply(apply_camera, replace(status, way=CameraWay.REAL))
    assert front.screens.page is PageName.CAMERA
    go_to_title(front.screens, "back")


@pytest.mark.parametrize("way", Way)
def test_a_game_continues_without_its_camera_if_nobody_needs_it(way: Way) -> None:
    front = Front(choose_way(way, in_game(fresh())))
    for _ in range(3):
        front.report_camera_loss("pause.camera_gone", "The video is over.")
    assert front.screens.page is PageName.PAUSE, "the fault isn't reported"
    assert front.page["note 0"].text == "The video is over."
    front.apply(resume)
    front.report_camera_loss("pause.camera_gone", "The video is over.")
    assert front.is_running is (way not in (Way.HAND, Way.CARD, Way.HEAD))
    front.apply(resume)
    front.report_camera_loss(None, "")
    front.report_camera_loss("pause.camera_gone", "Unplugged.")
    assert front.screens.page is PageName.PAUSE, "the second loss isn't reported"


def test_closing_the_window_pauses_the_game_and_asks_first() -> None:
    front = Front(in_game(fresh()))
    front.apply(close_window)
    assert (front.screens.page, front.is_running) == (PageName.QUIT, False)
    assert front.drain_actions() == ()
    stayed, _ = press(front.screens, "stay")
    assert stayed.page is PageName.PAUSE
    front.apply(close_window)
    assert front.drain_actions() == (Request.QUIT,)


def test_closing_the_window_over_a_page_asks_and_returns_to_it() -> None:
    front = Front(in_game(fresh()).reset_to(PageName.RESULT))
    front.apply(close_window)
    assert front.screens.page is PageName.QUIT
    assert press(front.screens, "stay")[0].page is PageName.RESULT


@pytest.mark.parametrize("is_saved", [False, True])
def test_quitting_says_whether_the_game_is_lost(is_saved: bool) -> None:
    front = Front(replace(in_game(fresh()), is_saved=is_saved, result=None))
    front.apply(close_window)
    words = build_page(front.screens)["about 0"].text
    assert ("lost" in words) is not is_saved
