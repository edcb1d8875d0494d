"""What a live stream costs the game's frame, and how late its pictures are seen, by FFmpeg that listens on loopback."""

from __future__ import annotations

import itertools
import shutil
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from armoon.app.pictures import Pictures, make_renderer
from armoon.app.sources import night
from armoon.app.table import Table
from armoon.engine.logbook import LogReader
from armoon.games.contract.kind import kind_of
from armoon.games.contract.replay import intakes, logged_match
from armoon.party.live.link import Live
from armoon.sinks.hub import Sinks
from armoon.sinks.live import LiveSink
from armoon.sinks.moment import Moment
from armoon.sound.wood import RATE_HZ
from armoon.values.address import Address

RATE = 30.0
#: So many frames at a time, without the stream and with it in turns; the first blocks warm up.
BLOCK, BLOCKS, WARM = 90, 7, 1
#: Flashes, one each second.
FLASHES = 20
#: The watcher sees pictures this small: only how bright they are counts.
_SEEN = (16, 9)
#: A flash takes so many pictures: some are left out on the way.
_BRIGHT = 10
_REACHED_S, _SEEN_S, _LOST = 30.0, 3.0, 5


def measure_stream(log: Path, size: tuple[int, int], tier: str) -> dict[str, float | None]:
    """Delays and costs in milliseconds; all None where no FFmpeg can listen."""
    if shutil.which("ffmpeg") is None:
        return dict.fromkeys(("stream_delay_ms_median", "stream_delay_ms_most", "stream_extra_ms_median"))
    return _delays(size) | _costs(log, size, tier)


@contextmanager
def _streaming(size: tuple[int, int]) -> Iterator[tuple[Callable[[], Live], IO[bytes]]]:
    """What begins a stream, and the pictures (grey) that are watched; wait until it is on air."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        url = f"rtmp://127.0.0.1:{made.getsockname()[1]}/live/bench"
    # One thread: several decode as many pictures at once, each of which is late by that.
    asked = ["-v", "quiet", "-fflags", "nobuffer", "-flags", "low_delay", "-threads", "1", "-listen", "1"]
    asked += ["-probesize", "32000", "-analyzeduration", "500000", "-i", url]
    width, height = _SEEN
    shown = ["-an", "-vf", f"scale={width}:{height}:flags=fast_bilinear", "-fps_mode", "passthrough"]
    raw = ["-pix_fmt", "gray", "-f", "rawvideo", "-flush_packets", "1", "pipe:1"]
    watcher = subprocess.Popen(
        ["ffmpeg", *asked, *shown, *raw], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    assert watcher.stdout is not None
    begun: list[Live] = []

    def begin() -> Live:
        begun.append(Live(Address(url), "", size, RATE, RATE_HZ, lambda sentence: None))
        return begun[-1]

    try:
        yield begin, watcher.stdout
    finally:
        for live in begun:
            live.close()
        watcher.kill()
        watcher.wait()


def _delays(size: tuple[int, int]) -> dict[str, float | None]:
    """From the moment in the game's loop to the decoded picture in the watcher's hands."""
    width, height = size
    night_picture = night(size)
    bright = np.full((height, width, 3), 230, np.uint8)
    seen_s: list[float] = []
    shown_s: list[float] = []
    with _streaming(size) as (begin, pictures):
        live = begin()
        now: list[npt.NDArray[np.uint8]] = [night_picture]
        sinks = Sinks()
        sinks.add(LiveSink(live, lambda: now[0]))

        def watch() -> None:
            before = 0.0
            while content := pictures.read(_SEEN[0] * _SEEN[1]):
                level = float(np.frombuffer(content, np.uint8).mean())
                if level > 128.0 >= before:
                    seen_s.append(time.monotonic())
                before = level

        threading.Thread(target=watch, daemon=True).start()
        began_s, lost = time.monotonic(), 0
        for number in itertools.count():
            if not live.on_air and time.monotonic() - began_s > _REACHED_S:
                break
            beat = number % round(RATE)
            if beat == 0 and live.on_air and len(seen_s) == len(shown_s):
                now[0] = bright
                shown_s.append(time.monotonic())
            elif beat == _BRIGHT:
                now[0] = night_picture
            sinks.take(Moment(number / RATE))
            if len(seen_s) < len(shown_s) and time.monotonic() - shown_s[-1] > _SEEN_S:
                shown_s.pop()  # FFmpeg shows nothing of the pictures by which it finds out what it gets
                lost += 1
            if len(seen_s) >= FLASHES or lost > _LOST:
                break
            time.sleep(max(0.0, began_s + (number + 1) / RATE - time.monotonic()))
        sinks.close()
    # The first still wait for the watcher to find out what it gets.
    late_ms = [1000.0 * (seen - shown) for shown, seen in zip(shown_s, seen_s, strict=False)][3:]
    if not late_ms:
        return {"stream_delay_ms_median": None, "stream_delay_ms_most": None}
    return {"stream_delay_ms_median": statistics.median(late_ms), "stream_delay_ms_most": max(late_ms)}


class _Player:
    """A logged game that is drawn frame by frame, at its pace."""

    def __init__(
        self, log: Path, size: tuple[int, int], tier: str, stack: ExitStack, live: Live | None
    ) -> None:
        from armoon.gl.surface import HeadlessSurface

        reader = LogReader(log)
        match = logged_match(reader)
        kind = kind_of(match.game)
        game = kind.game(match)
        game.replayed = True
        surface = HeadlessSurface(*size)
        stack.callback(surface.close)
        renderer = make_renderer(kind.viewed(match), *size)
        renderer.set_tier(tier)
        self._pictures = Pictures(renderer, None, surface, kept=live is not None)
        self._image = night(size)
        self._sinks = Sinks()
        stack.callback(self._sinks.close)
        self._sinks.add(self._pictures)
        if live is not None:
            self._sinks.add(LiveSink(live, self._pictures.picture))
        self._table = Table(game, self._sinks)
        stack.callback(self._table.close)
        self._intakes = intakes(reader)

    def block(self) -> tuple[list[float], float]:
        """The times of some frames in milliseconds, and how much of them this process worked."""
        times: list[float] = []
        worked_s = 0.0
        for intake in itertools.islice(self._intakes, BLOCK):
            began_s, before_s = time.perf_counter(), time.process_time()
            out = self._table.play(intake)
            self._sinks.take(self._table.moment(out, intake.now_s, self._image, shown=True))
            times.append(1000.0 * (time.perf_counter() - began_s))
            time.sleep(max(0.0, 1.0 / RATE - times[-1] / 1000.0))
            worked_s += time.process_time() - before_s
        return times, 1000.0 * worked_s


def _costs(log: Path, size: tuple[int, int], tier: str) -> dict[str, float | None]:
    """The same frames, drawn with the stream and without it."""
    without: list[float] = []
    with_it: list[float] = []
    work = [0.0, 0.0]
    with ExitStack() as stack:
        begin, pictures = stack.enter_context(_streaming(size))
        threading.Thread(target=lambda: all(iter(lambda: pictures.read(4096), b"")), daemon=True).start()
        live = begin()
        alone = _Player(log, size, tier, stack, None)
        streamed = _Player(log, size, tier, stack, live)
        for number in range(BLOCKS):
            (first, first_ms), (second, second_ms) = alone.block(), streamed.block()
            if number >= WARM and live.on_air and len(first) == len(second):
                without += first
                with_it += second
                work[0] += first_ms
                work[1] += second_ms
    if not without:
        return {"stream_extra_ms_median": None}
    extra = [b - a for a, b in zip(without, with_it, strict=True)]
    return {
        "stream_frames": float(len(extra)),
        "stream_alone_ms_median": statistics.median(without),
        "stream_extra_ms_median": statistics.median(extra),
        "stream_extra_ms_p99": sorted(with_it)[int(0.99 * len(extra))]
        - sorted(without)[int(0.99 * len(extra))],
        "stream_extra_work_ms": (work[1] - work[0]) / len(extra),
    }
