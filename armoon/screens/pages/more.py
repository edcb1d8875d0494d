"""The next game's options at a glance: each line leads to the page that changes it."""

from __future__ import annotations

from collections.abc import Callable

from armoon.games import title_of
from armoon.games.options import said_of
from armoon.messages import text
from armoon.options.option import PageOf
from armoon.screens.flex import GAP, REST, rows
from armoon.screens.layout import back_button, body_place, button, foot, heading, lines, list_places
from armoon.screens.pages.opening import shortened, start_game
from armoon.screens.state import PageName, Plan, Reply, Screens, go_back, going
from armoon.values.choices import CameraWay


def more(screens: Screens) -> Plan:
    """Game, players, edition, options, who begins and the camera's seat; and the game begins."""
    form = screens.form
    asked = _rows(screens)
    note, rest = rows(body_place(screens.tall), 0.12, REST, gap=GAP[1])
    places = list_places(screens.tall, len(asked), rest)
    return Plan(
        (
            heading(screens, text("screens.more.heading")),
            *lines(note, (_note(screens),), "note", 1.0),
            *(
                button(key, place, words, press)
                for place, (key, words, press) in zip(places, asked, strict=True)
            ),
            *foot(screens, back_button(), ("start", text("screens.more.start"), start_game, form.playable)),
        ),
        veil=0.76,
        leave=go_back,
        first="start" if form.playable else "players",
    )


def _note(screens: Screens) -> str:
    """Why it can't begin, or what this page is for."""
    form = screens.form
    if form.playable:
        return text("screens.more.about")
    return text("screens.players.count", game=title_of(form.game), least=form.fewest, most=form.most)


def _rows(screens: Screens) -> list[tuple[str, str, Callable[[Screens], Reply]]]:
    """Each line's name, its words and where it leads."""
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
    return [(key, text(f"screens.more.{key}", value=value), going(page)) for key, value, page in said]
