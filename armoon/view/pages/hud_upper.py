"""The upper edge of the head-up display: title, die, and a line for each player, in rows from the top.

In a wide picture title and die share a row. Larger letters grow only as far as all of them have room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from armoon.values.flex import Part, columns, rows
from armoon.values.page import Rect
from armoon.values.poses import Vec2
from armoon.values.scene import SceneHud, ScenePlayer
from armoon.view.pages.hud_glass import (
    DIE_END,
    DIM,
    FAINT_LINE,
    GAP,
    GOLD_LINE,
    GOLD_TEXT,
    GOOD_TEXT,
    INK,
    IVORY,
    MARGIN,
    MIST,
    PLAYERS_END,
    SOFT_GOLD_LINE,
    SWATCH_STEP,
    TEAR_LOW,
    TEAR_TOP,
    TEXT,
    WARN_TEXT,
    WHITE,
    Glass,
    Plate,
)
from armoon.view.pages.panels import CRESCENT, DIE, DIE_FACES, TEAR
from armoon.view.scene.light import GOOD, Rgba

#: Heights of title and die, units, and of their rows with the gaps below: one row in a wide picture, two in a tall one.
_TITLE, _DIE, _HEADS = 50.0, 62.0, {False: (68.0,), True: (60.0, 74.0)}
#: Height of a flat die relative to the usual one, at which its letters are as large.
_FLAT = 54.0 / _DIE
#: Height of a player's line and the least one, units; the rest of its row is the gap to the next.
_LINE, _LOWEST, _FILLED = 36.0, 13.0, 0.82
#: The winner's name: its letters, units, and its row's part of the picture's height.
_FEAST, _FEAST_PART = 58.0, 0.22
#: The least height and the room beside the words, in letters' heights; and the least width, units.
_LINE_HIGH, _ROOM, _NARROWEST = 30.0 / TEXT, 20.0 / TEXT, 186.0
#: Players' lines end left of this part of the width, in a wide picture and in a tall one.
_PLAYERS_PART = {False: 0.50, True: 0.785}


def draw_upper(glass: Glass, hud: SceneHud) -> tuple[dict[int, Vec2], float]:
    """Draw title, die and players' lines.

    Gives where each seat's next tear would come, and where there is room at the right of the lines; pixels.
    """
    u, margin = glass.unit, MARGIN * glass.unit
    above = DIE_END[glass.tall] * glass.height - margin
    room = _PLAYERS_PART[glass.tall] * glass.width - margin
    plates = [*_player_plates(hud.players), *_score_plates(hud.score_texts)]
    names = [glass.fit(plate, room, math.inf, glass.growth).size / (TEXT * u) for plate in plates]
    line = Part(_LINE * u / _FILLED * max(1.0, min(names, default=1.0)), least=_LOWEST * u / _FILLED)
    heads = [high * u for high in _HEADS[glass.tall]]
    growth = max(1.0, min(glass.growth, above / sum(heads))) if glass.tall else glass.growth
    whole = Rect(margin, margin, glass.width - 2.0 * margin, PLAYERS_END[glass.tall] * glass.height - margin)
    slots = rows(whole, *(Part(high * growth, least=high) for high in heads), *[line] * len(plates))
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
    """Draw title and die in their rows; the die ends at ``above`` from the margin."""
    scale = slots[0].height / _HEADS[glass.tall][0]
    title, die = replace(slots[0], height=_TITLE * scale), replace(slots[-1], height=_DIE * scale)
    before, after = 52.0 / 25.0, 20.0 / 25.0
    name = Plate("title", hud.title, 25.0, 2.0, before, after, SOFT_GOLD_LINE, WHITE, True, stars=1.0)
    if not glass.tall:
        widest = max(glass.column(plate).basis for plate in _die_plates(hud))
        parts = Part(glass.column(name).basis), Part(widest, grow=1.0)
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
    """Return what the die demands, and the contacts below it."""
    colour = {None: MIST, True: GOOD_TEXT, False: WARN_TEXT}[hud.contact_good if hud.contact_text else None]
    sizes = TEXT, 14.0
    return (
        Plate("die", hud.die_text, sizes[0], 1.0, 72.0 / TEXT, 14.0 / TEXT, colour=WHITE, bold=True),
        Plate("contact", hud.contact_text, sizes[1], 1.0, 72.0 / 14.0, 1.0, colour=colour),
    )


def _die(glass: Glass, hud: SceneHud, area: Rect) -> None:
    """Draw the die's face, its demand and the contacts."""
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
        place = replace(area, width=max(_NARROWEST * glass.unit, widest))
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
    """Yield names with room for colours before them, and for tears, each a letter's height, after them."""
    for seat, player in enumerate(players):
        words = f"{player.name} ({player.note})" if player.note and player.name else player.name
        before, after = _ROOM + SWATCH_STEP * len(player.swatches), 42.0 / TEXT + player.tears
        line, colour = (GOLD_LINE, GOLD_TEXT) if player.on_turn else (FAINT_LINE, MIST)
        colour = DIM if player.eliminated and not player.on_turn else colour
        yield Plate(f"player {seat}", words, TEXT, _LINE_HIGH, before, after, line, colour, player.on_turn)


def _score_plates(score: Sequence[str]) -> Iterator[Plate]:
    """Yield a team's score, first what stands above the line now."""
    for number, words in enumerate(score):
        bold, colour = number == 0, MIST if number else GOLD_TEXT
        name = f"score {number}"
        yield Plate(name, words, TEXT, _LINE_HIGH, _ROOM, _ROOM, SOFT_GOLD_LINE, colour, bold)
