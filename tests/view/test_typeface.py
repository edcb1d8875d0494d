"""The shipped font has every letter of both languages, and names in any script neither break a line nor the program."""

from __future__ import annotations

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


def test_letters_that_the_shipped_font_lacks_come_from_another(surface: HeadlessSurface) -> None:
    import pyglet

    from armoon.view.typeface import SHIPPED, family_for

    surface.make_current()
    if not pyglet.font.have_font("DejaVu Sans"):
        assert family_for("سلمى") is not None
        return
    assert family_for("سلمى") != SHIPPED
    assert family_for("Zoé") == SHIPPED
    assert family_for("\U0001f9ff\U000e0041") == SHIPPED, "what nobody has is an empty box"
