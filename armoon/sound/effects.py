"""Synthesis of all sounds and the music. The same cue always gives the same samples."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armoon.sound.cues import CueKind, SoundCue
from armoon.values.scene import Scene

#: Samples (n,) of a mono sound, or (n, 2) of a stereo one, from -1 to 1.
Samples = npt.NDArray[np.float32]

RATE_HZ = 44100
#: Maximum amplitude of a sound, which leaves room for rounding and resampling.
PEAK = 0.9
#: Speed of sound along the grain of beech: √(E / ρ) with 14 GPa and 720 kg/m³ (Forest Products Laboratory).
GRAIN_M_S = 4400.0
#: A rail's thickness, metres: between the 3 and 4 mm of the ladders.
RAIL_M = 0.0035
#: Frequencies of a free bar's bending modes relative to the lowest, and their loudness; thin sticks hardly radiate the
#: lowest one.
MODES = (1.0, 2.756, 5.404, 8.933, 13.34)
_LOUDNESS = (0.5, 1.0, 0.9, 0.7, 0.5)
#: Pi times the number of periods in which a small wooden bar's sound decays to 1/e; glued joints damp it further.
RING_PERIODS = 22.0
#: Duration of a soft impact of a 3 g ladder, in seconds; harder ones are shorter, so brighter (Hertz's theory).
_SOFT_IMPACT_S = 0.0001


def compute_pitch_hz(length_m: float) -> float:
    return 1.028 * RAIL_M / length_m**2 * GRAIN_M_S


def render_bar(
    base_hz: float, strength: float, seconds: float, *, damping: float = 1.0, seed: int = 0
) -> Samples:
    """Render a struck bar with this fundamental frequency; ``damping`` above 1 shortens the sound."""
    rng = np.random.default_rng(seed)
    time = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    contact_s = _SOFT_IMPACT_S * (1.25 - strength)
    sound = np.zeros_like(time)
    for ratio, loudness in zip(MODES, _LOUDNESS, strict=True):
        frequency = base_hz * ratio * (1.0 + 0.004 * rng.standard_normal())
        if frequency > 0.42 * RATE_HZ:
            break
        brightness = float(np.exp(-((frequency * contact_s) ** 2)))
        decay_s = RING_PERIODS / (frequency * damping) ** 0.9 / damping**0.1 / np.pi
        loudness *= 1.0 if ratio == 1.0 else rng.uniform(0.6, 1.0)  # depends on the point of impact
        sound += loudness * brightness * np.exp(-time / decay_s) * np.sin(2.0 * np.pi * frequency * time)
    crack = rng.standard_normal(len(time)) * np.exp(-time / 0.0012) * 0.15 * strength
    return normalise(sound + crack, PEAK * max(strength, 0.0) ** 0.5)


def normalise(sound: npt.NDArray[np.float64], peak: float) -> Samples:
    """Scale a sound to this peak, and fade it in and out to avoid clicks."""
    ease_in, ease_out = min(24, len(sound) // 4), min(440, len(sound) // 2)
    sound = sound.copy()
    sound[:ease_in] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(ease_in) / ease_in)
    sound[-ease_out:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(1, ease_out + 1) / ease_out)
    highest = float(np.max(np.abs(sound)))
    scale = min(peak, PEAK) / highest if highest > 0.0 else 0.0
    return (sound * scale).astype(np.float32)


def render_knock(strength: float, length_m: float, seed: int = 0) -> Samples:
    return render_bar(compute_pitch_hz(length_m), strength, 0.22, seed=seed)


def render_soft_fall(strength: float, length_m: float) -> Samples:
    """Render a ladder's fall on the cloud: a rustle, and a muffled bump with overtones for small loudspeakers."""
    rng = np.random.default_rng(0)
    time = np.arange(int(0.32 * RATE_HZ)) / RATE_HZ
    phase = 2.0 * np.pi * 92.0 * time - 4.0 * np.exp(-time / 0.05)
    bump = sum(
        level * np.sin(ratio * phase) * np.exp(-time / fade_s)
        for ratio, level, fade_s in ((1.0, 1.0, 0.055), (2.0, 0.5, 0.045), (3.0, 0.35, 0.035))
    )
    rustle = np.convolve(rng.standard_normal(len(time)), np.hanning(64) / 32.0, mode="same")
    ring = render_bar(compute_pitch_hz(length_m), 0.3 * strength, 0.32, damping=5.0).astype(np.float64)
    return normalise(bump + 0.35 * rustle * np.exp(-time / 0.07) + 0.10 * ring, 0.8 * PEAK * strength**0.5)


def render_thud(strength: float, length_m: float, seed: int = 0) -> Samples:
    """Render a ladder's fall on the table: the ladder's damped ring and the lower one of the tabletop."""
    ring = render_bar(compute_pitch_hz(length_m), strength, 0.30, damping=2.2, seed=seed).astype(np.float64)
    board = render_bar(compute_pitch_hz(length_m) * 0.16, strength, 0.30, damping=0.8, seed=seed + 1)
    return normalise(ring + 0.8 * board, PEAK * strength**0.5)


#: Renders a sound at a strength from 0 to 1.
_RenderSound = Callable[[float], Samples]
#: Frequencies of notes in hertz, equal temperament with A = 440.
_C4, _E4, _G4, _A4, _C5, _D5, _E5, _G5, _C6 = 261.6, 329.6, 392.0, 440.0, 523.3, 587.3, 659.3, 784.0, 1046.5
#: Fundamental of a wooden die of 16 mm, which sounds like a short thick bar.
_DIE_HZ = 2400.0
#: Impacts of a die whose roll isn't drawn: time in seconds, and strength.
_DEFAULT_ROLL = tuple((0.50 + 0.16 * (1.0 - 0.70**k) / 0.30, 0.74**k) for k in range(8))
#: Length of the bar whose sound stands for the tabletop's under the die, in metres.
_DIE_BOARD_M = 0.15


def render(cue: SoundCue) -> Samples:
    strength = min(max(cue.strength, 0.0), 1.0)
    seed = abs(round(1000.0 * cue.height_m) + 101 * round(100.0 * cue.across))
    match cue.kind:
        case CueKind.KNOCK:
            return render_knock(strength, cue.length_m, seed)
        case CueKind.THUD | CueKind.CLATTER:
            return render_thud(strength, cue.length_m, seed)
        case CueKind.SOFT:
            return render_soft_fall(strength, cue.length_m)
        case CueKind.DIE:
            return render_die(strength, cue.impacts or _DEFAULT_ROLL)
        case CueKind.TEAR:
            return render_tear(strength)
        case CueKind.STOP:
            return render_stop(cue.height_m, strength)
        case _:
            return _SIMPLE_SOUNDS[cue.kind](strength)


def render_die(strength: float, impacts: Sequence[tuple[float, float]]) -> Samples:
    """Render a die that is shaken in a fist, thrown, and rolls to rest."""
    rng = np.random.default_rng(6)
    sound = np.zeros(int((impacts[-1][0] + 0.25) * RATE_HZ))
    board = render_thud(0.8, _DIE_BOARD_M).astype(np.float64)
    shaken_s = np.arange(0.02, max(0.03, impacts[0][0] - 0.12), 0.055)
    for k, when_s in enumerate(shaken_s.tolist()):
        _mix_in(sound, 0.28 * _render_wood_tap(_DIE_HZ * rng.uniform(0.8, 1.1), k), when_s)
    for k, (when_s, force) in enumerate(impacts):
        _mix_in(sound, force * _render_wood_tap(_DIE_HZ * rng.uniform(0.45, 0.60), 20 + k), when_s)
        # Without the board's resonance, only the high, short part of an impact would be audible.
        _mix_in(sound, 0.8 * force * board, when_s)
    # Compress the short peaks to make their loudness natural.
    return normalise(np.tanh(2.2 * sound / np.max(np.abs(sound))), PEAK * strength)


def render_tear(strength: float) -> Samples:
    """Render a drop that falls into water: a bubble with rising pitch, over a soft falling third."""
    time = np.arange(int(0.9 * RATE_HZ)) / RATE_HZ
    rise = 520.0 * np.exp(np.minimum(time, 0.09) / 0.09 * np.log(2.1))
    bubble = np.sin(2.0 * np.pi * np.cumsum(rise) / RATE_HZ) * np.exp(-time / 0.055)
    sound = 0.9 * bubble
    _mix_in(sound, 0.35 * _render_bell(_E4, 0.6), 0.10)
    _mix_in(sound, 0.35 * _render_bell(_C4, 0.6), 0.28)
    return normalise(sound, 0.75 * strength)


def render_stop(height_m: float, strength: float) -> Samples:
    """Render a short bell, an octave higher for every 12 cm of height."""
    sound = _render_bell(_C4 * 2.0 ** (min(max(height_m, 0.0), 0.48) / 0.12), 0.35)
    return normalise(sound, 0.5 * strength)


def render_ambience(seconds: float = 16.0) -> Samples:
    """Render a seamless loop of soft wind and distant crickets at night."""
    rng = np.random.default_rng(30)
    count = int(seconds * RATE_HZ)
    frequency = np.fft.rfftfreq(count, 1.0 / RATE_HZ)
    shape = np.exp(-((np.log(np.maximum(frequency, 1.0) / 240.0) / 0.9) ** 2))
    spectrum = shape * np.exp(2j * np.pi * rng.random(len(frequency)))
    wind = np.fft.irfft(spectrum, count)
    wind /= np.max(np.abs(wind))
    phase = 2.0 * np.pi * np.arange(count) / count
    wind *= 0.55 + 0.25 * np.sin(2 * phase + 1.0) + 0.15 * np.sin(5 * phase)
    sound = 0.16 * wind
    for voice in range(3):
        pitch = rng.uniform(3700.0, 4600.0)
        for when_s in np.arange(rng.uniform(0.0, 1.5), seconds, rng.uniform(1.7, 2.9)):
            add_wrapped(sound, (0.010 + 0.006 * voice) * _render_cricket(pitch), float(when_s))
    return sound.astype(np.float32)


def _render_cricket(pitch: float) -> npt.NDArray[np.float64]:
    time = np.arange(int(0.16 * RATE_HZ)) / RATE_HZ
    pulses = np.maximum(np.sin(2.0 * np.pi * 25.0 * time), 0.0) ** 2
    return np.asarray(pulses * np.sin(np.pi * time / 0.16) * np.sin(2.0 * np.pi * pitch * time))


def _render_bell(pitch: float, seconds: float) -> npt.NDArray[np.float64]:
    """Render a note like a marimba's, with overtones near the fourth and tenth harmonics."""
    time = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    sound = np.zeros_like(time)
    for ratio, level, ring_s in ((1.0, 1.0, 0.32), (3.93, 0.24, 0.09), (9.6, 0.06, 0.03)):
        sound += level * np.exp(-time / ring_s) * np.sin(2.0 * np.pi * pitch * ratio * time)
    return normalise(sound, 0.9).astype(np.float64)


def _render_wood_tap(pitch: float, seed: int) -> npt.NDArray[np.float64]:
    return render_bar(pitch, 0.7, 0.09, damping=2.0, seed=seed).astype(np.float64)


def _make_tune(*notes: tuple[float, float], seconds: float, loudness: float) -> _RenderSound:
    def render_tune(strength: float) -> Samples:
        sound = np.zeros(int(seconds * RATE_HZ))
        for pitch, when_s in notes:
            _mix_in(sound, _render_bell(pitch, seconds - when_s), when_s)
        return normalise(sound, loudness * strength)

    return render_tune


def _make_click(length_m: float, loudness: float) -> _RenderSound:
    def render_click(strength: float) -> Samples:
        bar = render_bar(compute_pitch_hz(length_m), 0.3, 0.08, damping=1.6)
        return normalise(bar.astype(np.float64), loudness * strength)

    return render_click


def _mix_in(
    sound: npt.NDArray[np.float64], part: npt.NDArray[np.float32] | npt.NDArray[np.float64], when_s: float
) -> None:
    """Mix a part into a sound, without its samples beyond the end, where the sound has faded out anyway."""
    start = int(when_s * RATE_HZ)
    room = max(0, min(len(part), len(sound) - start))
    sound[start : start + room] += part[:room]


def add_wrapped(loop: npt.NDArray[np.float64], part: npt.NDArray[np.float64], when_s: float) -> None:
    start = int(when_s * RATE_HZ) % len(loop)
    room = len(loop) - start
    loop[start : start + len(part)] += part[:room]
    loop[: max(0, len(part) - room)] += part[room:]


_SIMPLE_SOUNDS: dict[CueKind, _RenderSound] = {
    CueKind.OFFER: _make_click(0.085, 0.4),
    CueKind.GRAB: _make_click(0.075, 0.6),
    CueKind.RELEASE: _make_click(0.105, 0.5),
    CueKind.CLICK: _make_click(0.050, 0.7),
    CueKind.FOCUS: _make_click(0.060, 0.7),
    CueKind.PRESS: _make_tune((_G5, 0.0), seconds=0.6, loudness=0.5),
    CueKind.PLACED: _make_tune((_G4, 0.0), (_C5, 0.11), (_E5, 0.22), seconds=1.0, loudness=0.7),
    CueKind.WARNING: _make_tune((_A4, 0.0), (_A4, 0.16), seconds=0.7, loudness=0.65),
    CueKind.OUT: _make_tune((_E5, 0.0), (_C5, 0.2), (_A4, 0.4), seconds=1.3, loudness=0.7),
    CueKind.FINAL: _make_tune((_C5, 0.0), (_D5, 0.18), (_E5, 0.36), (_G5, 0.54), seconds=1.6, loudness=0.75),
    CueKind.FANFARE: _make_tune(
        *((_C4, 0.0), (_C5, 0.0), (_E5, 0.16), (_G5, 0.32), (_C6, 0.48)),
        *((_G4, 0.48), (_G5, 0.80), (_C5, 0.96), (_E5, 0.96), (_C6, 0.96)),
        seconds=2.6,
        loudness=0.85,
    ),
}


#: Duration of a chord in seconds, and number of chords in the loop.
CHORD_S, CHORDS = 4.0, 4
LOOP_S = CHORD_S * CHORDS
#: The chords' notes in hertz, equal temperament on A = 440: A minor seventh, F major seventh, C with a ninth, G.
_CHORD_NOTES: tuple[tuple[float, ...], ...] = (
    (110.0, 164.8, 261.6, 392.0),
    (87.3, 174.6, 220.0, 329.6),
    (130.8, 196.0, 293.7, 329.6),
    (98.0, 196.0, 246.9, 293.7),
)
#: Arpeggio, an octave above the chord: interval between notes in seconds, and indices of the chord's notes.
_STEP_S, _ARPEGGIO = 0.5, (0, 1, 2, 3, 2, 3, 1, 2)
#: Pitch of a heartbeat in hertz, and interval between its pairs of beats in seconds.
_HEARTBEAT_HZ, _HEARTBEAT_S = 55.0, 1.0
#: Overtones of a heartbeat for small loudspeakers, which play nothing below 150 Hz: factor, strength, decay in seconds.
_OVERTONES = ((1.0, 1.0, 0.09), (2.0, 1.0, 0.08), (3.0, 1.0, 0.07), (4.0, 0.8, 0.06), (6.0, 0.5, 0.05))
#: Strengths of a chord's notes from the lowest up, and of their octaves, which laptop loudspeakers can play.
_CHORD_LEVELS, _OCTAVE_LEVEL = (0.8, 0.8, 0.75, 0.65), 0.40
#: Duration of a bell's fade-out, in seconds, which prevents a click at its end.
_FADE_S = 0.15
#: Heights of a structure, in metres, at which the loop ``HEIGHT`` begins and reaches its maximum volume.
LOW_M, HIGH_M = 0.13, 0.27
#: Contributions to the risk: a carried piece, its contact with the structure, and a dark sky.
_HELD_RISK, _TOUCH_RISK, _DARK_RISK = 0.45, 0.35, 0.4


class Layer(enum.Enum):
    """The loops that make up the music; a value is the loop's maximum volume."""

    ALWAYS = 0.70
    HEIGHT = 0.60
    RISK = 1.0


@dataclass(frozen=True)
class Tension:
    """The game's tension, which the music follows; levels from 0 to 1."""

    height: float = 0.0
    risk: float = 0.0

    def get_volume(self, layer: Layer) -> float:
        level = {Layer.ALWAYS: 1.0, Layer.HEIGHT: self.height, Layer.RISK: self.risk}[layer]
        return layer.value * level

    def move_towards(self, other: Tension, share: float) -> Tension:
        height, risk = other.height - self.height, other.risk - self.risk
        return Tension(self.height + share * height, self.risk + share * risk)


def find_tension(scene: Scene) -> Tension:
    height = (scene.structure_top_m - LOW_M) / (HIGH_M - LOW_M)
    touches = scene.held and bool(scene.contact_points)
    risk = _HELD_RISK * scene.held + _TOUCH_RISK * touches + _DARK_RISK * scene.mood.dark
    return Tension(min(1.0, max(0.0, height)), min(1.0, risk))


def render_loop(layer: Layer) -> Samples:
    sound = np.zeros(int(LOOP_S * RATE_HZ))
    {Layer.ALWAYS: _add_chords, Layer.HEIGHT: _add_arpeggios, Layer.RISK: _add_heartbeat}[layer](sound)
    return np.asarray(sound / np.max(np.abs(sound)) * PEAK, dtype=np.float32)


def _add_chords(sound: npt.NDArray[np.float64]) -> None:
    time = np.arange(int(1.6 * CHORD_S * RATE_HZ)) / RATE_HZ
    swell = np.sin(np.pi * time / time[-1]) ** 1.5
    for number, notes in enumerate(_CHORD_NOTES):
        chord = sum(
            level * np.sin(2.0 * np.pi * note * time)
            + _OCTAVE_LEVEL * level * np.sin(2.0 * np.pi * 2.003 * note * time)
            for note, level in zip(notes, _CHORD_LEVELS, strict=True)
        )
        add_wrapped(sound, swell * chord, number * CHORD_S)


def _add_arpeggios(sound: npt.NDArray[np.float64]) -> None:
    time = np.arange(int(1.8 * RATE_HZ)) / RATE_HZ
    ring = np.exp(-time / 0.45) * np.minimum(1.0, np.minimum(time / 0.012, (time[-1] - time) / _FADE_S))
    for number, notes in enumerate(_CHORD_NOTES):
        for k, step in enumerate(_ARPEGGIO):
            note = 2.0 * notes[step]
            bell = np.sin(2.0 * np.pi * note * time) + 0.25 * np.sin(2.0 * np.pi * 3.93 * note * time) * ring
            add_wrapped(sound, (0.7 + 0.3 * (k % 2 == 0)) * ring * bell, number * CHORD_S + k * _STEP_S)


def _add_heartbeat(sound: npt.NDArray[np.float64]) -> None:
    time = np.arange(int(0.5 * RATE_HZ)) / RATE_HZ
    beat = sum(
        level * np.sin(2.0 * np.pi * ratio * _HEARTBEAT_HZ * time) * np.exp(-time / fade_s)
        for ratio, level, fade_s in _OVERTONES
    ) * np.minimum(1.0, time / 0.008)
    for second in np.arange(0.0, LOOP_S, _HEARTBEAT_S):
        add_wrapped(sound, beat, float(second))
        add_wrapped(sound, 0.6 * beat, float(second) + 0.22)
