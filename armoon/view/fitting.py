"""Fit text into a box: wrap it if that helps, and shrink it only as far as necessary."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from armoon.values.poses import Vec2

#: Returns the width in pixels of a text, by its size in pixels and whether it is bold.
Measure = Callable[[str, float, bool], float]

#: Distance between the middles of two lines, in text sizes.
LINE_STEP = 1.32
#: Widths are measured once at this size and then scaled; hinting makes the real ones differ slightly.
_PROBE_PX = 40.0
#: A line is filled up to this part of the available width, by scaled widths.
_SAFE_PART = 0.94
#: Below this part of the available width a scaled width needs no check. In small sizes rounding may widen each letter
#: by a pixel.
_CERTAIN_PART = 0.82
#: Spaces at which no line may break: French punctuation, calculations and units.
_UNBREAKABLE = re.compile(r" (?=[:;!?»×=+])|(?<=[«×=+]) |(?<=\d) (?=(?:[cm]?m|s|%)(?!\w))")
_HYPHENED = re.compile(r"[^-]+-?|-")
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
#: If the second line is shorter than this part of the first, the words are split again, at a separator if there is one.
_SHORT_LINE, _SEPARATOR = 0.35, "·"
#: Factor from one size to the next smaller one.
SIZE_STEP = 0.95
#: Minimum readable size; the search ends here even if the words don't fit.
MIN_PX = 5.0


@dataclass(frozen=True)
class FittedText:
    """Lines of text of one size."""

    size: float
    """Pixels."""
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return self.size * (LINE_STEP * (len(self.lines) - 1) + 1.0)


class TextFitter:
    """Fits text and caches the results: a page is laid out again whenever a pointer moves."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self._widths: dict[tuple[str, bool], float] = {}
        self._fitted: dict[tuple[str, float, float, float, bool, bool, Vec2], FittedText] = {}

    def fit(
        self,
        words: str,
        width: float,
        height: float,
        size: float,
        *,
        bold: bool = False,
        wrap: bool = False,
        padding: Vec2 = (0.0, 0.0),
    ) -> FittedText:
        """Return the words in the largest size up to ``size`` that fits, in pixels; ``padding``: in text sizes."""
        key = (words, round(width, 1), round(height, 1), size, bold, wrap, padding)
        if key not in self._fitted:
            self._fitted[key] = self._find_size(words, width, height, size, bold, wrap, padding)
        return self._fitted[key]

    def _find_size(
        self, words: str, width: float, height: float, size: float, bold: bool, wrap: bool, padding: Vec2
    ) -> FittedText:
        while True:
            across = width - padding[0] * size
            fitted = FittedText(size, self._wrap(words, across, size, bold) if wrap else (words,))
            high = fitted.height + padding[1] * size
            if size <= MIN_PX or (high <= height and self._has_room(fitted, across, bold)):
                return fitted
            size *= SIZE_STEP

    def _has_room(self, fitted: FittedText, width: float, bold: bool) -> bool:
        return all(
            self._width(line, fitted.size, bold) <= width * _CERTAIN_PART
            or (
                self._width(line, fitted.size, bold) <= width / _CERTAIN_PART
                and self.measure(line, fitted.size, bold) <= width
            )
            for line in fitted.lines
        )

    def _wrap(self, words: str, width: float, size: float, bold: bool) -> tuple[str, ...]:
        lines: list[str] = []
        for word in _UNBREAKABLE.sub(_NO_BREAK_SPACE, words).split(" "):
            between = " "
            # A word that is too long is divided at its hyphens.
            for part in [word] if self._width(word, size, bold) <= width else _HYPHENED.findall(word):
                longer = f"{lines[-1]}{between}{part}" if lines else part
                if lines and self._width(longer, size, bold) <= width * _SAFE_PART:
                    lines[-1] = longer
                else:
                    lines.append(part)
                between = ""
        return tuple(lines if len(lines) != 2 else self._balance(lines, width, size, bold))

    def _balance(self, lines: list[str], width: float, size: float, bold: bool) -> list[str]:
        """Split two lines more evenly if the second is very short, at a separator if possible."""
        first, rest = (self._width(line, size, bold) for line in lines)
        if rest > _SHORT_LINE * first:
            return lines
        words, total = lines[0].split(" "), first + rest
        breaks: list[tuple[bool, float, int]] = []
        for count in range(1, len(words)):
            wide = self._width(" ".join(words[:count]), size, bold)
            longer = max(wide, total - wide)
            if longer <= width * _SAFE_PART:
                breaks.append((not words[count - 1].endswith(_SEPARATOR), longer, count))
        if not breaks:
            return lines
        count = min(breaks)[2]
        return [" ".join(words[:count]), " ".join((*words[count:], lines[1]))]

    def _width(self, words: str, size: float, bold: bool) -> float:
        if (words, bold) not in self._widths:
            self._widths[words, bold] = self.measure(words, _PROBE_PX, bold)
        return self._widths[words, bold] * size / _PROBE_PX
