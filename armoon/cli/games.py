"""Commands for saved games: list, show, scores, export, resume."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from armoon.cli.commands import argument, command
from armoon.cli.common import announce_games_folder, print_table
from armoon.cli.play import play_with
from armoon.games import GAMES, title_of
from armoon.games.contract import SaveSummary, TerminalTable, load_kind
from armoon.games.library import SavedGameEntry, list_games, load_saved_kind
from armoon.messages import text
from armoon.saves.files import SaveError, write_whole
from armoon.saves.game_file import GameFile, SavedGame, find_game, format_csv, format_moves_json
from armoon.saves.profiles import load_results
from armoon.sinks.feed import create_console

GAME = argument("game", metavar="GAME")
#: Minimum width of a terminal for showing the date beside the name.
MIN_COLUMNS_WITH_DATE = 100


@command(GAME)
def resume(game: str) -> int:
    return play_with({"resume": game})


@command()
def list_all() -> int:
    """List the saved games, the last played first."""
    folder, console = announce_games_folder(), create_console()
    entries = list_games(folder)
    if not entries:
        console.print(text("games.none", folder=folder))
        return 0
    # The name contains the date and must be complete for copying, so a narrow table has no date column.
    columns = ["number", "name", "date", "players", "edition", "turn", "state"]
    is_narrow = console.width < MIN_COLUMNS_WITH_DATE
    table = _make_table(*(name for name in columns if not (is_narrow and name == "date")), unwrapped="name")
    for entry in entries:
        cells = list(_make_cells(entry))
        if is_narrow:
            del cells[columns.index("date")]
        _add_row(table, *cells)
    print_table(console, table)
    for entry in entries:
        if entry.trouble:
            console.print(f"{entry.number}: {entry.trouble}")
    return 0


@command(GAME)
def show(game: str) -> int:
    """Print the start, state and history of a game in its own terms."""
    folder, console = announce_games_folder(), create_console()
    saved = GameFile.read_saved(find_game(folder, game))
    kind = load_saved_kind(saved)
    summary = kind.summarise(saved)
    console.print(
        text("games.title", name=saved.path.stem, game=title_of(saved.game), begun=_format_date(saved.begun))
    )
    for line in (saved.damage, text(f"games.long.{_get_state_key(saved, summary)}", turn=summary.turn)):
        if line:
            console.print(line)
    for part in kind.describe(saved):
        if isinstance(part, str):
            console.print(part)
        else:
            print_table(console, _make_rows_table(part))
    return 0


@command(GAME, argument("out", metavar="FILE", type=Path))
def export(game: str, out: Path) -> int:
    """Write a game's moves (``.json``) or its score (``.csv``)."""
    folder, console = announce_games_folder(), create_console()
    if out.suffix not in (".json", ".csv"):
        raise SaveError("fault.save.export", path=out)
    saved = GameFile.read_saved(find_game(folder, game))
    if out.suffix == ".json":
        content = format_moves_json(saved)
    else:
        content = format_csv(*load_saved_kind(saved).list_score_rows(saved))
    write_whole(out, content.encode())
    if saved.damage:
        console.print(saved.damage)
    console.print(str(out))
    return 0


@command()
def scores() -> int:
    """Print the high scores of co-operative games (ruling C5) and every player's results."""
    folder, console = announce_games_folder(), create_console()
    results = load_results(folder)
    if results.trouble:
        console.print(results.trouble)
    if not results.results:
        console.print(text("games.no_scores"))
        return 0
    high_scores = results.list_high_scores()
    if high_scores:
        table = _make_table("player", "score", "rank", "edition", "variant", "companions", "date")
        for score, player, game in high_scores:
            kind = load_kind(game.kind)
            companions = ", ".join(other for other in game.players if other != player)
            edition, variant = kind.describe_edition(game.edition), kind.describe_variant(game.variant)
            cells = (player, str(score), kind.describe_rank(score), edition, variant)
            _add_row(table, *cells, companions or text("games.solo"), _format_date(game.date))
        print_table(console, table)
    table = _make_table("player", "played", "won", "together", "figures")
    for player in sorted({player for result in results.results for player in result.players}):
        tally = results.tally(player)
        counts = (tally.played, tally.won, tally.together, sum(tally.figures.values()))
        _add_row(table, player, *(str(count) for count in counts))
    print_table(console, table)
    return 0


def _make_cells(entry: SavedGameEntry) -> tuple[str, ...]:
    number, name = str(entry.number), entry.path.stem
    if entry.saved is None:
        return (number, name, "", "", "", "", text("games.state.unreadable"))
    started, game = _format_date(entry.saved.begun), entry.saved.game
    if entry.summary is None:
        state = "unreadable" if game in GAMES else "another"
        return (number, name, started, "", game, "", text(f"games.state.{state}"))
    summary = entry.summary
    status = text(f"games.state.{_get_state_key(entry.saved, summary)}")
    if entry.saved.damage:
        status += f", {text('games.state.damaged')}"
    edition = load_kind(game).describe_edition(summary.edition) or title_of(game)
    return (number, name, started, ", ".join(summary.players), edition, str(summary.turn), status)


def _get_state_key(saved: SavedGame, summary: SaveSummary) -> str:
    if summary.over:
        return "over"
    return "paused" if saved.closed else "interrupted"


def _make_rows_table(rows: TerminalTable) -> Table:
    table = _make_table(*rows.columns)
    table.caption = rows.caption or None
    for row in rows.rows:
        _add_row(table, *row)
    return table


def _make_table(*columns: str, unwrapped: str = "") -> Table:
    table = Table()
    for column in columns:
        table.add_column(text(f"games.column.{column}"), overflow="fold", no_wrap=column == unwrapped)
    return table


def _add_row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(cell) for cell in cells))


def _format_date(iso: str) -> str:
    return iso[:16].replace("T", " ")
