"""The head-up display: what to do, whose turn it is, what the die asks for, and the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import SceneHud, ScenePlayer, TearFlight
from armoon.view.pages.lettering import Lettering, Line, Rgba8
from armoon.view.pages.panels import CRESCENT, CROSS, DIE, DIE_FACES, DISC, LADDER, PANEL, TEAR, TICK, Panels
from armoon.view.scene.light import FAULT, GOLD, GOOD, Rgba

_NIGHT: Rgba = (0.062, 0.080, 0.200, 0.80)
_FAINT_LINE: Rgba = (0.62, 0.70, 1.0, 0.30)
_GOLD_LINE: Rgba = (*GOLD, 0.85)
_SOFT_GOLD_LINE: Rgba = (*GOLD, 0.45)
_WHITE: Rgba8 = (242, 245, 255, 255)
_MIST: Rgba8 = (196, 207, 238, 255)
_DIM: Rgba8 = (140, 150, 185, 255)
_GOLD_TEXT: Rgba8 = (255, 222, 150, 255)
_GOOD_TEXT: Rgba8 = (150, 240, 180, 255)
_WARN_TEXT: Rgba8 = (255, 196, 120, 255)
_TEAR_LOW: Rgba = (0.22, 0.42, 0.92, 1.0)
_TEAR_TOP: Rgba = (0.66, 0.84, 1.0, 1.0)
_IVORY: Rgba = (0.95, 0.91, 0.82, 1.0)
_INK: Rgba = (0.12, 0.14, 0.30, 1.0)
_MIST_LINE: Rgba = (0.77, 0.81, 0.93, 1.0)

#: Everything below is laid out in units: 1 px in a picture 720 high. Small pictures get larger units, so that
#: text stays readable: 0.66 px at 360 instead of 0.5.
_REFERENCE_HEIGHT = 720.0
_SHRINK = 0.6
_MARGIN = 24.0
_ROW = 40.0
#: The verdict's card; with a hint below it, it ends where the picture's framing lets the base begin.
_CARD = 46.0
#: A player's colour, a disc 17 wide, and the gap to the name.
_SWATCH_STEP = 23.0
_TEXT = 17.0


@dataclass(frozen=True)
class _Glass:
    """The picture in units, and what has been put on it so far."""

    width: float
    height: float
    unit: float
    panels: Panels
    lines: dict[str, Line]
    measure: Callable[[str, float, bool], float]

    def panel(
        self, x: float, y: float, w: float, h: float, line: Rgba, *, bold: bool = False, stars: float = 0.5
    ) -> None:
        """A rounded panel with its lower left corner at (x, y)."""
        u = self.unit
        self.panels.add(
            PANEL,
            ((x + w / 2) * u, (y + h / 2) * u),
            (w / 2 * u, h / 2 * u),
            _NIGHT,
            line,
            radius=min(h / 2, 18.0) * u,
            line=max(1.0, (2.0 if bold else 1.2) * u),
            number=stars,
        )

    def icon(
        self, kind: int, x: float, y: float, w: float, h: float, fill: Rgba, border: Rgba, number: float = 0.0
    ) -> None:
        """A shape with its centre at (x, y)."""
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
        size: float = _TEXT,
        bold: bool = False,
        anchor: str = "left",
    ) -> None:
        """A line of text at a height's middle."""
        if text:
            u = self.unit
            self.lines[name] = Line(text, x * u, y * u, size * u, colour, bold, anchor)

    def text_width(self, text: str, size: float = _TEXT, *, bold: bool = False) -> float:
        """The width of a text in units."""
        return self.measure(text, size * self.unit, bold) / self.unit


class Hud:
    """Draws the texts and shapes of a scene; laid out anew only when they change."""

    def __init__(self, width: int, height: int) -> None:
        self._panels = Panels()
        self._flying = Panels()
        self._tear_places: dict[int, Vec2] = {}
        self._letters = Lettering()
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        self._width, self._height = width, height
        self._shown: SceneHud | None = None
        self._letters.resize(width, height)

    @property
    def _unit(self) -> float:
        """A unit of the layout in pixels."""
        return float((self._height / _REFERENCE_HEIGHT) ** _SHRINK)

    def draw(self, hud: SceneHud) -> None:
        """Draw over the finished picture."""
        hud = replace(hud, tear=None)  # it moves; nothing else is laid out anew for it
        if hud != self._shown:
            self._lay_out(hud)
            self._shown = hud
        self._panels.draw()
        self._letters.draw()

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
        self._flying.add(DISC, (x, y + arc), (1.7 * half, 1.7 * half), (*_TEAR_TOP[:3], 0.16))
        self._flying.add(TEAR, (x, y + arc), (half, half), _TEAR_LOW, _TEAR_TOP)
        self._flying.upload()
        self._flying.draw()

    @property
    def texts(self) -> dict[str, Line]:
        """The lines of the last layout by name, for tests and for reading aloud."""
        return dict(self._lines)

    def _lay_out(self, hud: SceneHud) -> None:
        unit = self._unit
        self._panels.clear()
        self._lines: dict[str, Line] = {}
        glass = _Glass(
            self._width / unit,
            self._height / unit,
            unit,
            self._panels,
            self._lines,
            lambda text, size, bold: self._letters.width(text, size, bold=bold),
        )
        _title(glass, hud)
        self._tear_places = _players(glass, hud.players)
        _die(glass, hud)
        _bottom(glass, hud)
        _banner(glass, hud)
        self._panels.upload()
        self._letters.show(self._lines)


def _title(glass: _Glass, hud: SceneHud) -> None:
    """The game's name with its moon, top left."""
    if not hud.title:
        return
    size = 25.0
    w = glass.text_width(hud.title, size, bold=True) + 72.0
    y = glass.height - _MARGIN - 50.0
    glass.panel(_MARGIN, y, w, 50.0, _SOFT_GOLD_LINE, stars=1.0)
    glass.icon(CRESCENT, _MARGIN + 28.0, y + 25.0, 15.0, 15.0, (1.0, 0.93, 0.74, 1.0), (1.0, 0.76, 0.36, 1.0))
    glass.text("title", hud.title, _MARGIN + 52.0, y + 26.0, _WHITE, size=size, bold=True)


def _players(glass: _Glass, players: tuple[ScenePlayer, ...]) -> dict[int, Vec2]:
    """One line for each player under the title, with the tears that they hold; gives where the next one would come."""
    places: dict[int, Vec2] = {}
    step = 17.0
    widest = max(
        (
            glass.text_width(p.name, bold=True) + p.tears * step + len(p.swatches) * _SWATCH_STEP
            for p in players
        ),
        default=0.0,
    )
    w = max(186.0, widest + 62.0)
    y = glass.height - _MARGIN - 50.0 - 14.0
    for i, player in enumerate(players):
        y -= 36.0
        glass.panel(_MARGIN, y, w, 36.0, _GOLD_LINE if player.on_turn else _FAINT_LINE, bold=player.on_turn)
        colour = _GOLD_TEXT if player.on_turn else _DIM if player.eliminated else _MIST
        faded = 0.45 if player.eliminated else 1.0
        left = _MARGIN + 20.0
        for swatch in player.swatches:
            _swatch(glass, left + 5.0, y + 18.0, swatch, faded)
            left += _SWATCH_STEP
        glass.text(f"player {i}", player.name, left, y + 18.0, colour, bold=player.on_turn)
        for k in range(player.tears):
            place = (_MARGIN + w - 22.0 - k * step, y + 18.0)
            glass.icon(TEAR, *place, 10.0, 10.0, (*_TEAR_LOW[:3], faded), (*_TEAR_TOP[:3], faded))
        places[i] = ((_MARGIN + w - 22.0 - player.tears * step) * glass.unit, (y + 18.0) * glass.unit)
        y -= 8.0
    return places


def _swatch(glass: _Glass, x: float, y: float, colour: Vec3, opacity: float = 1.0) -> None:
    """A player's colour; its pale rim keeps dark ones apart from the night behind them."""
    glass.icon(DISC, x, y, 8.5, 8.5, (*_MIST_LINE[:3], 0.9 * opacity), (0.0, 0.0, 0.0, 0.0))
    glass.icon(DISC, x, y, 7.0, 7.0, (*colour, opacity), (0.0, 0.0, 0.0, 0.0))


def _die(glass: _Glass, hud: SceneHud) -> None:
    """The die's face, what it asks for and how the contacts stand, top right."""
    if not (hud.die_text or hud.contact_text):
        return
    small = 14.0
    text_w = max(glass.text_width(hud.die_text, bold=True), glass.text_width(hud.contact_text, small))
    w, h = text_w + 94.0, 62.0
    x, y = glass.width - _MARGIN - w, glass.height - _MARGIN - h
    line: Rgba = _SOFT_GOLD_LINE
    colour = _MIST
    if hud.contact_text and hud.contact_good is not None:
        line = (*GOOD, 0.9) if hud.contact_good else _GOLD_LINE
        colour = _GOOD_TEXT if hud.contact_good else _WARN_TEXT
    glass.panel(x, y, w, h, line, bold=hud.contact_good is True, stars=1.0)
    glass.icon(DIE, x + 36.0, y + h / 2, 21.0, 21.0, _IVORY, _INK, number=DIE_FACES[hud.die])
    right = x + 72.0
    if hud.contact_text:
        glass.text("die", hud.die_text, right, y + 41.0, _WHITE, bold=True)
        glass.text("contact", hud.contact_text, right, y + 19.0, colour, size=small)
    else:
        glass.text("die", hud.die_text, right, y + h / 2, _WHITE, bold=True)


def _bottom(glass: _Glass, hud: SceneHud) -> None:
    """Ladders left, the hint and the height along the lower edge; the verdict above them."""
    y = _MARGIN
    left_w = glass.text_width(hud.ladders_left_text, 15.0) + 64.0 if hud.ladders_left_text else 0.0
    right_w = glass.text_width(hud.height_text, 16.0, bold=True) + 40.0 if hud.height_text else 0.0
    if left_w:
        glass.panel(_MARGIN, y, left_w, _ROW, _FAINT_LINE)
        glass.icon(LADDER, _MARGIN + 26.0, y + _ROW / 2, 8.0, 13.0, (0.92, 0.74, 0.45, 1.0), _INK)
        glass.text("left", hud.ladders_left_text, _MARGIN + 44.0, y + _ROW / 2, _MIST, size=15.0)
    if right_w:
        x = glass.width - _MARGIN - right_w
        glass.panel(x, y, right_w, _ROW, _FAINT_LINE)
        glass.text("height", hud.height_text, x + 20.0, y + _ROW / 2, _GOLD_TEXT, size=16.0, bold=True)
    if hud.hint:
        shade = hud.hint_swatch
        aside = 0.0 if shade is None else _SWATCH_STEP
        w = glass.text_width(hud.hint) + 56.0 + aside
        y = _above_corners(glass, w, left_w, right_w)
        middle = (glass.width - w) / 2
        glass.panel(middle, y, w, _ROW, _SOFT_GOLD_LINE)
        if shade is not None:
            _swatch(glass, middle + 28.0, y + _ROW / 2, shade)
        centre = (glass.width + aside) / 2
        glass.text("hint", hud.hint, centre, y + _ROW / 2, _WHITE, anchor="center")
        y += _ROW + 8.0
    if hud.verdict_text:
        _verdict(glass, hud, y if hud.hint else None, (left_w, right_w))


def _above_corners(glass: _Glass, w: float, left_w: float, right_w: float) -> float:
    """How high a panel of this width in the middle of the lower edge begins, clear of those in the corners."""
    side = (glass.width - w) / 2
    clear = side >= _MARGIN + max(left_w, right_w) + 12.0
    return _MARGIN if clear else _MARGIN + _ROW + 8.0


def _verdict(glass: _Glass, hud: SceneHud, above: float | None, corners: tuple[float, float]) -> None:
    """The ruling in one sentence on a card, ``above`` the hint or in its place."""
    size = 19.0
    good = hud.verdict_good
    mark_w = 0.0 if good is None else 44.0
    w, h = glass.text_width(hud.verdict_text, size, bold=True) + 60.0 + mark_w, _CARD
    x = (glass.width - w) / 2
    y = _above_corners(glass, w, *corners) if above is None else above
    line: Rgba = _GOLD_LINE if good is None else (*(GOOD if good else FAULT), 0.95)
    glass.panel(x, y, w, h, line, bold=True, stars=1.0)
    if good is not None:
        colour: Rgba = (*(GOOD if good else FAULT), 1.0)
        glass.icon(TICK if good else CROSS, x + 38.0, y + h / 2, 13.0, 13.0, colour, _INK)
    glass.text("verdict", hud.verdict_text, x + 30.0 + mark_w, y + h / 2, _WHITE, size=size, bold=True)


def _banner(glass: _Glass, hud: SceneHud) -> None:
    """A pause or a warning over the middle of the picture."""
    if not hud.banner:
        return
    size = 24.0
    w, h = glass.text_width(hud.banner, size, bold=True) + 88.0, 78.0
    x, y = (glass.width - w) / 2, glass.height * 0.56 - h / 2
    glass.panel(x, y, w, h, _GOLD_LINE, bold=True, stars=1.0)
    glass.text(
        "banner", hud.banner, glass.width / 2, y + h / 2, _GOLD_TEXT, size=size, bold=True, anchor="center"
    )
