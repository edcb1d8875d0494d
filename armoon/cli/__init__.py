"""The command line: reads options, merges them with the settings, and runs the chosen command.

Every user error ends here as one sentence with its remedy on stderr and exit code 2. Commands import their modules
only when they run, so that ``--help`` answers at once.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from armoon import __version__
from armoon.cli import film as reviewing
from armoon.cli import play as playing
from armoon.cli import tools
from armoon.cli.bots import bots
from armoon.cli.common import open_closed_streams, writing_output
from armoon.cli.film import clips, film
from armoon.cli.games import games
from armoon.cli.kit import kit
from armoon.cli.options import DescribedCommand, PlainGroup
from armoon.cli.players import players
from armoon.cli.tables import tables
from armoon.cli.trials import trials

app = typer.Typer(
    name="armoon",
    cls=PlainGroup,
    help="Build ladders to the moon with your bare hand; a referee judges. To play: armoon play.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal with few characters gets the others escaped instead of an error.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with writing_output():
        app(prog_name="armoon")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"armoon {__version__}")
        raise typer.Exit


@app.callback()
def armoon(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Place virtual wooden ladders by hand in front of a webcam; a referee judges."""


for command in (
    playing.play,
    playing.join,
    playing.replay,
    film,
    clips,
    tables,
    reviewing.review,
    playing.hand,
    tools.doctor,
    tools.board,
    kit,
    tools.calibrate,
    tools.licences,
):
    app.command(command.__name__.removesuffix("_with"), cls=DescribedCommand)(command)
app.add_typer(bots)
app.add_typer(games)
app.add_typer(players)
app.add_typer(trials)
