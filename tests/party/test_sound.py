"""Films have sound: each cue in time to within one frame, even if pictures come late or are dropped."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from support.sound_kit import onsets_s, read_film_sound

from armoon.party.encoding import SOUND_GAIN, Recorder, Track
from armoon.sinks.film import FilmSink
from armoon.sinks.sink import LazyValue, Moment
from armoon.sound.cues import CueKind, SoundCue
from armoon.sound.effects import RATE_HZ

FRAME_S = 1.0 / 30.0


@pytest.mark.parametrize("late", [1, 4], ids=["every picture", "every fourth picture"])
def test_each_sound_is_in_time_to_within_one_frame(tmp_path: Path, late: int) -> None:
    wanted_s = [0.5, 1.7, 2.95, 4.0]
    picture = np.zeros((96, 160, 3), np.uint8)
    pictures = [picture]
    film = FilmSink(Recorder(tmp_path / "film.mp4", 160, 96, 30.0, RATE_HZ), lambda: pictures[-1])
    film.has_ambience = False
    cue = SoundCue(CueKind.KNOCK, 1.0)
    for number in range(150):
        now_s = 7.0 + number * FRAME_S
        due = [time_s for time_s in wanted_s if now_s - FRAME_S < 7.0 + time_s <= now_s]
        part = film.select(Moment(now_s, cues=LazyValue(lambda due=due: (cue,) * len(due))))  # type: ignore[misc]
        if number % late == 0 and part is not None:
            film.process(part)
    film.close()
    found_s = onsets_s(read_film_sound(tmp_path / "film.mp4"), 0.6)
    assert len(found_s) == len(wanted_s)
    assert all(
        abs(heard_s - time_s) <= FRAME_S + 0.002 for heard_s, time_s in zip(found_s, wanted_s, strict=True)
    ), found_s


@pytest.mark.parametrize("has_ambience", [True, False])
def test_background_sound_lasts_from_the_first_to_the_last_frame(tmp_path: Path, has_ambience: bool) -> None:
    picture = np.zeros((96, 160, 3), np.uint8)
    film = FilmSink(Recorder(tmp_path / "film.mp4", 160, 96, 30.0, RATE_HZ), lambda: picture)
    film.has_ambience = has_ambience
    for number in range(0, 120, 2):
        part = film.select(Moment(3.0 + number * FRAME_S))
        assert part is not None
        film.process(part)
    film.close()
    blocks = read_film_sound(tmp_path / "film.mp4")[: 39 * RATE_HZ // 10].reshape(39, -1)
    silent = 20.0 * np.log10(np.sqrt(np.mean(blocks**2, axis=1)) + 1e-9) < -60.0
    assert silent[2:].all() != has_ambience
    assert silent[2:].any() != has_ambience


def test_sound_and_picture_stay_in_place_in_a_truncated_film(tmp_path: Path) -> None:
    """A flash and an impact at the same time stay together in every decoder, and nothing is shifted."""
    at_s = (0.6, 1.4, 2.1)
    impact = np.zeros((2000, 2), np.float32)
    impact[:] = 0.7 * np.exp(-np.arange(2000)[:, None] / 400) * np.cos(np.arange(2000)[:, None] / 7)
    whole, cut = tmp_path / "whole.mp4", tmp_path / "cut.mp4"
    with Recorder(whole, 160, 96, 30.0, RATE_HZ) as recorder:
        for number in range(120):
            flash = any(abs(number * FRAME_S - time_s) < 1e-6 for time_s in at_s)
            for flash_s in at_s if number == 0 else ():
                recorder.write_picture(
                    np.zeros((96, 160, 3), np.uint8), 0.0
                )  # times count from the first picture
                recorder.add_sound(impact, flash_s)
            recorder.write_picture(np.full((96, 160, 3), 250 if flash else 0, np.uint8), number * FRAME_S)
        cut.write_bytes(whole.read_bytes())  # as a killed process leaves it
    for film in (whole, cut):
        with av.open(str(film)) as opened:
            pictures: list[Any] = list(opened.decode(video=0))
        shown_s = [float(picture.pts * picture.time_base) for picture in pictures]
        assert shown_s == pytest.approx([number * FRAME_S for number in range(len(pictures))], abs=1e-4)
        bright_s = [
            time_s
            for time_s, picture in zip(shown_s, pictures, strict=True)
            if picture.to_ndarray(format="gray").mean() > 150
        ]
        assert bright_s == pytest.approx(at_s, abs=1e-4)
        by_program = (
            subprocess.run(
                ["ffmpeg", "-v", "error", "-i", str(film), "-f", "f32le", "-ac", "2", "-"],
                capture_output=True,
                check=False,
            ).stdout
            if shutil.which("ffmpeg")
            else b""
        )
        for samples in (read_film_sound(film), np.frombuffer(by_program, np.float32).reshape(-1, 2)):
            if len(samples):
                assert onsets_s(samples, 0.3) == pytest.approx(at_s, abs=0.002)


def test_a_track_mixes_keeps_time_and_never_clips() -> None:
    track = Track(1000)
    sound = np.full((100, 2), 0.5 / SOUND_GAIN, np.float32)
    track.mix_in(sound, 0.05)
    assert np.allclose(track.drain(0.1)[:, 0], [0.0] * 50 + [0.5] * 50)
    for _ in range(6):
        track.mix_in(sound, 0.12)
    mixed = track.drain(0.3)
    assert len(mixed) == 200
    assert np.abs(mixed).max() <= 1.0
    assert np.allclose(mixed[:20], 0.5)
    assert not mixed[120:].any()
