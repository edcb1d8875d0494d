"""`armoon tables`: shows all tables with the same MQTT prefix."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from armoon.app import stopping
from armoon.cli.commands import argument, command, flag
from armoon.cli.common import print_table
from armoon.cli.options import read_value
from armoon.codec.files import write_whole
from armoon.errors import ArmoonError
from armoon.messages import centimetres, text
from armoon.sinks.feed import SafeConsole
from armoon.sinks.publish import PUBLISH, read_password

if TYPE_CHECKING:
    from armoon.party.tables import TablesListener, TableView

#: Time to wait for retained messages, and maximum time to wait for the broker's answer, in seconds.
RETAINED_S, ANSWER_S = 1.0, 8.0
#: Interval between updates, and time for which each page of the list is shown, in seconds.
UPDATE_S, PAGE_S = 0.5, 6.0
#: Number of terminal lines used by titles and notes instead of rows.
OTHER_LINES = 6


@command(
    argument("address", metavar="mqtt://HOST/NAME"),
    flag("--once"),
    argument("--page", metavar="FILE.html", type=Path),
)
def tables(address: str, once: bool, page: Path | None) -> int:
    from armoon.party.tables import TablesListener, parse_broker

    broker = parse_broker(read_value(PUBLISH, address), read_password())
    with closing(TablesListener(broker)) as listener:
        _wait_for_answer(listener, broker.host)
        console = SafeConsole(markup=False, emoji=False, highlight=False)
        in_terminal = sys.stdout.isatty()
        if once or not (in_terminal or page):
            time.sleep(RETAINED_S)
            _write_page(page, broker.prefix, listener)
            print_table(console, make_table(broker.prefix, listener.rows(), _make_note(listener)))
        elif in_terminal:
            _show_pages(listener, broker.prefix, console, page)
        else:
            for _ in _watch_tables(listener, broker.prefix, page):
                pass  # `_watch_tables` rewrites the file
    return 0


def make_table(prefix: str, rows: tuple[TableView, ...], note: str = "", page_label: str = "") -> Table:
    from armoon.party.tables import localise

    table = Table(
        title=f"{prefix} {page_label}".strip(), caption=note or None, expand=True, pad_edge=False, box=None
    )
    for name in ("table", "game", "players", "turn", "height", "last"):
        table.add_column(
            text(f"tables.column.{name}"), overflow="ellipsis", no_wrap=True, ratio=_WIDTHS.get(name)
        )
    for row in rows:
        standing, players = row.standing, Text()
        for number, seat in enumerate(() if standing is None else standing.seats):
            style = "dim strike" if seat.out else "bold" if number in row.marked_seats else ""
            players.append(", " if number else "").append(f"{seat.name} {seat.score}", style)
        game = text("tables.no_game") if row.state is None else localise(row.state.began.title)
        table.add_row(
            row.name,
            game if row.here else text("tables.away"),
            players,
            "" if standing is None else str(row.turn),
            "" if standing is None or standing.top_m <= 0.0 else centimetres(standing.top_m),
            localise(row.last),
            style="" if row.here else "dim",
        )
    if not rows:
        table.add_row(text("tables.none", prefix=prefix))
    return table


def _make_note(listener: TablesListener) -> str:
    return " · ".join(filter(None, ("" if listener.connected else text("tables.resting"), listener.more)))


#: Relative widths of columns; the others have their natural width.
_WIDTHS = {"table": 3, "game": 4, "players": 7, "last": 8}


def _wait_for_answer(listener: TablesListener, host: str) -> None:
    deadline_s = time.monotonic() + ANSWER_S
    while (
        not listener.connected
        and not listener.refused
        and time.monotonic() < deadline_s
        and not stopping.is_stop_requested()
    ):
        listener.changed.wait(0.1)
        listener.changed.clear()
    if not listener.connected and not stopping.is_stop_requested():
        reason = listener.refused or text("tables.silent")
        raise ArmoonError("tables.refused", host=host, why=reason)


def _show_pages(listener: TablesListener, prefix: str, console: Console, page: Path | None) -> None:
    with Live(console=console, screen=True, auto_refresh=False) as live:
        for rows in _watch_tables(listener, prefix, page):
            rows_per_page = max(1, console.height - OTHER_LINES)
            page_count = max(1, -(-len(rows) // rows_per_page))
            page_index = int(time.monotonic() / PAGE_S) % page_count
            label = text("tables.leaf", leaf=page_index + 1, leaves=page_count) if page_count > 1 else ""
            shown = rows[page_index * rows_per_page : (page_index + 1) * rows_per_page]
            live.update(make_table(prefix, shown, _make_note(listener), label), refresh=True)


def _watch_tables(
    listener: TablesListener, prefix: str, page: Path | None
) -> Iterator[tuple[TableView, ...]]:
    """Yield the tables at intervals until the program is stopped; rewrite the file when they change."""
    written: tuple[TableView, ...] | None = None
    while not stopping.is_stop_requested():
        rows = listener.rows()
        if rows != written:
            _write_page(page, prefix, listener)
            written = rows
        yield rows
        time.sleep(UPDATE_S)


def _write_page(path: Path | None, prefix: str, listener: TablesListener) -> None:
    if path is None:
        return
    from armoon.party.tables import render_tables

    try:
        write_whole(path, render_tables(prefix, listener.rows(), listener.more).encode())
    except OSError as error:
        raise ArmoonError("tables.page", path=path, why=error) from error
