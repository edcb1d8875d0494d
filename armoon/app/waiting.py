"""Animated waiting: slow work in a thread of its own, work done in advance, and the pictures shown meanwhile."""

from __future__ import annotations

import contextvars
import math
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from armoon.camera.seat import Seat
from armoon.clock import TICKS_PER_SECOND
from armoon.games import game_names, game_options
from armoon.games.contract.capabilities import bare_table
from armoon.games.contract.kind import kind_of
from armoon.messages import text
from armoon.processes.child import prepare_children
from armoon.processes.memory import give_back
from armoon.settings.options import PlayOptions
from armoon.values.choices import CameraWay, Way
from armoon.values.drawing import WIDE, Drawing, Mark, Sign
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.scene import Scene, SceneHud

Worked = TypeVar("Worked")

#: Interval of the animation, seconds; shorter waits show none.
PICTURE_S = 0.05
#: The light on the ring goes round once in this time, over this many dots.
_ROUND_S = 1.2
_DOTS = 12


def worked_out(work: Callable[[], Worked], meanwhile: Callable[[], None]) -> Worked:
    """Run ``work`` in a thread, calling ``meanwhile`` again and again; return its result or raise its error.

    To be called in the main thread, which alone draws and hears keys; ``work`` may do neither.
    """
    prepare_children()  # only the main thread can
    done: Future[Worked] = Future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            done.set_result(context.run(work))
        except BaseException as error:  # raised by the waiting thread
            done.set_exception(error)

    threading.Thread(target=run, name="preparing", daemon=True).start()
    while True:
        with suppress(TimeoutError):
            return done.result(PICTURE_S)
        if done.done():
            return done.result()
        meanwhile()


def warm_up(seat: Seat, options: PlayOptions) -> threading.Thread:
    """Works out the meshes of every game beside whatever else starts, so that none is waited for later."""

    def run() -> None:
        from armoon.view.scene.cloud_mesh import cloud_mesh
        from armoon.view.scene.ladder_mesh import ladder_mesh
        from armoon.view.scene.tiers import LITE

        with suppress(Exception):  # a later caller works it out again, and reports the fault
            for name in game_names():
                own = replace(options, game=name, game_options=game_options(name)())
                viewed = bare_table(kind_of(name), seat, own)
                for ladder in () if viewed.ladders is None else viewed.ladders.ladders:
                    ladder_mesh(ladder, bevelled=LITE.bevelled)
                if viewed.base is not None:
                    cloud_mesh(viewed.base, LITE.cloud_subdivisions)
        give_back()

    thread = threading.Thread(target=run, name="meshes", daemon=True)
    thread.start()
    return thread


def title_scene(now_s: float, banner: str = "") -> Scene:
    """Return the empty table, with nothing on the glass but perhaps a banner."""
    hud = SceneHud(banner=banner)
    return Scene(tick=round(now_s * TICKS_PER_SECOND), pieces=(), hands=(), hud=hud)


def preparing_page(now_s: float, looks: CameraWay, way: Way) -> Page:
    """Return the page that names what is being prepared: the table, and a hand where one plays before the camera.

    A light goes round a ring of dots. Nothing on the page fills up, since nobody knows how long it takes.
    """
    hand = looks is CameraWay.DEMO or (looks is CameraWay.REAL and way is Way.HAND)
    words = text("start.preparing" if hand else "start.preparing_table")
    said = Widget("preparing", WidgetKind.CARD, Rect(0.18, 0.52, 0.64, 0.20), "armoon", words)
    place = Rect(0.425, 0.30, 0.15, 0.20)
    ring = Widget("ring", WidgetKind.PICTURE, place, drawing=_ring(now_s / _ROUND_S % 1.0))
    return Page("preparing", (ring, said), 0.9, moon=True)


def _ring(lit: float) -> Drawing:
    """Return dots on a circle, the brightest at ``lit`` of the way round, and those behind it ever fainter."""
    dots = []
    for k in range(_DOTS):
        angle, bright = 2.0 * math.pi * k / _DOTS, 1.0 - (lit - k / _DOTS) % 1.0
        centre = (WIDE / 2.0 + 0.38 * math.sin(angle), 0.5 - 0.38 * math.cos(angle))
        size = 0.03 + 0.03 * bright
        dots.append(Mark(Sign.DISC, centre, (size, size), (1.0, 0.93, 0.74, 0.2 + 0.8 * bright)))
    return Drawing(tuple(dots), framed=False)
