"""The sink that draws pictures: a window or an offscreen surface, with its renderer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from armoon.camera.sources import is_blank
from armoon.errors import ArmoonError
from armoon.games.contract import RenderSetup
from armoon.messages import text
from armoon.settings.preferences import Preferences
from armoon.sinks.sink import Moment, OutputChannel, Picture, Sink, WindowLostError
from armoon.values.choices import FramingName
from armoon.values.page import Page, Rect
from armoon.values.poses import Pose, Vec2
from armoon.values.scene import Scene
from armoon.world.base import LID_X_M, LID_Y_M, UPRIGHT_X_M, UPRIGHT_Y_M

if TYPE_CHECKING:
    from armoon.app.frames import LiveSource
    from armoon.gl import HeadlessSurface
    from armoon.view.gamepads import Gamepads
    from armoon.view.pages import PageView, SharingIndicator
    from armoon.view.scene.renderer import Renderer
    from armoon.view.scene.tiers import TierController
    from armoon.view.window import GameWindow, MousePointer

#: Time budget for drawing a frame, in milliseconds; the rest of 1/60 s is for tracker and physics.
BUDGET_MS = 12.0
#: Maximum number of characters in a file of gamepad mappings; SDL's file of all known pads has half as many.
MAX_MAPPINGS_CHARS = 1_000_000
#: Maximum zoom into the camera's picture.
MAX_ZOOM = {FramingName.WHOLE: 1.0, FramingName.GENTLE: 1.2, FramingName.NEAR: 1.7}


@dataclass
class Pictures(Sink):
    """Draws moments into either ``window`` or ``surface``."""

    renderer: Renderer
    window: GameWindow | None
    surface: HeadlessSurface | None = None
    pages: PageView | None = None
    tiers: TierController | None = None
    live: LiveSource | None = None
    """The source whose tracker is slowed down if even the lowest tier is too slow."""
    should_read_back: bool = False
    """Whether pictures are read back for a film or a stream."""
    should_keep_still: bool = False
    """Whether to keep the next picture as a still, without the page over it."""
    _last: Picture | None = None
    _still: Picture | None = None
    _indicator: SharingIndicator | None = None

    @property
    def size(self) -> tuple[int, int]:
        return (self.renderer.width, self.renderer.height) if self.window is None else self.window.size

    @property
    def name(self) -> str:
        return text("sink.name.window" if self.window is not None else "sink.name.picture")

    def select(self, moment: Moment) -> Moment | None:
        self._last = None
        return moment if moment.shown and moment.scene is not None and moment.image is not None else None

    def process(self, data: Moment) -> None:
        """Draw a moment. Raises WindowLostError if the window no longer works."""
        assert data.scene is not None
        assert data.image is not None
        try:
            self.draw_picture(data.scene(), data.image, data.page, data.channels)
        except Exception as error:
            if self.window is None:
                raise
            reason = error.what if isinstance(error, ArmoonError) else f"{type(error).__name__}: {error}"
            raise WindowLostError("fault.display.lost", why=reason) from error

    def picture(self) -> Picture | None:
        """Return this moment's picture (h, w, 3), BGR, if it was read back."""
        return self._last

    def take_still(self) -> Picture | None:
        picture, self._still = self._still, None
        return picture

    def draw_picture(
        self, scene: Scene, frame: Picture, page: Page | None = None, channels: tuple[OutputChannel, ...] = ()
    ) -> None:
        if self.window is not None:
            has_background = self.renderer.has_surroundings or scene.room is not None
            self.window.fills_window = has_background and is_blank(frame)
            x, y, width, height = self.window.begin_frame()
            start_s = time.perf_counter()
            self.renderer.resize(width, height)
            self.renderer.draw_scene(scene, frame, (x, y), whole=self.size)
            self._adapt(scene, start_s)
            keeps_still, self.should_keep_still = self.should_keep_still, False
            if keeps_still:
                self._still = self._read_pixels()
            if self.pages is not None and (self.pages.width, self.pages.height) != self.size:
                self.pages.resize(*self.size)
            self._draw_page(page)
            if channels:
                self._draw_sharing_indicator(channels)
            if not keeps_still:  # a picture without its page must never be visible
                self.window.end_frame()
        elif self.surface is not None:
            start_s = time.perf_counter()
            self.surface.make_current()
            self.renderer.draw_scene(scene, frame)
            if self.live is not None:  # films made in lock step must look the same on any machine
                self._adapt(scene, start_s)
            self._draw_page(page)

    def _adapt(self, scene: Scene, start_s: float) -> None:
        """Adapt tier and tracker to the drawing time of this picture, unless they are fixed."""
        if self.tiers is not None:
            is_falling = scene.slow_fall is not None and not scene.held
            ms = (time.perf_counter() - start_s) * 1000.0
            self.renderer.set_tier(self.tiers.add_frame(start_s, ms, is_falling=is_falling))
            if self.live is not None:
                self.live.set_stride(self.tiers.tracker_every)

    def open_pages(self) -> None:
        from armoon.view.pages import PageView

        self.pages = PageView(*self.size)

    def _draw_page(self, page: Page | None) -> None:
        """Draw the page over the picture; films and streams don't include a private page."""
        is_private = page is not None and page.window_only
        if self.should_read_back and is_private:
            self._last = self._read_pixels()
        if page is not None and self.pages is not None:
            self.pages.draw_page(page)
        if self.should_read_back and not is_private:
            self._last = self._read_pixels()

    def _read_pixels(self) -> Picture:
        if self.surface is not None:
            return self.surface.read_bgr()
        from armoon.gl import read_bgr

        return read_bgr(*self.size)

    def _draw_sharing_indicator(self, channels: tuple[OutputChannel, ...]) -> None:
        from armoon.view.pages import SharingIndicator

        self._indicator = self._indicator or SharingIndicator()
        words = " · ".join(text(f"leaves.{channel.value}") for channel in channels)
        self._indicator.draw_indicator(words, *self.size)

    def choose_tier(self, tier: str) -> None:
        """Set the tier; ``"auto"`` measures the best one for this machine, and adapts it later."""
        from armoon.view.scene.tier_choice import choose_tier, warm_up
        from armoon.view.scene.tiers import TierController

        if self.live is not None:
            self.live.set_stride(1)
        if tier != "auto":
            self.renderer.set_tier(tier)
            self.tiers = None
            if self.window is not None:
                warm_up(self.renderer)
            return
        best = choose_tier(self.renderer, BUDGET_MS)
        # No higher than the measured tier, so that nothing is compiled during a game.
        self.tiers = TierController(best, BUDGET_MS, highest=best)

    def set_aids(self, preferences: Preferences) -> None:
        from armoon.view.aids import DisplayAids

        self.renderer.aids = DisplayAids(
            drop_line=preferences.show_drop_line,
            halo=preferences.show_halo,
            inset=preferences.show_inset,
            landing=preferences.show_landing,
            see_through=preferences.show_behind_hand,
            calm=preferences.calm,
            uncertainty=preferences.show_uncertainty,
            numbers=preferences.show_numbers,
            listed=preferences.chooses,
            look=preferences.look,
            text_scale=preferences.text_scale,
        )

    def set_free_area(self, *, has_choice_buttons: bool, area: Rect | None) -> None:
        """``has_choice_buttons``: leave them uncovered beside the table; ``area``: the window's part for the game."""
        if (self.renderer.aids.has_choice_buttons, self.renderer.aids.room) != (has_choice_buttons, area):
            self.renderer.aids = replace(self.renderer.aids, has_choice_buttons=has_choice_buttons, room=area)

    def choose_framing(self, framing: FramingName, *, virtual: bool) -> None:
        if framing is FramingName.AUTO:
            framing = FramingName.NEAR if virtual else FramingName.WHOLE
        self.renderer.framing.max_zoom = MAX_ZOOM[framing]

    def to_window(self, place: Vec2) -> Vec2:
        """Convert a point of the camera's picture to the window (both as fractions, from the upper left corner)."""
        area = self._in_window(Rect(*self.renderer.from_camera(place), 0.0, 0.0))
        return (area.x, area.y)

    def _in_window(self, area: Rect) -> Rect:
        if self.window is None:
            return area
        left, low, width, height = self.window.picture_rect
        whole_width, whole_height = self.window.size
        across, down = width / whole_width, height / whole_height
        x, y = left / whole_width + area.x * across, 1.0 - (low + height) / whole_height + area.y * down
        return Rect(x, y, area.width * across, area.height * down)

    def find_text_areas(self) -> tuple[Rect, ...]:
        """Return the areas of texts in the last picture, as fractions of the window."""
        width, height = self.renderer.width, self.renderer.height
        return tuple(
            self._in_window(Rect(x / width, 1.0 - (y + text_h) / height, text_w / width, text_h / height))
            for x, y, text_w, text_h in self.renderer.marks.text_boxes
        )

    def close(self) -> None:
        with suppress(Exception):  # closing a lost OpenGL context fails
            if self.window is not None:
                self.window.close()
            if self.surface is not None:
                self.surface.close()


def open_pictures(
    view: RenderSetup,
    *,
    headless: bool,
    title: str,
    on_key: Callable[[str, bool], None] = lambda name, pressed: None,
    on_pointer: Callable[[MousePointer], None] = lambda pointer: None,
) -> Pictures:
    """Return a window, or with ``headless`` an offscreen surface. Raises DisplayError without OpenGL or a display."""
    width, height = view.camera.width, view.camera.height
    window: GameWindow | None = None
    surface: HeadlessSurface | None = None
    # At its first import, pyglet decides whether there is a screen, so the surface or window must be created first.
    if headless:
        from armoon.gl import HeadlessSurface

        surface = HeadlessSurface(width, height)
    else:
        from armoon.view.window import open_window

        window = open_window(width, height, title)
        window.set_handlers(on_key, on_pointer)
    renderer = make_renderer(view, width, height)
    if window is not None:
        _, _, width, height = window.begin_frame()
        renderer.resize(width, height)
    return Pictures(renderer, window, surface)


def make_renderer(view: RenderSetup, width: int, height: int) -> Renderer:
    """Return a renderer for this game in the current OpenGL context, ``width`` x ``height`` pixels."""
    from armoon.view.scene.renderer import Renderer

    lid_x_m = LID_X_M if view.base is None else view.base.lid_x_m
    upright = Pose((UPRIGHT_X_M * lid_x_m / LID_X_M, UPRIGHT_Y_M, 0.0))
    return Renderer(
        view.ladders,
        view.base,
        view.camera,
        view.table_from_camera,
        view.mirrored,
        width,
        height,
        lid=Pose((lid_x_m, LID_Y_M, 0.0)) if view.base is not None and view.lid else None,
        upright=(upright, view.line_m) if view.line_m > 0.0 else None,
        board=None if view.bodies is None else view.bodies(),
        backdrop=None if view.backdrop is None else view.backdrop(),
        socle=view.socle,
        scenery=view.scenery,
    )


def open_gamepads(
    on_button: Callable[[str, bool], None],
    on_sticks: Callable[[Mapping[str, float]], None],
    mappings: Path | None = None,
) -> Gamepads:
    """Return the gamepads. Raises ArmoonError if the mappings can't be read."""
    from armoon.view.gamepads import Gamepads

    content = ""
    if mappings is not None:
        try:
            content = mappings.read_text(encoding="utf-8", errors="replace")[:MAX_MAPPINGS_CHARS]
        except OSError as error:
            raise ArmoonError("pad.mappings", path=mappings) from error
    return Gamepads(on_button, on_sticks, mappings=content)
