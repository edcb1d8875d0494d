"""Slow work in threads with an animated page, work in advance, and the review's process."""

from __future__ import annotations

import contextvars
import math
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from armoon.camera.profiles import CameraSeat
from armoon.clock import TICKS_PER_SECOND
from armoon.errors import ArmoonError
from armoon.games import game_names, game_options
from armoon.games.contract import load_kind
from armoon.games.news import Review, TurnReview
from armoon.messages import language, set_language, text
from armoon.processes.child import Worker, prepare_children
from armoon.processes.system import release_memory
from armoon.screens.events import Request, ReviewState
from armoon.settings.preferences import PlayOptions
from armoon.sinks.files import keep_picture
from armoon.values.choices import CameraWay, Way
from armoon.values.page import WIDE, Drawing, Mark, Page, Rect, Sign, Widget, WidgetKind
from armoon.values.scene import Scene, SceneHud

Worked = TypeVar("Worked")

#: Interval of the animation, in seconds; shorter waits have none.
PICTURE_S = 0.05
#: Period of the light on the ring, in seconds, and the ring's number of dots.
_ROUND_S = 1.2
_DOTS = 12


def run_animated(work: Callable[[], Worked], meanwhile: Callable[[], None]) -> Worked:
    """Run ``work``, which must not draw, in a thread while the main one calls ``meanwhile``; return its result."""
    prepare_children()  # works only in the main thread
    done: Future[Worked] = Future()
    context = contextvars.copy_context()

    def do_work() -> None:
        try:
            done.set_result(context.run(work))
        except BaseException as error:  # raised in the waiting thread
            done.set_exception(error)

    threading.Thread(target=do_work, name="preparing", daemon=True).start()
    while True:
        with suppress(TimeoutError):
            return done.result(PICTURE_S)
        if done.done():
            return done.result()
        meanwhile()


def warm_meshes(seat: CameraSeat, options: PlayOptions) -> threading.Thread:
    """Make all games' meshes in a thread, so that none delays a game later."""

    def run() -> None:
        from armoon.view.scene.ladder_mesh import ladder_mesh

        with suppress(Exception):  # a later call tries again, and reports the error
            for name in game_names():
                own = replace(options, game=name, game_options=game_options(name)())
                viewed = load_kind(name).build_empty_render_setup(seat, own)
                for ladder in () if viewed.ladders is None else viewed.ladders.ladders:
                    ladder_mesh(ladder, bevelled=False)
        release_memory()

    thread = threading.Thread(target=run, name="meshes", daemon=True)
    thread.start()
    return thread


def title_scene(now_s: float, banner: str = "") -> Scene:
    hud = SceneHud(banner=banner)
    return Scene(tick=round(now_s * TICKS_PER_SECOND), pieces=(), hands=(), hud=hud)


def preparing_page(now_s: float, looks: CameraWay, way: Way) -> Page:
    """Return the page about preparing the table or a hand, with a light on a ring as the duration is unknown."""
    hand = looks is CameraWay.DEMO or (looks is CameraWay.REAL and way is Way.HAND)
    words = text("start.preparing" if hand else "start.preparing_table")
    card = Widget("preparing", WidgetKind.CARD, Rect(0.18, 0.52, 0.64, 0.20), "armoon", words)
    place = Rect(0.425, 0.30, 0.15, 0.20)
    ring = Widget("ring", WidgetKind.PICTURE, place, drawing=_ring(now_s / _ROUND_S % 1.0))
    return Page("preparing", (ring, card), 0.9, moon=True)


def _ring(lit: float) -> Drawing:
    dots = []
    for k in range(_DOTS):
        angle, bright = 2.0 * math.pi * k / _DOTS, 1.0 - (lit - k / _DOTS) % 1.0
        centre = (WIDE / 2.0 + 0.38 * math.sin(angle), 0.5 - 0.38 * math.cos(angle))
        size = 0.03 + 0.03 * bright
        dots.append(Mark(Sign.DISC, centre, (size, size), (1.0, 0.93, 0.74, 0.2 + 0.8 * bright)))
    return Drawing(tuple(dots), framed=False)


#: Time limit of the search for a turn's safest place, in seconds.
THINK_S = 1.5
#: Nice level of the review's process.
NICENESS = 10
ReviewNews = int | TurnReview | Review | str


class ReviewJob:
    """At most one running review; must be closed."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._of: Path | None = None
        self._state = ReviewState()

    def carry_out(self, action: Request, log: Path | None, folder: Path) -> ReviewState:
        match action:
            case Request.OPEN_REVIEW:
                if log is None:
                    self._state = ReviewState(trouble=text("review.no_log"), done=True)
                elif log != self._of or self._state.trouble:
                    self._start(log)
            case Request.STOP_REVIEW if self._worker is not None:
                self.close()
                self._of = None
            case Request.SAVE_REVIEW if self._state.picture:
                kept = keep_picture(folder, ".svg", self._state.picture.encode())
                self._state = self._state.with_saved(kept)
        return self._state

    def poll_state(self) -> ReviewState | None:
        worker, before = self._worker, self._state
        if worker is None:
            return None
        ended = not worker.is_alive
        for news in worker.drain_messages():
            self._state = self._state.with_news(news)
        if ended and not self._state.done:
            self._state = self._state.with_news(text("review.lost"))
        if self._state.done:
            self.close()
        return None if self._state is before else self._state

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close(patience_s=0.0)

    def _start(self, log: Path) -> None:
        self.close()
        self._of, self._state = log, ReviewState()
        release_memory()  # for the next process
        self._worker = Worker("review", serve_review, log, language(), THINK_S, niceness=NICENESS)


def serve_review(pipe: Connection, log: Path, spoken: str, think_s: float) -> None:
    """Run the review's process: send the number of turns, each reviewed turn, and the end or an error's sentence."""
    set_language(spoken)
    try:
        weigh_turns(log, pipe.send, think_s)
    except ArmoonError as error:
        pipe.send(str(error))


def weigh_turns(log: Path, send: Callable[[ReviewNews], object], think_s: float) -> None:
    """Review a log. Raises ArmoonError."""
    from armoon.engine.logbook import LogReader
    from armoon.games.contract import load_kind
    from armoon.games.library import create_logged_match, read_intakes

    reader = LogReader(log)
    match = create_logged_match(reader)
    try:
        counted = load_kind(match.game).counted_kind
        turns = {record.get("turn") for record in reader.records if record["kind"] == counted}
        send(len(turns))
        send(load_kind(match.game).review_match(match, read_intakes(reader), send, think_s))
    finally:
        match.close()
