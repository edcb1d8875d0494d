"""The page of a game with other tables: inviting them, who has come, or joining by an invitation that was pasted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from armoon.messages import text
from armoon.messages.numbers import enumerated
from armoon.screens.actions import Action, InviteTables, JoinTable, StartGame
from armoon.screens.far import BeginTables, CopyLink, LeaveTables, PasteLink
from armoon.screens.layout import HIGHEST_ROW, FootButton, back_button, body_place, button, page, put
from armoon.screens.pages.on_air import code_item, notes, parted
from armoon.screens.pages.opening import shortened
from armoon.screens.plan import Item, Plan, Reply, asking, go_back, going
from armoon.screens.state import PageName, Screens
from armoon.values.flex import GAP, REST, Part, grid, rows


def far(screens: Screens) -> Plan:
    """In words who can come in; then others are invited, or this table joins them."""
    told = screens.far
    waits = bool(told.invites or told.asks)
    body = body_place(screens.tall)
    place, area = parted(body, tall=screens.tall) if told.code else (body, body)
    words = (told.trouble,) if told.trouble else tuple(_words(screens))
    asked = () if waits else tuple(_choices(screens))
    if told.invites:
        asked = (button("copy", text("screens.far.copy"), asking(CopyLink())),)
    row, across = (
        min(HIGHEST_ROW[screens.tall], area.height * 0.15),
        1 if screens.tall else min(2, len(asked)),
    )
    down = -(-len(asked) // max(1, across))
    said, low = rows(area, REST, Part(down * (row + GAP[1])))
    places = grid(low, len(asked), max(1, across), row, GAP)
    foot: list[FootButton] = [("end", text("screens.far.end"), _end, True) if waits else back_button()]
    if told.invites:
        foot.append(("begin", text("screens.far.begin"), asking(BeginTables()), bool(told.tables)))
    return page(
        screens,
        text("screens.far.heading"),
        (
            *((code_item(told.code, place),) if told.code else ()),
            *notes(said, words, tall=screens.tall),
            *put(asked, places),
        ),
        *foot,
        veil=0.80,
        leave=_end if waits else go_back,
        stays=bool(told.invites),  # others may come in meanwhile
    )


def _words(screens: Screens) -> Iterator[str]:
    told = screens.far
    if told.asks:
        yield text("screens.far.asked", host=told.asks)
    elif told.invites:
        yield text("screens.far.copied" if told.copied else "screens.far.invited", address=told.invites)
        for players in told.tables:
            yield text("screens.far.came", players=enumerated(players))
        if not told.tables:
            yield text("screens.far.nobody")
    else:
        yield text("screens.far.about")
        yield text("screens.far.secret")
        if told.pasted:
            yield text("screens.far.pasted_link" if told.joins else "screens.far.pasted", host=told.pasted)
        else:
            yield text("screens.far.paste_about")


def _choices(screens: Screens) -> Iterator[Item]:
    told, here = screens.far, shortened(tuple(player.name for player in screens.form.players))
    yield button("players", text("screens.far.players", players=here), going(PageName.PLAYERS))
    yield button("lan", text("screens.far.lan"), _asks(lambda s: InviteTables(_game(s), broker=False)))
    yield button("paste", text("screens.far.paste"), asking(PasteLink()))
    if told.pasted and not told.joins:
        invite = _asks(lambda s: InviteTables(_game(s), broker=True))
        yield button("broker", text("screens.far.broker"), invite)
    else:
        join = button("join", text("screens.far.join"), _asks(lambda s: JoinTable(_game(s))))
        yield join.having(enabled=told.joins)


def _game(screens: Screens) -> StartGame:
    return screens.form.start(screens.seed)


def _asks(action: Callable[[Screens], Action]) -> Callable[[Screens], Reply]:
    return lambda screens: (screens, (action(screens),))


def _end(screens: Screens) -> Reply:
    return screens.returned(), (LeaveTables(),)
