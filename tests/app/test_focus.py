"""When the window loses the focus, pressed keys and buttons are released, but a held ladder stays in place."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.outcomes_kit import free_placement, grip, lid, table_of
from support.person_kit import FixedPlaces, Person
from support.session_kit import way_to
from support.table_kit import make_home
from support.waiting import until
from support.window_kit import MISSING, REASON, Screen

from armoon.app.table import Table
from armoon.screens.pages.table import pause
from armoon.screens.state import PageName
from armoon.values.choices import ButtonKind

pytestmark = pytest.mark.slow
LISTENER = """
import time
from armoon.view.window import GameWindow
def key(name, pressed): print("key", name, pressed, flush=True)
def point(p): print("pointer", p.pressed, p.turning, p.lost, flush=True)
window = GameWindow(320, 180, "listens")
window.set_handlers(key, point)
window.on_focus_lost = lambda: print("lost", flush=True)
while True:
    window.poll()
    time.sleep(0.02)
"""
OTHER = """
import pyglet
window = pyglet.window.Window(50, 50, caption="other")
while True: pyglet.app.platform_event_loop.step(0.1)
"""


@pytest.mark.gl
@pytest.mark.skipif(MISSING, reason=REASON)
def test_all_pressed_keys_and_buttons_are_released(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    output = tmp_path / "output"
    running: list[subprocess.Popen[bytes]] = []

    def find(name: str) -> str:
        until(lambda: bool(screen.xdotool("search", "--name", f"^{name}$")), name)
        return screen.xdotool("search", "--name", f"^{name}$").splitlines()[0]

    def focus(window: str) -> None:
        def is_focused() -> bool:
            screen.xdotool("windowfocus", window)
            return screen.xdotool("getwindowfocus") == window

        until(is_focused, "the focus")

    def pointer() -> tuple[int, int]:
        x, y, *_ = screen.xdotool("getmouselocation").split()
        return int(x[2:]), int(y[2:])

    def wait_for_line(line: str) -> None:
        until(lambda: line in output.read_text().splitlines(), line)

    try:
        with output.open("w") as file:
            for script in (LISTENER, OTHER):
                running.append(subprocess.Popen([sys.executable, "-c", script], env=screen.env, stdout=file))
            listens, other = find("listens"), find("other")
            focus(listens)
            screen.xdotool("mousemove", "--window", listens, "200", "120")
            at_first = pointer()
            screen.xdotool("mousedown", "3")
            screen.xdotool("mousemove", "--window", listens, "260", "140")
            screen.xdotool("mouseup", "3")
            until(lambda: math.dist(pointer(), at_first) < 2.0, "the pointer back where the rotation began")
            for name in ("Right", "Shift_L", "a"):
                screen.xdotool("keydown", name)
            for button in ("1", "3"):
                screen.xdotool("mousedown", button)
            wait_for_line("pointer True True False")
            focus(other)
            wait_for_line("lost")
            lines = output.read_text().splitlines()
            assert "key right True" in lines
            down = [line.split()[1] for line in lines if line.startswith("key") and line.endswith("True")]
            up = [line.split()[1] for line in lines if line.startswith("key") and line.endswith("False")]
            assert sorted(up) == sorted(down)
            assert lines[-2:] == ["pointer False False True", "lost"]
    finally:
        for process in running:
            process.kill()
            process.wait()
        screen.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_home(tmp_path, monkeypatch)
    monkeypatch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)


def hold_by_mouse(person: Person, button: ButtonKind) -> None:
    lid(person)
    table = _table(person)
    assert table.controls.mouse is not None
    assert table.controls.mouse.clicks is (button is ButtonKind.CLICK)
    place = person.offered
    assert place is not None
    person.point(place)
    person.pass_time(0.1)
    person.point(place, pressed=True)
    person.until(lambda: person.moon.match.holding, "the ladder in the mouse's grip")
    person.pass_time(0.5)


def _table(person: Person) -> Table:
    assert person.host.table is not None
    return person.host.table


HOLDERS = {
    "keys": grip,
    "click": lambda person: hold_by_mouse(person, ButtonKind.CLICK),
    "hold": lambda person: hold_by_mouse(person, ButtonKind.HOLD),
    "simulated hand": free_placement,
}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_held_ladder_stays_in_place(holder: str) -> None:
    button = ButtonKind.HOLD if holder == "hold" else ButtonKind.CLICK
    person = Person(starts_in_game=False, choosing=True, button=button)
    person.choose(*way_to("moon", person.screens))
    HOLDERS[holder](person)
    person.key("left", True)
    person.pass_time(0.3)
    before = person.held.pose.position
    person.key("left", False)
    if holder == "hold":
        person.pointer(replace(person.pointed, pressed=False, lost=True))
    assert _table(person).is_held_by_device
    person.front.apply(pause)
    person.pass_time(1.0)
    assert person.screens.page is PageName.PAUSE
    assert table_of(person).paused
    person.return_to_table()
    person.pass_time(2.0)
    assert person.held.pose.position == pytest.approx(before, abs=0.03)
    person.host.close_table()
