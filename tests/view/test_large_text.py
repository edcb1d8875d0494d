"""On pages with text 2.5 times as large, every widget is on a screen, inside the window and without overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.hud_kit import check_no_overlaps, check_text_fits
from support.screens_kit import every_page, fresh, resize
from support.session_kit import DEVICES, by_mouse

from armoon import messages
from armoon.gl import HeadlessSurface
from armoon.screens.machine import build_page, get_plan, press_key
from armoon.screens.state import Key, PageName, Screens
from armoon.values.choices import TextSize
from armoon.values.page import WidgetKind, letter_px

#: The smallest and the narrowest window, in French, because its words are longer. Larger windows have more room.
WINDOWS = pytest.mark.parametrize(
    ("size", "language"),
    [
        ((480, 270), "fr"),
        ((400, 700), "fr"),
        pytest.param((480, 270), "en", marks=pytest.mark.long),
        pytest.param((1280, 720), "fr", marks=pytest.mark.long),
    ],
    ids=str,
)
#: Pages over a running game, where text grows only as far as the free part of the window allows.
OVER_THE_TABLE = ("table", "guide")
VIEWS: dict[tuple[int, int], Any] = {}
#: Minimum size of a usual page's letters, in a window 720 px high (see test_pages.py).
MIN_PX = 16.0
#: Minimum ratio of a line's size to the chosen size, because pages are laid out by average widths of letters.
MIN_SIZE_RATIO = 0.9
SURFACE = (1280, 720, VIEWS)


def list_screens(size: tuple[int, int], language: str) -> Iterator[tuple[str, Screens]]:
    for name, state in every_page():
        for number, screen in enumerate(resize(state, size, language, TextSize.ENORMOUS)):
            yield f"{name} {number}", screen


@WINDOWS
def test_no_widget_overlaps_another(size: tuple[int, int], language: str) -> None:
    messages.set_language(language)
    for name, screen in list_screens(size, language):
        check_no_overlaps(build_page(screen), name)


@pytest.mark.gl
@pytest.mark.slow
@WINDOWS
def test_text_is_two_and_a_half_times_as_large(
    surface: HeadlessSurface, size: tuple[int, int], language: str
) -> None:
    from armoon.view.pages import PageView

    messages.set_language(language)
    surface.make_current()
    view = VIEWS.setdefault(size, PageView(*size))
    least = letter_px(MIN_PX, *size) * 2.5 * MIN_SIZE_RATIO
    sizes: list[float] = []
    for name, screen in list_screens(size, language):
        page = build_page(screen)
        view.lay_out(page)
        for key, line in view.texts.items():
            widget = next(w for w in page.widgets if key == w.name or key.startswith(f"{w.name}."))
            if line.text in ("‹", "›") or widget.kind is WidgetKind.PICTURE:
                continue
            check_text_fits(view, key, widget, name)
            if page.name in OVER_THE_TABLE:
                continue
            sizes.append(line.size)
            longest = max(ln.width for k, ln in view.texts.items() if k.split(".")[0] == key.split(".")[0])
            assert line.size >= least or longest >= 0.45 * widget.rect.width * size[0], (name, key, line.text)
    assert np.percentile(sizes, 10) >= least


@pytest.mark.parametrize(
    ("size", "device"), [((480, 270), "mouse"), ((1280, 720), "keys"), ((720, 1280), "pointing")]
)
def test_all_widgets_of_a_page_are_on_its_screens(size: tuple[int, int], device: str) -> None:
    for name, state in every_page():
        usual = {item.widget.name for item in get_plan(next(resize(state, size))).items if item.is_live}
        screen = next(resize(state, size, text_size=TextSize.ENORMOUS))
        offered: set[str] = set()
        while True:
            plan = get_plan(screen)
            offered |= {item.widget.name for item in plan.items if item.is_live}
            next_button = plan.item("later")
            if next_button is None or not next_button.is_live:
                break
            screen, _ = DEVICES[device](screen, "later")
        if state.page is PageName.TABLE:  # only pause and turning stay there; the pause page has the rest
            paused = resize(state.go_to(PageName.PAUSE), size, text_size=TextSize.ENORMOUS)
            offered |= {w.name.replace("_", " ") for screen in paused for w in build_page(screen).widgets}
        assert usual <= offered, name
        if "earlier" in offered and state.page is not PageName.TABLE:
            previous, _ = DEVICES[device](screen, "earlier")
            assert previous.scrolled == (screen.scrolled or 0) - 1, name


def test_back_returns_to_the_screen_with_the_focus() -> None:
    screen = next(resize(fresh().go_to(PageName.SETTINGS), (640, 360), text_size=TextSize.ENORMOUS))
    while "depth" not in {widget.name for widget in build_page(screen).widgets}:
        screen, _ = by_mouse(screen, "later")
    scrolled = screen.scrolled
    inner, _ = by_mouse(screen, "depth")
    assert inner.page is PageName.DEPTH
    assert inner.scrolled is None
    back, _ = press_key(inner, Key.ESCAPE)
    assert back.page is PageName.SETTINGS
    assert {w.name for w in build_page(back).widgets} == {w.name for w in build_page(screen).widgets}
    assert scrolled is not None
    assert scrolled > 0
