"""A non-default value for each option of the command line, and a fake app that only records the options."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from armoon import cli
from armoon.games import game_names, game_options
from armoon.games.moon.trials import find_task
from armoon.games.shared import FirstPlayer
from armoon.options.kinds import (
    EnumValue,
    File,
    Names,
    Number,
    OneOf,
    SeatKind,
    Size,
    TargetAddress,
    Text,
    YesNo,
)
from armoon.options.option import PAGE, Option
from armoon.options.parts import list_part_options
from armoon.saves import game_file
from armoon.settings.preferences import ALL_OPTIONS, PlayOptions, Settings
from armoon.values.player_settings import Guidance, Handicap, VisualAids
from armoon.values.text import Address

#: Built-in options by game; the key "" is for the options that all games have.
OWN: dict[str, tuple[Option, ...]] = {
    "": tuple(option for option in (*ALL_OPTIONS, *list_part_options()) if option.scopes != {PAGE}),
    **{g: game_options(g).options() for g in game_names()},
}
EVERY = [(game, option) for game, options in OWN.items() for option in options]

#: Further arguments that an option requires, by the option's name.
NEEDS = {
    "on_air": ("--party",),
    "chat": ("--chat", "luna"),
    "obs": ("--obs", "rules.toml"),
    "lan": ("--party", "--lan"),
    "remote": ("--remote", "lan"),
    "join": ("--join", "ws://host:1#key"),
    "stream": ("--stream", "rtmp://a.b/c"),
}


def make_value(option: Option) -> tuple[Any, str, Any]:
    """Return a non-default value as stored, as typed on the command line, and as parsed."""
    kind = option.kind
    if option.switch is not None and option.switch is not True:
        return option.switch.value, "", option.switch
    if isinstance(kind, EnumValue):
        word = next(word for word in kind.enum_type if word != option.default)
        return word.value, str(word.value), word
    if isinstance(kind, YesNo):
        return True, "", True
    if isinstance(kind, Number):
        tried = (kind.least + 1, kind.least + 2, (kind.least + kind.most) / 2)
        number = next(number for number in tried if number <= kind.most and number != option.default)
        value = int(number) if kind.whole else float(number)
        return value, f"{value}", value
    name = "rules.toml" if isinstance(kind, File) and not kind.is_output else "a.file"
    special: dict[type, tuple[Any, str, Any]] = {
        Names: (["Zoé", "Karl"], "Zoé, Karl", ("Zoé", "Karl")),
        Size: ("640x480", "640x480", (640, 480)),
        File: (name, name, Path(name)),
        Text: ("film.mp4", "film.mp4", "film.mp4"),
        OneOf: ("lake", "lake", "lake"),
    }
    if type(kind) in special:
        return special[type(kind)]
    if isinstance(kind, TargetAddress):
        link = f"{kind.schemes[0]}://a.b:1/c"
        return link, link, Address(link)
    bot = kind.bots(kind.words[0]) if isinstance(kind, SeatKind) else None
    own = {
        "first": ("2", "2", FirstPlayer(1, "chosen")),
        "handicaps": (
            [{"spared": 2, "hints": 1, "helps": "all"}, {"guidance": "off"}],
            "spared:2+hints:1+helps:all,guidance:off",
            (Handicap(2, 1, VisualAids.ALL), Handicap(guidance=Guidance.OFF)),
        ),
        "bots": ([f"{bot}", "hand"], f"{bot},hand", (bot, None)),
        "keys": ({"roll": "r"}, "roll=r", (("roll", "r"),)),
        "pad": ({"roll": "y"}, "roll=y", (("roll", "y"),)),
        "trial": ("place-three", "place-three", find_task("place-three")),
        "head_camera": ("film.mp4", "film.mp4", "film.mp4"),
        "chat": ("luna", "luna", "luna"),
    }
    return own[option.name]


def record_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[PlayOptions]:
    monkeypatch.chdir(tmp_path)
    for name in ("rules.toml", "film.mp4"):
        (tmp_path / name).touch()
    requests: list[PlayOptions] = []
    importlib.import_module("armoon.app.setup")  # a game without a camera also needs it
    fake = ModuleType("armoon.app")

    def record(options: PlayOptions) -> int:
        requests.append(options)
        return 0

    fake.play = record  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "armoon.app", fake)
    monkeypatch.setattr("armoon.cli.play.load_settings", Settings)
    monkeypatch.setattr("armoon.cli.play.games_folder", lambda: tmp_path)
    monkeypatch.setattr(cli.common, "has_display", lambda: True)
    monkeypatch.setattr(game_file, "read_game_name", lambda folder, which: "moon")
    return requests
