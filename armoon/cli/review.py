"""The command that reviews a played game: how safe each turn was, and where the game turned."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armoon.cli.common import ends_plainly, number_from
from armoon.errors import LogError
from armoon.messages import text
from armoon.settings.options import load_settings
from armoon.settings.preferences_file import speak

#: Default time limit of the search for each turn's safest place, seconds.
THINK_S = 4.0


@ends_plainly
def review(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log that `armoon play` wrote.")],
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Keep the curve over the game as a picture.")
    ] = None,
    think: Annotated[
        float,
        typer.Option(
            parser=number_from(0.5, 60.0), metavar="SECONDS", help="How long each turn is thought about."
        ),
    ] = THINK_S,
) -> int:
    """Tell turn by turn how safe what was done was, the safest there was, and where the game turned."""
    from armoon.engine.logbook import LogReader
    from armoon.games.contract.capabilities import reviewer
    from armoon.games.contract.replay import intakes, logged_match

    speak(load_settings())
    reader = LogReader(log)
    match = logged_match(reader)
    try:
        reviewed = reviewer(match.game).review(
            match, intakes(reader), lambda turn: typer.echo(turn.line), think
        )
        typer.echo(reviewed.turning)
    finally:
        match.close()
    if picture is not None:
        try:
            picture.write_text(reviewed.picture, encoding="utf-8")
        except OSError as error:
            raise LogError(
                f"The picture {picture} can't be written ({error.strerror}).", remedy="Name another place."
            ) from error
        typer.echo(text("review.kept", path=picture))
    return 0
