"""The night's music: loops without a seam, of one length, that ask for what is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armoon.sound.music import HIGH_M, LOOP_S, LOW_M, Layer, Tension, loop, tension_of
from armoon.sound.wood import PEAK, RATE_HZ
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
