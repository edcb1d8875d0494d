"""Fitting words into a box: wrapped if that helps, and shrunk only as far as necessary."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from armoon.values.poses import Vec2

#: Width in pixels of a text of a size in pixels, bold or not.
Measure = Callable[[str, float, bool], float]

#: From one line's middle to the next, in text sizes.
LINE_STEP = 1.32
#: Widths are asked for at this size once and scaled from there; hinting makes the real ones differ a little.
_PROBE_PX = 40.0
#: Words are put into a line up to this part of the room, by their scaled widths.
_SURELY = 0.94
#: A scaled width that is smaller than this part of the room needs no measuring: in small letters each may be a
#: whole pixel's rounding wider.
_UNMEASURED = 0.82
#: No line ends before these or after those: French marks with their space, what is calculated, and units.
_TOGETHER = re.compile(r" (?=[:;!?»×=+])|(?<=[«×=+]) |(?<=\d) (?=(?:[cm]?m|s|%)(?!\w))")
_KEPT = "\N{NO-BREAK SPACE}"
#: A second line that is shorter than this part of the first gets more of the words: from the next of these, if any.
_ORPHAN, _BETWEEN = 0.35, "·"
#: Each try is this much smaller than the last.
SMALLER = 0.95
#: Minimum readable size; the search ends here even if the words stick out.
SMALLEST_PX = 5.0


@dataclass(frozen=True)
class Fitted:
    """Words as lines of one size."""

    size: float
    """Pixels."""
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return self.size * (LINE_STEP * (len(self.lines) - 1) + 1.0)


class Fitter:
    """Remembers what was measured: a page is laid out again whenever a pointer moves."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self._widths: dict[tuple[str, bool], float] = {}
        self._fitted: dict[tuple[str, float, float, float, bool, bool, Vec2], Fitted] = {}

    def fit(
        self,
        words: str,
        width: float,
        height: float,
        size: float,
        *,
        bold: bool = False,
        wrap: bool = False,
        around: Vec2 = (0.0, 0.0),
    ) -> Fitted:
        """Return the largest form of the words up to ``size`` for this room, pixels, with ``around`` free (letters)."""
        key = (words, round(width, 1), round(height, 1), size, bold, wrap, around)
        if key not in self._fitted:
            self._fitted[key] = self._search(words, width, height, size, bold, wrap, around)
        return self._fitted[key]

    def _search(
        self, words: str, width: float, height: float, size: float, bold: bool, wrap: bool, around: Vec2
    ) -> Fitted:
        while True:
            across = width - around[0] * size
            fitted = Fitted(size, self._wrapped(words, across, size, bold) if wrap else (words,))
            high = fitted.height + around[1] * size
            if size <= SMALLEST_PX or (high <= height and self._fits(fitted, across, bold)):
                return fitted
            size *= SMALLER

    def _fits(self, fitted: Fitted, width: float, bold: bool) -> bool:
        return all(
            self._width(line, fitted.size, bold) <= width * _UNMEASURED
            or (
                self._width(line, fitted.size, bold) <= width / _UNMEASURED
                and self.measure(line, fitted.size, bold) <= width
            )
            for line in fitted.lines
        )

    def _wrapped(self, words: str, width: float, size: float, bold: bool) -> tuple[str, ...]:
        lines: list[str] = []
        for word in _TOGETHER.sub(_KEPT, words).split(" "):
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._width(longer, size, bold) <= width * _SURELY:
                lines[-1] = longer
            else:
                lines.append(word)
        return tuple(lines if len(lines) != 2 else self._evened(lines, width, size, bold))

    def _evened(self, lines: list[str], width: float, size: float, bold: bool) -> list[str]:
        """Break two lines again if the second is very short: into halves, or parts between dots."""
        first, rest = (self._width(line, size, bold) for line in lines)
        if rest > _ORPHAN * first:
            return lines
        words, whole = lines[0].split(" "), first + rest
        found: list[tuple[bool, float, int]] = []
        for count in range(1, len(words)):
            wide = self._width(" ".join(words[:count]), size, bold)
            longer = max(wide, whole - wide)
            if longer <= width * _SURELY:
                found.append((not words[count - 1].endswith(_BETWEEN), longer, count))
        if not found:
            return lines
        count = min(found)[2]
        return [" ".join(words[:count]), " ".join((*words[count:], lines[1]))]

    def _width(self, words: str, size: float, bold: bool) -> float:
        if (words, bold) not in self._widths:
            self._widths[words, bold] = self.measure(words, _PROBE_PX, bold)
        return self._widths[words, bold] * size / _PROBE_PX
