"""The guided first game: its first ladder stands, and a turn that is given up is repeated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.person_kit import Person

from armoon.screens.pages.opening import start_guide
from armoon.screens.state import GuidedGame
from armoon.values.choices import Device
from armoon.values.places import HINT

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("home")]


class Beginner(Person):
    def __init__(self) -> None:
        super().__init__(begun=False)
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


def test_the_guides_hint_leads_to_a_standing_ladder() -> None:
    person = Beginner()
    person.wait_for_lesson("hint")
    person.key("h", True)
    person.wait_for_lesson("take")
    person.push(f"choose {HINT}", "mouse")
    person.wait_for_lesson("table")
    assert person.moon.match.state.tears == (0,)
    assert len(person.moon.match.state.placed) == 1
    person.host.close_table()


def test_a_turn_given_up_is_repeated() -> None:
    person = Beginner()
    person.wait_for_lesson("side")
    person.hold("g")
    person.choose("give_up")
    person.wait_for_lesson("again")
    person.pass_time(3.0)
    person.key("space", True)
    person.wait_for_lesson("hint")
    person.host.close_table()
