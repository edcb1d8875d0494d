"""The camera's thread keeps the newest frame, notices stalls and losses, and plays videos at their own pace."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
import pytest
from support.waiting import until

from armoon.camera.capture import CameraState, CameraThread
from armoon.camera.sources import Frame
from armoon.clock import ManualClock
from armoon.errors import CameraError

LONG_S = 20.0  # maximum wait, seconds


class ScriptedSource:
    """Returns the scripted grey levels, errors, or None at the end; without a step, ``read`` hangs like a driver."""

    description = "scripted"
    width, height, rate_hz = 64, 48, 30.0

    def __init__(self, *steps: int | CameraError | None, live: bool, stamps_hz: float = 1000.0) -> None:
        self.live = live
        self.closed = False
        self.steps: queue.Queue[int | CameraError | None] = queue.Queue()
        for step in steps:
            self.steps.put(step)
        self._stamps_hz = stamps_hz
        self._index = -1

    def read(self) -> Frame | None:
        step = self.steps.get(timeout=LONG_S)
        if isinstance(step, CameraError):
            raise step
        if step is None:
            return None
        self._index += 1
        image = np.full((self.height, self.width, 3), step, np.uint8)
        image[:, self.width // 2 :] = 255 - step
        return Frame(self._index, self._index / self._stamps_hz, image)

    def close(self) -> None:
        self.closed = True


@contextmanager
def run_camera(camera: CameraThread, source: ScriptedSource) -> Iterator[None]:
    """Run a camera; afterwards end its source, which would otherwise wait for more steps."""
    camera.start()
    yield
    source.steps.put(None)
    camera.close()


def test_a_slow_reader_gets_the_newest_frame_and_the_rest_is_counted() -> None:
    source = ScriptedSource(1, 2, 3, 4, 5, None, live=False)
    camera = CameraThread(lambda: source)
    handed: list[Frame] = []
    camera.on_frame = handed.append
    with closing(camera):
        camera.start()
        until(lambda: camera.state is CameraState.ENDED)
        frame = camera.frames.pop()
    assert [f.index for f in handed] == [0, 1, 2, 3, 4], "the camera's thread must not wait for a reader"
    assert frame is not None
    assert frame.image[0, 0, 0] == 5
    assert (frame.index, camera.delivered, camera.frames.dropped_count) == (4, 5, 4)
    assert camera.fault is None
    assert source.closed


def test_times_are_on_the_threads_clock_and_keep_the_videos_pace() -> None:
    frames: list[Frame] = []
    begin_s = time.monotonic()
    camera = CameraThread(lambda: ScriptedSource(1, 2, 3, 4, None, live=False, stamps_hz=20.0))
    with closing(camera):
        camera.start()
        while (frame := camera.frames.pop(LONG_S)) is not None:
            frames.append(frame)
    took_s = time.monotonic() - begin_s
    times = [frame.time_s for frame in frames]
    assert times[0] >= begin_s
    # Never faster than the video; how much slower depends on the machine.
    assert all(b - a >= 0.05 - 1e-6 for a, b in itertools.pairwise(times))
    assert took_s >= 3 * 0.05


def test_a_silent_camera_is_frozen_and_recovers() -> None:
    clock = ManualClock(100.0)
    source = ScriptedSource(1, live=True)
    camera = CameraThread(lambda: source, clock=clock, frozen_after_s=1.0)
    with run_camera(camera, source):
        assert camera.frames.pop(LONG_S) is not None
        states = [camera.state]
        for now_s in (100.9, 101.5):
            clock.set_s(now_s)
            states.append(camera.state)
        assert states == [CameraState.RUNNING, CameraState.RUNNING, CameraState.FROZEN]
        source.steps.put(2)
        until(lambda: camera.state is CameraState.RUNNING)


def test_a_live_camera_that_repeats_one_picture_is_frozen() -> None:
    clock = ManualClock()
    steady = ScriptedSource(*[7] * 4, live=True)
    camera = CameraThread(lambda: steady, clock=clock, frozen_after_s=1.0)
    with run_camera(camera, steady):
        until(lambda: camera.delivered == 4)
        clock.set_s(0.5)
        early_state = camera.state
        clock.set_s(1.5)
        assert (early_state, camera.state) == (CameraState.RUNNING, CameraState.FROZEN)


@pytest.mark.parametrize("live", [True, False])
def test_a_covered_lens_is_recognised_by_its_picture(live: bool) -> None:
    noise = np.random.default_rng(1)

    class CoveredSource(ScriptedSource):
        def read(self) -> Frame | None:
            frame = super().read()
            if frame is None or not frame.image.any():
                return frame
            level = int(frame.image[0, 0, 0])
            image = np.clip(noise.normal(level, 4.0, frame.image.shape), 0, 255).astype(np.uint8)
            if level > 100:
                image[:, :20] //= 2  # something is visible
            return Frame(frame.index, frame.time_s, image)

    clock = ManualClock()
    source = CoveredSource(0, live=live)
    camera = CameraThread(lambda: source, clock=clock)
    with run_camera(camera, source):
        states = []
        for number, level in enumerate([10, 10, 10, 150, 150], 2):
            source.steps.put(level)
            until(lambda number=number: camera.delivered == number)  # type: ignore[misc]
            states.append(camera.state)
            clock.set_s(0.6 * (number - 1))
        covered = CameraState.COVERED if live else CameraState.RUNNING
        assert states == [CameraState.RUNNING, CameraState.RUNNING, covered, *[CameraState.RUNNING] * 2]


def test_a_still_scene_in_a_video_is_not_frozen() -> None:
    clock = ManualClock()
    source = ScriptedSource(7, 7, live=False)
    camera = CameraThread(lambda: source, clock=clock, frozen_after_s=1.0)
    with run_camera(camera, source):
        until(lambda: camera.delivered == 2)
        clock.set_s(0.9)
        source.steps.put(7)
        until(lambda: camera.delivered == 3)
        clock.set_s(1.8)
        assert camera.state is CameraState.RUNNING
        clock.set_s(60.0)  # a machine too slow to render the next picture is no fault of the camera
        assert camera.state is CameraState.RUNNING


def test_an_unplugged_camera_is_reported_with_its_reason_and_reconnects() -> None:
    unplugged = CameraError("It was pulled out.", remedy="Plug it in.")
    first = ScriptedSource(1, unplugged, live=True)
    second = ScriptedSource(2, live=True)
    plugged_in = threading.Event()
    opened: list[ScriptedSource] = []

    def make_source() -> ScriptedSource:
        if not opened:
            opened.append(first)
        elif plugged_in.is_set():
            opened.append(second)
        else:
            raise CameraError("Still not there.", remedy="Plug it in.")
        return opened[-1]

    camera = CameraThread(make_source, reconnect_every_s=0.005)
    with run_camera(camera, second):
        before = camera.frames.pop(LONG_S)
        until(lambda: camera.fault is not None and camera.fault.what == "Still not there.")
        assert camera.state is CameraState.GONE
        assert first.closed
        plugged_in.set()
        after = camera.frames.pop(LONG_S)
        assert before is not None
        assert after is not None
        assert (before.index, after.index, int(after.image[0, 0, 0])) == (0, 1, 2)
        assert after.time_s > before.time_s
        assert (camera.state, camera.fault) == (CameraState.RUNNING, None)
    assert second.closed


def test_a_camera_with_another_picture_size_is_not_used_instead() -> None:
    class OtherSize(ScriptedSource):
        width = 32

    first = ScriptedSource(1, CameraError("Gone.", remedy=""), live=True)
    others: list[OtherSize] = []

    def make_source() -> ScriptedSource:
        if first.closed:
            others.append(OtherSize(3, live=True))
            return others[-1]
        return first

    camera = CameraThread(make_source, reconnect_every_s=0.005)
    camera.start()
    until(lambda: camera.fault is not None and "32×48" in str(camera.fault))
    assert camera.state is CameraState.GONE
    camera.close()
    assert others
    assert all(other.closed for other in others)


def test_a_broken_video_ends_and_keeps_the_fault() -> None:
    broken = CameraError("It breaks off.", remedy="Copy it again.")
    camera = CameraThread(lambda: ScriptedSource(1, broken, live=False))
    with closing(camera):
        camera.start()
        until(lambda: camera.state is CameraState.ENDED)
    assert camera.fault is broken


def test_a_missing_camera_raises_at_once() -> None:
    def make_source() -> ScriptedSource:
        raise CameraError("No camera.", remedy="Plug one in.")

    with pytest.raises(CameraError, match="Plug one in"):
        CameraThread(make_source)
