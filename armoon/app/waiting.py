"""Animated waiting: slow work in a thread of its own, work done in advance, and the pictures shown meanwhile."""

from __future__ import annotations

import contextvars
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
from armoon.settings.options import PlayOptions
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.scene import Scene, SceneHud

Worked = TypeVar("Worked")

#: Interval of the animation, seconds; shorter waits show none.
PICTURE_S = 0.05
#: The ring of dots goes round once in this time.
_ROUND_S = 1.2


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

    thread = threading.Thread(target=run, name="meshes", daemon=True)
    thread.start()
    return thread


def title_scene(now_s: float, banner: str = "") -> Scene:
    """Return the empty table, with nothing on the glass but perhaps a banner."""
    hud = SceneHud(banner=banner)
    return Scene(tick=round(now_s * TICKS_PER_SECOND), pieces=(), hands=(), hud=hud)


def preparing_page(now_s: float) -> Page:
    """Return the page that names what is being prepared, under a turning ring of dots."""
    part = now_s % _ROUND_S / _ROUND_S
    card = Rect(0.18, 0.52, 0.64, 0.20)
    said = Widget("preparing", WidgetKind.CARD, card, "armoon", text("start.preparing"), dwell=part)
    return Page("preparing", (said,), 0.9, pointer=(0.5, 0.40), moon=True)
