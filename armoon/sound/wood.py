"""Struck pieces of wood, by modal synthesis: each vibration mode of a bar is a decaying sine.

A free bar of thickness h and length L bends at f = 1.028 (h / L²) √(E / ρ) and at fixed multiples of it
(Rossing and Fletcher, *Principles of Vibration and Sound*, 1995, ch. 4).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: Samples of a sound: mono, -1 to 1.
Samples = npt.NDArray[np.float32]

RATE_HZ = 44100
#: Maximum amplitude of a sound, so that rounding and resampling don't clip.
PEAK = 0.9
#: The speed of sound along the grain of beech: √(E / ρ) of 14 GPa and 720 kg/m³ (Forest Products Laboratory).
GRAIN_M_S = 4400.0
#: A rail's thickness, metres: between the 3 and 4 mm of the ladders.
RAIL_M = 0.0035
#: A free bar's bending modes over the first, and how strongly a blow off the middle excites each.
MODES = (1.0, 2.756, 5.404, 8.933, 13.34)
_EXCITED = (1.0, 0.62, 0.40, 0.22, 0.12)
#: How many periods small wood rings before it has lost most of its energy, over pi; glued joints damp more.
RING_PERIODS = 22.0
#: A soft blow lasts this long and a hard one an ever shorter part of it; the shorter, the brighter (Hertz).
_TOUCH_S = 0.00040


def pitch_hz(length_m: float, thickness_m: float = RAIL_M) -> float:
    """Return the lowest bending frequency of a free bar."""
    return 1.028 * thickness_m / length_m**2 * GRAIN_M_S


def struck(
    base_hz: float, strength: float, seconds: float, *, damping: float = 1.0, seed: int = 0
) -> Samples:
    """Return a bar of this lowest frequency, struck; ``damping`` above 1 rings shorter.

    Loudness goes with the root of the impulse, so that both a touch and a fall are heard.
    """
    rng = np.random.default_rng(seed)
    time = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    blow_s = _TOUCH_S * (1.25 - strength)
    sound = np.zeros_like(time)
    for ratio, excited in zip(MODES, _EXCITED, strict=True):
        frequency = base_hz * ratio * (1.0 + 0.004 * rng.standard_normal())
        if frequency > 0.42 * RATE_HZ:
            break
        bright = float(np.exp(-((frequency * blow_s) ** 2)))
        decay_s = RING_PERIODS / (frequency * damping) ** 0.9 / damping**0.1 / np.pi
        sound += excited * bright * np.exp(-time / decay_s) * np.sin(2.0 * np.pi * frequency * time)
    crack = rng.standard_normal(len(time)) * np.exp(-time / 0.0012) * 0.25 * strength
    loud = PEAK * max(strength, 0.0) ** 0.5
    return finished(sound + crack, loud)


def finished(sound: npt.NDArray[np.float64], peak: float) -> Samples:
    """Return the sound at this peak, eased in and out so that it begins and ends at zero without a click."""
    ease_in, ease_out = min(24, len(sound) // 4), min(440, len(sound) // 2)
    sound = sound.copy()
    sound[:ease_in] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(ease_in) / ease_in)
    sound[-ease_out:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(1, ease_out + 1) / ease_out)
    highest = float(np.max(np.abs(sound)))
    scale = min(peak, PEAK) / highest if highest > 0.0 else 0.0
    return (sound * scale).astype(np.float32)


def knock(strength: float, length_m: float, seed: int = 0) -> Samples:
    """Two ladders touch."""
    return struck(pitch_hz(length_m), strength, 0.22, seed=seed)


def soft(strength: float, length_m: float, seed: int = 0) -> Samples:
    """Return the sound of a ladder on the cloud.

    Hardly a ring, a muffled bump, and the rustle of something that gives way.

    The bump's overtones are what small loudspeakers play of it.
    """
    rng = np.random.default_rng(seed)
    time = np.arange(int(0.32 * RATE_HZ)) / RATE_HZ
    phase = 2.0 * np.pi * 92.0 * time - 4.0 * np.exp(-time / 0.05)
    bump = sum(
        part * np.sin(ratio * phase) * np.exp(-time / gone_s)
        for ratio, part, gone_s in ((1.0, 1.0, 0.055), (2.0, 0.5, 0.045), (3.0, 0.35, 0.035))
    )
    rustle = np.convolve(rng.standard_normal(len(time)), np.hanning(64) / 32.0, mode="same")
    ring = struck(pitch_hz(length_m), 0.3 * strength, 0.32, damping=5.0, seed=seed).astype(np.float64)
    return finished(bump + 0.35 * rustle * np.exp(-time / 0.07) + 0.10 * ring, 0.8 * PEAK * strength**0.5)


def thud(strength: float, length_m: float, seed: int = 0) -> Samples:
    """Return the sound of a ladder on the table: its own damped ring over the board's low one."""
    ring = struck(pitch_hz(length_m), strength, 0.30, damping=2.2, seed=seed).astype(np.float64)
    board = struck(pitch_hz(length_m) * 0.16, strength, 0.30, damping=0.8, seed=seed + 1)
    return finished(0.45 * ring + board, PEAK * strength**0.5)
