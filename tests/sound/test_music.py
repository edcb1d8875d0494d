"""The night's music: loops without a seam, of one length, that ask for what is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armoon.sound.cues import CueKind, SoundCue
from armoon.sound.effects import (
    HIGH_M,
    LOOP_S,
    LOW_M,
    PEAK,
    RATE_HZ,
    Layer,
    Samples,
    Tension,
    ambience,
    loop,
    tension_of,
)
from armoon.sound.player import AMBIENCE_VOLUME, MUSIC_VOLUME, stereo
from armoon.values.scene import Mood, Scene, SceneHud

SCENE = Scene(0, (), (), SceneHud())


@pytest.mark.parametrize("layer", Layer)
def test_a_loop_runs_into_itself_and_doesnt_clip(layer: Layer) -> None:
    sound = loop(layer).astype(float)
    assert len(sound) == int(LOOP_S * RATE_HZ)
    assert np.abs(sound).max() == pytest.approx(PEAK, abs=1e-3)
    steps = np.abs(np.diff(sound))
    assert abs(sound[0] - sound[-1]) <= steps.max()
    assert np.sqrt((sound**2).mean()) > 0.01


def test_higher_and_riskier_is_heard() -> None:
    low, high = (tension_of(replace(SCENE, structure_top_m=m)) for m in (LOW_M, HIGH_M))
    assert (low.height, high.height) == (0.0, 1.0)
    assert tension_of(replace(SCENE, structure_top_m=3.0)).height == 1.0
    held = replace(SCENE, drop_line=((0.0, 0.0, 0.1), (0.0, 0.0, 0.0)))
    touching = replace(held, contact_points=((0.0, 0.0, 0.1),))
    last_tear = replace(touching, mood=Mood(0.0, 0.5, 0.0))
    risks = [tension_of(one).risk for one in (SCENE, held, touching, last_tear)]
    assert risks == sorted(set(risks))
    assert risks[-1] <= 1.0
    assert Tension(0.2, 0.7).volume(Layer.ALWAYS) == Tension().volume(Layer.ALWAYS)


def heard_db(sound: Samples) -> float:
    """The loudest 50 ms as ears have them: the A curve (IEC 61672), which small loudspeakers cut alike below 150 Hz."""
    square = np.fft.rfftfreq(len(sound), 1.0 / RATE_HZ) ** 2
    curve = 1.259 * 12194.0**2 * square**2 / ((square + 20.6**2) * (square + 12194.0**2))
    curve /= np.sqrt((square + 107.7**2) * (square + 737.9**2))
    heard, part = np.fft.irfft(np.fft.rfft(sound) * curve, len(sound)), RATE_HZ // 20
    squares = heard[: len(heard) // part * part].reshape(-1, part) ** 2
    return float(10.0 * np.log10(squares.mean(axis=1).max()))


def test_every_layer_is_heard() -> None:
    """None of them is only low; who plays at high risk hears more than the chords that are always there."""
    loud = {layer: heard_db(MUSIC_VOLUME * layer.value * loop(layer)) for layer in Layer}
    assert min(loud.values()) > -36.0
    assert max(loud.values()) < -22.0
    assert loud[Layer.RISK] > loud[Layer.ALWAYS] - 3.0


def test_all_layers_and_the_night_leave_room_for_what_happens() -> None:
    music = sum(MUSIC_VOLUME * Tension(1.0, 1.0).volume(layer) * loop(layer) for layer in Layer)
    night = ambience(LOOP_S)
    both = np.asarray(music + AMBIENCE_VOLUME * PEAK * night / np.abs(night).max())
    assert np.abs(both).max() < 0.75
    for kind in (CueKind.DIE, CueKind.TEAR, CueKind.PLACED, CueKind.CLATTER, CueKind.WARNING):
        cue = stereo(SoundCue(kind))[:, 0] * np.sqrt(2.0)
        assert heard_db(cue) > heard_db(both) + 5.0, kind
