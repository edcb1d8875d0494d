"""Measures how a game looks to spectators: composes the scenes of a log frame by frame, and measures them.

Poses, the framing of the picture and the layout of the panels are computed, but nothing is drawn. The sound is recorded
as for a film. Without a log, the demo plays, and its scenes are measured.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table as RichTable

from armoon.app.frames import FrameInput, LockStepSource, Source
from armoon.app.pictures import MAX_ZOOM
from armoon.app.program import Loop
from armoon.app.setup import prepare_table, with_demo_seed
from armoon.app.sources import DemoPart
from armoon.app.table import Table
from armoon.camera.profiles import SEATS
from armoon.camera.sources import Frame
from armoon.clock import TICK_S, TICKS_PER_SECOND, ManualClock
from armoon.engine.events import Output
from armoon.engine.logbook import LogReader
from armoon.errors import LogError
from armoon.games import game_names, game_options
from armoon.games.contract import Game, load_kind
from armoon.games.library import create_logged_match, read_intakes
from armoon.games.moon.editions import Phase, Reason, Verdict
from armoon.games.moon.match import MoonMatch
from armoon.geometry import Array, CameraModel, pose_apply, project_table_points, rise_deg
from armoon.hands.tracker import HandTracker, TrackedFrame
from armoon.party.encoding import Recorder, Stereo, Track
from armoon.players.demo import DemoCamera, DemoOptions, make_habits, pose_hand
from armoon.players.hand import Observation
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.files import begin_log, create_game_sinks
from armoon.sinks.film import FilmSink
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment, Picture
from armoon.sound.effects import RATE_HZ
from armoon.values.choices import FramingName
from armoon.values.pieces import PieceId, PieceStatus
from armoon.values.places import RISING_DEG
from armoon.values.poses import Pose
from armoon.values.scene import Scene
from benchmarks import Save
from benchmarks.hand_script import REAL, SKELETON, SkeletonTracker

#: Minimum number of ladders that fall in a collapse, and ticks that are measured after it.
COLLAPSE, SEEN_TICKS = 4, 4 * TICKS_PER_SECOND
#: Reasons for a fall between turns.
AFTER = (Reason.LATE_FALL, Reason.SAME_INCIDENT, Reason.NOBODY)
#: Phases in which a player thinks, or everyone waits until nothing moves.
_WAITING = (Phase.DRAW, Phase.SETTLE)


class FrameFigures:
    """Collects figures from every frame."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        """The verdicts of the turns."""
        self.fallen: list[int] = []
        """The number of ladders that fell in each turn or after it."""
        self.ends: list[int] = [0]
        """Ticks of the game's start and of each turn's verdict."""
        self.longest_ticks = 0
        """The longest time of thinking, or until a released ladder was at rest."""
        self._phase: tuple[Phase, int] | None = None
        self._since = 0
        self._collapsed: int | None = None

    def note(self, match: MoonMatch, output: Output) -> None:
        for verdict in output.events_of(Verdict):
            if verdict.reason not in AFTER:
                self.verdicts.append(verdict)
                self.ends.append(match.tick)
                self.fallen.append(0)
            if self.fallen:
                self.fallen[-1] += len(verdict.fallen)
                if self.fallen[-1] >= COLLAPSE:
                    self._collapsed = self._collapsed or match.tick
        phase = (match.state.phase, match.state.turn)
        if phase != self._phase:
            self._phase, self._since = phase, match.tick
        if phase[0] in _WAITING:
            self.longest_ticks = max(self.longest_ticks, match.tick - self._since)

    def is_over(self, tick: int) -> bool:
        return self._collapsed is not None and tick >= self._collapsed + SEEN_TICKS


#: Maximum number of ladders in the measured height: 12 placed ladders, and the two starting ladders.
LADDERS = 14


class RestFigures:
    """Collects figures from the frames at rest between two turns."""

    def __init__(self) -> None:
        self.heights_m: dict[int, float] = {}
        """The greatest height by the number of standing ladders."""
        self.rising = 0.0
        """The share of placed ladders that rise, when the most ladders stood."""

    @property
    def height_m(self) -> float:
        return max((height for count, height in self.heights_m.items() if count <= LADDERS), default=0.0)

    def note(self, match: MoonMatch) -> None:
        if match.state.phase is not Phase.ROLL or not match.at_rest:
            return
        free = [piece for piece in match.facts.pieces if piece.status is PieceStatus.FREE]
        fixed = [piece for piece in match.facts.pieces if piece.status is PieceStatus.FIXED]
        count, top_m = len(free) + len(fixed), max(piece.highest_m for piece in (*free, *fixed))
        if free and count >= max(self.heights_m, default=0):
            self.rising = float(np.mean([rise_deg(piece.pose) >= RISING_DEG for piece in free]))
        self.heights_m[count] = max(top_m, self.heights_m.get(count, 0.0))


#: Length of a block of sound, seconds (75 % of it overlaps the next), and the level below which it is silent, dB.
BLOCK_S, SILENT_DB = 0.4, -60.0
#: Numerators and denominators of the K-weighting at 48 kHz (ITU-R BS.1770-4, tables 1 and 2).
_WEIGHTING = (
    ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585)),
    ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621)),
)


class FilmSound:
    """Replaces a film's recorder, and keeps only the sound."""

    def __init__(self) -> None:
        self._track, self._sound = Track(RATE_HZ), list[Stereo]()
        self._start_s: float | None = None

    def add_sound(self, samples: Stereo, time_s: float) -> None:
        if self._start_s is not None:
            self._track.mix_in(samples, time_s - self._start_s)

    def write_picture(self, picture: Picture, time_s: float) -> None:
        self._start_s = time_s if self._start_s is None else self._start_s
        self._sound.append(self._track.drain(time_s - self._start_s))

    def close(self) -> None:
        pass

    def figures(self) -> dict[str, float | None]:
        """Return the integrated loudness, and the share of blocks quieter than ``SILENT_DB``."""
        sound = np.concatenate(self._sound)
        silent = measure_block_levels(sound) < SILENT_DB
        return {"loudness_lufs": loudness_lufs(sound), "silence": float(np.mean(silent))}


def measure_block_levels(sound: Stereo | Array) -> Array:
    """Return the level of each whole block in dB of full scale, the channels' power added."""
    length = round(BLOCK_S * RATE_HZ)
    energy = np.concatenate(([0.0], np.cumsum(np.sum(np.square(sound, dtype=np.float64), axis=1))))
    starts = np.arange(0, len(sound) - length + 1, length // 4)
    power = (energy[starts + length] - energy[starts]) / length
    return np.asarray(10.0 * np.log10(np.maximum(power, 1e-12)))


def loudness_lufs(sound: Stereo | Array) -> float | None:
    """Return the integrated loudness by ITU-R BS.1770-4; None if nothing is louder than its gate."""
    late = np.exp(-2j * np.pi * np.fft.rfftfreq(len(sound), 1.0 / RATE_HZ) / 48_000.0)
    gain = np.prod(
        [np.polyval(up[::-1], late) / np.polyval(down[::-1], late) for up, down in _WEIGHTING], axis=0
    )
    weighted = np.fft.irfft(np.fft.rfft(sound, axis=0) * np.abs(gain)[:, None], len(sound), axis=0)
    loud = measure_block_levels(weighted) - 0.691
    loud = loud[loud > -70.0]
    return _mean_level(loud[loud > _mean_level(loud) - 10.0]) if len(loud) else None


def _mean_level(levels: Array) -> float:
    return float(10.0 * np.log10(np.mean(10.0 ** (levels / 10.0))))


class SkeletonSource(Source):
    """The demo's player and hand, frame by frame, with simulated tracking; must be closed."""

    def __init__(self, demo: DemoOptions, clock: ManualClock) -> None:
        super().__init__(16, 9)
        habits = make_habits(demo.seat)
        self._rest, self._player = habits.rest, demo.player_factory(habits)
        self._tracker = SkeletonTracker(demo.seat, demo.seed, demo.rate_hz, 1.0)
        self._clock = clock
        self.lead_s = 1.0 / demo.rate_hz
        self._frames = 0
        self._sight: Observation | None = None
        self._before: Observation | None = None
        """The previous observation, because a frame is rendered while the game processes the previous one."""

    def show(self, sight: Observation) -> None:
        self._sight = sight

    def read_input(self) -> FrameInput:
        time_s = self._frames * self.lead_s
        hand = pose_hand(self._player, self._before, time_s, self._rest)
        self._before = self._sight
        hands = self._tracker.track(hand, time_s, self._frames)
        self._frames += 1
        self._clock.set_s(time_s)
        return FrameInput(TrackedFrame(Frame(self._frames, time_s, self.image), hands), shown=True)

    def close(self) -> None:
        self._player.close()


class _ObservedLoop(Loop):
    """A loop that ``examine`` can stop."""

    examine: Callable[[Output], bool] = staticmethod(lambda output: False)
    """Called with each frame; returns whether to stop."""
    _has_stopped = False

    @property
    def is_done(self) -> bool:
        return super().is_done or self._has_stopped

    def play_frame(self, frame_input: FrameInput, now_s: float, notice: str) -> Moment:
        moment = super().play_frame(frame_input, now_s, notice)
        self._has_stopped = moment.output is not None and self.examine(moment.output)
        return moment


def make_demo_options(seed: int | None, log: Path) -> PlayOptions:
    game = game_names()[0]
    options = PlayOptions(
        size=DemoPart.size,
        headless=True,
        game=game,
        game_options=game_options(game)(),
        log=log,
        saved=False,
        seed=seed or 0,
        explicit_names=frozenset() if seed is None else frozenset({"seed"}),
    )
    return with_demo_seed(options)


def make_film_sink(sound: FilmSound) -> FilmSink:
    return FilmSink(cast(Recorder, sound), lambda: np.zeros((0, 0, 3), np.uint8))


def play_demo(options: PlayOptions, tracker: str) -> dict[str, Any]:
    """Play the demo in lock step until the observer stops it, write a log, and return the figures."""
    quiet = Console(quiet=True)
    clock = ManualClock()
    seat = SEATS[options.seat](options.width_px, options.height_px)
    with contextlib.ExitStack() as stack:
        set_table = prepare_table(options, seat, games_folder(), quiet, cropped=False, real_time=False)
        demo = set_table.demo
        assert demo is not None, "the game has a demo"
        sinks, sound = Sinks(lock_step=True), FilmSound()
        stack.callback(sinks.close)
        sinks.add(make_film_sink(sound))
        log = begin_log(options, quiet.print)
        table = Table(set_table.game, sinks, create_game_sinks(log, None), turns=options.turns)
        stack.callback(table.close)
        source: LockStepSource | SkeletonSource
        if tracker == SKELETON:
            source = stack.enter_context(contextlib.closing(SkeletonSource(demo, clock)))
            table.on_observation = source.show
        else:
            camera = stack.enter_context(contextlib.closing(DemoCamera(demo, lambda: None)))
            table.on_observation = camera.set_observation
            source = LockStepSource(camera, stack.enter_context(HandTracker()), clock)
        measured = stack.enter_context(contextlib.closing(ShowObserver(set_table.game)))
        loop = _ObservedLoop(sinks, clock, None, source, table)
        loop.examine = measured.examine
        loop.run()
        sinks.close()
        return measured.figures() | sound.figures()


#: Time over which pictures are measured, seconds.
SHOWN_S = 180.0
#: Time after which the measurement of verdicts stops if neither the game's end nor a collapse stops it, seconds.
ENDED_S = 205.0
#: Ticks per examined picture, at the camera's 30 Hz.
EVERY_TICKS = 2
#: Number of standing ladders from which the structure's share of the picture's height counts.
SHARE_LADDERS = 5
#: Size of the picture for laying out panels, and minimum hidden share of a covered goal.
PICTURE_PX, COVERED = (1280, 720), 0.5
#: ``height_m``: with a dozen ladders placed; ``collapse``: number of ladders that fell in the last turn with a fall.
TARGETS = {
    "ladders_at_180_s": "12",
    "honoured": "0.85",
    "first_two": "0.95",
    "seconds_a_turn": "8 to 10",
    "collapse": "4",
    "height_m": "0.24",
    "rising": "0.5",
    "tower_share": "0.5 to 0.6",
    "loudness_lufs": "-20 to -16",
    "silence": "0",
}
#: Maximum height of the middle of a ladder that lies on the table.
_LYING_M = 0.02
_UNPLACED_LOOKS = ("offered", "held", "waiting")


def run(
    save: Save,
    log: Path | None = None,
    first_seed: int | None = None,
    trials: int | None = None,
    tracker: str = REAL,
) -> None:
    """Measure a log, the trailer, or ``trials`` demos from ``first_seed``; ``tracker``: real or ``skeleton``."""
    console = Console()
    if log is not None:
        figures = measure_log(log)
    elif first_seed is None and trials is None:
        figures = _measure_demo(console, None, tracker)
    else:
        seeds = range(first_seed or 1, (first_seed or 1) + (trials or 1))
        each = {seed: _measure_demo(console, seed, tracker) for seed in seeds}
        figures = average(list(each.values())) | {"seeds": {str(seed): each[seed] for seed in seeds}}
    shown = RichTable("figure", "value", "target")
    for key, value in figures.items():
        if key != "seeds":
            shown.add_row(key, "unknown" if value is None else f"{value:.3g}", TARGETS.get(key, ""))
    console.print(shown)
    save(figures)


def _measure_demo(console: Console, seed: int | None, tracker: str) -> dict[str, Any]:
    which = "The trailer" if seed is None else f"The demo of seed {seed}"
    setting = "in front of a rendered camera (this takes minutes)" if tracker == REAL else "without pictures"
    console.print(f"{which} plays {setting} ...")
    with tempfile.TemporaryDirectory() as folder:
        return play_demo(make_demo_options(seed, Path(folder) / "demo.jsonl"), tracker)


def average(results: list[dict[str, Any]]) -> dict[str, Any]:
    values_by_key = {key: [r[key] for r in results if r[key] is not None] for key in results[0]}
    return {key: float(np.mean(values)) if values else None for key, values in values_by_key.items()}


def measure_log(log: Path) -> dict[str, Any]:
    reader = LogReader(log)
    match = create_logged_match(reader)
    game, sound = load_kind(match.game).create_game(match), FilmSound()
    game.is_replayed = True
    with contextlib.ExitStack() as stack:
        sinks = Sinks(lock_step=True)
        stack.callback(sinks.close)
        sinks.add(make_film_sink(sound))
        table = Table(game, sinks)
        stack.callback(table.close)
        measured = stack.enter_context(contextlib.closing(ShowObserver(game)))
        for intake in read_intakes(reader):
            output = table.play_step(intake).output
            if output is not None and measured.examine(output):
                break
        sinks.close()
        return measured.figures() | sound.figures()


class ShowObserver:
    """Observes a game; must be closed."""

    def __init__(self, game: Game[Any]) -> None:
        from armoon.gl import HeadlessSurface
        from armoon.view.scene.camera_picture import Framing

        self._game = game
        self._viewed = viewed = load_kind(game.match.game).build_render_setup(game.match)
        if viewed.ladders is None:
            raise LogError("The game has no ladders.", remedy="Name the log of a moon game.")
        self._ladders = viewed.ladders
        self._framing = Framing(viewed.camera, viewed.table_from_camera)
        self._framing.max_zoom = MAX_ZOOM[FramingName.NEAR]
        self._surface = HeadlessSurface(*PICTURE_PX)
        self._surface.make_current()
        from armoon.view.hud import Hud

        self._hud = Hud(*PICTURE_PX)
        self._shares, self._covered = list[float](), list[bool]()
        self._standing = 0
        self._course, self._stature = FrameFigures(), RestFigures()
        self._shown_tick = -EVERY_TICKS

    def close(self) -> None:
        self._surface.close()

    def examine(self, output: Output) -> bool:
        """Examine one frame; return whether to stop."""
        match = self._game.match
        if isinstance(match, MoonMatch):
            self._course.note(match, output)
            self._stature.note(match)
        now_s = match.tick * TICK_S
        if match.tick - self._shown_tick >= EVERY_TICKS and now_s < SHOWN_S:
            self._shown_tick = match.tick
            self._examine_scene(self._game.build_turned_scene(1.0, ""))
        return now_s >= ENDED_S or (now_s >= SHOWN_S and self._course.is_over(match.tick))

    def _examine_scene(self, scene: Scene) -> None:
        from armoon.view.scene.camera_picture import crop_camera, crop_scene

        viewed = self._viewed
        crop = self._framing.follow(scene, viewed.camera.width / viewed.camera.height)
        camera = crop_camera(viewed.camera, crop)
        lying = [p for p in scene.pieces if p.look == "fault" and p.pose.position[2] < _LYING_M]
        standing = [p for p in scene.pieces if p.look not in _UNPLACED_LOOKS and p not in lying]
        if len(standing) >= SHARE_LADDERS:
            ends = [self._project(camera, piece.piece, piece.pose, 2)[:, 1] for piece in standing]
            rows_px = np.clip(np.concatenate(ends), 0.0, camera.height)
            self._shares.append(float(np.ptp(rows_px)) / camera.height)
        for goal in (ghost for ghost in scene.ghosts if ghost.is_landing):
            points = self._project(camera, goal.piece, goal.pose, 5)
            hands = [np.array(hand.points_px, np.float32) for hand in crop_scene(scene, crop).hands]
            hulls = [cv2.convexHull(hand) for hand in hands]
            under = [
                any(cv2.pointPolygonTest(hull, p, False) >= 0 for hull in hulls) for p in points.tolist()
            ]
            self._covered.append(bool(np.mean(under | self._test_panels(points, camera, scene)) >= COVERED))
        self._standing = len(standing)

    def _project(self, camera: CameraModel, piece: PieceId, pose: Pose, count: int) -> Array:
        """Return points (2 * count, 2) along a ladder's rails in the picture, pixels."""
        ends = [np.linspace(rail[0], rail[-1], count) for rail in self._ladders[piece].rails]
        places = [pose_apply(pose, (x, y, z)) for x, y, z in np.concatenate(ends)]
        return np.asarray(project_table_points(camera, self._viewed.table_from_camera, places))

    def _test_panels(self, points: Array, camera: CameraModel, scene: Scene) -> npt.NDArray[np.bool_]:
        self._surface.make_current()
        self._hud.lay_out(scene.hud, scene.tick)
        x, y = (points * PICTURE_PX / (camera.width, camera.height)).T
        y = PICTURE_PX[1] - y
        under = np.zeros(len(points), np.bool_)
        for left, low, width, height in self._hud.list_busy_boxes(listed=False):
            under |= (left <= x) & (x <= left + width) & (low <= y) & (y <= low + height)
        return under

    def figures(self) -> dict[str, Any]:
        match, course, stature = self._game.match, self._course, self._stature
        honoured = [verdict.ok for verdict in course.verdicts]
        return {
            "seconds": round(match.tick * TICK_S, 1),
            "turns": len(honoured),
            "ladders_at_180_s": self._standing,
            "honoured": sum(honoured) / max(1, len(honoured)),
            "first_two": float(honoured[:2] == [True, True]),
            "seconds_a_turn": _find_median(np.diff(course.ends) * TICK_S),
            "collapse": next((fallen for fallen in reversed(course.fallen) if fallen), 0),
            "height_m": stature.height_m,
            "rising": stature.rising,
            "longest_wait_s": round(course.longest_ticks * TICK_S, 1),
            "tower_share": _find_median(self._shares),
            "covered": float(np.mean(self._covered)) if self._covered else None,
        }


def _find_median(values: Sequence[float] | Array) -> float | None:
    return float(np.median(values)) if len(values) else None
