"""Where everything of the head-up display lies, for pictures of any shape: no panel lies on another."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import SceneHud, ScenePlayer
from armoon.view.pages.fitting import LINE_STEP, Fitted, Fitter
from armoon.view.pages.lettering import Line, Rgba8
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
TEAR_LOW: Rgba = (0.22, 0.42, 0.92, 1.0)
TEAR_TOP: Rgba = (0.66, 0.84, 1.0, 1.0)
_IVORY: Rgba = (0.95, 0.91, 0.82, 1.0)
_INK: Rgba = (0.12, 0.14, 0.30, 1.0)
_MIST_LINE: Rgba = (0.77, 0.81, 0.93, 1.0)

#: Everything below is laid out in units: 1 px in a picture 720 high. Small pictures get larger units, so that
#: text stays readable: 0.66 px at 360 instead of 0.5.
REFERENCE_HEIGHT = 720.0
SHRINK = 0.6
_MARGIN = 24.0
_ROW = 40.0
#: The verdict's card; with a hint below it, it ends where the picture's framing lets the base begin.
_CARD = 46.0
#: A player's colour, a disc 17 wide, and the gap to the name.
_SWATCH_STEP = 23.0
_TEXT = 17.0
#: The strip of keys: its letters, and its distance from the edge and from what is above it.
_KEYS_TEXT, _KEYS_MARGIN = 14.5, 6.0


#: However narrow a picture is, it has this many units, unless a unit would be smaller than this (pixels).
LEAST_WIDTH, SMALLEST_UNIT = 560.0, 0.5
#: Players' lines end above this part of the height, where the pages' buttons begin; none is lower than this.
_PLAYERS_END, _LOWEST_LINE = 0.53, 16.0
#: A name takes at most this part of the width, and a banner that one.
_NAME_PART, _BANNER_PART = 0.30, 0.72

#: Narrower than this, in units, the die stands below the title; how high it is, and the gap between them.
_NARROW, _DIE, _GAP = 700.0, 62.0, 10.0
#: Where a banner's middle may be, parts of the height; the first that is free.
_BANNER_PLACES = (0.56, 0.62, 0.50, 0.40, 0.34, 0.30, 0.26)

#: Left and lower edge, width and height, pixels.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Glass:
    """The picture in units, and what has been put on it so far."""

    width: float
    height: float
    unit: float
    panels: Panels
    lines: dict[str, Line]
    fitter: Fitter
    boxes: list[Box]
    """Every panel's left and lower edge, width and height."""

    @property
    def narrow(self) -> bool:
        """Title and die have no room beside each other."""
        return self.width < min(_NARROW, self.height)

    def panel(
        self, x: float, y: float, w: float, h: float, line: Rgba, *, bold: bool = False, stars: float = 0.5
    ) -> None:
        """A rounded panel with its lower left corner at (x, y)."""
        u = self.unit
        self.boxes.append((x * u, y * u, w * u, h * u))
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
        return self.fitter.measure(text, size * self.unit, bold) / self.unit

    def fit(self, text: str, room: float, *, size: float, bold: bool = False, lines: int = 3) -> Fitted:
        """A text in at most so many lines of this width, smaller where it has to be; in pixels."""
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


def lay_out(glass: Glass, hud: SceneHud) -> dict[int, Vec2]:
    """Put everything on the glass; gives for each seat where its next tear would come, pixels."""
    _title(glass, hud)
    places = _players(glass, hud.players, hud.score_texts)
    _die(glass, hud)
    low = _keys(glass, hud)
    above = _bottom(glass, hud, low)
    # What stops the game matters most: where a small picture has no room for both, the verdict waits.
    _banner(glass, hud)
    _verdict(glass, hud, low, *above)
    return places


def _title(glass: Glass, hud: SceneHud) -> None:
    """The game's name with its moon, top left."""
    if not hud.title:
        return
    fitted = glass.fit(hud.title, glass.width * _NAME_PART, size=25.0, bold=True, lines=1)
    w = glass.width_of(fitted, bold=True) + 72.0
    y = glass.height - _MARGIN - 50.0
    glass.panel(_MARGIN, y, w, 50.0, _SOFT_GOLD_LINE, stars=1.0)
    glass.icon(CRESCENT, _MARGIN + 28.0, y + 25.0, 15.0, 15.0, (1.0, 0.93, 0.74, 1.0), (1.0, 0.76, 0.36, 1.0))
    glass.write("title", fitted, _MARGIN + 52.0, y + 26.0, _WHITE, bold=True)


def _named(player: ScenePlayer) -> str:
    return f"{player.name} ({player.note})" if player.note else player.name


def _players(glass: Glass, players: tuple[ScenePlayer, ...], score: tuple[str, ...]) -> dict[int, Vec2]:
    """One line for each player under the title, with the tears that they hold; gives where the next one would come.

    A team's score stands below them.
    """
    places: dict[int, Vec2] = {}
    step = 17.0
    top = glass.height - _MARGIN - 50.0 - 14.0 - (_DIE + _GAP if glass.narrow else 0.0)
    # Six players in a small window: their lines are lower, so that all end above the buttons.
    room = top - (1.0 - _PLAYERS_END) * glass.height
    row = max(_LOWEST_LINE, min(44.0, room / max(1, len(players) + len(score)))) * 36.0 / 44.0
    size = _TEXT * min(1.0, row / 30.0)
    names = [
        glass.fit(_named(p), glass.width * _NAME_PART, size=size, bold=True, lines=1) if p.name else None
        for p in players
    ]
    widest = max(
        (
            (0.0 if name is None else glass.width_of(name, bold=True))
            + p.tears * step
            + len(p.swatches) * _SWATCH_STEP
            for p, name in zip(players, names, strict=True)
        ),
        default=0.0,
    )
    w = max(186.0, widest + 62.0)
    y = top
    for i, (player, name) in enumerate(zip(players, names, strict=True)):
        y -= row
        glass.panel(_MARGIN, y, w, row, _GOLD_LINE if player.on_turn else _FAINT_LINE, bold=player.on_turn)
        colour = _GOLD_TEXT if player.on_turn else _DIM if player.eliminated else _MIST
        faded = 0.45 if player.eliminated else 1.0
        left, middle = _MARGIN + 20.0, y + row / 2.0
        for swatch in player.swatches:
            _swatch(glass, left + 5.0, middle, swatch, faded)
            left += _SWATCH_STEP
        if name is not None:
            glass.write(f"player {i}", name, left, middle, colour, bold=player.on_turn)
        drop = min(10.0, row * 0.36)
        for k in range(player.tears):
            place = (_MARGIN + w - 22.0 - k * step, middle)
            glass.icon(TEAR, *place, drop, drop, (*TEAR_LOW[:3], faded), (*TEAR_TOP[:3], faded))
        places[i] = ((_MARGIN + w - 22.0 - player.tears * step) * glass.unit, middle * glass.unit)
        y -= row * 8.0 / 36.0
    for k, words in enumerate(score):
        fitted = glass.fit(words, glass.width * _NAME_PART, size=size, bold=k == 0, lines=1)
        y -= row
        glass.panel(_MARGIN, y, glass.width_of(fitted, bold=k == 0) + 40.0, row, _SOFT_GOLD_LINE)
        colour = _GOLD_TEXT if k == 0 else _MIST
        glass.write(f"score {k}", fitted, _MARGIN + 20.0, y + row / 2.0, colour, bold=k == 0)
        y -= row * 8.0 / 36.0
    return places


def _swatch(glass: Glass, x: float, y: float, colour: Vec3, opacity: float = 1.0) -> None:
    """A player's colour; its pale rim keeps dark ones apart from the night behind them."""
    glass.icon(DISC, x, y, 8.5, 8.5, (*_MIST_LINE[:3], 0.9 * opacity), (0.0, 0.0, 0.0, 0.0))
    glass.icon(DISC, x, y, 7.0, 7.0, (*colour, opacity), (0.0, 0.0, 0.0, 0.0))


def _die(glass: Glass, hud: SceneHud) -> None:
    """The die's face, what it asks for and how the contacts stand, top right."""
    if not (hud.die_text or hud.contact_text):
        return
    # The title beside it, wherever that ends at most; in a narrow picture it stands above.
    beside = glass.width * _NAME_PART + 72.0 + _MARGIN if hud.title and not glass.narrow else 0.0
    room = glass.width - 2.0 * _MARGIN - beside - 86.0
    wanted = glass.fit(hud.die_text or " ", room, size=_TEXT, bold=True, lines=1)
    contact = glass.fit(hud.contact_text or " ", room, size=14.0, lines=1)
    text_w = max(glass.width_of(wanted, bold=True), glass.width_of(contact))
    w, h = min(text_w + 86.0, glass.width - 2.0 * _MARGIN), _DIE
    x, y = glass.width - _MARGIN - w, glass.height - _MARGIN - h
    if glass.narrow:
        x, y = _MARGIN, y - 50.0 - _GAP
    line: Rgba = _SOFT_GOLD_LINE
    colour = _MIST
    if hud.contact_text and hud.contact_good is not None:
        line = (*GOOD, 0.9) if hud.contact_good else _GOLD_LINE
        colour = _GOOD_TEXT if hud.contact_good else _WARN_TEXT
    glass.panel(x, y, w, h, line, bold=hud.contact_good is True, stars=1.0)
    glass.icon(DIE, x + 36.0, y + h / 2, 21.0, 21.0, _IVORY, _INK, number=DIE_FACES[hud.die])
    right = x + 72.0
    if hud.contact_text:
        glass.write("die", wanted, right, y + 41.0, _WHITE, bold=True)
        glass.write("contact", contact, right, y + 19.0, colour)
    else:
        glass.write("die", wanted, right, y + h / 2, _WHITE, bold=True)


def _keys(glass: Glass, hud: SceneHud) -> float:
    """What can be done now, along the very edge; gives how high the panels above it begin."""
    if not hud.keys:
        return _MARGIN
    fitted = glass.fit(hud.keys, glass.width - 2.0 * _MARGIN, size=_KEYS_TEXT, lines=2)
    w = glass.width_of(fitted) + 24.0
    h = _KEYS_TEXT * LINE_STEP * (len(fitted.lines) - 1) + 21.0
    glass.panel((glass.width - w) / 2, _KEYS_MARGIN, w, h, _FAINT_LINE, stars=0.0)
    middle = _KEYS_MARGIN + h / 2
    glass.write("keys", fitted, glass.width / 2, middle, _MIST, anchor="center")
    return h + 2.0 * _KEYS_MARGIN


def _bottom(glass: Glass, hud: SceneHud, y: float) -> tuple[float | None, tuple[float, float]]:
    """Ladders left, the hint and the height along the lower edge, from ``y`` on.

    Gives how high something above the hint begins (None without one), and how wide the corners' panels are.
    """
    low = y
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
        fitted = glass.fit(hud.hint, glass.width - 2.0 * _MARGIN - 56.0 - aside, size=_TEXT, lines=2)
        w = min(glass.width - 2.0 * _MARGIN, glass.width_of(fitted) + 56.0 + aside)
        h = _ROW + _TEXT * LINE_STEP * (len(fitted.lines) - 1)
        y = _above_corners(glass, low, w, left_w, right_w)
        middle = (glass.width - w) / 2
        glass.panel(middle, y, w, h, _SOFT_GOLD_LINE)
        if shade is not None:
            _swatch(glass, middle + 28.0, y + h / 2, shade)
        glass.write("hint", fitted, (glass.width + aside) / 2, y + h / 2, _WHITE, anchor="center")
        y += h + 8.0
    return (y if hud.hint else None), (left_w, right_w)


def _above_corners(glass: Glass, low: float, w: float, left_w: float, right_w: float) -> float:
    """How high a panel of this width in the middle of the lower edge begins, clear of those in the corners."""
    side = (glass.width - w) / 2
    clear = side >= _MARGIN + max(left_w, right_w) + 12.0
    return low if clear else low + _ROW + 8.0


def _verdict(
    glass: Glass, hud: SceneHud, low: float, above: float | None, corners: tuple[float, float]
) -> None:
    """The ruling in one sentence on a card, ``above`` the hint or in its place."""
    if not hud.verdict_text:
        return
    size = 19.0
    good = hud.verdict_good
    mark_w = 0.0 if good is None else 44.0
    room = glass.width - 2.0 * _MARGIN - 60.0 - mark_w
    fitted = glass.fit(hud.verdict_text, room, size=size, bold=True)
    w = min(glass.width - 2.0 * _MARGIN, glass.width_of(fitted, bold=True) + 60.0 + mark_w)
    h = _CARD + size * LINE_STEP * (len(fitted.lines) - 1)
    x = (glass.width - w) / 2
    y = _above_corners(glass, low, w, *corners) if above is None else above
    if hud.banner and _covers(glass, (x, y, w, h)):
        return
    line: Rgba = _GOLD_LINE if good is None else (*(GOOD if good else FAULT), 0.95)
    glass.panel(x, y, w, h, line, bold=True, stars=1.0)
    if good is not None:
        colour: Rgba = (*(GOOD if good else FAULT), 1.0)
        glass.icon(TICK if good else CROSS, x + 38.0, y + h / 2, 13.0, 13.0, colour, _INK)
    glass.write("verdict", fitted, x + 30.0 + mark_w, y + h / 2, _WHITE, bold=True)


def _banner(glass: Glass, hud: SceneHud) -> None:
    """A pause or a warning over the middle of the picture."""
    if not hud.banner:
        return
    size = 24.0
    beside = (
        max((x + w for x, _, w, _ in glass.boxes if x < _MARGIN * glass.unit + 1.0), default=0.0) / glass.unit
    )
    # In the middle where that is free; else, narrower, beside the players' lines.
    for room, centred in ((glass.width * _BANNER_PART, True), (glass.width - beside - _MARGIN - 12.0, False)):
        fitted = glass.fit(hud.banner, max(60.0, room - 88.0), size=size, bold=True, lines=4)
        w = min(max(148.0, room), glass.width_of(fitted, bold=True) + 88.0)
        h = 54.0 + fitted.height / glass.unit
        x = (glass.width - w) / 2 if centred else glass.width - _MARGIN - w
        ys = [glass.height * part - h / 2 for part in _BANNER_PLACES]
        free = [y for y in ys if not _covers(glass, (x, y, w, h))]
        y = free[0] if free else ys[0]
        if free:
            break
    glass.panel(x, y, w, h, _GOLD_LINE, bold=True, stars=1.0)
    glass.write("banner", fitted, x + w / 2, y + h / 2, _GOLD_TEXT, bold=True, anchor="center")


def _covers(glass: Glass, panel: Box) -> bool:
    """Whether a panel, in units, would lie on one that is there."""
    x, y, w, h = panel
    u = glass.unit
    return any(
        left < (x + w) * u and left + wide > x * u and low < (y + h) * u and low + high > y * u
        for left, low, wide, high in glass.boxes
    )
