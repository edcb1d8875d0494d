"""The lower edge of the head-up display: keys, ladders left, hint and height, and the verdict above them."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.scene import SceneHud
from armoon.view.pages.fitting import LINE_STEP, Fitted
from armoon.view.pages.hud_glass import (
    FAINT_LINE,
    GOLD_LINE,
    GOLD_TEXT,
    INK,
    MARGIN,
    MIST,
    SOFT_GOLD_LINE,
    SWATCH_STEP,
    TEXT,
    WHITE,
    Box,
    Glass,
)
from armoon.view.pages.panels import CROSS, LADDER, TICK
from armoon.view.scene.light import FAULT, GOOD, Rgba

_ROW = 40.0
#: The verdict's card; with a hint below it, it ends where the picture's framing lets the base begin.
_CARD = 46.0
#: The strip of keys: its letters, and its distance from the edge and from the panel above.
_KEYS_TEXT, _KEYS_MARGIN = 14.5, 6.0
#: Letters grow as long as keys and hint take no more of the height than this, and end below the page's buttons.
_MOST = 0.26
#: Hint and verdict are nowhere narrower than this part of the width.
_NARROWEST = 0.35
#: Buttons that begin lower than this part of the height can have it above them.
_LOWER = 0.45


@dataclass(frozen=True)
class Low:
    """The contents of the lower edge, in the units of its glass."""

    glass: Glass
    keys: Fitted | None
    hint: Fitted | None
    left_w: float
    """The corners' panels."""
    right_w: float
    aside: float
    """A player's colour before the hint."""
    across: tuple[float, float]
    """From where to where the hint may reach."""

    @property
    def keys_h(self) -> float:
        """The strip's height."""
        return 0.0 if self.keys is None else _KEYS_TEXT * LINE_STEP * (len(self.keys.lines) - 1) + 21.0

    @property
    def begin(self) -> float:
        """How high the panels above the strip begin."""
        return MARGIN if self.keys is None else self.keys_h + 2.0 * _KEYS_MARGIN

    @property
    def hint_w(self) -> float:
        """The hint's width."""
        assert self.hint is not None
        return min(self.across[1] - self.across[0], self.glass.width_of(self.hint) + 56.0 + self.aside)

    @property
    def hint_x(self) -> float:
        """Where it begins: in the middle, if it may."""
        left, right = self.across
        return min(max((self.glass.width - self.hint_w) / 2, left), right - self.hint_w)

    @property
    def hint_h(self) -> float:
        """The hint's height; nothing without one."""
        return 0.0 if self.hint is None else _ROW + TEXT * LINE_STEP * (len(self.hint.lines) - 1)

    @property
    def hint_y(self) -> float:
        """How high it begins."""
        return self.above_corners(self.hint_x, self.hint_w)

    @property
    def hint_box(self) -> Box:
        """The hint's panel."""
        return self.hint_x, self.hint_y, self.hint_w, self.hint_h

    @property
    def top(self) -> float:
        """Where all of it ends."""
        corners = self.begin + (_ROW if self.left_w or self.right_w else 0.0)
        return corners if self.hint is None else max(corners, self.hint_y + self.hint_h)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Its panels, pixels."""
        glass = self.glass
        parts: list[Box] = []
        if self.keys is not None:
            w = glass.width_of(self.keys) + 24.0
            parts.append(((glass.width - w) / 2, _KEYS_MARGIN, w, self.keys_h))
        parts += [(MARGIN, self.begin, self.left_w, _ROW)] if self.left_w else []
        x = glass.width - MARGIN - self.right_w
        parts += [(x, self.begin, self.right_w, _ROW)] if self.right_w else []
        parts += [self.hint_box] if self.hint is not None else []
        u = glass.unit
        return tuple((x * u, y * u, w * u, h * u) for x, y, w, h in parts)

    def above_corners(self, x: float, w: float) -> float:
        """How high a panel from ``x`` on begins, clear of those in the corners."""
        left, right = MARGIN + self.left_w + 12.0, self.glass.width - MARGIN - self.right_w - 12.0
        clear = (x >= left or not self.left_w) and (x + w <= right or not self.right_w)
        return self.begin if clear else self.begin + _ROW + 8.0


def draw_low(low: Low, hud: SceneHud) -> None:
    """Put keys, ladders left, the hint and the height along the lower edge."""
    glass, y = low.glass, low.begin
    if low.keys is not None:
        w = glass.width_of(low.keys) + 24.0
        glass.panel((glass.width - w) / 2, _KEYS_MARGIN, w, low.keys_h, FAINT_LINE, stars=0.0)
        middle = _KEYS_MARGIN + low.keys_h / 2
        glass.write("keys", low.keys, glass.width / 2, middle, MIST, anchor="center")
    if low.left_w:
        glass.panel(MARGIN, y, low.left_w, _ROW, FAINT_LINE)
        glass.icon(LADDER, MARGIN + 26.0, y + _ROW / 2, 8.0, 13.0, (0.92, 0.74, 0.45, 1.0), INK)
        glass.text("left", hud.ladders_left_text, MARGIN + 44.0, y + _ROW / 2, MIST, size=15.0)
    if low.right_w:
        x = glass.width - MARGIN - low.right_w
        glass.panel(x, y, low.right_w, _ROW, FAINT_LINE)
        glass.text("height", hud.height_text, x + 20.0, y + _ROW / 2, GOLD_TEXT, size=16.0, bold=True)
    if low.hint is not None:
        x, y, w, h = low.hint_box
        glass.panel(x, y, w, h, SOFT_GOLD_LINE)
        if hud.hint_swatch is not None:
            glass.swatch(x + 28.0, y + h / 2, hud.hint_swatch)
        glass.write("hint", low.hint, x + (w + low.aside) / 2, y + h / 2, WHITE, anchor="center")


def low_edge(glass: Glass, hud: SceneHud) -> Low:
    """Return the lower edge in the largest letters that are wanted and have room."""
    room = min(_MOST, *(low / (glass.height * glass.unit) for _, low, _, _ in glass.taken), 1.0)
    usual = _lower(glass, hud)
    size = usual.hint.size if usual.hint is not None else 0.0
    for growth in glass.growths[:-1]:
        low = _lower(glass.grown(growth), hud)
        fits = low.top <= room * low.glass.height
        beside = low.left_w + low.right_w + 2.0 * MARGIN + 12.0 <= low.glass.width
        if fits and beside and (low.hint is None or low.hint.size > size):
            return low
    return usual


def _lower(glass: Glass, hud: SceneHud) -> Low:
    keys = glass.fit(hud.keys, glass.width - 2.0 * MARGIN, size=_KEYS_TEXT, lines=2) if hud.keys else None
    aside = 0.0 if hud.hint_swatch is None else SWATCH_STEP
    left_w = glass.text_width(hud.ladders_left_text, 15.0) + 64.0 if hud.ladders_left_text else 0.0
    right_w = glass.text_width(hud.height_text, 16.0, bold=True) + 40.0 if hud.height_text else 0.0

    def with_hint(left: float, right: float) -> Low:
        hint = glass.fit(hud.hint, right - left - 56.0 - aside, size=TEXT, lines=2) if hud.hint else None
        return Low(glass, keys, hint, left_w, right_w, aside, (left, right))

    low = with_hint(MARGIN, glass.width - MARGIN)
    if low.hint is None or not glass.covers(low.hint_box):
        return low
    left, right = glass.between(low.hint_y, low.hint_y + _ROW + TEXT * LINE_STEP)
    return with_hint(left, right) if right - left >= _NARROWEST * glass.width else low


@dataclass(frozen=True)
class Card:
    """Where a verdict's card stands, in the units of its glass."""

    glass: Glass
    box: Box
    fitted: Fitted


def verdict_card(glass: Glass, hud: SceneHud, low: Low) -> Card | None:
    """Return a place above the hint or in its place, beside the page's buttons; None where there is none."""
    cards = [_card(one, hud, low, place) for one in (low.glass, glass) for place in range(3)]
    whole = cards[-3]  # in the usual letters, with all of the width: few words may be as narrow as they are
    wide = [card for card in cards if card.box[2] >= _NARROWEST * card.glass.width or card is whole]
    return next((card for card in wide if not card.glass.covers(card.box, low.boxes)), None)


def draw_verdict(card: Card, hud: SceneHud) -> None:
    """Draw the ruling in one sentence."""
    glass, (x, y, w, h), good = card.glass, card.box, hud.verdict_good
    line: Rgba = GOLD_LINE if good is None else (*(GOOD if good else FAULT), 0.95)
    glass.panel(x, y, w, h, line, bold=True, stars=1.0)
    if good is not None:
        colour: Rgba = (*(GOOD if good else FAULT), 1.0)
        glass.icon(TICK if good else CROSS, x + 38.0, y + h / 2, 13.0, 13.0, colour, INK)
    glass.write("verdict", card.fitted, x + 30.0 + _mark_w(hud), y + h / 2, WHITE, bold=True)


def _mark_w(hud: SceneHud) -> float:
    return 0.0 if hud.verdict_good is None else 44.0


def _card(glass: Glass, hud: SceneHud, low: Low, place: int) -> Card:
    """Over the whole width (0), between the buttons (1), or above them all (2)."""
    size, scale, mark_w = 19.0, low.glass.unit / glass.unit, _mark_w(hud)
    y = low.begin if low.hint is None else low.hint_y + low.hint_h + 8.0
    left, right = MARGIN, glass.width - MARGIN
    if place == 1:
        y += _ROW + 8.0 if low.hint is None else 0.0
        left, right = glass.between(y * scale, y * scale + _CARD + 2.0 * size * LINE_STEP)
    elif place == 2:
        ends = [y + h for _, y, _, h in glass.taken if y < _LOWER * glass.height * glass.unit]
        y = max(ends, default=0.0) / low.glass.unit + 8.0
    fitted = glass.fit(hud.verdict_text, max(60.0, right - left - 60.0 - mark_w), size=size, bold=True)
    w = min(right - left, glass.width_of(fitted, bold=True) + 60.0 + mark_w)
    h = _CARD + size * LINE_STEP * (len(fitted.lines) - 1)
    x = min(max((glass.width - w) / 2, left), right - w)
    if low.hint is None and place == 0:
        y = low.above_corners(x / scale, w / scale)
    return Card(glass, (x, y * scale, w, h), fitted)
