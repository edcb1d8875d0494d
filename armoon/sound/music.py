"""The night's music: three loops of equal length that play together, each at the game's volume.

One always plays, a second comes with the structure's height, a third with the risk. They are made of sines
like every other sound, and they loop without a seam.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armoon.sound.effects import add_round
from armoon.sound.wood import PEAK, RATE_HZ, Samples
from armoon.values.scene import Scene

#: Four chords, and the seconds of each.
CHORD_S, CHORDS = 4.0, 4
LOOP_S = CHORD_S * CHORDS
#: The chords' notes in hertz, equal temperament on A = 440: A minor seventh, F major seventh, C with a ninth, G.
_NOTES: tuple[tuple[float, ...], ...] = (
    (110.0, 164.8, 261.6, 392.0),
    (87.3, 174.6, 220.0, 329.6),
    (130.8, 196.0, 293.7, 329.6),
    (98.0, 196.0, 246.9, 293.7),
)
#: Rising figures, with the interval between notes, in steps of each chord's notes an octave higher.
_STEP_S, _FIGURE = 0.5, (0, 1, 2, 3, 2, 3, 1, 2)
#: Heartbeat: its frequency, and the interval between pairs of beats. Small loudspeakers play nothing below 150 Hz, so
#: it has overtones: factor of frequency, strength, decay in seconds.
_HEART_HZ, _HEART_S = 55.0, 1.0
_OVERTONES = ((1.0, 1.0, 0.09), (2.0, 1.0, 0.08), (3.0, 1.0, 0.07), (4.0, 0.8, 0.06), (6.0, 0.5, 0.05))
#: Strengths of a chord's notes from the lowest up, and of their octaves, which are what a laptop plays.
_CHORD, _OCTAVE = (0.8, 0.8, 0.75, 0.65), 0.40
#: Where a bell fades out, so that its end isn't cut.
_FADE_S = 0.15
#: A structure of the first height has no music of its own yet, one of the second all of it, metres.
LOW_M, HIGH_M = 0.13, 0.27
#: What is at risk while something is carried, while it touches, and under a dark sky.
_HELD, _TOUCHES, _DARK = 0.45, 0.35, 0.4


class Layer(enum.Enum):
    """The loops, and how loud each is at most."""

    ALWAYS = 0.70
    HEIGHT = 0.60
    RISK = 1.0


@dataclass(frozen=True)
class Tension:
    """The levels that the music follows, each 0 to 1."""

    height: float = 0.0
    risk: float = 0.0

    def volume(self, layer: Layer) -> float:
        """How loud a loop is, 0 to 1."""
        part = {Layer.ALWAYS: 1.0, Layer.HEIGHT: self.height, Layer.RISK: self.risk}[layer]
        return layer.value * part

    def towards(self, other: Tension, share: float) -> Tension:
        """Return the point at this share of the way to another one."""
        return Tension(
            self.height + share * (other.height - self.height), self.risk + share * (other.risk - self.risk)
        )

    def is_near(self, other: Tension) -> bool:
        """Differences below this can't be heard."""
        return abs(self.height - other.height) + abs(self.risk - other.risk) < 0.01


def tension_of(scene: Scene) -> Tension:
    """How high they have built, and how much is at risk at this moment."""
    height = (scene.structure_top_m - LOW_M) / (HIGH_M - LOW_M)
    risk = (
        _HELD * scene.held + _TOUCHES * (scene.held and bool(scene.contact_points)) + _DARK * scene.mood.dark
    )
    return Tension(min(1.0, max(0.0, height)), min(1.0, risk))


def loop(layer: Layer) -> Samples:
    """Return the samples of a loop, mono, at ``RATE_HZ``."""
    sound = np.zeros(int(LOOP_S * RATE_HZ))
    {Layer.ALWAYS: _chords, Layer.HEIGHT: _figures, Layer.RISK: _heart}[layer](sound)
    return np.asarray(sound / np.max(np.abs(sound)) * PEAK, dtype=np.float32)


def _chords(sound: npt.NDArray[np.float64]) -> None:
    """Each chord swells and fades over the next one's beginning."""
    time = np.arange(int(1.6 * CHORD_S * RATE_HZ)) / RATE_HZ
    swell = np.sin(np.pi * time / time[-1]) ** 1.5
    for number, notes in enumerate(_NOTES):
        chord = sum(
            part * np.sin(2.0 * np.pi * note * time)
            + _OCTAVE * part * np.sin(2.0 * np.pi * 2.003 * note * time)
            for note, part in zip(notes, _CHORD, strict=True)
        )
        add_round(sound, swell * chord, number * CHORD_S)


def _figures(sound: npt.NDArray[np.float64]) -> None:
    """Soft bells that climb through the chord."""
    time = np.arange(int(1.8 * RATE_HZ)) / RATE_HZ
    ring = np.exp(-time / 0.45) * np.minimum(1.0, np.minimum(time / 0.012, (time[-1] - time) / _FADE_S))
    for number, notes in enumerate(_NOTES):
        for k, step in enumerate(_FIGURE):
            note = 2.0 * notes[step]
            bell = np.sin(2.0 * np.pi * note * time) + 0.25 * np.sin(2.0 * np.pi * 3.93 * note * time) * ring
            add_round(sound, (0.7 + 0.3 * (k % 2 == 0)) * ring * bell, number * CHORD_S + k * _STEP_S)


def _heart(sound: npt.NDArray[np.float64]) -> None:
    """Pairs of low beats."""
    time = np.arange(int(0.5 * RATE_HZ)) / RATE_HZ
    beat = sum(
        part * np.sin(2.0 * np.pi * ratio * _HEART_HZ * time) * np.exp(-time / gone_s)
        for ratio, part, gone_s in _OVERTONES
    ) * np.minimum(1.0, time / 0.008)
    for second in np.arange(0.0, LOOP_S, _HEART_S):
        add_round(sound, beat, float(second))
        add_round(sound, 0.6 * beat, float(second) + 0.22)
