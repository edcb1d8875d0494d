"""Whatever the size and shape of a picture, no panel on the glass lies on another, and none leaves it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from support.gl_kit import headless
from support.glass_kit import FULL, USUAL
from support.screens_kit import as_seen, every_page

from armoon.gl.surface import HeadlessSurface
from armoon.screens.machine import page_of
from armoon.values.choices import TextSize
from armoon.values.page import Page
from armoon.values.scene import SceneHud

pytestmark = pytest.mark.gl

SIZES = (
    (480, 270),
    (640, 360),
    (640, 480),
    (1280, 720),
    (1920, 1080),
    (2560, 1080),
    (3840, 2160),
    (270, 480),
    (360, 640),
    (720, 720),
    (1080, 1920),
    (2160, 3840),
)
HUDS: dict[str, Any] = {}


@pytest.fixture(scope="module")
def surface() -> Iterator[HeadlessSurface]:
    yield from headless(64, 64, HUDS)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("hud", [USUAL, FULL], ids=["usual", "full"])
def test_no_panel_lies_on_another(surface: HeadlessSurface, size: tuple[int, int], hud: SceneHud) -> None:
    from armoon.view.pages.hud import Hud

    surface.make_current()
    drawn = Hud(*size)
    drawn.draw(hud)
    assert len(drawn.boxes) >= 8
    for one, other in itertools.combinations(drawn.boxes, 2):
        across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
        up = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
        assert across <= 0.5 or up <= 0.5, (one, other)
    for x, y, width, height in drawn.boxes:
        assert x >= 0.0
        assert y >= 0.0
        assert x + width <= size[0] + 0.5
        assert y + height <= size[1] + 0.5
    unit_px = min(size) / 720.0
    smallest = min(line.size for line in drawn.texts.values())
    assert smallest >= max(4.7, 6.0 * unit_px), "it can be read"


def table_pages(size: tuple[int, int]) -> Iterator[tuple[str, Page]]:
    """The table with all that its page can have at once, in a game of two teams' worth of players and in practice."""
    for name, state in every_page():
        if name.startswith("table"):
            for text_size in TextSize:
                seen = next(as_seen(replace(state, can_repeat=True), size, text_size=text_size))
                yield f"{name} {text_size}", page_of(seen)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("hud", [USUAL, FULL], ids=["usual", "full"])
def test_the_strip_of_keys_covers_no_button_of_the_table(
    surface: HeadlessSurface, size: tuple[int, int], hud: SceneHud
) -> None:
    from armoon.view.pages.hud import Hud

    surface.make_current()
    drawn = Hud(*size)
    drawn.draw(hud)
    assert "keys" in drawn.texts
    strip = min(drawn.boxes, key=lambda box: box[1])
    for name, page in table_pages(size):
        for widget in page.widgets:
            low = (1.0 - widget.rect.y - widget.rect.height) * size[1]
            assert low >= strip[1] + strip[3], (name, widget.name)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_button_of_the_table_lies_on_a_panel_that_stays(
    surface: HeadlessSurface, size: tuple[int, int]
) -> None:
    """In usual letters; larger ones leave the table its pause alone. A verdict's card goes by itself."""
    from armoon.view.pages.hud import Hud

    surface.make_current()
    usual = replace(USUAL, verdict_text="", verdict_good=None)
    for name, state in every_page():
        if not name.startswith("table"):
            continue
        players = usual.players[:1] if state.practice else usual.players
        drawn = Hud(*size)
        drawn.draw(replace(usual, players=players))
        page = page_of(next(as_seen(replace(state, can_repeat=True), size, text_size=TextSize.NORMAL)))
        for widget in page.widgets:
            x, high = widget.rect.x * size[0], (1.0 - widget.rect.y) * size[1]
            right, low = x + widget.rect.width * size[0], high - widget.rect.height * size[1]
            for box in drawn.boxes:
                across = min(right, box[0] + box[2]) - max(x, box[0])
                up = min(high, box[1] + box[3]) - max(low, box[1])
                assert across <= 1.0 or up <= 1.0, (name, widget.name, box)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_buttons_of_the_table_are_beside_what_stands_below_them(
    surface: HeadlessSurface, size: tuple[int, int]
) -> None:
    """Ladders left stand in the corner under the left edge's buttons, with the strip of keys and without."""
    from armoon.view.pages.hud import Hud

    surface.make_current()
    for keys in ("", USUAL.keys):
        drawn = Hud(*size)
        drawn.draw(SceneHud(ladders_left_text="16 ladders left", keys=keys))
        corner = max(drawn.boxes, key=lambda box: box[1])
        for name, page in table_pages(size):
            for widget in page.widgets:
                low = (1.0 - widget.rect.y - widget.rect.height) * size[1]
                above = low >= corner[1] + corner[3] - 0.5
                assert above or widget.rect.x * size[0] >= corner[0] + corner[2], (name, keys, widget.name)
