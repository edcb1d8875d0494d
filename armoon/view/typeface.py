"""Letters: the shipped font, and for other scripts the first installed one that has them.

pyglet takes a millisecond to spread each new letter over four channels; numpy does it here.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyglet

#: What pyglet asks for: one grey channel becomes blue, green, red and alpha, of which the last is the letter.
GREY, SPREAD = "R", "BGRA"


def spread(grey: Any) -> bytes:
    """Pixels (n,) of 0 to 255 as white ones (n, 4) of that alpha."""
    letters = np.full((len(grey), len(SPREAD)), 255, np.uint8)
    letters[:, 3] = np.frombuffer(grey, np.uint8)
    return letters.tobytes()


def quicken() -> None:
    """Let pyglet's FreeType fonts do so from now on; nothing happens where there are none."""
    with suppress(ImportError, AttributeError):
        from pyglet.font.freetype import FreeTypeFont, FreeTypeGlyphRenderer

        class QuickRenderer(FreeTypeGlyphRenderer):  # type: ignore[misc]
            """Draws a letter."""

            def _expand_to_rgba(self, data: Any, src_format: str, dst_format: str) -> bytes:
                if (src_format, dst_format) == (GREY, SPREAD):
                    return spread(data)
                return bytes(super()._expand_to_rgba(data, src_format, dst_format))

        FreeTypeFont.glyph_renderer_class = QuickRenderer


#: Nunito, by the SIL Open Font License; it has all letters of the languages that use Latin ones (view/fonts/OFL.txt).
SHIPPED = "Nunito"
_FOLDER = Path(__file__).resolve().parent / "fonts"
_FILES = ("Nunito-Regular.ttf", "Nunito-Bold.ttf")
#: What is looked at for other scripts, in this order.
FALLBACKS = (
    "Noto Sans",
    "DejaVu Sans",
    "Noto Sans Arabic",
    "Noto Naskh Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "WenQuanYi Zen Hei",
    "Segoe UI",
    "Yu Gothic",
    "Hiragino Sans",
    "Arial Unicode MS",
)
#: Any size will do to ask what letters there are.
_ASKED_PT = 12


@lru_cache(maxsize=1)
def shipped_family() -> str:
    """Return the shipped font's family, made known to pyglet.

    Raises what pyglet raises where no font can be opened.
    """
    quicken()
    for name in _FILES:
        pyglet.font.add_file(str(_FOLDER / name))
    return SHIPPED


@lru_cache(maxsize=512)
def family_for(text: str) -> str:
    """Return the family to write a text in: the shipped one, or one that has letters which that lacks.

    Where none has them all the shipped one draws its empty box for what is missing: no name breaks a line.
    """
    shipped = shipped_family()
    letters = frozenset(letter for letter in text if not letter.isascii())
    if not letters or _has(shipped, letters):
        return shipped
    return next((name for name in _installed() if _has(name, letters)), shipped)


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    return tuple(name for name in FALLBACKS if pyglet.font.have_font(name))


def _has(family: str, letters: frozenset[str]) -> bool:
    """Whether a font has all of them. Only FreeType can be asked; other systems find missing letters themselves."""
    face = getattr(pyglet.font.load(family, _ASKED_PT), "face", None)
    if face is None or not hasattr(face, "get_character_index"):
        return True
    return all(face.get_character_index(letter) for letter in letters)
