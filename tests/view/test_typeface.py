"""The shipped font has every letter of both languages, and names in any script can be drawn in a sentence."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from armoon.gl import HeadlessSurface
from armoon.messages import catalogue
from armoon.values.choices import Language

pytestmark = pytest.mark.gl

NAMES = ("Zoé", "Łukasz", "سلمى", "さくら", "林", "Ωμέγα", "👩‍🚀 Ada", "नमस्ते", "a" * 60, "\u200f", "é́́́")
SURFACE = (320, 180)


def make_text_layer(surface: HeadlessSurface) -> Any:
    from armoon.view.lettering import TextLayer

    surface.make_current()
    letters = TextLayer()
    letters.resize(*SURFACE)
    return letters


@pytest.mark.parametrize("language", list(Language))
def test_the_shipped_font_has_every_letter_of_a_language(
    surface: HeadlessSurface, language: Language
) -> None:
    from armoon.view.typeface import NUNITO, find_family

    surface.make_current()
    missing = {
        letter for text in catalogue(language).values() for letter in text if find_family(letter) != NUNITO
    }
    assert missing == set()


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_drawn(surface: HeadlessSurface, name: str) -> None:
    from armoon.view.lettering import TextLine, measure_text

    letters = make_text_layer(surface)
    assert measure_text(name, 20.0) >= 0.0
    letters.set_lines({"name": TextLine(name, 10.0, 90.0, 20.0, (255, 255, 255, 255), bold=True)})
    letters.draw()
    assert surface.read_bgr().shape == (180, 320, 3)


def test_control_and_direction_characters_are_drawn_escaped(surface: HeadlessSurface) -> None:
    from armoon.view.lettering import TextLine, measure_text

    letters = make_text_layer(surface)
    letters.set_lines({"name": TextLine("\u202eAnn\n\x1b\x07", 4.0, 24.0, 20.0, (255, 255, 255, 255))})
    (_, label) = letters._labels["name"]
    assert label.text == "\\u202eAnn\\n\\x1b\\x07"
    assert measure_text("Ann\x1b", 20.0) == measure_text("Ann\\x1b", 20.0)


@pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="these systems order and join letters themselves"
)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zoé rolls 2 (two)", "Zoé rolls 2 (two)"),
        ("שרה", "הרש"),
        ("שרה rolls", "הרש rolls"),
        ("Zoé, שרה (2)", "Zoé, הרש (2)"),
        ("שרה לוי", "יול הרש"),
        ("שרה 12.5 (לוי)", "(יול) 12.5 הרש"),
        ("שָׂרה", "הרשָׂ"),
        ("محمد", "\ufeaa\ufee4\ufea4\ufee3"),
        ("علی\u200cرضا", "\ufe8e\ufebf\ufead\ufbfd\ufee0\ufecb"),
        ("سلام", "\ufee1\ufefc\ufeb3"),
        ("Ada و محمد", "Ada \ufeaa\ufee4\ufea4\ufee3 \ufeed"),
        ("Zoé, น้ำ", "Zoé, น\u0e4d\u0e49า"),
        ("Zoé, கொ", "Zoé, க\u0bc6\u0bbe"),
    ],
)
def test_a_line_is_ordered_and_joined_by_its_scripts(text: str, expected: str) -> None:
    from armoon.view.typeface import to_visual_order

    assert to_visual_order(text) == expected


@pytest.mark.parametrize(
    "name", ["प्रिया", "সোমা", "தமிழ்ச்செல்வி", "สุทธิดา", "น้ำ", "محمد"], ids=["hi", "bn", "ta", "th", "th 2", "ar"]
)
def test_a_name_in_a_sentence_is_shaped_and_the_sentence_keeps_its_font(
    surface: HeadlessSurface, name: str
) -> None:
    from armoon.view.lettering import measure_text
    from armoon.view.typeface import NUNITO, can_shape, has_letters, split_runs

    surface.make_current()
    assert split_runs(f"Ann, {name} rolls 2")[0] == ("Ann, ", NUNITO)
    assert split_runs(f"Ann, {name} rolls 2")[-1] == (" rolls 2", NUNITO)
    if not (can_shape() and has_letters(name)):
        pytest.skip("no HarfBuzz, or no font for this script (Debian: fonts-noto-core)")
    alone = sum(measure_text(letter, 40.0) for letter in name)
    width = measure_text(name, 40.0)
    assert 0.3 * alone < width < (1.01 if "\u0e00" <= name[0] < "\u0e80" else 0.99) * alone, "joining narrows"
    parts = measure_text("Ann, ", 40.0) + width
    assert abs(measure_text(f"Ann, {name}", 40.0) - parts) < 2.0


def test_the_letters_of_an_arabic_name_touch_each_other(surface: HeadlessSurface) -> None:
    import pyglet

    from armoon.view.lettering import TextLine

    letters = make_text_layer(surface)
    if not pyglet.font.have_font("DejaVu Sans"):
        return
    before = surface.read_bgr().astype(int)
    letters.set_lines({"name": TextLine("محمد", 20.0, 90.0, 60.0, (255, 60, 160, 255))})
    letters.draw()
    inked = np.flatnonzero(np.abs(surface.read_bgr() - before).max(axis=(0, 2)) > 8)
    assert len(inked) > 60
    assert len(inked) == np.ptp(inked) + 1, "no column between the letters is empty"
