"""Measure how a game looks to spectators: read a log, compose what was seen frame by frame, and measure it.

Nothing is drawn: ladders, hands and the framing of the picture are values. Without a log the demo plays one first.
"""

from __future__ import annotations

import contextlib
import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from armoon.app.camera import open_demo
from armoon.app.pictures import NEAREST
from armoon.app.playing import OneGame
from armoon.app.program import Loop
from armoon.app.setup import seeded, set_up
from armoon.app.sources.demo import DemoPart
from armoon.app.sources.frames import Incoming, LockStep, Source
from armoon.app.table import Table
from armoon.camera.profiles import SEATS
from armoon.camera.sources import Frame
from armoon.clock import TICK_S, TICKS_PER_SECOND, ManualClock
from armoon.engine.events import Output
from armoon.engine.logbook import LogReader
from armoon.errors import LogError
from armoon.games import game_names, game_options
from armoon.games.contract.kind import Game, Viewed, kind_of
from armoon.games.contract.library import intakes, logged_match
from armoon.games.moon.rules.values import Die, Phase, Reason, Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.geometry import CameraModel, mat_from_quat, pose_apply, project_table_points, rise_deg
from armoon.hands.tracker import HandTracker, Tracked
from armoon.players.demo import DemoOptions, hand_habits, hand_of
from armoon.players.hand import Sight
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.files import begin_log, game_sinks_of
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment
from armoon.values.choices import FramingName
from armoon.values.pieces import Base, Ladder, LadderSet, PieceFacts, PieceStatus
from armoon.values.places import RISING_DEG
from armoon.values.scene import Scene, ScenePiece
from benchmarks import Save
from benchmarks.hand_script import REAL, SKELETON, SkeletonTracker

#: Number of falls in one turn that make a collapse, and ticks in which it is seen to its end.
COLLAPSE, SEEN_TICKS = 4, 4 * TICKS_PER_SECOND
#: Reasons of a fall between turns.
AFTER = (Reason.LATE_FALL, Reason.SAME_INCIDENT, Reason.NOBODY)
#: Phases in which nothing is done: a player thinks, or all wait until nothing moves.
_WAITING = (Phase.DRAW, Phase.SETTLE)


class Course:
    """Hears of every frame."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        """One verdict of each turn."""
        self.fallen: list[int] = []
        """How many ladders fell in each, or after it."""
        self.longest_ticks = 0
        """The longest time of one thought, or until a ladder that was let go of came to rest."""
        self._phase: tuple[Phase, int] | None = None
        self._since = 0
        self._collapsed: int | None = None

    def note(self, match: MoonMatch, output: Output) -> None:
        for verdict in output.of(Verdict):
            if verdict.reason not in AFTER:
                self.verdicts.append(verdict)
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

    def over(self, tick: int) -> bool:
        return self._collapsed is not None and tick >= self._collapsed + SEEN_TICKS


#: Number of ladders at which the height is measured: a dozen placed, and the two in their slots.
LADDERS = 14


class Stature:
    """Sees every frame; takes in those in which all is at rest between two turns."""

    def __init__(self) -> None:
        self.heights_m: dict[int, float] = {}
        """The greatest height by the number of standing ladders."""
        self.rising = self.hanging = 0.0
        """Of the placed ladders, when most stood: the share that rises, and that hangs over the base's edge."""

    @property
    def height_m(self) -> float:
        return max((high for count, high in self.heights_m.items() if count <= LADDERS), default=0.0)

    def note(self, match: MoonMatch) -> None:
        if match.state.phase is not Phase.ROLL or not match.at_rest:
            return
        free = [piece for piece in match.facts.pieces if piece.status is PieceStatus.FREE]
        fixed = [piece for piece in match.facts.pieces if piece.status is PieceStatus.FIXED]
        count, top_m = len(free) + len(fixed), max(piece.highest_m for piece in (*free, *fixed))
        if free and count >= max(self.heights_m, default=0):
            self.rising = float(np.mean([rise_deg(piece.pose) >= RISING_DEG for piece in free]))
            self.hanging = float(np.mean([hangs(match.ladders[one.piece], one, match.base) for one in free]))
        self.heights_m[count] = max(top_m, self.heights_m.get(count, 0.0))


def hangs(ladder: Ladder, seen: PieceFacts, base: Base) -> bool:
    ends = (pose_apply(seen.pose, rail[k]) for rail in ladder.rails for k in (0, -1))
    return not all(over(base, x, y) for x, y, _ in ends)


def over(base: Base, x_m: float, y_m: float) -> bool:
    for box in base.boxes:
        along = mat_from_quat(box.rotation).T @ np.subtract((x_m, y_m, box.centre[2]), box.centre)
        if math.fabs(along[0]) <= box.half_extents[0] and math.fabs(along[1]) <= box.half_extents[1]:
            return True
    return False


#: A function that is called with each frame of a game, and returns whether it has seen enough.
Looks = Callable[[Output], bool]


class SkeletonSource(Source):
    """The demo's player and its hand, frame by frame, and what a tracker would make of it; close it."""

    def __init__(self, demo: DemoOptions, clock: ManualClock) -> None:
        super().__init__(16, 9)
        habits = hand_habits(demo.seat)
        self._rest, self._player = habits.rest, demo.mind(habits)
        self._tracker = SkeletonTracker(demo.seat, demo.seed, demo.rate_hz, 1.0)
        self._clock = clock
        self.lead_s = 1.0 / demo.rate_hz
        self._frames = 0
        self._sight: Sight | None = None
        self._before: Sight | None = None
        """A frame is drawn while the game works on the one before."""

    def show(self, sight: Sight) -> None:
        self._sight = sight

    def take(self) -> Incoming:
        time_s = self._frames * self.lead_s
        hand = hand_of(self._player, self._before, time_s, self._rest)
        self._before = self._sight
        hands = self._tracker.track(hand, time_s, self._frames)
        self._frames += 1
        self._clock.set_s(time_s)
        return Incoming(Tracked(Frame(self._frames, time_s, self.image), hands), shown=True)

    def close(self) -> None:
        self._player.close()


@dataclass
class _SeenGame(OneGame):
    """One game with an onlooker."""

    looks: Looks = lambda output: False
    _seen: bool = False

    @property
    def done(self) -> bool:
        return super().done or self._seen

    def play(self, fed: Incoming, now_s: float, notice: str) -> Moment:
        moment = super().play(fed, now_s, notice)
        self._seen = self._seen or (moment.output is not None and self.looks(moment.output))
        return moment


def demo_of(seed: int | None, log: Path) -> PlayOptions:
    game = game_names()[0]
    options = PlayOptions(
        size=DemoPart.size,
        headless=True,
        game=game,
        game_options=game_options(game)(),
        log=log,
        saved=False,
        seed=seed or 0,
        asked=frozenset() if seed is None else frozenset({"seed"}),
    )
    return seeded(options)


def play_here(options: PlayOptions, *, tracker: str, onlooker: Callable[[Game[Any]], Looks]) -> None:
    """Play the demo in lock step until the ``onlooker`` has seen enough, and write its log."""
    quiet = Console(quiet=True)
    clock = ManualClock()
    seat = SEATS[options.seat](options.width_px, options.height_px)
    with contextlib.ExitStack() as stack:
        set_table = set_up(options, seat, games_folder(), quiet, cropped=False, on_time=False)
        demo = set_table.demo
        assert demo is not None, "the game has a demo"
        sinks = Sinks(lock_step=True)
        stack.callback(sinks.close)
        log = begin_log(options, quiet.print)
        table = Table(set_table.game, sinks, game_sinks_of(log, None), turns=options.turns)
        stack.callback(table.close)
        source: LockStep | SkeletonSource
        if tracker == SKELETON:
            source = stack.enter_context(contextlib.closing(SkeletonSource(demo, clock)))
            table.onlooker = source.show
        else:
            camera = stack.enter_context(contextlib.closing(open_demo(demo, lambda: None)))
            table.onlooker = camera.show
            source = LockStep(camera, stack.enter_context(HandTracker()), clock)
        director = _SeenGame(table, source)
        director.looks = onlooker(set_table.game)
        Loop(director, sinks, clock).run()


#: Time over which the demo is measured.
SHOWN_S = 180.0
#: ... and the text of its verdicts until it has come to its end, a collapse, or over this.
ENDED_S = 205.0
#: Ticks per examined picture: the camera's 30 a second.
EVERY_TICKS = 2
#: The structure is to be seen by this part in WANTED_VISIBLE of the frames.
VISIBLE, WANTED_VISIBLE = 0.60, 0.90
#: Minimum share of the picture that the structure covers.
COVERED = 0.03
WANTED_LADDERS, WANTED_HONOURED = 12, 0.75
#: Height of the structure with a dozen ladders placed, and the share of them that rises.
WANTED_HEIGHT_M, WANTED_RISING = 0.24, 0.5
#: Maximum height of the middle of a ladder that lies on the table.
_LYING_M = 0.02
_BY_S, _HEIGHTS = "ladders_by_s", "heights_m"

#: Left, top, right and low edge in pixels.
_Edges = tuple[float, float, float, float]


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
        figures = means(list(each.values())) | {"seeds": {str(seed): each[seed] for seed in seeds}}
    console.print(_text(figures))
    save(figures)


def _measure_demo(console: Console, seed: int | None, tracker: str) -> dict[str, Any]:
    which = "The trailer" if seed is None else f"The demo of seed {seed}"
    before = "before its rendered camera; that takes minutes" if tracker == REAL else "without pictures"
    console.print(f"{which} plays first, {before} ...")
    seen: list[Measured] = []

    def onlooker(game: Game[Any]) -> Looks:
        seen.append(Measured(game))
        return seen[0].see

    with tempfile.TemporaryDirectory() as folder:
        play_here(demo_of(seed, Path(folder) / "demo.jsonl"), tracker=tracker, onlooker=onlooker)
    return seen[0].figures()


def means(each: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        key: float(np.mean([one[key] for one in each])) for key in each[0] if key not in (_BY_S, _HEIGHTS)
    }


def measure_log(log: Path) -> dict[str, Any]:
    reader = LogReader(log)
    match = logged_match(reader)
    game = kind_of(match.game).game(match)
    try:
        measured = Measured(game)
        for intake in intakes(reader):
            if measured.see(game.advance(intake)):
                break
        return measured.figures()
    finally:
        match.close()


class Measured:
    """Looks on while a game is played."""

    def __init__(self, game: Game[Any]) -> None:
        from armoon.view.scene.camera_picture import Framing

        self._game = game
        self._viewed = viewed = kind_of(game.match.game).viewed(game.match)
        if viewed.ladders is None:
            raise LogError("The game has no ladders.", remedy="Name the log of a moon game.")
        self._ladders = viewed.ladders
        self._framing = Framing(viewed.camera, viewed.table_from_camera)
        self._framing.nearest = NEAREST[FramingName.NEAR]
        self._frames = self._visible = self._covering = 0
        self._ladders_by_s: list[tuple[float, int]] = []
        self._course, self._stature = Course(), Stature()
        self._shown_tick = -EVERY_TICKS

    def see(self, output: Output) -> bool:
        """One frame; True once enough was seen."""
        match = self._game.match
        if isinstance(match, MoonMatch):
            self._course.note(match, output)
            self._stature.note(match)
        now_s = match.tick * TICK_S
        if match.tick - self._shown_tick >= EVERY_TICKS and now_s < SHOWN_S:
            self._shown_tick = match.tick
            self._look(self._game.seen(1.0, ""))
        return now_s >= ENDED_S or (now_s >= SHOWN_S and self._course.over(match.tick))

    def _look(self, scene: Scene) -> None:
        from armoon.view.scene.camera_picture import cropped_camera, cropped_scene

        viewed = self._viewed
        crop = self._framing.follow(scene, viewed.camera.width / viewed.camera.height)
        camera = cropped_camera(viewed.camera, crop)
        hands = [_edges(np.asarray(hand.points_px)) for hand in cropped_scene(scene, crop).hands]
        standing = [p for p in scene.pieces if p.look not in ("offered", "held", "waiting") and not _lies(p)]
        edges = _box(standing, viewed, self._ladders, camera)
        inside = _inside(edges, camera)
        hidden = max((_area(_shared(inside, hand)) for hand in hands), default=0.0)
        self._frames += 1
        self._visible += (_area(inside) - hidden) / max(_area(edges), 1.0) >= VISIBLE
        self._covering += _area(inside) >= COVERED * camera.width * camera.height
        if not self._ladders_by_s or self._ladders_by_s[-1][1] != len(standing):
            self._ladders_by_s.append((round(scene.tick * TICK_S), len(standing)))

    def figures(self) -> dict[str, Any]:
        match, course, stature = self._game.match, self._course, self._stature
        frames, by_s = max(1, self._frames), self._ladders_by_s
        return {
            "seconds": round(match.tick * TICK_S, 1),
            "turns": len(course.verdicts),
            "ladders_at_180_s": by_s[-1][1] if by_s else 0,
            "most_ladders": max((count for _, count in by_s), default=0),
            _BY_S: by_s,
            "honoured": sum(verdict.ok for verdict in course.verdicts) / max(1, len(course.verdicts)),
            "moons": sum(verdict.ok and verdict.die is Die.MOON for verdict in course.verdicts),
            "figures": len(match.figures.made) if isinstance(match, MoonMatch) else 0,
            "most_fallen": max(course.fallen, default=0),
            "collapse": next((fallen for fallen in reversed(course.fallen) if fallen), 0),
            "height_m": stature.height_m,
            _HEIGHTS: {str(count): high for count, high in sorted(stature.heights_m.items())},
            "rising": stature.rising,
            "hanging": stature.hanging,
            "longest_wait_s": round(course.longest_ticks * TICK_S, 1),
            "turned_deg": abs(math.degrees(match.turned_rad)),
            "visible_60": self._visible / frames,
            "covers": self._covering / frames,
        }


def _lies(piece: ScenePiece) -> bool:
    return piece.look == "fault" and piece.pose.position[2] < _LYING_M


def _box(pieces: list[ScenePiece], viewed: Viewed, ladders: LadderSet, camera: CameraModel) -> _Edges:
    ends = [pose_apply(p.pose, point) for p in pieces for rail in ladders[p.piece].rails for point in rail]
    return _edges(project_table_points(camera, viewed.table_from_camera, ends) if ends else ())


def _edges(points: Any) -> _Edges:
    if len(points) == 0:
        return (0.0, 0.0, 0.0, 0.0)
    (left, top), (right, low) = points.min(axis=0), points.max(axis=0)
    return (float(left), float(top), float(right), float(low))


def _inside(edges: _Edges, camera: CameraModel) -> _Edges:
    return _shared(edges, (0.0, 0.0, float(camera.width), float(camera.height)))


def _shared(a: _Edges, b: _Edges) -> _Edges:
    return (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))


def _area(edges: _Edges) -> float:
    return max(0.0, edges[2] - edges[0]) * max(0.0, edges[3] - edges[1])


def _text(figures: dict[str, Any]) -> str:
    return (
        f"{figures['turns']} turns in {figures['seconds']:.0f} s; {figures['ladders_at_180_s']} ladders stand "
        f"(wanted in {SHOWN_S:.0f} s: {WANTED_LADDERS}); honoured: {figures['honoured']:.0%} "
        f"(wanted: {WANTED_HONOURED:.0%}).\n"
        f"With {LADDERS} ladders or fewer it is {100.0 * figures['height_m']:.1f} cm high (wanted: "
        f"{100.0 * WANTED_HEIGHT_M:.0f} cm); {figures['rising']:.0%} of the placed ones rise "
        f"(wanted: {WANTED_RISING:.0%}), {figures['hanging']:.0%} hang over the base's edge, and "
        f"{figures['collapse']:g} came down last.\n"
        f"The structure's box is at least {VISIBLE:.0%} visible in {figures['visible_60']:.0%} of the frames "
        f"(wanted: {WANTED_VISIBLE:.0%}), and covers {COVERED:.0%} of the picture or more in {figures['covers']:.0%}.\n"
        f"Nothing is done for {figures['longest_wait_s']:.1f} s at most.\n"
        f"{figures['moons']:g} moons, {figures['figures']:g} figures, at most {figures['most_fallen']:g} fell at "
        f"once; the table is turned by {figures['turned_deg']:.0f} degrees."
    )
