"""Commands for trials: list them, play one, show results."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from armoon.cli.common import announced_games_folder, ends_plainly
from armoon.cli.options import command_group
from armoon.cli.play import play_with
from armoon.games import game_names
from armoon.messages import text
from armoon.settings.files import apply_language, load_settings

trials = command_group("trials", "Play alone against a task: list them, play one, see who has come how far.")


@trials.command("list")
@ends_plainly
def list_all() -> int:
    """List the trials with what their medals ask, and every file that can't be used."""
    from armoon.games.contract import kind_of

    apply_language(load_settings())
    for game in game_names():
        found, troubles = kind_of(game).trials()
        group = ""
        for trial in found:
            if trial.group != group:
                group = trial.group
                typer.echo(f"{group}. {trial.about}")
            bronze, silver, gold = trial.asked
            asked = text("screens.trials.asked", bronze=bronze, silver=silver, gold=gold)
            typer.echo(f"  {trial.name:22} {trial.title}: {asked}")
        for trouble in troubles:
            typer.echo(trouble, err=True)
    return 0


@trials.command()
def play(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `list` shows it; today: the one of today.")],
    player: Annotated[str, typer.Option(metavar="NAME", help="Who plays.")] = "",
    camera: Annotated[
        str, typer.Option(metavar="N|FILE|URL|demo|none", help="What looks at the table.")
    ] = "",
) -> None:
    """Play a trial at once; `armoon play --trial NAME` does the same with every option of play."""
    typed: dict[str, Any] = {"trial": name, "now": True}
    typed |= {"players": player} if player else {}
    typed |= {"camera": camera} if camera else {}
    ends_plainly(lambda: play_with(typed))()


@trials.command()
@ends_plainly
def bests() -> int:
    """Show each player's best in each trial that was played."""
    from armoon.games.contract import kind_of
    from armoon.saves.profiles import load_results

    apply_language(load_settings())
    folder = announced_games_folder()
    results = load_results(folder)
    if results.trouble:
        typer.echo(results.trouble, err=True)
    count = 0
    for game in game_names():
        kind = kind_of(game)
        for trial in kind.trials()[0]:
            best = kind.bests(trial.name, results.results, folder)
            count += len(best)
            if best:
                said = [
                    text(
                        f"trials.best{'_medal' if one.medal else ''}",
                        player=one.player,
                        score=one.score,
                        medal=text(f"screens.trials.medal.{one.medal}") if one.medal else "",
                    )
                    for one in best
                ]
                typer.echo(f"{trial.group}, {trial.title}: {'; '.join(said)}")
    if not count:
        typer.echo(text("trials.none"))
    return 0
