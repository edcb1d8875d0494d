"""Gamepads through pyglet's own Controller: triggers, sticks, vibration, unusual gamepads, and unplugging."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pyglet
import pytest
from support.pad_kit import GUID, MAPPING, FakeDevice, FakePad
from support.screens_kit import fresh, in_game

from armoon.app.front import Front
from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S
from armoon.inputs.controls import Controls
from armoon.inputs.grips import KeyGrip, MouseGrip
from armoon.screens.state import PageName
from armoon.sinks.sound import RUMBLE_STRENGTHS, RumbleSink
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.pieces import GripPhase
from armoon.view.gamepads import Gamepads, add_mappings, filter_mappings, make_default_mapping


class PadPlayer:
    def __init__(self, *, clicks: bool = True, pad: FakePad | None = None) -> None:
        seat = SEATS["table"](640, 360)
        mouse = MouseGrip(seat.camera, seat.table_from_camera, seat.mirrored, clicks=clicks)
        self.steady = KeyGrip(seat.table_from_camera, seat.mirrored, "keys")
        self.controls = Controls(mouse, self.steady)
        self.presses: list[tuple[str, bool]] = []
        self.pads = Gamepads(self._button, self.controls.handle_sticks)
        self.pad = pad or FakePad()
        self.pads.connect(self.pad.controller)
        self.now_s = 0.0

    def _button(self, name: str, pressed: bool) -> None:
        self.presses.append((name, pressed))
        self.controls.handle_pad_button(name, pressed)

    def collect_phases(self, seconds: float = 0.3) -> list[GripPhase]:
        phases: list[GripPhase] = []
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            phases += [
                grip.phase for grip in self.steady.collect_grips(self.now_s, (0.1, 0.0, 0.1), holding=True)
            ]
        return [phase for k, phase in enumerate(phases) if k == 0 or phases[k - 1] is not phase]

    def find_place_after(self, seconds: float) -> tuple[float, float, float]:
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            grips = self.steady.collect_grips(self.now_s, None, holding=True)
        return grips[-1].pose.position


class RaisingDevice(FakeDevice):
    def __init__(self, fault: str) -> None:
        super().__init__(name="Raising Pad")
        self.fault = fault

    def __getattribute__(self, name: str) -> Any:
        if name == object.__getattribute__(self, "__dict__").get("fault"):
            raise RuntimeError(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize("fault", ["name", "get_controls", "open", "get_guid"])
def test_a_faulty_pad_leaves_the_others_working(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, raising = FakeDevice(name="Plain Pad"), RaisingDevice(fault)

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
def player() -> Iterator[PadPlayer]:
    pad_player = PadPlayer()
    yield pad_player
    pad_player.pads.close()


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


def test_a_trigger_grabs_and_releases_like_a_button(player: PadPlayer) -> None:
    for pulled in (0.3, 0.5, 0.7, 1.0, 0.5, 0.4):
        player.pad.push("righttrigger", pulled)
    assert player.presses == [("righttrigger", True)], "small movements of the trigger count as presses"
    assert player.collect_phases() == [GripPhase.GRAB, GripPhase.HOLD]
    player.pad.push("righttrigger", 0.1)
    assert player.collect_phases() == [GripPhase.HOLD], "releasing the trigger dropped the ladder"
    player.pad.push("righttrigger", 1.0)
    assert player.collect_phases() == [GripPhase.RELEASE, GripPhase.HOVER]


def test_in_hold_mode_the_trigger_is_held_down() -> None:
    player = PadPlayer(clicks=False)
    player.pad.push("righttrigger", 1.0)
    assert player.collect_phases() == [GripPhase.GRAB, GripPhase.HOLD]
    player.pad.push("righttrigger", 0.0)
    assert player.collect_phases() == [GripPhase.RELEASE, GripPhase.HOVER]


def test_both_sticks_carry(player: PadPlayer) -> None:
    player.pad.press("a")
    player.pad.press("a", False)
    start = player.find_place_after(0.1)
    player.pad.push("leftx", 1.0)
    right = player.find_place_after(1.0)
    assert right[0] > start[0] + 0.03
    player.pad.push("leftx", 0.0)
    player.pad.push("righty", -1.0)
    assert player.find_place_after(1.0)[2] > start[2] + 0.03


def test_one_stick_alone_plays(player: PadPlayer) -> None:
    player.pads.has_one_stick = True
    player.pad.press("a")
    start = player.find_place_after(0.1)
    player.pad.push("leftx", 1.0)
    across = player.find_place_after(1.0)
    assert across[0] > start[0] + 0.03
    player.pad.push("leftx", 0.0)
    player.pad.press("leftstick")
    player.pad.press("leftstick", False)
    player.pad.push("lefty", -1.0)
    up = player.find_place_after(1.0)
    assert up[2] > across[2] + 0.03
    assert up[:2] == pytest.approx(across[:2], abs=1e-6)
    assert ("leftstick", True) not in player.presses


def test_contacts_vibrate_only_if_set(player: PadPlayer) -> None:
    wanted = True
    sink = RumbleSink(player.pads.rumble, lambda: wanted)

    class Moment:
        cues = staticmethod(
            lambda: (SoundCue(CueKind.KNOCK, 0.5), SoundCue(CueKind.CLATTER, 0.9), SoundCue(CueKind.PRESS))
        )

    moment: Any = Moment
    level = sink.select(moment)
    assert level == pytest.approx(0.9)
    assert level is not None
    sink.process(level)
    assert player.pad.rumbles == [("weak", level), ("strong", level)]
    wanted = False
    assert sink.select(moment) is None
    player.pads.disconnect(player.pad.controller)
    player.pads.rumble(1.0)
    assert len(player.pad.rumbles) == 2
    assert CueKind.PRESS not in RUMBLE_STRENGTHS


@pytest.mark.parametrize("clicks", [True, False])
def test_a_pad_unplugged_while_holding_drops_nothing(clicks: bool) -> None:
    player = PadPlayer(clicks=clicks)
    player.pad.push("righttrigger", 1.0)
    player.pad.push("leftx", 1.0)
    assert player.collect_phases()[0] is GripPhase.GRAB
    player.pads.disconnect(player.pad.controller)
    assert player.pads.is_unplugged
    assert player.collect_phases(2.0) == [GripPhase.HOLD]
    where = player.find_place_after(0.1)
    assert player.find_place_after(1.0) == where, "the unplugged stick still moves the ladder"
    reconnected = FakePad()
    player.pads.connect(reconnected.controller)
    assert not player.pads.is_unplugged
    reconnected.push("righttrigger", 1.0)
    if not clicks:
        assert player.collect_phases() == [GripPhase.HOLD]
        reconnected.push("righttrigger", 0.0)
    assert player.collect_phases() == [GripPhase.RELEASE, GripPhase.HOVER]


def test_one_of_two_pads_is_unplugged_and_the_other_plays_on(player: PadPlayer) -> None:
    other = FakePad(FakeDevice(name="Another Pad"))
    player.pads.connect(other.controller)
    player.pads.disconnect(player.pad.controller)
    assert not player.pads.is_unplugged
    other.press("a")
    assert player.presses[-1] == ("a", True)


def test_a_pad_used_by_another_program_is_ignored(player: PadPlayer) -> None:
    busy = FakePad(FakeDevice(opens=False))
    player.pads.connect(busy.controller)
    busy.press("a")
    assert player.presses == []


@pytest.mark.parametrize(("axes", "buttons"), [(2, 1), (2, 4), (3, 12), (8, 9), (0, 2), (1, 0)])
def test_an_unknown_pads_buttons_are_used_in_their_own_order(axes: int, buttons: int) -> None:
    device = FakeDevice(axes, buttons)
    pad = FakePad(device, make_default_mapping(device))
    player = PadPlayer(pad=pad)
    for k, button in enumerate(device.buttons):
        button.value = 1
        button.value = 0
        assert k >= 10 or len(player.presses) == 2 * (k + 1)
    if buttons:
        assert player.presses[0] == ("a", True)
    if axes > 1:
        device.axes[0].value = 32767
        before = player.find_place_after(0.1)
        assert player.find_place_after(1.0)[0] > before[0] + 0.02


def test_the_users_mappings_override_known_ones_and_nonsense_is_harmless() -> None:
    from pyglet.input.controller import get_mapping

    add_mappings(
        f"nonsense\n\n# a comment\n{GUID},Mine,a:b5,b:b1,leftx:a0,lefty:a1,platform:Linux,\n{{}},,,\n"
    )
    assert get_mapping(GUID)["name"] == "Mine"
    assert FakePad().controller.name == "Odd Pad", "the last added mapping isn't used"


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
    assert filter_mappings(line) == ()
    assert filter_mappings(f"{line}\n{MAPPING}\n") == (MAPPING,)


def test_a_stick_moves_over_pages_like_the_cross() -> None:
    front = Front(fresh().go_to(PageName.SETTINGS))
    focused = []
    for push in (0.0, 0.5, 0.8, 1.0, 0.5, 0.2, 0.9):
        assert front.handle_sticks({"leftstick_down": push, "leftstick_up": 0.0})
        focused.append(front.screens.focus)
    assert focused[1] is None
    assert focused[2] == focused[3] == focused[4] == focused[5], "a held stick moves several steps"
    assert focused[6] != focused[2]
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
    assert "gamepad" in front.describe_pad_loss(is_unplugged=True)
    assert front.describe_pad_loss(is_unplugged=False) == ""
    front.handle_key("down", True)
    assert front.describe_pad_loss(is_unplugged=True) == ""
