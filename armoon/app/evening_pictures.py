"""What an evening shows: the title, the table, the book of figures, and the waiting between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from armoon.app.evening_camera import EveningCamera
from armoon.app.films.again import from_round
from armoon.app.films.book_stage import BookStage
from armoon.app.front import Front
from armoon.app.guiding import things_of
from armoon.app.pictures import Pictures, make_renderer
from armoon.app.sources.part import source_of
from armoon.app.table import Table
from armoon.app.waiting import preparing_page, title_scene
from armoon.camera.frame import unseen
from armoon.camera.seat import Seat
from armoon.games.contract.capabilities import bare_table
from armoon.games.contract.kind import Viewed, kind_of
from armoon.games.contract.strip import besides
from armoon.geometry import CameraModel
from armoon.messages import text
from armoon.processes.memory import give_back
from armoon.screen_reader.tree import Thing
from armoon.screens.state import PageName
from armoon.settings.options import PlayOptions
from armoon.sinks.moment import Moment, Once, Picture
from armoon.values.page import Rect
from armoon.values.poses import Pose
from armoon.values.scene import Scene

if TYPE_CHECKING:
    from armoon.view.scene.renderer import Renderer
    from armoon.view.window import GameWindow

#: Seconds in which the camera goes once round what was built, behind the result.
ROUND_S = 40.0


class EveningPictures:
    """Chooses what the window's renderer draws."""

    def __init__(self, window: GameWindow, front: Front, camera: EveningCamera) -> None:
        """Draw the title behind the pages."""
        from armoon.view.pages.pages import page_view

        self._window, self._front, self._camera = window, front, camera
        self._kept: tuple[Seat, Renderer] | None = None
        """What draws the title, to which players come back again and again."""
        self._book = BookStage()
        self.viewed: Viewed | None = None
        """The game at the table, or the last one."""
        self.sink = Pictures(self._title(), window, None, page_view(*window.size))

    def compose(
        self, table: Table | None, image: Picture, now_s: float, notice: str
    ) -> tuple[Callable[[], Scene], Picture]:
        """Return a function that composes the scene to draw, and the picture it lies over.

        ``image`` is the camera's picture now, (h, w, 3), BGR.
        """
        screens = self._front.screens
        if screens.page is PageName.BOOK:
            return self._book_picture(now_s)
        if self._book.is_open:
            self._book.close()
            self.show_title()
        if table is None:
            return partial(title_scene, now_s, notice), image
        if screens.page is PageName.RESULT and not (screens.preferences.calm or self.sink.still_wanted):
            turning = partial(self._turning, table, now_s, notice)
            return turning, unseen(*self._camera.size)
        wishes, choices = screens.preferences, screens.choices.choices
        self.sink.leave_room(beside=wishes.chooses or table.game.offers or bool(choices))
        table.slows = not screens.preferences.calm
        slow = table.again.slow_scene(now_s)
        again = table.again.picture(now_s) if slow is None else (slow, unseen(*self._camera.size))
        scene, image = (None, image) if again is None else again
        banner = text("pause.asked") if table.controls.paused else notice

        def composed() -> Scene:
            seen = table.scene(banner) if scene is None else scene
            if self._front.shows_glass or self.sink.still_wanted:
                strip = (
                    "" if table.elsewhere else self._front.keys_now(table.game, by_card=bool(seen.hud.keys))
                )
                keys = besides(seen.hud.hint, strip)
                told = " · ".join(words for words in (seen.hud.keys, keys) if words)
                hud = replace(seen.hud, keys=told)
                # The card of a verdict says what the lower edge would, and its buttons stand there.
                return replace(seen, hud=hud.upper if screens.page is PageName.VERDICT else hud)
            return replace(seen, hud=title_scene(now_s, notice).hud)

        return composed, image

    def _turning(self, table: Table, now_s: float, notice: str) -> Scene:
        """Return what was built, seen by a camera that goes round it, with nothing on the glass."""
        scene = from_round(table.scene(""), now_s / ROUND_S * 2.0 * math.pi, 0.5)
        return replace(scene, hud=title_scene(now_s, notice).hud)

    def places(self, scene: Scene) -> tuple[dict[str, Rect], tuple[Thing, ...]]:
        """Return where the glass's texts were drawn last, by name, and the things on the table; parts of the window."""
        viewed = self.viewed
        if viewed is None or not (scene.pieces or scene.board) or scene.seen_from is not None:
            return self.sink.glass_places(), ()
        return self.sink.glass_places(), things_of(viewed, scene, self.sink.window_place)

    def show_title(self) -> None:
        """Draw nothing but the camera's picture behind the pages."""
        self._draw_by(self._title())

    def show_base(self, options: PlayOptions, seat: Seat) -> None:
        """Draw the base on the table that is being found."""
        self.show(bare_table(kind_of(options.game), seat, options))

    def show(self, viewed: Viewed) -> None:
        """Draw these bodies from now on."""
        _, _, width, height = self._window.begin()
        self._draw_by(make_renderer(viewed, width, height))

    def show_game(self, viewed: Viewed) -> None:
        """Draw the game at the table from now on."""
        self.viewed = viewed
        self.show(viewed)
        give_back()

    def see_table(self, pose: Pose, camera: CameraModel) -> None:
        """Note where the table is now, and through which lens."""
        self.sink.renderer.see_table(pose, camera)

    def settle(self, *, virtual: bool) -> None:
        """Draw as the settings page says; ``virtual``: no real table is seen."""
        preferences = self._front.screens.preferences
        self.sink.choose_tier(preferences.tier)
        self.sink.choose_framing(preferences.framing, virtual=virtual)
        self.sink.choose_helps(preferences)

    def preparing(self, now_s: float, camera: str | None = None) -> Moment:
        """Return the moment that shows that the table is being prepared, before this camera (None: the present one)."""
        self._window.pump()  # a window that doesn't answer for seconds looks dead
        looks = source_of(self._camera.options, camera).way
        page = preparing_page(now_s, looks, self._front.screens.preferences.way)
        scene = Once(partial(title_scene, now_s))
        return Moment(now_s, scene=scene, image=unseen(*self._camera.size), page=page, shown=True)

    def _draw_by(self, renderer: Renderer) -> None:
        self.sink.renderer.rest()
        self.sink.renderer = renderer

    def _title(self) -> Renderer:
        seat = self._camera.seat()
        if self._kept is None or self._kept[0] != seat:
            _, _, width, height = self._window.begin()
            self._kept = (seat, make_renderer(Viewed.of(seat), width, height))
        return self._kept[1]

    def _book_picture(self, now_s: float) -> tuple[Callable[[], Scene], Picture]:
        """Return the open page of the book of figures, whose ladders are drawn from now on."""
        screens = self._front.screens
        opened, seat = self._book.is_open, self._camera.seat("table")
        viewed = self._book.open(screens.leaf, seat, tall=screens.tall)
        if viewed is not None and not (opened and self.sink.renderer.ladders == viewed.ladders):
            self.show(viewed)
        return partial(self._book.scene, now_s, calm=screens.preferences.calm), self._book.image
