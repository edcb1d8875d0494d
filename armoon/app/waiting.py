"""Slow work in threads and processes (preparation, a game's review), and the picture book's stage."""

from __future__ import annotations

import contextvars
import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import replace
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

import numpy as np

from armoon import geometry
from armoon.camera.profiles import CameraSeat
from armoon.clock import TICKS_PER_SECOND
from armoon.errors import ArmoonError
from armoon.games import game_names, game_options
from armoon.games.contract import PictureBookPage, RenderSetup, find_picture_book_kind, load_kind
from armoon.games.news import Review, TurnReview
from armoon.messages import language, set_language, text
from armoon.processes.child import Worker, prepare_children
from armoon.processes.system import release_memory
from armoon.screens.events import Request, ReviewState
from armoon.settings.preferences import PlayOptions
from armoon.sinks.files import save_picture
from armoon.sinks.sink import Picture
from armoon.values.choices import CameraWay, Way
from armoon.values.page import ASPECT, TALL_ASPECT, Drawing, Mark, Page, Rect, Sign, Widget, WidgetKind
from armoon.values.pieces import LadderSet
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.values.scene import Scene, SceneHud

ResultT = TypeVar("ResultT")

#: Interval between two pictures of the animation, in seconds; shorter work has no animation.
PICTURE_S = 0.05
#: Time of a full circle of the light, in seconds, and number of dots on the ring.
_ROUND_S = 1.2
_DOTS = 12


def run_animated(work: Callable[[], ResultT], on_wait: Callable[[], None]) -> ResultT:
    """Run ``work``, which must not draw, in a thread while the main thread calls ``on_wait``; return its result."""
    prepare_children()  # works only in the main thread
    future: Future[ResultT] = Future()
    context = contextvars.copy_context()

    def do_work() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as error:  # raised in the waiting thread
            future.set_exception(error)

    threading.Thread(target=do_work, name="preparing", daemon=True).start()
    while True:
        with suppress(TimeoutError):
            return future.result(PICTURE_S)
        if future.done():
            return future.result()
        on_wait()


def warm_meshes(seat: CameraSeat, options: PlayOptions) -> threading.Thread:
    """Make and cache the meshes of all games in a thread, so that a game isn't delayed later."""

    def run() -> None:
        from armoon.view.scene.ladder_mesh import make_ladder_mesh

        with suppress(Exception):  # the game makes the mesh again, and reports the error
            for name in game_names():
                own = replace(options, game=name, game_options=game_options(name)())
                view = load_kind(name).build_empty_render_setup(seat, own)
                for ladder in () if view.ladders is None else view.ladders.ladders:
                    make_ladder_mesh(ladder, bevelled=False)
        release_memory()

    thread = threading.Thread(target=run, name="meshes", daemon=True)
    thread.start()
    return thread


def make_title_scene(now_s: float, banner: str = "") -> Scene:
    hud = SceneHud(banner=banner)
    return Scene(tick=round(now_s * TICKS_PER_SECOND), pieces=(), hands=(), hud=hud)


def make_preparing_page(now_s: float, camera_way: CameraWay, way: Way) -> Page:
    """Return the page shown while the table or the hand tracker is prepared: a light moves along a ring."""
    tracks_hands = camera_way is CameraWay.DEMO or (camera_way is CameraWay.REAL and way is Way.HAND)
    words = text("start.preparing" if tracks_hands else "start.preparing_table")
    card = Widget("preparing", WidgetKind.CARD, Rect(0.18, 0.52, 0.64, 0.20), "armoon", words)
    place = Rect(0.425, 0.30, 0.15, 0.20)
    ring = Widget("ring", WidgetKind.PICTURE, place, drawing=_draw_ring(now_s / _ROUND_S % 1.0))
    return Page("preparing", (ring, card), 0.9, moon=True)


def _draw_ring(light_position: float) -> Drawing:
    dots = []
    for k in range(_DOTS):
        angle, bright = 2.0 * math.pi * k / _DOTS, 1.0 - (light_position - k / _DOTS) % 1.0
        centre = (ASPECT / 2.0 + 0.38 * math.sin(angle), 0.5 - 0.38 * math.cos(angle))
        size = 0.03 + 0.03 * bright
        dots.append(Mark(Sign.DISC, centre, (size, size), (1.0, 0.93, 0.74, 0.2 + 0.8 * bright)))
    return Drawing(tuple(dots), framed=False)


#: Time limit of the search for a turn's safest place, in seconds.
SEARCH_S = 1.5
#: Nice value of the review's process.
NICENESS = 10


class ReviewJob:
    """Runs at most one review at a time; must be closed."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._log: Path | None = None
        self._state = ReviewState()

    def carry_out(self, action: Request, log: Path | None, folder: Path) -> ReviewState:
        match action:
            case Request.OPEN_REVIEW:
                if log is None:
                    self._state = ReviewState(error=text("review.no_log"), is_done=True)
                elif log != self._log or self._state.error:
                    self._start(log)
            case Request.STOP_REVIEW if self._worker is not None:
                self.close()
                self._log = None
            case Request.SAVE_REVIEW if self._state.picture:
                path = save_picture(folder, ".svg", self._state.picture.encode())
                self._state = replace(self._state, saved_text=path)
        return self._state

    def poll_state(self) -> ReviewState:
        worker = self._worker
        if worker is None:
            return self._state
        has_ended = not worker.is_alive
        for news in worker.drain_messages():
            self._state = self._state.with_news(news)
        if has_ended and not self._state.is_done:
            self._state = self._state.with_news(text("review.lost"))
        if self._state.is_done:
            self.close()
        return self._state

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close(patience_s=0.0)

    def _start(self, log: Path) -> None:
        self.close()
        self._log, self._state = log, ReviewState()
        release_memory()  # for the new process
        self._worker = Worker("review", serve_review, log, language(), SEARCH_S, niceness=NICENESS)


def serve_review(pipe: Connection, log: Path, language_code: str, think_s: float) -> None:
    """Review a game in this process: send the number of turns, each reviewed turn, and the review or an error."""
    set_language(language_code)
    try:
        pipe.send(review_log(log, pipe.send, think_s))
    except ArmoonError as error:
        pipe.send(str(error))


def review_log(log: Path, report: Callable[[int | TurnReview], object], think_s: float) -> Review:
    """Review a logged game; ``report`` gets the number of turns, then each turn. Raises ArmoonError."""
    from armoon.engine.logbook import LogReader
    from armoon.games.library import create_logged_match, read_intakes

    reader = LogReader(log)
    with closing(create_logged_match(reader)) as match:
        kind = load_kind(match.game)
        report(len({record.get("turn") for record in reader.records if record["kind"] == kind.counted_kind}))
        return kind.review_match(match, read_intakes(reader), report, think_s)


#: Seconds for a full rotation; with reduced motion, seconds between steps of an eighth of a rotation.
TURN_S, STEP_S = 36.0, 6.0
#: Angle of the view below the horizontal.
_DOWN_RAD = math.radians(17.0)
#: Radius of the base, margin around the structure, and minimum and maximum distance of the camera, in metres.
_BASE_M, _MARGIN_M, _NEAREST_M, _FARTHEST_M = 0.095, 0.006, 0.22, 1.2
#: Part of the picture's height between text and buttons; on a tall page (True) these are outside the picture.
_FREE_HEIGHT = {False: (0.25, 0.85), True: (0.05, 0.95)}
#: Colours of the stage (BGR): cloth in the light, cloth outside it, background, and glow of the lamp.
_CLOTH, _DARK, _NIGHT, _LAMP = (132, 96, 104), (52, 32, 28), (50, 30, 22), (58, 62, 78)
#: Radius of the light on the cloth, in metres.
_POOL_M = 0.30


class BookStage:
    """The open page of the picture book, with its camera and background."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._page: PictureBookPage | None = None
        self._eye = IDENTITY_POSE
        self.image: Picture = np.zeros((1, 1, 3), np.uint8)

    @property
    def ladders(self) -> LadderSet:
        assert self._page is not None
        return self._page.ladders

    @property
    def is_open(self) -> bool:
        return self._number is not None

    def close(self) -> None:
        self._number = None

    def open_page(self, number: int, seat: CameraSeat, *, tall: bool) -> RenderSetup | None:
        """Open a page; return its view for the renderer, or None if it is already open."""
        if self._number == number:
            return None
        self._number = number
        self._page = find_picture_book_kind().build_picture_book_page(number)
        places = [
            geometry.pose_apply(piece.pose, corner)
            for piece in self._page.pieces
            for rail in self._page.ladders[piece.piece].rails
            for corner in rail
        ]
        places += [(_BASE_M, 0.0, 0.0)]
        self._eye = _find_camera_pose(seat.camera, places, tall=tall)
        self.image = _draw_stage(seat.camera, self._eye)
        ladders, base = self._page.ladders, self._page.base
        return RenderSetup(
            seat.camera, seat.table_from_camera, mirrored=False, ladders=ladders, base=base, lid=False
        )

    def compose_scene(self, now_s: float, *, calm: bool) -> Scene:
        turns = math.floor(now_s / STEP_S) / 8.0 if calm else now_s / TURN_S
        spin = Pose((0.0, 0.0, 0.0), geometry.quat_from_axis_angle((0.0, 0.0, 1.0), math.tau * (turns % 1.0)))
        page = self._page
        assert page is not None
        return replace(
            make_title_scene(now_s),
            pieces=tuple(
                replace(piece, pose=geometry.pose_compose(spin, piece.pose)) for piece in page.pieces
            ),
            contact_points=tuple(geometry.pose_apply(spin, contact) for contact in page.contacts),
            home_from_table=spin,
            seen_from=self._eye,
        )


def _find_camera_pose(camera: geometry.CameraModel, places: Sequence[Vec3], *, tall: bool) -> Pose:
    """Return the nearest camera pose from which all ``places`` (metres) are visible at every rotation of the table."""
    circles = [(math.hypot(x, y) + _MARGIN_M, z) for x, y, z in places]
    rotated = [
        (r * math.cos(angle), r * math.sin(angle), z)
        for r, z in circles
        for angle in (0.0, math.pi / 2.0, math.pi, -math.pi / 2.0)
    ]
    upper, lower = (share * camera.height for share in _FREE_HEIGHT[tall])
    max_width = 0.9 * min(camera.width, TALL_ASPECT * camera.height if tall else camera.width)
    height = max(z for _, z in circles) / 2.0
    pose = IDENTITY_POSE
    for distance in np.linspace(_NEAREST_M, _FARTHEST_M, 60):
        for _ in range(4):
            eye = (0.0, -distance * math.cos(_DOWN_RAD), height + distance * math.sin(_DOWN_RAD))
            pose = geometry.pose_looking_at(eye, (0.0, 0.0, height))
            pixels = geometry.project_table_points(camera, pose, rotated)
            high, low = float(pixels[:, 1].min()), float(pixels[:, 1].max())
            height += ((upper + lower) / 2.0 - (high + low) / 2.0) * distance / camera.fy
        if low - high <= lower - upper and np.ptp(pixels[:, 0]) <= max_width:
            break
    return pose


@lru_cache(maxsize=2)
def _draw_stage(camera: geometry.CameraModel, eye: Pose) -> Picture:
    x = (np.arange(camera.width) - camera.cx) / camera.fx
    y = (np.arange(camera.height) - camera.cy) / camera.fy
    rays = np.stack([*np.meshgrid(x, y), np.ones((camera.height, camera.width))], axis=-1)
    directions = rays @ geometry.mat_from_pose(eye)[:3, :3].T
    down = np.minimum(directions[..., 2], -1e-3)
    points = np.array(eye.position)[:2] - directions[..., :2] * (eye.position[2] / down)[..., None]
    distance = np.linalg.norm(points, axis=-1)
    light = np.exp(-((distance / _POOL_M) ** 2))[..., None]
    cloth = np.array(_DARK) + (np.array(_CLOTH) - np.array(_DARK)) * light
    # The cloth is dark far away, and the lamp glows behind the structure.
    far = np.clip((distance - 0.45) / 0.55, 0.0, 1.0)[..., None]
    picture = cloth + (np.array(_NIGHT) - cloth) * far * far * (3.0 - 2.0 * far)
    glow = (rays[..., 0] / 0.42) ** 2 + ((rays[..., 1] + 0.06) / 0.30) ** 2
    picture = picture + np.array(_LAMP) * 0.7 * np.exp(-glow)[..., None]
    grain = np.random.default_rng(4).normal(0.0, 1.2, picture.shape[:2])[..., None]
    return np.asarray(np.clip(picture + grain, 0.0, 255.0), dtype=np.uint8)
