"""The red recording dot and a party's address are shown in the window, but not in films and streams."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.arrays import Picture
from support.screens_kit import ADDRESS, CODE, fresh

from armoon import messages
from armoon.app.pictures import Pictures
from armoon.gl import HeadlessSurface
from armoon.messages import LANGUAGES
from armoon.screens.events import PartyState
from armoon.screens.machine import build_page
from armoon.screens.state import PageName
from armoon.sinks.sink import LazyValue, Moment, OutputChannel
from armoon.values.page import Page
from armoon.values.scene import Scene, SceneHud

pytestmark = pytest.mark.gl

CACHE: dict[Any, Any] = {}
SURFACE = (1280, 720, CACHE)


class FakeWindow:
    def __init__(self, size: tuple[int, int]) -> None:
        from armoon.gl import make_sampled_target

        self.size, self.target = size, make_sampled_target(*size)
        self.shown: Picture | None = None

    def begin_frame(self) -> tuple[int, int, int, int]:
        self.target.use()
        self.target.clear(0.2, 0.3, 0.5, 1.0)
        return (0, self.size[1] // 8, self.size[0], self.size[1] // 2)  # with bars above and below

    def end_frame(self) -> None:
        from armoon.gl import read_bgr

        self.shown = read_bgr(*self.size)


def draw_window_and_film(
    surface: HeadlessSurface, size: tuple[int, int], ways: tuple[OutputChannel, ...], page: Page | None = None
) -> tuple[Picture, Picture]:
    from armoon.view.pages import PageView

    surface.make_current()
    window = FakeWindow(size)
    renderer = SimpleNamespace(
        width=size[0],
        height=size[1] // 2,
        has_surroundings=False,
        resize=lambda *_: None,
        draw_scene=lambda *_, **__: None,
    )
    pages = None if page is None else PageView(*size)
    pictures: Any = Pictures(renderer, window, None, pages, should_read_back=True)  # type: ignore[arg-type]
    scene = Scene(0, (), (), SceneHud())
    image = np.zeros((4, 4, 3), np.uint8)
    moment = Moment(0.0, scene=LazyValue(lambda: scene), image=image, page=page, shown=True, channels=ways)
    pictures.process(moment)
    assert window.shown is not None
    return window.shown, pictures.picture()


def find_red_pixels(picture: Picture) -> Any:
    blue, green, red = (picture[..., k].astype(int) for k in range(3))
    return np.argwhere((red > 200) & (green < 80) & (blue < 80))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (400, 700)], ids=str)
def test_the_dot_is_in_the_window_and_not_in_the_film(
    surface: HeadlessSurface, size: tuple[int, int], language: str
) -> None:
    messages.set_language(language)
    shown, film = draw_window_and_film(surface, size, (OutputChannel.FILM, OutputChannel.STREAM))
    places = find_red_pixels(shown)
    assert len(places) >= 40, "the dot is visible"
    assert places[:, 0].max() < 0.07 * size[1], "the dot is at the upper edge"
    white = np.argwhere(shown.min(axis=2) > 230)
    assert white[:, 1].max() < size[0] * 0.75
    assert white[:, 1].min() > places[:, 1].max(), "the text is right of the dot"
    assert len(find_red_pixels(film)) == 0


def test_no_dot_is_shown_without_film_or_stream(surface: HeadlessSurface) -> None:
    shown, film = draw_window_and_film(surface, (640, 360), ())
    assert len(find_red_pixels(shown)) == 0
    assert np.array_equal(shown, film)


@pytest.mark.parametrize("size", [(640, 360), (400, 700)], ids=str)
def test_the_page_with_a_partys_address_is_only_in_the_window(
    surface: HeadlessSurface, size: tuple[int, int]
) -> None:
    screens = replace(fresh().go_to(PageName.PARTY), aspect=size[0] / size[1], height_px=size[1])
    without_page, _ = draw_window_and_film(surface, size, ())
    page = build_page(screens)
    shown, film = draw_window_and_film(surface, size, (), page)
    assert np.array_equal(shown, film), "a page without an address may be filmed"
    assert not np.array_equal(film, without_page)
    for party in (PartyState(True, True, ADDRESS, CODE), PartyState(True, join_address=ADDRESS)):
        shown, film = draw_window_and_film(surface, size, (), build_page(replace(screens, party_state=party)))
        assert not np.array_equal(shown, without_page)
        assert np.array_equal(film, without_page)
