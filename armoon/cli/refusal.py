"""A command line that can't be followed ends in one sentence with its remedy, in the players' language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperGroup

from armoon.cli.common import say
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.processes.stand_ins import left_out
from armoon.settings.options import load_settings
from armoon.settings.preferences_file import speak
from armoon.values.foreign_text import shown

# Older typers take these from click, newer ones have their own: this is the class of whichever it is.
_UsageError: Any = typer.BadParameter.__base__


class PlainGroup(TyperGroup):
    """The commands, whose refusals are sentences instead of frames."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is meant, or end with what is spelled like it."""
        if self.get_command(ctx, args[0]) is None:
            _speak()
            sentence = _unknown("option.no_command", args[0], self.commands, ctx.command_path)
            say(f"armoon: {sentence}", err=True)
            raise typer.Exit(ArmoonError.exit_code)
        return super().resolve_command(ctx, args)

    def get_params(self, ctx: Any) -> Any:
        """Return the options before a command, with the one for help."""
        return as_typed(super().get_params(ctx))

    def format_help(self, *args: Any, **kwargs: Any) -> None:
        """Say which commands there are."""
        load_frames()
        super().format_help(*args, **kwargs)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read what is typed before a command."""
        with _refusing():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Read what is typed after a command, and run that."""
        with _refusing():
            return super().invoke(ctx)


class _AsTyped:
    """A conversion that leaves words and flags as they were typed."""

    def coerce(self, value: Any, param: object, ctx: object) -> Any:
        return value


def as_typed(params: list[Any]) -> list[Any]:
    """Keep typer from loading pydantic and making a validator for each option that takes one word or none.

    Older typers convert without pydantic and never call ``get_runtime_param``.
    """
    for param in params:
        kind = getattr(param, "type_descriptor", None)
        if kind is not None and kind.annotation in (str, bool) and param.nargs == 1 and not param.multiple:
            param.get_runtime_param = _AsTyped
    return params


def load_frames() -> None:
    """Load what draws the help, without what it needs for Markdown and tracebacks: half of the time."""
    with left_out({"rich.markdown": "Markdown", "rich.traceback": "Traceback"}):
        import typer.rich_utils  # noqa: F401


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # nothing was asked for: the help is the answer
            raise
        say(f"armoon: {_sentence(error)}", err=True)
        raise typer.Exit(error.exit_code) from error


def _speak() -> None:
    """Speak the settings' language; a broken file is told when somebody plays."""
    with suppress(ArmoonError):
        speak(load_settings())


def _sentence(error: Any) -> str:
    """Return what is wrong and what to do about it."""
    _speak()
    command = "armoon" if error.ctx is None else error.ctx.command_path
    helps = text("option.helps", command=command)
    if hasattr(error, "possibilities"):
        return _unknown("option.unknown", error.option_name, error.possibilities or (), command)
    if hasattr(error, "option_name"):  # with a value too many, or without the one it needs
        key = "option.no_words" if "requires" in error.message else "option.no_value"
        return f"{text(key, name=shown(error.option_name))} {helps}"
    if isinstance(error, typer.BadParameter):
        hint = error.param_hint or (() if error.param is None else _spelling(error.param))
        names = hint if isinstance(hint, str) else ", ".join(hint)
        if hasattr(error, "param_type"):  # nothing was given for it
            return f"{text('option.missing', name=names)} {helps}"
        words = shown(error.message)
        return words if names in words else f"{names}: {words}"
    if extra := re.search(r"extra argument(?:s|\(s\))? \((.+)\)", error.format_message()):
        return f"{text('option.extra', words=shown(extra[1]))} {helps}"
    return f"{shown(error.format_message()).removesuffix('.')}. {helps}"


def _unknown(key: str, typed: str, known: Iterable[str], command: str) -> str:
    """Return that a command or option isn't known, and which ones are spelled like it."""
    helps = text("option.helps", command=command)
    like = ", ".join(get_close_matches(typed, list(known)))
    return text(
        key,
        flag=shown(typed),
        command=command,
        remedy=text("option.meant", options=like) if like else helps,
    )


def _spelling(param: Any) -> str:
    """Return an option as it is typed, or what an argument is called in the help."""
    longest = max(param.opts, key=len, default="")
    return longest if longest.startswith("-") else param.metavar or (param.name or "").upper()
