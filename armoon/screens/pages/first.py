"""The page that settles who begins: by the full moon, by age, by chance, or by the players' choice (M3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.games.shared.seating import FirstBy
from armoon.messages import text
from armoon.screens.flex import REST, grid, rows
from armoon.screens.layout import body_place, button, foot, heading, lines
from armoon.screens.player import COLOURS, FormPlayer
from armoon.screens.state import Item, Plan, Reply, Screens, go_back
from armoon.values.page import Rect

WAYS = (FirstBy.MOON, FirstBy.AGE, FirstBy.CHANCE, FirstBy.CHOSEN)


def first(screens: Screens) -> Plan:
    """Return the ways to find the first player, and whom the chosen one finds."""
    tall, form = screens.tall, screens.form
    body = body_place(tall)
    by, begins = form.first_by, form.begins(screens.seed)
    ways, said, plates = rows(body, 0.40 if tall else 0.46, 0.15, REST, gap=body.height * 0.02)
    places = grid(ways, 4, 1 if tall else 2, 0.075 if tall else 0.13, (0.03, 0.014 if tall else 0.022))
    players = grid(
        plates,
        len(form.players),
        2 if tall else min(3, len(form.players)),
        0.075 if tall else 0.095,
        (0.018, 0.016),
    )
    words = [text(f"first.why.{begins.why}", player=form.players[begins.seat].name)] if begins.why else []
    if form.options.traits.first_note:
        words.append(form.options.traits.first_note)
    return Plan(
        (
            heading(screens, text("screens.first.heading")),
            *(
                button(way.value, place, _way_text(screens, way), _take(way), chosen=by is way)
                for place, way in zip(places, WAYS, strict=True)
            ),
            *lines(said, words, "why", 1.0),
            *(
                _plate(place, seat, player, chosen=seat == begins.seat)
                for seat, (place, player) in enumerate(zip(players, form.players, strict=True))
            ),
            *foot(screens, ("done", text("screens.done"), go_back, True)),
        ),
        veil=0.74,
        leave=go_back,
        first="done",
    )


def _plate(place: Rect, seat: int, player: FormPlayer, *, chosen: bool) -> Item:
    """Return a player's name, lit for the one who begins; pressing it lets that one begin."""
    item = button(f"player {seat}", place, player.name, _choose(seat), chosen=chosen)
    return replace(item, widget=replace(item.widget, swatch=COLOURS[player.colour]))


def _way_text(screens: Screens, way: FirstBy) -> str:
    words = text(f"screens.first.{way.value}")
    form = screens.form
    usual = way is form.options.traits.usual_first and way is not FirstBy.CHOSEN
    return text("screens.first.usual", way=words) if usual else words


def _take(way: FirstBy) -> Callable[[Screens], Reply]:
    return lambda screens: (replace(screens, form=replace(screens.form, way=way)), ())


def _choose(seat: int) -> Callable[[Screens], Reply]:
    return lambda screens: (
        replace(screens, form=replace(screens.form, way=FirstBy.CHOSEN, chosen=seat)),
        (),
    )
