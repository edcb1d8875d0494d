"""Measures the cost of a frame from camera to picture, phase by phase, and of the game beyond raw inference.

The demo's frames are rendered first and stored. Raw inference, the phases in sequence, and the game as it runs then
alternate in slices of these frames, because other load on the machine should affect all equally. Finally a simulated
camera delivers the frames at 30 Hz and every picture is drawn, to measure the time from a frame to the drawn hand.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table

from armoon.app.frames import LiveSource
from armoon.app.pictures import BUDGET_MS, Pictures, open_pictures
from armoon.camera.capture import CameraThread
from armoon.camera.profiles import make_table_seat
from armoon.camera.sources import Frame
from armoon.clock import FixedStep, WallClock
from armoon.engine.setup import Intake
from armoon.games.moon.demo_player import DemoPlayer
from armoon.games.moon.kind import KIND
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.scene import compose_scene
from armoon.games.moon.verdict_effects import SlipDetector
from armoon.gl import get_context
from armoon.hands.landmarks import Hands
from armoon.hands.tracker import HandTracker, TrackerThread
from armoon.players.demo import DemoCamera, DemoOptions
from armoon.processes.system import collect_garbage
from armoon.synthetic_camera.look import StageLook
from armoon.values.choices import AirRelease
from armoon.values.pieces import Base, LadderSet, PieceStatus, Place
from armoon.view.scene.tiers import PLAIN, TierController
from armoon.world.local import LocalWorld
from armoon.world.process import ProcessWorld, WorldFactory
from benchmarks import Save
from benchmarks.placement_tables import make_match, make_tower_case

WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0
FRAMES = 480
"""16 s of the demo: a roll, a grab, a carry and a placement."""
SLICE = 24
PHASES = ("capture", "inference", "interpret", "step", "judge", "compose", "draw")
#: Number of frames at the start that the delays exclude, because they fill caches.
WARM_UP = 30
#: Phases beyond inference when nothing is drawn.
OWN_PHASES = ("interpret", "step", "judge", "compose")
STANDING_COUNT = 12
#: Height from which a ladder falls onto its place, metres, and interval between falls, seconds.
FALL_M, FALL_EVERY_S = 0.05, 1.5

ResultT = TypeVar("ResultT")


class Stopwatch:
    """Measures the seconds spent in each phase."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.seconds: dict[str, float] = {}

    def measure(self, phase: str, work: Callable[[], ResultT]) -> ResultT:
        start_s = self._now_s()
        result = work()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + self._now_s() - start_s
        return result

    def attach(self, match: MoonMatch) -> None:
        """Measure the phases of all further frames of a match."""
        methods = {"_add_hands": "interpret", "_interpret": "interpret", "step": "step", "_judge": "judge"}
        for name, phase in methods.items():
            work = getattr(match, name)
            timed = lambda *rest, work=work, phase=phase: self.measure(phase, partial(work, *rest))  # noqa: E731
            setattr(match, name, timed)


@dataclass
class _Game:
    """One match that plays stored frames, with its own tracker and stopwatch."""

    match: MoonMatch
    tracker: HandTracker
    steps: FixedStep
    watch: Stopwatch
    own_s: list[float] = field(default_factory=list)
    """Seconds beyond inference of each frame with a hand, at rest and with no held ladder near another."""

    def play(self, frame: Frame, pictures: Pictures | None) -> None:
        measured = self.watch.measure
        # Reading a frame from a camera copies its memory.
        image = measured("capture", frame.image.copy)
        hands = measured("inference", partial(self.tracker.track, image, frame.time_s, frame.index))
        self.judge(frame, hands, pictures)

    def judge(self, frame: Frame, hands: Hands, pictures: Pictures | None = None) -> None:
        measured = self.watch.measure
        before_s = sum(self.watch.seconds.get(phase, 0.0) for phase in OWN_PHASES)
        self.match.advance(Intake(frame.time_s, self.steps.advance(frame.time_s), hands))
        scene = measured("compose", partial(compose_scene, self.match, self.steps.fraction(), None))
        facts = self.match.facts
        if hands.hands and facts.at_rest and facts.grip_gap_m is None:
            self.own_s.append(sum(self.watch.seconds.get(phase, 0.0) for phase in OWN_PHASES) - before_s)
        if pictures is not None:
            measured("draw", partial(pictures.draw_picture, scene, frame.image))


def run(save: Save) -> None:
    console = Console()
    console.print(f"Rendering {FRAMES} frames of the demo ...")
    frames = _render_demo()
    undrawn, threaded = _make_game(time.thread_time), _make_game(time.thread_time)
    drawn = _make_game(time.perf_counter)
    raw_s, undrawn_s, threaded_s = _take_turns(frames, undrawn, threaded)
    pictures = open_pictures(KIND.build_render_setup(drawn.match), headless=True, title="bench")
    for frame in frames:
        drawn.play(frame, pictures)
    live, falling = (_play_live(frames, pictures, falling=falling) for falling in (False, True))
    figures = _collect(len(frames), (raw_s, undrawn_s, threaded_s), undrawn, drawn.watch) | live
    figures["whole_game_falling_hz"] = falling["whole_game_hz"]
    for game in (undrawn, drawn, threaded):
        game.tracker.close()
        game.match.close()
    pictures.close()
    console.print(_make_table(figures))
    console.print(
        f"Beyond raw inference, without drawing: {figures['own_ms']:.2f} ms of processor time per frame (target: 1).\n"
        f"Frame rate relative to raw inference, as the program runs: {figures['rate_ratio']:.3f} "
        f"(target: at least 0.95); with everything in one thread: {figures['rate_ratio_one_thread']:.3f}.\n"
        f"From a camera at 30 Hz to the picture: {live['hand_to_picture_ms']:.1f} ms (median, target: at most 24), "
        f"95 and 99 % {live['hand_to_picture_p95_ms']:.1f} and {live['hand_to_picture_p99_ms']:.1f}, "
        f"at worst {live['hand_to_picture_worst_ms']:.1f} (40).\n"
        f"Pictures per second: {_show_hz(live)}; while a ladder falls every {FALL_EVERY_S:g} s: {_show_hz(falling)}."
    )
    save(figures)


def _make_match(world: WorldFactory = LocalWorld) -> MoonMatch:
    seat = make_table_seat(WIDTH, HEIGHT)
    return make_match(3, seat, make_tower_case(STANDING_COUNT, 3), air=AirRelease.FALLS, world=world)


def _make_game(now_s: Callable[[], float]) -> _Game:
    match, watch = _make_match(), Stopwatch(now_s)
    watch.attach(match)
    return _Game(match, HandTracker(), FixedStep(-1.0 / RATE_HZ), watch)


def _render_demo() -> list[Frame]:
    """Return the frames of a demo, in which the hand reacts to the game played from these frames."""
    from armoon.app.table import Table as GameTable
    from armoon.games.moon.play import MoonGame
    from armoon.sinks.hub import Sinks

    match = _make_match()
    game = MoonGame(match)
    table = GameTable(game, Sinks())
    seat = make_table_seat(WIDTH, HEIGHT)
    options = DemoOptions(
        seat, 3, RATE_HZ, StageLook(), partial(DemoPlayer, match.ladders, match.base, seed=3)
    )
    camera = DemoCamera(options)
    steps = FixedStep(-1.0 / RATE_HZ)
    frames: list[Frame] = []
    try:
        with HandTracker() as tracker:
            while len(frames) < FRAMES:
                frame = camera.read()
                frames.append(frame)
                hands = tracker.track(frame.image, frame.time_s, frame.index)
                table.play_step(Intake(frame.time_s, steps.advance(frame.time_s), hands))
                camera.set_observation(game.build_observation(frame.time_s))
    finally:
        camera.close()
        table.close()
    return frames


def _take_turns(frames: list[Frame], undrawn: _Game, threaded: _Game) -> tuple[float, float, float]:
    """Return the seconds of raw inference, of the phases in sequence, and of the game with its tracker in a thread."""
    raw_s = undrawn_s = threaded_s = 0.0
    with closing(TrackerThread(HandTracker)) as worker:
        worker.wait_ready(60.0)
        with HandTracker() as tracker:
            for start in range(0, len(frames), SLICE):
                part = frames[start : start + SLICE]
                stamps = [time.perf_counter()]
                for frame in part:
                    tracker.track(frame.image, frame.time_s, frame.index)
                stamps.append(time.perf_counter())
                for frame in part:
                    undrawn.play(frame, None)
                stamps.append(time.perf_counter())
                _play_overlapped(part, threaded, worker)
                stamps.append(time.perf_counter())
                raw_s += stamps[1] - stamps[0]
                undrawn_s += stamps[2] - stamps[1]
                threaded_s += stamps[3] - stamps[2]
    return raw_s, undrawn_s, threaded_s


def _play_overlapped(part: list[Frame], game: _Game, worker: TrackerThread) -> None:
    """Measure the live loop's order: the tracker processes the next frame while the last one's hands are judged."""
    worker.submit(part[0])
    for following in [*part[1:], None]:
        result = worker.get_hands(10.0)
        assert result is not None
        if following is not None:
            worker.submit(following)
        game.judge(result.frame, result.hands)


class _StoredCamera:
    """A camera that delivers the stored frames at their timestamps."""

    description, live, rate_hz, width, height = "stored frames", False, RATE_HZ, WIDTH, HEIGHT

    def __init__(self, frames: list[Frame]) -> None:
        self._frames = iter(frames)

    def read(self) -> Frame | None:
        return next(self._frames, None)

    def close(self) -> None:
        pass


def _play_live(frames: list[Frame], pictures: Pictures, *, falling: bool) -> dict[str, Any]:
    """Play as the program does, with a picture in every pass of the loop; ``falling``: a ladder falls repeatedly."""
    worlds: list[ProcessWorld] = []

    def make(ladders: LadderSet, base: Base) -> ProcessWorld:
        worlds.append(ProcessWorld(ladders, base))
        return worlds[0]

    match, clock, steps = _make_match(world=make), WallClock(), FixedStep(-1.0 / RATE_HZ)
    match.overlaps = True
    worker = TrackerThread(HandTracker)
    camera = CameraThread(lambda: _StoredCamera(frames), clock)
    camera.on_frame = worker.submit
    late_s, drawn_s, fell_s = [], [], -math.inf
    slips, before = SlipDetector(), match.facts
    pictures.tiers = TierController(PLAIN, BUDGET_MS, highest=PLAIN)
    tower = (piece for piece in match.facts.pieces if piece.status is PieceStatus.FREE)
    highest = max(tower, key=lambda piece: piece.highest_m)
    lifted = replace(highest.pose, position=(*highest.pose.position[:2], highest.pose.position[2] + FALL_M))
    try:
        worker.wait_ready(60.0)
        pictures.live = feed = LiveSource(camera, worker, clock)
        collect_garbage()
        steps.advance(clock.now_s())
        camera.start()
        while not (fed := feed.read_input()).ended:
            now_s, slow = clock.now_s(), match.is_tick_running
            hands = None if fed.result is None else fed.result.hands
            if falling and now_s - fell_s > FALL_EVERY_S:
                fell_s = now_s
                match.end_tick()
                worlds[0].apply(Place(highest.piece, lifted, fixed=False))
            match.advance(Intake(now_s, steps.advance(now_s, slow=slow), hands))
            slips.add_facts(before, match.facts)
            before = match.facts
            pictures.draw_picture(
                compose_scene(match, steps.fraction(), None, slow_fall=slips.find_fall(match.tick)),
                feed.image,
            )
            get_context().finish()
            drawn_s.append(clock.now_s())
            if fed.result is not None:
                late_s.append(drawn_s[-1] - fed.result.frame.time_s)
    finally:
        camera.close()
        worker.close()
        match.close()
    rates_hz = sorted(1.0 / (b - a) for a, b in itertools.pairwise(drawn_s))
    warm_s = late_s[WARM_UP:] or late_s
    percentiles_s = statistics.quantiles(warm_s, n=100, method="inclusive")
    return {
        "hand_to_picture_ms": 1000.0 * statistics.median(late_s),
        "hand_to_picture_p95_ms": 1000.0 * percentiles_s[94],
        "hand_to_picture_p99_ms": 1000.0 * percentiles_s[98],
        "hand_to_picture_worst_ms": 1000.0 * max(warm_s),
        "whole_game_hz": {"median": statistics.median(rates_hz), "p5": rates_hz[len(rates_hz) // 20]},
    }


def _show_hz(live: dict[str, Any]) -> str:
    return f"{live['whole_game_hz']['median']:.1f}, 5 % at less than {live['whole_game_hz']['p5']:.1f}"


def _collect(
    frames: int, seconds: tuple[float, float, float], undrawn: _Game, drawn: Stopwatch
) -> dict[str, object]:
    raw_s, undrawn_s, threaded_s = seconds
    ms = {phase: 1000.0 * drawn.seconds.get(phase, 0.0) / frames for phase in PHASES}
    total = sum(ms.values())
    return {
        "frames": frames,
        "phases": [{"phase": p, "ms": ms[p], "share": ms[p] / total} for p in PHASES],
        "total_ms": total,
        "raw_inference_ms": 1000.0 * raw_s / frames,
        "pipeline_ms": 1000.0 * undrawn_s / frames,
        "own_ms": 1000.0 * statistics.fmean(undrawn.own_s),
        "own_frames": len(undrawn.own_s),
        "live_ms": 1000.0 * threaded_s / frames,
        "rate_ratio": raw_s / threaded_s,
        "rate_ratio_one_thread": raw_s / undrawn_s,
    }


def _make_table(figures: dict[str, object]) -> Table:
    table = Table("phase", "ms", "share", title=f"A frame at {WIDTH}x{HEIGHT}, rendered camera, plain tier")
    phases = figures["phases"]
    assert isinstance(phases, list)
    for row in phases:
        table.add_row(row["phase"], f"{row['ms']:.2f}", f"{row['share']:.1%}")
    table.add_section()
    table.add_row("total", f"{figures['total_ms']:.2f}", "")
    table.add_row("raw inference", f"{figures['raw_inference_ms']:.2f}", "")
    table.add_row("phases in sequence, not drawn", f"{figures['pipeline_ms']:.2f}", "")
    table.add_row("as the program runs, not drawn", f"{figures['live_ms']:.2f}", "")
    return table
