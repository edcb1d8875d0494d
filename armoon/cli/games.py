"""Commands for saved games: list, show, scores, export, resume."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armoon.cli.common import announced_games_folder, ends_plainly
from armoon.cli.options import command_group
from armoon.cli.play import play_with
from armoon.settings.files import apply_language, load_settings

games = command_group("games", "Saved games: list, show, resume, export; high scores.")
Which = Annotated[str, typer.Argument(metavar="GAME", help="Its number in the list, its name, or its file.")]


@games.command("list")
@ends_plainly
def list_all() -> int:
    """List the saved games, the one played last first."""
    from armoon.cli.saved_games import print_games
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return print_games(announced_games_folder(), sentences_console())


@games.command()
@ends_plainly
def show(game: Which) -> int:
    """Show one game: score, last verdicts, how high everything stands."""
    from armoon.cli.saved_games import print_game
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return print_game(announced_games_folder(), game, sentences_console())


@games.command()
@ends_plainly
def scores() -> int:
    """Show the high scores and what every player has done."""
    from armoon.cli.saved_games import print_scores
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return print_scores(announced_games_folder(), sentences_console())


@games.command()
@ends_plainly
def export(
    game: Which,
    out: Annotated[Path, typer.Argument(metavar="FILE", help=".json for its moves, .csv for its score.")],
) -> int:
    """Write a game's moves or score to a file."""
    from armoon.cli.saved_games import export_game
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return export_game(announced_games_folder(), game, out, sentences_console())


@games.command()
@ends_plainly
def resume(game: Which) -> int:
    """Go on with a game; `armoon play --resume GAME` does the same with every option of play."""
    return play_with({"resume": game})
