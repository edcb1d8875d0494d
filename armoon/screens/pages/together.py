"""Pages of a party, and of games with other tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from armoon.messages import join_names, text
from armoon.screens import events, layout
from armoon.screens.pages.opening import shorten_names
from armoon.screens.state import PageName, Screens
from armoon.values import page as ui
from armoon.values import replace

#: Width of the light margin around a QR code, in modules.
_QUIET_ZONE = 4
#: Overlap of a QR code's rows, which hides gaps between them, in modules.
_OVERLAP = 0.04
_PAPER, _INK = (1.0, 1.0, 1.0, 1.0), (0.04, 0.06, 0.13, 1.0)
_OPENABLE_PAGES = ("host", "board")


def party_page(screens: Screens) -> layout.Plan:
    party = screens.party_state
    end_button = layout.button("end", text("screens.party.end"), layout.emit(events.Request.END_PARTY))
    begin_action = layout.emit(events.Ask(events.Request.BEGIN_PARTY, screens.party_on_lan))
    start = layout.button("start", text("screens.party.start"), begin_action, enabled=not screens.in_game)
    lead = party.error or ("" if party.is_on else text("screens.party.about"))
    return layout.page(
        screens,
        text("screens.party.heading_on" if party.is_on else "screens.party.heading"),
        _arrange(screens, _make_party_groups(screens), lead, party.qr_code),
        *((end_button, layout.back_button()) if party.is_on else (layout.back_button(), start)),
        veil=0.80,
        first="back" if party.is_on else "start",
        is_private=party.is_on,  # keeps the code out of films and streams
    )


def _arrange(
    screens: Screens, groups: Sequence[layout.Group], lead: str, code: tuple[str, ...]
) -> Iterator[layout.Item]:
    """Yield a page's groups, beside the QR code if there is one."""
    area = layout.body_area(screens.is_tall)
    if code:
        divide, part, gap = (
            (ui.rows, 0.36, ui.GAP[1]) if screens.is_tall else (ui.columns, 0.43, 1.6 * ui.GAP[0])
        )
        code_area, area = divide(area, part, ui.REST, gap=gap)
        yield layout.label("code", ui.WidgetKind.PICTURE, code_area, drawing=draw_qr_code(code))
    yield from layout.arrange_groups(screens, area, groups, (lead,) if lead else (), beside=not code)


def _make_party_groups(screens: Screens) -> tuple[layout.Group, ...]:
    party = screens.party_state
    film = layout.choice(
        "film",
        text("screens.party.film"),
        text("screens.party.film_yes" if party.is_recording_people else "screens.party.film_no"),
        lambda s, _: (s, (events.Ask(events.Request.RECORD_PEOPLE, not party.is_recording_people),)),
        enabled=not party.always_records_people,
    )
    if party.is_on:
        actions = {page: layout.emit(events.Ask(events.Request.OPEN_PAGE, page)) for page in _OPENABLE_PAGES}
        opened = tuple(
            layout.button(page, text(f"screens.party.open_{page}"), press) for page, press in actions.items()
        )
        rows, words = (film, opened), tuple(_describe_party(screens))
        guests, host = text("screens.party.group.guests"), text("screens.party.group.host")
        return ((guests, rows, words),) if party.qr_code else ((guests, (), words), (host, rows, ()))
    who = text("screens.party.who_lan" if screens.party_on_lan else "screens.party.who_own")
    lan = layout.choice(
        "lan", text("screens.party.who"), who, lambda s, _: (replace(s, party_on_lan=not s.party_on_lan), ())
    )
    about = text("screens.party.lan_about" if screens.party_on_lan else "screens.party.own_about")
    notes = text("screens.party.seen"), text("screens.party.kept")
    return (
        (text("screens.party.group.guests"), (lan,), () if party.error else (about,)),
        (text("screens.party.group.seen"), (film,), () if party.error else notes),
    )


def _describe_party(screens: Screens) -> Iterator[str]:
    party = screens.party_state
    if party.is_on_lan:
        yield text("screens.party.join")
        host, slash, rest = party.join_address.removeprefix("http://").partition("/")
        yield f"http://{host}{slash} {rest}"  # the space allows a line break after the port
        if party.fingerprint:
            yield text("air.page.fingerprint", digits=party.fingerprint)
    else:
        yield text("screens.party.own_now")
    yield (
        text("screens.party.guests", count=party.guest_count)
        if party.guest_count
        else text("screens.party.nobody")
    )


# The QR code ----------------------------------------------------------------------------------------------------


def draw_qr_code(rows: tuple[str, ...]) -> ui.Drawing:
    module = 1.0 / (len(rows) + 2 * _QUIET_ZONE)
    left, top = (ui.ASPECT - 1.0) / 2.0 + _QUIET_ZONE * module, _QUIET_ZONE * module
    shapes = [ui.Mark(ui.Sign.SHEET, (ui.ASPECT / 2.0, 0.5), (0.5, 0.5), _PAPER)]
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
    is_waiting = bool(party.invitation or party.asked_host or party.is_searching)
    # Once another table joins, the text needs the space of the QR code.
    needs_code = bool(party.invitation) and not party.tables and party.join_request is None
    phones = screens.party_state.tables_qr_code if needs_code else ()
    foot: list[layout.Item] = [
        layout.button("end", text("screens.far.end"), _leave_tables) if is_waiting else layout.back_button()
    ]
    if party.invitation:
        begin = layout.emit(events.Request.BEGIN_TABLES)
        foot.append(layout.button("begin", text("screens.far.begin"), begin, enabled=bool(party.tables)))
    elif not is_waiting:
        option = _list_options(screens)[0 if not party.pasted else 2 if party.is_invitation_pasted else 1]
        foot.append(layout.button(option[0], text(f"screens.far.{option[0]}"), option[1]))
    return layout.page(
        screens,
        text("screens.far.heading"),
        _arrange(screens, tuple(_make_remote_groups(screens)), party.error, phones),
        *foot,
        veil=0.80,
        leave=_leave_tables if is_waiting else layout.go_back,
        main=foot[1].widget.name if len(foot) > 1 else "",
        is_private=bool(party.invitation),
    )


def _list_options(screens: Screens) -> tuple[tuple[str, Callable[[Screens], layout.Reply]], ...]:
    """Return names and actions: invite over the local network, invite through a broker, join another table."""
    game = screens.form.start_game(screens.seed)
    return (
        ("lan", layout.emit(events.InviteTables(game, broker=False))),
        ("broker", layout.emit(events.InviteTables(game, broker=True))),
        ("join", layout.emit(events.JoinTable(game))),
    )


def _make_remote_groups(screens: Screens) -> Iterator[layout.Group]:
    party, here = screens.remote_tables, shorten_names(tuple(player.name for player in screens.form.players))

    def row(name: str, press: Callable[[Screens], layout.Reply], **names: object) -> layout.Item:
        return layout.button(name, text(f"screens.far.{name}", **names), press)

    def group(name: str, rows: Sequence[layout.Item | tuple[layout.Item, ...]], *words: str) -> layout.Group:
        shown = () if party.error else tuple(word for word in words if word)
        return text(f"screens.far.group.{name}"), rows, shown

    if party.asked_host:
        yield group("waiting", (), text("screens.far.asked", host=party.asked_host), party.note)
    elif party.invitation:
        copied = text(
            "screens.far.copied" if party.is_copied else "screens.far.invited", address=party.invitation
        )
        phones = text("screens.far.phones") if screens.party_state.tables_qr_code and not party.tables else ""
        rows = (row("copy", layout.emit(events.Request.COPY_LINK)),)
        yield group("invitation", rows, copied, party.note, phones)
        joined = [text("screens.far.came", players=join_names(names)) for names in party.tables]
        requests: tuple[tuple[layout.Item, ...], ...] = ()
        if party.join_request is not None:
            players, code = party.join_request
            joined.insert(0, text("screens.far.requested", players=players, code=code))
            admit = row("admit", layout.emit(events.Request.ADMIT_TABLE))
            requests = ((admit, row("decline", layout.emit(events.Request.DECLINE_TABLE))),)
        if not phones or requests:
            yield group("tables", requests, *(joined or (text("screens.far.nobody"),)))
    elif party.is_searching:
        tables: list[layout.Item] = []
        game = screens.form.start_game(screens.seed)
        for number, names in enumerate(party.found_tables):
            words, join = shorten_names((names,)), layout.emit(events.JoinTable(game, number))
            tables.append(layout.button(f"found {number}", text("screens.far.ask", players=words), join))
        yield group("network", tables, text("screens.far.found" if tables else "screens.far.seeks"))
    else:
        own = [row("players", layout.go_to(PageName.PLAYERS), players=here)]
        own += [row(*_list_options(screens)[0])] if party.is_invitation_pasted else []
        yield group("here", own, text("screens.far.secret"))
        paste = row("paste", layout.emit(events.Request.PASTE_LINK))
        find = () if party.pasted else (row("find", layout.emit(events.Request.FIND_TABLES)),)
        words = "pasted_link" if party.is_invitation_pasted else "paste_about"
        yield group("join", (*find, paste), text(f"screens.far.{words}", host=party.pasted))
        if not party.is_invitation_pasted:
            other = text(
                "screens.far.other_broker" if party.is_public_broker else "screens.far.public_broker"
            )
            button = layout.button("public", other, layout.emit(events.Request.NEXT_BROKER))
            words = "public" if party.is_public_broker else "pasted" if party.pasted else "broker_about"
            yield group("internet", (button,), text(f"screens.far.{words}", host=party.pasted))


def _leave_tables(screens: Screens) -> layout.Reply:
    return screens.go_back(), (events.Request.LEAVE_TABLES,)
