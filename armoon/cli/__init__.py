"""The command line: reads options, merges them with the settings, and runs the chosen command.

Every user error ends here as one sentence with its remedy on stderr and exit code 2. Modules are imported only for
the chosen command, so that ``--help`` answers at once.
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
from armoon.cli.common import ends_plainly, note_typed, open_closed_streams, say, writing_output

#: Where each command is, as ``MODULE:NAME``, by name and in the order of the help; a group's commands by theirs.
COMMANDS: Mapping[str, str | Mapping[str, str]] = {
    "play": "play:play",
    "join": "play:join",
    "replay": "play:replay",
    "film": "film:film",
    "clips": "film:clips",
    "tables": "tables:tables",
    "review": "film:review",
    "hand": "play:hand",
    "doctor": "tools:doctor",
    "board": "tools:board",
    "kit": "kit:kit",
    "calibrate": "tools:calibrate",
    "licences": "tools:licences",
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
        # A terminal with few characters gets the others escaped instead of an error.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if words is None:
        words = sys.argv[1:]
        if sys.platform == "win32":  # its shells don't expand patterns
            words = [name for word in words for name in glob(word) or [word]]
    with writing_output():
        ends_plainly(_run)(words)


def _run(words: Sequence[str]) -> int:
    note_typed(words)
    path, left = "armoon", list(words)
    found: str | Mapping[str, Any] = COMMANDS
    while not isinstance(found, str):
        if not left or left[0] not in found:
            return _answer(path, found, left)
        name = left.pop(0)
        path, found = f"{path} {name}", found[name]
    module, _, name = found.partition(":")
    chosen: CliCommand = getattr(import_module(f"armoon.cli.{module}"), name)
    return chosen.run(**CommandParser(path, chosen.arguments, chosen.options).parse(left))


def _answer(path: str, commands: Mapping[str, object], words: Sequence[str]) -> int:
    """Answer words that name no command: print the help or the version, or refuse them."""
    own = (flag("--version"),) if commands is COMMANDS else ()
    parser = CommandParser(path, own, commands=tuple(commands))
    if words and not words[0].startswith("-"):
        raise parser.refuse_unknown("option.no_command", words[0], commands)
    if parser.parse(words[:1]).get("version"):
        say(f"armoon {__version__}")
        return 0
    say(parser.format_help())
    return 2
