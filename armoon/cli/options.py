"""Derive the command line from the options' descriptions: parameters with help, and conversion of arguments."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Annotated, Any, NoReturn, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from armoon.cli.common import complain, ends_plainly, note_typed
from armoon.errors import ArmoonError
from armoon.games import game_names, game_options, title_of
from armoon.games.options import on_command
from armoon.messages import text
from armoon.options.option import COMMAND, Option, WrongValue, options_in, read_typed
from armoon.options.parts import part_options
from armoon.processes.system import stub_modules
from armoon.settings.files import apply_language, load_settings
from armoon.settings.preferences import ALL_OPTIONS
from armoon.values.text import escape_text

#: The option that names a command's output file.
_FILE = "--out"
# Older versions of typer use click's classes, newer ones have their own.
_UsageError: Any = typer.BadParameter.__base__


class PlainGroup(TyperGroup):
    """A group of commands whose errors are printed as sentences, without frames."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command, or exit with a list of similarly spelled ones."""
        if self.get_command(ctx, args[0]) is None:
            _speak()
            sentence = _unknown("option.no_command", args[0], self.commands, ctx.command_path)
            complain(sentence)
            raise typer.Exit(ArmoonError.exit_code)
        return super().resolve_command(ctx, args)

    def get_params(self, ctx: Any) -> Any:
        return as_typed(super().get_params(ctx))

    def format_help(self, *args: Any, **kwargs: Any) -> None:
        load_frames()
        super().format_help(*args, **kwargs)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        note_typed(args[1] if len(args) > 1 else kwargs.get("args", ()))
        with _refusing():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _refusing():
            return super().invoke(ctx)


def command_group(name: str, about: str) -> typer.Typer:
    return typer.Typer(cls=PlainGroup, name=name, help=about, no_args_is_help=True, add_completion=False)


class _AsTyped:
    """A conversion that leaves words and flags unchanged."""

    def coerce(self, value: Any, param: object, ctx: object) -> Any:
        return value


def as_typed(params: list[Any]) -> list[Any]:
    """Keep typer from loading pydantic; older ones convert without it and never call ``get_runtime_param``."""
    for param in params:
        kind = getattr(param, "type_descriptor", None)
        if kind is not None and kind.annotation in (str, bool) and param.nargs == 1 and not param.multiple:
            param.get_runtime_param = _AsTyped
    return params


def load_frames() -> None:
    """Load typer's help without its modules for Markdown and tracebacks, which take half of the time."""
    with stub_modules({"rich.markdown": "Markdown", "rich.traceback": "Traceback"}):
        import typer.rich_utils  # noqa: F401


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # no arguments: typer shows the help
            raise
        complain(_sentence(error))
        raise typer.Exit(error.exit_code) from error


def _speak() -> None:
    """Set the settings' language; a broken settings file is reported when a game starts."""
    with suppress(ArmoonError):
        apply_language(load_settings())


def _sentence(error: Any) -> str:
    _speak()
    command = "armoon" if error.ctx is None else error.ctx.command_path
    helps = text("option.helps", command=command)
    if hasattr(error, "possibilities"):
        return _unknown("option.unknown", error.option_name, error.possibilities or (), command)
    if hasattr(error, "option_name"):  # the option has a surplus value, or lacks one
        key = "option.no_words" if "requires" in error.message else "option.no_value"
        return f"{text(key, name=escape_text(error.option_name))} {helps}"
    if isinstance(error, typer.BadParameter):
        hint = error.param_hint or (() if error.param is None else _spelling(error.param))
        names = hint if isinstance(hint, str) else ", ".join(hint)
        if hasattr(error, "param_type"):  # it is missing
            return f"{text('option.missing', name=names)} {helps}"
        words = escape_text(error.message)
        return words if names in words else f"{names}: {words}"
    if extra := re.search(r"extra argument(?:s|\(s\))? \((.+)\)", error.format_message()):
        files = () if error.ctx is None else error.ctx.command.params
        file = _FILE if any(one.opts[0] == _FILE for one in files) else ""
        key = "option.extra_file" if file else "option.extra"
        return f"{text(key, words=escape_text(extra[1]), flag=file)} {helps}"
    return f"{escape_text(error.format_message()).removesuffix('.')}. {helps}"


def _unknown(key: str, typed: str, known: Iterable[str], command: str) -> str:
    helps = text("option.helps", command=command)
    like = ", ".join(get_close_matches(typed, list(known)))
    return text(
        key,
        flag=escape_text(typed),
        command=command,
        remedy=text("option.meant", options=like) if like else helps,
    )


def _spelling(param: Any) -> str:
    longest = max(param.opts, key=len, default="")
    return longest if longest.startswith("-") else param.metavar or (param.name or "").upper()


Value = TypeVar("Value")

#: The options at the top of the help of ``play``, in order.
COMMON = (
    *("game", "players", "bots", "camera", "no_camera", "seat", "way", "language", "first", "resume", "now"),
    *("turns", "seed", "record"),
)


def general() -> tuple[Option, ...]:
    """Return the options of all games, with those of sinks and devices."""
    return options_in((*ALL_OPTIONS, *part_options()), COMMAND)


def groups() -> dict[str, tuple[Option, ...]]:
    """Return options by game, common ones under an empty name; an option of several games is the first game's."""
    own = {game: on_command(game_options(game)) for game in game_names()}
    counted = Counter(one.name for group in own.values() for one in group)
    shared = {one.name: one for group in reversed(own.values()) for one in group if counted[one.name] > 1}
    alone = {game: tuple(one for one in group if one.name not in shared) for game, group in own.items()}
    return {"": (*general(), *shared.values()), **alone}


def described(options: Iterable[Option]) -> Callable[[Callable[..., int]], Callable[..., NoReturn]]:
    """Create a typer command with these additional options, passed by name in its parameter ``typed``."""
    made = [_parameter(one) for one in options]

    def decorate(command: Callable[..., int]) -> Callable[..., NoReturn]:
        signature = inspect.signature(command, eval_str=True)
        parameters = [*(one for one in signature.parameters.values() if one.name != "typed"), *made]

        def run(**given: Any) -> int:
            typed = {one.name: given.pop(one.name) for one in made}
            return command(
                **given, typed={name: value for name, value in typed.items() if value not in (None, False)}
            )

        plain = ends_plainly(run)
        plain.__doc__ = command.__doc__
        plain.__name__ = command.__name__
        plain.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        plain.__annotations__ = {one.name: one.annotation for one in parameters}
        return plain

    return decorate


def _parameter(option: Option) -> inspect.Parameter:
    flag = option.switch is not None
    described = typer.Option(
        option.spelling,
        metavar=None if flag else option.kind.metavar,
        help="",  # set by `format_help`, so that not every start of the program reads the catalogues
        show_default=False,
    )
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=False if flag else None,
        annotation=Annotated[bool if flag else str | None, described],
    )


class DescribedCommand(TyperCommand):
    """A command with described options; the help of ``play`` is in the language of the settings file."""

    def get_params(self, ctx: Any) -> Any:
        return as_typed(super().get_params(ctx))

    def format_help(self, *args: Any, **kwargs: Any) -> None:
        load_frames()
        if self.name == "play":
            _speak()
            self.help = text("option.play")
        known = {one.name: (one, game) for game, group in groups().items() for one in group}
        placed: dict[str, tuple[int, str | None]] = {}
        for param in self.params:
            if isinstance(param, TyperOption) and param.help == "" and param.name in known:
                option, game = known[param.name]
                param.help = option.help
                placed[option.name] = _panel(option, game)
                param.rich_help_panel = placed[option.name][1]
        # Panels are ordered by their first options.
        self.params.sort(key=lambda one: placed.get(one.name or "", (0, None))[0])
        super().format_help(*args, **kwargs)


def _panel(option: Option, game: str) -> tuple[int, str | None]:
    """Return the rank and heading of an option's group in the help of ``play``; the common ones have no heading."""
    if game:
        return 1, text("option.panel", game=title_of(game))
    if option.name in COMMON:
        return COMMON.index(option.name) - len(COMMON), None
    if option.page is not None:
        return 2, text("option.group.settings")
    if any(option.name == one.name for one in part_options()):
        return 4, text("option.group.guests")
    return 3, text("option.group.machine")


def value_of(option: Option, typed: Any) -> Any:
    """Return the value of a typed argument. Raises typer.BadParameter with a sentence naming the allowed values."""
    if typed is True:
        return option.switch
    return allowed(option, lambda: read_typed(option, typed))


def allowed(option: Option, make: Callable[[], Value]) -> Value:
    try:
        return make()
    except WrongValue as error:
        raise typer.BadParameter(str(error), param_hint=option.spelling) from error


def values_of(options: Sequence[Option], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the typed values of these options. Raises ArmoonError if one names a missing file or the like."""
    values = {one.name: value_of(one, typed[one.name]) for one in options if one.name in typed}
    for one in options:
        if one.name in values and (why := one.kind.explain_fault(values[one.name])):
            raise ArmoonError(why, remedy=text("option.fault.remedy", option=one.spelling))
    return values
