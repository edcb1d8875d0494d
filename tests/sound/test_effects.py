"""The sounds as samples: pitch by length, loudness and brightness by impulse, no clicks, no clipping."""

from __future__ import annotations

import numpy as np
import pytest

from armoon.geometry import Array
from armoon.sound.cues import CueKind, SoundCue
from armoon.sound.effects import PEAK, RATE_HZ, Samples, ambience, knock, pitch_hz, render


def spectrum(samples: Samples) -> tuple[Array, Array]:
    """Frequencies in hertz and power."""
    power: Array = np.square(np.abs(np.fft.rfft(samples.astype(float), 1 << 17)), dtype=np.float64)
    return np.fft.rfftfreq(1 << 17, 1.0 / RATE_HZ), power


def loudest_hz(samples: Samples) -> float:
    frequency, power = spectrum(samples)
    return float(frequency[np.argmax(power)])


def centroid_hz(samples: Samples) -> float:
    frequency, power = spectrum(samples)
    return float((frequency * power).sum() / power.sum())


def rms(samples: Samples) -> float:
    return float(np.sqrt(np.mean(samples.astype(float) ** 2)))


@pytest.mark.parametrize("length_m", [0.09, 0.12, 0.14])
def test_a_knock_has_the_pitch_of_its_bar(length_m: float) -> None:
    # 1.028 h / L² √(E / ρ); each bar's modes are detuned by 0.4 %, and decay broadens the peak.
    assert loudest_hz(knock(0.4, length_m)) == pytest.approx(pitch_hz(length_m), rel=0.03)
    assert pitch_hz(length_m / 2.0) == pytest.approx(4.0 * pitch_hz(length_m))


def test_harder_blows_are_louder_and_brighter() -> None:
    blows = [knock(strength, 0.11) for strength in (0.05, 0.2, 0.5, 1.0)]
    assert [rms(b) for b in blows] == sorted(rms(b) for b in blows)
    assert rms(blows[-1]) > 3.0 * rms(blows[0])
    brightness = [centroid_hz(b) for b in blows]
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
def test_the_same_cue_gives_the_same_samples_and_strength_is_loudness(kind: CueKind) -> None:
    assert (render(SoundCue(kind)) == render(SoundCue(kind))).all()
    assert rms(render(SoundCue(kind, 1.0))) > rms(render(SoundCue(kind, 0.3)))


def test_the_night_has_no_seam() -> None:
    night = ambience(4.0)
    assert np.abs(night).max() < PEAK
    steps = np.abs(np.diff(night))
    seam = abs(float(night[0]) - float(night[-1]))
    assert seam <= np.quantile(steps, 0.999)
    # A click would be heard as sudden high frequencies where the end meets the beginning.
    around = np.abs(np.diff(np.concatenate([night[-400:], night[:400]]), n=2))
    assert around.max() <= 2.0 * np.quantile(np.abs(np.diff(night, n=2)), 0.9999)


def test_the_die_is_as_loud_as_a_ladder_that_comes_down() -> None:
    """Loudness over the loudest fifth of a second."""

    def loudest(kind: CueKind) -> float:
        sound, step = render(SoundCue(kind)).astype(float), RATE_HZ // 5
        return max(rms(sound[k : k + step]) for k in range(0, max(1, len(sound) - step), step // 4))

    assert loudest(CueKind.DIE) > 0.8 * loudest(CueKind.THUD)
