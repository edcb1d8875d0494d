"""Where pictures go: a window or an offscreen surface with its renderer, and the recording that follows."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armoon.games.kind import Viewed
from armoon.party.recorder import Recorder
from armoon.values.page import Page
from armoon.values.poses import Pose, Vec2
from armoon.values.scene import Scene
from armoon.world.layout import LID_X_M, LID_Y_M

if TYPE_CHECKING:
    from armoon.gl.surface import HeadlessSurface
    from armoon.view.pages.pages import PageView
    from armoon.view.scene.renderer import Renderer
    from armoon.view.scene.tiers import TierKeeper
    from armoon.view.window import GameWindow, Pointer

Picture = npt.NDArray[np.uint8]
LID = Pose((LID_X_M, LID_Y_M, 0.0))
#: A frame may take this long to draw: at 60 a second that leaves the rest to tracker and physics.
BUDGET_MS = 12.0
#: A window opens at least this high, whatever the camera gives: small pictures are scaled up.
WINDOW_HEIGHT_PX = 720


@dataclass
class Pictures:
    """Draws scenes; exactly one of ``window`` and ``surface`` is there."""

    renderer: Renderer
    window: GameWindow | None
    surface: HeadlessSurface | None
    recorder: Recorder | None
    pages: PageView | None = None
    """Draws the screens over the whole window, where there are any."""
    tiers: TierKeeper | None = None
    """Changes the tier by itself when frames run late; None: it stays."""

    def draw(self, scene: Scene, frame: Picture, time_s: float, page: Page | None = None) -> None:
        """Draw, show and record one picture, with a page over it."""
        if self.window is not None:
            x, y, width, height = self.window.begin()
            start_s = time.perf_counter()
            self.renderer.resize(width, height)
            self.renderer.draw(scene, frame, (x, y))
            if self.tiers is not None:
                self.renderer.set_tier(self.tiers.frame(start_s, (time.perf_counter() - start_s) * 1000.0))
            if page is not None and self.pages is not None:
                if (self.pages.width, self.pages.height) != self.window.size:
                    self.pages.resize(*self.window.size)
                self.pages.draw(page)
            self._record(time_s)
            self.window.show()
        elif self.surface is not None:
            self.surface.make_current()
            self.renderer.draw(scene, frame)
            self._record(time_s)

    def _record(self, time_s: float) -> None:
        if self.recorder is None:
            return
        if self.surface is not None:
            self.recorder.write(self.surface.read_bgr(), time_s)
        else:
            from armoon.gl.memory import read_bgr

            self.recorder.write(read_bgr(self.renderer.width, self.renderer.height), time_s)

    def choose_tier(self, wanted: str) -> None:
        """Draw in this tier; ``"auto"`` measures which one this machine can draw, and follows what it can."""
        from armoon.view.scene.choosing import choose_tier
        from armoon.view.scene.tiers import TierKeeper

        if wanted != "auto":
            self.renderer.set_tier(wanted)
            self.tiers = None
            return
        chosen = choose_tier(self.renderer, BUDGET_MS)
        # No higher than what was measured: nothing is compiled in the middle of a game.
        self.tiers = TierKeeper(chosen, BUDGET_MS, highest=chosen)

    def window_place(self, place: Vec2) -> Vec2:
        """A place of the shown picture, in parts of it from its upper left corner, in parts of the window."""
        if self.window is None:
            return place
        x, y, width, height = self.window.place
        whole_width, whole_height = self.window.size
        top = whole_height - y - height
        return ((x + place[0] * width) / whole_width, (top + place[1] * height) / whole_height)

    def close(self) -> None:
        """Finish the recording, then let go of the screen."""
        try:
            if self.recorder is not None:
                self.recorder.close()
        finally:
            with suppress(Exception):  # a context that is gone already needs no closing
                if self.window is not None:
                    self.window.close()
                if self.surface is not None:
                    self.surface.close()


def open_pictures(
    viewed: Viewed,
    *,
    headless: bool,
    record: Path | None,
    rate_hz: float,
    title: str,
    on_key: Callable[[str, bool], None] = lambda name, pressed: None,
    on_pointer: Callable[[Pointer], None] = lambda pointer: None,
) -> Pictures | None:
    """A window, an offscreen surface when only a recording is wanted, or None when nobody looks.

    Raises DisplayError without OpenGL or a display, ArmoonError when the recording can't be written.
    """
    if headless and record is None:
        return None
    width, height = viewed.camera.width, viewed.camera.height
    window: GameWindow | None = None
    surface: HeadlessSurface | None = None
    # pyglet decides at its first import whether there is a screen: the surface or window comes first.
    if headless:
        from armoon.gl.surface import HeadlessSurface

        surface = HeadlessSurface(width, height)
    else:
        window = open_window(width, height, title, on_key, on_pointer)
    renderer = make_renderer(viewed, width, height)
    if window is not None:
        _, _, width, height = window.begin()
        renderer.resize(width, height)
    recorder = None if record is None else Recorder(record, width, height, rate_hz)
    return Pictures(renderer, window, surface, recorder)


def make_renderer(viewed: Viewed, width: int, height: int) -> Renderer:
    """What draws this game's scenes, ``width`` x ``height`` pixels large, in the context that is current.

    Without a base there is neither lid nor moon.
    """
    from armoon.view.scene.renderer import Renderer

    return Renderer(
        viewed.ladders,
        viewed.base,
        viewed.camera,
        viewed.table_from_camera,
        viewed.mirrored,
        width,
        height,
        lid=None if viewed.base is None else LID,
        moon=viewed.base is not None,
        board=None if viewed.bodies is None else viewed.bodies(),
    )


def open_window(
    width: int,
    height: int,
    title: str,
    on_key: Callable[[str, bool], None],
    on_pointer: Callable[[Pointer], None],
    on_text: Callable[[str], None] = lambda letter: None,
) -> GameWindow:
    """A window for pictures of this shape, large enough to be read. Raises DisplayError without a display."""
    from armoon.view.window import GameWindow

    shown = max(height, WINDOW_HEIGHT_PX)
    return GameWindow(
        shown * width // height, shown, title, on_key=on_key, on_pointer=on_pointer, on_text=on_text
    )
