"""The pages of one player's profile: colour, hand, turn, birthday, full moon."""

from __future__ import annotations

import calendar
import datetime
import math
from collections.abc import Callable
from dataclasses import replace

from armoon.games.shared.seating import COLOUR_NAMES
from armoon.messages import text
from armoon.messages.handicaps import told
from armoon.screens.layout import back_button, button, choice, list_page
from armoon.screens.pages.helps import in_a_word
from armoon.screens.pages.party import edit_name, keep
from armoon.screens.plan import Item, Plan, Reply, go_back, going
from armoon.screens.player import COLOURS, HANDS, FormPlayer
from armoon.screens.state import PageName, Screens

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
    player, kinds = form.players[seat], form.options.bot_kinds()
    about = "" if player.bot else text("screens.profile.about")
    if player.bot in kinds.words:
        about = text("screens.profile.bot", name=player.name, about=kinds.about(player.bot))
    colour = choice(
        "colour",
        text("screens.profile.colour"),
        text(f"screens.colour.{COLOUR_NAMES[player.colour]}"),
        lambda s, step: keep(s, s.editing, s.form.recolour(s.editing, step)),
        enabled=len(form.players) < len(COLOURS),
    ).having(swatch=COLOURS[player.colour])
    place = text("screens.profile.place", number=seat + 1, count=len(form.players))
    order = choice("order", text("screens.profile.order"), place, _move, enabled=len(form.players) > 1)
    items = [colour, order] if player.bot else _of_a_person(player, seat, colour, order)
    if kinds.words:
        who = kinds.name(player.bot) if player.bot else text("screens.profile.person")
        items.insert(0, choice("who", text("screens.profile.who"), who, _turn_who))
    return list_page(
        screens,
        text("screens.profile.heading"),
        (about,) if about else (),
        items,
        back_button(),
        high=0.12,
        words="note",
        veil=0.76,
        first="colour",
    )


def _turn_who(screens: Screens, step: int) -> Reply:
    """On to a person, or to the next bot."""
    form, seat = screens.form, screens.editing
    words = ("", *form.options.bot_kinds().words)
    now = form.players[seat].bot
    at = words.index(now) if now in words else 0
    return replace(screens, form=form.with_bot(seat, words[(at + step) % len(words)])), ()


def _of_a_person(player: FormPlayer, seat: int, colour: Item, order: Item) -> list[Item]:
    """Return the rows with name, hand and dates, which no bot has."""
    ease = told(player.handicap) or text("screens.profile.none")
    moves, way = in_a_word(player.movement), player.habits.way
    with_what = text("screens.habits.as_set") if way is None else text(f"option.way.word.{way}")
    return [
        button("name", player.name, edit_name(seat)),
        colour,
        choice("hand", text("screens.profile.hand"), text(f"screens.hand.{player.hand}"), _turn_hand),
        order,
        *(
            button(which, text(f"screens.profile.{which}", date=_date_or_none(day)), _open_date(which))
            for which, day in (("born", player.born), ("full_moon", player.full_moon))
        ),
        button("handicap", text("screens.profile.handicap", handicap=ease), going(PageName.HANDICAP)),
        button("habits", text("screens.profile.habits", way=with_what), going(PageName.HABITS)),
        button("moving", text("screens.profile.moving", moving=moves), going(PageName.MOVING)),
    ]


def date(screens: Screens) -> Plan:
    """Return a day, by year, month and day."""
    now, limit = screens.date, screens.today
    month = text(f"screens.date.month_{now.month}")
    items = [
        choice("year", text("screens.date.year"), str(now.year), _turn_year),
        choice("month", text("screens.date.month"), month, _turn_month),
        choice("day", text("screens.date.day"), str(now.day), _turn_day),
        button("unknown", text("screens.date.unknown"), _done(None)),
    ]
    if screens.dating == "full_moon":
        latest = last_full_moon(limit)
        words = text("screens.date.latest", date=date_text(latest))
        items.append(button("latest", words, _done(latest)))
    return list_page(
        screens,
        text(f"screens.date.{screens.dating}"),
        (date_text(now),),
        items,
        ("cancel", text("screens.cancel"), go_back, True),
        ("done", text("screens.done"), _done(now), now <= limit),
        high=0.14,
        words="note",
        veil=0.80,
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
    return keep(screens, screens.editing, screens.form.with_own(screens.editing, hand=hand))


def _move(screens: Screens, step: int) -> Reply:
    """Move a player while the profile stays open."""
    count = len(screens.form.players)
    moved = screens.form.move(screens.editing, step)
    return replace(screens, form=moved, editing=(screens.editing + step) % count), ()


def _open_date(which: str) -> Callable[[Screens], Reply]:
    def open_date(screens: Screens) -> Reply:
        player = screens.form.players[screens.editing]
        usual = datetime.date(screens.today.year - _USUAL_AGE, 1, 1)
        if which == "full_moon":
            usual = last_full_moon(screens.today)
        return replace(screens.to(PageName.DATE), dating=which, date=getattr(player, which) or usual), ()

    return open_date


def _done(day: datetime.date | None) -> Callable[[Screens], Reply]:
    def done(screens: Screens) -> Reply:
        seat = screens.editing
        kept, actions = keep(screens, seat, screens.form.with_own(seat, **{screens.dating: day}))
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
    return replace(screens, date=now.replace(day=(now.day - 1 + step) % _days(now.year, now.month) + 1)), ()


def _in_month(year: int, month: int, day: int) -> datetime.date:
    """Return that day, or the month's last."""
    return datetime.date(year, month, min(day, _days(year, month)))


def _days(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]
