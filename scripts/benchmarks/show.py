"""How a game looks to spectators: reads a log, composes what was seen frame by frame, and measures it.

Nothing is drawn: ladders, hands and the framing of the picture are values. Without a log the demo plays one first.
"""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from armoon.app.pictures import NEAREST
from armoon.clock import TICK_S
from armoon.engine.events import Output
from armoon.engine.logbook import LogReader
from armoon.errors import LogError
from armoon.games.contract.capabilities import viewed_of
from armoon.games.contract.kind import Game, Viewed, kind_of
from armoon.games.contract.replay import intakes, logged_match
from armoon.games.moon.rules.values import Die
from armoon.games.moon.table.match import MoonMatch
from armoon.geometry import CameraModel, pose_apply, project_table_points
from armoon.hands.tracking.landmarks import INDEX_TIP, THUMB_TIP
from armoon.values.choices import FramingName
from armoon.values.pieces import LadderSet
from armoon.values.scene import Scene, ScenePiece
from benchmarks.placement_parts.skeleton import REAL
from benchmarks.show_parts.course import Course
from benchmarks.show_parts.played import Looks, demo_of, play_here
from benchmarks.show_parts.stature import LADDERS, Stature

#: Time over which the demo is measured.
SHOWN_S = 180.0
#: ... and what is said of its verdicts until it has come to its end, a collapse, or over this.
ENDED_S = 205.0
#: Ticks per examined picture: the camera's 30 a second.
EVERY_TICKS = 2
#: The structure is to be seen by this part in WANTED_VISIBLE of the frames.
VISIBLE, WANTED_VISIBLE = 0.60, 0.90
#: Minimum share of the picture that the structure covers.
COVERED = 0.03
#: Share of the picture from which a hand hides the game.
HAND_PART = 1.0 / 3.0
WANTED_LADDERS, WANTED_HONOURED = 12, 0.75
#: Height of the structure with a dozen ladders placed, and the share of them that rises.
WANTED_HEIGHT_M, WANTED_RISING = 0.24, 0.5
#: Maximum height of the middle of a ladder that lies on the table.
_LYING_M = 0.02
_BY_S, _HEIGHTS = "ladders_by_s", "heights_m"

#: Left, top, right and low edge in pixels.
_Edges = tuple[float, float, float, float]


@dataclass
class _Watched:
    """The figures so far."""

    frames: int = 0
    visible: int = 0
    covering: int = 0
    hand_large: int = 0
    covers: list[float] = field(default_factory=list)
    largest_jump: float = 0.0
    ladders_by_s: list[tuple[float, int]] = field(default_factory=list)
    carrying: int = 0
    hand_out: int = 0
    held_out: int = 0
    too_near: int = 0
    waiting: int = 0


def run(
    json_path: Path | None,
    log: Path | None = None,
    first_seed: int | None = None,
    trials: int | None = None,
    tracker: str = REAL,
) -> int:
    """Measure and print; 0 whatever the figures are. Raises LogError for a log of a game without ladders.

    Without a log the demo plays first: the trailer, or ``trials`` demos of other seeds from ``first_seed`` on.
    ``tracker``: the real one before pictures, or ``skeleton``, which is quicker.
    """
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
    if json_path is not None:
        json_path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def _measure_demo(console: Console, seed: int | None, tracker: str) -> dict[str, Any]:
    """Let the demo of a seed, or the trailer, play for ``SHOWN_S``, and measure it."""
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
    """Return the mean of each figure over some games; of the largest jump the largest."""
    figures = {
        key: float(np.mean([one[key] for one in each])) for key in each[0] if key not in (_BY_S, _HEIGHTS)
    }
    return figures | {"largest_jump": max(one["largest_jump"] for one in each)}


def measure_log(log: Path) -> dict[str, Any]:
    """Return the figures of one log's first minutes."""
    reader = LogReader(log)
    match = logged_match(reader)
    game = kind_of(match.game).game(match)
    try:
        measured = Measured(game)
        for intake in intakes(reader):
            if measured.see(game.advance(intake)):
                break
        return measured.figures()
    except NoLaddersError as error:
        raise LogError(
            f"{log} is of a game without ladders.", remedy="Name the log of a moon game."
        ) from error
    finally:
        match.close()


class NoLaddersError(Exception):
    """The game has none."""


class Measured:
    """Looks on while a game is played."""

    def __init__(self, game: Game[Any]) -> None:
        from armoon.view.scene.framing import Framing

        self._game = game
        self._viewed = viewed = viewed_of(game.match)
        if viewed.ladders is None:
            raise NoLaddersError
        self._ladders = viewed.ladders
        self._framing = Framing(viewed.camera, viewed.table_from_camera)
        self._framing.nearest = NEAREST[FramingName.NEAR]
        self._watched = _Watched()
        self._before: dict[str, tuple[float, float]] | None = None
        self._course, self._stature = Course(), Stature()
        self._shown_tick = -EVERY_TICKS

    def see(self, output: Output) -> bool:
        """One frame; True once enough was seen."""
        match, watched = self._game.match, self._watched
        if isinstance(match, MoonMatch):
            self._course.note(match, output)
            self._stature.note(match)
        now_s = match.tick * TICK_S
        watched.too_near += bool(match.too_near)
        if match.tick - self._shown_tick >= EVERY_TICKS and now_s < SHOWN_S:
            self._shown_tick = match.tick
            scene = self._game.seen(1.0, "")
            self._before = _look(scene, self._viewed, self._ladders, self._framing, watched, self._before)
        return now_s >= ENDED_S or (now_s >= SHOWN_S and self._course.over(match.tick))

    def figures(self) -> dict[str, Any]:
        """Return the figures."""
        match, watched, course, stature = self._game.match, self._watched, self._course, self._stature
        frames = max(1, watched.frames)
        return {
            "seconds": round(match.tick * TICK_S, 1),
            "turns": len(course.verdicts),
            "ladders_at_180_s": watched.ladders_by_s[-1][1] if watched.ladders_by_s else 0,
            "most_ladders": max((count for _, count in watched.ladders_by_s), default=0),
            _BY_S: watched.ladders_by_s,
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
            "waiting": watched.waiting / frames,
            "too_near": watched.too_near / frames,
            "hand_out": watched.hand_out / max(1, watched.carrying),
            "held_out": watched.held_out / max(1, watched.carrying),
            "visible_60": watched.visible / frames,
            "covers": watched.covering / frames,
            "covers_median": float(np.median(watched.covers)) if watched.covers else 0.0,
            "hand_third": watched.hand_large / frames,
            "largest_jump": watched.largest_jump,
        }


def _look(
    scene: Scene,
    viewed: Viewed,
    ladders: LadderSet,
    framing: Any,
    watched: _Watched,
    before: dict[str, tuple[float, float]] | None,
) -> dict[str, tuple[float, float]]:
    """Measure one picture; gives where each standing ladder's middle is seen, parts of the picture's width."""
    from armoon.view.scene.framing import cropped_camera, cropped_scene

    crop = framing.follow(scene, viewed.camera.width / viewed.camera.height)
    camera = cropped_camera(viewed.camera, crop)
    hands = cropped_scene(scene, crop).hands
    standing = [p for p in scene.pieces if p.look not in ("offered", "held", "waiting") and not _lies(p)]
    edges = _box(standing, viewed, ladders, camera)
    hand_edges = [_edges(np.asarray(hand.points_px)) for hand in hands]
    watched.frames += 1
    area = _area(_inside(edges, camera))
    hidden = max((_area(_shared(_inside(edges, camera), hand)) for hand in hand_edges), default=0.0)
    whole = camera.width * camera.height
    seen = (area - hidden) / max(_area(edges), 1.0)
    watched.visible += seen >= VISIBLE
    watched.covers.append(area / whole)
    watched.covering += area / whole >= COVERED
    watched.waiting += any(piece.look == "waiting" for piece in scene.pieces)
    if scene.held and hands:
        watched.carrying += 1
        (x, y), (u, v) = (hands[0].points_px[tip] for tip in (THUMB_TIP, INDEX_TIP))
        watched.hand_out += not (0 <= (x + u) / 2 < camera.width and 0 <= (y + v) / 2 < camera.height)
        carried = _box([p for p in scene.pieces if p.look == "held"], viewed, ladders, camera)
        watched.held_out += _inside(carried, camera) != carried
    watched.hand_large += any(_area(_inside(hand, camera)) > HAND_PART * whole for hand in hand_edges)
    second = round(scene.tick * TICK_S)
    count = len(standing)
    if not watched.ladders_by_s or watched.ladders_by_s[-1][1] != count:
        watched.ladders_by_s.append((second, count))
    places = {
        p.piece: tuple(
            float(v) / camera.width
            for v in project_table_points(camera, viewed.table_from_camera, [p.pose.position])[0]
        )
        for p in standing
    }
    for piece, (x, y) in places.items():
        if before is not None and piece in before:
            watched.largest_jump = max(watched.largest_jump, math.dist((x, y), before[piece]))
    return {piece: (x, y) for piece, (x, y) in places.items()}


def _lies(piece: ScenePiece) -> bool:
    """Return whether it has fallen and is only seen until its verdict was read."""
    return piece.look == "fault" and piece.pose.position[2] < _LYING_M


def _box(pieces: list[ScenePiece], viewed: Viewed, ladders: LadderSet, camera: CameraModel) -> _Edges:
    """Return the box around these ladders as this camera sees them; empty for none."""
    ends = [pose_apply(p.pose, point) for p in pieces for rail in ladders[p.piece].rails for point in rail]
    return _edges(project_table_points(camera, viewed.table_from_camera, ends) if ends else ())


def _edges(points: Any) -> _Edges:
    """Return the box around pixels (n, 2); empty for none."""
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
        f"(wanted: {WANTED_VISIBLE:.0%}), and covers {COVERED:.0%} of the picture or more in "
        f"{figures['covers']:.0%} (median {figures['covers_median']:.1%}).\n"
        f"Nothing is done for {figures['longest_wait_s']:.1f} s at most.\n"
        f"{figures['moons']:g} moons, {figures['figures']:g} figures, at most {figures['most_fallen']:g} fell at "
        f"once; the table is turned by {figures['turned_deg']:.0f} degrees, a ladder waits in "
        f"{figures['waiting']:.1%} of the frames.\n"
        f"While it carries, its fingers leave the picture in {figures['hand_out']:.1%} of the frames, an end of the "
        f"ladder in {figures['held_out']:.1%}; it is too near in {figures['too_near']:.1%}.\n"
        f"A hand is larger than a third of the picture in {figures['hand_third']:.1%}; the largest step of a "
        f"standing ladder from frame to frame is {figures['largest_jump']:.1%} of the picture's width."
    )
