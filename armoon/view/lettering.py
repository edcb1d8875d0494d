"""Text over the picture: fitted into areas, and drawn as pyglet labels in one batch."""

from __future__ import annotations

import re
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
from armoon.values.poses import Vec2
from armoon.values.text import escape_text
from armoon.view.typeface import load_font, measure_run, split_runs

#: Distance between the middles of two lines, in text sizes.
LINE_STEP = 1.32
#: Text size at which widths are measured, to be scaled; because of hinting, real widths differ slightly.
_PROBE_PX = 40.0
#: Share of the available width that a line may fill, by its scaled width.
_USABLE_PART = 0.94
#: Share of the available width to try if a line turns out too wide, before the letters become smaller.
_SHORTER_PART = 0.9
#: Share of the available width below which scaled widths need no check. Rounding may widen each small letter by a
#: pixel.
_TRUSTED_PART = 0.82
#: Spaces at which no line may break: French punctuation, calculations and units.
_UNBREAKABLE = re.compile(r" (?=[:;!?»×=+])|(?<=[«×=+]) |(?<=\d) (?=(?:[cm]?m|s|%)(?!\w))")
_HYPHEN_PART = re.compile(r"[^-]+-?|-")
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
#: Share of the first line's width below which a second line is too short; a separator is then the best place to break.
_SHORT_LINE_PART, _SEPARATOR = 0.35, "·"
#: Factor from one size to the next smaller one.
SIZE_STEP = 0.95
#: Minimum readable size, in pixels; the search ends here even if the text doesn't fit.
MIN_PX = 5.0


@dataclass(frozen=True)
class FittedText:
    """Lines of text of one size, in pixels."""

    size: float
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return self.size * (LINE_STEP * (len(self.lines) - 1) + 1.0)


class TextFitter:
    """Fits text and caches the results, because a page is laid out again whenever a pointer moves."""

    def __init__(self) -> None:
        self._widths: dict[tuple[str, bool], float] = {}
        self._fitted: dict[tuple[str, float, float, float, bool, bool, Vec2], FittedText] = {}

    def fit(
        self,
        text: str,
        width: float,
        height: float,
        size: float,
        *,
        bold: bool = False,
        wrap: bool = False,
        padding: Vec2 = (0.0, 0.0),
    ) -> FittedText:
        """Return the text in the largest size up to ``size`` that fits into an area, in pixels.

        ``padding``: total horizontal and vertical padding, in text sizes.
        """
        key = (text, round(width, 1), round(height, 1), size, bold, wrap, padding)
        if key not in self._fitted:
            self._fitted[key] = self._find_fit(text, width, height, size, bold, wrap, padding)
        return self._fitted[key]

    def _find_fit(
        self, text: str, width: float, height: float, size: float, bold: bool, wrap: bool, padding: Vec2
    ) -> FittedText:
        while True:
            room = width - padding[0] * size
            for part in (1.0, _SHORTER_PART) if wrap else (1.0,):
                fitted = FittedText(size, self._wrap_text(text, part * room, size, bold) if wrap else (text,))
                text_height = fitted.height + padding[1] * size
                if size <= MIN_PX or (text_height <= height and self._fits_width(fitted, room, bold)):
                    return fitted
            size *= SIZE_STEP

    def _fits_width(self, fitted: FittedText, width: float, bold: bool) -> bool:
        return all(
            (estimate := self._estimate_width(line, fitted.size, bold)) <= width * _TRUSTED_PART
            or (estimate <= width / _TRUSTED_PART and measure_text(line, fitted.size, bold) <= width)
            for line in fitted.lines
        )

    def _wrap_text(self, text: str, width: float, size: float, bold: bool) -> tuple[str, ...]:
        lines: list[str] = []
        for word in _UNBREAKABLE.sub(_NO_BREAK_SPACE, text).split(" "):
            separator = " "
            # Divide a word that is too long at its hyphens.
            is_whole = self._estimate_width(word, size, bold) <= width
            for part in [word] if is_whole else _HYPHEN_PART.findall(word):
                longer = f"{lines[-1]}{separator}{part}" if lines else part
                if lines and self._estimate_width(longer, size, bold) <= width * _USABLE_PART:
                    lines[-1] = longer
                else:
                    lines.append(part)
                separator = ""
        return tuple(lines if len(lines) != 2 else self._balance_lines(lines, width, size, bold))

    def _balance_lines(self, lines: list[str], width: float, size: float, bold: bool) -> list[str]:
        """Split two lines more evenly if the second is very short, at a separator if possible."""
        first, rest = (self._estimate_width(line, size, bold) for line in lines)
        if rest > _SHORT_LINE_PART * first:
            return lines
        words, total = lines[0].split(" "), first + rest
        breaks: list[tuple[bool, float, int]] = []
        for count in range(1, len(words)):
            first_width = self._estimate_width(" ".join(words[:count]), size, bold)
            longer = max(first_width, total - first_width)
            if longer <= width * _USABLE_PART:
                breaks.append((not words[count - 1].endswith(_SEPARATOR), longer, count))
        if not breaks:
            return lines
        count = min(breaks)[2]
        return [" ".join(words[:count]), " ".join((*words[count:], lines[1]))]

    def _estimate_width(self, text: str, size: float, bold: bool) -> float:
        if (text, bold) not in self._widths:
            self._widths[text, bold] = measure_text(text, _PROBE_PX, bold)
        return self._widths[text, bold] * size / _PROBE_PX


_DPI, _POINTS_PER_PIXEL = 96, 0.75
#: Number of cached text widths; laying out a page tries dozens of texts in several sizes each.
_MAX_WIDTHS = 4096

Rgba8 = tuple[int, int, int, int]

#: Text colour that, in high contrast, replaces bluish colours below the minimum luma.
_CONTRAST_COLOUR: Rgba8 = (222, 229, 250, 255)
_MIN_LUMA = 205


@dataclass(frozen=True)
class TextLine:
    """One line of text; its position, from the picture's lower left corner, and its size are in pixels."""

    text: str
    x: float
    y: float
    size: float
    colour: Rgba8
    bold: bool = False
    anchor: str = "left"

    @property
    def width(self) -> float:
        return measure_text(self.text, self.size, self.bold)


@lru_cache(maxsize=_MAX_WIDTHS)
def measure_text(text: str, size: float, bold: bool = False) -> float:
    """Return a text's width, in pixels, for a size in pixels."""
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
            self._batch = Batch()
            self._labels: dict[str, tuple[TextLine, Any]] = {}
            Label("armoon", font_name=load_font(), font_size=12, dpi=_DPI)
        except Exception as error:  # fontconfig, FreeType and ctypes have their own errors
            raise DisplayError("fault.display.font", why=error) from error
        self.look = USUAL_LOOK
        block = pyglet.text.layout.get_default_layout_shader().uniform_blocks["WindowBlock"]
        self._screen = UniformBlock(block.binding, 32)

    def resize(self, width: int, height: int) -> None:
        self._screen.values[:16] = Mat4.orthogonal_projection(0, width, 0, height, -1, 1)
        self._screen.values[16:] = Mat4()
        self._labels.clear()
        self._batch = Batch()

    def measure_line_box(self, line: TextLine) -> tuple[float, float, float, float]:
        left = line.x - {"left": 0.0, "center": 0.5, "right": 1.0}[line.anchor] * line.width
        return (left - 2.0, line.y - line.size, left + line.width + 2.0, line.y + line.size)

    def set_lines(self, lines: dict[str, TextLine]) -> None:
        """Show exactly these lines, by name; unchanged ones are kept."""
        lines = {
            name: replace(line, colour=_adapt_colour(line.colour, self.look)) for name, line in lines.items()
        }
        for name in [name for name, (line, _) in self._labels.items() if lines.get(name) != line]:
            self._labels.pop(name)[1].delete()
        for name, line in lines.items():
            if name not in self._labels:
                self._labels[name] = (line, self._make_label(line))

    def draw(self) -> None:
        self._screen.upload()
        self._batch.draw()

    def _make_label(self, line: TextLine) -> Any:
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
            batch=self._batch,
        )


class _LayeredGroup(TextLayoutGroup):  # type: ignore[misc]
    """Blends text into a layer that will itself be blended over a picture."""

    def set_state(self) -> None:
        super().set_state()
        source, rest = gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA
        gl.glBlendFuncSeparate(source, rest, gl.GL_ONE, rest)


class _Label(DocumentLabel):  # type: ignore[misc]
    group_class = _LayeredGroup


def to_lines(
    name: str, fitted: FittedText, x: float, middle: float, colour: Rgba8, bold: bool, anchor: str
) -> dict[str, TextLine]:
    """Return lines centred vertically at ``middle``; their keys are ``name``, ``name.1``, ``name.2``, ..."""
    step = fitted.size * LINE_STEP
    top = middle + (len(fitted.lines) - 1) * step / 2.0
    return {
        f"{name}.{k}" if k else name: TextLine(line, x, top - k * step, fitted.size, colour, bold, anchor)
        for k, line in enumerate(fitted.lines)
    }


def _adapt_colour(colour: Rgba8, look: Look) -> Rgba8:
    parts = (colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0)
    red, green, blue = (round(255.0 * part) for part in look.adapt_colour(parts))
    if look.contrast and 0.30 * red + 0.59 * green + 0.11 * blue < _MIN_LUMA and blue > red:
        return _CONTRAST_COLOUR
    return (red, green, blue, 255 if look.contrast else colour[3])
