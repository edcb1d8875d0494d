"""The pages of one player's profile: colour, hand, turn, birthday, full moon."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from dataclasses import replace

from armoon.messages import text
from armoon.messages.handicaps import told
from armoon.screens.layout import (
    back_button,
    button,
    choice,
    foot,
    heading,
    lines,
    list_places,
    under_words,
)
from armoon.screens.pages import moving
from armoon.screens.pages.party import edit_name, keep
from armoon.screens.player import COLOUR_NAMES, COLOURS, HANDS
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, go_back
from armoon.values.page import Rect

#: The day of a full moon, by how much its noon (UTC) came after the mean one, and the mean time from one to the
#: next, in days (Meeus, Astronomical Algorithms, chapter 49): good to about half a day.
_FULL_MOON = datetime.date(2000, 1, 21)
_NOON_AFTER_D = 0.14
_LUNATION_D = 29.530588
#: Earliest year of birth.
_FIRST_YEAR = 1900
#: Years before today at which a birthday's choice begins.
_USUAL_AGE = 30


def profile(screens: Screens) -> Plan:
    """One player."""
    form, seat = screens.form, screens.editing
    player = form.players[seat]
    note, rest = under_words(screens.tall, 0.12)
    plays = bool(form.options.bot_kinds.words)
    count = plays + (2 if player.bot else 8)
    places = list_places(screens.tall, count, rest)
    about = ""
    if player.bot in form.options.bot_kinds.words:
        about = text("screens.profile.bot", name=player.name, about=form.options.bot_kinds.about(player.bot))
    who = [] if not plays else [_who(screens, places.pop(0))]
    shared = _colour(screens, places[0 if player.bot else 1]), _order(screens, places[1 if player.bot else 3])
    if player.bot:
        own: tuple[Item, ...] = ()
    else:
        about = text("screens.profile.about")
        own = _of_a_person(screens, places)
    return Plan(
        (
            heading(screens, text("screens.profile.heading")),
            *lines(note, (about,) if about else (), "note", 1.0),
            *who,
            *own[:1],
            shared[0],
            *own[1:2],
            shared[1],
            *own[2:],
            *foot(screens, back_button()),
        ),
        veil=0.76,
        leave=go_back,
        first="colour",
    )


def _who(screens: Screens, place: Rect) -> Item:
    """Return a person, or which bot."""
    form = screens.form
    bot = form.players[screens.editing].bot
    words = text("screens.profile.person") if not bot else form.options.bot_kinds.name(bot)
    return choice("who", place, text("screens.profile.who"), words, _turn_who)


def _turn_who(screens: Screens, step: int) -> Reply:
    form, seat = screens.form, screens.editing
    words = ("", *form.options.bot_kinds.words)
    now = form.players[seat].bot
    at = words.index(now) if now in words else 0
    return replace(screens, form=form.with_bot(seat, words[(at + step) % len(words)])), ()


def _colour(screens: Screens, place: Rect) -> Item:
    form = screens.form
    player = form.players[screens.editing]
    colour = choice(
        "colour",
        place,
        text("screens.profile.colour"),
        text(f"screens.colour.{COLOUR_NAMES[player.colour]}"),
        lambda s, step: keep(s, s.editing, s.form.recolour(s.editing, step)),
        enabled=len(form.players) < len(COLOURS),
    )
    return replace(colour, widget=replace(colour.widget, swatch=COLOURS[player.colour]))


def _order(screens: Screens, place: Rect) -> Item:
    count = len(screens.form.players)
    return choice(
        "order",
        place,
        text("screens.profile.order"),
        text("screens.profile.place", number=screens.editing + 1, count=count),
        _move,
        enabled=count > 1,
    )


def _of_a_person(screens: Screens, places: list[Rect]) -> tuple[Item, ...]:
    """Name, hand and dates, which no bot has."""
    player = screens.form.players[screens.editing]
    hand = text(f"screens.hand.{player.hand}")
    return (
        button("name", places[0], player.name, edit_name(screens.editing)),
        choice("hand", places[2], text("screens.profile.hand"), hand, _turn_hand),
        *(
            button(
                which, place, text(f"screens.profile.{which}", date=_date_or_none(date)), _open_date(which)
            )
            for place, which, date in (
                (places[4], "born", player.born),
                (places[5], "full_moon", player.full_moon),
            )
        ),
        button(
            "handicap",
            places[6],
            text("screens.profile.handicap", handicap=told(player.handicap) or text("screens.profile.none")),
            lambda s: (s.to(PageName.HANDICAP), ()),
        ),
        button(
            "moving",
            places[7],
            text("screens.profile.moving", moving=moving.in_a_word(player.movement)),
            lambda s: (s.to(PageName.MOVING), ()),
        ),
    )


def date(screens: Screens) -> Plan:
    """Return a day, by year, month and day."""
    now, limit = screens.date, screens.today
    shown, rest = under_words(screens.tall, 0.14)
    moon = screens.dating == "full_moon"
    latest = last_full_moon(limit)
    places = list_places(screens.tall, 5 if moon else 4, rest)
    rows: list[Item] = [
        choice("year", places[0], text("screens.date.year"), str(now.year), _turn_year),
        choice(
            "month",
            places[1],
            text("screens.date.month"),
            text(f"screens.date.month_{now.month}"),
            _turn_month,
        ),
        choice("day", places[2], text("screens.date.day"), str(now.day), _turn_day),
        button("unknown", places[3], text("screens.date.unknown"), _done(None)),
    ]
    if moon:
        words = text("screens.date.latest", date=date_text(latest))
        rows.append(button("latest", places[4], words, _done(latest)))
    return Plan(
        (
            heading(screens, text(f"screens.date.{screens.dating}")),
            *lines(shown, (date_text(now),), "note", 1.0),
            *rows,
            *foot(
                screens,
                ("cancel", text("screens.cancel"), go_back, True),
                ("done", text("screens.done"), _done(now), now <= limit),
            ),
        ),
        veil=0.80,
        leave=go_back,
        first="done",
    )


def date_text(day: datetime.date) -> str:
    """Return a date as people say it."""
    return text(
        "screens.date.shown", day=day.day, month=text(f"screens.date.month_{day.month}"), year=day.year
    )


def last_full_moon(day: datetime.date) -> datetime.date:
    """Return the day of the last full moon up to ``day``, by the mean lunation."""
    since_d = ((day - _FULL_MOON).days + _NOON_AFTER_D) % _LUNATION_D
    return day - datetime.timedelta(days=math.ceil(since_d - 0.5))


def _date_or_none(day: datetime.date | None) -> str:
    return text("screens.profile.unknown") if day is None else date_text(day)


def _turn_hand(screens: Screens, step: int) -> Reply:
    now = screens.form.players[screens.editing].hand
    hand = HANDS[(HANDS.index(now) + step) % len(HANDS)]
    return keep(screens, screens.editing, screens.form.with_hand(screens.editing, hand))


def _move(screens: Screens, step: int) -> Reply:
    """Move a player while the profile stays open."""
    count = len(screens.form.players)
    moved = screens.form.move(screens.editing, step)
    return replace(screens, form=moved, editing=(screens.editing + step) % count), ()


def _open_date(which: str) -> Callable[[Screens], Reply]:
    def open_date(screens: Screens) -> Reply:
        player = screens.form.players[screens.editing]
        known = player.born if which == "born" else player.full_moon
        usual = (
            last_full_moon(screens.today)
            if which == "full_moon"
            else _in_month(screens.today.year - _USUAL_AGE, 1, 1)
        )
        return replace(screens.to(PageName.DATE), dating=which, date=known or usual), ()

    return open_date


def _done(day: datetime.date | None) -> Callable[[Screens], Reply]:
    def done(screens: Screens) -> Reply:
        seat = screens.editing
        kept, actions = keep(screens, seat, screens.form.with_date(seat, screens.dating, day))
        return kept.returned(), actions

    return done


def _turn_year(screens: Screens, step: int) -> Reply:
    now, years = screens.date, screens.today.year - _FIRST_YEAR + 1
    year = _FIRST_YEAR + (now.year - _FIRST_YEAR + step) % years
    return replace(screens, date=_in_month(year, now.month, now.day)), ()


def _turn_month(screens: Screens, step: int) -> Reply:
    now = screens.date
    return replace(screens, date=_in_month(now.year, (now.month - 1 + step) % 12 + 1, now.day)), ()


def _turn_day(screens: Screens, step: int) -> Reply:
    now = screens.date
    days = _days(now.year, now.month)
    return replace(screens, date=now.replace(day=(now.day - 1 + step) % days + 1)), ()


def _in_month(year: int, month: int, day: int) -> datetime.date:
    """Return that day, or the month's last."""
    return datetime.date(year, month, min(day, _days(year, month)))


def _days(year: int, month: int) -> int:
    following = datetime.date(year + month // 12, month % 12 + 1, 1)
    return (following - datetime.timedelta(days=1)).day
