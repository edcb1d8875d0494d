"""Pages as pictures: every text is inside its widget and readable, in windows of different shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from support.arrays import Picture
from support.hud_kit import check_text_fits
from support.screens_kit import every_page, fresh, in_game, resize

from armoon import messages
from armoon.gl import HeadlessSurface
from armoon.screens.events import CameraStatus
from armoon.screens.machine import build_page, get_plan, rest_hand
from armoon.screens.state import PageName
from armoon.values.choices import CameraWay, Language, TextSize
from armoon.values.page import Page, WidgetKind

pytestmark = pytest.mark.gl

WINDOWS = [(1280, 720), (640, 360), (400, 700)]
#: Minimum text size by window, in pixels, readable at arm's length; the longest name beside seven tears has it.
MIN_PX = {(1280, 720): 16.0, (640, 360): 9.5, (400, 700): 10.0}
#: Minimum median text size of a page by window, in pixels.
USUAL_PX = {(1280, 720): 24.0, (640, 360): 14.0, (400, 700): 15.0}
#: Maximum ratio of two text sizes of a page's foot buttons; very long words are smaller.
MAX_FOOT_RATIO = 1.12
VIEWS: dict[tuple[int, int], Any] = {}
SURFACE = (1280, 720, VIEWS)


def draw_page(surface: HeadlessSurface, page: Page, size: tuple[int, int]) -> tuple[Any, Picture]:
    from armoon.gl import make_sampled_target, read_bgr
    from armoon.view.pages import PageView

    surface.make_current()
    if size not in VIEWS:
        VIEWS[size] = (PageView(*size), make_sampled_target(*size))
    view, target = VIEWS[size]
    target.use()
    target.clear(0.35, 0.35, 0.35, 1.0)
    view.draw_page(page)
    target.use()
    return view, read_bgr(*size)


@pytest.mark.parametrize(
    ("text_size", "size", "language"),
    [
        # French words are longer.
        (TextSize.NORMAL, (640, 360), "fr"),
        (TextSize.NORMAL, (400, 700), "fr"),
        pytest.param(TextSize.LARGEST, (640, 360), "fr", marks=pytest.mark.slow),
        pytest.param(TextSize.NORMAL, (1280, 720), "fr", marks=pytest.mark.long),
    ],
)
def test_every_text_fits_its_widget_and_is_readable(
    surface: HeadlessSurface, text_size: TextSize, size: tuple[int, int], language: str
) -> None:
    messages.set_language(language)
    view, _ = draw_page(surface, build_page(fresh()), size)
    pages = [(name, next(resize(state, size, language, text_size))) for name, state in every_page()]
    # An icon shows its text while a pointer rests on it.
    pages += [
        (f"{name} {widget.name}", replace(screens, hover=widget.rect.centre))
        for name, screens in pages
        for widget in build_page(screens).widgets
        if name.startswith("table") and widget.kind is WidgetKind.BUTTON and widget.drawing is not None
    ]
    for name, screens in pages:
        page = build_page(screens)
        view.lay_out(page)
        sizes = []
        for key, line in view.texts.items():
            widget = next(w for w in page.widgets if key == w.name or key.startswith(f"{w.name}."))
            if line.text in ("‹", "›"):
                continue
            check_text_fits(view, key, widget, name)
            assert line.size >= MIN_PX[size], (name, key, line.text, line.size)
            sizes.append(line.size)
        foot_sizes = [view.texts[item.widget.name].size for item in get_plan(screens).items if item.at_foot]
        if foot_sizes and text_size is TextSize.NORMAL:
            assert max(foot_sizes) <= MAX_FOOT_RATIO * min(foot_sizes), (name, foot_sizes)
        if sizes or page.name not in ("table", "tower"):  # these two may have no text
            assert np.median(sizes) >= USUAL_PX[size] * (0.6 if page.name == "table" else 1.0), name


def test_dwelling_and_focus_are_visible(surface: HeadlessSurface) -> None:
    size = (640, 360)
    screens = fresh()
    play = build_page(screens)["play"].rect
    box = (
        slice(round(play.y * 360), round((play.y + play.height) * 360)),
        slice(round(play.x * 640), round((play.x + play.width) * 640)),
    )
    plain = draw_page(surface, build_page(screens), size)[1][box].astype(int)
    filled = []
    for _ in range(3):
        screens, _ = rest_hand(screens, (play.x + 0.9 * play.width, play.centre[1]), 0.2)
        picture = draw_page(surface, build_page(screens), size)[1][box].astype(int)
        filled.append(int((np.abs(picture - plain).max(axis=2) > 20).sum()))
    assert 0 < filled[0] < filled[1] < filled[2]
    focused = replace(fresh(), focus_shown=True)
    focused_picture = draw_page(surface, build_page(focused), size)[1][box].astype(int)
    assert (focused_picture[..., 2] - focused_picture[..., 0]).max() > 60


def test_the_game_is_visible_through_its_own_page_and_not_through_the_title(surface: HeadlessSurface) -> None:
    _, table = draw_page(surface, build_page(in_game(fresh())), (640, 360))
    assert (table[:150] == 89).all()
    _, title = draw_page(surface, build_page(fresh()), (640, 360))
    assert title[20:60, 20:60].mean() < 50
    assert title[60:160, 450:540].mean() > title[60:160, 20:60].mean() + 40


def test_a_page_that_was_only_laid_out_leaves_nothing_in_the_shown_one(surface: HeadlessSurface) -> None:
    title = build_page(fresh())
    view, first = draw_page(surface, title, (640, 360))
    view.lay_out(build_page(fresh().go_to(PageName.OPTIONS)))
    assert (draw_page(surface, title, (640, 360))[1] == first).all()


@pytest.mark.parametrize("size", WINDOWS)
def test_webcams_of_the_same_name_show_pictures(surface: HeadlessSurface, size: tuple[int, int]) -> None:
    colours = {"0": (40, 40, 220), "2": (40, 220, 40)}
    pictures = tuple(
        (name, cv2.imencode(".jpg", np.full((180, 320, 3), colour, np.uint8))[1].tobytes())
        for name, colour in colours.items()
    )
    webcams = (("0", "BRIO"), ("1", "Integrated Camera"), ("2", "BRIO"))
    cameras = CameraStatus(CameraWay.NONE, "none", webcams, pictures=pictures)
    page = build_page(next(resize(replace(fresh(), camera=cameras).go_to(PageName.CAMERA), size)))
    picture = draw_page(surface, page, size)[1].astype(int)
    for name, colour in colours.items():
        rect = page[f"webcam {name}"].rect
        x, y = round((rect.x + 0.15 * rect.width) * size[0]), round(rect.centre[1] * size[1])
        assert np.abs(picture[y, x] - colour).max() < 20, name


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("language", Language)
def test_the_title_shows_both_games_and_at_most_eight_buttons_of_one_size(
    surface: HeadlessSurface, size: tuple[int, int], language: Language
) -> None:
    messages.set_language(language)
    for name, state in every_page():
        if state.page is PageName.TITLE:
            (screen,) = resize(state, size, language)
            page, buttons = (
                build_page(screen),
                [item.widget for item in get_plan(screen).items if item.is_live],
            )
            view, picture = draw_page(surface, page, size)
            assert {"play", "moon", "lake", "settings"} < {button.name for button in buttons}, name
            assert len(buttons) <= 8, name
            assert len({view.texts[button.name].size for button in buttons}) == 1, name
    without_photos = replace(page, widgets=tuple(replace(widget, photo="none") for widget in page.widgets))
    changed = np.abs(picture.astype(int) - draw_page(surface, without_photos, size)[1]).max(axis=2) > 12
    for rect in (page["moon"].rect, page["lake"].rect):
        x, y = round(rect.centre[0] * size[0]), round((rect.y + 0.4 * rect.height) * size[1])
        assert changed[y - 20 : y + 20, x - 20 : x + 20].mean() > 0.6
