"""The head-up display: the instruction, whose turn it is, the face of the die, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from armoon.values.look import USUAL_LOOK, Look
from armoon.values.page import IN_PLACE, Rect
from armoon.values.poses import Vec2
from armoon.values.scene import Counter, SceneHud, TearFlight
from armoon.values.table_places import taken
from armoon.view.pages.fitting import Fitter
from armoon.view.pages.glass import GlassView, KeptGlass
from armoon.view.pages.hud_glass import (
    LEAST_WIDTH,
    REFERENCE_HEIGHT,
    SHRINK,
    SMALLEST_UNIT,
    TEAR_LOW,
    TEAR_TOP,
    Box,
    Glass,
)
from armoon.view.pages.hud_lower import draw_lower
from armoon.view.pages.hud_upper import draw_upper
from armoon.view.pages.lettering import Lettering, Line, Rgba8
from armoon.view.pages.panels import DISC, TEAR, Panels
from armoon.view.scene.light import FAULT, GOLD, Rgba

#: How long ladders left and height are seen after a change, and in what time and how many steps they go; ticks of
#: 1/60 s.
_STAY_TICKS, _GO_TICKS, _GO_STEPS = 300, 36, 4
#: Points that fly: a dark disc with gold round and on it.
_COUNTER: Rgba = (0.07, 0.09, 0.225, 0.92)
_COUNTED: Rgba8 = (255, 222, 150, 255)


class Hud:
    """Draws the texts and shapes of a scene; laid out anew only when they change."""

    def __init__(self, width: int, height: int) -> None:
        self._view = GlassView()
        self._kept = KeptGlass()
        self._panels = Panels()
        self._flying = Panels()
        self._tear_places: dict[int, Vec2] = {}
        self._letters, self._numbers = Lettering(), Lettering()
        self._fitter = Fitter(lambda words, size, bold: self._letters.width(words, size, bold=bold))
        self._boxes: list[Box] = []
        self._look = USUAL_LOOK
        self._letters_wanted, self._chooses, self._stays = 1.0, False, False
        self._told, self._since = ("", ""), 0
        self._passing = 1.0
        self._size = (0, 0)
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        if (width, height) == self._size:
            return
        self._size = (width, height)
        self._width, self._height = width, height
        self._shown: SceneHud | None = None
        self._is_drawn = False
        self._view.resize(width, height)
        self._letters.resize(width, height)
        self._numbers.resize(width, height)

    def wear(self, look: Look) -> None:
        """Things that mean something look so from now on."""
        if look != self._look:
            self._look = look
            self._shown = None
            for panels in (self._panels, self._flying):
                panels.look = look
            self._letters.look = look

    def read_by(self, text_scale: float, *, chooses: bool, stays: bool = False) -> None:
        """Factor of the letters, as far as there is room.

        A player who ``chooses`` does it by buttons beside the table. ``stays``: ladders left and height are always
        to be seen, as they are in large letters.
        """
        self._stays = stays or text_scale > IN_PLACE
        if (text_scale, chooses) != (self._letters_wanted, self._chooses):
            self._letters_wanted, self._chooses = text_scale, chooses
            self._shown = None

    @property
    def _unit(self) -> float:
        """A unit of the layout in pixels."""
        by_height = (self._height / REFERENCE_HEIGHT) ** SHRINK
        return float(max(SMALLEST_UNIT, min(by_height, self._width / LEAST_WIDTH)))

    def draw(self, hud: SceneHud, tick: int = 0, *, calm: bool = False) -> None:
        """Draw over the finished picture; the glass itself is drawn only when it changes."""
        self.lay_out(hud, tick, calm=calm)
        self._view.upload()
        if not self._is_drawn:
            self._is_drawn = True
            before = self._kept.begin(self._width, self._height)
            self._panels.draw()
            self._letters.draw()
            self._kept.end(before, [*self._panels.boxes, *map(self._letters.box, self._lines.values())])
        self._kept.lay_over()

    def lay_out(self, hud: SceneHud, tick: int = 0, *, calm: bool = False) -> None:
        """Find where everything goes at this tick, without drawing it.

        Ladders left and height go a while after their last change; ``calm``: at once. What is hidden meanwhile, by a
        pause, counts as changed.
        """
        hud = replace(hud, tear=None)  # it moves; nothing else is laid out anew for it
        told = (hud.ladders_left_text, hud.height_text)
        if told != self._told or tick < self._since:
            self._told, self._since = told, tick
        late = (tick - self._since - _STAY_TICKS) / (1 if calm else _GO_TICKS)
        gone = math.ceil(_GO_STEPS * min(max(late, 0.0), 1.0)) / _GO_STEPS
        passing = 1.0 if self._stays else 1.0 - gone
        if hud != self._shown or passing != self._passing:
            self._passing = passing
            self._lay_out(hud)
            self._shown, self._is_drawn = hud, False

    def width_of(self, line: Line) -> float:
        """How wide a line is, pixels."""
        return self._letters.width(line.text, line.size, bold=line.bold)

    def draw_tear(self, tear: TearFlight, spring: Vec2, *, calm: bool = False) -> None:
        """Draw a tear on its way from ``spring`` (pixels) to its player's line; ``calm``: it waits at its end."""
        target = self._tear_places.get(tear.seat)
        if target is None:
            return
        along = 1.0 if calm else tear.along * tear.along * (3.0 - 2.0 * tear.along)
        arc = 0.09 * self._height * 4.0 * along * (along - 1.0) * -1.0
        x, y = (a + (b - a) * along for a, b in zip(spring, target, strict=True))
        half = (10.0 + 7.0 * (1.0 - along)) * self._unit
        self._flying.clear()
        self._flying.add(DISC, (x, y + arc), (1.7 * half, 1.7 * half), (*TEAR_TOP[:3], 0.16))
        self._flying.add(TEAR, (x, y + arc), (half, half), TEAR_LOW, TEAR_TOP)
        self._flying.upload()
        self._flying.draw()

    def draw_counters(self, counters: Sequence[tuple[Counter, Vec2]], *, calm: bool = False) -> None:
        """Draw points on their way between places (pixels) and their players' lines; ``calm``: they wait there."""
        self._flying.clear()
        lines: dict[str, Line] = {}
        for number, (counter, place) in enumerate(counters):
            target = self._tear_places.get(counter.seat)
            if target is None:
                continue
            part = 1.0 if calm else counter.along
            along = part * part * (3.0 - 2.0 * part)
            x, y = (a + (b - a) * along for a, b in zip(place, target, strict=True))
            # What is won goes over what is lost, where both are under way.
            y += (0.09 if counter.won else -0.05) * self._height * 4.0 * along * (1.0 - along)
            rim = GOLD if counter.won else FAULT
            half = (17.0 + 6.0 * (1.0 - along)) * self._unit
            self._flying.add(DISC, (x, y), (1.5 * half, 1.5 * half), (*rim, 0.14))
            self._flying.add(DISC, (x, y), (half, half), _COUNTER, (*rim, 0.95))
            lines[str(number)] = Line(counter.text, x, y, 0.95 * half, _COUNTED, True, "center")
        self._flying.upload()
        self._flying.draw()
        self._numbers.show(lines)
        self._numbers.draw()

    @property
    def texts(self) -> dict[str, Line]:
        """The lines of the last layout by name, for tests and for reading aloud."""
        return dict(self._lines)

    @property
    def places(self) -> dict[str, Rect]:
        """Where the texts of the last layout are, by name, in parts of the picture; a text's lines are together."""
        found: dict[str, Rect] = {}
        for name, line in self._lines.items():
            left, low, right, high = self._letters.box(line)
            across, down = 1.0 / self._width, 1.0 / self._height
            place = Rect(left * across, 1.0 - high * down, (right - left) * across, (high - low) * down)
            whole = name.split(".")[0]
            found[whole] = place.around(found[whole]) if whole in found else place
        return found

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Left and lower edge, width and height of every panel of the last layout, pixels."""
        return tuple(self._boxes)

    def busy(self, *, listed: bool) -> list[Box]:
        """Return where panels and the table's buttons are, as ``boxes``; ``listed``: and what can be chosen.

        The places of a real die's faces aren't among them.
        """
        width, height = float(self._width), float(self._height)
        buttons = [(r.x, height - r.y - r.height, r.width, r.height) for r in self._taken(listed)[1:]]
        if self._look.left_handed:
            buttons = [(width - x - w, y, w, h) for x, y, w, h in buttons]
        return [*self._boxes, *buttons]

    def _lay_out(self, hud: SceneHud) -> None:
        self._panels.clear()
        self._panels.mirrored_px = float(self._width) if self._look.left_handed else None
        self._lines: dict[str, Line] = {}
        self._boxes = []
        glass = Glass(
            self._width,
            self._height,
            self._unit,
            self._panels,
            self._lines,
            self._fitter,
            self._boxes,
            self._taken(self._chooses),
            self._letters_wanted,
            self._passing,
        )
        self._tear_places, end = draw_upper(glass, hud)
        draw_lower(glass, hud, end)
        if self._look.left_handed:
            self._mirror()
        self._panels.upload()
        self._letters.show(self._lines)

    def _taken(self, chooses: bool) -> tuple[Rect, ...]:
        """Return where the table's page has buttons, pixels from the upper left."""
        width, height = self._width, self._height
        rects = taken(tall=width < height, text_scale=self._letters_wanted, chooses=chooses)
        return tuple(Rect(r.x * width, r.y * height, r.width * width, r.height * height) for r in rects)

    def _mirror(self) -> None:
        """Mirror the layout to the other side, words unmirrored."""
        width = float(self._width)
        self._boxes[:] = [(width - x - w, y, w, h) for x, y, w, h in self._boxes]
        self._tear_places = {seat: (width - x, y) for seat, (x, y) in self._tear_places.items()}
        other = {"left": "right", "right": "left"}
        for name, line in self._lines.items():
            anchor = other.get(line.anchor, line.anchor)
            self._lines[name] = replace(line, x=width - line.x, anchor=anchor)
