"""The command `armoon tables`, which shows all tables of a prefix on one page."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from armoon.app import stopping
from armoon.cli.commands import argument, command, flag
from armoon.cli.common import print_table
from armoon.cli.options import value_of
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.settings.files import apply_language, load_settings

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from armoon.party.tables import TablesListener, TableView

#: Time to wait for retained messages after the broker's answer, and for that answer, seconds.
KEPT_S, ANSWER_S = 1.0, 8.0
#: Minimum intervals between updates and between pages of tables, seconds.
EVERY_S, LEAF_S = 0.5, 6.0
#: Number of the terminal's lines that aren't rows of tables.
OTHER_LINES = 6


@command(
    argument("address", metavar="mqtt://HOST/NAME"),
    flag("--once"),
    argument("--page", metavar="FILE.html", type=Path),
)
def tables(address: str, once: bool, page: Path | None) -> int:
    from armoon.party.tables import TablesListener, broker_of
    from armoon.sinks.feed import SafeConsole
    from armoon.sinks.publish import PUBLISH, password

    apply_language(load_settings())
    broker = broker_of(value_of(PUBLISH, address), password())
    listener = TablesListener(broker)
    try:
        _wait(listener, broker.host)
        console = SafeConsole(markup=False, emoji=False, highlight=False)
        shown = sys.stdout.isatty()
        if once or not (shown or page):
            time.sleep(KEPT_S)
            _keep(page, broker.prefix, listener)
            print_table(console, table_of(broker.prefix, listener.rows(), _note(listener)))
        elif shown:
            _show(listener, broker.prefix, console, page)
        else:
            _renew(listener, broker.prefix, page)
    finally:
        listener.close()
    return 0


def table_of(prefix: str, rows: tuple[TableView, ...], note: str = "", leaf: str = "") -> Table:
    from rich.table import Table
    from rich.text import Text

    from armoon.messages import centimetres
    from armoon.party.tables import localised

    made = Table(
        title=f"{prefix} {leaf}".strip(), caption=note or None, expand=True, pad_edge=False, box=None
    )
    for name in ("table", "game", "players", "turn", "height", "last"):
        made.add_column(
            text(f"tables.column.{name}"), overflow="ellipsis", no_wrap=True, ratio=_WIDTHS.get(name)
        )
    for row in rows:
        standing, players = row.standing, Text()
        for number, seat in enumerate(() if standing is None else standing.seats):
            style = "dim strike" if seat.out else "bold" if number in row.marked else ""
            players.append(", " if number else "").append(f"{seat.name} {seat.score}", style)
        game = text("tables.no_game") if row.state is None else localised(row.state.began.title)
        made.add_row(
            row.name,
            game if row.here else text("tables.away"),
            players,
            "" if standing is None else str(row.turn),
            "" if standing is None or standing.top_m <= 0.0 else centimetres(standing.top_m),
            localised(row.last),
            style="" if row.here else "dim",
        )
    if not rows:
        made.add_row(text("tables.none", prefix=prefix))
    return made


def _note(listener: TablesListener) -> str:
    return " · ".join(filter(None, ("" if listener.connected else text("tables.resting"), listener.more)))


#: Relative widths of columns; the others have their natural width.
_WIDTHS = {"table": 3, "game": 4, "players": 7, "last": 8}


def _wait(listener: TablesListener, host: str) -> None:
    end_s = time.monotonic() + ANSWER_S
    while (
        not listener.connected
        and not listener.refused
        and time.monotonic() < end_s
        and not stopping.is_stop_asked()
    ):
        listener.heard.wait(0.1)
        listener.heard.clear()
    if not listener.connected and not stopping.is_stop_asked():
        why = listener.refused or text("tables.silent")
        raise ArmoonError(text("tables.refused", host=host, why=why), remedy=text("tables.refused_remedy"))


def _show(listener: TablesListener, prefix: str, console: Console, page: Path | None) -> None:
    from rich.live import Live

    with Live(console=console, screen=True, auto_refresh=False) as live:
        for rows in _changes(listener, prefix, page):
            few = max(1, console.height - OTHER_LINES)
            leaves = max(1, -(-len(rows) // few))
            leaf = int(time.monotonic() / LEAF_S) % leaves
            words = text("tables.leaf", leaf=leaf + 1, leaves=leaves) if leaves > 1 else ""
            shown = rows[leaf * few : (leaf + 1) * few]
            live.update(table_of(prefix, shown, _note(listener), words), refresh=True)


def _changes(listener: TablesListener, prefix: str, page: Path | None) -> Iterator[tuple[TableView, ...]]:
    """Yield the tables repeatedly until the program is stopped; rewrite the file when they change."""
    kept: tuple[TableView, ...] | None = None
    while not stopping.is_stop_asked():
        rows = listener.rows()
        if rows != kept:
            _keep(page, prefix, listener)
            kept = rows
        yield rows
        time.sleep(EVERY_S)


def _renew(listener: TablesListener, prefix: str, page: Path | None) -> None:
    for _ in _changes(listener, prefix, page):
        pass


def _keep(path: Path | None, prefix: str, listener: TablesListener) -> None:
    if path is None:
        return
    from armoon.codec.files import write_whole
    from armoon.party.tables import tables_page

    try:
        write_whole(path, tables_page(prefix, listener.rows(), listener.more).encode())
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise ArmoonError(
            text("tables.page", path=path, why=why), remedy=text("tables.page_remedy")
        ) from error
