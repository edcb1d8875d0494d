"""Pages of a party's players: names, colours, and an on-screen keyboard."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from armoon.games import title_of
from armoon.messages import text
from armoon.screens import layout
from armoon.screens.events import COLOURS, SavePlayer
from armoon.screens.form import Form
from armoon.screens.state import PageName, Screens
from armoon.values import names, replace
from armoon.values.page import GAP, REST, Widget, WidgetKind, columns, grid, rows

#: Letters of the on-screen keyboard, with the accents of French names.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÉÈÇÏ"


def players_page(screens: Screens) -> layout.Plan:
    tall, form = screens.is_tall, screens.form
    note, rest = layout.split_body(tall, 0.14)
    places = grid(rest, 6, 1 if tall else 2, 0.095 if tall else 0.135, (0.03, 0.022))
    items: list[layout.Item] = []
    for seat, (place, player) in enumerate(zip(places, form.players, strict=False)):
        named, profile = player.name, _open_profile(seat)
        spoken = text("screens.players.colour", player=named, number=player.colour + 1, of=len(COLOURS))
        colour = layout.button(f"colour {seat}", "", _recolour_player(seat)).change(
            swatches=(COLOURS[player.colour],), said=spoken
        )
        if player.bot:
            name = layout.button(f"name {seat}", text("screens.players.bot", name=named), profile)
        else:
            name = layout.button(f"name {seat}", named, edit_name(seat))
        more = _sign_button(f"profile {seat}", text("screens.profile.open"), named, profile)
        drop = _sign_button(f"remove {seat}", "×", named, _remove_player(seat)).change(
            enabled=len(form.players) > 1
        )
        items += layout.arrange((colour, name, more, drop), columns(place, 0.15, REST, 0.15, 0.15, gap=0.006))
    full = len(form.players) >= form.options.most
    return layout.page(
        screens,
        text("screens.players.heading"),
        (*layout.texts(note, (_players_note(screens),), "note", 1.0), *items),
        ("add", text("screens.players.add"), lambda s: (replace(s, form=s.form.add_player()), ()), not full),
        *_bot_button(screens, full),
        layout.done_button(),
        veil=0.74,
        first="done",
    )


def _sign_button(name: str, sign: str, player: str, press: Callable[[Screens], layout.Reply]) -> layout.Item:
    spoken = text(f"screens.players.{name.split()[0]}", player=player)
    return layout.button(name, sign, press).change(said=spoken)


def _bot_button(
    screens: Screens, full: bool
) -> tuple[tuple[str, str, Callable[[Screens], layout.Reply], bool], ...]:
    if not screens.form.options.bot_kinds().words:
        return ()
    words = text("screens.players.add_bot")
    return (("add_bot", words, lambda s: (replace(s, form=s.form.add_bot()), ()), not full),)


def _players_note(screens: Screens) -> str:
    form = screens.form
    if not form.is_playable:
        game = title_of(form.game)
        return text("screens.players.count", game=game, least=form.options.fewest, most=form.options.most)
    if len(form.players) == 1:
        return text("screens.players.solo")
    if len(form.players) >= form.options.most:
        return text("screens.players.full", game=title_of(form.game), most=form.options.most)
    return text("screens.players.about")


def _recolour_player(seat: int) -> Callable[[Screens], layout.Reply]:
    return lambda screens: save_player(screens, seat, screens.form.recolour_player(seat))


def save_player(screens: Screens, seat: int, form: Form) -> layout.Reply:
    if form == screens.form:
        return screens, ()
    if form.players[seat].bot:
        return replace(screens, form=form), ()  # a bot has no profile
    return replace(screens, form=form.with_known(seat)), (SavePlayer(form.players[seat]),)


def _remove_player(seat: int) -> Callable[[Screens], layout.Reply]:
    def leave(screens: Screens) -> layout.Reply:
        alone = len(screens.form.players) <= 1
        return (screens if alone else replace(screens, form=screens.form.remove_player(seat))), ()

    return leave


def _open_profile(seat: int) -> Callable[[Screens], layout.Reply]:
    return lambda screens: (replace(screens.go_to(PageName.PROFILE), editing=seat), ())


def edit_name(seat: int) -> Callable[[Screens], layout.Reply]:
    return lambda screens: (
        replace(screens.go_to(PageName.NAME), editing=seat, typed=screens.form.players[seat].name),
        (),
    )


def name_page(screens: Screens) -> layout.Plan:
    tall = screens.is_tall
    high, keyed = (0.11, 0.66) if tall else (0.18, 0.58)
    above, keys, low = rows(layout.body_place(tall), high, keyed, REST, gap=GAP[1])
    field = columns(above, 0.1, 0.8)[1]
    gap = (0.012, 0.016)
    colour = COLOURS[screens.form.players[screens.editing].colour]
    typing = (
        ("space", lambda s: type_letter(s, " ")),
        ("delete", lambda s: (replace(s, typed=s.typed[:-1]), ())),
        ("clear", lambda s: (replace(s, typed=""), ())),
    )
    letters = zip(grid(keys, 30, 6 if tall else 10, gap=gap), LETTERS, strict=True)
    wide = (layout.button(key, text(f"screens.name.{key}"), press) for key, press in typing)
    return layout.page(
        screens,
        text("screens.name.heading"),
        (
            layout.Item(Widget("field", WidgetKind.FIELD, field, screens.typed, swatches=(colour,))),
            *(
                layout.Item(Widget(f"key {letter}", WidgetKind.KEY, place, letter), _press_letter(letter))
                for place, letter in letters
            ),
            *layout.arrange(wide, grid(low, 3, 3, gap=gap)),
        ),
        ("cancel", text("screens.cancel"), layout.go_back, True),
        ("done", text("screens.done"), _finish_name, _is_name_free(screens)),
        veil=0.80,
        first="done",
    )


def type_letter(screens: Screens, letter: str) -> layout.Reply:
    """Add a letter to the name that is being typed, if it can be part of one."""
    if screens.page is not PageName.NAME or not (letter.isprintable() or letter in names.JOINERS):
        return screens, ()
    longer = unicodedata.normalize("NFC", screens.typed + letter)
    known = names.tidy_name(f"{longer}a" if letter in names.JOINERS else longer)
    is_begun = bool(known) and known.startswith(longer.strip()) and "  " not in longer
    return replace(screens, typed=longer if is_begun else screens.typed), ()


def _press_letter(letter: str) -> Callable[[Screens], layout.Reply]:
    """Return a letter key's action, which capitalizes the start of a word."""

    def press(screens: Screens) -> layout.Reply:
        begins = not screens.typed or screens.typed[-1] in " -'"
        return type_letter(screens, letter.upper() if begins else letter.lower())

    return press


def _with_name(screens: Screens) -> Screens:
    return replace(screens, form=screens.form.rename_player(screens.editing, screens.typed))


def _is_name_free(screens: Screens) -> bool:
    return _with_name(screens).form.players[screens.editing].name == names.tidy_name(screens.typed)


def _finish_name(screens: Screens) -> layout.Reply:
    return (_with_name(screens).go_back() if _is_name_free(screens) else screens), ()
