"""Every act and the devices that request it: its texts, its receiver, its key, and its command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.app_kit import HEIGHT, WIDTH
from support.every_case import every_case

import armoon
from armoon.camera.profiles import SEATS
from armoon.inputs.controls import Controls
from armoon.inputs.grips import KeyGrip
from armoon.messages import LANGUAGES, catalogue
from armoon.screens.state import STEPS
from armoon.values.acts import (
    BY_GESTURE,
    BY_PHRASE,
    KEPT_KEYS,
    KEYS,
    PAD,
    Act,
    find_act_by_button,
    find_act_by_key,
    get_buttons,
    get_keys,
)
from armoon.values.choices import Device, KeyHand
from armoon.values.pieces import Command

ACTS = every_case("act", Act)
PACKAGE = Path(armoon.__file__).parent


@ACTS
def test_an_act_has_a_text_in_every_language(act: Act) -> None:
    for language in LANGUAGES:
        assert catalogue(language)[act.text_key]


@ACTS
def test_every_input_of_an_act_leads_to_that_act(act: Act) -> None:
    row = act.row
    assert {find_act_by_key(key) for key in (row.key, *row.keys) if key} <= {act}
    assert {find_act_by_button(part) for part in row.pad} <= {act}
    assert not row.phrase or BY_PHRASE[row.phrase] is act
    assert row.gesture is None or BY_GESTURE[row.gesture] is act
    assert row.gesture is None or act.command == (act, 0), (
        "a gesture must be a command of the table, because nothing else receives gestures"
    )


def test_every_act_of_the_table_has_a_receiver() -> None:
    receivers = "".join(
        file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py") if file.name != "acts.py"
    )
    without_receiver = [
        act.name for act in Act if act.row.table and not re.search(rf"Act\.{act.name}\b", receivers)
    ]
    assert without_receiver == [], "these acts do nothing when requested"


@pytest.mark.parametrize("hand", KeyHand)
def test_an_act_moved_to_another_key_is_sent_by_it(hand: KeyHand) -> None:
    now = get_keys(hand, (("undo", "k"),))
    assert find_act_by_key("k", now) is Act.UNDO
    assert len(set(now.values())) == len(KEYS)
    assert not set(now.values()) & set(KEPT_KEYS)


def test_sticks_and_triggers_can_be_swapped_with_buttons() -> None:
    now = get_buttons((("take", "rightstick_up"), ("park", "righttrigger")))
    assert find_act_by_button("rightstick_up", now) is Act.TAKE
    assert find_act_by_button("a", now) is Act.LIFT
    assert find_act_by_button("righttrigger", now) is Act.PARK
    assert find_act_by_button("y", now) is Act.TAKE
    assert len(set(now.values())) == len(PAD)


def test_a_stick_can_act_as_a_button_and_a_button_can_carry() -> None:
    profile = SEATS["table"](WIDTH, HEIGHT)
    steady = KeyGrip(profile.table_from_camera, profile.mirrored, "keys")
    controls = Controls(None, steady)
    now = get_buttons((("roll", "rightstick_up"), ("left", "rightstick_right")))
    for pushed in (0.2, 0.7, 0.9, 0.5, 0.7, 0.1, 0.8):
        controls.handle_sticks({"rightstick_up": pushed}, now)
    assert controls.drain_commands() == (Command(Act.ROLL), Command(Act.ROLL)), (
        "a trembling held stick counts as several presses"
    )
    controls.handle_pad_button("x", True, now)
    begun = steady.collect_grips(0.0)[-1].pose.position
    lifted = steady.collect_grips(0.1)[-1].pose.position
    assert lifted[2] > begun[2], "X doesn't lift"
    controls.handle_pad_button("x", False, now)
    controls.handle_sticks({"rightstick_right": 1.0}, now)
    assert steady.collect_grips(0.2)[-1].pose.position[0] < lifted[0], "the right stick doesn't move left"


@pytest.mark.parametrize("device", Device)
def test_every_way_has_all_texts_of_the_guide(device: Device) -> None:
    sources = (device.value, "choice")
    for language in LANGUAGES:
        texts = catalogue(language)
        for step in STEPS:
            keys = [f"screens.guide.{step.key}.{way}" for way in sources] if step.has_device_texts else []
            if step.needs_carrying:
                keys = keys[:1]
            missing = [key for key in keys or [f"screens.guide.{step.key}"] if key not in texts]
            assert not missing
        assert {
            f"strip.{device}.{moment}" for moment in ("roll", "take", "take_plain", "carry", "wait")
        } <= set(texts)


def test_with_shift_the_lid_shows_the_previous_side() -> None:
    controls = Controls()
    for act in (Act.TIP, Act.FINE_HELD, Act.TIP):
        controls.handle_act(act, True)
    assert [(c.kind, c.value) for c in controls.drain_commands()] == [(Act.TIP, 0), (Act.TIP, -1)]
