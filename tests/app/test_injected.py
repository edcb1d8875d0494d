"""An unexpected exception anywhere is reported in one sentence, and the game continues if possible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.sink_kit import LoopGame
from support.waiting import PATIENCE_S, until

from armoon.app.frames import LockStepSource
from armoon.app.pictures import Pictures
from armoon.camera.capture import CameraState, CameraThread
from armoon.camera.sources import Frame
from armoon.clock import ManualClock
from armoon.engine.events import Output
from armoon.errors import ArmoonError
from armoon.hands.landmarks import Hands
from armoon.hands.tracker import MAX_TRACKERS, TrackerThread
from armoon.sinks.feed import TerminalSink
from armoon.sinks.files import LogSink, SaveSink
from armoon.sinks.film import FilmSink
from armoon.sinks.sink import Sink
from armoon.sinks.sound import SoundData, SoundSink
from armoon.sound.cues import CueKind, SoundCue

PICTURE = np.zeros((24, 32, 3), np.uint8)


class BrokenPart:
    path = Path("game.armoon")
    width, height = 32, 24

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def fail(*arguments: object, **named: object) -> None:
            raise RuntimeError(f"{name} \x1b[31mfailed")

        return fail


class LateWriter(BrokenPart):
    def prepare_write(self, output: Output) -> Callable[[], None]:
        write: Callable[[], None] = self.write
        return write


class LoudSound(SoundSink):
    def select(self, moment: Any) -> SoundData:
        return (SoundCue(CueKind.KNOCK),), None


class TalkingTerminal(TerminalSink):
    def select(self, moment: Any) -> tuple[str, ...]:
        return ("well",)


def make_broken() -> Any:
    return BrokenPart()


def make_late_writer() -> Any:
    return LateWriter()


SINKS: dict[str, Callable[[], Sink]] = {
    "log": lambda: LogSink(make_broken()),
    "save, in the loop": lambda: SaveSink(make_broken()),
    "save, on disk": lambda: SaveSink(make_late_writer()),
    "film": lambda: FilmSink(make_broken(), lambda: PICTURE),
    "film's picture": lambda: FilmSink(make_broken(), make_broken().picture),
    "sound": lambda: LoudSound(make_broken()),
    "terminal": lambda: TalkingTerminal(make_broken()),
    "renderer": lambda: Pictures(make_broken(), None, make_broken()),
}


@pytest.mark.parametrize("name", list(SINKS))
def test_a_sink_that_raises_is_dropped_with_one_sentence(tmp_path: Path, name: str) -> None:
    loop_game = LoopGame(tmp_path / "game.jsonl", SINKS[name]())
    loop_game.until(lambda: bool(loop_game.listener.sentences))
    loop_game.frames(30)
    assert loop_game.tick >= 30
    sentences = loop_game.close()
    assert len(sentences) == 1
    assert "RuntimeError" in sentences[0]
    assert "The game goes on without it." in sentences[0]


class Camera:
    description, width, height, rate_hz = "a camera", 32, 24, 100.0

    def __init__(self, *, live: bool, faults: int) -> None:
        self.live = live
        self.reads = 0
        self._faults = faults

    def read(self) -> Frame:
        self.reads += 1
        if 1 < self.reads <= 1 + self._faults:
            raise RuntimeError("no such frame")
        picture = np.full((24, 32, 3), self.reads % 250, np.uint8)
        return Frame(self.reads, self.reads * 0.01, picture)

    def close(self) -> None:
        pass


class Tracker:
    def __init__(self, faulty: set[int]) -> None:
        self._faulty = faulty

    def track(self, image: Any, time_s: float, index: int) -> Hands:
        if index in self._faulty:
            raise RuntimeError("no such hand")
        return Hands(time_s, index, 32, 24, ())

    def close(self) -> None:
        raise RuntimeError("nothing to close")


def test_a_live_camera_that_cannot_be_reopened_is_lost_and_tried_again() -> None:
    tries = []

    def open_camera() -> Camera:
        tries.append(1)
        if len(tries) > 1:
            raise RuntimeError("no driver")
        return Camera(live=True, faults=1)

    thread = CameraThread(open_camera, reconnect_every_s=0.01)
    thread.start()
    until(lambda: len(tries) > 3)
    assert thread.state is CameraState.GONE
    assert "RuntimeError: no such frame" in str(thread.fault)
    thread.close()


def test_a_recorded_video_that_raises_ends_with_one_sentence() -> None:
    source = LockStepSource(Camera(live=False, faults=1), Tracker(set()), ManualClock())  # type: ignore[arg-type]
    source.read_input()
    with pytest.raises(ArmoonError, match=r"The camera has failed \(RuntimeError: no such frame\)"):
        source.read_input()


def test_a_tracker_that_raises_in_lock_step_ends_with_one_sentence() -> None:
    source = LockStepSource(Camera(live=False, faults=0), Tracker({2}), ManualClock())  # type: ignore[arg-type]
    source.read_input()
    with pytest.raises(ArmoonError, match=r"The hand tracker stopped \(RuntimeError: no such hand\)"):
        source.read_input()


def test_a_tracker_that_always_raises_ends_with_one_sentence() -> None:
    trackers = []

    def make() -> Tracker:
        trackers.append(1)
        return Tracker(set(range(1000)))

    worker = TrackerThread(make)
    assert worker.wait_ready(PATIENCE_S)
    for count in range(1, MAX_TRACKERS):
        worker.submit(Frame(count, count * 0.01, PICTURE))
        until(lambda count=count: len(trackers) == count + 1)  # type: ignore[misc]
    worker.submit(Frame(99, 9.9, PICTURE))

    def wait() -> None:
        until(lambda: worker.get_hands(0.05) is not None)

    with pytest.raises(ArmoonError, match=r"The hand tracker stopped \(RuntimeError: no such hand\)"):
        wait()
    worker.close()
