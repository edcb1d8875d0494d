"""If a sink fails, the game loses only that sink and prints one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import sink_kit

from armoon.errors import ArmoonError
from armoon.games.library import verify_log
from armoon.messages import text
from armoon.sinks.sink import LazyValue, Moment, OutputChannel, Rule

THREADS = (Rule.AWAITED, Rule.KEEPS, Rule.QUEUES)
BAD = (
    sink_kit.FailingSink,
    sink_kit.LateFailingSink,
    sink_kit.FailingSelectSink,
    sink_kit.FailingCloseSink,
    sink_kit.TwiceFailingSink,
    sink_kit.KilledChildSink,
)
FRAMES = 60
QUICK: dict[str, Any] = {"wait_s": 0.02, "stuck_s": 0.05, "close_s": 0.2}


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("bad", BAD)
def test_a_failing_sink_is_dropped_with_one_sentence(
    bad: type[sink_kit.CountingSink], rule: Rule, tmp_path: Path
) -> None:
    log = tmp_path / "game.jsonl"
    sink, other = bad(rule), sink_kit.CountingSink(rule)
    loop_game = sink_kit.LoopGame(log, sink, other)
    loop_game.frames(FRAMES)
    if bad is not sink_kit.FailingCloseSink:
        loop_game.until(lambda: not loop_game.sinks.is_active(sink))
    ticks = loop_game.tick
    (sentence,) = loop_game.close()
    assert sentence.startswith("The test has failed (")
    assert "\n" not in sentence
    assert ticks >= FRAMES - 1
    assert other.taken
    assert other.closed == 1
    verified = verify_log(log)
    assert verified.same, verified.difference
    assert not verified.damage
    assert verified.ticks == ticks


@pytest.mark.parametrize("rule", THREADS)
def test_a_hanging_sink_delays_no_tick(rule: Rule, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    sink = sink_kit.HangingSink(rule)
    loop_game = sink_kit.LoopGame(log, sink, game=sink_kit.falling_game, **QUICK)
    loop_game.until(lambda: any("The test" in sentence for sentence in loop_game.listener.sentences))
    before = loop_game.tick
    loop_game.frames(FRAMES)
    assert loop_game.tick == before + FRAMES
    keeps = rule in (Rule.AWAITED, Rule.KEEPS)
    assert loop_game.sinks.is_active(sink) == keeps
    sink.released.set()
    if keeps:
        assert loop_game.close() == [text("sink.late", sink="The test")]
    else:
        assert loop_game.close() == [text("sink.stuck", sink="The test")]
    assert verify_log(log).same


def test_pictures_are_reported_as_leaving_until_their_sink_fails(tmp_path: Path) -> None:
    class PublishingSink(sink_kit.LateFailingSink):
        output_channel = OutputChannel.FILM

    sink = PublishingSink(Rule.QUEUES)
    window = sink_kit.CountingSink(Rule.IN_LOOP)
    leavings: list[tuple[OutputChannel, ...]] = []
    window.select = lambda moment: leavings.append(moment.channels)  # type: ignore[method-assign]
    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", window, sink)
    loop_game.until(lambda: not loop_game.sinks.is_active(sink))
    assert leavings[0] == (OutputChannel.FILM,)
    assert loop_game.sinks.output_channels == ()
    loop_game.frames(1)
    assert leavings[-1] == ()
    loop_game.close()


def test_awaited_sinks_finish_before_sinks_in_the_loop(tmp_path: Path) -> None:
    sink = sink_kit.CountingSink(Rule.AWAITED)
    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", wait_s=60.0)
    times: list[list[float]] = []

    class LoopSink(sink_kit.CountingSink):
        def process(self, part: float) -> None:
            times.append(list(sink.taken))

    loop_game.sinks.add(LoopSink(Rule.IN_LOOP), sink)
    loop_game.frames(FRAMES)
    assert [len(batch) for batch in times] == list(range(1, FRAMES + 1))
    assert loop_game.close() == []


def test_a_lossless_sink_gets_everything_after_hanging_for_a_while(tmp_path: Path) -> None:
    sink = sink_kit.HangingSink(Rule.AWAITED)
    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", sink, **QUICK)
    loop_game.until(lambda: bool(loop_game.listener.sentences))
    loop_game.frames(FRAMES)
    assert len(sink.taken) == 3
    sink.released.set()
    assert loop_game.close() == [text("sink.late", sink="The test")]
    # The opening, every frame, and the end.
    assert len(sink.taken) == len(loop_game.listener.banners) + 2
    assert sink.taken == sorted(sink.taken)


def test_the_sentence_about_a_fault_stays_in_the_picture_for_a_while(tmp_path: Path) -> None:
    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", sink_kit.FailingSink(Rule.IN_LOOP))
    loop_game.frames(600)
    (sentence,) = loop_game.close()
    banners = loop_game.listener.banners
    assert banners[1] == banners[400] == sentence
    assert banners[-1] == ""


def test_an_armoon_error_is_reported_in_its_own_words(tmp_path: Path) -> None:
    class FullDiskSink(sink_kit.CountingSink):
        def process(self, part: object) -> None:
            raise ArmoonError("The disk is full.", remedy="Make room.")

    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", FullDiskSink(Rule.QUEUES))
    loop_game.until(lambda: "The disk is full. Make room." in loop_game.listener.sentences)
    assert loop_game.close() == ["The disk is full. Make room."]


def test_a_lossless_sink_is_dropped_once_its_queue_is_full(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    sink = sink_kit.HangingSink(Rule.KEEPS)
    sink.capacity = 20
    loop_game = sink_kit.LoopGame(log, sink)
    loop_game.until(lambda: not loop_game.sinks.is_active(sink))
    sink.released.set()
    assert loop_game.close() == [text("sink.stuck", sink="The test")]
    assert verify_log(log).same


def test_a_slow_sinks_queue_drops_the_oldest_parts(tmp_path: Path) -> None:
    sink = sink_kit.HangingSink(Rule.QUEUES)
    sink.capacity = 4
    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", sink, stuck_s=1000.0, wait_s=0.0)
    loop_game.until(lambda: len(sink.taken) == 3)
    loop_game.frames(20)
    sink.released.set()
    loop_game.sinks.remove(sink)
    last = loop_game.clock.now_s()
    assert [round((last - t) * 60.0) for t in sink.taken[3:]] == [3, 2, 1, 0]
    loop_game.close()


@pytest.mark.parametrize("rule", Rule)
def test_in_lock_step_every_sink_gets_everything(rule: Rule, tmp_path: Path) -> None:
    sink = sink_kit.CountingSink(rule)
    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", sink, lock_step=True)
    loop_game.frames(FRAMES)
    assert loop_game.close() == []
    assert len(sink.taken) == FRAMES + 2


def test_scenes_are_composed_once_and_only_by_the_loop(tmp_path: Path) -> None:
    composed: list[int] = []
    scene = LazyValue(lambda: composed.append(1))
    moment = Moment(0.0, shown=True)

    class SlowSink(sink_kit.CountingSink):
        def process(self, part: object) -> None:
            scene()

    loop_game = sink_kit.LoopGame(tmp_path / "game.jsonl", SlowSink(Rule.QUEUES))
    (sentence,) = loop_game.close()
    assert "select()" in sentence
    assert not composed
    scene()
    scene()
    assert composed == [1]
    assert moment.cues() == ()
