"""The head-up display: instruction, players with the current one marked, die, verdict, and hints."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from armoon.geometry import smooth_step
from armoon.values.look import USUAL_LOOK, Look
from armoon.values.page import IN_PLACE, FlexPart, Rect, columns, fit_parts, reserve_areas, rows, wrap
from armoon.values.poses import Vec2
from armoon.values.scene import PointsFlight, SceneHud, ScenePlayer, TearFlight
from armoon.view import panels as flat
from armoon.view.lettering import SIZE_STEP, Rgba8, TextFitter, TextLayer, TextLine
from armoon.view.panels import Box, CachedPanels, FlatView, PanelPainter, Panels, TextPanel
from armoon.view.scene.light import FAULT, GOLD, GOOD, Rgba

#: Height of a corner panel or a one-line hint; distance of the key hints from the lower edge; shift of a shared panel's
#: first and last row towards its middle; in units.
_CORNER_HEIGHT, _KEYS_MARGIN, _ROW_SHIFT = 40.0, 8.0, 3.0
#: Minimum width of a banner beside the players, in units, and its maximum number of lines there.
_MIN_BANNER_WIDTH, _BANNER_LINES = 230.0, 3
#: Maximum length of key hints and last verdict together, in lines; minimum picture height for two lines, in units.
_MAX_KEYS_LINES, _MIN_TWO_LINES = 1.7, 700.0
#: Text size factors to try before a row is dropped, down to a half.
_SHRINK_FACTORS = tuple(SIZE_STEP**step for step in range(14))
#: Rows from top to bottom; rows of text; rows that share a panel; order in which rows but the banner are dropped.
_ROWS = ("banner", "verdict", "hint", "keys", "corners")
_TEXT_ROWS, _CORNERS, _KEYS = ("banner", "verdict", "hint"), "corners", "keys"
_SHARED_PANEL = ("verdict", "hint", "keys")
_DROP_ORDER = {"hint": 4, "verdict": 3, _CORNERS: 2, _KEYS: 1}


def draw_lower_rows(painter: PanelPainter, hud: SceneHud, players_right: float) -> None:
    """Draw the lower rows; the banner may instead be to the right of ``players_right`` (pixels)."""
    margin, gap, corner = flat.MARGIN * painter.unit, flat.GAP * painter.unit, _CORNER_HEIGHT * painter.unit
    hud = _add_last_verdict(painter, hud)
    panels = _make_lower_panels(hud, joined=not painter.is_tall)
    joined = [name for name in _SHARED_PANEL[painter.is_tall :] if name in panels]
    bottom = painter.height - (_KEYS_MARGIN * painter.unit if hud.keys or len(joined) > 1 else margin)
    top = flat.PLAYERS_END[painter.is_tall] * painter.height
    whole = Rect(margin, top, painter.width - 2.0 * margin, bottom - top)
    buttons_bottom = max((button.y + button.height for button in painter.button_boxes), default=top) + 1.0
    below_buttons = replace(whole, y=buttons_bottom, height=bottom - buttons_bottom)
    banner_area = _find_banner_area(painter, panels.get("banner"), players_right)
    text_rows = [name for name in _TEXT_ROWS[banner_area is not None :] if name in panels]
    text_row = text_rows[-1] if text_rows and not painter.is_tall else _CORNERS
    free_area = painter.find_free_area(whole)
    # Prefer rows below the page's buttons in the requested size to rows beside them in at least the usual size. Corner
    # panels share the last text's row, or get a row of their own if the text then fits into one line.
    corner_widths = [painter.get_width(panels.get(name)).least for name in ("left", text_row, "height")]
    corner_row = text_row if len(wrap(corner_widths, whole.width, margin)) == 1 else _CORNERS
    # Without room for everything in the usual size, shrink text before dropping rows.
    beside_buttons = itertools.product(_SHRINK_FACTORS, ((free_area, corner_row), (free_area, text_row)))
    for least, (area, shared) in ((1.0, (below_buttons, text_row)), *beside_buttons):
        joins = shared in joined and len(joined) > 1
        between = replace(painter.get_width(panels.get(shared)), least=0.0, grow=1.0)
        sides = painter.get_width(panels.get("left")), between, painter.get_width(panels.get("height"))
        left, middle, right = columns(whole, *sides, gap=1.5 * gap)
        x, right_x = max(area.x, middle.x), min(area.x + area.width, middle.x + middle.width)
        across = dict.fromkeys(text_rows, area) | {shared: replace(area, x=x, width=right_x - x)}
        across |= dict.fromkeys(joined, across[shared]) if joins else {_KEYS: area}
        across = {name: across[name] for name in _ROWS if name in across}
        parts = _measure_rows(painter, panels, across, "" if joins else shared, least)
        needed_height = sum(part.basis if area is below_buttons else part.least for part in parts.values())
        if needed_height + gap * (len(parts) - 1) <= area.height:
            break
    parts = fit_parts(parts, area.height, gap)
    placed = zip(parts, rows(area, *parts.values(), gap=gap, to=1.0), strict=True)
    places = {name: replace(place, x=across[name].x, width=across[name].width) for name, place in placed}
    if banner_area is not None:
        first_top = min((place.y for place in places.values()), default=bottom)
        # Keep the banner as low as its text, because the middle is for the structure.
        height = painter.get_height(panels["banner"], banner_area, 1.0).basis
        places["banner"] = replace(banner_area, height=min(height, first_top - gap - banner_area.y))
    if shared in places:
        sharing = [places[name] for name in joined if name in places] if joins else [places[shared]]
        row_bottom = sharing[-1].y + sharing[-1].height
        height = min(row_bottom - sharing[0].y, corner * painter.growth, row_bottom - buttons_bottom)
        places |= {
            "left": replace(left, y=row_bottom - height, height=height),
            "height": replace(right, y=row_bottom - height, height=height),
        }
    _draw_rows(painter, hud, panels, places, [name for name in joined if name in places])


def _draw_rows(
    painter: PanelPainter,
    hud: SceneHud,
    panels: Mapping[str, TextPanel],
    places: Mapping[str, Rect],
    joined: Sequence[str],
) -> None:
    """Draw every panel; those in ``joined`` share one that is as wide as the widest."""
    if len(joined) > 1:
        first, *others = (painter.find_place(panels[name], places[name])[0] for name in joined)
        shared_area, style = reduce(Rect.union, others, first), panels[joined[0]]
        painter.draw_panel(shared_area, style.border, strong=style.strong, stars=style.stars)
        shifts = {joined[0]: _ROW_SHIFT * painter.unit, joined[-1]: -_ROW_SHIFT * painter.unit}
        places = {name: replace(place, y=place.y + shifts.get(name, 0.0)) for name, place in places.items()}
    for name in (name for name in panels if name in places):
        is_bare = name in joined and len(joined) > 1
        alignment = {"left": 0.0, "height": 1.0}.get(name, 0.5)
        place, size = painter.draw_text_panel(panels[name], places[name], alignment, bare=is_bare)
        _draw_row_icon(painter, hud, name, place, size)


def _add_last_verdict(painter: PanelPainter, hud: SceneHud) -> SceneHud:
    """Put the last verdict before the key hints if both fit into one line, or into two in a high picture."""
    keys = " · ".join(words for words in (hud.last_text, hud.keys) if words)
    with_verdict = replace(hud, keys=keys)
    panels = _make_lower_panels(with_verdict, joined=not painter.is_tall)
    sides = () if painter.is_tall else ("left", "height")
    corners = sum(painter.get_width(panels.get(name)).least for name in sides)
    free_width = painter.width - 2.0 * flat.MARGIN * painter.unit - corners - 3.0 * flat.GAP * painter.unit
    lines = painter.get_width(panels.get("keys")).least / free_width
    fits = lines <= 1.0 or (lines <= _MAX_KEYS_LINES and painter.height >= _MIN_TWO_LINES * painter.unit)
    return with_verdict if fits else hud


def _measure_rows(
    painter: PanelPainter,
    panels: Mapping[str, TextPanel],
    across: Mapping[str, Rect],
    shared: str,
    least: float,
) -> dict[str, FlexPart]:
    """Return each row's share of the height, at least for text and corner panels ``least`` times the usual size."""
    parts: dict[str, FlexPart] = {}
    corner = _CORNER_HEIGHT * painter.unit if {"left", "height"} & panels.keys() else 0.0
    for name, area in across.items():
        part = painter.get_height(panels[name], area, least) if name in panels else FlexPart(0.0)
        if name == shared:
            part = FlexPart(max(part.basis, corner * painter.growth), least=max(part.least, corner * least))
        if part.basis > 0.0:
            parts[name] = replace(
                part, grow=float(name == "banner"), drop_order=_DROP_ORDER.get(name, 0) if parts else 0
            )
    return parts


def _find_banner_area(painter: PanelPainter, banner: TextPanel | None, players_right: float) -> Rect | None:
    """Return the banner's area beside the players' lines; None without enough room."""
    if banner is None:
        return None
    one_line = painter.get_width(banner).basis
    top = flat.DIE_END[painter.is_tall] * painter.height + flat.GAP * painter.unit
    width = painter.width - flat.MARGIN * painter.unit - players_right
    area = painter.find_free_area(Rect(players_right, top, width, painter.height - top))
    min_width = min(one_line, max(one_line / _BANNER_LINES, _MIN_BANNER_WIDTH * painter.unit))
    return area if area.width >= min_width else None


def _draw_row_icon(painter: PanelPainter, hud: SceneHud, name: str, place: Rect, size: float) -> None:
    x, y = place.x, place.centre[1]
    if name == "left" and painter.fade_opacity > 0.0:
        x, h = x + 26.0 / 15.0 * size, 13.0 / 15.0 * size
        wood, ink = (0.92, 0.74, 0.45, painter.fade_opacity), (*flat.INK[:3], painter.fade_opacity)
        painter.draw_icon(flat.LADDER, x, y, 8.0 / 15.0 * size, h, wood, ink)
    elif name == "hint" and hud.hint_swatch is not None:
        painter.draw_swatch(x + 28.0 / flat.TEXT * size, y, size, hud.hint_swatch)
    elif name == "verdict" and hud.verdict_good is not None:
        half = 13.0 / 19.0 * size
        kind, colour = (flat.TICK, GOOD) if hud.verdict_good else (flat.CROSS, FAULT)
        painter.draw_icon(kind, x + 2.0 * size, y, half, half, (*colour, 1.0), flat.INK)


def _make_panel(
    name: str, text: str, size: float, height: float, left_padding: float, right_padding: float, **style: Any
) -> TextPanel:
    """Return a panel whose lengths are given in units instead of text sizes."""
    return TextPanel(name, text, size, height / size, left_padding / size, right_padding / size, **style)


def _make_lower_panels(hud: SceneHud, *, joined: bool) -> dict[str, TextPanel]:
    """Return the panels at the lower edge, by name; ``joined``: the verdict shares a panel with hint and keys."""
    verdict, fades = hud.verdict_text, bool(hud.ladders_left_text)  # the lake's colour text must stay
    row_height = 30.0 if joined and (hud.hint or hud.keys) else 46.0
    hint_height = 26.0 if hud.keys or (joined and verdict) else _CORNER_HEIGHT
    border, pad = flat.GOLD_LINE, 30.0
    if hud.verdict_good is not None:
        border, pad = (*(GOOD if hud.verdict_good else FAULT), 0.95), 74.0
    hint_left = 28.0 if hud.hint_swatch is None else 28.0 + flat.SWATCH_STEP * flat.TEXT
    strong: dict[str, Any] = {"bold": True, "strong": True, "stars": 1.0}
    centred: dict[str, Any] = {"anchor": "center"}
    gold = {"border": flat.GOLD_LINE, "colour": flat.GOLD_TEXT}
    height: dict[str, Any] = {"colour": flat.GOLD_TEXT, "bold": True, "fades": fades}
    white = {"border": flat.SOFT_GOLD_LINE, "colour": flat.WHITE}
    panels = (
        _make_panel("banner", hud.banner, 24.0, 78.0, 44.0, 44.0, lines=4, **gold, **strong, **centred),
        _make_panel(
            "verdict", verdict, 19.0, row_height, pad, 30.0, lines=3, **white | {"border": border}, **strong
        ),
        _make_panel("hint", hud.hint, flat.TEXT, hint_height, hint_left, 28.0, lines=3, **white, **centred),
        _make_panel("left", hud.ladders_left_text, 15.0, _CORNER_HEIGHT, 44.0, 20.0, fades=fades),
        _make_panel("height", hud.height_text, 16.0, _CORNER_HEIGHT, 20.0, 20.0, **height),
        _make_panel("keys", hud.keys, 14.5, 22.0, 28.0, 28.0, lines=3, **centred),
    )
    return {panel.name: panel for panel in panels if panel.text}


#: Heights of title and die, and of their rows with gaps, in units: a shared row in a wide picture, two in a tall one.
_TITLE, _DIE, _HEADS = 50.0, 62.0, {False: (68.0,), True: (60.0, 74.0)}
#: Minimum height at which the die's panel keeps its text size, relative to the usual height.
_MIN_DIE_PART = 54.0 / _DIE
#: Usual and minimum height of a player's line, in units, and the part of its row that it fills.
_LINE, _MIN_LINE, _FILL = 36.0, 13.0, 0.82
#: Text size of the winner's name, in units, and height of its row, relative to the picture's.
_WINNER_TEXT, _WINNER_PART = 58.0, 0.22
#: Height and padding of a player's line, in text sizes, and its minimum width, in units.
_LINE_HEIGHT, _PADDING, _MIN_PLAYER_WIDTH = 30.0 / flat.TEXT, 20.0 / flat.TEXT, 186.0
#: Maximum right end of players' lines, relative to the width, for a wide and a tall picture.
_PLAYERS_PART = {False: 0.50, True: 0.785}


def draw_upper_rows(painter: PanelPainter, hud: SceneHud) -> tuple[dict[int, Vec2], float]:
    """Draw title, die and players' lines; return each seat's place for its next tear and the lines' right end, px."""
    u, margin = painter.unit, flat.MARGIN * painter.unit
    space = flat.DIE_END[painter.is_tall] * painter.height - margin
    room = _PLAYERS_PART[painter.is_tall] * painter.width - margin
    panels = [*_make_player_panels(hud.players), *_make_score_panels(hud.score_texts)]
    scales = [painter.fit(panel, room, math.inf, painter.growth).size / (flat.TEXT * u) for panel in panels]
    line = FlexPart(_LINE * u / _FILL * max(1.0, min(scales, default=1.0)), least=_MIN_LINE * u / _FILL)
    heads = [height * u for height in _HEADS[painter.is_tall]]
    growth = max(1.0, min(painter.growth, space / sum(heads))) if painter.is_tall else painter.growth
    bottom = (flat.BOARD_END if painter.is_board else flat.PLAYERS_END)[painter.is_tall] * painter.height
    whole = Rect(margin, margin, painter.width - 2.0 * margin, bottom - margin)
    slots = rows(whole, *(FlexPart(height * growth, least=height) for height in heads), *[line] * len(panels))
    _draw_heads(painter, hud, slots[: len(heads)], space)
    lines = [replace(slot, width=room, height=_FILL * slot.height) for slot in slots[len(heads) :]]
    if hud.winner_text and not panels:
        top = slots[0].y + slots[0].height
        style = 1.8, 1.0, 1.0, flat.GOLD_LINE, flat.GOLD_TEXT, True
        winner = TextPanel("winner", hud.winner_text, _WINNER_TEXT, *style, lines=2, anchor="center")
        painter.draw_text_panel(winner, Rect(0.0, top, painter.width, _WINNER_PART * painter.height))
    first = len(painter.boxes)
    places = _draw_players(painter, hud.players, panels, lines)
    for panel, area in list(zip(panels, lines, strict=True))[len(hud.players) :]:
        painter.draw_text_panel(panel, area, 0.0)
    right_end = max((x + w for x, _, w, _ in painter.boxes[first:]), default=0.0)
    return places, right_end + 1.5 * flat.GAP * u


def _draw_heads(painter: PanelPainter, hud: SceneHud, slots: Sequence[Rect], space: float) -> None:
    scale = slots[0].height / _HEADS[painter.is_tall][0]
    title, die = replace(slots[0], height=_TITLE * scale), replace(slots[-1], height=_DIE * scale)
    left, right = 52.0 / 25.0, 20.0 / 25.0
    colours = flat.SOFT_GOLD_LINE, flat.WHITE
    name = TextPanel("title", hud.title, 25.0, 2.0, left, right, *colours, True, stars=1.0)
    if not painter.is_tall:
        widest = max(painter.get_width(panel).basis for panel in _make_die_panels(hud))
        parts = FlexPart(painter.get_width(name).basis), FlexPart(widest, grow=1.0)
        title, die = columns(title, *parts, gap=flat.MARGIN * painter.unit)
        die = replace(die, height=min(_DIE * scale, space))
    if hud.title:
        place, size = painter.draw_text_panel(name, title, 0.0)
        x, half = place.x + 28.0 / 25.0 * size, 0.6 * size
        moon = x, place.centre[1], half, half
        painter.draw_icon(flat.CRESCENT, *moon, (1.0, 0.93, 0.74, 1.0), (1.0, 0.76, 0.36, 1.0))
    if hud.die_text or hud.contact_text:
        _draw_die(painter, hud, die)


def _make_die_panels(hud: SceneHud) -> tuple[TextPanel, TextPanel]:
    colours = {None: flat.MIST, True: flat.GOOD_TEXT, False: flat.WARN_TEXT}
    colour = colours[hud.contact_good if hud.contact_text else None]
    return (
        _make_panel("die", hud.die_text, flat.TEXT, flat.TEXT, 72.0, 14.0, colour=flat.WHITE, bold=True),
        _make_panel("contact", hud.contact_text, 14.0, 14.0, 72.0, 14.0, colour=colour),
    )


def _draw_die(painter: PanelPainter, hud: SceneHud, area: Rect) -> None:
    panels = [panel for panel in _make_die_panels(hud) if panel.text]
    scale = min(painter.growth, area.height / (_MIN_DIE_PART * _DIE * painter.unit))
    fitted = [painter.fit(panel, area.width, math.inf, scale) for panel in panels]
    scale = min(fit.size / (panel.size * painter.unit) for fit, panel in zip(fitted, panels, strict=True))
    unit, fitted = scale * painter.unit, [painter.fit(panel, area.width, math.inf, scale) for panel in panels]
    w = max(painter.measure_panel(panel, size) for panel, size in zip(panels, fitted, strict=True))
    x = area.x if painter.is_tall else area.x + area.width - w
    place = Rect(x, area.y, w, min(_DIE * unit, area.height))
    line: Rgba = flat.SOFT_GOLD_LINE
    if hud.contact_text and hud.contact_good is not None:
        line = (*GOOD, 0.9) if hud.contact_good else flat.GOLD_LINE
    painter.draw_panel(place, line, strong=hud.contact_good is True, stars=1.0)
    middle, half = place.centre[1], 21.0 * unit
    face = flat.DIE_FACES[hud.die]
    painter.draw_icon(flat.DIE, x + 36.0 * unit, middle, half, half, flat.IVORY, flat.INK, number=face)
    for panel, fit, low in zip(panels, fitted, (-10.0, 12.0), strict=False):
        painter.draw_text(panel, fit, x + 72.0 * unit, middle + (low * unit if len(panels) > 1 else 0.0))


def _draw_players(
    painter: PanelPainter, players: Sequence[ScenePlayer], panels: Sequence[TextPanel], lines: Sequence[Rect]
) -> dict[int, Vec2]:
    """Draw a line with tears for each player, all in one text size; return the places of their next tears."""
    fits = [
        painter.fit(panel, area.width, area.height, painter.growth)
        for panel, area in zip(panels, lines, strict=True)
    ][: len(players)]
    size = min((fit.size for fit in fits), default=0.0)
    fits = [replace(fit, size=size) for fit in fits]
    widest = max((painter.measure_panel(*fit) for fit in zip(panels, fits, strict=False)), default=0.0)
    places: dict[int, Vec2] = {}
    for k, (player, panel, fitted, area) in enumerate(zip(players, panels, fits, lines, strict=False)):
        place = replace(area, width=max(_MIN_PLAYER_WIDTH * painter.unit, widest))
        middle, faded = place.centre[1], 0.45 if player.eliminated else 1.0
        painter.draw_panel(place, panel.border, strong=player.on_turn)
        for n, swatch in enumerate(player.swatches):
            x = place.x + (25.0 / flat.TEXT + n * flat.SWATCH_STEP) * size
            painter.draw_swatch(x, middle, size, swatch, faded)
        if panel.text:
            painter.draw_text(panel, fitted, place.x + panel.left_padding * size, middle)
        first_tear_x = place.x + place.width - 22.0 / flat.TEXT * size
        tear_half = min(10.0 / flat.TEXT * size, area.height * 0.36)
        for n in range(player.tears):
            fill, border = (*flat.TEAR_LOW[:3], faded), (*flat.TEAR_TOP[:3], faded)
            painter.draw_icon(flat.TEAR, first_tear_x - n * size, middle, tear_half, tear_half, fill, border)
        places[k] = (first_tear_x - player.tears * size, painter.height - middle)
    return places


def _make_player_panels(players: Sequence[ScenePlayer]) -> Iterator[TextPanel]:
    for seat, player in enumerate(players):
        text = f"{player.name} ({player.note})" if player.note and player.name else player.name
        left, right = _PADDING + flat.SWATCH_STEP * len(player.swatches), 42.0 / flat.TEXT + player.tears
        line, colour = (flat.GOLD_LINE, flat.GOLD_TEXT) if player.on_turn else (flat.FAINT_LINE, flat.MIST)
        colour = flat.DIM if player.eliminated and not player.on_turn else colour
        name, bold = f"player {seat}", player.on_turn
        yield TextPanel(name, text, flat.TEXT, _LINE_HEIGHT, left, right, line, colour, bold)


def _make_score_panels(score: Sequence[str]) -> Iterator[TextPanel]:
    for number, text in enumerate(score):
        name, style = (
            f"score {number}",
            (flat.SOFT_GOLD_LINE, flat.MIST if number else flat.GOLD_TEXT, number == 0),
        )
        yield TextPanel(name, text, flat.TEXT, _LINE_HEIGHT, _PADDING, _PADDING, *style)


#: Ticks after the last change of its text until a corner panel fades; duration of the fade, in ticks; its steps.
_FADE_AFTER_TICKS, _FADE_TICKS, _FADE_STEPS = 300, 36, 4
#: Colours of flying points: the dark disc, which has a coloured rim, and its text.
_POINTS_FILL: Rgba = (0.07, 0.09, 0.225, 0.92)
_POINTS_TEXT: Rgba8 = (255, 222, 150, 255)


class Hud:
    """Draws the texts and shapes of a scene; lays them out only when they change."""

    def __init__(self, width: int, height: int) -> None:
        self._view = FlatView()
        self._cached_panels = CachedPanels()
        self._panels = Panels()
        self._flying_shapes = Panels()
        self._tear_places: dict[int, Vec2] = {}
        self._letters, self._points_layer = TextLayer(), TextLayer()
        self._fitter = TextFitter()
        self._boxes: list[Box] = []
        self._look = USUAL_LOOK
        self._text_scale, self._has_choice_buttons = 1.0, False
        self._is_never_faded = self._is_board = False
        self._corner_texts, self._changed_tick = ("", ""), 0
        self._fade_opacity = 1.0
        self._width = self._height = 0
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        if (width, height) == (self._width, self._height):
            return
        self._width, self._height = width, height
        self._shown: SceneHud | None = None
        self._is_drawn = False
        self._view.resize(width, height)
        self._letters.resize(width, height)
        self._points_layer.resize(width, height)

    def set_look(self, look: Look) -> None:
        if look != self._look:
            self._look = look
            self._shown = None
            for panels in (self._panels, self._flying_shapes):
                panels.look = look
            self._letters.look = look

    def set_lettering(
        self, text_scale: float, *, has_choice_buttons: bool, is_fixed: bool = False, board: bool = False
    ) -> None:
        """Set the text size factor, and whether offers are shown as buttons beside the table.

        ``is_fixed``: no text fades. ``board``: the game uses the table's whole width.
        """
        self._is_never_faded = is_fixed or text_scale > IN_PLACE
        lettering = (text_scale, has_choice_buttons, board)
        if lettering != (self._text_scale, self._has_choice_buttons, self._is_board):
            self._text_scale, self._has_choice_buttons, self._is_board = lettering
            self._shown = None

    @property
    def _unit(self) -> float:
        by_height = (self._height / flat.REFERENCE_HEIGHT) ** flat.UNIT_EXPONENT
        return float(max(flat.MIN_UNIT, min(by_height, self._width / flat.MIN_WIDTH)))

    def draw_hud(self, hud: SceneHud, tick: int = 0, *, calm: bool = False) -> None:
        """Draw over the finished picture, from a cached image until something changes."""
        self.lay_out(hud, tick, calm=calm)
        self._view.upload()
        if not self._is_drawn:
            self._is_drawn = True
            before = self._cached_panels.begin_drawing(self._width, self._height)
            self._panels.draw()
            self._letters.draw()
            boxes = [*self._panels.boxes, *map(self._letters.measure_line_box, self._lines.values())]
            self._cached_panels.end_drawing(before, boxes)
        self._cached_panels.blend_over()

    def lay_out(self, hud: SceneHud, tick: int = 0, *, calm: bool = False) -> None:
        """Lay out this tick's texts and shapes without drawing them.

        The number of ladders left and the height fade some time after their last change, or vanish if ``calm``; a step
        back in time counts as a change.
        """
        hud = hud if hud.tear is None else replace(hud, tear=None)  # a flying tear needs no new layout
        words = (hud.ladders_left_text, hud.height_text)
        if words != self._corner_texts or tick < self._changed_tick:
            self._corner_texts, self._changed_tick = words, tick
        progress = (tick - self._changed_tick - _FADE_AFTER_TICKS) / (1 if calm else _FADE_TICKS)
        faded = math.ceil(_FADE_STEPS * min(max(progress, 0.0), 1.0)) / _FADE_STEPS
        opacity = 1.0 if self._is_never_faded else 1.0 - faded
        if hud != self._shown or opacity != self._fade_opacity:
            self._fade_opacity = opacity
            self._build_layout(hud)
            self._shown, self._is_drawn = hud, False

    def draw_tear(self, tear: TearFlight, start: Vec2, *, calm: bool = False) -> None:
        """Draw a tear flying from ``start`` (pixels) to its player's line, or already there if ``calm``."""
        target = self._tear_places.get(tear.seat)
        if target is None:
            return
        (x, y), along = self._find_flight_point(start, target, 1.0 if calm else tear.progress, 0.09)
        half = (10.0 + 7.0 * (1.0 - along)) * self._unit
        self._flying_shapes.clear()
        self._flying_shapes.add(flat.DISC, (x, y), (1.7 * half, 1.7 * half), (*flat.TEAR_TOP[:3], 0.16))
        self._flying_shapes.add(flat.TEAR, (x, y), (half, half), flat.TEAR_LOW, flat.TEAR_TOP)
        self._flying_shapes.upload()
        self._flying_shapes.draw()

    def _find_flight_point(self, start: Vec2, end: Vec2, progress: float, rise: float) -> tuple[Vec2, float]:
        """Return a point of an arc, pixels, and the eased progress; ``rise``: the arc's height in picture heights."""
        along = smooth_step(progress)
        x, y = (a + (b - a) * along for a, b in zip(start, end, strict=True))
        return (x, y + rise * self._height * 4.0 * along * (1.0 - along)), along

    def draw_points(self, flights: Sequence[tuple[PointsFlight, Vec2]], *, calm: bool = False) -> None:
        """Draw points flying from places (pixels) to their players' lines, or already there if ``calm``."""
        self._flying_shapes.clear()
        lines: dict[str, TextLine] = {}
        for number, (points, place) in enumerate(flights):
            target = self._tear_places.get(points.seat)
            if target is None:
                continue
            rise = 0.09 if points.won else -0.05  # gains fly above losses
            (x, y), along = self._find_flight_point(place, target, 1.0 if calm else points.progress, rise)
            rim = GOLD if points.won else FAULT
            half = (17.0 + 6.0 * (1.0 - along)) * self._unit
            self._flying_shapes.add(flat.DISC, (x, y), (1.5 * half, 1.5 * half), (*rim, 0.14))
            self._flying_shapes.add(flat.DISC, (x, y), (half, half), _POINTS_FILL, (*rim, 0.95))
            lines[str(number)] = TextLine(points.text, x, y, 0.95 * half, _POINTS_TEXT, True, "center")
        self._flying_shapes.upload()
        self._flying_shapes.draw()
        self._points_layer.set_lines(lines)
        self._points_layer.draw()

    @property
    def texts(self) -> dict[str, TextLine]:
        return dict(self._lines)

    @property
    def text_areas(self) -> dict[str, Rect]:
        """Bounds of the last layout's texts, each with all its lines, by name, as fractions of the picture."""
        areas: dict[str, Rect] = {}
        for name, line in self._lines.items():
            left, low, right, high = self._letters.measure_line_box(line)
            box = Rect(left, self._height - high, right - left, high - low)
            place = box.scaled(1.0 / self._width, 1.0 / self._height)
            area = name.split(".")[0]
            areas[area] = place.union(areas[area]) if area in areas else place
        return areas

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(self._boxes)

    def list_busy_boxes(self, *, listed: bool) -> list[Box]:
        """Return the boxes of panels and of the table's buttons, including choices if ``listed``; pixels."""
        width, height = float(self._width), float(self._height)
        buttons = [(r.x, height - r.y - r.height, r.width, r.height) for r in self._find_buttons(listed)[1:]]
        if self._look.left_handed:
            buttons = [(width - x - w, y, w, h) for x, y, w, h in buttons]
        return [*self._boxes, *buttons]

    def _build_layout(self, hud: SceneHud) -> None:
        self._panels.clear()
        self._panels.mirror_width_px = float(self._width) if self._look.left_handed else None
        self._lines: dict[str, TextLine] = {}
        self._boxes = []
        painter = PanelPainter(
            self._width,
            self._height,
            self._unit,
            self._panels,
            self._lines,
            self._fitter,
            self._boxes,
            self._find_buttons(self._has_choice_buttons),
            self._text_scale,
            self._fade_opacity,
            self._is_board,
        )
        self._tear_places, end = draw_upper_rows(painter, hud)
        draw_lower_rows(painter, hud, end)
        if self._look.left_handed:
            self._mirror_layout()
        self._panels.upload()
        self._letters.set_lines(self._lines)

    def _find_buttons(self, chooses: bool) -> tuple[Rect, ...]:
        """Return the areas of the table page's buttons, in pixels from the upper left corner."""
        width, height = self._width, self._height
        rects = reserve_areas(tall=width < height, text_scale=self._text_scale, chooses=chooses)
        return tuple(rect.scaled(width, height) for rect in rects)

    def _mirror_layout(self) -> None:
        width = float(self._width)
        self._boxes[:] = [(width - x - w, y, w, h) for x, y, w, h in self._boxes]
        self._tear_places = {seat: (width - x, y) for seat, (x, y) in self._tear_places.items()}
        other = {"left": "right", "right": "left"}
        for name, line in self._lines.items():
            anchor = other.get(line.anchor, line.anchor)
            self._lines[name] = replace(line, x=width - line.x, anchor=anchor)
