"""The pages of edition and house options: every choice that ``rules.editions`` has, as rows with arrows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from armoon.games.moon.rules.editions import DieSource, Mode, OneHand, OnTimeout, Options
from armoon.messages import text
from armoon.screens.form import Form
from armoon.screens.layout import back_button, body_place, choice, foot, heading, lines, list_places
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, going
from armoon.values.page import Rect

#: What the arrows offer; None is what the edition says, or no limit.
TURN_LIMITS_S: tuple[float | None, ...] = (None, 30.0, 45.0, 60.0, 90.0, 120.0, 180.0)
GRACES_S = (5.0, 10.0, 20.0)
LIMITS: tuple[int | None, ...] = (None, 2, 3, 4, 5, 7)
TEARS: tuple[int | None, ...] = (None, 3, 5, 7, 9, 12)
SUPPLIES: tuple[int | None, ...] = (None, 6, 10, 14, 20)


@dataclass(frozen=True)
class _Row:
    """One option: its values in order, the one that holds, how it is said and set."""

    key: str
    values: Sequence[Any]
    now: Any
    say: Callable[[Any], str]
    put: Callable[[Form, Any], Form]
    enabled: bool = True


def edition(screens: Screens) -> Plan:
    """The published game, how it is played, and how the starting ladders stand."""
    form = screens.form
    rows = (
        _Row(
            "edition",
            form.editions(),
            form.edition,
            lambda v: text(f"screens.edition.{v}"),
            lambda f, v: replace(f, edition=v),
        ),
        _Row(
            "mode",
            form.modes(),
            form.options.mode,
            lambda v: text(
                "screens.edition.solo" if len(form.players) == 1 else f"screens.edition.{v.value}"
            ),
            _option("mode"),
        ),
        _Row(
            "slots",
            screens.configurations,
            form.slots,
            lambda v: text(f"screens.slots.{v}"),
            lambda f, v: replace(f, slots=v),
        ),
    )
    body = body_place(screens.tall)
    about = Rect(body.x, body.y + body.height * 0.68, body.width, body.height * 0.32)
    upper = Rect(body.x, body.y, body.width, body.height * 0.66)
    return Plan(
        (
            heading(screens, text("screens.edition.heading")),
            *_choices(rows, list_places(screens.tall, len(rows), upper)),
            *lines(about, _about(form), "about", 0.075),
            *foot(
                screens,
                back_button(),
                ("options", text("screens.edition.options"), going(PageName.OPTIONS), True),
                ("next", text("screens.next"), _next, True),
            ),
        ),
        veil=0.74,
        leave=lambda s: (s.returned(), ()),
        first="next",
    )


def _next(screens: Screens) -> Reply:
    """Who plays alone begins."""
    return screens.to(PageName.FIRST if len(screens.form.players) > 1 else PageName.SEAT), ()


def _about(form: Form) -> tuple[str, ...]:
    """What the chosen edition means, in lines."""
    book, options = form.book, form.options
    together = options.mode is Mode.COOPERATIVE
    return (
        text("screens.edition.tears", count=options.tears_of(book)),
        text(
            "screens.edition.aim_together"
            if together
            else "screens.edition.last_tear_out"
            if book.last_tear_eliminates
            else "screens.edition.last_tear_counts"
        ),
    )


def options(screens: Screens) -> Plan:
    """The house options."""
    form = screens.form
    now, book = form.options, form.book
    duel = len(form.players) == 2 and now.mode is Mode.COMPETITIVE
    rows = (
        _Row("one_hand", tuple(OneHand), now.one_hand, _named("one_hand"), _option("one_hand")),
        _Row("turn_limit", TURN_LIMITS_S, now.turn_limit_s, _seconds, _option("turn_limit_s")),
        _Row(
            "on_timeout",
            tuple(OnTimeout),
            now.on_timeout,
            _named("on_timeout"),
            _option("on_timeout"),
            now.turn_limit_s is not None,
        ),
        _Row(
            "grace",
            GRACES_S,
            now.timeout_grace_s,
            _seconds,
            _option("timeout_grace_s"),
            now.turn_limit_s is not None and now.on_timeout is OnTimeout.MISTAKE,
        ),
        _Row("young", (False, True), now.young_climbers, _yes, _option("young_climbers")),
        _Row("tears", TEARS, now.tears, _or_book(replace(now, tears=None).tears_of(book)), _option("tears")),
        _Row("limit", LIMITS, now.two_player_limit, _or_book(book.two_player_limit), _limit, duel),
        _Row("supply", SUPPLIES, now.supply_size, _supply, _option("supply_size")),
        _Row("die", tuple(DieSource), now.die, _named("die"), _option("die"), screens.real_die),
    )
    return Plan(
        (
            heading(screens, text("screens.options.heading")),
            *_choices(rows, list_places(screens.tall, len(rows))),
            *foot(
                screens,
                back_button(),
                (
                    "reset",
                    text("screens.options.reset"),
                    lambda s: (replace(s, form=_with_mode(s.form)), ()),
                    now != Options(mode=now.mode),
                ),
            ),
        ),
        veil=0.78,
        leave=lambda s: (s.returned(), ()),
        first="one_hand",
    )


def _choices(rows: Sequence[_Row], places: Sequence[Rect]) -> tuple[Item, ...]:
    return tuple(
        choice(
            row.key,
            place,
            text(f"screens.option.{row.key}"),
            row.say(row.now),
            _turning(row),
            enabled=row.enabled and len(row.values) > 1,
        )
        for row, place in zip(rows, places, strict=True)
    )


def _turning(row: _Row) -> Callable[[Screens, int], Reply]:
    def turn(screens: Screens, step: int) -> Reply:
        place = row.values.index(row.now) if row.now in row.values else -1
        value = row.values[(place + step) % len(row.values)]
        return replace(screens, form=row.put(screens.form, value).tidy()), ()

    return turn


def _option(field: str) -> Callable[[Form, Any], Form]:
    return lambda form, value: replace(form, options=replace(form.options, **{field: value}))


_limit = _option("two_player_limit")


def _with_mode(form: Form) -> Form:
    """The edition's own rules, in the chosen mode."""
    return replace(form, options=Options(mode=form.options.mode))


def _named(option: str) -> Callable[[Any], str]:
    return lambda value: text(f"screens.option_value.{option}_{value.value}")


def _seconds(value: float | None) -> str:
    return (
        text("screens.option_value.no_limit")
        if value is None
        else text("screens.option_value.seconds", seconds=f"{value:.0f}")
    )


def _yes(value: bool) -> str:
    return text("screens.yes" if value else "screens.no")


def _or_book(usual: int) -> Callable[[int | None], str]:
    return lambda value: (
        text("screens.option_value.by_edition", number=usual) if value is None else f"{value}"
    )


def _supply(value: int | None) -> str:
    return (
        text("screens.option_value.whole_box")
        if value is None
        else text("screens.option_value.ladders", number=value)
    )
