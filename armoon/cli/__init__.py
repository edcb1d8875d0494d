"""The command line: parses the arguments and runs the chosen command.

Every user error is printed here, with its remedy, in one line on stderr; the exit code is then 2. Only the modules of
the chosen command are imported, because others would delay ``--help``.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from glob import glob
from importlib import import_module
from typing import Any, NoReturn

from armoon import __version__
from armoon.cli.commands import CliCommand, CommandParser, flag
from armoon.cli.common import (
    apply_settings_language,
    open_closed_streams,
    say,
    with_exit_code,
    writing_output,
)

#: Each command's location, ``MODULE:NAME``, or the commands of a group, in the order of the help.
COMMANDS: Mapping[str, str | Mapping[str, str]] = {
    "play": "play:play",
    "join": "play:join",
    "replay": "play:replay",
    "film": "film:film",
    "clips": "film:clips",
    "tables": "tables:tables",
    "review": "film:review",
    "hand": "calibration:hand",
    "doctor": "doctor:doctor",
    "board": "calibration:board",
    "kit": "kit:kit",
    "calibrate": "calibration:calibrate",
    "licences": "licences:licences",
    "bots": {"list": "bots:list_all", "match": "bots:match"},
    "games": {
        "list": "games:list_all",
        "show": "games:show",
        "scores": "games:scores",
        "export": "games:export",
        "resume": "games:resume",
    },
    "players": {"list": "players:list_all", "show": "players:show", "set": "players:change"},
    "trials": {"list": "trials:list_all", "play": "trials:play", "bests": "trials:bests"},
}


def main(words: Sequence[str] | None = None) -> NoReturn:
    open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # Characters that a terminal can't show are escaped instead of raising an error.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if words is None:
        words = sys.argv[1:]
        if sys.platform == "win32":  # its shells don't expand patterns
            words = [name for word in words for name in glob(word) or [word]]
    with writing_output():
        with_exit_code(_run)(words)


def _run(words: Sequence[str]) -> int:
    apply_settings_language()
    path, rest = "armoon", list(words)
    entry: str | Mapping[str, Any] = COMMANDS
    while not isinstance(entry, str):
        if not rest or rest[0] not in entry:
            return _run_without_command(path, entry, rest)
        name = rest.pop(0)
        path, entry = f"{path} {name}", entry[name]
    module, _, name = entry.partition(":")
    cli_command: CliCommand = getattr(import_module(f"armoon.cli.{module}"), name)
    return cli_command.run(**CommandParser(path, cli_command.arguments, cli_command.options).parse(rest))


def _run_without_command(path: str, commands: Mapping[str, object], words: Sequence[str]) -> int:
    """Print the help or the version. Raises UsageError for an unknown command."""
    arguments = (flag("--version"),) if commands is COMMANDS else ()
    parser = CommandParser(path, arguments, commands=tuple(commands))
    if words and not words[0].startswith("-"):
        raise parser.make_unknown_error("option.no_command", words[0], commands)
    if parser.parse(words[:1]).get("version"):
        say(f"armoon {__version__}")
        return 0
    say(parser.format_help())
    return 2
