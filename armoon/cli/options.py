"""Options of commands: their groups in the help, and their values from the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from armoon.cli.common import UsageError
from armoon.errors import ArmoonError
from armoon.games import game_names, game_options, title_of
from armoon.games.options import list_command_options
from armoon.messages import text
from armoon.options.option import COMMAND, InvalidValueError, Option, filter_options, read_argument
from armoon.options.parts import list_part_options
from armoon.settings.preferences import ALL_OPTIONS

#: The options at the top of the help of ``play``, in order.
COMMON = (
    *("game", "players", "bots", "camera", "no_camera", "seat", "way", "language", "first", "resume", "now"),
    *("turns", "record"),
)


def list_general_options() -> tuple[Option, ...]:
    """Return the options of all games, with those of sinks and devices."""
    return filter_options((*ALL_OPTIONS, *list_part_options()), COMMAND)


def group_options() -> dict[str, tuple[Option, ...]]:
    """Return each game's own options and, under "", those of all or several games, as the first of them has them."""
    by_game = {game: list_command_options(game_options(game)) for game in game_names()}
    uses = Counter(o.name for group in by_game.values() for o in group)
    shared = {o.name: o for group in reversed(by_game.values()) for o in group if uses[o.name] > 1}
    specific = {game: tuple(o for o in group if o.name not in shared) for game, group in by_game.items()}
    return {"": (*list_general_options(), *shared.values()), **specific}


def list_help_groups() -> dict[str, tuple[int, str]]:
    """Return the rank and the heading of each option in the help, by name; common options have negative ranks."""
    return {o.name: _find_help_group(o, game) for game, group in group_options().items() for o in group}


def _find_help_group(option: Option, game: str) -> tuple[int, str]:
    if game:
        return 1, text("option.panel", game=title_of(game))
    if option.name in COMMON:
        return COMMON.index(option.name) - len(COMMON), text("command.options")
    if option.page is not None:
        return 2, text("option.group.settings")
    if any(option.name == other.name for other in list_part_options()):
        return 4, text("option.group.guests")
    return 3, text("option.group.machine")


def read_value(option: Option, argument: Any) -> Any:
    """Return an option's value; ``argument``: True for a flag. Raises UsageError with the allowed values."""
    if argument is True:
        return option.switch
    try:
        return read_argument(option, argument)
    except InvalidValueError as error:
        raise UsageError(error.explain(option.spelling), option.spelling) from error


def read_values(options: Sequence[Option], args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the given options. Raises ArmoonError for an unusable one, such as a missing file."""
    values = {option.name: read_value(option, args[option.name]) for option in options if option.name in args}
    for option in options:
        if option.name in values and (fault := option.kind.explain_fault(values[option.name])):
            raise ArmoonError(fault, remedy="option.fault.remedy", option=option.spelling)
    return values
