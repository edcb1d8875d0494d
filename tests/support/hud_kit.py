"""Short and long texts for the display during a game, and checks that texts fit and widgets don't overlap."""

from __future__ import annotations

import itertools
from typing import Any

from armoon.screens.pages.table import overlap_area
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.scene import DieFace, SceneHud, ScenePlayer

NAMES = ("Ann", "Benedicta von und zu Hohenstein", "Cleo", "Zoé-Marguerite", "Ö", "N" * 24)
SWATCH = ((0.3, 0.6, 0.9),)
USUAL = SceneHud(
    "turn 7",
    tuple(ScenePlayer(name, k, k == 1, swatches=SWATCH) for k, name in enumerate(NAMES[:3])),
    4,
    DieFace.TWO_LADDERS,
    "Touch exactly two ladders",
    "Ann, roll the die: space, a click or a shaken fist",
    "touching 1 of 2",
    False,
    "16 ladders left",
    "21.4 cm",
    "Well placed: it touches two ladders",
    True,
    keys="Enter: take · V: next side · , and . turn the table · H hint · G gives up · N another ladder",
)
FULL = SceneHud(
    "tour 28 · 134 points",
    tuple(ScenePlayer(name, k, k == 1, swatches=SWATCH) for k, name in enumerate(NAMES)),
    4,
    DieFace.CRESCENT,
    "Monte plus haut que toutes les autres échelles",
    "Benedicta von und zu Hohenstein, lance le dé : espace, un clic ou ton poing secoué",
    "elle touche 1 échelle sur 1 à 2",
    True,
    "28 échelles restent",
    "31,4 cm",
    "Benedicta von und zu Hohenstein paie : l'échelle a touché trois échelles au lieu de deux · Balançoire, Bougie",
    False,
    "En pause : la caméra a bougé et la table est hors de vue. Découvre la feuille, ou cherche la table à nouveau.",
    hint_swatch=SWATCH[0],
    keys="Flèches : porter · R F : haut, bas · Q E W S A D : tourner · Entrée : lâcher · B : remettre · C : attendre",
)


def check_no_overlaps(page: Page, name: str) -> None:
    """Check that widgets are inside the window and overlap nothing except their card."""
    for one, other in itertools.combinations(page.widgets, 2):
        if WidgetKind.CARD in (one.kind, other.kind) and not (one.text and other.text):
            continue
        assert overlap_area(one.rect, other.rect) < 1e-9, (name, one.name, other.name)
    for widget in page.widgets:
        rect: Rect = widget.rect
        assert min(rect.x, rect.y) >= 0.0, (name, widget.name)
        assert max(rect.x + rect.width, rect.y + rect.height) <= 1.0, (name, widget.name)


def check_text_fits(view: Any, key: str, widget: Widget, where: str) -> None:
    """Check that the line ``key`` of a laid-out page fits in its widget, and a choice's value between its arrows."""
    line, box, (label_to, less_to, more_from) = view.texts[key], view._to_pixels(widget.rect), widget.arrows
    left, right = 0.0, 1.0
    if widget.kind is WidgetKind.CHOICE:
        left, right = (less_to, more_from) if ".value" in key else (0.0, label_to or 1.0)
    start = line.x - (line.width / 2.0 if line.anchor == "center" else 0.0)
    where = f"{where}: {key} {line.text!r}, {line.size:.1f} px"
    assert box.x + left * box.width - 1.0 <= start, where
    assert start + line.width <= box.x + right * box.width + 1.0, where
    assert box.y - 1.0 <= line.y - line.size * 0.5, where
    assert line.y + line.size * 0.5 <= box.y + box.height + 1.0, where
