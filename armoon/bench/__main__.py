"""``python -m armoon.bench NAME [--json FILE]``: runs one benchmark and prints its table."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from armoon.errors import ArmoonError

#: Every benchmark is a module here with ``run(json_path) -> exit code``.
NAMES = ("pipeline", "world", "placement", "calibration")


def bench(
    name: Annotated[str, typer.Argument(metavar="|".join(NAMES), help="Which benchmark.")],
    json_path: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures here as well.")
    ] = None,
) -> None:
    """Measure, print a table, and write the figures as JSON if asked."""
    if name not in NAMES:
        raise typer.BadParameter(f"There is no benchmark {name!r}; there are {', '.join(NAMES)}.")
    try:
        code = importlib.import_module(f"armoon.bench.{name}").run(json_path)
    except ArmoonError as error:
        typer.echo(f"armoon: {error}", err=True)
        code = error.exit_code
    sys.exit(code)


if __name__ == "__main__":
    typer.run(bench)
