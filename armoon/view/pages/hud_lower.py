"""The lower edge of the head-up display: banner, verdict, hint and keys, and ladders left and height, in rows.

Hint and keys stand on one panel, as one text in two sizes; in a wide picture the verdict does as well, so that
no panel reaches up to the base. The rows stand where the page's buttons leave room. Where not all have room their
letters shrink, down to half of the usual ones; only then the hint goes first, then the verdict, and a banner last. In a
wide picture ladders left and height stand beside the lowest words, in a tall one below them; they are seen for a while
after they have changed, and keep their room.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from armoon.values.flex import Part, columns, rows, staying, wrap
from armoon.values.page import Rect
from armoon.values.scene import SceneHud
from armoon.view.pages.fitting import SMALLER
from armoon.view.pages.hud_glass import (
    DIE_END,
    GAP,
    GOLD_LINE,
    GOLD_TEXT,
    INK,
    MARGIN,
    PLAYERS_END,
    SOFT_GOLD_LINE,
    SWATCH_STEP,
    TEXT,
    WHITE,
    Glass,
    Plate,
)
from armoon.view.pages.panels import CROSS, LADDER, TICK
from armoon.view.scene.light import FAULT, GOOD, Rgba

#: How high ladders left, height and a hint of one line are; how near to the edge the keys are, and by how much hint
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
    parts = staying(parts, area.height, gap)
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
    """Return which rows stand on one panel."""
    return [name for name in _ON_ONE[glass.tall :] if name in plates]


def _draw(
    glass: Glass,
    hud: SceneHud,
    plates: Mapping[str, Plate],
    places: Mapping[str, Rect],
    joined: Sequence[str],
) -> None:
    """Draw every panel in its place; those that are joined share one, which the widest of them needs."""
    if len(joined) > 1:
        first, *others = (glass.place(plates[name], places[name])[0] for name in joined)
        around, above = reduce(Rect.around, others, first), plates[joined[0]]
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
) -> dict[str, Part]:
    """Return the heights of the rows that there are: each for its words in its width, or for the corners.

    None is lower than its words in usual letters times ``least`` need.
    """
    parts: dict[str, Part] = {}
    high = _CORNER * glass.unit if {"left", "height"} & plates.keys() else 0.0
    for name, area in across.items():
        part = glass.row(plates[name], area, least) if name in plates else Part(0.0)
        if name == shared:
            part = Part(max(part.basis, high * glass.growth), least=max(part.least, high * least))
        if part.basis > 0.0:
            parts[name] = replace(
                part, grow=float(name == "banner"), waits=_WAITS.get(name, 0) if parts else 0
            )
    return parts


def _within(area: Rect, column: Rect) -> Rect:
    """Return the part of an area that is in a column."""
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
    """Draw what stands before a panel's words."""
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
    """Return what there is to say along the lower edge; ``joined``: a verdict shares the panel of hint and keys."""
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
