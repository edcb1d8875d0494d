"""Helpers shared by commands: errors, output and parsing of values."""

from __future__ import annotations

import atexit
import errno
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, ParamSpec, TypeVar

from armoon.app import stopping
from armoon.errors import ArmoonError, describe_reason
from armoon.messages import text
from armoon.options.kinds import Names
from armoon.settings.files import (
    apply_language,
    can_write,
    games_folder,
    has_display,
    load_settings,
    temp_folder_notice,
)
from armoon.values.text import MAX_QUOTED, escape_lines, escape_text, quote_text, short_repr

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

#: Exit code after Ctrl-C, by the convention of shells.
INTERRUPTED_EXIT_CODE = 130

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")


class UsageError(ArmoonError):
    """A mistake on the command line; the message begins with ``option`` unless the sentence contains it."""

    def __init__(self, sentence: str, option: str = "", *, remedy: str = "") -> None:
        super().__init__(sentence if option in sentence else f"{option}: {sentence}", remedy=remedy)

    def __str__(self) -> str:
        return super().__str__().rstrip()


def with_exit_code(command: Callable[Parameters, int]) -> Callable[Parameters, NoReturn]:
    """Return a function that runs the command, prints a user error in one line, and exits with the exit code."""

    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> NoReturn:
        with stopping.handling_signals():
            try:
                code = command(*args, **kwargs)
            except ArmoonError as error:
                print_error(str(error))
                code = error.exit_code
            except ImportError as error:
                if (error.name or "").partition(".")[0] == "armoon":
                    raise
                print_error(str(ArmoonError("fault.program.no_part", why=error)))
                code = ArmoonError.exit_code
            except KeyboardInterrupt:
                code = INTERRUPTED_EXIT_CODE
            code = stopping.choose_exit_code(code)
        _flush()
        sys.exit(code)

    return run


def apply_settings_language() -> None:
    """Use the settings' language; errors in the settings are reported by the commands that need them."""
    with suppress(ArmoonError):
        apply_language(load_settings())


def say(words: str, *, err: bool = False) -> None:
    print(escape_lines(words), file=sys.stderr if err else sys.stdout, flush=True)


def confirm(question: str) -> bool:
    """Return whether the player agrees; exit on Ctrl-C or at the end of the input."""
    try:
        answer = input(f"{question} [{text('command.yes_no')}] ")
        return answer.strip().casefold() in text("command.yes").split()
    except (EOFError, KeyboardInterrupt):
        say("")
        sys.exit(1)


#: Minimum width of a terminal for tables, in characters.
MIN_TABLE_COLUMNS = 60


def print_table(console: Console, table: Table) -> None:
    """Print a table, or in a narrow terminal each non-empty cell on its own line with its heading."""
    if console.width >= MIN_TABLE_COLUMNS:
        console.print(table)
        return
    from rich.text import Text

    for row in zip(*(column.cells for column in table.columns), strict=True):
        for column, cell in zip(table.columns, row, strict=True):
            words = cell if isinstance(cell, Text) else Text.from_markup(str(cell))
            if words:
                console.print(
                    Text.assemble(str(column.header), ": " if column.header else "", words), soft_wrap=False
                )
        console.print()
    if table.caption:
        console.print(table.caption)


def announce_games_folder() -> Path:
    """Return the folder of saved games; print its path if it isn't the usual one."""
    if sentence := temp_folder_notice():
        say(sentence, err=True)
    return games_folder()


#: A word, or a part of a path, that is too long for an error message.
_LONG_WORD = re.compile(rf"[^\s=,/{re.escape(os.sep)}]{{{MAX_QUOTED + 1},}}")


def print_error(sentence: str) -> None:
    """Print one line on stderr if it is still open; shorten long words, such as a mistyped argument."""
    line = _LONG_WORD.sub(lambda found: quote_text(found[0]), escape_text(sentence))
    with suppress(OSError):
        say(f"armoon: {line}", err=True)


def open_closed_streams() -> None:
    """Open the null device for streams closed by the shell (``>&-``), because other files could get their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))


@contextmanager
def writing_output() -> Iterator[None]:
    """Print an error and exit if the output can't be written, for instance because the disk is full."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        number = error.errno
        if number == errno.EPIPE:  # a pager or `head` closed the pipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        if error.filename is not None or number not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF):
            raise
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print_error(text("start.no_output", why=describe_reason(error)))
        sys.exit(ArmoonError.exit_code)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def choose_screen_or_film(headless: bool, record: Path | None) -> tuple[bool, Path | None, tuple[str, ...]]:
    """Return whether the game is headless, the film's path and notices; without a display, the game is filmed."""
    if headless or has_display():
        return headless, record, ()
    if record is None:
        folder = Path() if can_write(Path()) else games_folder()
        record = _create_film_file(folder / f"armoon-{datetime.now().strftime('%Y%m%d-%H%M%S')}.mp4")
    return True, record, (text("start.no_display", path=record),)


def _create_film_file(path: Path) -> Path:
    """Create a file with this path, or with a number appended if two films start in the same second."""
    stem = path.stem
    for number in itertools.count(2):
        try:
            path.touch(exist_ok=False)
            atexit.register(_remove_empty, path.absolute())
            return path
        except FileExistsError:
            path = path.with_stem(f"{stem}-{number}")
        except OSError:
            return path  # the recorder will report the reason
    raise AssertionError("numbers never end")


def _remove_empty(path: Path) -> None:
    with suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()


def make_value_error(name: str, value: str, describe_allowed: Callable[[], str]) -> UsageError:
    return UsageError(text("option.wrong", name=name, value=short_repr(value), allowed=describe_allowed()))


def parse_value(option: str, value: str, parse: Callable[[str], Value], key: str) -> Value:
    """Parse an option's value. Raises UsageError with the text ``option.allowed.KEY`` if ``parse`` fails."""
    try:
        return parse(value)
    except ValueError as error:
        raise make_value_error(option, value, lambda: text(f"option.allowed.{key}")) from error


def parse_name(word: str) -> str:
    """Return one player's name. Raises ValueError."""
    return Names().read((word,))[0]
