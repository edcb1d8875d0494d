"""Moves and set-ups of the moon game as plain JSON values and back, for logs that stay readable for years."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any

from armoon.games.moon.rules.editions import DieSource, Mode, OneHand, OnTimeout, Options
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.moves import MOVE_KINDS, Fallen, Move, OverruleKind
from armoon.games.moon.rules.scoring import Extent
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Die, Onto

#: "Roll" is written "roll", "LetGo" "let_go".
_NAMES: dict[type[Move], str] = {
    kind: "".join(f"_{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("_")
    for kind in MOVE_KINDS
}
_KINDS = {name: kind for kind, name in _NAMES.items()}
#: How each field that is not a plain number, text or tuple of texts is read back.
_READERS: dict[tuple[str, str], Any] = {
    ("roll", "die"): Die,
    ("settle", "touched"): tuple,
    ("fall", "fallen"): lambda rows: tuple(Fallen(r["piece"], Onto(r["onto"])) for r in rows),
    ("score", "extents"): lambda rows: tuple(Extent(**row) for row in rows),
    ("overrule", "kind"): OverruleKind,
}
_OPTION_READERS: dict[str, Any] = {
    "mode": Mode,
    "one_hand": OneHand,
    "on_timeout": OnTimeout,
    "die": DieSource,
}


def _plain(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def move_to_plain(move: Move) -> dict[str, Any]:
    """The move as JSON values: its name under ``move``, and its fields."""
    return {"move": _NAMES[type(move)], **_plain(move)}


def move_from_plain(plain: Mapping[str, Any]) -> Move:
    """The move that ``move_to_plain`` wrote. Raises ValueError if it is none."""
    try:
        name = plain["move"]
        kind = _KINDS[name]
        fields = {
            key: _READERS.get((name, key), lambda value: value)(value)
            for key, value in plain.items()
            if key != "move"
        }
        return kind(**fields)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a move: {dict(plain)!r}") from error


def options_to_plain(options: Options) -> dict[str, Any]:
    """The house options as JSON values."""
    return dict(_plain(options))


def options_from_plain(plain: Mapping[str, Any]) -> Options:
    """The options that ``options_to_plain`` wrote. Raises ValueError if they are none."""
    try:
        return Options(**{key: _OPTION_READERS.get(key, lambda v: v)(value) for key, value in plain.items()})
    except (AttributeError, TypeError) as error:
        raise ValueError(f"no options: {plain!r}") from error


def setup_to_plain(state: State) -> dict[str, Any]:
    """What ``moon.initial`` and a replay need, from a position before the first roll."""
    return {
        "game": "moon",
        "edition": state.edition_name,
        "players": list(state.players),
        "seed": state.seed,
        "options": options_to_plain(state.options),
        "first_player": state.player,
        "starting": list(state.starting),
        "supply": list(state.supply),
    }


def setup_from_plain(plain: Mapping[str, Any]) -> State:
    """The position that ``setup_to_plain`` wrote. Raises ValueError if it is none."""
    try:
        options = options_from_plain(plain["options"])
        state = initial(
            plain["players"],
            plain["edition"],
            plain["seed"],
            options,
            first_player=plain["first_player"],
            starting=plain["starting"],
            supply=plain["supply"],
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a set-up: {dict(plain)!r}") from error
    # The order of the supply is a fact of the game, written down as it was drawn up, not shuffled again.
    return dataclasses.replace(state, supply=tuple(plain["supply"]))
