"""The layout of the head-up display, for pictures of any shape: no panel overlaps another."""

from __future__ import annotations

from dataclasses import replace

from armoon.values.poses import Vec2
from armoon.values.scene import SceneHud, ScenePlayer
from armoon.view.pages.fitting import Fitted
from armoon.view.pages.hud_glass import (
    DIM,
    FAINT_LINE,
    GOLD_LINE,
    GOLD_TEXT,
    GOOD_TEXT,
    INK,
    IVORY,
    MARGIN,
    MIST,
    SOFT_GOLD_LINE,
    SWATCH_STEP,
    TEAR_LOW,
    TEAR_TOP,
    TEXT,
    WARN_TEXT,
    WHITE,
    Box,
    Glass,
)
from armoon.view.pages.hud_low import Card, Low, draw_low, draw_verdict, low_edge, verdict_card
from armoon.view.pages.panels import CRESCENT, DIE, DIE_FACES, TEAR
from armoon.view.scene.light import GOOD, Rgba

#: Everything below is laid out in units: 1 px in a picture 720 high. Small pictures get larger units, so that
#: text stays readable: 0.66 px at 360 instead of 0.5.
REFERENCE_HEIGHT = 720.0
SHRINK = 0.6
#: However narrow a picture is, it has this many units, unless a unit would be smaller than this (pixels).
LEAST_WIDTH, SMALLEST_UNIT = 560.0, 0.5
#: Players' lines end above this part of the height, where the pages' buttons begin, in a wide picture and in a tall
#: one; none is lower than this.
_PLAYERS_END, _LOWEST_LINE = {False: 0.53, True: 0.47}, 16.0
#: From one to the next in units, and how much of that its panel takes.
_LINE, _LINE_FILLED = 44.0, 36.0 / 44.0
#: From tear to tear; and they end left of this part of the width.
_STEP, _PLAYERS_PART = 17.0, 0.785
#: A name takes at most this part of the width, in a wide picture and in a narrow one, and a banner that one.
_NAME_PART, _BANNER_PART = {False: 0.30, True: 0.50}, 0.72
#: Where a banner has less room across than this, units, it stands elsewhere.
_NARROWEST = 230.0

#: How high title and die are, and the gap between them where the die stands below the title.
_TITLE, _DIE, _GAP = 50.0, 62.0, 10.0
#: Above this part of the height the die ends, where buttons may stand below it: in a wide picture and in a narrow one.
_DIE_END = {False: 0.17, True: 0.185}
#: Where a banner's middle may be, parts of the height; the first that is free.
_BANNER_PLACES = (0.56, 0.62, 0.50, 0.40, 0.34, 0.30, 0.26)


def lay_out(glass: Glass, hud: SceneHud) -> dict[int, Vec2]:
    """Put everything on the glass; gives for each seat where its next tear would come, pixels."""
    beside = _NAME_PART[glass.narrow] * glass.width + 72.0
    upper = glass.grown(_upper_growth(glass, hud, beside))
    _title(upper, hud, beside * glass.unit / upper.unit)
    places = _players(upper, hud.players, hud.score_texts)
    _die(upper if glass.narrow else glass, hud, (beside + MARGIN) * glass.unit)
    low = low_edge(glass, hud)
    # What stops the game matters most: where a small picture has no room for all, the lower edge waits, and a verdict.
    if not _banner(glass, hud, low):
        _banner_below(glass, hud)
        return places
    card = verdict_card(glass, hud, low) if hud.verdict_text else None
    if hud.verdict_text and card is None and not hud.banner:
        hud, low, card = _in_their_place(glass, hud)
    draw_low(low, hud)
    if card is not None:
        draw_verdict(card, hud)
    return places


def _in_their_place(glass: Glass, hud: SceneHud) -> tuple[SceneHud, Low, Card | None]:
    """Return a verdict that has no room above the hint takes its place, or all of the lower edge."""
    alone = replace(hud, hint="", keys="", ladders_left_text="", height_text="")
    for left in (replace(hud, hint=""), alone):
        low = low_edge(glass, left)
        card = verdict_card(glass, left, low)
        if card is not None:
            break
    return left, low, card


def _upper_growth(glass: Glass, hud: SceneHud, beside: float) -> float:
    """By how much title and players grow: names as large as all of them have room for, and a title no smaller."""
    best, largest = 1.0, 0.0
    usual, die = _fitted_title(glass, hud, beside).size, _fitted_die(glass, hud, 0.0)[0].size
    for growth in reversed(glass.growths):
        one = glass.grown(growth)
        row, names = _names(one, hud.players, hud.score_texts)
        letters = sum(name.size for name in names if name is not None)
        high = _DIE_END[True] * one.height >= MARGIN + _TITLE + _GAP + _DIE or not one.narrow
        fits = row > _LOWEST_LINE * _LINE_FILLED and high and one.narrow == glass.narrow
        whole = _fitted_title(one, hud, beside / growth).size >= usual
        whole = whole and (not one.narrow or _fitted_die(one, hud, 0.0)[0].size >= die)
        if growth == 1.0 or (fits and whole and letters >= largest):
            best, largest = growth, letters
    return best


def _fitted_title(glass: Glass, hud: SceneHud, most: float) -> Fitted:
    return glass.fit(hud.title or " ", most - 72.0, size=25.0, bold=True, lines=1)


def _title(glass: Glass, hud: SceneHud, most: float) -> None:
    """Draw the game's name with its moon, top left, at most this wide."""
    if not hud.title:
        return
    fitted = _fitted_title(glass, hud, most)
    w = glass.width_of(fitted, bold=True) + 72.0
    y = glass.height - MARGIN - _TITLE
    glass.panel(MARGIN, y, w, _TITLE, SOFT_GOLD_LINE, stars=1.0)
    glass.icon(CRESCENT, MARGIN + 28.0, y + 25.0, 15.0, 15.0, (1.0, 0.93, 0.74, 1.0), (1.0, 0.76, 0.36, 1.0))
    glass.write("title", fitted, MARGIN + 52.0, y + 26.0, WHITE, bold=True)


def _named(player: ScenePlayer) -> str:
    return f"{player.name} ({player.note})" if player.note else player.name


def _names(
    glass: Glass, players: tuple[ScenePlayer, ...], score: tuple[str, ...]
) -> tuple[float, list[Fitted | None]]:
    """How high players' lines are, and their names, as wide as tears and colours leave room."""
    # Six players in a small window: their lines are lower, so that all end above the buttons.
    room = _players_top(glass) - (1.0 - _PLAYERS_END[glass.width < glass.height]) * glass.height
    row = max(_LOWEST_LINE, min(_LINE, room / max(1, len(players) + len(score)))) * _LINE_FILLED
    beside = max((p.tears * _STEP + len(p.swatches) * SWATCH_STEP for p in players), default=0.0) + 62.0
    most = min(glass.width * _NAME_PART[glass.narrow], glass.width * _PLAYERS_PART - MARGIN - beside)
    size = _letters_in(row)
    return row, [
        glass.fit(_named(p), most, size=size, bold=True, lines=1) if p.name else None for p in players
    ]


def _letters_in(row: float) -> float:
    return TEXT * min(1.0, row / 30.0)


def _players_top(glass: Glass) -> float:
    return glass.height - MARGIN - _TITLE - 14.0 - (_DIE + _GAP if glass.narrow else 0.0)


def _players(glass: Glass, players: tuple[ScenePlayer, ...], score: tuple[str, ...]) -> dict[int, Vec2]:
    """One line for each player under the title, with the tears that they hold; gives where the next one would come.

    A team's score stands below them.
    """
    places: dict[int, Vec2] = {}
    row, names = _names(glass, players, score)
    size = _letters_in(row)
    widest = max(
        (
            (0.0 if name is None else glass.width_of(name, bold=True))
            + p.tears * _STEP
            + len(p.swatches) * SWATCH_STEP
            for p, name in zip(players, names, strict=True)
        ),
        default=0.0,
    )
    w = max(186.0, widest + 62.0)
    y = _players_top(glass)
    for i, (player, name) in enumerate(zip(players, names, strict=True)):
        y -= row
        glass.panel(MARGIN, y, w, row, GOLD_LINE if player.on_turn else FAINT_LINE, bold=player.on_turn)
        colour = GOLD_TEXT if player.on_turn else DIM if player.eliminated else MIST
        faded = 0.45 if player.eliminated else 1.0
        left, middle = MARGIN + 20.0, y + row / 2.0
        for swatch in player.swatches:
            glass.swatch(left + 5.0, middle, swatch, faded)
            left += SWATCH_STEP
        if name is not None:
            glass.write(f"player {i}", name, left, middle, colour, bold=player.on_turn)
        drop = min(10.0, row * 0.36)
        for k in range(player.tears):
            place = (MARGIN + w - 22.0 - k * _STEP, middle)
            glass.icon(TEAR, *place, drop, drop, (*TEAR_LOW[:3], faded), (*TEAR_TOP[:3], faded))
        places[i] = ((MARGIN + w - 22.0 - player.tears * _STEP) * glass.unit, middle * glass.unit)
        y -= row * 8.0 / 36.0
    for k, words in enumerate(score):
        fitted = glass.fit(words, glass.width * _NAME_PART[glass.narrow], size=size, bold=k == 0, lines=1)
        y -= row
        glass.panel(MARGIN, y, glass.width_of(fitted, bold=k == 0) + 40.0, row, SOFT_GOLD_LINE)
        colour = GOLD_TEXT if k == 0 else MIST
        glass.write(f"score {k}", fitted, MARGIN + 20.0, y + row / 2.0, colour, bold=k == 0)
        y -= row * 8.0 / 36.0
    return places


def _die(glass: Glass, hud: SceneHud, title_px: float) -> None:
    """Draw the die's face, its demand and the contacts, top right."""
    if not (hud.die_text or hud.contact_text):
        return
    glass, (x, y, w, h), wanted, contact = _largest_die(glass, hud, title_px)
    line: Rgba = SOFT_GOLD_LINE
    colour = MIST
    if hud.contact_text and hud.contact_good is not None:
        line = (*GOOD, 0.9) if hud.contact_good else GOLD_LINE
        colour = GOOD_TEXT if hud.contact_good else WARN_TEXT
    glass.panel(x, y, w, h, line, bold=hud.contact_good is True, stars=1.0)
    glass.icon(DIE, x + 36.0, y + h / 2, 21.0, 21.0, IVORY, INK, number=DIE_FACES[hud.die])
    right = x + 72.0
    if hud.contact_text:
        glass.write("die", wanted, right, y + 41.0, WHITE, bold=True)
        glass.write("contact", contact, right, y + 19.0, colour)
    else:
        glass.write("die", wanted, right, y + h / 2, WHITE, bold=True)


def _largest_die(glass: Glass, hud: SceneHud, title_px: float) -> tuple[Glass, Box, Fitted, Fitted]:
    """Return the die's demand and the contacts in the largest letters that fit beside the title."""
    title = title_px if hud.title and not glass.narrow else 0.0
    found = []
    for growth in (1.0,) if glass.narrow else glass.growths:
        one = glass.grown(growth)
        wanted, contact = _fitted_die(one, hud, title / one.unit)
        text_w = max(one.width_of(wanted, bold=True), one.width_of(contact))
        w = min(text_w + 86.0, one.width - 2.0 * MARGIN)
        x, y = one.width - MARGIN - w, one.height - MARGIN - _DIE
        if one.narrow:
            x, y = MARGIN, y - _TITLE - _GAP
        high = (1.0 - _DIE_END[glass.narrow]) * one.height <= y and one.narrow == glass.narrow
        if growth == 1.0 or (high and not one.covers((x, y, w, _DIE), pages=False)):
            found.append((one, (x, y, w, _DIE), wanted, contact))
    return max(found, key=lambda each: min(each[2].size, each[3].size))


def _fitted_die(glass: Glass, hud: SceneHud, beside: float) -> tuple[Fitted, Fitted]:
    room = glass.width - 2.0 * MARGIN - beside - 86.0
    wanted = glass.fit(hud.die_text or " ", room, size=TEXT, bold=True, lines=1)
    return wanted, glass.fit(hud.contact_text or " ", room, size=14.0, lines=1)


def _banner(glass: Glass, hud: SceneHud, low: Low) -> bool:
    """Draw a pause or a warning over the middle of the picture, or beside what is there.

    Return False if there is no place.
    """
    if not hud.banner:
        return True
    u = glass.unit
    beside = max((x + w for x, _, w, _ in glass.boxes if x < 3.0 * MARGIN * u), default=0.0) / u
    margin = 0.5 * (1.0 - _BANNER_PART) * glass.width
    between = glass.between(0.25 * glass.height, 0.70 * glass.height)
    whole = (MARGIN, glass.width - MARGIN)
    rooms = (
        (margin, glass.width - margin),
        (beside + 12.0, whole[1]),
        between,
        (beside + 12.0, between[1]),
        whole,
    )
    above = low.top * low.glass.unit / u + 10.0
    tried = [
        _placed(glass.grown(by), hud.banner, by, room, above, low.boxes)
        for by in glass.growths
        for room in rooms
        if room[1] - room[0] >= _NARROWEST
    ]
    free = [each for each in tried if not each[0].covers(each[1], low.boxes)]
    if not free:
        return False
    # In the middle where that is free, unless letters are larger elsewhere.
    one, (x, y, w, h), fitted = max(free, key=lambda each: round(each[2].size))
    one.panel(x, y, w, h, GOLD_LINE, bold=True, stars=1.0)
    one.write("banner", fitted, x + w / 2, y + h / 2, GOLD_TEXT, bold=True, anchor="center")
    return True


def _banner_below(glass: Glass, hud: SceneHud) -> None:
    """Draw a banner at the lower edge, below the page's buttons."""
    low, w = 0.3 * MARGIN, glass.width - 2.0 * MARGIN
    ends = min((y for _, y, _, _ in glass.taken), default=glass.height * glass.unit) / glass.unit - 8.0
    u = glass.unit
    most = (w - 60.0) * u, (ends - low - 20.0) * u
    fitted = glass.fitter.fit(hud.banner, *most, 24.0 * glass.growths[0] * u, bold=True, wrap=True)
    h = min(ends - low, fitted.height / u + 30.0)
    glass.panel(MARGIN, low, w, h, GOLD_LINE, bold=True, stars=1.0)
    glass.write("banner", fitted, glass.width / 2, low + h / 2, GOLD_TEXT, bold=True, anchor="center")


def _placed(
    glass: Glass, words: str, by: float, room: tuple[float, float], above: float, also: tuple[Box, ...]
) -> tuple[Glass, Box, Fitted]:
    """Return a banner between two places of the glass before it was grown ``by``, as near the middle as is free."""
    left, right = (edge / by for edge in room)
    fitted = glass.fit(words, right - left - 88.0, size=24.0, bold=True, lines=4)
    w = min(right - left, glass.width_of(fitted, bold=True) + 88.0)
    h = 54.0 + fitted.height / glass.unit
    x = min(max((glass.width - w) / 2, left), right - w)
    lows = [*(glass.height * part - h / 2 for part in _BANNER_PLACES), above / by]
    boxes = [(x, low, w, h) for low in lows]
    return glass, next((box for box in boxes if not glass.covers(box, also)), boxes[0]), fitted
