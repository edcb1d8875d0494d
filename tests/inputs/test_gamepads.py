"""Gamepads through pyglet's own Controller: triggers, sticks, motors; odd ones work, and any may be unplugged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pyglet
import pytest
from support.pad_kit import GUID, MAPPING, FakePad, OddDevice
from support.screens_kit import fresh, in_game

from armoon.app.front import Front
from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S
from armoon.inputs.controls import Controls
from armoon.inputs.mouse import MouseGrip
from armoon.inputs.steady import SteadyGrip
from armoon.screens.state import PageName
from armoon.sinks.sound import FELT, RumbleSink
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.pieces import GripPhase
from armoon.view.gamepads import Gamepads, add_mappings, default_mapping, valid_mappings


class PadPlayer:
    def __init__(self, *, clicks: bool = True, pad: FakePad | None = None) -> None:
        seat = SEATS["table"](640, 360)
        mouse = MouseGrip(seat.camera, seat.table_from_camera, seat.mirrored, clicks=clicks)
        self.steady = SteadyGrip(seat.table_from_camera, seat.mirrored, "keys")
        self.controls = Controls(mouse, self.steady)
        self.presses: list[tuple[str, bool]] = []
        self.pads = Gamepads(self._button, self.controls.handle_sticks)
        self.pad = pad or FakePad()
        self.pads.connect(self.pad.controller)
        self.now_s = 0.0

    def _button(self, name: str, pressed: bool) -> None:
        self.presses.append((name, pressed))
        self.controls.handle_pad_button(name, pressed)

    def phases(self, seconds: float = 0.3) -> list[GripPhase]:
        phases: list[GripPhase] = []
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            phases += [
                one.phase for one in self.steady.collect_grips(self.now_s, (0.1, 0.0, 0.1), holding=True)
            ]
        return [phase for k, phase in enumerate(phases) if k == 0 or phases[k - 1] is not phase]

    def place(self, seconds: float) -> tuple[float, float, float]:
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            grips = self.steady.collect_grips(self.now_s, None, holding=True)
        return grips[-1].pose.position


class RaisingDevice(OddDevice):
    def __init__(self, fault: str) -> None:
        super().__init__(name="Raising Pad")
        self.fault = fault

    def __getattribute__(self, name: str) -> Any:
        if name == object.__getattribute__(self, "__dict__").get("fault"):
            raise RuntimeError(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize("fault", ["name", "get_controls", "open", "get_guid"])
def test_one_odd_pad_leaves_the_others_working(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, raising = OddDevice(name="Plain Pad"), RaisingDevice(fault)

    class Manager:
        def push_handlers(self, **_: Any) -> None:
            pass

        def get_controllers(self) -> list[Any]:
            return []

    def joysticks() -> list[Any]:
        return [SimpleNamespace(device=raising), SimpleNamespace(device=plain)]

    devices = SimpleNamespace(ControllerManager=Manager, get_controllers=list, get_joysticks=joysticks)
    monkeypatch.setattr(pyglet, "input", devices)
    presses: list[tuple[str, bool]] = []
    pads = Gamepads(lambda name, pressed: presses.append((name, pressed)), lambda _: None)
    plain.buttons[0].value = 1
    later = FakePad()
    pads.connect(later.controller)
    later.press("x")
    assert presses == [("a", True), ("x", True)]
    raising.fault = ""
    pads.close()
    assert plain.opened == 0


@pytest.fixture
def played() -> Iterator[PadPlayer]:
    made = PadPlayer()
    yield made
    made.pads.close()


def test_without_devices_there_are_no_pads_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.listdir

    def without(path: Any = ".") -> list[str]:
        if str(path).startswith("/dev/input"):
            raise FileNotFoundError(path)
        return real(path)

    monkeypatch.setattr(os, "listdir", without)
    pads = Gamepads(lambda *_: None, lambda *_: None)
    pads.poll()
    pads.rumble(1.0)
    pads.close()


def test_a_trigger_grabs_and_releases_like_a_button(played: PadPlayer) -> None:
    for pulled in (0.3, 0.5, 0.7, 1.0, 0.5, 0.4):
        played.pad.push("righttrigger", pulled)
    assert played.presses == [("righttrigger", True)], "going up and down again in between isn't a press"
    assert played.phases() == [GripPhase.GRAB, GripPhase.HOLD]
    played.pad.push("righttrigger", 0.1)
    assert played.phases() == [GripPhase.HOLD], "released, it still holds"
    played.pad.push("righttrigger", 1.0)
    assert played.phases() == [GripPhase.RELEASE, GripPhase.HOVER]


def test_in_hold_mode_the_trigger_is_held_down() -> None:
    played = PadPlayer(clicks=False)
    played.pad.push("righttrigger", 1.0)
    assert played.phases() == [GripPhase.GRAB, GripPhase.HOLD]
    played.pad.push("righttrigger", 0.0)
    assert played.phases() == [GripPhase.RELEASE, GripPhase.HOVER]


def test_both_sticks_carry(played: PadPlayer) -> None:
    played.pad.press("a")
    played.pad.press("a", False)
    start = played.place(0.1)
    played.pad.push("leftx", 1.0)
    right = played.place(1.0)
    assert right[0] > start[0] + 0.03
    played.pad.push("leftx", 0.0)
    played.pad.push("righty", -1.0)
    assert played.place(1.0)[2] > start[2] + 0.03


def test_one_stick_alone_plays(played: PadPlayer) -> None:
    played.pads.has_one_stick = True
    played.pad.press("a")
    start = played.place(0.1)
    played.pad.push("leftx", 1.0)
    across = played.place(1.0)
    assert across[0] > start[0] + 0.03
    played.pad.push("leftx", 0.0)
    played.pad.press("leftstick")
    played.pad.press("leftstick", False)
    played.pad.push("lefty", -1.0)
    up = played.place(1.0)
    assert up[2] > across[2] + 0.03
    assert up[:2] == pytest.approx(across[:2], abs=1e-6)
    assert ("leftstick", True) not in played.presses


def test_contacts_vibrate_only_if_set(played: PadPlayer) -> None:
    wanted = True
    sink = RumbleSink(played.pads.rumble, lambda: wanted)

    class Moment:
        cues = staticmethod(
            lambda: (SoundCue(CueKind.KNOCK, 0.5), SoundCue(CueKind.CLATTER, 0.9), SoundCue(CueKind.PRESS))
        )

    moment: Any = Moment
    part = sink.select(moment)
    assert part == pytest.approx(0.9)
    assert part is not None
    sink.process(part)
    assert played.pad.felt == [("weak", part), ("strong", part)]
    wanted = False
    assert sink.select(moment) is None
    played.pads.disconnect(played.pad.controller)
    played.pads.rumble(1.0)
    assert len(played.pad.felt) == 2
    assert CueKind.PRESS not in FELT


@pytest.mark.parametrize("clicks", [True, False])
def test_a_pad_unplugged_while_holding_drops_nothing(clicks: bool) -> None:
    played = PadPlayer(clicks=clicks)
    played.pad.push("righttrigger", 1.0)
    played.pad.push("leftx", 1.0)
    assert played.phases()[0] is GripPhase.GRAB
    played.pads.disconnect(played.pad.controller)
    assert played.pads.is_unplugged
    assert played.phases(2.0) == [GripPhase.HOLD]
    where = played.place(0.1)
    assert played.place(1.0) == where, "the stick rests"
    again = FakePad()
    played.pads.connect(again.controller)
    assert not played.pads.is_unplugged
    again.push("righttrigger", 1.0)
    if not clicks:
        assert played.phases() == [GripPhase.HOLD]
        again.push("righttrigger", 0.0)
    assert played.phases() == [GripPhase.RELEASE, GripPhase.HOVER]


def test_one_of_two_pads_is_unplugged_and_the_other_plays_on(played: PadPlayer) -> None:
    other = FakePad(OddDevice(name="Another Pad"))
    played.pads.connect(other.controller)
    played.pads.disconnect(played.pad.controller)
    assert not played.pads.is_unplugged
    other.press("a")
    assert played.presses[-1] == ("a", True)


def test_a_pad_used_by_another_program_is_ignored(played: PadPlayer) -> None:
    busy = FakePad(OddDevice(opens=False))
    played.pads.connect(busy.controller)
    busy.press("a")
    assert played.presses == []


@pytest.mark.parametrize(("axes", "buttons"), [(2, 1), (2, 4), (3, 12), (8, 9), (0, 2), (1, 0)])
def test_an_unknown_pad_plays_by_its_own_order(axes: int, buttons: int) -> None:
    device = OddDevice(axes, buttons)
    pad = FakePad(device, default_mapping(device))
    played = PadPlayer(pad=pad)
    for k, button in enumerate(device.buttons):
        button.value = 1
        button.value = 0
        assert k >= 10 or len(played.presses) == 2 * (k + 1)
    if buttons:
        assert played.presses[0] == ("a", True)
    if axes > 1:
        device.axes[0].value = 32767
        before = played.place(0.1)
        assert played.place(1.0)[0] > before[0] + 0.02


def test_the_users_mappings_override_known_ones_and_nonsense_is_harmless() -> None:
    from pyglet.input.controller import get_mapping

    add_mappings(
        f"nonsense\n\n# a comment\n{GUID},Mine,a:b5,b:b1,leftx:a0,lefty:a1,platform:Linux,\n{{}},,,\n"
    )
    assert get_mapping(GUID)["name"] == "Mine"
    assert FakePad().controller.name == "Odd Pad", "the last one added counts"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        f"{GUID},Odd",
        f"{GUID},Odd,a:h0",
        f"{GUID},Odd,a:b",
        f"{GUID},Odd,leftx:a-1e9",
        "12,Odd,a:b0",
        ",,,,",
    ],
)
def test_an_invalid_mapping_line_is_skipped(line: str) -> None:
    assert valid_mappings(line) == ()
    assert valid_mappings(f"{line}\n{MAPPING}\n") == (MAPPING,)


def test_a_stick_moves_over_pages_like_the_cross() -> None:
    front = Front(fresh())
    seen = []
    for push in (0.0, 0.5, 0.8, 1.0, 0.5, 0.2, 0.9):
        assert front.handle_sticks({"leftstick_down": push, "leftstick_up": 0.0})
        seen.append(front.screens.focus)
    assert seen[1] is None
    assert seen[2] == seen[3] == seen[4] == seen[5], "held it moves one step"
    assert seen[6] != seen[2]
    at_table = Front(in_game(fresh()))
    assert at_table.screens.page is PageName.TABLE
    assert not at_table.handle_sticks({"leftstick_right": 1.0})


def test_a_trigger_presses_on_pages() -> None:
    front = Front(fresh())
    before = front.screens.page
    assert front.handle_pad("righttrigger", True)
    assert front.screens.page is not before or front.drain_actions()


def test_an_unplugged_pad_is_reported_until_another_device_is_used() -> None:
    front = Front(fresh())
    front.handle_pad("down", True)
    assert "gamepad" in front.pad_trouble(gone=True)
    assert front.pad_trouble(gone=False) == ""
    front.handle_key("down", True)
    assert front.pad_trouble(gone=True) == ""
