"""What an evening begins with: the command line, the preferences, and what was played the last time."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

from armoon.app.front import Front
from armoon.app.players import known_players
from armoon.games.shared.seating import FirstBy
from armoon.party.part import PartyPart
from armoon.saves.profiles import Profiles
from armoon.screens.form import Form
from armoon.screens.machine import first_screens
from armoon.screens.player import seated
from armoon.screens.state import PageName
from armoon.settings.last_time_file import LastTime, load_last_time
from armoon.settings.options import PlayOptions
from armoon.settings.preferences import Preferences
from armoon.settings.preferences_file import is_kept, load_preferences
from armoon.values.choices import Way


def front_for(options: PlayOptions, profiles: Profiles) -> Front:
    """Return the title, with what was typed on the command line and what is known of the players filled in."""
    preferences = preferences_of(options)
    known, today = known_players(profiles), datetime.date.today()
    screens = first_screens(options, preferences, known=known, today=today)
    form = as_last_time(screens.form, load_last_time(), options)
    if isinstance(options.first, FirstBy):
        form = replace(form, way=options.first)
    elif options.first is not None:
        form = replace(form, way=FirstBy.CHOSEN, chosen=options.first.seat)
    screens = replace(screens, form=form.tidy(), lan=options.part(PartyPart).lan)
    screens = replace(screens, asks_way="way" not in options.asked and not is_kept("way"))
    begins_with_card = preferences.way is Way.CARD and load_preferences().way is not Way.CARD
    return Front(screens.to(PageName.CARD) if begins_with_card else screens)


def preferences_of(options: PlayOptions) -> Preferences:
    """Return the preferences of the settings pages, except where the command line overrides them."""
    mine = options.preferences()
    typed = {name: value for name, value in vars(mine).items() if name in options.asked}
    return replace(load_preferences(usual=mine), **typed)


def as_last_time(form: Form, last: LastTime, options: PlayOptions) -> Form:
    """Return the form as it was when the last game began, with the command line's values over it."""
    typed = options.asked
    own = {**form.own, **last.games}
    if typed & _own_names(options) or options.game not in last.games:
        own[options.game] = options.game_options
    game = last.game if last.game and not typed & ({"game"} | _own_names(options)) else options.game
    players = form.players
    bots: Sequence[str | None] = options.game_options.played_by
    if last.players and not typed & {"players", "bots"}:
        players, bots = seated(last.players, form.known), last.bots
    seat = last.seat if last.seat and "seat" not in typed else form.seat
    form = replace(form, game=game, players=players, own=own, seat=seat, way=last.way, chosen=last.chosen)
    return form.with_bots(bots)


def _own_names(options: PlayOptions) -> set[str]:
    """Return the options of the game that was asked for: who types one means that game."""
    return {one.name for one in options.game_options.options()}


def last_time_of(form: Form) -> LastTime:
    """Return the form's values that the next start begins with."""
    names = tuple(player.name for player in form.players)
    return LastTime(
        form.game,
        names,
        form.seat,
        form.way,
        form.chosen,
        dict(form.own),
        bots=tuple(player.bot or None for player in form.players),
    )
