"""Meeting other tables in the terminal, before a game that the command line has asked for."""

from __future__ import annotations

import time
from contextlib import ExitStack

from rich.console import Console

from armoon.app.remote.asking import Asking
from armoon.app.remote.inviting import Inviting
from armoon.app.remote.meeting import Meeting
from armoon.messages import text
from armoon.party.link import qr_rows
from armoon.remote.part import RemotePart
from armoon.settings.preferences import PlayOptions

#: Seconds between two looks at what has come.
LOOK_S = 0.05


def meet(options: PlayOptions, console: Console, stack: ExitStack) -> Meeting | None:
    """Wait for the other tables, if the game is one of several; None: it isn't. Raises ArmoonError."""
    part = options.part(RemotePart)
    if part.join is not None:
        return _join(options, part.join, console, stack, hosts=part.remote is not None)
    if part.remote is not None:
        return _invite(options, part, console, stack)
    return None


def _join(options: PlayOptions, typed: str, console: Console, stack: ExitStack, *, hosts: bool) -> Meeting:
    asking = Asking(options, typed, stack, hosts=hosts)
    meeting = asking.look()
    console.print(text("remote.asks", host=asking.host) if meeting is None else text("remote.goes_on"))
    while meeting is None:
        time.sleep(LOOK_S)
        meeting = asking.look()
    return meeting


def _invite(options: PlayOptions, part: RemotePart, console: Console, stack: ExitStack) -> Meeting:
    assert part.remote is not None
    inviting = Inviting(options, part.remote, part.remote_port, stack)
    console.print(text("remote.invite", link=inviting.link, count=part.guests))
    console.print(_picture(inviting.link))
    console.print(text("remote.again", way=part.remote.whole))
    while len(inviting.tables) < part.guests:
        known = len(inviting.tables)
        inviting.look()
        for names in inviting.tables[known:]:
            console.print(text("remote.came", players=", ".join(names)))
        time.sleep(LOOK_S)
    return inviting.met()


def _picture(link: str) -> str:
    """Return the link's QR code for a dark terminal."""
    rows = qr_rows(link)
    light = "0" * len(rows[0])
    rows = tuple(
        f"00{row}00" for row in (light, light, *rows, light, light, light)[: 2 * ((len(rows) + 5) // 2)]
    )
    drawn = {"00": "█", "01": "▀", "10": "▄", "11": " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(drawn[a + b] for a, b in zip(*pair, strict=True)) for pair in pairs)
