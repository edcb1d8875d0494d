"""The pages before a game: title, choice of game, seat of the camera, practice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.games import title_of
from armoon.messages import text
from armoon.messages.numbers import enumerated
from armoon.screens.actions import Quit, ResumeGame, StartPractice
from armoon.screens.form import Form
from armoon.screens.guide import Guide
from armoon.screens.layout import (
    GAP,
    HIGHEST_ROW,
    back_button,
    body_place,
    button,
    foot,
    grid,
    heading,
    lines,
)
from armoon.screens.player import seated
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, going
from armoon.values.choices import SeatName
from armoon.values.page import Rect, Widget, WidgetKind

#: Of names on the title's button, beside its own words.
_MOST_LETTERS = 20


def title(screens: Screens) -> Plan:
    """The first page."""
    tall = screens.tall
    name = Rect(0.06, 0.12, 0.88, 0.13) if tall else Rect(0.08, 0.13, 0.56, 0.20)
    motto = Rect(0.06, 0.25, 0.50, 0.07) if tall else Rect(0.08, 0.33, 0.56, 0.07)
    area = Rect(0.12, 0.38, 0.76, 0.56) if tall else Rect(0.08, 0.41, 0.40, 0.56)
    buttons = (
        ("play", going(PageName.GAME)),
        ("guide", start_guide),
        ("practice", going(PageName.PRACTICE)),
        ("book", going(PageName.BOOK)),
        ("settings", going(PageName.SETTINGS)),
        ("quit", leave_program),
    )
    places = grid(area, 6, 1, HIGHEST_ROW[tall], (0.0, 0.014))
    last = screens.last_game
    items: list[Item] = []
    if last is not None:
        # One button more than rows: the last two share theirs.
        low = places[-1]
        half = (low.width - 0.01) / 2.0
        ends = [Rect(low.x, low.y, half, low.height), Rect(low.x + half + 0.01, low.y, half, low.height)]
        words = text("screens.resume.button", players=_shortened(last.players))
        items.append(button("resume", places[0], words, resume_game))
        places = [*places[1:-1], *ends]
    return Plan(
        (
            Item(Widget("heading", WidgetKind.HEADING, name, text("screens.title.name"))),
            Item(Widget("motto", WidgetKind.TEXT, motto, text("screens.title.motto"))),
            *(
                button(key, place, text(f"screens.title.{key}"), press)
                for place, (key, press) in zip(places, buttons, strict=True)
            ),
            *items,
        ),
        veil=0.82,
        leave=lambda s: (s, ()),
        first="play" if last is None else "resume",
        moon=True,
    )


def _shortened(names: tuple[str, ...]) -> str:
    """As many of the names as fit a button, and how many are left out."""
    count = len(names)
    while count > 1 and len(", ".join(names[:count])) > _MOST_LETTERS:
        count -= 1
    if count == len(names):
        return enumerated(names)
    return f"{', '.join(names[:count])} + {len(names) - count}"


def leave_program(screens: Screens) -> Reply:
    """End it."""
    return screens, (Quit(),)


def start_guide(screens: Screens) -> Reply:
    """The guided first game, over a table on which nothing counts."""
    guided = replace(screens.home(PageName.GUIDE), guide=Guide(), in_game=True, practice=True, verdict=None)
    return guided, (StartPractice(screens.form.seat, guided=True),)


def game(screens: Screens) -> Plan:
    """Which game."""
    tall = screens.tall
    body = body_place(tall)
    places = grid(body, len(screens.games), 1 if tall else 2, 0.34 if tall else 0.58, (0.03, 0.03))
    items: list[Item] = []
    for place, key in zip(places, screens.games, strict=True):
        head = Rect(place.x, place.y, place.width, place.height * 0.42)
        choose = button(key, head, title_of(key), choose_game(key), chosen=screens.form.game == key)
        items += _card(place, choose, text(f"screens.game.{key}_about"))
    return Plan(
        (heading(screens, text("screens.game.heading")), *items, *foot(screens, back_button())),
        veil=0.78,
        leave=lambda s: (s.returned(), ()),
        first=screens.form.game,
    )


def choose_game(key: str) -> Callable[[Screens], Reply]:
    """What the button of a game does."""
    return lambda screens: (
        replace(screens, form=replace(screens.form, game=key).tidy()).to(PageName.PLAYERS),
        (),
    )


def seat(screens: Screens) -> Plan:
    """Where the camera sits; then the game begins."""
    return Plan(
        (
            heading(screens, text("screens.seat.heading")),
            *seat_cards(screens, body_place(screens.tall)),
            *foot(screens, back_button(), ("start", text("screens.seat.start"), start_game, True)),
        ),
        veil=0.55,
        leave=lambda s: (s.returned(), ()),
        first="start",
    )


def seat_cards(screens: Screens, area: Rect) -> tuple[Item, ...]:
    """One card for each seat: its name, and when to choose it."""
    tall = screens.tall
    places = grid(area, len(SeatName), 1 if tall else 2, 0.30 if tall else 0.50, (0.03, 0.03))
    items: list[Item] = []
    for place, key in zip(places, SeatName, strict=True):
        head = Rect(place.x, place.y, place.width, place.height * 0.40)
        choose = button(
            key, head, text(f"screens.seat.{key}"), _take_seat(key), chosen=screens.form.seat == key
        )
        items += _card(place, choose, text(f"screens.seat.{key}_about"))
    return tuple(items)


def _card(place: Rect, choose: Item, about: str) -> tuple[Item, Item, Item]:
    """A card with the button that chooses it, and below that what it is about."""
    name = choose.widget.name
    low = Rect(
        place.x + place.width * 0.06, place.y + place.height * 0.44, place.width * 0.88, place.height * 0.50
    )
    return (
        Item(Widget(f"{name} card", WidgetKind.CARD, place)),
        choose,
        Item(Widget(f"{name} about", WidgetKind.TEXT, low, about)),
    )


def _take_seat(key: SeatName) -> Callable[[Screens], Reply]:
    return lambda screens: (replace(screens, form=replace(screens.form, seat=key)), ())


def start_game(screens: Screens) -> Reply:
    """Set the table."""
    form: Form = screens.form.tidy()
    if not form.playable:
        return screens, ()
    return _at_table(screens, form), (form.start(screens.seed),)


def resume_game(screens: Screens) -> Reply:
    """Go on with the game played last, with the players who played it."""
    last = screens.last_game
    assert last is not None
    form = replace(
        screens.form,
        game=last.game,
        players=seated(last.players, screens.form.known),
    ).with_options(last.options, last.game)
    return _at_table(screens, form), (ResumeGame(form.seat),)


def _at_table(screens: Screens, form: Form) -> Screens:
    """At the table with the party of this form."""
    return replace(
        screens.cleared(PageName.TABLE),
        form=form,
        in_game=True,
        practice=False,
        party=tuple(player.name for player in form.players),
    )


def practice(screens: Screens) -> Plan:
    """A table on which nothing costs a tear."""
    tall = screens.tall
    body = body_place(tall)
    about = Rect(body.x, body.y, body.width, body.height * 0.20)
    cards = Rect(body.x, body.y + body.height * 0.20 + GAP[1], body.width, body.height * 0.80 - GAP[1])
    return Plan(
        (
            heading(screens, text("screens.practice.heading")),
            *lines(about, (text("screens.practice.about"),), "about", 1.0),
            *seat_cards(screens, cards),
            *foot(screens, back_button(), ("start", text("screens.practice.start"), start_practice, True)),
        ),
        veil=0.70,
        leave=lambda s: (s.returned(), ()),
        first="start",
    )


def start_practice(screens: Screens) -> Reply:
    """Set the table for practice."""
    begun = replace(screens.cleared(PageName.TABLE), in_game=True, practice=True, party=())
    return begun, (StartPractice(screens.form.seat),)
