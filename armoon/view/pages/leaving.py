"""A red dot in the window while its picture also goes elsewhere: into a film, onto a stream."""

from __future__ import annotations

from armoon.gl.memory import open_target
from armoon.values.page import letter_px
from armoon.view.pages.glass import GlassView
from armoon.view.pages.lettering import Lettering, Line
from armoon.view.pages.panels import DISC, PANEL, Panels
from armoon.view.scene.light import Rgba

_RED: Rgba = (1.0, 0.16, 0.13, 1.0)
_NIGHT: Rgba = (0.05, 0.06, 0.15, 0.86)
#: Height of the letters in a window 720 high, pixels.
_LETTERS_PX = 17.0


class LeavingDot:
    """The dot and a word beside it, in the middle of the upper edge."""

    def __init__(self) -> None:
        """Needs a current OpenGL context."""
        self._glass = GlassView()
        self._panels = Panels()
        self._letters = Lettering()
        self._shown: tuple[str, int, int] | None = None

    def draw(self, words: str, width: int, height: int) -> None:
        """Draw over a window of ``width`` x ``height`` framebuffer pixels, into the bound framebuffer."""
        if self._shown != (words, width, height):
            self._shown = (words, width, height)
            self._lay_out(words, width, height)
        self._glass.upload()
        open_target().viewport = (0, 0, width, height)
        self._panels.draw()
        self._letters.draw()

    def _lay_out(self, words: str, width: int, height: int) -> None:
        self._glass.resize(width, height)
        self._letters.resize(width, height)
        size = max(letter_px(_LETTERS_PX, width, height), 11.0)
        wide = self._letters.width(words, size, bold=True)
        radius = 0.42 * size
        half = (wide / 2.0 + 2.2 * radius, 0.78 * size)
        x, y = width / 2.0, height - half[1] - 2.0
        self._panels.clear()
        self._panels.add(PANEL, (x, y), half, _NIGHT, radius=half[1])
        left = x - half[0] + 2.0 * radius
        self._panels.add(DISC, (left, y), (radius, radius), _RED)
        self._panels.upload()
        line = Line(words, left + 1.7 * radius, y, size, (255, 255, 255, 255), True)
        self._letters.show({"leaving": line})
