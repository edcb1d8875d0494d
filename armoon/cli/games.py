"""Commands for saved games: list, show, scores, export, resume."""

from __future__ import annotations

from pathlib import Path

from armoon.cli.commands import argument, command
from armoon.cli.common import announced_games_folder
from armoon.cli.play import play_with
from armoon.settings.files import apply_language, load_settings

GAME = argument("game", metavar="GAME")


@command()
def list_all() -> int:
    from armoon.cli.saved_games import print_games
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return print_games(announced_games_folder(), sentences_console())


@command(GAME)
def show(game: str) -> int:
    from armoon.cli.saved_games import print_game
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return print_game(announced_games_folder(), game, sentences_console())


@command()
def scores() -> int:
    from armoon.cli.saved_games import print_scores
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return print_scores(announced_games_folder(), sentences_console())


@command(GAME, argument("out", metavar="FILE", type=Path))
def export(game: str, out: Path) -> int:
    from armoon.cli.saved_games import export_game
    from armoon.sinks.feed import sentences_console

    apply_language(load_settings())
    return export_game(announced_games_folder(), game, out, sentences_console())


@command(GAME)
def resume(game: str) -> int:
    return play_with({"resume": game})
