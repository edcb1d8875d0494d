"""The pages of the next game's options: at a glance, its edition, the house's options, and who begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from armoon.games import title_of
from armoon.games.options import PageChoices, offered_of, said_of
from armoon.games.shared.seating import FirstBy
from armoon.messages import text
from armoon.options.option import Option, PageOf
from armoon.screens.form import Form
from armoon.screens.layout import (
    Item,
    Plan,
    Reply,
    back_button,
    body_place,
    button,
    choice,
    close_places,
    done_button,
    going,
    lines,
    list_page,
    page,
    put,
)
from armoon.screens.pages.opening import shortened, start_game
from armoon.screens.party import COLOURS
from armoon.screens.state import PageName, Screens
from armoon.values.choices import CameraWay
from armoon.values.page import GAP, REST, Rect, grid, rows

#: Share of the body for the focused row's meaning, below the rows.
_SAID = 0.16


# At a glance ----------------------------------------------------------------------------------------------------


def more(screens: Screens) -> Plan:
    """Game, players, edition, options, who begins and the camera's seat; and the game begins."""
    playable = screens.form.playable
    start = ("start", text("screens.more.start"), start_game, playable)
    return list_page(
        screens,
        text("screens.more.heading"),
        (_note(screens),),
        _ways(screens),
        back_button(),
        start,
        high=0.12,
        gap=GAP[1] / body_place(screens.tall).height,
        words="note",
        veil=0.76,
        first="start" if playable else "players",
    )


def _note(screens: Screens) -> str:
    """Why it can't begin, or what this page is for."""
    form = screens.form
    if form.playable:
        return text("screens.more.about")
    return text("screens.players.count", game=title_of(form.game), least=form.fewest, most=form.most)


def _ways(screens: Screens) -> list[Item]:
    """Return a button for each line, to the page that changes it."""
    form, own = screens.form, screens.form.options
    names = tuple(player.name for player in form.players)
    said = [("game", title_of(form.game), PageName.GAME), ("players", shortened(names), PageName.PLAYERS)]
    if own.on(PageOf.GAME):
        first = own.on(PageOf.GAME)[0]
        said.append(("edition", said_of(own, first, len(names)), PageName.EDITION))
    if own.on(PageOf.HOUSE):
        changed = own != own.reset()
        said.append(("options", text(f"screens.more.{'own' if changed else 'printed'}"), PageName.OPTIONS))
    if len(names) > 1:
        begins = form.begins(screens.seed).seat
        said.append(("first", names[begins], PageName.FIRST))
    if screens.camera.way is CameraWay.REAL:
        said.append(("seat", text(f"screens.seat.{form.seat}"), PageName.SEAT))
    return [button(key, text(f"screens.more.{key}", value=value), going(to)) for key, value, to in said]


# What the game describes ----------------------------------------------------------------------------------------


def edition(screens: Screens) -> Plan:
    """Return the published game, how it is played, and what else is chosen on the way."""
    own = screens.form.options
    offered = own.on(PageOf.GAME)
    upper, _, about, _ = rows(body_place(screens.tall), 0.54, 0.02, REST, _SAID)
    items = (
        *_rows(screens, offered, upper),
        *lines(about, own.about() if isinstance(own, PageChoices) else (), "about", 0.075),
        *_meaning(screens, offered),
    )
    return page(screens, text("screens.edition.heading"), items, done_button(), veil=0.74)


def options(screens: Screens) -> Plan:
    """Return the house options."""
    own = screens.form.options
    offered = own.on(PageOf.HOUSE)
    reset = ("reset", text("screens.options.reset"), _reset, own != own.reset())
    (upper,) = rows(body_place(screens.tall), 0.98 - _SAID)
    items = (*_rows(screens, offered, upper), *_meaning(screens, offered))
    return page(screens, text("screens.options.heading"), items, reset, done_button())


def _meaning(screens: Screens, offered: Sequence[Option]) -> tuple[Item, ...]:
    """Return the meaning of the focused row; without focus, of the first row.

    In very large letters each row has its meaning below it: this one would be on another screen.
    """
    if screens.large:
        return ()
    _, place = rows(body_place(screens.tall), REST, _SAID)
    at = next((option for option in offered if option.name == screens.focus), offered[0])
    return lines(place, (text("screens.options.meaning", label=at.label, help=at.help),), "meaning", 1.0)


def _rows(screens: Screens, offered: Sequence[Option], area: Rect) -> tuple[Item, ...]:
    own, players = screens.form.options, len(screens.form.players)
    items: list[Item] = []
    for option, place in zip(offered, close_places(screens.tall, len(offered), area), strict=True):
        said, offers = said_of(own, option, players), offered_of(own, option, players)
        now, live = own.values()[option.name], len(offers) > 1
        live = live and (not isinstance(own, PageChoices) or own.live(option, players))
        given = choice(
            option.name,
            option.label,
            said,
            _turning(option),
            rect=place,
            enabled=live,
            now=now,
            offers=offers,
        )
        items.append(given)
        if screens.large:
            items += lines(place, (option.help,), f"{option.name} means", 1.0)
    return tuple(items)


def _turning(option: Option) -> Callable[[Screens, int], Reply]:
    def turn(screens: Screens, step: int) -> Reply:
        own = screens.form.options
        values, now = offered_of(own, option, len(screens.form.players)), own.values()[option.name]
        place = values.index(now) if now in values else -1
        value = values[(place + step) % len(values)]
        return _put(screens, screens.form.with_options(own.having(**{option.name: value})))

    return turn


def _reset(screens: Screens) -> Reply:
    """Return the game's own rules."""
    return _put(screens, screens.form.with_options(screens.form.options.reset()))


def _put(screens: Screens, form: Form) -> Reply:
    return replace(screens, form=form.tidy()), ()


# Who begins -----------------------------------------------------------------------------------------------------


def first(screens: Screens) -> Plan:
    """Return the ways to find the first player (ruling M3), and whom the chosen one finds."""
    tall, form = screens.tall, screens.form
    body = body_place(tall)
    by, begins = form.first_by, form.begins(screens.seed)
    ways, said, plates = rows(body, 0.40 if tall else 0.46, 0.15, REST, gap=body.height * 0.02)
    places = grid(ways, 4, 1 if tall else 2, 0.075 if tall else 0.13, (0.03, 0.014 if tall else 0.022))
    across, high = (2, 0.075) if tall else (min(3, len(form.players)), 0.095)
    players = grid(plates, len(form.players), across, high, (0.018, 0.016))
    words = [text(f"first.why.{begins.why}", player=form.players[begins.seat].name)] if begins.why else []
    if form.options.traits.first_note:
        words.append(form.options.traits.first_note)
    found = (button(way.value, _way_text(form, way), _take(way), chosen=by is way) for way in FirstBy)
    # A player's name, lit for the one who begins; pressing it lets that one begin.
    named = (
        button(f"player {seat}", player.name, _take(FirstBy.CHOSEN, seat), chosen=seat == begins.seat).having(
            swatch=COLOURS[player.colour]
        )
        for seat, player in enumerate(form.players)
    )
    items = (*put(found, places), *lines(said, words, "why", 1.0), *put(named, players))
    return page(screens, text("screens.first.heading"), items, done_button(), veil=0.74, first="done")


def _way_text(form: Form, way: FirstBy) -> str:
    words = text(f"screens.first.{way.value}")
    usual = way is form.options.traits.usual_first and way is not FirstBy.CHOSEN
    return text("screens.first.usual", way=words) if usual else words


def _take(way: FirstBy, seat: int | None = None) -> Callable[[Screens], Reply]:
    def take(screens: Screens) -> Reply:
        form = screens.form
        return replace(screens, form=replace(form, way=way, chosen=form.chosen if seat is None else seat)), ()

    return take
