"""The pages of a game's options: a row with arrows for each option that the game describes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from armoon.games.options import PageChoices, offered_of, said_of
from armoon.messages import text
from armoon.options.option import Option, PageOf
from armoon.screens.flex import REST, rows
from armoon.screens.form import Form
from armoon.screens.layout import body_place, choice, close_places, foot, heading, lines
from armoon.screens.state import Item, Plan, Reply, Screens, go_back
from armoon.values.page import Rect

#: Share of the body for the focused row's meaning, below the rows.
_SAID = 0.16


def edition(screens: Screens) -> Plan:
    """Return the published game, how it is played, and what else is chosen on the way."""
    own = screens.form.options
    offered = own.on(PageOf.GAME)
    upper, _, about, _ = rows(body_place(screens.tall), 0.54, 0.02, REST, _SAID)
    return Plan(
        (
            heading(screens, text("screens.edition.heading")),
            *_rows(screens, offered, close_places(screens.tall, len(offered), upper)),
            *lines(about, own.about() if isinstance(own, PageChoices) else (), "about", 0.075),
            *_meaning(screens, offered),
            *foot(screens, ("done", text("screens.done"), go_back, True)),
        ),
        veil=0.74,
        leave=go_back,
    )


def options(screens: Screens) -> Plan:
    """Return the house options."""
    own = screens.form.options
    offered = own.on(PageOf.HOUSE)
    reset = ("reset", text("screens.options.reset"), _reset, own != own.reset())
    (upper,) = rows(body_place(screens.tall), 0.98 - _SAID)
    return Plan(
        (
            heading(screens, text("screens.options.heading")),
            *_rows(screens, offered, close_places(screens.tall, len(offered), upper)),
            *_meaning(screens, offered),
            *foot(screens, reset, ("done", text("screens.done"), go_back, True)),
        ),
        veil=0.78,
        leave=go_back,
    )


def _meaning(screens: Screens, offered: Sequence[Option]) -> tuple[Item, ...]:
    """Return the meaning of the focused row; without focus, of the first row.

    In very large letters each row has its meaning below it: this one would be on another screen.
    """
    if screens.large:
        return ()
    _, place = rows(body_place(screens.tall), REST, _SAID)
    at = next((option for option in offered if option.name == screens.focus), offered[0])
    return lines(place, (text("screens.options.meaning", label=at.label, help=at.help),), "meaning", 1.0)


def _rows(screens: Screens, offered: Sequence[Option], places: Sequence[Rect]) -> tuple[Item, ...]:
    own, players = screens.form.options, len(screens.form.players)
    items: list[Item] = []
    for option, place in zip(offered, places, strict=True):
        said, live = said_of(own, option, players), len(offered_of(own, option, players)) > 1
        live = live and (not isinstance(own, PageChoices) or own.live(option, players))
        items.append(choice(option.name, place, option.label, said, _turning(option), enabled=live))
        if screens.large:
            items += lines(place, (option.help,), f"{option.name} means", 1.0)
    return tuple(items)


def _turning(option: Option) -> Callable[[Screens, int], Reply]:
    def turn(screens: Screens, step: int) -> Reply:
        own = screens.form.options
        values, now = offered_of(own, option, len(screens.form.players)), own.values()[option.name]
        place = values.index(now) if now in values else -1
        return _with(screens, option.name, values[(place + step) % len(values)])

    return turn


def _with(screens: Screens, name: str, value: object) -> Reply:
    form = screens.form.with_options(screens.form.options.having(**{name: value}))
    return _put(screens, form)


def _reset(screens: Screens) -> Reply:
    """Return the game's own rules."""
    return _put(screens, screens.form.with_options(screens.form.options.reset()))


def _put(screens: Screens, form: Form) -> Reply:
    return replace(screens, form=form.tidy()), ()
