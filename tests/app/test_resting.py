"""A mouse that clicks by resting can roll, take and release ladders and press buttons; it clicks once per place."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.person_kit import Person
from support.session_kit import find_item

from armoon.app.switches import MAX_REST_MOVEMENT, RELEASE_DWELL_FACTOR, RING_DELAY_S, DwellClicker
from armoon.screens.state import DWELL_S, PageName
from armoon.values.choices import ButtonKind, Way
from armoon.values.poses import Vec3
from armoon.view.window import MousePointer

#: A point beside the base, and a height above all ladders.
BESIDE: Vec3 = (-0.17, 0.0, 0.10)
HIGH_M = 0.30


def pointer_at(x: float, y: float = 0.5, *, pressed: bool = False) -> MousePointer:
    return MousePointer((x, y), pressed, over=(x, y))


def test_a_resting_mouse_clicks_once_and_again_only_after_moving() -> None:
    mouse = DwellClicker()
    mouse.move_to(pointer_at(0.1), 0.0)
    assert mouse.pop_click(9.0, 1.0) == (), "clicked before the mouse was moved"
    mouse.move_to(pointer_at(0.3), 10.0)
    assert mouse.progress(10.0 + RING_DELAY_S / 2, 1.0) == 0.0
    assert mouse.progress(10.5, 1.0) == 0.5
    assert mouse.pop_click(10.9, 1.0) == ()
    mouse.move_to(pointer_at(0.3 + MAX_REST_MOVEMENT / 2), 10.9)
    assert [click.pressed for click in mouse.pop_click(11.0, 1.0)] == [True, False]
    assert mouse.pop_click(15.0, 1.0) == ()
    mouse.move_to(pointer_at(0.5), 20.0)
    mouse.move_to(pointer_at(0.5, pressed=True), 20.5)
    mouse.move_to(pointer_at(0.5), 20.6)
    assert mouse.pop_click(30.0, 1.0) == (), "clicked although the button was pressed by hand"
    mouse.move_to(pointer_at(0.7), 31.0)
    mouse.move_to(pointer_at(0.7 + 2 * MAX_REST_MOVEMENT), 31.9)
    assert mouse.pop_click(32.5, 1.0) == (), "clicked although the mouse moved on"


class RestingPlayer(Person):
    def __init__(self, button: ButtonKind = ButtonKind.DWELL) -> None:
        super().__init__(way=Way.MOUSE, button=button)

    def run_frame(self) -> None:
        super().run_frame()
        for pointer in self.front.pop_dwell_clicks(holding=bool(self.moon.match.holding)):
            if not self.front.handle_pointer(pointer):
                self.controls.handle_pointer(pointer)

    def stay(self, place: Vec3, seconds: float) -> None:
        x, y, z = place
        self.point((x, y, z + 0.05))
        self.point(place)
        self.pass_time(seconds)


def test_a_turn_is_played_by_resting_alone(home: Path) -> None:
    person = RestingPlayer()
    match = person.moon.match
    person.stay((0.0, 0.0, 0.2), 2 * DWELL_S)
    person.until(lambda: person.offered is not None, "a ladder, offered after the roll")
    person.pass_time(0.3)
    offered = person.offered
    assert offered is not None
    person.stay(offered, 2 * DWELL_S)
    assert match.holding
    low = (BESIDE[0], BESIDE[1], offered[2] - 0.006)
    for place in ((offered[0], offered[1], HIGH_M), (BESIDE[0], BESIDE[1], HIGH_M), low):
        person.stay(place, DWELL_S * (RELEASE_DWELL_FACTOR - 0.5))
        assert match.holding, "a short rest dropped the ladder"
    assert person.screens.rested > 0.5
    assert person.front.page.pointer is not None, "no ring shows the progress"
    person.pass_time(2 * DWELL_S)
    assert not match.holding
    person.until(lambda: person.moon.turns_played == 1, "the verdict")
    assert person.presses == 0


@pytest.mark.parametrize("kind", [ButtonKind.CLICK, ButtonKind.HOLD])
def test_a_rest_clicks_only_with_the_dwell_button(home: Path, kind: ButtonKind) -> None:
    person = RestingPlayer(kind)
    person.stay((0.0, 0.0, 0.2), 4 * DWELL_S)
    assert person.offered is None
    assert person.front.page.pointer is None


def test_resting_on_a_button_presses_it(home: Path) -> None:
    person = RestingPlayer()
    pause = find_item(person.screens, "pause")
    assert pause is not None
    for place in ((0.5, 0.5), pause.widget.rect.centre):
        person.front.handle_pointer(MousePointer(place, pressed=False, over=place))
    person.pass_time(2 * DWELL_S)
    assert person.screens.page is PageName.PAUSE
