"""Commands for trials: list them, play one, show the best results."""

from __future__ import annotations

from typing import Any

from armoon.cli.commands import argument, command
from armoon.cli.common import announce_games_folder, say
from armoon.cli.play import play_with
from armoon.games import game_names
from armoon.games.contract import load_kind
from armoon.messages import text
from armoon.saves.profiles import load_results


@command()
def list_all() -> int:
    for game in game_names():
        trials, group = load_kind(game).list_trials(), ""
        for trial in trials.lines:
            if trial.group != group:
                group = trial.group
                say(f"{group}. {trial.about}")
            bronze, silver, gold = trial.goals
            targets = text("screens.trials.asked", bronze=bronze, silver=silver, gold=gold)
            say(f"  {trial.name:22} {text('list.meaning', label=trial.title, meaning=targets)}")
        for error in trials.troubles:
            say(error, err=True)
    return 0


@command(
    argument("name", metavar="NAME"),
    argument("--player", metavar="NAME", default=""),
    argument("--camera", metavar="N|FILE|URL|demo|none", default=""),
)
def play(name: str, player: str, camera: str) -> int:
    args: dict[str, Any] = {"trial": name, "now": True}
    args |= {"players": player} if player else {}
    args |= {"camera": camera} if camera else {}
    return play_with(args)


@command()
def bests() -> int:
    folder = announce_games_folder()
    results = load_results(folder)
    if results.trouble:
        say(results.trouble, err=True)
    count = 0
    for game in game_names():
        for trial in load_kind(game).list_trials(results.results, folder).lines:
            count += len(trial.bests)
            if trial.bests:
                lines = [
                    text(
                        f"trials.best{'_medal' if run.medal else ''}",
                        player=run.player,
                        score=run.score,
                        medal=text(f"screens.trials.medal.{run.medal}") if run.medal else "",
                    )
                    for run in trial.bests
                ]
                say(text("list.meaning", label=f"{trial.group}, {trial.title}", meaning="; ".join(lines)))
    if not count:
        say(text("trials.none"))
    return 0
