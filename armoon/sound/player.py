"""Plays cues on the loudspeaker, and mixes sounds for films; silent without a loudspeaker."""

from __future__ import annotations

import ctypes
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.sound.cues import STEP_M, CueKind, SoundCue
from armoon.sound.effects import PEAK, RATE_HZ, Layer, Samples, Tension, render, render_ambience, render_loop

#: Maximum number of simultaneous sounds; one more stops the oldest.
MAX_VOICES = 16
#: Relative volume of the night sounds.
AMBIENCE_VOLUME = 0.35
#: Relative volume of the music.
MUSIC_VOLUME = 0.30
#: Fraction of the remaining difference in tension that the music closes in each frame; it takes one to two seconds.
TENSION_FOLLOW_RATE = 0.03
#: Seconds by which a film's night sounds are mixed ahead of its pictures; sound before a written picture can't change.
AHEAD_S = 0.25
#: Steps to which cues are rounded, which lets a few hundred rendered sounds suffice for all contacts.
_STRENGTH_STEP, _LENGTH_STEP_M = 0.05, 0.005
_SIDE_STEP = 0.25
_CACHE_SIZE = 256
_SAMPLE_BYTES = 2


class Player:
    """The interface of sound output; this base class is silent, for machines without a loudspeaker."""

    is_silent = True

    def play(self, cues: Iterable[SoundCue]) -> None:
        """Start these sounds."""

    def configure(self, volume: float, night: float, *, mono: bool = False, ambience: bool = False) -> None:
        """Set the volumes of cues and of night sounds and music, from 0 to 1.

        ``mono`` plays the same on both sides; ``ambience`` turns on the night sounds and the music.
        """

    def follow_tension(self, tension: Tension) -> None:
        """Adapt the music to the tension; call it for every frame."""

    def close(self) -> None:
        """Release the loudspeaker; further calls have no effect."""


class PygletPlayer(Player):
    """Plays each sound with a ``pyglet.media.Player`` of its own."""

    is_silent = False

    def __init__(self, media: Any) -> None:
        self._media = media
        self._voices: deque[Any] = deque()
        self._loops: dict[Layer | None, Any] = {}
        """Players of the music's layers and, under None, of the night sounds."""
        self._tension = Tension()
        self._volume = self._night_volume = 1.0
        self._mono = False

    def play(self, cues: Iterable[SoundCue]) -> None:
        if self._volume <= 0.0:
            return
        for cue in cues:
            while len(self._voices) >= MAX_VOICES:
                self._voices.popleft().delete()
            centred = replace(cue, across=0.0) if self._mono else cue
            self._voices.append(self._play_pcm(_render_pcm(round_cue(centred)), self._volume, loop=False))

    def configure(self, volume: float, night: float, *, mono: bool = False, ambience: bool = False) -> None:
        # With squared volumes, equal steps sound equal.
        self._volume, self._night_volume = (min(max(level, 0.0), 1.0) ** 2 for level in (volume, night))
        self._mono = mono
        for voice in self._voices:
            voice.volume = self._volume
        if ambience and not self._loops:
            self._loops = {layer: self._play_pcm(_render_music_pcm(layer), 0.0, loop=True) for layer in Layer}
            self._loops[None] = self._play_pcm(_render_night_pcm(), 0.0, loop=True)
        elif not ambience:
            self._stop_loops()
        self._mix()

    def follow_tension(self, tension: Tension) -> None:
        if self._loops and tension != self._tension:
            eased = self._tension.move_towards(tension, TENSION_FOLLOW_RATE)
            remaining = abs(eased.height - tension.height) + abs(eased.risk - tension.risk)
            self._tension = tension if remaining < 0.01 else eased
            self._mix()

    def _mix(self) -> None:
        for layer, voice in self._loops.items():
            share = AMBIENCE_VOLUME if layer is None else MUSIC_VOLUME * self._tension.get_volume(layer)
            voice.volume = self._night_volume * share

    def _stop_loops(self) -> None:
        while self._loops:
            self._loops.popitem()[1].delete()

    def close(self) -> None:
        self._stop_loops()
        while self._voices:
            self._voices.popleft().delete()

    def _play_pcm(self, pcm: bytes, volume: float, *, loop: bool) -> Any:
        kind = self._media.codecs.AudioFormat(channels=2, sample_size=8 * _SAMPLE_BYTES, sample_rate=RATE_HZ)
        source = create_pcm_source(self._media, pcm, kind, loop=loop)
        voice = self._media.Player()
        voice.volume = volume
        voice.queue(source)
        voice.play()
        return voice


def open_player() -> Player:
    """Return a player; without a loudspeaker or a window, a silent one, because pyglet's sound needs OpenGL."""
    if "pyglet.gl" not in sys.modules:
        return Player()
    _silence_drivers()
    try:
        from pyglet import media
        from pyglet.media.drivers.silent.adaptation import SilentDriver

        if isinstance(media.get_audio_driver(), SilentDriver):
            return Player()
        player = PygletPlayer(media)
        player.configure(0.0, 0.0)
    except Exception:  # each driver has its own exceptions; the game works without sound
        return Player()
    return player


#: C type of ALSA's error handler: file, line, function, error, format.
_HANDLER = ctypes.CFUNCTYPE(
    None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p
)
#: A global variable, because ALSA keeps a pointer to it as long as the process runs.
_ignore_error = _HANDLER(lambda *_: None)


def _silence_drivers() -> None:
    """Silence ALSA and OpenAL, which print a dozen lines on a machine without a sound card."""
    os.environ.setdefault("ALSOFT_LOGLEVEL", "0")
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(_ignore_error)


def round_cue(cue: SoundCue) -> SoundCue:
    """Return the cue with rounded values, which lets similar cues share a rendered sound."""
    strength = max(_STRENGTH_STEP, round(cue.strength / _STRENGTH_STEP) * _STRENGTH_STEP)
    length_m = max(_LENGTH_STEP_M, round(cue.length_m / _LENGTH_STEP_M) * _LENGTH_STEP_M)
    side, height_m = round(cue.across / _SIDE_STEP) * _SIDE_STEP, round(cue.height_m / STEP_M) * STEP_M
    strength, length_m, height_m = round(min(strength, 1.0), 3), round(length_m, 4), round(height_m, 3)
    return SoundCue(cue.kind, strength, length_m, side, height_m=height_m, impacts=cue.impacts)


def pan(samples: Samples, across: float) -> Samples:
    """Pan mono samples to stereo (n, 2), from -1 (left) to 1 (right), at constant power."""
    angle = (min(max(across, -1.0), 1.0) + 1.0) * np.pi / 4.0
    sides = np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)
    return samples[:, None] * sides


def to_pcm(stereo: Samples) -> bytes:
    return (np.clip(stereo, -1.0, 1.0) * 32767.0).astype("<i2").tobytes()


@lru_cache(maxsize=_CACHE_SIZE)
def _render_pcm(cue: SoundCue) -> bytes:
    return to_pcm(pan(render(cue), cue.across))


def render_stereo(cue: SoundCue) -> Samples:
    """Render a cue to stereo samples (n, 2) at ``RATE_HZ``."""
    cue = round_cue(cue)
    return pan(render(cue), cue.across)


@lru_cache(maxsize=1)
def _render_night_pcm() -> bytes:
    night = render_ambience()
    return to_pcm(pan(night / max(float(np.max(np.abs(night))), 1e-9) * PEAK, 0.0))


@lru_cache(maxsize=len(Layer))
def _render_music_pcm(layer: Layer) -> bytes:
    return to_pcm(pan(render_loop(layer), 0.0))


def _slice_pcm(pcm: bytes, indices: npt.NDArray[np.int64]) -> Samples:
    samples = np.frombuffer(pcm, "<i2").reshape(-1, 2)
    part: Samples = samples[indices % len(samples)].astype(np.float32)
    return part / np.float32(32767.0)


class NightTrack:
    """Mixes night sounds and music into a film, slightly ahead of its pictures."""

    def __init__(self, mix: Callable[[Samples, float], None]) -> None:
        """``mix`` adds samples (n, 2) to the film, starting at a time in seconds."""
        self._mix = mix
        self._tension = Tension()
        self._start_s: float | None = None
        self._sample_count = 0

    def extend(self, tension: Tension, now_s: float) -> None:
        """Extend the track for a picture that is written at ``now_s``."""
        self._start_s = now_s if self._start_s is None else self._start_s
        begin, end = self._sample_count, round((now_s + AHEAD_S - self._start_s) * RATE_HZ)
        before, self._tension = self._tension, self._tension.move_towards(tension, TENSION_FOLLOW_RATE)
        if end <= begin:
            return
        indices = np.arange(begin, end)
        mixed = AMBIENCE_VOLUME * _slice_pcm(_render_night_pcm(), indices)
        for layer in Layer:
            ends = before.get_volume(layer), self._tension.get_volume(layer)
            volume = np.linspace(*ends, end - begin, dtype=np.float32)
            mixed += MUSIC_VOLUME * volume[:, None] * _slice_pcm(_render_music_pcm(layer), indices)
        self._mix(mixed, self._start_s + begin / RATE_HZ)
        self._sample_count = end


def prerender_sounds() -> None:
    """Render all sounds except knocks and thuds; slow, so call it in a thread at startup."""
    for kind in CueKind:
        if kind not in (CueKind.KNOCK, CueKind.THUD):
            _render_pcm(round_cue(SoundCue(kind)))
    _render_night_pcm()
    for layer in Layer:
        _render_music_pcm(layer)


def create_pcm_source(media: Any, pcm: bytes, kind: Any, *, loop: bool) -> Any:
    """Return a pyglet source of these samples; a loop repeats them without end-of-source events, gaps or clicks."""

    class PcmSource(media.codecs.StreamingSource):  # type: ignore[misc]
        def __init__(self) -> None:
            self.audio_format = kind
            self._sent_bytes = 0

        def get_audio_data(self, num_bytes: float, compensation_time: float = 0.0) -> Any:
            size = int(kind.align(int(num_bytes)))
            if loop:
                start = self._sent_bytes % len(pcm)
                data = (pcm[start:] + pcm * (size // len(pcm) + 1))[:size]
            else:
                data = pcm[self._sent_bytes : self._sent_bytes + size]
            if not data:
                return None
            when_s = self._sent_bytes / kind.bytes_per_second
            self._sent_bytes += len(data)
            return media.codecs.AudioData(data, len(data), when_s, len(data) / kind.bytes_per_second)

        def seek(self, timestamp: float) -> None:
            self._sent_bytes = int(kind.align(int(timestamp * kind.bytes_per_second)))

    return PcmSource()
