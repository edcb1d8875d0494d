"""The tracker's thread tracks the newest frame, and returns each result with its frame."""

from __future__ import annotations

import math
import threading
import time

import numpy as np
import numpy.typing as npt
import pytest
from support.waiting import PATIENCE_S

from armoon.camera.sources import Frame
from armoon.hands import tracker as tracker_thread
from armoon.hands.landmarks import Hands
from armoon.hands.tracker import TrackerThread


def make_frame(index: int) -> Frame:
    return Frame(index, index / 30.0, np.zeros((4, 4, 3), dtype=np.uint8))


class FakeTracker:
    def __init__(self) -> None:
        self.at_work = threading.Event()
        self.may_finish = threading.Event()
        self.closed = threading.Event()

    def track(self, image_bgr: npt.NDArray[np.uint8], time_s: float, frame_index: int) -> Hands:
        self.at_work.set()
        assert self.may_finish.wait(PATIENCE_S)
        return Hands(time_s, frame_index, 4, 4, ())

    def close(self) -> None:
        self.closed.set()


def test_a_result_comes_with_its_frame() -> None:
    tracker = FakeTracker()
    tracker.may_finish.set()
    thread = TrackerThread(lambda: tracker)
    sent = make_frame(7)
    thread.submit(sent)
    result = thread.get_hands(PATIENCE_S)
    assert result is not None
    assert result.frame is sent
    assert result.hands.frame_index == 7
    assert thread.get_hands() is None
    thread.close()
    assert tracker.closed.is_set()


def test_hands_are_expected_while_a_frame_is_analysed() -> None:
    tracker = FakeTracker()
    thread = TrackerThread(lambda: tracker)
    thread.submit(make_frame(0))
    assert tracker.at_work.wait(PATIENCE_S)
    assert thread.remaining_s == math.inf, "its duration isn't known yet"
    tracker.may_finish.set()
    assert thread.get_hands(PATIENCE_S) is not None
    assert thread.remaining_s == math.inf
    tracker.may_finish.clear()
    tracker.at_work.clear()
    thread.submit(make_frame(1))
    assert tracker.at_work.wait(PATIENCE_S)
    assert thread.remaining_s < PATIENCE_S
    tracker.may_finish.set()
    thread.close()


def test_a_slow_tracker_skips_to_the_newest_frame() -> None:
    tracker = FakeTracker()
    thread = TrackerThread(lambda: tracker)
    thread.submit(make_frame(0))
    assert tracker.at_work.wait(PATIENCE_S)
    for index in (1, 2, 3):
        thread.submit(make_frame(index))
    tracker.may_finish.set()
    indices: list[int] = []
    while not indices or indices[-1] != 3:
        result = thread.get_hands(PATIENCE_S)
        assert result is not None
        indices.append(result.frame.index)
    assert set(indices) <= {0, 3}
    assert thread._frames.dropped_count == 2
    thread.close()


@pytest.mark.parametrize("every", [2, 3])
def test_a_tracker_may_skip_frames_but_not_the_last(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracker_thread, "WAIT_S", PATIENCE_S)
    tracker = FakeTracker()
    tracker.may_finish.set()
    thread = TrackerThread(lambda: tracker)
    thread.frame_stride = every

    def next_index() -> int:
        result = thread.get_hands(PATIENCE_S)
        assert result is not None
        return result.frame.index

    thread.submit(make_frame(0))
    assert next_index() == 0
    for index in range(1, every + 1):
        thread.submit(make_frame(index))
        while thread._frames._item is not None:
            time.sleep(0.001)
    assert next_index() == every
    monkeypatch.setattr(tracker_thread, "WAIT_S", 0.01)
    thread.submit(make_frame(every + 1))
    assert next_index() == every + 1
    thread.close()
