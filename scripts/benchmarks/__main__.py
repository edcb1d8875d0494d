"""``python -m benchmarks NAME [--json FILE]``: runs one benchmark and prints its table."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from armoon.errors import ArmoonError

#: Every benchmark is a module here with ``run(json_path) -> exit code``.
NAMES = (
    "pipeline",
    "evening",
    "world",
    "placement",
    "calibration",
    "help",
    "picture",
    "hands",
    "places",
    "show",
    "party",
    "remote",
    "card",
    "tower",
)
#: What can be chosen: the further options of ``run(json_path, ...)``.
CHOSEN = {
    "placement": ("trials", "seat", "first_seed", "person", "way"),
    "help": ("trials", "first_seed"),
    "places": ("trials", "first_seed", "climbing"),
    "tower": ("trials", "first_seed"),
    "show": ("log", "first_seed", "trials", "tracker"),
    "party": ("log",),
    "card": ("trials",),
}


def bench(
    name: Annotated[str, typer.Argument(metavar="|".join(NAMES), help="Which benchmark.")],
    json_path: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here as well.")
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many: for placement of each person, size and seat, for places, help and tower structures, for "
            "show demos, for card grips.",
        ),
    ] = None,
    seat: Annotated[str | None, typer.Option(help="table or mirror instead of both; for placement.")] = None,
    first_seed: Annotated[
        int | None,
        typer.Option(help="The first table, game or demo; for placement, places, help, tower and show."),
    ] = None,
    climbing: Annotated[
        bool | None, typer.Option("--climbing", help="Structures whose ladders hang and lean; for places.")
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(help="A log instead of the demo, or of bots; for show and party."),
    ] = None,
    person: Annotated[
        str | None, typer.Option(help="novice or practised instead of both; for placement.")
    ] = None,
    way: Annotated[
        str | None, typer.Option(help="How a ladder is carried: hand, card or mouse; for placement.")
    ] = None,
    tracker: Annotated[
        str | None,
        typer.Option(help="real, or skeleton: landmarks with the real one's noise; for show."),
    ] = None,
) -> None:
    """Measure, print a table, and write the figures as JSON if asked."""
    if name not in NAMES:
        raise typer.BadParameter(f"There is no benchmark {name!r}; there are {', '.join(NAMES)}.")
    asked: dict[str, object] = {
        "trials": trials,
        "seat": seat,
        "first_seed": first_seed,
        "climbing": climbing,
        "log": log,
        "person": person,
        "way": way,
        "tracker": tracker,
    }
    options = {key: value for key, value in asked.items() if value is not None}
    if unknown := sorted(set(options) - set(CHOSEN.get(name, ()))):
        raise typer.BadParameter(f"The benchmark {name!r} has no option --{unknown[0].replace('_', '-')}.")
    try:
        code = importlib.import_module(f"benchmarks.{name}").run(json_path, **options)
    except ArmoonError as error:
        typer.echo(f"armoon: {error}", err=True)
        code = error.exit_code
    sys.exit(code)


if __name__ == "__main__":
    typer.run(bench)
