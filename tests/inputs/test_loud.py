"""A loud sound as a switch, with synthetic sound: a clap or a call is one press, steady noise is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.screens_kit import fresh

from armoon.app.front import Front
from armoon.app.speech import LoudSoundSwitch
from armoon.errors import ArmoonError
from armoon.inputs.switch import LEARNING_S, MIN_DB, LoudSwitch
from armoon.sound.effects import Samples
from armoon.sound.microphone import BLOCK_S, RATE_HZ, Microphone, Sound, measure_level_db
from armoon.values.choices import Way

BLOCK = round(BLOCK_S * RATE_HZ)


def make_noise(seconds: float, loud_db: float, seed: int = 1) -> Samples:
    """Return noise of this RMS, dB of full scale."""
    samples = np.random.default_rng(seed).normal(0.0, 10.0 ** (loud_db / 20.0), round(seconds * RATE_HZ))
    hiss: Samples = samples.astype(np.float32)
    return hiss


def make_call(seconds: float, loud_db: float = -12.0) -> Samples:
    """Return a voice: a buzz of varying loudness, with a pause in the middle as between words."""
    time = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    swell = 0.75 + 0.25 * np.sin(2.0 * np.pi * 5.0 * time)
    swell[(time > 0.45 * seconds) & (time < 0.45 * seconds + 0.06)] = 0.0
    buzz = np.sign(np.sin(2.0 * np.pi * 140.0 * time)) * swell
    voice: Samples = (buzz * 10.0 ** (loud_db / 20.0)).astype(np.float32)
    return voice


def mix_sounds(*parts: Samples, floor_db: float = -55.0) -> Samples:
    sound = np.concatenate(parts)
    return np.asarray(
        sound + make_noise(len(sound) / RATE_HZ, floor_db, seed=2)[: len(sound)], dtype=np.float32
    )


def make_silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE_HZ), dtype=np.float32)


def split_blocks(sound: Samples) -> list[Sound]:
    samples: Sound = np.clip(np.round(sound * 32768.0), -32768, 32767).astype(np.int16)
    return [samples[k : k + BLOCK] for k in range(0, len(samples) - BLOCK + 1, BLOCK)]


class RecordedMicrophone(Microphone):
    def __init__(self, sound: Samples) -> None:
        self._recorded = split_blocks(sound)
        self.closed = False

    def drain_blocks(self, timeout_s: float = 0.0) -> list[Sound]:
        block, self._recorded = self._recorded[:3], self._recorded[3:]
        return block

    def close(self) -> None:
        self.closed = True


def list_presses(sound: Samples) -> list[bool]:
    switch, edges = LoudSwitch(), list[bool]()
    for block in split_blocks(sound):
        switch.add_level(measure_level_db(block), BLOCK_S)
        edges += switch.drain_edges()
    return edges


@pytest.mark.parametrize("floor_db", [-70.0, -55.0, -40.0])
def test_each_clap_and_each_call_is_one_press(floor_db: float) -> None:
    clap = make_noise(0.06, -8.0)
    sound = mix_sounds(
        make_silence(1.0),
        clap,
        make_silence(0.6),
        make_call(0.7),
        make_silence(0.6),
        clap,
        make_silence(0.5),
        floor_db=floor_db,
    )
    assert list_presses(sound) == [True, False] * 3


def test_steady_noise_presses_nothing() -> None:
    fan = make_noise(20.0, -30.0) * np.linspace(0.2, 1.0, 20 * RATE_HZ, dtype=np.float32)
    assert list_presses(mix_sounds(make_silence(1.0), fan)) == []
    talk = make_call(0.4, -48.0)
    assert list_presses(mix_sounds(make_silence(1.0), talk, make_silence(0.4), talk)) == [], (
        "distant talk is a press"
    )


def test_a_call_over_a_fan_is_one_press() -> None:
    fan = make_noise(6.0, -38.0, seed=3)
    fan[3 * RATE_HZ : 3 * RATE_HZ + RATE_HZ // 2] += make_call(0.5)
    assert list_presses(fan) == [True, False]


def play_sound(front: Front, sound: Samples) -> RecordedMicrophone:
    microphone = RecordedMicrophone(sound)
    loud = LoudSoundSwitch(front, pytest.fail, lambda: microphone)
    for frame in range(round(len(sound) / RATE_HZ / 0.06) + 2):
        front.advance_time(frame * 0.06)
        loud.poll()
    loud.close()
    return microphone


def test_a_clap_presses_the_lit_button() -> None:
    front = Front(fresh())
    preferences = replace(front.screens.preferences, way=Way.SWITCH, loud_switch=True, scan_s=10.0)
    front.screens = replace(front.screens, preferences=preferences)
    before = front.screens.page
    microphone = play_sound(front, mix_sounds(make_silence(1.2), make_noise(0.06, -8.0), make_silence(1.0)))
    assert front.screens.page is not before, "the clap didn't press the lit button"
    assert microphone.closed


def test_no_microphone_opens_unless_set_and_a_missing_one_is_reported() -> None:
    front, messages = Front(fresh()), list[str]()

    def fail_to_open() -> Microphone:
        raise ArmoonError("No microphone can be opened.", remedy="Plug one in.")

    loud = LoudSoundSwitch(front, messages.append, fail_to_open)
    loud.poll()
    assert messages == []
    preferences = replace(front.screens.preferences, way=Way.SWITCH, loud_switch=True)
    front.screens = replace(front.screens, preferences=preferences)
    for _ in range(5):
        loud.poll()
    assert len(messages) == 1


def test_a_soft_sound_presses_nothing_even_in_a_silent_room() -> None:
    switch = LoudSwitch()
    for level in (*[-90.0] * 20, MIN_DB - 1.0):
        switch.add_level(level, 0.05)
    assert switch.drain_edges() == ()
    switch.add_level(MIN_DB + 1.0, 0.05)
    assert switch.drain_edges() == (True,)


def test_nothing_presses_before_the_rooms_noise_is_measured() -> None:
    switch = LoudSwitch()
    for level in (-60.0, -10.0):
        switch.add_level(level, LEARNING_S / 3.0)
    assert switch.drain_edges() == ()
