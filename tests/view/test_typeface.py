"""The shipped font has every letter of both languages, and names in any script neither break a line nor the program."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from armoon.gl import HeadlessSurface
from armoon.messages import catalogue
from armoon.values.choices import Language

pytestmark = pytest.mark.gl

NAMES = ("Zoé", "Łukasz", "سلمى", "さくら", "林", "Ωμέγα", "👩‍🚀 Ada", "नमस्ते", "a" * 60, "\u200f", "é́́́")
SURFACE = (320, 180)


@pytest.mark.parametrize("language", list(Language))
def test_the_shipped_font_has_every_letter_of_a_language(
    surface: HeadlessSurface, language: Language
) -> None:
    from armoon.view.typeface import SHIPPED, family_for

    surface.make_current()
    missing = {
        letter for text in catalogue(language).values() for letter in text if family_for(letter) != SHIPPED
    }
    assert missing == set()


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_written(surface: HeadlessSurface, name: str) -> None:
    from armoon.view.lettering import Lettering, TextLine

    surface.make_current()
    letters = Lettering()
    letters.resize(320, 180)
    assert letters.width(name, 20.0) >= 0.0
    letters.show({"name": TextLine(name, 10.0, 90.0, 20.0, (255, 255, 255, 255), bold=True)})
    letters.draw()
    assert surface.read_bgr().shape == (180, 320, 3)


def test_controls_and_directions_are_drawn_as_what_they_are(surface: HeadlessSurface) -> None:
    from armoon.view.lettering import Lettering, TextLine

    surface.make_current()
    letters = Lettering()
    letters.resize(320, 48)
    letters.show({"name": TextLine("\u202eAnn\n\x1b\x07", 4.0, 24.0, 20.0, (255, 255, 255, 255))})
    (_, label) = letters._labels["name"]
    assert label.text == "\\u202eAnn\\n\\x1b\\x07"
    assert letters.width("Ann\x1b", 20.0) == letters.width("Ann\\x1b", 20.0)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system's own text drawing does it there")
@pytest.mark.parametrize(
    ("text", "seen"),
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
    ],
)
def test_a_line_is_ordered_and_joined_as_its_scripts_are_read(text: str, seen: str) -> None:
    from armoon.view.typeface import visual

    assert visual(text) == seen


def test_the_letters_of_an_arabic_name_touch_each_other(surface: HeadlessSurface) -> None:
    import pyglet

    from armoon.view.lettering import Lettering, TextLine

    surface.make_current()
    if not pyglet.font.have_font("DejaVu Sans"):
        return
    letters = Lettering()
    letters.resize(320, 180)
    before = surface.read_bgr().astype(int)
    letters.show({"name": TextLine("محمد", 20.0, 90.0, 60.0, (255, 60, 160, 255))})
    letters.draw()
    inked = np.flatnonzero(np.abs(surface.read_bgr() - before).max(axis=(0, 2)) > 8)
    assert len(inked) > 60
    assert len(inked) == np.ptp(inked) + 1, "no column between them is free"
