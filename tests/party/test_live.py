"""Live streams: they play back in time; the server disappears and returns; the key appears nowhere."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from support.broker_kit import free_port
from support.command_line import run
from support.sound_kit import join_samples, onsets_s
from support.waiting import PATIENCE_S

from armoon.party.live import LiveStream
from armoon.sinks.live import LiveSink
from armoon.sinks.sink import LazyValue, Moment, OutputChannel
from armoon.sound.cues import CueKind, SoundCue
from armoon.sound.effects import RATE_HZ
from armoon.values.text import Address

KEY = "s3cret-stream-key"
FRAME_S = 1.0 / 30.0


@contextmanager
def listen_for_stream(port: int, film: Path) -> Iterator[subprocess.Popen[bytes]]:
    url = f"rtmp://127.0.0.1:{port}/live/{KEY}"
    arguments = ["-v", "error", "-listen", "1", "-analyzeduration", "500000", "-i", url]
    output = ["-c", "copy", "-flush_packets", "1", "-f", "flv", "-y", str(film)]
    process = subprocess.Popen(["ffmpeg", *arguments, *output], stdin=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def moment_with_cues(now_s: float, cues: tuple[SoundCue, ...]) -> Moment:
    return Moment(now_s, cues=LazyValue(lambda: cues))


class StreamedGame:
    def __init__(self, address: Address, key: str = "", pace: float = 1.0) -> None:
        self.messages: list[str] = []
        self._pace = pace
        self.live = LiveStream(address, key, (160, 96), 30.0, RATE_HZ, self.messages.append)
        self._shown = np.zeros((96, 160, 3), np.uint8)
        self.sink = LiveSink(self.live, lambda: self._shown)
        self.sink.has_ambience = False
        self._number = 0

    def play_until(self, done: Callable[[], bool]) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end_s, self.messages
            time.sleep(FRAME_S)
            self._number += 1
            impact = self._number % 30 == 0
            self._shown = np.full((96, 160, 3), 250 if impact else 0, np.uint8)
            cues = (SoundCue(CueKind.KNOCK, 1.0),) if impact else ()
            part = self.sink.select(moment_with_cues(self._number * FRAME_S * self._pace, cues))
            if part is not None:
                self.sink.process(part)

    def play_more(self, count: int) -> None:
        end = self._number + count
        self.play_until(lambda: self._number >= end)


def watch_film(film: Path) -> tuple[list[float], list[float]]:
    with av.open(str(film)) as opened:
        pictures: list[Any] = list(opened.decode(video=0))
    with av.open(str(film)) as opened:
        frames: list[Any] = list(opened.decode(audio=0))
    flashes = [float(picture.time) for picture in pictures if picture.to_ndarray(format="gray").mean() > 150]
    return flashes, onsets_s(join_samples(frames, 0.0), 0.3)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="there is no ffmpeg to listen")
def test_a_stream_plays_back_and_reconnects_to_its_server(tmp_path: Path) -> None:
    port = free_port()
    playing = StreamedGame(Address(f"rtmp://127.0.0.1:{port}/live/"), KEY)
    live = playing.live
    playing.play_until(lambda: len(playing.messages) > 1)
    films = [tmp_path / "first.flv", tmp_path / "second.flv"]
    for film in films:
        with listen_for_stream(port, film) as server:
            playing.play_until(lambda: live.on_air)
            assert playing.sink.output_channel is OutputChannel.STREAM
            assert live._worker is not None
            assert KEY not in Path(f"/proc/{live._worker.pid}/cmdline").read_text()
            playing.play_more(130)
            if film is films[-1]:
                playing.sink.close()
                server.wait(PATIENCE_S)
        if film is films[0]:
            playing.play_until(lambda: not live.on_air)
            assert playing.sink.output_channel is None
    for film in films:
        flashes, impacts = watch_film(film)
        # On a busy machine a flash may be missing, or the impact before the first picture; all others are in time.
        audible = [flash for flash in flashes if impacts[0] - 0.5 < flash < impacts[-1] + 0.5]
        assert len(audible) >= 2, (flashes, impacts)
        together = [min(abs(flash - impact) for impact in impacts) for flash in audible]
        assert max(together) <= FRAME_S, (flashes, impacts)
    assert sum("127.0.0.1" in sentence for sentence in playing.messages) == len(playing.messages)
    assert not [sentence for sentence in playing.messages if KEY in sentence]
    assert len(playing.messages) == 5, playing.messages  # starting, no server, on air, lost, on air again


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="there is no ffmpeg to listen")
def test_a_slow_games_stream_is_as_long_as_the_wall_time(tmp_path: Path) -> None:
    port, film = free_port(), tmp_path / "film.flv"
    playing = StreamedGame(Address(f"rtmp://127.0.0.1:{port}/live/"), KEY, pace=0.1)
    with listen_for_stream(port, film) as server:
        playing.play_until(lambda: playing.live.on_air)
        begun_s = time.monotonic()
        playing.play_more(60)
        time.sleep(2.0)
        playing.play_more(60)
        lasted_s = time.monotonic() - begun_s
        playing.sink.close()
        server.wait(PATIENCE_S)
    with av.open(str(film)) as opened:
        times = [float(frame.time) for frame in opened.decode(video=0) if frame.time is not None]
    assert times[-1] - times[0] == pytest.approx(lasted_s, abs=1.0)
    assert max(later - sooner for sooner, later in itertools.pairwise(times)) < 1.0, "pictures are repeated"


def test_a_stream_keeps_wall_time_for_every_target() -> None:
    class FakeTarget:
        def __init__(self) -> None:
            self.on_air = False
            self.taken: list[tuple[str, float]] = []

        def add_sound(self, samples: object, time_s: float) -> None:
            self.taken.append(("sound", time_s))

        def write_picture(self, bgr: object, time_s: float) -> None:
            self.taken.append(("picture", time_s))

        def close(self) -> None:
            self.taken.append(("end", 0.0))

    live = FakeTarget()
    wall_s = iter((50.0, 50.5, 52.0))
    sink = LiveSink(live, lambda: np.zeros((2, 2, 3), np.uint8), lambda: next(wall_s))  # type: ignore[arg-type]
    sink.has_ambience = False
    for number in range(3):
        part = sink.select(moment_with_cues(0.01 * number, (SoundCue(CueKind.KNOCK, 1.0),)))
        assert part is not None
        sink.process(part)
    assert sink.output_channel is None
    live.on_air = True
    assert sink.output_channel is OutputChannel.STREAM
    sink.close()
    times = [(kind, time_s) for time_s in (50.0, 50.5, 52.0) for kind in ("sound", "picture")]
    assert live.taken == [*times, ("end", 0.0)]


def test_a_wrong_address_is_refused_without_repeating_it() -> None:
    for wrong in (f"http://a.b/{KEY}", f"rtmp:/a/{KEY}", "rtmp://a.b", f"rtmp://a.b:99999/live/{KEY}"):
        result = run("play", "--stream", wrong)
        assert result.exit_code == 2
        assert "rtmp://host" in result.output.replace("\n", " ")
        assert KEY not in result.output


@pytest.mark.parametrize("wrong", ["srt://a.b/c", "http://a.b/whip"])
def test_unsupported_protocols_are_refused_and_a_server_is_suggested(wrong: str) -> None:
    result = run("play", "--stream", wrong)
    assert result.exit_code == 2
    assert "MediaMTX makes SRT and WHIP of it" in " ".join(result.output.split())
