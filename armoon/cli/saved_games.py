"""What `armoon games` does, once its options are read: list, show, resume and export saved games, and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from armoon.games.moon.export import moves_as_json, score_as_csv
from armoon.games.moon.referee.sentences import Line, out_line, outcome_lines, verdict_line
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.state import State
from armoon.games.moon.saving import GAME, ResumePoint, resume_point, state_of, verdicts_of
from armoon.messages import text
from armoon.saves.errors import SaveError
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.journal import write_whole
from armoon.saves.library import Entry, find_game, list_games
from armoon.saves.results import load_results
from armoon.values.pieces import Ladder
from armoon.values.poses import Pose

#: `show` tells so many of the last verdicts.
LAST_VERDICTS = 5


def print_games(folder: Path, console: Console) -> int:
    """List the saved games, the one played last first."""
    entries = list_games(folder)
    if not entries:
        console.print(text("games.none", folder=folder))
        return 0
    table = _table("number", "name", "date", "players", "edition", "turn", "state")
    for entry in entries:
        _add(table, *_entry_cells(entry))
    console.print(table)
    for entry in entries:
        if entry.trouble:
            console.print(f"{entry.number}: {entry.trouble}")
    return 0


def print_game(folder: Path, which: str, console: Console) -> int:
    """Show one game: score, last verdicts, how high everything stands."""
    saved = GameFile.open(find_game(folder, which))
    point, now = resume_point(saved), state_of(saved)
    console.print(
        text("games.title", name=saved.path.stem, edition=now.edition_name, begun=_date(saved.begun))
    )
    for line in (saved.damage, text(f"games.long.{_state_key(saved, now)}", turn=_turn(now))):
        if line:
            console.print(line)
    console.print(_score_table(now, point))
    result = outcome(now)
    if result is not None:
        for sentence in outcome_lines(now, result):
            console.print(_say(sentence))
    verdicts = list(verdicts_of(saved))[-LAST_VERDICTS:]
    for state, verdict in verdicts:
        console.print(text("games.verdict", turn=verdict.turn, sentence=_say(verdict_line(state, verdict))))
    heights = structure_heights(point)
    if heights:
        table = _table("ladder", "height")
        for piece, highest_m in heights:
            _add(table, piece, text("hud.height", centimetres=f"{100.0 * highest_m:.1f}"))
        console.print(table)
    return 0


def export_game(folder: Path, which: str, out: Path, console: Console) -> int:
    """Write a game's moves (``.json``) or its score (``.csv``)."""
    writers = {".json": moves_as_json, ".csv": score_as_csv}
    if out.suffix not in writers:
        raise SaveError(
            f"{out} is neither JSON nor CSV.", remedy="Name a file .json (moves) or .csv (score)."
        )
    saved = GameFile.open(find_game(folder, which))
    write_whole(out, writers[out.suffix](saved).encode())
    if saved.damage:
        console.print(saved.damage)
    console.print(str(out))
    return 0


def print_scores(folder: Path, console: Console) -> int:
    """The high scores of the co-operative game (ruling C5), and what every player has done."""
    results = load_results(folder)
    if results.trouble:
        console.print(results.trouble)
    if not results.results:
        console.print(text("games.no_scores"))
        return 0
    scores = results.high_scores()
    if scores:
        table = _table("player", "score", "rank", "edition", "variant", "companions", "date")
        for line in scores:
            rank = text(line.rank.key)
            companions = ", ".join(line.companions) or text("games.solo")
            cells = (line.player, str(line.score), rank, line.edition, line.variant, companions)
            _add(table, *cells, _date(line.date))
        console.print(table)
    table = _table("player", "played", "won", "together", "figures")
    for player in sorted({player for result in results.results for player in result.players}):
        tally = results.tally(player)
        counts = (tally.played, tally.won, tally.together, sum(tally.figures.values()))
        _add(table, player, *(str(count) for count in counts))
    console.print(table)
    return 0


def structure_heights(point: ResumePoint) -> tuple[tuple[str, float], ...]:
    """How high every ladder's highest point stands (metres above the table), the highest first."""
    # Making thirty ladders needs numpy and some time: only `show` should wait for it.
    from armoon.world.base import make_base
    from armoon.world.exact import highest_point
    from armoon.world.ladders import make_ladder_set

    try:
        ladders = make_ladder_set(int(point.setup["ladder_seed"]))
        starting: Sequence[Ladder] = [ladders[piece] for piece in point.state.starting]
        slots = make_base(tuple(starting), str(point.setup["slots"])).slots
        standing: list[tuple[str, Pose]] = [*zip(point.state.starting, slots, strict=True), *point.structure]
        heights = [(piece, highest_point(ladders[piece].boxes, pose)) for piece, pose in standing]
    except (KeyError, TypeError, ValueError) as error:
        raise SaveError(
            f"The saved game's set-up can't be used ({error}).",
            remedy="Open it with the version of armoon that wrote it.",
        ) from error
    return tuple(sorted(heights, key=lambda row: (-row[1], row[0])))


def _entry_cells(entry: Entry) -> tuple[str, ...]:
    number, name = str(entry.number), entry.path.stem
    if entry.saved is None:
        return (number, name, "", "", "", "", text("games.state.unreadable"))
    begun = _date(entry.saved.begun)
    if entry.state is None:
        known = "unreadable" if entry.saved.game == GAME else "another"
        return (number, name, begun, "", entry.saved.game, "", text(f"games.state.{known}"))
    state = entry.state
    players = ", ".join(state.players)
    standing = text(f"games.state.{_state_key(entry.saved, state)}")
    if entry.saved.damage:
        standing += f", {text('games.state.damaged')}"
    return (number, name, begun, players, state.edition_name, str(_turn(state)), standing)


def _state_key(saved: SavedGame, state: State) -> str:
    if state.over:
        return "over"
    return "paused" if saved.closed else "interrupted"


def _turn(state: State) -> int:
    """The turn under way, or the last one."""
    return state.turn - 1 if state.over else state.turn


def _score_table(state: State, point: ResumePoint) -> Table:
    figures: list[Counter[str]] = [Counter() for _ in state.players]
    for making in point.makings:
        figures[making.player].update(kind for kind, _ in making.figures)
    table = _table("player", "tears", "figures", "out")
    for seat, player in enumerate(state.players):
        why = state.out[seat]
        out = "" if why is None else _say(out_line(state, seat, why))
        _add(table, player, str(state.tears[seat]), _counted(figures[seat]), out)
    table.caption = text("games.tears_left", count=state.tears_left, total=state.tears_total)
    return table


def _counted(figures: Counter[str]) -> str:
    """How often each figure was made, as "Swing: 2 times, Bolt: 1 time"."""
    lines = [
        text("figure.tally", figure=text(f"figure.{kind}.name"), count=count)
        for kind, count in sorted(figures.items())
    ]
    return ", ".join(lines)


def _table(*columns: str) -> Table:
    table = Table()
    for column in columns:
        table.add_column(text(f"games.column.{column}"), overflow="fold")
    return table


def _add(table: Table, *cells: str) -> None:
    """A row of plain texts: a name with brackets stays a name."""
    table.add_row(*(Text(cell) for cell in cells))


def _date(iso: str) -> str:
    """Date and time to the minute, without the T."""
    return iso[:16].replace("T", " ")


def _say(line: Line) -> str:
    return text(line.key, **dict(line.fields))
