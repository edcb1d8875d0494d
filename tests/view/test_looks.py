"""Looks of pages and head-up display: drawn text has contrast, and colours with different meanings differ."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from coloraide import Color
from support.arrays import Picture
from support.hud_kit import FULL, USUAL
from support.screens_kit import every_page

from armoon.gl import HeadlessSurface
from armoon.screens.machine import build_page
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import Preferences
from armoon.values.choices import Palette
from armoon.values.look import PALETTES, Look
from armoon.values.page import Page, WidgetKind
from armoon.values.scene import SceneHud

if TYPE_CHECKING:
    from armoon.view.lettering import TextLine

#: Preferences that change the look.
LOOKS: dict[str, dict[str, Any]] = {
    "usual": {},
    "contrast": {"contrast": True},
    "patterns": {"patterns": True},
    "all": {"palette": Palette.TRITAN, "contrast": True, "patterns": True, "left_handed": True, "calm": True},
}
SIZE = (640, 360)
#: Contrasts of WCAG 2.2, success criteria 1.4.3 and 1.4.6, and of disabled widgets, which WCAG exempts.
MIN_CONTRAST, MIN_HIGH, MIN_DISABLED = 4.5, 7.0, 3.0
VIEWS: dict[Any, Any] = {}
#: Prefixes of pages with many variants; one variant is enough here.
_SAMPLED_PAGES = ("rules", "book", "guide carry", "first ", "table choosing")
SURFACE = (*SIZE, VIEWS)


def change_preferences(state: Screens, changes: dict[str, Any]) -> Screens:
    preferences: Preferences = replace(state.preferences, **changes)
    return replace(state, aspect=SIZE[0] / SIZE[1], height_px=SIZE[1], preferences=preferences)


def measure_luminance(pixels: Any) -> Any:
    """Return WCAG's relative luminance of BGR pixels (n, 3)."""
    rgb = np.asarray(pixels, dtype=float)[:, ::-1] / 255.0
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def measure_contrast(with_words: Picture, without: Picture, box: tuple[int, int, int, int]) -> float:
    """Return the contrast between the middle of the letters' strokes and the pixels under them."""
    left, low, right, high = box
    rows = slice(max(0, SIZE[1] - high), max(0, SIZE[1] - low))
    shown, bare = with_words[rows, left:right].reshape(-1, 3), without[rows, left:right].reshape(-1, 3)
    changed = np.abs(shown.astype(int) - bare.astype(int)).sum(axis=1)
    assert len(changed), box
    if changed.max() == 0:
        return 1.0
    strokes = changed >= 0.9 * changed.max()
    light, dark = np.median(measure_luminance(shown[strokes])), np.median(measure_luminance(bare[strokes]))
    return float((max(light, dark) + 0.05) / (min(light, dark) + 0.05))


def find_box(line: TextLine) -> tuple[int, int, int, int]:
    left = line.x - {"center": line.width / 2.0, "right": line.width}.get(line.anchor, 0.0)
    half = 0.6 * line.size
    low, high = (min(max(v, 0), SIZE[1]) for v in (line.y - half, line.y + half))
    return int(max(left, 0)), int(low), int(min(left + line.width, SIZE[0])) + 1, int(high) + 1


def draw_with_and_without_words(view: Any, shown: Page | SceneHud, grey: float) -> tuple[Picture, Picture]:
    from armoon.gl import make_sampled_target, read_bgr

    if "target" not in VIEWS:
        VIEWS["target"] = make_sampled_target(*SIZE)
    target = VIEWS["target"]
    pictures = []
    for has_letters in (True, False):
        target.use()
        target.clear(grey, grey, grey, 1.0)
        draw, view._shown = view._letters.draw, None  # redraws the cached layers
        view._letters.draw = draw if has_letters else lambda: None
        try:
            (view.draw_page if isinstance(shown, Page) else view.draw_hud)(shown)
        finally:
            view._letters.draw = draw
        target.use()
        pictures.append(read_bgr(*SIZE))
    return pictures[0], pictures[1]


def draw_page(surface: HeadlessSurface, page: Page) -> tuple[Any, Picture, Picture]:
    from armoon.view.pages import PageView

    surface.make_current()
    if "page" not in VIEWS:
        VIEWS["page"] = PageView(*SIZE)
    return VIEWS["page"], *draw_with_and_without_words(VIEWS["page"], page, 0.6)


@pytest.mark.gl
@pytest.mark.parametrize("look", ["usual", "contrast"])
def test_text_has_contrast_on_every_page(surface: HeadlessSurface, look: str) -> None:
    low_contrast, seen = [], set[object]()
    for name, state in every_page():
        if name.startswith(_SAMPLED_PAGES) and name not in {page.value for page in PageName}:
            continue
        page = build_page(change_preferences(state, LOOKS[look]))
        looks = {(w.kind, w.enabled, w.focused, w.chosen, w.on, w.good, w.main) for w in page.widgets}
        if (page.name, frozenset(looks)) in seen:
            continue  # the same kinds of widgets with other texts
        seen.add((page.name, frozenset(looks)))
        view, shown, bare = draw_page(surface, page)
        for key, line in view.texts.items():
            widget = next(w for w in page.widgets if key == w.name or key.startswith(f"{w.name}."))
            if widget.kind is WidgetKind.PICTURE:
                continue  # text inside a drawing repeats the text beside it
            least = MIN_DISABLED if not widget.enabled else MIN_HIGH if look == "contrast" else MIN_CONTRAST
            contrast = measure_contrast(shown, bare, find_box(line))
            if contrast < least:
                low_contrast.append((name, key, line.text, round(contrast, 2)))
    assert not low_contrast, "\n".join(map(str, low_contrast))


@pytest.mark.gl
@pytest.mark.parametrize("hud", [USUAL, FULL], ids=["usual", "full"])
@pytest.mark.parametrize("look", ["usual", "contrast", "all"])
def test_text_of_the_display_has_contrast_over_a_bright_table(
    surface: HeadlessSurface, hud: SceneHud, look: str
) -> None:
    from armoon.view.hud import Hud

    surface.make_current()
    if "hud" not in VIEWS:
        VIEWS["hud"] = Hud(*SIZE)
    display = VIEWS["hud"]
    display.set_look(replace(Preferences(), **LOOKS[look]).look)
    pictures = draw_with_and_without_words(display, hud, 0.85)
    least = MIN_CONTRAST if look == "usual" else MIN_HIGH
    contrasts = {name: measure_contrast(*pictures, find_box(line)) for name, line in display.texts.items()}
    assert {name: round(c, 2) for name, c in contrasts.items() if c < least} == {}


@pytest.mark.gl
def test_the_display_fits_its_picture_after_other_pictures(surface: HeadlessSurface) -> None:
    from armoon.view.hud import Hud
    from armoon.view.panels import FlatView

    surface.make_current()
    display, other = Hud(*SIZE), FlatView()
    pictures = []
    for size in (SIZE, (3 * SIZE[0], 2 * SIZE[1])):
        other.resize(*size)
        other.upload()
        pictures.append(draw_with_and_without_words(display, FULL, 0.85)[0])
    assert (pictures[0] < 100).any(), "its panels are dark"
    assert (pictures[0] == pictures[1]).all()


@pytest.mark.gl
def test_a_mirrored_display_has_all_its_panels_on_the_other_side(surface: HeadlessSurface) -> None:
    from armoon.view.hud import Hud

    surface.make_current()
    right, left = Hud(*SIZE), Hud(*SIZE)
    left.set_look(Look(left_handed=True))
    for side in (right, left):
        side.draw_hud(FULL)
    mirrored = {(round(SIZE[0] - x - w, 3), y, w, h) for x, y, w, h in right.boxes}
    assert {(round(x, 3), y, w, h) for x, y, w, h in left.boxes} == mirrored
    assert {line.text for line in left.texts.values()} == {line.text for line in right.texts.values()}


@pytest.mark.gl
def test_patterns_distinguish_players_without_colour(surface: HeadlessSurface) -> None:
    state = dict(every_page())["seeing"]
    page = build_page(change_preferences(state, LOOKS["patterns"]))
    _, shown, _ = draw_page(surface, page)
    discs = []
    for k in range(6):
        rect = page[f"colour {k}"].rect
        size = round(0.36 * rect.height * SIZE[1])
        pad = min(rect.height * SIZE[1] * 0.32, rect.width * SIZE[0] * 0.12)
        x, y = round(rect.x * SIZE[0] + pad), round(rect.centre[1] * SIZE[1] - size / 2)
        grey = shown[y : y + size, x : x + size].mean(axis=2)
        inside = grey[size // 4 : -(size // 4), size // 4 : -(size // 4)]
        spread = np.ptp(inside)
        discs.append((grey - grey.mean()) / (grey.std() if spread > 25 else 1e9))
    for one, other in itertools.combinations(discs, 2):
        smallest = min(np.abs(one - sign * other).mean() for sign in (1.0, -1.0))
        assert smallest > 0.15


@pytest.mark.parametrize("palette", Palette)
def test_colours_with_different_meanings_differ_for_their_viewers(palette: Palette) -> None:
    """Compare by CIEDE2000, and simulate colour blindness after Brettel, Viénot and Mollon (1997).

    The usual palette suits all kinds of colour vision.
    """
    others = [kind.value for kind in Palette if kind is not Palette.USUAL]
    kinds, least = (others, 7.0) if palette is Palette.USUAL else ([palette.value], 25.0)
    for codes in PALETTES[palette].values():
        usual = [Color(code) for code in codes]
        for colours in (usual, *([picture.filter(kind).clip() for picture in usual] for kind in kinds)):
            assert min(a.delta_e(b, method="2000") for a, b in itertools.combinations(colours, 2)) >= least
