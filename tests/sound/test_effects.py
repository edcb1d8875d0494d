"""Sounds and music as samples: pitch by length, loudness by impulse, seamless loops."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from armoon.geometry import Array
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
    compute_pitch_hz,
    find_tension,
    render,
    render_ambience,
    render_knock,
    render_loop,
)
from armoon.sound.player import AMBIENCE_VOLUME, MUSIC_VOLUME, render_stereo
from armoon.values.scene import Mood, Scene, SceneHud


def compute_spectrum(samples: Samples) -> tuple[Array, Array]:
    """Return frequencies in hertz and power."""
    power: Array = np.square(np.abs(np.fft.rfft(samples.astype(float), 1 << 17)), dtype=np.float64)
    return np.fft.rfftfreq(1 << 17, 1.0 / RATE_HZ), power


def find_loudest_hz(samples: Samples) -> float:
    frequency, power = compute_spectrum(samples)
    return float(frequency[np.argmax(power)])


def find_centroid_hz(samples: Samples) -> float:
    frequency, power = compute_spectrum(samples)
    return float((frequency * power).sum() / power.sum())


def compute_rms(samples: Samples) -> float:
    return float(np.sqrt(np.mean(samples.astype(float) ** 2)))


@pytest.mark.parametrize("length_m", [0.09, 0.12, 0.14])
def test_a_knock_has_the_pitch_of_its_bar(length_m: float) -> None:
    # The tolerance covers the detuning of the modes by 0.4 %, and the decay, which broadens the peak.
    assert find_loudest_hz(render_knock(0.4, length_m)) == pytest.approx(compute_pitch_hz(length_m), rel=0.03)
    assert compute_pitch_hz(length_m / 2.0) == pytest.approx(4.0 * compute_pitch_hz(length_m))


def test_wood_sounds_bright_and_different_at_every_impact() -> None:
    frequency, power = compute_spectrum(render_knock(0.3, 0.11))
    assert power[frequency > 3000.0].sum() > 0.2 * power.sum()
    places = ((-1.0, 0.1), (-1.0, 0.14), (1.0, 0.1))
    impacts = [render_stereo(SoundCue(CueKind.KNOCK, 0.3, across=a, height_m=h)) for a, h in places]
    assert np.abs(impacts[0][:, 1]).max() < 1e-6 < 0.1 < np.abs(impacts[0][:, 0]).max()
    mono = [impact.sum(axis=1) for impact in impacts]
    assert all(np.abs(a - b).max() > 0.02 for a, b in itertools.combinations(mono, 2))


def test_harder_impacts_are_louder_and_brighter() -> None:
    impacts = [render_knock(strength, 0.11) for strength in (0.05, 0.2, 0.5, 1.0)]
    assert [compute_rms(b) for b in impacts] == sorted(compute_rms(b) for b in impacts)
    assert compute_rms(impacts[-1]) > 3.0 * compute_rms(impacts[0])
    brightness = [find_centroid_hz(b) for b in impacts]
    assert brightness == sorted(brightness)
    assert brightness[-1] > 1.2 * brightness[0]


@pytest.mark.parametrize("kind", CueKind)
@pytest.mark.parametrize("strength", [0.05, 1.0])
def test_every_sound_begins_and_ends_at_zero_and_does_not_clip(kind: CueKind, strength: float) -> None:
    sound = render(SoundCue(kind, strength, count=6))
    assert sound.dtype == np.float32
    assert np.isfinite(sound).all()
    assert 0.0 < np.abs(sound).max() <= PEAK + 1e-6
    assert sound[0] == pytest.approx(0.0, abs=1e-6)
    assert sound[-1] == pytest.approx(0.0, abs=1e-6)
    assert np.abs(sound[-200:]).max() < 0.02


@pytest.mark.parametrize("kind", CueKind)
def test_equal_cues_give_equal_samples_and_stronger_ones_are_louder(kind: CueKind) -> None:
    assert (render(SoundCue(kind)) == render(SoundCue(kind))).all()
    assert compute_rms(render(SoundCue(kind, 1.0))) > compute_rms(render(SoundCue(kind, 0.3)))


def test_the_night_loops_without_a_seam() -> None:
    night = render_ambience(4.0)
    assert np.abs(night).max() < PEAK
    steps = np.abs(np.diff(night))
    seam = abs(float(night[0]) - float(night[-1]))
    assert seam <= np.quantile(steps, 0.999)
    # A click at the seam would add high frequencies.
    around = np.abs(np.diff(np.concatenate([night[-400:], night[:400]]), n=2))
    assert around.max() <= 2.0 * np.quantile(np.abs(np.diff(night, n=2)), 0.9999)


SCENE = Scene(0, (), (), SceneHud())


@pytest.mark.parametrize("layer", Layer)
def test_a_loop_has_no_seam_and_does_not_clip(layer: Layer) -> None:
    sound = render_loop(layer).astype(float)
    assert len(sound) == int(LOOP_S * RATE_HZ)
    assert np.abs(sound).max() == pytest.approx(PEAK, abs=1e-3)
    steps = np.abs(np.diff(sound))
    assert abs(sound[0] - sound[-1]) <= steps.max()
    assert np.sqrt((sound**2).mean()) > 0.01


def test_height_and_risk_are_audible() -> None:
    low, high = (find_tension(replace(SCENE, structure_top_m=m)) for m in (LOW_M, HIGH_M))
    assert (low.height, high.height) == (0.0, 1.0)
    assert find_tension(replace(SCENE, structure_top_m=3.0)).height == 1.0
    held = replace(SCENE, drop_line=((0.0, 0.0, 0.1), (0.0, 0.0, 0.0)))
    touching = replace(held, contact_points=((0.0, 0.0, 0.1),))
    last_tear = replace(touching, mood=Mood(0.0, 0.5, 0.0))
    risks = [find_tension(scene).risk for scene in (SCENE, held, touching, last_tear)]
    assert risks == sorted(set(risks))
    assert risks[-1] <= 1.0
    assert Tension(0.2, 0.7).get_volume(Layer.ALWAYS) == Tension().get_volume(Layer.ALWAYS)


def measure_audible_db(sound: Samples) -> float:
    """Return the level of the loudest 50 ms by the A curve (IEC 61672), which attenuates low frequencies."""
    square = np.fft.rfftfreq(len(sound), 1.0 / RATE_HZ) ** 2
    curve = 1.259 * 12194.0**2 * square**2 / ((square + 20.6**2) * (square + 12194.0**2))
    curve /= np.sqrt((square + 107.7**2) * (square + 737.9**2))
    filtered, step = np.fft.irfft(np.fft.rfft(sound) * curve, len(sound)), RATE_HZ // 20
    squares = filtered[: len(filtered) // step * step].reshape(-1, step) ** 2
    return float(10.0 * np.log10(squares.mean(axis=1).max()))


def test_every_layer_is_audible() -> None:
    """Every layer has more than low frequencies; high risk adds audible sounds to the constant chords."""
    loud = {layer: measure_audible_db(MUSIC_VOLUME * layer.value * render_loop(layer)) for layer in Layer}
    assert min(loud.values()) > -36.0
    assert max(loud.values()) < -22.0
    assert loud[Layer.RISK] > loud[Layer.ALWAYS] - 3.0


def test_all_layers_and_the_night_leave_room_for_events() -> None:
    music = sum(MUSIC_VOLUME * Tension(1.0, 1.0).get_volume(layer) * render_loop(layer) for layer in Layer)
    night = render_ambience(LOOP_S)
    mixed = np.asarray(music + AMBIENCE_VOLUME * PEAK * night / np.abs(night).max())
    assert np.abs(mixed).max() < 0.75
    for kind in (CueKind.DIE, CueKind.TEAR, CueKind.PLACED, CueKind.CLATTER, CueKind.WARNING):
        cue = render_stereo(SoundCue(kind))[:, 0] * np.sqrt(2.0)
        assert measure_audible_db(cue) > measure_audible_db(mixed) + 5.0, kind
