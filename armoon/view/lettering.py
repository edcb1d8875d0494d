"""Text over the picture: pyglet labels in one batch, each rebuilt only when it changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import pyglet
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.math import Mat4
from pyglet.text import DocumentLabel, Label
from pyglet.text.document import FormattedDocument, UnformattedDocument
from pyglet.text.layout import TextLayoutGroup

from armoon.errors import DisplayError
from armoon.gl import UniformBlock
from armoon.values.look import USUAL_LOOK, Look
from armoon.values.text import escape_text
from armoon.view.fitting import LINE_STEP, FittedText
from armoon.view.typeface import measure_run, shipped_family, split_runs

_DPI, _POINTS_PER_PIXEL = 96, 0.75
#: Number of cached text widths: a page tries dozens of texts in several sizes each.
_MAX_WIDTHS = 4096

Rgba8 = tuple[int, int, int, int]

#: Text colour in high contrast for bluish colours below the minimum luma.
_CONTRAST_COLOUR: Rgba8 = (222, 229, 250, 255)
_MIN_LUMA = 205


@dataclass(frozen=True)
class TextLine:
    """One line of text; place (pixels from the lower left) and size in pixels."""

    text: str
    x: float
    y: float
    size: float
    colour: Rgba8
    bold: bool = False
    anchor: str = "left"


@lru_cache(maxsize=_MAX_WIDTHS)
def _width(text: str, size: float, bold: bool) -> float:
    points = size * _POINTS_PER_PIXEL
    weight = "bold" if bold else "normal"
    return sum(
        measure_run(pyglet.font.load(family, points, weight=weight, dpi=_DPI), run)
        for run, family in split_runs(escape_text(text))
    )


class TextLayer:
    """All labels of the picture, by name."""

    def __init__(self) -> None:
        """Open a font. Raises DisplayError if none can be opened."""
        try:
            self.font = shipped_family()
            self._batch = Batch()
            self._labels: dict[str, tuple[TextLine, Any]] = {}
            probe = Label("armoon", font_name=self.font, font_size=12, dpi=_DPI)
        except Exception as error:  # fontconfig, FreeType and ctypes each raise their own
            raise DisplayError(
                f"No font can be opened ({error}).",
                remedy="Install one (Debian: apt install fonts-dejavu-core).",
            ) from error
        self.look = USUAL_LOOK
        block = (
            probe.document and pyglet.text.layout.get_default_layout_shader().uniform_blocks["WindowBlock"]
        )
        self._screen = UniformBlock(block.binding, 32)

    def resize(self, width: int, height: int) -> None:
        self._screen.values[:16] = Mat4.orthogonal_projection(0, width, 0, height, -1, 1)
        self._screen.values[16:] = Mat4()
        self._labels.clear()
        self._batch = Batch()

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        return _width(text, size, bold)

    def line_box(self, line: TextLine) -> tuple[float, float, float, float]:
        wide = self.width(line.text, line.size, bold=line.bold)
        left = line.x - {"left": 0.0, "center": 0.5, "right": 1.0}[line.anchor] * wide
        return (left - 2.0, line.y - line.size, left + wide + 2.0, line.y + line.size)

    def set_lines(self, lines: dict[str, TextLine]) -> None:
        """Show exactly these lines, by name; unchanged ones are kept."""
        lines = {
            name: replace(line, colour=_adapt_colour(line.colour, self.look)) for name, line in lines.items()
        }
        for name in [name for name in self._labels if name not in lines]:
            self._labels.pop(name)[1].delete()
        for name, line in lines.items():
            before = self._labels.get(name)
            if before is not None and before[0] == line:
                continue
            if before is not None:
                before[1].delete()
            self._labels[name] = (line, self._make_label(line, self._batch))

    def draw(self) -> None:
        self._screen.upload()
        self._batch.draw()

    def _make_label(self, line: TextLine, batch: Batch | None) -> Any:
        parts = split_runs(escape_text(line.text))
        words = "".join(run for run, _ in parts)
        document = (FormattedDocument if len(parts) > 1 else UnformattedDocument)(words)
        weight, points = "bold" if line.bold else "normal", line.size * _POINTS_PER_PIXEL
        document.set_style(0, len(words), {"font_size": points, "weight": weight, "color": line.colour})
        start = 0
        for run, family in parts:
            document.set_style(start, start + len(run), {"font_name": family})
            start += len(run)
        return _Label(
            document,
            x=round(line.x),
            y=round(line.y),
            dpi=_DPI,
            anchor_x=line.anchor,
            anchor_y="center",
            batch=batch,
        )


class _LayeredGroup(TextLayoutGroup):  # type: ignore[misc]
    """Blends text so that its layer can be blended over a picture later."""

    def set_state(self) -> None:
        super().set_state()
        source, rest = gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA
        gl.glBlendFuncSeparate(source, rest, gl.GL_ONE, rest)


class _Label(DocumentLabel):  # type: ignore[misc]
    group_class = _LayeredGroup


def stack_lines(
    name: str, fitted: FittedText, x: float, middle: float, colour: Rgba8, bold: bool, anchor: str
) -> dict[str, TextLine]:
    """Return lines centred at the height ``middle``; the first has the key ``name``, others add a number."""
    step = fitted.size * LINE_STEP
    top = middle + (len(fitted.lines) - 1) * step / 2.0
    return {
        f"{name}.{k}" if k else name: TextLine(line, x, top - k * step, fitted.size, colour, bold, anchor)
        for k, line in enumerate(fitted.lines)
    }


def _adapt_colour(colour: Rgba8, look: Look) -> Rgba8:
    red, green, blue = (round(255.0 * part) for part in look.adapt_colour(_to_unit_range(colour)))
    if look.contrast and 0.30 * red + 0.59 * green + 0.11 * blue < _MIN_LUMA and blue > red:
        return _CONTRAST_COLOUR
    return (red, green, blue, 255 if look.contrast else colour[3])


def _to_unit_range(colour: Rgba8) -> tuple[float, float, float]:
    return (colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0)
