"""Declarations of commands, and the parser of the command line."""

from __future__ import annotations

import re
import sys
import textwrap
from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from shutil import get_terminal_size
from typing import Any, NamedTuple, NoReturn

from armoon.cli.common import UsageError, make_value_error, say
from armoon.cli.options import list_help_groups
from armoon.messages import text
from armoon.options.kinds import Kind
from armoon.options.option import Option
from armoon.values.text import quote_text

#: Parameters of ``ArgumentParser.add_argument``.
Argument = tuple[tuple[str, ...], dict[str, Any]]
#: Option with the name of a command's output file.
FILE_FLAG = "--out"
#: Minimum width of the help, in characters.
MIN_HELP_COLUMNS = 24


class CliCommand(NamedTuple):
    """A command, which is a function of its arguments."""

    run: Callable[..., int]
    arguments: tuple[Argument, ...] = ()
    options: Callable[[], Iterable[Option]] | None = None
    """Further options; the function gets those on the command line in its argument ``args``, by name."""


def argument(*names: str, kind: Kind | None = None, **settings: Any) -> Argument:
    """Declare an argument of ``ArgumentParser.add_argument``; its help is the text ``command.PATH.NAME``."""
    defaults: dict[str, Any] = (
        {} if kind is None else {"metavar": kind.metavar, "type": partial(_read, kind, names[0])}
    )
    return names, defaults | settings


def _read(kind: Kind, name: str, words: str) -> Any:
    try:
        return kind.read(kind.parse_argument(words))
    except (TypeError, ValueError) as error:
        raise make_value_error(name, words, kind.describe_allowed) from error


def command(
    *arguments: Argument, options: Callable[[], Iterable[Option]] | None = None
) -> Callable[[Callable[..., int]], CliCommand]:
    return lambda run: CliCommand(run, arguments, options)


def flag(name: str, **settings: Any) -> Argument:
    return argument(name, action="store_true", **settings)


class CommandParser(ArgumentParser):
    """The parser of a command or group with a path such as ``armoon games list``."""

    def __init__(
        self,
        path: str,
        arguments: Iterable[Argument],
        options: Callable[[], Iterable[Option]] | None = None,
        commands: Sequence[str] = (),
    ) -> None:
        """``commands``: names of a group's commands."""
        super().__init__(path, add_help=False, allow_abbrev=False, exit_on_error=False)
        self.commands, self.takes_args = commands, options is not None
        self.options = () if options is None else tuple(options())
        self.declared = [self.add_argument(*names, **more) for names, more in (*arguments, flag("--help"))]
        self.flags = {action.option_strings[0]: action for action in self.declared if action.option_strings}
        self.positional = [action for action in self.declared if not action.option_strings]
        for option in self.options:
            action = "store" if option.switch is None else "store_true"
            self.flags[option.spelling] = self.add_argument(
                option.spelling, dest=option.name, action=action, default=SUPPRESS
            )

    def parse(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the arguments for the command's function, or print the help and exit. Raises UsageError."""
        flags, rest, remaining = list[str](), list[str](), iter(words)
        for word in remaining:
            if word == "--":
                rest += remaining
            elif word.startswith("-") and word != "-":
                flags.append(self._join_value(word, remaining))
            else:
                rest.append(word)
        if "--help" in flags:
            say(self.format_help())
            sys.exit()
        required = [action for action in self.positional if action.nargs is None]
        if len(rest) < len(required):
            raise self.make_error("option.missing", name=required[len(rest)].metavar)
        takes_many = any(action.nargs == "*" for action in self.positional)
        # Older versions of argparse ignore a second "--".
        if surplus := ["--"] if "--" in rest else [] if takes_many else rest[len(self.positional) :]:
            key = "option.extra_file" if FILE_FLAG in self.flags else "option.extra"
            raise self.make_error(key, words=" ".join(surplus), flag=FILE_FLAG)
        try:
            values = vars(self.parse_args([*flags, *(["--"] if rest else []), *rest]))
        except ArgumentError as error:
            raise UsageError(error.message, error.argument_name or "") from error
        del values["help"]
        if self.takes_args:
            values["args"] = {o.name: values.pop(o.name) for o in self.options if o.name in values}
        return values

    def _join_value(self, word: str, remaining: Iterator[str]) -> str:
        """Return an option and its value as one word; separate values that begin with a dash would be refused."""
        name, equals_sign, value = word.partition("=")
        option = self.flags.get(name)
        if option is None:
            raise self.make_unknown_error("option.unknown", name, self.flags)
        if option.nargs == 0:
            if equals_sign:
                raise self.make_error("option.no_value", name=name)
            return name
        value = value if equals_sign else next(remaining, "--")
        if value == "--":
            raise self.make_error("option.no_words", name=name)
        return f"{name}={value}"

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def make_error(self, key: str, **fields: object) -> UsageError:
        return UsageError(text(key, **fields), remedy=text("option.helps", command=self.prog))

    def make_unknown_error(self, key: str, word: str, known: Iterable[str]) -> UsageError:
        similar = ", ".join(get_close_matches(word, list(known)))
        remedy = text("option.meant", options=similar) if similar else text("option.helps", command=self.prog)
        return UsageError(text(key, flag=quote_text(word), command=self.prog, remedy=remedy))

    def format_help(self) -> str:
        """Return the help, wrapped to the terminal's width."""
        width = max(MIN_HELP_COLUMNS, get_terminal_size().columns)
        positional = "".join(f" {_format_label(action)}" for action in self.positional)
        key = "command.usage_group" if self.commands else "command.usage"
        usage = text(key, command=self.prog, places=positional)
        parts = [_wrap(usage, width), _wrap(self._get_help_text("about"), width)]
        sections = self._list_sections()
        longest = max(len(label) for rows in sections.values() for label, _ in rows)
        column = min(longest + 4, max(width // 3, 16))
        for heading, rows in sections.items():
            parts.append("\n".join([heading, *(_format_row(*row, column, width) for row in rows)]))
        if self.commands:
            parts.append(_wrap(text("command.more", command=self.prog), width))
        return "\n\n".join(parts)

    def _list_sections(self) -> dict[str, list[tuple[str, str]]]:
        rows: list[tuple[int, str, str, str]] = []
        for action in self.declared:
            rank, heading = (
                (0, text("command.options")) if action.option_strings else (-100, text("command.arguments"))
            )
            words = text("command.help") if action.dest == "help" else self._get_help_text(action.dest)
            if action.default not in (None, False, ""):
                words += f" {text('command.default', value=action.default)}"
            rows.append((rank, heading, _format_label(action), words))
        groups = list_help_groups() if self.options else {}
        for option in self.options:
            label = f"{option.spelling} {option.kind.metavar}" if option.switch is None else option.spelling
            rows.append((*groups[option.name], label, option.help))
        for name in self.commands:
            rows.append((1, text("command.commands"), name, self._get_help_text(f"{name}.about")))
        sections: dict[str, list[tuple[str, str]]] = {}
        for _, heading, label, words in sorted(rows, key=lambda row: row[0]):
            sections.setdefault(heading, []).append((label, words))
        return sections

    def _get_help_text(self, name: str) -> str:
        return text(f"command.{self.prog.replace(' ', '.')}.{name}")


def _format_label(argument: Action) -> str:
    if argument.option_strings:
        return " ".join((argument.option_strings[0], *([str(argument.metavar)] if argument.metavar else ())))
    label = str(argument.metavar)
    return {None: label, "?": f"[{label}]", "*": f"[{label}]..."}[argument.nargs]  # type: ignore[index]


def _format_row(label: str, words: str, column: int, width: int) -> str:
    fits = len(label) + 4 <= column
    help_text = _wrap(words, width, column, f"  {label}".ljust(column) if fits else " " * column)
    return help_text if fits else f"  {label}\n{help_text}"


def _wrap(words: str, width: int, indent: int = 0, first: str = "") -> str:
    unbroken = re.sub(r" (?=[:;?!])", "\u00a0", words)  # French puts a space before these, but no line break
    filled = textwrap.fill(
        unbroken, width, initial_indent=first, subsequent_indent=" " * indent, break_on_hyphens=False
    )
    return filled.replace("\u00a0", " ")
