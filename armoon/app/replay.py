"""Films of logged games: whole games at any size and speed, or the best moments with a moving camera."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.progress import Progress

from armoon import broadcast
from armoon.app.instant_replay import interpolate_scenes, view_from_around
from armoon.app.pictures import make_renderer
from armoon.app.program import Program
from armoon.app.table import Table
from armoon.camera.sources import make_blank
from armoon.engine.logbook import LogReader
from armoon.games.contract import RenderSetup, load_kind
from armoon.games.library import create_logged_match, read_intakes
from armoon.geometry import CameraModel, pose_looking_at
from armoon.messages import language, text
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import create_console
from armoon.sinks.hub import Sinks
from armoon.sound.cues import SoundCue
from armoon.sound.effects import RATE_HZ, find_tension
from armoon.sound.player import NightTrack, render_stereo
from armoon.values.scene import Scene, SceneHud

#: Seconds of a clip before and after its moment; seconds in slow motion before and after it, and playback speed.
BEFORE_S, AFTER_S = 4.2, 2.2
SLOW_BEFORE_S, SLOW_AFTER_S, SLOW = 1.1, 0.9, 0.4
#: A crescent is won narrowly if its ladder is at most this much higher than the next highest one, in metres.
NARROW_M = 0.010
#: Separator between the effects in a sentence about a move.
EFFECT_SEPARATOR = " · "
#: Maximum number of clips of one game.
MAX_CLIPS = 12
#: Minimum time between the moments of two clips, in seconds; of closer moments only the best gets a clip.
MIN_SEPARATION_S = 2.0


@dataclass(frozen=True)
class ClipPlan:
    """A clip to film. Film times count from the start of the clip; other times are game time; all are in seconds."""

    kind: str
    """Part of the file's name: ``fall``, ``figure``, ``crescent``, ``narrow``, ``move`` or ``result``."""
    time_s: float
    rank: float
    """Clips of higher rank are filmed first."""
    title: str
    words: str
    is_good: bool | None = None
    first_s: float = 0.0

    @property
    def start_s(self) -> float:
        return max(self.first_s, self.time_s - BEFORE_S)

    @property
    def _slow_start_s(self) -> float:
        return max(0.0, self.time_s - SLOW_BEFORE_S - self.start_s)

    @property
    def _slow_s(self) -> float:
        return self.time_s + SLOW_AFTER_S - self.start_s - self._slow_start_s

    @property
    def moment_film_s(self) -> float:
        return self._slow_start_s + (self.time_s - self.start_s - self._slow_start_s) / SLOW

    @property
    def length_s(self) -> float:
        return self._slow_start_s + self._slow_s / SLOW + AFTER_S - SLOW_AFTER_S

    def film_time_s(self, game_s: float) -> float:
        passed_s = game_s - self.start_s
        slow_s = min(max(passed_s - self._slow_start_s, 0.0), self._slow_s)
        return passed_s + slow_s * (1.0 / SLOW - 1.0)

    def game_time_s(self, film_s: float) -> float:
        if film_s <= self._slow_start_s:
            return self.start_s + film_s
        slow_s = min(film_s - self._slow_start_s, self._slow_s / SLOW)
        rest_s = film_s - self._slow_start_s - slow_s
        return self.start_s + self._slow_start_s + SLOW * slow_s + rest_s


def plan_clips(events: Sequence[tuple[float, broadcast.Happening]], language: str) -> tuple[ClipPlan, ...]:
    start = next((event for _, event in events if isinstance(event, broadcast.FeedBegan)), None)
    first_s = events[0][0] if events else 0.0
    names = dict(enumerate(() if start is None else (seat.name for seat in start.seats)))

    def translate(words: broadcast.Words) -> str:
        return str(getattr(words, language))

    clips: list[ClipPlan] = []
    falls: dict[int, int] = {}
    for time_s, news in events:
        if isinstance(news, broadcast.FeedFall):
            falls[news.turn] = len(news.pieces)
        elif isinstance(news, broadcast.FeedVerdict):
            name, words = names.get(news.seat, ""), translate(news.words)
            if (rating := _rate_verdict(news, falls.pop(news.turn, 0), words)) is not None:
                kind, rank = rating
                clips.append(ClipPlan(kind, time_s, rank, name, words, news.ok))
        elif isinstance(news, broadcast.FeedFigures):
            name, figures = names.get(news.seat, ""), ", ".join(map(translate, news.figures))
            clips.append(
                ClipPlan("figure", time_s, 3.0 + 0.2 * len(news.figures), name, figures, is_good=True)
            )
        elif isinstance(news, broadcast.FeedResult):
            clips.append(ClipPlan("result", time_s, 3.6, translate(news.words), translate(news.more)))
    chosen: list[ClipPlan] = []
    for clip in sorted(clips, key=lambda event: (-event.rank, event.time_s)):
        if all(abs(clip.time_s - other.time_s) >= MIN_SEPARATION_S for other in chosen):
            chosen.append(replace(clip, first_s=first_s))
    return tuple(chosen[:MAX_CLIPS])


def _rate_verdict(verdict: broadcast.FeedVerdict, fallen: int, words: str) -> tuple[str, float] | None:
    """Return kind and rank of a clip about this verdict, or None for an ordinary one."""
    if fallen:
        return "fall", 3.0 + 0.25 * min(fallen, 6)
    if verdict.ok and verdict.margin_m is not None and verdict.margin_m <= NARROW_M:
        return "narrow", 3.3
    if verdict.ok and verdict.die == "crescent":
        return "crescent", 2.5
    # In games without verdicts, moves with more effects are better.
    if verdict.ok is None and not verdict.reason:
        return "move", 2.0 + 0.1 * min(words.count(EFFECT_SEPARATOR), 4)
    return None


#: Pictures per second of films made from logs.
FILM_HZ = 30.0
#: Camera of clips: field of view across the picture's shorter side, and rotation around the table during a clip.
FIELD_RAD, ROUND_RAD = math.radians(34.0), math.radians(55.0)
#: Maximum difference between two times of the same frame, in seconds.
SAME_S = 1e-6


@dataclass(frozen=True)
class LoggedFrame:
    """A frame of the logged game."""

    time_s: float
    scene: Scene
    cues: tuple[SoundCue, ...]
    feed_events: tuple[broadcast.Happening, ...]


class LoggedGame:
    """Plays a logged game once, frame by frame."""

    def __init__(self, log: Path, sinks: Sinks | None = None, *, effects: bool = False) -> None:
        """``sinks`` receive all moments; ``effects``: slow falls down and circle the winner. Raises LogError."""
        self._has_effects = effects
        self.reader = LogReader(log)
        match = create_logged_match(self.reader)
        kind = load_kind(match.game)
        self.view = kind.build_render_setup(match)
        self.game: Any = kind.create_game(match)
        self.game.is_replayed = True
        self._intakes = list(read_intakes(self.reader))
        self._sinks = sinks or Sinks(lock_step=True)
        self.length_s = self._intakes[-1].now_s - self._intakes[0].now_s if self._intakes else 0.0

    def play_frames(self) -> Iterator[LoggedFrame]:
        table = Table(self.game, self._sinks)
        table.has_slow_motion = table.has_finale = self._has_effects
        events = table.opening.happenings
        for intake in self._intakes:
            moment = table.play_step(intake)
            assert moment.scene is not None
            yield LoggedFrame(moment.now_s, moment.scene(), moment.cues(), (*events, *moment.happenings))
            events = ()
        for number, scene in enumerate(table.play_finale(), 1):
            yield LoggedFrame(moment.now_s + number / FILM_HZ, scene, (), ())
        table.close()

    def close(self) -> None:
        self.game.close()


class OffscreenScene:
    """Draws scenes as pictures, without a window."""

    def __init__(
        self, size: tuple[int, int], tier: str, view: RenderSetup, stack: ExitStack, *, plain: bool = False
    ) -> None:
        """``plain``: omit the players' depth cues. Raises DisplayError without OpenGL."""
        from armoon.gl import HeadlessSurface, make_target, make_texture
        from armoon.view.aids import DisplayAids

        width, height = size
        self._surface = HeadlessSurface(width, height)
        stack.callback(self._surface.close)
        self._renderer = make_renderer(view, width, height)
        self._renderer.set_tier(tier)
        # The renderer copies its picture to a target with alpha; on a surface without alpha it would draw it again.
        self._target = make_target(colour=make_texture(width, height, 4))
        if plain:
            self._renderer.aids = DisplayAids(
                drop_line=False,
                halo=False,
                inset=False,
                landing=False,
                see_through=False,
                uncertainty=False,
            )
        camera = view.camera
        self._image = make_blank(camera.width, camera.height)

    def draw_picture(self, scene: Scene) -> Any:
        self._surface.make_current()
        self._target.use()
        self._renderer.draw_scene(scene, self._image)
        return self._surface.read_bgr()


def film_log(
    log: Path,
    out: Path,
    size: tuple[int, int] | None,
    tier: str,
    speed: float,
    options: PlayOptions | None = None,
) -> None:
    """Film the whole game, and pass it to the options' sinks. Raises LogError, DisplayError, or ArmoonError (disk)."""
    from armoon.party.encoding import Recorder  # PyAV takes 50 ms to load, and most sessions don't need it

    with ExitStack() as stack:
        logged = LoggedGame(log, _open_sinks(options, stack), effects=True)
        stack.callback(logged.close)
        native_size = (logged.view.camera.width, logged.view.camera.height)
        width, height = size or native_size
        drawing = OffscreenScene((width, height), tier, _choose_view(logged.view, (width, height)), stack)
        recorder = stack.enter_context(Recorder(out, width, height, FILM_HZ, RATE_HZ))
        progress = stack.enter_context(Progress(transient=True))
        task = progress.add_task(out.name, total=max(logged.length_s, SAME_S))
        night = NightTrack(recorder.add_sound)
        before: LoggedFrame | None = None
        pictures, step_s, start_s = 0, speed / FILM_HZ, 0.0
        for frame in logged.play_frames():
            if before is None:
                start_s = frame.time_s
            # Sounds come first, because writing a picture also writes all sound before it.
            for cue in frame.cues:
                recorder.add_sound(render_stereo(cue), (frame.time_s - start_s) / speed)
            while start_s + pictures * step_s <= frame.time_s + SAME_S:
                at_s = start_s + pictures * step_s
                scene = _interpolate_frames(before, frame, at_s)
                recorder.write_picture(drawing.draw_picture(scene), pictures / FILM_HZ)
                night.extend(find_tension(scene), pictures / FILM_HZ)
                pictures += 1
            before = frame
            progress.update(task, completed=frame.time_s - start_s)
    logged.reader.check_complete()


def film_clips(
    log: Path,
    folder: Path,
    sizes: tuple[tuple[int, int], ...],
    tier: str,
    notify: Callable[[str], None],
    max_count: int = MAX_CLIPS,
    options: PlayOptions | None = None,
) -> list[tuple[ClipPlan, Path]]:
    """Film at most ``max_count`` moments, the best first. Raises LogError, DisplayError, or ArmoonError (disk)."""
    with ExitStack() as stack:
        logged = LoggedGame(log, _open_sinks(options, stack))
        stack.callback(logged.close)
        progress = stack.enter_context(Progress(transient=True))
        task = progress.add_task(log.stem, total=max(logged.length_s, SAME_S))
        frames = []
        for frame in logged.play_frames():
            frames.append(frame)
            progress.update(task, completed=frame.time_s - frames[0].time_s)
        plans = plan_clips(
            [(frame.time_s, event) for frame in frames for event in frame.feed_events], language()
        )[:max_count]
        films: list[tuple[ClipPlan, Path]] = []
        task = progress.add_task("", total=max(SAME_S, len(sizes) * sum(plan.length_s for plan in plans)))
        for size in sizes:
            with ExitStack() as stack:
                drawing = OffscreenScene(size, tier, _make_side_view(logged.view, size), stack, plain=True)
                for rank, clip in enumerate(plans, 1):
                    path = folder / f"{log.stem}-{rank:02}-{clip.kind}-{size[0]}x{size[1]}.mp4"
                    progress.update(task, description=path.stem)
                    _film_clip(
                        frames, clip, drawing, path, size, partial(progress.advance, task, 1.0 / FILM_HZ)
                    )
                    films.append((clip, path))
    if not plans:
        notify(text("film.no_moments"))
    return films


def _open_sinks(options: PlayOptions | None, stack: ExitStack) -> Sinks:
    program = Program(options or PlayOptions(), create_console(), stack, lock_step=True, quiet=True)
    program.open_sinks(None, None, FILM_HZ)
    return program.sinks


def _film_clip(
    frames: list[LoggedFrame],
    clip: ClipPlan,
    drawing: OffscreenScene,
    path: Path,
    size: tuple[int, int],
    on_picture: Callable[[], None],
) -> None:
    from armoon.party.encoding import Recorder

    with Recorder(path, *size, FILM_HZ, RATE_HZ) as recorder:
        length_s, night = clip.length_s, NightTrack(recorder.add_sound)
        next_sound = 0
        index = 0
        for picture in range(round(length_s * FILM_HZ)):
            film_s = picture / FILM_HZ
            at_s = clip.game_time_s(film_s)
            while index + 1 < len(frames) and frames[index].time_s < at_s:
                index += 1
            while next_sound < len(frames) and frames[next_sound].time_s <= at_s:
                if frames[next_sound].time_s >= clip.start_s:
                    for cue in frames[next_sound].cues:
                        recorder.add_sound(render_stereo(cue), clip.film_time_s(frames[next_sound].time_s))
                next_sound += 1
            scene = _interpolate_frames(frames[index - 1] if index else None, frames[index], at_s)
            share = film_s / length_s
            view = view_from_around(scene, -math.pi / 2.0 + ROUND_RAD * (share - 0.5), share, FIELD_RAD / 2.0)
            mood = scene.mood if clip.kind == "result" else view.mood
            recorder.write_picture(
                drawing.draw_picture(replace(view, mood=mood, hud=_make_clip_hud(clip, film_s))), film_s
            )
            night.extend(find_tension(scene), film_s)
            on_picture()


def _make_clip_hud(clip: ClipPlan, film_s: float) -> SceneHud:
    """Return the texts of a clip; the winner or the verdict appears only after the moment."""
    if film_s < clip.moment_film_s:
        return SceneHud(title="" if clip.kind == "result" else clip.title)
    if clip.kind == "result":
        return SceneHud(winner_text=clip.title, verdict_text=clip.words)
    return SceneHud(title=clip.title, verdict_text=clip.words, verdict_good=clip.is_good)


def _interpolate_frames(before: LoggedFrame | None, after: LoggedFrame, at_s: float) -> Scene:
    if before is None or at_s >= after.time_s:
        return replace(after.scene, hands=(), prop=None)
    share = (at_s - before.time_s) / max(after.time_s - before.time_s, SAME_S)
    return replace(
        interpolate_scenes(before.scene, after.scene, min(1.0, max(0.0, share))), hands=(), prop=None
    )


def _choose_view(view: RenderSetup, size: tuple[int, int]) -> RenderSetup:
    """Return the game's own view if its aspect ratio fits, else the view of clips."""
    camera, (width, height) = view.camera, size
    if abs(camera.width * height - camera.height * width) <= max(camera.width, width):
        return view
    return _make_side_view(view, size)


def compute_field_rad(size: tuple[int, int]) -> float:
    return 2.0 * math.atan(math.tan(FIELD_RAD / 2.0) * size[0] / min(size))


def _make_side_view(view: RenderSetup, size: tuple[int, int]) -> RenderSetup:
    width, height = size
    pose = pose_looking_at((0.0, -0.75, 0.35), (0.0, 0.0, 0.09))
    camera = CameraModel.from_field_of_view(width, height, compute_field_rad(size))
    return replace(view, camera=camera, table_from_camera=pose, mirrored=False)
