"""The sound player: silence without a loudspeaker, a limit on voices, volumes, and seamless loops."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, ClassVar

import numpy as np
import pytest

from armoon.sound.cues import CueKind, SoundCue
from armoon.sound.effects import Layer, Tension
from armoon.sound.player import MAX_VOICES, MUSIC_VOLUME, PygletPlayer, create_pcm_source


class FakeFormat:
    def __init__(self, channels: int, sample_size: int, sample_rate: int) -> None:
        self.frame = channels * sample_size // 8
        self.bytes_per_second = self.frame * sample_rate

    def align(self, count: int) -> int:
        return count - count % self.frame


class FakeData:
    def __init__(self, data: bytes, length: int, timestamp: float, duration: float) -> None:
        self.data, self.length, self.timestamp, self.duration = data, length, timestamp, duration


class FakeVoice:
    instances: ClassVar[list[FakeVoice]] = []

    def __init__(self) -> None:
        self.volume, self.playing, self.deleted = -1.0, False, False
        FakeVoice.instances.append(self)

    def queue(self, source: Any) -> None:
        self.source = source

    def play(self) -> None:
        self.playing = True

    def delete(self) -> None:
        assert not self.deleted
        self.deleted = True


class FakeMedia:
    Player = FakeVoice

    class codecs:  # noqa: N801 - pyglet's name for a module
        AudioFormat, AudioData, StreamingSource = FakeFormat, FakeData, object


@pytest.fixture
def player() -> PygletPlayer:
    FakeVoice.instances = []
    return PygletPlayer(FakeMedia)


@pytest.mark.parametrize(("mono", "expects_equal_sides"), [(False, False), (True, True)])
def test_a_sounds_direction_is_audible_unless_mono_is_on(
    player: PygletPlayer, mono: bool, expects_equal_sides: bool
) -> None:
    player.configure(1.0, 1.0, mono=mono)
    player.play([SoundCue(CueKind.KNOCK, 1.0, 0.10, -1.0)])
    samples = FakeVoice.instances[-1].source.get_audio_data(4096)
    left, right = np.frombuffer(samples.data, "<i2").reshape(-1, 2).astype(float).T
    assert np.abs(left).max() > 100.0
    assert (np.abs(left - right).max() < 2.0) == expects_equal_sides


def test_old_sounds_are_stopped_for_new_ones_and_closing_stops_everything(player: PygletPlayer) -> None:
    player.play([SoundCue(CueKind.KNOCK)] * (MAX_VOICES + 5))
    assert sum(not voice.deleted for voice in FakeVoice.instances) == MAX_VOICES
    assert FakeVoice.instances[0].deleted
    assert not FakeVoice.instances[-1].deleted
    player.configure(1.0, 1.0, ambience=True)
    player.configure(1.0, 1.0, ambience=True)
    assert len(FakeVoice.instances) == MAX_VOICES + 6 + len(Layer)
    player.close()
    player.close()
    assert all(voice.deleted for voice in FakeVoice.instances)


def test_the_music_follows_height_and_risk_gradually_and_stops_with_ambience(player: PygletPlayer) -> None:
    player.follow_tension(Tension(1.0, 1.0))
    player.configure(1.0, 1.0, ambience=True)
    *music, _ = FakeVoice.instances
    always, height, risk = (voice.volume for voice in music)
    assert always > 0.0 == height == risk
    player.follow_tension(Tension(1.0, 0.5))
    assert 0.0 < music[1].volume < 0.2 * Layer.HEIGHT.value
    for _ in range(400):
        player.follow_tension(Tension(1.0, 0.5))
    assert music[0].volume == always
    assert music[1].volume == pytest.approx(MUSIC_VOLUME * Layer.HEIGHT.value)
    assert music[2].volume == pytest.approx(MUSIC_VOLUME * 0.5 * Layer.RISK.value)
    player.configure(1.0, 1.0)
    assert all(voice.deleted for voice in FakeVoice.instances)


def test_a_loop_repeats_sample_for_sample() -> None:
    pcm = np.arange(-50, 50, dtype="<i2").tobytes()
    kind = FakeFormat(2, 16, 44100)
    loop = create_pcm_source(FakeMedia, pcm, kind, loop=True)
    samples = b"".join(loop.get_audio_data(n).data for n in (7, 64, 300, 130, 4))
    assert samples == (pcm * 5)[: len(samples)]
    assert len(samples) == 4 + 64 + 300 + 128 + 4
    single = create_pcm_source(FakeMedia, pcm, kind, loop=False)
    assert single.get_audio_data(150).data + single.get_audio_data(150).data == pcm
    assert single.get_audio_data(150) is None
    single.seek(0.0)
    assert single.get_audio_data(40).data == pcm[:40]


@pytest.mark.gl
def test_without_a_loudspeaker_the_player_is_silent() -> None:
    """Runs in its own process, because pyglet chooses its audio driver only once."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "import pyglet\n"
        "pyglet.options.audio = ('silent',)\n"
        "from armoon.errors import DisplayError\n"
        "from armoon.sound.player import PygletPlayer, open_player\n"
        "from armoon.sound.cues import CueKind, SoundCue\n"
        "assert open_player().is_silent\n"
        "from armoon.gl import HeadlessSurface\n"
        "try:\n    surface = HeadlessSurface(64, 64)\n"
        "except DisplayError:\n    print('no surface'); raise SystemExit\n"
        "assert open_player().is_silent\n"
        "from pyglet import media\n"
        "player = PygletPlayer(media)\n"
        "player.configure(1.0, 1.0, ambience=True)\n"
        "player.play([SoundCue(kind) for kind in CueKind] * 2)\n"
        "player.close()\n"
        "loaded = Path('/proc/self/maps').read_text() if sys.platform == 'linux' else ''\n"
        "assert not [one for one in ('libgdk', 'libavutil.so', '/PIL/') if one in loaded], 'media library loaded'\n"
        "print('played')\n"
    )
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    if result.stdout.strip() == "no surface":
        pytest.skip("no offscreen OpenGL here")
    assert result.stdout.strip() == "played", result.stderr
    assert result.stderr == ""
