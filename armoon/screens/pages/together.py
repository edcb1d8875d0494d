"""Pages of a party (visibility, address for phones, recording) and of other tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from armoon.messages import enumerated, text
from armoon.screens import events, layout
from armoon.screens.pages.opening import shorten_names
from armoon.screens.state import PageName, Screens
from armoon.values import page as ui
from armoon.values import replace
from armoon.values.page import rows

#: Width of the light margin around a QR code, in modules.
_QUIET = 4
#: Overlap of rows, in modules, which hides gaps between them.
_OVERLAP = 0.04
_PAPER, _INK = (1.0, 1.0, 1.0, 1.0), (0.04, 0.06, 0.13, 1.0)
_OPENED = ("host", "board")


def party_page(screens: Screens) -> layout.Plan:
    party = screens.party_state
    body = layout.body_place(screens.is_tall)
    place, area = split_for_code(body, tall=screens.is_tall) if party.code else (body, body)
    code = (code_item(party.code, place),) if party.code else ()
    words = (
        (party.trouble,) if party.trouble else _party_status(screens) if party.on else _party_intro(screens)
    )
    asked = _party_rows(screens)
    row = ui.FlexPart(min(layout.HIGHEST_ROW[screens.is_tall], area.height * 0.15))
    note, *places, _ = rows(area, ui.REST, *[row] * len(asked), ui.FlexPart(0.0), gap=ui.GAP[1])
    ends = ("end", text("screens.party.end"), layout.emit(events.Request.END_PARTY), True)
    start = (
        "start",
        text("screens.party.start"),
        layout.emit(events.BeginParty(screens.lan)),
        not screens.in_game,
    )
    return layout.page(
        screens,
        text("screens.party.heading_on" if party.on else "screens.party.heading"),
        (
            *code,
            *layout.texts(note, words, "note", 0.16),
            *(
                item
                for place, row_of in zip(places, asked, strict=True)
                for item in layout.arrange(row_of, ui.grid(place, len(row_of), len(row_of)))
            ),
        ),
        layout.back_button(),
        ends if party.on else start,
        veil=0.80,
        first="back" if party.on else "start",
        stays=party.on,  # keeps the code out of films and streams
    )


# Texts ----------------------------------------------------------------------------------------------------------


def _party_intro(screens: Screens) -> tuple[str, ...]:
    lan = text("screens.party.lan_about" if screens.lan else "screens.party.own_about")
    return (text("screens.party.about"), lan, text("screens.party.seen"), text("screens.party.kept"))


def _party_status(screens: Screens) -> tuple[str, ...]:
    party = screens.party_state
    guests = (
        text("screens.party.guests", count=party.guests) if party.guests else text("screens.party.nobody")
    )
    if party.lan:
        sure = (text("air.page.fingerprint", digits=party.fingerprint),) if party.fingerprint else ()
        return (text("screens.party.join"), _break_address(party.join_at), *sure, guests)
    return (text("screens.party.own_now"), guests, text("screens.party.seen"))


def _break_address(address: str) -> str:
    """Return an address with a space after the port, where the line may break."""
    host, slash, rest = address.removeprefix("http://").partition("/")
    return f"http://{host}{slash} {rest}"


# Choices --------------------------------------------------------------------------------------------------------


def _party_rows(screens: Screens) -> tuple[tuple[layout.Item, ...], ...]:
    party = screens.party_state
    value = text("screens.party.film_yes" if party.film else "screens.party.film_no")
    free = not party.filmed_anyway
    film = layout.choice(
        "film",
        text("screens.party.film"),
        value,
        lambda s, _: (s, (events.RecordPeople(not party.film),)),
        enabled=free,
    )
    if party.on:
        opened = (
            layout.button(one, text(f"screens.party.open_{one}"), layout.emit(events.OpenPage(one)))
            for one in _OPENED
        )
        return ((film,), tuple(opened))
    who = text("screens.party.who_lan" if screens.lan else "screens.party.who_own")
    return (
        (layout.choice("lan", text("screens.party.who"), who, lambda s, _: (replace(s, lan=not s.lan), ())),),
        (film,),
    )


# The code -------------------------------------------------------------------------------------------------------


def split_for_code(body: ui.Rect, *, tall: bool) -> list[ui.Rect]:
    if tall:
        return rows(body, 0.36, ui.REST, gap=ui.GAP[1])
    return ui.columns(body, 0.43, ui.REST, gap=1.6 * ui.GAP[0])


def code_item(rows: tuple[str, ...], place: ui.Rect) -> layout.Item:
    return layout.Item(ui.Widget("code", ui.WidgetKind.PICTURE, place, drawing=code_drawing(rows)))


def code_drawing(rows: tuple[str, ...]) -> ui.Drawing:
    module = 1.0 / (len(rows) + 2 * _QUIET)
    left, top = (ui.WIDE - 1.0) / 2.0 + _QUIET * module, _QUIET * module
    shapes = [ui.Mark(ui.Sign.SHEET, (ui.WIDE / 2.0, 0.5), (0.5, 0.5), _PAPER)]
    for down, row in enumerate(rows):
        across = 0
        for dark, run in groupby(row):
            count = len(list(run))
            if dark == "1":
                centre = (left + (across + count / 2.0) * module, top + (down + 0.5) * module)
                half = (count * module / 2.0, (0.5 + _OVERLAP) * module)
                shapes.append(ui.Mark(ui.Sign.SHEET, centre, half, _INK))
            across += count
    return ui.Drawing(tuple(shapes))


def remote_page(screens: Screens) -> layout.Plan:
    party = screens.remote_tables
    waits = bool(party.invites or party.asks or party.seeks)
    body = layout.body_place(screens.is_tall)
    awaits = bool(party.invites) and not party.tables and party.requested is None
    phones = screens.party_state.tables_code if awaits else ()  # later the words need the place
    place, area = split_for_code(body, tall=screens.is_tall) if phones else (body, body)
    words = (party.trouble,) if party.trouble else tuple(_remote_words(screens))
    asked = tuple(_remote_buttons(screens))
    row, across = (
        min(layout.HIGHEST_ROW[screens.is_tall], area.height * 0.15),
        1 if screens.is_tall or phones else min(2, len(asked)),
    )
    down = -(-len(asked) // max(1, across))
    note, low = rows(area, ui.REST, ui.FlexPart(down * (row + ui.GAP[1])))
    places = ui.grid(low, len(asked), max(1, across), row, ui.GAP)
    foot: list[layout.FootButton] = [
        ("end", text("screens.far.end"), _leave_tables, True) if waits else layout.back_button()
    ]
    if party.invites:
        begin = layout.emit(events.Request.BEGIN_TABLES)
        foot.append(("begin", text("screens.far.begin"), begin, bool(party.tables)))
    return layout.page(
        screens,
        text("screens.far.heading"),
        (
            *((code_item(phones, place),) if phones else ()),
            *layout.texts(note, words, "note", 0.16),
            *layout.arrange(asked, places),
        ),
        *foot,
        veil=0.80,
        leave=_leave_tables if waits else layout.go_back,
        stays=bool(party.invites),
    )


def _remote_words(screens: Screens) -> Iterator[str]:
    party = screens.remote_tables
    if party.asks:
        yield text("screens.far.asked", host=party.asks)
        if party.note:
            yield party.note
    elif party.invites:
        if party.requested is not None:
            players, code = party.requested
            yield text("screens.far.requested", players=players, code=code)
        yield text("screens.far.copied" if party.copied else "screens.far.invited", address=party.invites)
        yield from (text("screens.far.came", players=enumerated(names)) for names in party.tables)
        if not party.tables:
            yield text("screens.far.phones" if screens.party_state.tables_code else "screens.far.nobody")
        if party.note:
            yield party.note
    elif party.seeks:
        yield text("screens.far.found" if party.found else "screens.far.seeks")
    else:
        yield text("screens.far.about")
        yield text("screens.far.secret")
        if party.pasted:
            which = "public" if party.public else "pasted_link" if party.joins else "pasted"
            yield text(f"screens.far.{which}", host=party.pasted)
        else:
            yield text("screens.far.paste_about")


def _remote_buttons(screens: Screens) -> Iterator[layout.Item]:
    party, here = screens.remote_tables, shorten_names(tuple(player.name for player in screens.form.players))
    button = layout.button
    if party.invites:
        yield button("copy", text("screens.far.copy"), layout.emit(events.Request.COPY_LINK))
        if party.requested is not None:
            yield button("admit", text("screens.far.admit"), layout.emit(events.Request.ADMIT_TABLE))
            yield button("decline", text("screens.far.decline"), layout.emit(events.Request.DECLINE_TABLE))
    elif party.asks or party.seeks:
        for number, names in enumerate(() if party.asks else party.found):
            ask = layout.emit(events.JoinTable(_local_game(screens), number))
            yield button(f"found {number}", text("screens.far.ask", players=shorten_names((names,))), ask)
    else:
        yield button("players", text("screens.far.players", players=here), layout.go_to(PageName.PLAYERS))
        invite = _request(lambda s: events.InviteTables(_local_game(s), broker=False))
        if not party.pasted or party.joins:
            yield button("lan", text("screens.far.lan"), invite)
        if party.joins:
            join = _request(lambda s: events.JoinTable(_local_game(s)))
            yield button("join", text("screens.far.join"), join)
        elif party.pasted:
            over = _request(lambda s: events.InviteTables(_local_game(s), broker=True))
            yield button("broker", text("screens.far.broker"), over)
        else:
            yield button("find", text("screens.far.find"), layout.emit(events.Request.FIND_TABLES))
        yield button("paste", text("screens.far.paste"), layout.emit(events.Request.PASTE_LINK))
        if not party.joins:
            other = text("screens.far.other_broker" if party.public else "screens.far.public_broker")
            yield button("public", other, layout.emit(events.Request.NEXT_BROKER))


def _local_game(screens: Screens) -> events.StartGame:
    return screens.form.start_game(screens.seed)


def _request(action: Callable[[Screens], events.Action]) -> Callable[[Screens], layout.Reply]:
    return lambda screens: (screens, (action(screens),))


def _leave_tables(screens: Screens) -> layout.Reply:
    return screens.go_back(), (events.Request.LEAVE_TABLES,)
