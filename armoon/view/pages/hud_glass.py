"""The layout grid of the head-up display: the picture in units, and the panels placed on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from armoon.values.poses import Vec3
from armoon.view.pages.fitting import LINE_STEP, Fitted, Fitter
from armoon.view.pages.lettering import Line, Rgba8
from armoon.view.pages.panels import DISC, PANEL, Panels
from armoon.view.scene.light import GOLD, Rgba

NIGHT: Rgba = (0.062, 0.080, 0.200, 0.80)
FAINT_LINE: Rgba = (0.62, 0.70, 1.0, 0.30)
GOLD_LINE: Rgba = (*GOLD, 0.85)
SOFT_GOLD_LINE: Rgba = (*GOLD, 0.45)
WHITE: Rgba8 = (242, 245, 255, 255)
MIST: Rgba8 = (196, 207, 238, 255)
DIM: Rgba8 = (140, 150, 185, 255)
GOLD_TEXT: Rgba8 = (255, 222, 150, 255)
GOOD_TEXT: Rgba8 = (150, 240, 180, 255)
WARN_TEXT: Rgba8 = (255, 196, 120, 255)
TEAR_LOW: Rgba = (0.22, 0.42, 0.92, 1.0)
TEAR_TOP: Rgba = (0.66, 0.84, 1.0, 1.0)
IVORY: Rgba = (0.95, 0.91, 0.82, 1.0)
INK: Rgba = (0.12, 0.14, 0.30, 1.0)
MIST_LINE: Rgba = (0.77, 0.81, 0.93, 1.0)

#: From the edges, and the usual size of letters, units.
MARGIN, TEXT = 24.0, 17.0
#: A player's colour, a disc 17 wide, and the gap to the name.
SWATCH_STEP = 23.0
#: Narrower than this, in units, the die stands below the title.
NARROW = 700.0
#: Larger letters than usual are at most this part of the picture's height, whose middle belongs to the structure;
#: each size that is tried is smaller than the last by the step.
_HIGHEST, _LESS = 0.045, 0.88

#: Left and lower edge, width and height, pixels.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Glass:
    """The picture in units, and what was placed on it."""

    width: float
    height: float
    unit: float
    panels: Panels
    lines: dict[str, Line]
    fitter: Fitter
    boxes: list[Box]
    """Every panel's left and lower edge, width and height."""
    taken: tuple[Box, ...] = ()
    """Where buttons of the table's page stand."""
    letters: float = 1.0
    """By how much letters are to be larger, as far as there is room."""

    def grown(self, by: float) -> Glass:
        """Return the same glass in units that are larger by this factor."""
        return replace(self, width=self.width / by, height=self.height / by, unit=self.unit * by)

    @property
    def growths(self) -> tuple[float, ...]:
        """By how much letters may be larger, the largest first and 1 at the end."""
        most = min(self.letters, _HIGHEST * self.height / TEXT)
        steps = [most * _LESS**k for k in range(12)] if most > 1.0 else []
        return (*(step for step in steps if step > 1.0), 1.0)

    def covers(self, panel: Box, also: tuple[Box, ...] = (), *, pages: bool = True) -> bool:
        """Whether a panel, in units, would lie on one that is there or will be, or on a button of the ``pages``."""
        x, y, w, h = panel
        u = self.unit
        return any(
            left < (x + w) * u and left + wide > x * u and low < (y + h) * u and low + high > y * u
            for left, low, wide, high in (*self.boxes, *also, *(self.taken if pages else ()))
        )

    def between(self, low: float, high: float) -> tuple[float, float]:
        """From where to where no button stands at any of these heights, units: at the left, and at the right."""
        u = self.unit
        left, right = MARGIN, self.width - MARGIN
        for x, y, w, h in self.taken:
            if y < high * u and y + h > low * u:
                if x + w / 2.0 < self.width * u / 2.0:
                    left = max(left, (x + w) / u + 8.0)
                else:
                    right = min(right, x / u - 8.0)
        return left, right

    @property
    def narrow(self) -> bool:
        """Title and die have no room beside each other."""
        return self.width < min(NARROW, self.height)

    def panel(
        self, x: float, y: float, w: float, h: float, line: Rgba, *, bold: bool = False, stars: float = 0.5
    ) -> None:
        """Draw a rounded panel with its lower left corner at (x, y)."""
        u = self.unit
        self.boxes.append((x * u, y * u, w * u, h * u))
        self.panels.add(
            PANEL,
            ((x + w / 2) * u, (y + h / 2) * u),
            (w / 2 * u, h / 2 * u),
            NIGHT,
            line,
            radius=min(h / 2, 18.0) * u,
            line=max(1.0, (2.0 if bold else 1.2) * u),
            number=stars,
        )

    def icon(
        self, kind: int, x: float, y: float, w: float, h: float, fill: Rgba, border: Rgba, number: float = 0.0
    ) -> None:
        """Draw a shape with its centre at (x, y)."""
        u = self.unit
        self.panels.add(kind, (x * u, y * u), (w * u, h * u), fill, border, number=number)

    def text(
        self,
        name: str,
        text: str,
        x: float,
        y: float,
        colour: Rgba8,
        *,
        size: float = TEXT,
        bold: bool = False,
        anchor: str = "left",
    ) -> None:
        """Draw a line of text at a height's middle."""
        if text:
            u = self.unit
            self.lines[name] = Line(text, x * u, y * u, size * u, colour, bold, anchor)

    def text_width(self, text: str, size: float = TEXT, *, bold: bool = False) -> float:
        """Return the width of a text in units."""
        return self.fitter.measure(text, size * self.unit, bold) / self.unit

    def fit(self, text: str, room: float, *, size: float, bold: bool = False, lines: int = 3) -> Fitted:
        """Return a text in at most this many lines of this width, smaller where it has to be; in pixels."""
        u = self.unit
        height = size * u * (LINE_STEP * (lines - 1) + 1.05)
        return self.fitter.fit(text, room * u, height, size * u, bold=bold, wrap=lines > 1)

    def width_of(self, fitted: Fitted, *, bold: bool = False) -> float:
        """How wide its longest line is, units."""
        return max(self.fitter.measure(line, fitted.size, bold) for line in fitted.lines) / self.unit

    def write(
        self,
        name: str,
        fitted: Fitted,
        x: float,
        y: float,
        colour: Rgba8,
        *,
        bold: bool = False,
        anchor: str = "left",
    ) -> None:
        """Lines around a height's middle."""
        u = self.unit
        top = y * u + (len(fitted.lines) - 1) * fitted.size * LINE_STEP / 2.0
        for k, line in enumerate(fitted.lines):
            key = name if k == 0 else f"{name}.{k}"
            self.lines[key] = Line(
                line, x * u, top - k * fitted.size * LINE_STEP, fitted.size, colour, bold, anchor
            )

    def swatch(self, x: float, y: float, colour: Vec3, opacity: float = 1.0) -> None:
        """Draw a player's colour; its pale rim keeps dark ones apart from the night behind them."""
        self.icon(DISC, x, y, 8.5, 8.5, (*MIST_LINE[:3], 0.9 * opacity), (0.0, 0.0, 0.0, 0.0))
        self.icon(DISC, x, y, 7.0, 7.0, (*colour, opacity), (0.0, 0.0, 0.0, 0.0))
