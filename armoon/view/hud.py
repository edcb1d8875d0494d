"""The head-up display: the instruction, whose turn it is, the face of the die, and the verdict."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from armoon.values.look import USUAL_LOOK, Look
from armoon.values.page import IN_PLACE, FlexPart, Rect, columns, fitting_parts, reserved_areas, rows, wrap
from armoon.values.poses import Vec2
from armoon.values.scene import PointsFlight, SceneHud, ScenePlayer, TearFlight
from armoon.view.fitting import SMALLER, Fitter
from armoon.view.glass import (
    BOARD_END,
    DIE_END,
    DIM,
    FAINT_LINE,
    GAP,
    GOLD_LINE,
    GOLD_TEXT,
    GOOD_TEXT,
    INK,
    IVORY,
    LEAST_WIDTH,
    MARGIN,
    MIST,
    PLAYERS_END,
    REFERENCE_HEIGHT,
    SHRINK,
    SMALLEST_UNIT,
    SOFT_GOLD_LINE,
    SWATCH_STEP,
    TEAR_LOW,
    TEAR_TOP,
    TEXT,
    WARN_TEXT,
    WHITE,
    Box,
    Glass,
    GlassView,
    KeptGlass,
    Plate,
)
from armoon.view.lettering import Lettering, Rgba8, TextLine
from armoon.view.panels import CRESCENT, CROSS, DIE, DIE_FACES, DISC, LADDER, TEAR, TICK, Panels
from armoon.view.scene.light import FAULT, GOLD, GOOD, Rgba

#: Height of ladders left, height and a hint of one line; distance of the keys from the edge, and by how much hint
#: and keys come towards each other on their panel; units.
_CORNER, _EDGE, _CLOSER = 40.0, 8.0, 3.0
#: A banner stands beside the players where it is at least this wide, units, and has room for itself in three lines.
_NARROWEST, _BANNER_LINES = 230.0, 3
#: A strip with the last verdict in two lines, not quite full, only in a picture at least this high, units.
_LINES_LAST, _HIGH = 1.7, 700.0
#: Factors by which the rows' letters are shrunk, in turn, before a row is dropped: down to half.
_LEAST = tuple(SMALLER**step for step in range(14))
#: The rows from the top, and the order in which they are dropped where not all have room; the banner stays.
_ORDER = ("banner", "verdict", "hint", "keys", "corners")
_WORDS, _CORNERS, _KEYS = ("banner", "verdict", "hint"), "corners", "keys"
_ON_ONE = ("verdict", "hint", "keys")
_WAITS = {"hint": 4, "verdict": 3, _CORNERS: 2, _KEYS: 1}


def draw_lower(glass: Glass, hud: SceneHud, end: float) -> None:
    """Draw the rows; from ``end`` to the right, pixels, a banner may stand beside the players' lines instead."""
    margin, gap, corner = MARGIN * glass.unit, GAP * glass.unit, _CORNER * glass.unit
    hud = _with_last(glass, hud)
    plates = _plates(hud, joined=not glass.tall)
    joined = _joined(glass, plates)
    bottom = glass.height - (_EDGE * glass.unit if hud.keys or len(joined) > 1 else margin)
    top = PLAYERS_END[glass.tall] * glass.height
    whole = Rect(margin, top, glass.width - 2.0 * margin, bottom - top)
    ends = max((button.y + button.height for button in glass.taken), default=top) + 1.0
    below = replace(whole, y=ends, height=bottom - ends)
    beside = _beside(glass, plates.get("banner"), end)
    words = [name for name in _WORDS[beside is not None :] if name in plates]
    last = words[-1] if words and not glass.tall else _CORNERS
    free = glass.free(whole)
    # All below the page's buttons, in letters as large as wanted; else beside them, in usual ones at least. Corners
    # are beside the last words, which wrap between them, or in a row of their own where that makes one line of them.
    line = [glass.column(plates.get(name)).least for name in ("left", last, "height")]
    own = last if len(wrap(line, whole.width, margin)) == 1 else _CORNERS
    # Where not all have room in usual letters, these give way before anything goes.
    beside_buttons = itertools.product(_LEAST, ((free, own), (free, last)))
    for least, (area, shared) in ((1.0, (below, last)), *beside_buttons):
        joins = shared in joined and len(joined) > 1
        between = replace(glass.column(plates.get(shared)), least=0.0, grow=1.0)
        sides = glass.column(plates.get("left")), between, glass.column(plates.get("height"))
        left, middle, right = columns(whole, *sides, gap=1.5 * gap)
        across = dict.fromkeys(words, area) | {shared: _within(area, middle)}
        across |= dict.fromkeys(joined, across[shared]) if joins else {_KEYS: area}
        across = {name: across[name] for name in _ORDER if name in across}
        parts = _parts(glass, plates, across, "" if joins else shared, least)
        needed = sum(part.basis if area is below else part.least for part in parts.values())
        if needed + gap * (len(parts) - 1) <= area.height:
            break
    parts = fitting_parts(parts, area.height, gap)
    found = zip(parts, rows(area, *parts.values(), gap=gap, to=1.0), strict=True)
    places = {name: replace(place, x=across[name].x, width=across[name].width) for name, place in found}
    if beside is not None:
        first = min((place.y for place in places.values()), default=bottom)
        # As high as its words: the middle belongs to the structure.
        high = glass.row(plates["banner"], beside, 1.0).basis
        places["banner"] = replace(beside, height=min(high, first - gap - beside.y))
    if shared in places:
        stand = [places[name] for name in joined if name in places] if joins else [places[shared]]
        low = stand[-1].y + stand[-1].height
        high = min(low - stand[0].y, corner * glass.growth, low - ends)
        places |= {
            "left": replace(left, y=low - high, height=high),
            "height": replace(right, y=low - high, height=high),
        }
    _draw(glass, hud, plates, places, [name for name in joined if name in places])


def _joined(glass: Glass, plates: Mapping[str, Plate]) -> list[str]:
    return [name for name in _ON_ONE[glass.tall :] if name in plates]


def _draw(
    glass: Glass,
    hud: SceneHud,
    plates: Mapping[str, Plate],
    places: Mapping[str, Rect],
    joined: Sequence[str],
) -> None:
    """Draw every panel in its place; joined ones share one, as wide as the widest of them."""
    if len(joined) > 1:
        first, *others = (glass.place(plates[name], places[name])[0] for name in joined)
        around, above = reduce(Rect.union, others, first), plates[joined[0]]
        glass.panel(around, above.line, strong=above.strong, stars=above.stars)
        closer = {joined[0]: _CLOSER * glass.unit, joined[-1]: -_CLOSER * glass.unit}
        places = {name: replace(place, y=place.y + closer.get(name, 0.0)) for name, place in places.items()}
    for name in (name for name in plates if name in places):
        bare = name in joined and len(joined) > 1
        place, size = glass.put(
            plates[name], places[name], {"left": 0.0, "height": 1.0}.get(name, 0.5), bare=bare
        )
        _mark(glass, hud, name, place, size)


def _with_last(glass: Glass, hud: SceneHud) -> SceneHud:
    """Put the last verdict before the keys where both have room: in one line, or in a high picture in two."""
    strip = " · ".join(words for words in (hud.last_text, hud.keys) if words)
    both = replace(hud, keys=strip)
    plates = _plates(both, joined=not glass.tall)
    corners = 0.0 if glass.tall else sum(glass.column(plates.get(name)).least for name in ("left", "height"))
    room = glass.width - 2.0 * MARGIN * glass.unit - corners - 3.0 * GAP * glass.unit
    wide = glass.column(plates.get("keys")).least / room
    fits = wide <= 1.0 or (wide <= _LINES_LAST and glass.height >= _HIGH * glass.unit)
    return both if fits else hud


def _parts(
    glass: Glass, plates: Mapping[str, Plate], across: Mapping[str, Rect], shared: str, least: float
) -> dict[str, FlexPart]:
    """Return the rows' heights, each for its words or the corners, at least for usual letters times ``least``."""
    parts: dict[str, FlexPart] = {}
    high = _CORNER * glass.unit if {"left", "height"} & plates.keys() else 0.0
    for name, area in across.items():
        part = glass.row(plates[name], area, least) if name in plates else FlexPart(0.0)
        if name == shared:
            part = FlexPart(max(part.basis, high * glass.growth), least=max(part.least, high * least))
        if part.basis > 0.0:
            parts[name] = replace(
                part, grow=float(name == "banner"), drop_order=_WAITS.get(name, 0) if parts else 0
            )
    return parts


def _within(area: Rect, column: Rect) -> Rect:
    x, ends = max(area.x, column.x), min(area.x + area.width, column.x + column.width)
    return replace(area, x=x, width=ends - x)


def _beside(glass: Glass, banner: Plate | None, end: float) -> Rect | None:
    """Return where a banner may stand beside the players' lines, if there is room enough."""
    if banner is None:
        return None
    wide = glass.column(banner).basis
    top = DIE_END[glass.tall] * glass.height + GAP * glass.unit
    found = glass.free(Rect(end, top, glass.width - MARGIN * glass.unit - end, glass.height - top))
    return found if found.width >= min(wide, max(wide / _BANNER_LINES, _NARROWEST * glass.unit)) else None


def _mark(glass: Glass, hud: SceneHud, name: str, place: Rect, size: float) -> None:
    x, y = place.x, place.centre[1]
    if name == "left" and glass.passing > 0.0:
        x, h = x + 26.0 / 15.0 * size, 13.0 / 15.0 * size
        wood, ink = (0.92, 0.74, 0.45, glass.passing), (*INK[:3], glass.passing)
        glass.icon(LADDER, x, y, 8.0 / 15.0 * size, h, wood, ink)
    elif name == "hint" and hud.hint_swatch is not None:
        glass.swatch(x + 28.0 / TEXT * size, y, size, hud.hint_swatch)
    elif name == "verdict" and hud.verdict_good is not None:
        half = 13.0 / 19.0 * size
        kind, colour = (TICK, GOOD) if hud.verdict_good else (CROSS, FAULT)
        glass.icon(kind, x + 2.0 * size, y, half, half, (*colour, 1.0), INK)


def _plates(hud: SceneHud, *, joined: bool) -> dict[str, Plate]:
    """Return the plates of the lower edge; ``joined``: a verdict shares the panel of hint and keys."""
    high = 30.0 if joined and (hud.hint or hud.keys) else 46.0
    judged: Rgba = GOLD_LINE if hud.verdict_good is None else (*(GOOD if hud.verdict_good else FAULT), 0.95)
    mark = 30.0 if hud.verdict_good is None else 74.0
    swatch = 28.0 / TEXT + (SWATCH_STEP if hud.hint_swatch is not None else 0.0)
    passes = bool(hud.ladders_left_text)  # without ladders, the lake's neutral colour stands there and stays
    loud, said = Plate("banner", hud.banner, 24.0, 3.25, 44.0 / 24.0, 44.0 / 24.0), hud.verdict_text
    plates = (
        replace(
            loud,
            line=GOLD_LINE,
            colour=GOLD_TEXT,
            bold=True,
            strong=True,
            stars=1.0,
            lines=4,
            anchor="center",
        ),
        Plate(
            "verdict", said, 19.0, high / 19.0, mark / 19.0, 30.0 / 19.0, judged, WHITE, True, True, 1.0, 3
        ),
        Plate(
            "hint",
            hud.hint,
            TEXT,
            (26.0 if hud.keys or (joined and said) else _CORNER) / TEXT,
            swatch,
            28.0 / TEXT,
            SOFT_GOLD_LINE,
            WHITE,
            lines=3,
            anchor="center",
        ),
        Plate("left", hud.ladders_left_text, 15.0, _CORNER / 15.0, 44.0 / 15.0, 20.0 / 15.0, passes=passes),
        Plate(
            "height",
            hud.height_text,
            16.0,
            _CORNER / 16.0,
            1.25,
            1.25,
            colour=GOLD_TEXT,
            bold=True,
            passes=passes,
        ),
        Plate("keys", hud.keys, 14.5, 22.0 / 14.5, 28.0 / 14.5, 28.0 / 14.5, lines=3, anchor="center"),
    )
    return {plate.name: plate for plate in plates if plate.words}


#: Heights of title and die, units, and of their rows with the gaps below: one row in a wide picture, two in a tall one.
_TITLE, _DIE, _HEADS = 50.0, 62.0, {False: (68.0,), True: (60.0, 74.0)}
#: Height of a flat die relative to the usual one, at which its letters are as large.
_FLAT = 54.0 / _DIE
#: Height of a player's line and the least one, units; the rest of its row is the gap to the next.
_LINE, _LOWEST, _FILLED = 36.0, 13.0, 0.82
#: The winner's name: its letters, units, and its row's part of the picture's height.
_FEAST, _FEAST_PART = 58.0, 0.22
_LINE_HIGH, _ROOM, _NARROWEST_UPPER = 30.0 / TEXT, 20.0 / TEXT, 186.0
#: Players' lines end left of this part of the width, in a wide picture and in a tall one.
_PLAYERS_PART = {False: 0.50, True: 0.785}


def draw_upper(glass: Glass, hud: SceneHud) -> tuple[dict[int, Vec2], float]:
    """Draw title, die and players' lines; return the places of each seat's next tear, and the lines' end, pixels."""
    u, margin = glass.unit, MARGIN * glass.unit
    above = DIE_END[glass.tall] * glass.height - margin
    room = _PLAYERS_PART[glass.tall] * glass.width - margin
    plates = [*_player_plates(hud.players), *_score_plates(hud.score_texts)]
    names = [glass.fit(plate, room, math.inf, glass.growth).size / (TEXT * u) for plate in plates]
    line = FlexPart(_LINE * u / _FILLED * max(1.0, min(names, default=1.0)), least=_LOWEST * u / _FILLED)
    heads = [high * u for high in _HEADS[glass.tall]]
    growth = max(1.0, min(glass.growth, above / sum(heads))) if glass.tall else glass.growth
    end = (BOARD_END if glass.board else PLAYERS_END)[glass.tall] * glass.height
    whole = Rect(margin, margin, glass.width - 2.0 * margin, end - margin)
    slots = rows(whole, *(FlexPart(high * growth, least=high) for high in heads), *[line] * len(plates))
    _heads(glass, hud, slots[: len(heads)], above)
    lines = [replace(slot, width=room, height=_FILLED * slot.height) for slot in slots[len(heads) :]]
    if hud.feast and not plates:
        top = slots[0].y + slots[0].height
        colours = GOLD_LINE, GOLD_TEXT
        winner = Plate("feast", hud.feast, _FEAST, 1.8, 1.0, 1.0, *colours, True, lines=2, anchor="center")
        glass.put(winner, Rect(0.0, top, glass.width, _FEAST_PART * glass.height))
    first = len(glass.boxes)
    places = _players(glass, hud.players, plates, lines)
    for plate, area in list(zip(plates, lines, strict=True))[len(hud.players) :]:
        glass.put(plate, area, 0.0)
    ends = max((x + w for x, _, w, _ in glass.boxes[first:]), default=0.0)
    return places, ends + 1.5 * GAP * u


def _heads(glass: Glass, hud: SceneHud, slots: Sequence[Rect], above: float) -> None:
    scale = slots[0].height / _HEADS[glass.tall][0]
    title, die = replace(slots[0], height=_TITLE * scale), replace(slots[-1], height=_DIE * scale)
    before, after = 52.0 / 25.0, 20.0 / 25.0
    name = Plate("title", hud.title, 25.0, 2.0, before, after, SOFT_GOLD_LINE, WHITE, True, stars=1.0)
    if not glass.tall:
        widest = max(glass.column(plate).basis for plate in _die_plates(hud))
        parts = FlexPart(glass.column(name).basis), FlexPart(widest, grow=1.0)
        title, die = columns(title, *parts, gap=MARGIN * glass.unit)
        die = replace(die, height=min(_DIE * scale, above))
    if hud.title:
        place, size = glass.put(name, title, 0.0)
        x, half = place.x + 28.0 / 25.0 * size, 0.6 * size
        moon = x, place.centre[1], half, half
        glass.icon(CRESCENT, *moon, (1.0, 0.93, 0.74, 1.0), (1.0, 0.76, 0.36, 1.0))
    if hud.die_text or hud.contact_text:
        _die(glass, hud, die)


def _die_plates(hud: SceneHud) -> tuple[Plate, Plate]:
    colour = {None: MIST, True: GOOD_TEXT, False: WARN_TEXT}[hud.contact_good if hud.contact_text else None]
    sizes = TEXT, 14.0
    return (
        Plate("die", hud.die_text, sizes[0], 1.0, 72.0 / TEXT, 14.0 / TEXT, colour=WHITE, bold=True),
        Plate("contact", hud.contact_text, sizes[1], 1.0, 72.0 / 14.0, 1.0, colour=colour),
    )


def _die(glass: Glass, hud: SceneHud, area: Rect) -> None:
    plates = [plate for plate in _die_plates(hud) if plate.words]
    by = min(glass.growth, area.height / (_FLAT * _DIE * glass.unit))
    by = min(glass.fit(plate, area.width, math.inf, by).size / (plate.size * glass.unit) for plate in plates)
    unit, fitted = by * glass.unit, [glass.fit(plate, area.width, math.inf, by) for plate in plates]
    w = max(glass.width_of(plate, one) for plate, one in zip(plates, fitted, strict=True))
    x = area.x if glass.tall else area.x + area.width - w
    place = Rect(x, area.y, w, min(_DIE * unit, area.height))
    line: Rgba = SOFT_GOLD_LINE
    if hud.contact_text and hud.contact_good is not None:
        line = (*GOOD, 0.9) if hud.contact_good else GOLD_LINE
    glass.panel(place, line, strong=hud.contact_good is True, stars=1.0)
    middle = place.centre[1]
    glass.icon(DIE, x + 36.0 * unit, middle, 21.0 * unit, 21.0 * unit, IVORY, INK, number=DIE_FACES[hud.die])
    for plate, one, low in zip(plates, fitted, (-10.0, 12.0), strict=False):
        glass.write(plate, one, x + 72.0 * unit, middle + (low * unit if len(plates) > 1 else 0.0))


def _players(
    glass: Glass, players: Sequence[ScenePlayer], plates: Sequence[Plate], lines: Sequence[Rect]
) -> dict[int, Vec2]:
    """Draw a line for each player, with the tears that they hold, all in letters of one size."""
    fits = [
        glass.fit(plate, area.width, area.height, glass.growth)
        for plate, area in zip(plates, lines, strict=True)
    ][: len(players)]
    size = min((one.size for one in fits), default=0.0)
    fits = [replace(one, size=size) for one in fits]
    widest = max((glass.width_of(*one) for one in zip(plates, fits, strict=False)), default=0.0)
    places: dict[int, Vec2] = {}
    for k, (player, plate, fitted, area) in enumerate(zip(players, plates, fits, lines, strict=False)):
        place = replace(area, width=max(_NARROWEST_UPPER * glass.unit, widest))
        middle, faded = place.centre[1], 0.45 if player.eliminated else 1.0
        glass.panel(place, plate.line, strong=player.on_turn)
        for n, swatch in enumerate(player.swatches):
            glass.swatch(place.x + (25.0 / TEXT + n * SWATCH_STEP) * size, middle, size, swatch, faded)
        if plate.words:
            glass.write(plate, fitted, place.x + plate.before * size, middle)
        first, drop = place.x + place.width - 22.0 / TEXT * size, min(10.0 / TEXT * size, area.height * 0.36)
        for n in range(player.tears):
            fill, border = (*TEAR_LOW[:3], faded), (*TEAR_TOP[:3], faded)
            glass.icon(TEAR, first - n * size, middle, drop, drop, fill, border)
        places[k] = (first - player.tears * size, glass.height - middle)
    return places


def _player_plates(players: Sequence[ScenePlayer]) -> Iterator[Plate]:
    for seat, player in enumerate(players):
        words = f"{player.name} ({player.note})" if player.note and player.name else player.name
        before, after = _ROOM + SWATCH_STEP * len(player.swatches), 42.0 / TEXT + player.tears
        line, colour = (GOLD_LINE, GOLD_TEXT) if player.on_turn else (FAINT_LINE, MIST)
        colour = DIM if player.eliminated and not player.on_turn else colour
        yield Plate(f"player {seat}", words, TEXT, _LINE_HIGH, before, after, line, colour, player.on_turn)


def _score_plates(score: Sequence[str]) -> Iterator[Plate]:
    for number, words in enumerate(score):
        bold, colour = number == 0, MIST if number else GOLD_TEXT
        name = f"score {number}"
        yield Plate(name, words, TEXT, _LINE_HIGH, _ROOM, _ROOM, SOFT_GOLD_LINE, colour, bold)


#: How long ladders left and height are shown after a change, and the time and steps of their fading; ticks of
#: 1/60 s.
_STAY_TICKS, _GO_TICKS, _GO_STEPS = 300, 36, 4
#: Colours of flying points: a dark disc with gold around and on it.
_COUNTER: Rgba = (0.07, 0.09, 0.225, 0.92)
_COUNTED: Rgba8 = (255, 222, 150, 255)


class Hud:
    """Draws the texts and shapes of a scene; lays them out only when they change."""

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
        self._letters_wanted, self._chooses, self._stays, self._board = 1.0, False, False, False
        self._told, self._since = ("", ""), 0
        self._passing = 1.0
        self._size = (0, 0)
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        if (width, height) == self._size:
            return
        self._size = (width, height)
        self._width, self._height = width, height
        self._shown: SceneHud | None = None
        self._is_drawn = False
        self._view.resize(width, height)
        self._letters.resize(width, height)
        self._numbers.resize(width, height)

    def set_look(self, look: Look) -> None:
        if look != self._look:
            self._look = look
            self._shown = None
            for panels in (self._panels, self._flying):
                panels.look = look
            self._letters.look = look

    def set_lettering(
        self, text_scale: float, *, chooses: bool, stays: bool = False, board: bool = False
    ) -> None:
        """Set the letters' factor. ``chooses``: offers are buttons beside the table. ``stays``: nothing fades.

        ``board``: the table's whole width is played on.
        """
        self._stays = stays or text_scale > IN_PLACE
        if (text_scale, chooses, board) != (self._letters_wanted, self._chooses, self._board):
            self._letters_wanted, self._chooses, self._board = text_scale, chooses, board
            self._shown = None

    @property
    def _unit(self) -> float:
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
        """Lay out this tick's texts and shapes without drawing them.

        Ladders left and height fade some time after their last change; ``calm``: at once. A pause counts as a change.
        """
        hud = replace(hud, tear=None)  # it moves without a new layout
        words = (hud.ladders_left_text, hud.height_text)
        if words != self._told or tick < self._since:
            self._told, self._since = words, tick
        late = (tick - self._since - _STAY_TICKS) / (1 if calm else _GO_TICKS)
        gone = math.ceil(_GO_STEPS * min(max(late, 0.0), 1.0)) / _GO_STEPS
        passing = 1.0 if self._stays else 1.0 - gone
        if hud != self._shown or passing != self._passing:
            self._passing = passing
            self._lay_out(hud)
            self._shown, self._is_drawn = hud, False

    def width_of(self, line: TextLine) -> float:
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

    def draw_counters(self, counters: Sequence[tuple[PointsFlight, Vec2]], *, calm: bool = False) -> None:
        """Draw points on their way between places (pixels) and their players' lines; ``calm``: they wait there."""
        self._flying.clear()
        lines: dict[str, TextLine] = {}
        for number, (counter, place) in enumerate(counters):
            target = self._tear_places.get(counter.seat)
            if target is None:
                continue
            part = 1.0 if calm else counter.along
            along = part * part * (3.0 - 2.0 * part)
            x, y = (a + (b - a) * along for a, b in zip(place, target, strict=True))
            # Gains fly above losses.
            y += (0.09 if counter.won else -0.05) * self._height * 4.0 * along * (1.0 - along)
            rim = GOLD if counter.won else FAULT
            half = (17.0 + 6.0 * (1.0 - along)) * self._unit
            self._flying.add(DISC, (x, y), (1.5 * half, 1.5 * half), (*rim, 0.14))
            self._flying.add(DISC, (x, y), (half, half), _COUNTER, (*rim, 0.95))
            lines[str(number)] = TextLine(counter.text, x, y, 0.95 * half, _COUNTED, True, "center")
        self._flying.upload()
        self._flying.draw()
        self._numbers.show(lines)
        self._numbers.draw()

    @property
    def texts(self) -> dict[str, TextLine]:
        return dict(self._lines)

    @property
    def places(self) -> dict[str, Rect]:
        """Places of the last layout's texts, by name, in parts of the picture; a text's lines are together."""
        found: dict[str, Rect] = {}
        for name, line in self._lines.items():
            left, low, right, high = self._letters.box(line)
            across, down = 1.0 / self._width, 1.0 / self._height
            place = Rect(left * across, 1.0 - high * down, (right - left) * across, (high - low) * down)
            whole = name.split(".")[0]
            found[whole] = place.union(found[whole]) if whole in found else place
        return found

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(self._boxes)

    def busy(self, *, listed: bool) -> list[Box]:
        """Return the boxes of panels and the table's buttons, with choices if ``listed``, without a die's faces."""
        width, height = float(self._width), float(self._height)
        buttons = [(r.x, height - r.y - r.height, r.width, r.height) for r in self._button_boxes(listed)[1:]]
        if self._look.left_handed:
            buttons = [(width - x - w, y, w, h) for x, y, w, h in buttons]
        return [*self._boxes, *buttons]

    def _lay_out(self, hud: SceneHud) -> None:
        self._panels.clear()
        self._panels.mirrored_px = float(self._width) if self._look.left_handed else None
        self._lines: dict[str, TextLine] = {}
        self._boxes = []
        glass = Glass(
            self._width,
            self._height,
            self._unit,
            self._panels,
            self._lines,
            self._fitter,
            self._boxes,
            self._button_boxes(self._chooses),
            self._letters_wanted,
            self._passing,
            self._board,
        )
        self._tear_places, end = draw_upper(glass, hud)
        draw_lower(glass, hud, end)
        if self._look.left_handed:
            self._mirror()
        self._panels.upload()
        self._letters.show(self._lines)

    def _button_boxes(self, chooses: bool) -> tuple[Rect, ...]:
        """Return where the table's page has buttons, pixels from the upper left."""
        width, height = self._width, self._height
        rects = reserved_areas(tall=width < height, text_scale=self._letters_wanted, chooses=chooses)
        return tuple(Rect(r.x * width, r.y * height, r.width * width, r.height * height) for r in rects)

    def _mirror(self) -> None:
        width = float(self._width)
        self._boxes[:] = [(width - x - w, y, w, h) for x, y, w, h in self._boxes]
        self._tear_places = {seat: (width - x, y) for seat, (x, y) in self._tear_places.items()}
        other = {"left": "right", "right": "left"}
        for name, line in self._lines.items():
            anchor = other.get(line.anchor, line.anchor)
            self._lines[name] = replace(line, x=width - line.x, anchor=anchor)
