"""The pages before a game: title, choice of game, seat of the camera, practice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.games import title_of
from armoon.games.contract.library import Unfinished
from armoon.messages import text
from armoon.messages.numbers import enumerated
from armoon.screens.actions import Request, ResumeGame, StartPractice
from armoon.screens.form import Form
from armoon.screens.guide import Guide
from armoon.screens.layout import HIGHEST_ROW, asks, back_button, body_place, button, card, lines, page, put
from armoon.screens.pages.profile import date_text
from armoon.screens.pages.rulebook import open_rules
from armoon.screens.pages.trials import COLUMNS, HIGHEST_CARD, to_trials, trial_at_table, trial_of
from armoon.screens.player import seated
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, asking, going
from armoon.values.choices import CameraWay, Device, SeatName
from armoon.values.flex import GAP, REST, Part, columns, grid, rows
from armoon.values.page import Rect, Widget, WidgetKind

#: Of names on the title's button, beside its own words, and on the card of a game.
_MOST_LETTERS = 20


def title(screens: Screens) -> Plan:
    """Return the first page."""
    tall = screens.tall
    name = Rect(0.06, 0.12, 0.88, 0.13) if tall else Rect(0.08, 0.05, 0.56, 0.155)
    motto = Rect(0.06, 0.25, 0.50, 0.07) if tall else Rect(0.08, 0.205, 0.56, 0.06)
    games = screens.unfinished
    buttons = (
        ("guide", start_guide),
        ("rules", open_rules),
        ("practice", going(PageName.PRACTICE)),
        ("book", look_at_book),
        ("trials", to_trials),
        ("scores", look_at_scores),
        ("party", going(PageName.PARTY)),
        ("settings", going(PageName.SETTINGS)),
        ("quit", leave_program),
    )
    area = Rect(0.08, 0.36, 0.84, 0.59) if tall else Rect(0.08, 0.275, 0.50, 0.695)
    gap = 0.014
    half_rows = -(-len(buttons) // 2)
    high = 1.0 + 0.62 + half_rows + bool(games)
    row = min(HIGHEST_ROW[tall], (area.height - gap * (half_rows + 2)) / high)
    going_on: tuple[Item, ...] = ()
    if games:
        above, _, area = rows(area, Part(row), Part(gap), REST)
        words = text("screens.unfinished.newest", players=shortened(games[0].players))
        others = text("screens.unfinished.others")
        both = (
            button("resume", words, resuming(games[0])),
            button("others", others, going(PageName.UNFINISHED)),
        )
        places = columns(above, 0.66, REST, gap=0.012) if len(games) > 1 else (above,)
        going_on = put(both, places)
    begin, about, low = rows(area, Part(row), Part(0.62 * row), Part(half_rows * (row + gap) - gap))
    wide, beside = columns(begin, 0.66, REST, gap=0.012)
    more = going(PageName.MORE)
    listed = (button(key, text(f"screens.title.{key}"), press) for key, press in buttons)
    return Plan(
        (
            Item(Widget("heading", WidgetKind.HEADING, name, text("screens.title.name"))),
            Item(Widget("motto", WidgetKind.TEXT, motto, text("screens.title.motto"))),
            *going_on,
            button("play", text("screens.title.play"), play, rect=wide),
            button("more", text("screens.title.more"), more, rect=beside),
            Item(Widget("about", WidgetKind.TEXT, about, _next_game(screens))),
            *put(listed, grid(low, len(buttons), 2, row, (0.012, gap))),
        ),
        veil=0.82,
        leave=lambda s: (s, ()),
        first="resume" if games else "play",
        moon=True,
    )


def _next_game(screens: Screens) -> str:
    """Return in a few words what game the button beside it begins."""
    form = screens.form
    names = shortened(tuple(player.name for player in form.players))
    what = text("screens.title.next_game", game=title_of(form.game), players=names)
    return f"{what} · {text('screens.title.demo')}" if screens.camera.way is CameraWay.DEMO else what


def play(screens: Screens) -> Reply:
    """Begin at once, as last time; a party that doesn't suit the game is shown what has to be changed."""
    if not screens.form.tidy().playable:
        return screens.to(PageName.MORE), ()
    return start_game(screens)


def shortened(names: tuple[str, ...]) -> str:
    """As many of the names as fit a button, and how many are left out."""
    count = len(names)
    while count > 1 and len(", ".join(names[:count])) > _MOST_LETTERS:
        count -= 1
    if count == len(names):
        return enumerated(names)
    return f"{', '.join(names[:count])} + {len(names) - count}"


def look_at_scores(screens: Screens) -> Reply:
    """Return the action of a button to the chart and the high scores."""
    return screens.to(PageName.SCORES), (Request.LOOK_AT_SCORES,)


def look_at_book(screens: Screens) -> Reply:
    """Return the action of the button to the book of figures."""
    return replace(screens.to(PageName.BOOK), picture=""), (Request.LOOK_AT_BOOK,)


def leave_program(screens: Screens) -> Reply:
    """Ask whether it is to end."""
    return screens.to(PageName.QUIT), ()


def quit_page(screens: Screens) -> Plan:
    """Asked once more: what stands beside it may have been meant."""
    lost = screens.in_game and screens.result is None and not (screens.kept or screens.practice)
    return asks(screens, "quit", "about_lost" if lost else "about", asking(Request.QUIT))


def start_guide(screens: Screens) -> Reply:
    """Return the guided first game, over a table on which nothing counts.

    Without a camera for who has no hand in view.
    """
    device = screens.device
    if screens.camera.way is CameraWay.NONE and device is Device.HAND:
        device = Device.MOUSE
    guide = Guide().fitting(device, chooses=screens.preferences.chooses)
    guided = replace(
        screens.home(PageName.GUIDE),
        guide=guide,
        device=device,
        in_game=True,
        practice=True,
        trial=None,
        verdict=None,
    )
    return guided, (StartPractice(screens.form.seat, guided=True),)


def game(screens: Screens) -> Plan:
    """Which game."""
    tall, now = screens.tall, screens.form.game
    places = grid(
        body_place(tall), len(screens.games), 1 if tall else 2, 0.34 if tall else 0.58, (0.03, 0.03)
    )
    # Its title first: a game may bring its own texts.
    cards = (
        card(key, title_of(key), text(f"screens.game.{key}_about"), choose_game(key), chosen=now == key)
        for key in screens.games
    )
    return page(screens, text("screens.game.heading"), put(cards, places), back_button(), first=now)


def choose_game(key: str) -> Callable[[Screens], Reply]:
    """Return the action of a game's card: on to that game's form."""

    def choose(screens: Screens) -> Reply:
        before = replace(screens, form=replace(screens.form, game=key).tidy()).returned()
        return before if before.page is PageName.MORE else before.to(PageName.MORE), ()

    return choose


def seat(screens: Screens) -> Plan:
    """Where the camera sits."""
    cards = seat_cards(screens, body_place(screens.tall))
    title, first = text("screens.seat.heading"), screens.form.seat
    return page(screens, title, cards, back_button(), veil=0.55, first=first)


def seat_cards(screens: Screens, area: Rect) -> tuple[Item, ...]:
    """One card for each seat: its name, and when to choose it; none where no real camera looks."""
    if screens.camera.way is not CameraWay.REAL:
        return ()
    tall = screens.tall
    places = grid(area, len(SeatName), 1 if tall else 2, 0.30 if tall else 0.50, (0.03, 0.03))
    now = screens.form.seat
    cards = (
        card(
            key,
            text(f"screens.seat.{key}"),
            text(f"screens.seat.{key}_about"),
            _take_seat(key),
            chosen=now == key,
        )
        for key in SeatName
    )
    return put(cards, places)


def _take_seat(key: SeatName) -> Callable[[Screens], Reply]:
    return lambda screens: (replace(screens, form=replace(screens.form, seat=key)), ())


def start_game(screens: Screens) -> Reply:
    """Set the table."""
    form: Form = screens.form.tidy()
    if not form.playable:
        return screens, ()
    return _at_table(screens, form), (form.start(screens.seed),)


def unfinished(screens: Screens) -> Plan:
    """Which of the games that aren't over goes on: the one played last stands first."""
    tall, games = screens.tall, screens.unfinished
    places = grid(body_place(tall), len(games), COLUMNS[tall], HIGHEST_CARD[tall])
    cards = (
        card(
            f"game {number}",
            text("screens.unfinished.game", game=title_of(one.game), turn=one.turn),
            f"{shortened(one.players)} · {date_text(one.played)}",
            resuming(one),
        )
        for number, one in enumerate(games, start=1)
    )
    return page(
        screens, text("screens.unfinished.heading"), put(cards, places), back_button(), first="game 1"
    )


def resuming(game: Unfinished) -> Callable[[Screens], Reply]:
    """Return the action that goes on with a game, with the players who played it."""

    def resume(screens: Screens) -> Reply:
        asked = (ResumeGame(game, screens.form.seat),)
        if game.options.traits.trial:
            trial = trial_of(screens, game.game, game.options.traits.trial, game.players[0])
            return trial_at_table(screens, trial), asked
        players = seated(game.players, screens.form.known)
        form = replace(screens.form, game=game.game, players=players).with_options(game.options, game.game)
        return _at_table(screens, form), asked

    return resume


def _at_table(screens: Screens, form: Form) -> Screens:
    """At the table with the party of this form."""
    return replace(
        screens.cleared(PageName.TABLE),
        form=form,
        in_game=True,
        practice=False,
        trial=None,
        party=tuple(player.name for player in form.players),
    )


def practice(screens: Screens) -> Plan:
    """Return a table on which nothing costs a tear."""
    about, cards = rows(body_place(screens.tall), 0.32, REST, gap=GAP[1])
    said = lines(about, (text("screens.practice.about"),), "about", 1.0)
    start = ("start", text("screens.practice.start"), start_practice, True)
    title, items = text("screens.practice.heading"), (*said, *seat_cards(screens, cards))
    return page(screens, title, items, back_button(), start, veil=0.70, first="start")


def start_practice(screens: Screens, figure: str = "") -> Reply:
    """Set the table for practice, with a figure of the book to be tried on it where one is named."""
    begun = replace(screens.cleared(PageName.TABLE), in_game=True, practice=True, trial=None, party=())
    return begun, (StartPractice(screens.form.seat, figure=figure),)
