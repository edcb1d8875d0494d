"""Faster letters: pyglet spreads each new letter's grey pixels over four channels one by one, in Python.

That takes about a millisecond a letter, and a newly opened page has fifty new ones. Here numpy spreads FreeType's
letters; other systems draw theirs in colour already.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

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
