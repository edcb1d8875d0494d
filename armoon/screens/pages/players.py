"""Pages of the players: list of players, name, and profile."""

from __future__ import annotations

import calendar
import datetime
import math
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

from armoon.games import title_of
from armoon.games.shared import COLOUR_NAMES
from armoon.messages import brief, describe_handicap, number, text
from armoon.screens import layout
from armoon.screens.events import COLOURS, FormPlayer
from armoon.screens.form import Form
from armoon.screens.layout import Item, Plan, Reply, back_button, button, choice, go_back, go_to, list_page
from armoon.screens.measuring import DWELLS_S, REACHES, HandMeasurement
from armoon.screens.pages.measure import begin_reaction, measurement_page, restart_measurement
from armoon.screens.pages.settings import next_offer
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import PREFERENCES
from armoon.values import names, replace
from armoon.values.acts import Feature
from armoon.values.choices import GripKind, HandPreference, Steadiness
from armoon.values.page import GAP, REST, Widget, WidgetKind, columns, grid, rows
from armoon.values.player_settings import NO_OVERRIDES, USUAL_MOVEMENT, Guidance, Movement, VisualAids

#: Letters of the on-screen keyboard, with the accents of French names.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÉÈÇÏ"
_KEY_GAP = (0.012, 0.016)


def players_page(screens: Screens) -> layout.Plan:
    form = screens.form
    note, areas = layout.seat_areas(screens)
    items: list[layout.Item] = []
    for seat, (area, player) in enumerate(zip(areas, form.players, strict=False)):
        named, profile = player.name, layout.go_to(PageName.PROFILE, editing=seat)
        spoken = text("screens.players.colour", player=named, number=player.colour + 1, of=len(COLOURS))
        colour = layout.button(
            f"colour {seat}", "", partial(layout.save_player, seat=seat, form=form.recolour_player(seat))
        ).change(swatches=(COLOURS[player.colour],), speech=spoken)
        bot = text("screens.players.bot", name=named)
        shown, edit = (bot, profile) if player.bot else (named, edit_name(seat, named))
        name = layout.button(f"name {seat}", shown, edit)
        more = _sign_button(f"profile {seat}", text("screens.profile.open"), named, profile)
        is_alone = len(form.players) <= 1
        leave = layout.change(form=form if is_alone else form.remove_player(seat))
        out = _sign_button(f"remove {seat}", "×", named, leave).change(enabled=not is_alone)
        items += layout.arrange((colour, name, more, out), columns(area, 0.15, REST, 0.15, 0.15, gap=0.006))
    is_full = len(form.players) >= form.options.max_players
    add_player = layout.change(form=form if is_full else form.add_player())
    add = [layout.button("add", text("screens.players.add"), add_player, enabled=not is_full)]
    if form.options.bot_kinds().words:
        add_bot = layout.change(form=form if is_full else form.add_bot())
        add.append(layout.button("add_bot", text("screens.players.add_bot"), add_bot, enabled=not is_full))
    return layout.page(
        screens,
        text("screens.players.heading"),
        (*layout.texts(note, (_describe_players(screens),), "note", 1.0), *items),
        *add,
        layout.done_button(),
        veil=0.74,
        first="done",
    )


def _sign_button(name: str, sign: str, player: str, press: Callable[[Screens], layout.Reply]) -> layout.Item:
    spoken = text(f"screens.players.{name.split()[0]}", player=player)
    return layout.button(name, sign, press).change(speech=spoken)


def _describe_players(screens: Screens) -> str:
    form = screens.form
    if not form.is_playable:
        return describe_needed_players(form)
    if len(form.players) == 1:
        return text("screens.players.solo")
    if len(form.players) >= form.options.max_players:
        return text("screens.players.full", game=title_of(form.game), most=form.options.max_players)
    return text("screens.players.about")


def describe_needed_players(form: Form) -> str:
    """Return a sentence about the number of players that the game needs; empty if the form's number is valid."""
    least, most = form.options.min_players, form.options.max_players
    game = title_of(form.game)
    return "" if form.is_playable else text("screens.players.count", game=game, least=least, most=most)


def edit_name(seat: int, name: str) -> Callable[[Screens], layout.Reply]:
    return layout.go_to(PageName.NAME, editing=seat, typed=name)


def name_page(screens: Screens) -> layout.Plan:
    tall = screens.is_tall
    field_height, keys_height = (0.11, 0.66) if tall else (0.18, 0.58)
    above, keys, low = rows(layout.body_area(tall), field_height, keys_height, REST, gap=GAP[1])
    field = columns(above, 0.1, 0.8)[1]
    colour = COLOURS[screens.form.players[screens.editing].colour]
    typing = (
        ("space", lambda s: type_letter(s, " ")),
        ("delete", lambda s: (replace(s, typed=s.typed[:-1]), ())),
        ("clear", lambda s: (replace(s, typed=""), ())),
    )
    letters = grid(keys, len(LETTERS), 6 if tall else 10, gap=_KEY_GAP)
    wide = (layout.button(key, text(f"screens.name.{key}"), press) for key, press in typing)
    return layout.page(
        screens,
        text("screens.name.heading"),
        (
            layout.label("field", WidgetKind.FIELD, field, screens.typed, swatches=(colour,)),
            *(
                layout.Item(Widget(f"key {letter}", WidgetKind.KEY, area, letter), _press_letter(letter))
                for area, letter in zip(letters, LETTERS, strict=True)
            ),
            *layout.arrange(wide, grid(low, 3, 3, gap=_KEY_GAP)),
        ),
        layout.button("cancel", text("screens.cancel"), layout.go_back),
        layout.button("done", text("screens.done"), _finish_name, enabled=_is_name_free(screens)),
        veil=0.80,
        first="done",
    )


def type_letter(screens: Screens, letter: str) -> layout.Reply:
    """Append a letter to the typed name if the result can begin a valid name."""
    if screens.page is not PageName.NAME or not (letter.isprintable() or letter in names.JOINERS):
        return screens, ()
    longer = unicodedata.normalize("NFC", screens.typed + letter)
    tidied = names.tidy_name(f"{longer}a" if letter in names.JOINERS else longer)
    is_valid = bool(tidied) and tidied.startswith(longer.strip()) and "  " not in longer
    return replace(screens, typed=longer if is_valid else screens.typed), ()


def _press_letter(letter: str) -> Callable[[Screens], layout.Reply]:
    """Return a press handler that types the letter, as a capital at the start of a word."""

    def press(screens: Screens) -> layout.Reply:
        starts_word = not screens.typed or screens.typed[-1] in " -'"
        return type_letter(screens, letter.upper() if starts_word else letter.lower())

    return press


def _rename_player(screens: Screens) -> Screens:
    return replace(screens, form=screens.form.rename_player(screens.editing, screens.typed))


def _is_name_free(screens: Screens) -> bool:
    return _rename_player(screens).form.players[screens.editing].name == names.tidy_name(screens.typed)


def _finish_name(screens: Screens) -> layout.Reply:
    return (_rename_player(screens).go_back() if _is_name_free(screens) else screens), ()


#: Offered values of each row, for handicaps and for movements.
_HANDICAP_VALUES: dict[str, tuple[Any, ...]] = {
    "spared": (0, 1, 2, 3, 4, 5),
    "hints": (None, 0, 1, 2, 3, 5, 10),
    "helps": tuple(VisualAids),
    "guidance": tuple(Guidance),
}
_MOVEMENT_VALUES: dict[str, tuple[Any, ...]] = {
    "steadiness": tuple(Steadiness),
    "reach": REACHES,
    "dwell_s": DWELLS_S,
    "grip": (None, *GripKind),
}
#: Habits that have a row; ``kit_mm`` has none because ``armoon kit`` sets it.
_HABITS = tuple(name for name in vars(NO_OVERRIDES) if name != "kit_mm")


def handicap_page(screens: Screens) -> Plan:
    player = screens.form.players[screens.editing]
    now = player.handicap
    known = Feature.HANDICAP in screens.form.options.has
    about = text("screens.handicap.about") if known else f"{text('game.has_not.handicap')}."
    shown = {
        "spared": str(now.spared),
        "hints": text("screens.handicap.any") if now.hints is None else str(now.hints),
        "helps": text(f"screens.handicap.helps_{now.helps}"),
        "guidance": text(f"screens.handicap.guidance_{now.guidance}"),
    }
    items = [
        choice(name, text(f"screens.handicap.{name}"), shown[name], _adjust_field("handicap", name, offered))
        for name, offered in _HANDICAP_VALUES.items()
    ]
    title = text("screens.handicap.heading", player=player.name)
    return list_page(screens, title, (about,), items, back_button(), words="note", veil=0.76, first="spared")


def movement_page(screens: Screens) -> Plan:
    player = screens.form.players[screens.editing]
    items = []
    for name, offered in _MOVEMENT_VALUES.items():
        shown = describe_movement_value(name, getattr(player.movement, name))
        turn = _adjust_field("movement", name, offered)
        items.append(choice(name, text(f"screens.moving.{name}"), shown, turn))
    title, about = text("screens.moving.heading", player=player.name), (text("screens.moving.about"),)
    measure_button = layout.button("measure", text("screens.moving.measure"), restart_measurement("hand"))
    return list_page(screens, title, about, items, back_button(), measure_button)


def habits_page(screens: Screens) -> Plan:
    player = screens.form.players[screens.editing]
    items = []
    for option in PREFERENCES:
        if option.name in _HABITS:
            now = getattr(player.habits, option.name)
            shown = text("screens.habits.as_set") if now is None else option.format_value(now)
            turn = _adjust_field("habits", option.name, (None, *option.offers))
            items.append(choice(option.name, option.label, shown, turn))
    title, about = text("screens.habits.heading", player=player.name), (text("screens.habits.about"),)
    measure_button = layout.button("measure", text("screens.setting.measure"), begin_reaction)
    return list_page(screens, title, about, items, back_button(), measure_button)


def _adjust_field(group: str, name: str, offered: tuple[Any, ...]) -> Callable[[Screens, int], Reply]:
    """Return a handler for the arrows of a field; ``group``: "handicap", "movement" or "habits"."""

    def adjust(screens: Screens, step: int) -> Reply:
        now = getattr(screens.form.players[screens.editing], group)
        value = getattr(now, name)
        index = offered.index(value) if value in offered else 0
        return _save_field(screens, group, replace(now, **{name: offered[(index + step) % len(offered)]}))

    return adjust


def _save_field(screens: Screens, group: str, value: object) -> Reply:
    return layout.save_player(
        screens, screens.editing, screens.form.with_player_changes(screens.editing, **{group: value})
    )


def describe_movement(movement: Movement) -> str:
    """Describe the settings that differ from the defaults."""
    if movement == USUAL_MOVEMENT:
        return text("screens.moving.usual")
    return " · ".join(
        describe_movement_value(name, getattr(movement, name))
        for name in _MOVEMENT_VALUES
        if getattr(movement, name) != getattr(USUAL_MOVEMENT, name)
    )


def describe_movement_value(name: str, value: Any) -> str:
    if name == "grip":
        return text(f"option.grip.word.{value}") if value else text("screens.moving.as_set")
    if name == "steadiness":
        return text(f"screens.moving.steadiness_word.{value}")
    return text(f"screens.moving.{name}_value", value=brief(value))


def measure_hand_page(screens: Screens) -> Plan:
    now, title = screens.hand, text("screens.moving.measure")
    key = "screens.moving.nobody" if now.is_missing else f"screens.moving.{now.step.value}"
    return measurement_page(screens, "hand", title, key, _describe_hand, _accept_movement)


def _describe_hand(now: HandMeasurement) -> tuple[str, ...]:
    measured, proposal = now.reliable_grips[:-1], now.proposed_movement
    grips = " · ".join(text(f"option.grip.word.{grip}") for grip in measured) or text(
        "screens.moving.no_grip"
    )
    return (
        text(
            "screens.moving.found",
            tremor=number(now.tremor_mm / 10.0, 1),
            reach=number(now.reach_m * 100.0, 0),
            speed=number(now.speed_m_s * 100.0, 0),
        ),
        text("screens.moving.grips", grips=grips),
        text("screens.moving.proposed", settings=describe_movement(proposal)),
    )


def _accept_movement(screens: Screens) -> Reply:
    kept, actions = _save_field(screens, "movement", screens.hand.proposed_movement)
    return replace(kept.go_back(), hand=HandMeasurement()), actions


#: Day of a full moon; time from the mean full moon to noon (UTC) of that day, and mean synodic month, in days (Meeus,
#: Astronomical Algorithms, chapter 49). Accurate to about half a day.
_FULL_MOON = datetime.date(2000, 1, 21)
_NOON_AFTER_D = 0.14
_LUNATION_D = 29.530588
#: Earliest year of birth.
_FIRST_YEAR = 1900
#: Age at the initially proposed date of birth, in years.
_DEFAULT_AGE = 30


def profile_page(screens: Screens) -> Plan:
    form, seat = screens.form, screens.editing
    player, kinds = form.players[seat], form.options.bot_kinds()
    about = "" if player.bot else text("screens.profile.about")
    if player.bot in kinds.words:
        about = text("screens.profile.bot", name=player.name, about=kinds.describe_bot(player.bot))
    colour = choice(
        "colour",
        text("screens.profile.colour"),
        text(f"screens.colour.{COLOUR_NAMES[player.colour]}"),
        lambda s, step: layout.save_player(s, s.editing, s.form.recolour_player(s.editing, step)),
        enabled=len(form.players) < len(COLOURS),
    ).change(swatches=(COLOURS[player.colour],))
    area = text("screens.profile.place", number=seat + 1, count=len(form.players))
    order = choice("order", text("screens.profile.order"), area, _move_player, enabled=len(form.players) > 1)
    items = [colour, order] if player.bot else _person_rows(player, seat, colour, order)
    if kinds.words:
        who = kinds.get_name(player.bot) if player.bot else text("screens.profile.person")
        items.insert(0, choice("who", text("screens.profile.who"), who, _change_kind))
    title, notes = text("screens.profile.heading"), (about,) if about else ()
    return list_page(screens, title, notes, items, back_button(), words="note", veil=0.76, first="colour")


def _change_kind(screens: Screens, step: int) -> Reply:
    form, seat = screens.form, screens.editing
    words = ("", *form.options.bot_kinds().words)
    now = form.players[seat].bot
    index = words.index(now) if now in words else 0
    return replace(screens, form=form.with_bot(seat, words[(index + step) % len(words)])), ()


def _person_rows(player: FormPlayer, seat: int, colour: Item, order: Item) -> list[Item]:
    handicap = describe_handicap(player.handicap) or text("screens.profile.none")
    moves = text("screens.moving.usual" if player.movement == USUAL_MOVEMENT else "screens.moving.adapted")
    way = player.habits.way
    way_text = text("screens.habits.as_set") if way is None else text(f"option.way.word.{way}")
    return [
        button("name", player.name, edit_name(seat, player.name)),
        colour,
        choice("hand", text("screens.profile.hand"), text(f"screens.hand.{player.hand}"), _change_hand),
        order,
        _date_button("born", player.born),
        _date_button("full_moon", player.full_moon),
        button("handicap", text("screens.profile.handicap", handicap=handicap), go_to(PageName.HANDICAP)),
        button("habits", text("screens.profile.habits", way=way_text), go_to(PageName.HABITS)),
        button("moving", text("screens.profile.moving", moving=moves), go_to(PageName.MOVING)),
    ]


def _date_button(group: str, day: datetime.date | None) -> Item:
    date = format_date(day) if day else text("screens.profile.unknown")
    return button(group, text(f"screens.profile.{group}", date=date), _open_date(group))


def date_page(screens: Screens) -> Plan:
    now, limit = screens.date, screens.today
    month = text(f"screens.date.month_{now.month}")
    items = [
        choice("year", text("screens.date.year"), str(now.year), lambda s, step: _change_date(s, years=step)),
        choice("month", text("screens.date.month"), month, lambda s, step: _change_date(s, months=step)),
        choice("day", text("screens.date.day"), str(now.day), lambda s, step: _change_date(s, days=step)),
        button("unknown", text("screens.date.unknown"), _set_date(None)),
    ]
    if screens.date_key == "full_moon":
        latest = find_last_full_moon(limit)
        words = text("screens.date.latest", date=format_date(latest))
        items.append(button("latest", words, _set_date(latest)))
    return list_page(
        screens,
        text(f"screens.date.{screens.date_key}"),
        (format_date(now),),
        items,
        layout.button("cancel", text("screens.cancel"), go_back),
        layout.button("done", text("screens.done"), _set_date(now), enabled=now <= limit),
        words="note",
        veil=0.80,
        first="done",
    )


def format_date(day: datetime.date) -> str:
    return text(
        "screens.date.shown", day=day.day, month=text(f"screens.date.month_{day.month}"), year=day.year
    )


def find_last_full_moon(day: datetime.date) -> datetime.date:
    """Return the day of the last full moon up to ``day``, from the mean synodic month."""
    since_d = ((day - _FULL_MOON).days + _NOON_AFTER_D) % _LUNATION_D
    return day - datetime.timedelta(days=math.ceil(since_d - 0.5))


def _change_hand(screens: Screens, step: int) -> Reply:
    now = screens.form.players[screens.editing].hand
    return _save_field(screens, "hand", next_offer(tuple(HandPreference), now, step))


def _move_player(screens: Screens, step: int) -> Reply:
    count = len(screens.form.players)
    moved = screens.form.move_player(screens.editing, step)
    return replace(screens, form=moved, editing=(screens.editing + step) % count), ()


def _open_date(group: str) -> Callable[[Screens], Reply]:
    def open_date(screens: Screens) -> Reply:
        player = screens.form.players[screens.editing]
        usual = datetime.date(screens.today.year - _DEFAULT_AGE, 1, 1)
        if group == "full_moon":
            usual = find_last_full_moon(screens.today)
        return replace(screens.go_to(PageName.DATE), date_key=group, date=getattr(player, group) or usual), ()

    return open_date


def _set_date(day: datetime.date | None) -> Callable[[Screens], Reply]:
    def set_date(screens: Screens) -> Reply:
        kept, actions = _save_field(screens, screens.date_key, day)
        return kept.go_back(), actions

    return set_date


def _change_date(screens: Screens, *, years: int = 0, months: int = 0, days: int = 0) -> Reply:
    """Step the edited date; each part wraps around, and the day is limited to the length of the month."""
    now, span = screens.date, screens.today.year - _FIRST_YEAR + 1
    year = _FIRST_YEAR + (now.year - _FIRST_YEAR + years) % span
    month = (now.month - 1 + months) % 12 + 1
    last = calendar.monthrange(year, month)[1]
    day = (min(now.day, last) - 1 + days) % last + 1
    return replace(screens, date=datetime.date(year, month, day)), ()
