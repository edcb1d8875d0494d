"""The host of an evening without window and camera."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from armoon.app import host as hosting
from armoon.app import setup
from armoon.app.evening_camera import EveningCamera
from armoon.app.front import Front
from armoon.app.host import Drawing
from armoon.app.sources.frames import Incoming
from armoon.clock import TICK_S, ManualClock
from armoon.games import game_options
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.screens.events import Party, StartGame
from armoon.screens.machine import first_screens
from armoon.settings.preferences import PlayOptions, Preferences, Settings
from armoon.sinks import files
from armoon.sinks.hub import Sinks
from armoon.values.choices import SeatName
from support.near_host import NearHost


class Evening:
    """A host, and what it had drawn."""

    def __init__(self, folder: Path) -> None:
        self.shown: list[Any] = []
        options = PlayOptions(
            camera="none",
            size=(640, 360),
            rate_hz=30.0,
            seat=SeatName.MIRROR,
            headless=False,
            log=folder / "evening.jsonl",
            seed=5,
            players=("Ann", "Ben"),
            turns=None,
            game="moon",
            game_options=MoonOptions(),
            palm_length_m=0.0955,
        )
        self.front = Front(first_screens(Settings(), Preferences()))
        show = self.shown.append
        drawing = Drawing(
            show,
            lambda: show("title"),
            lambda options, seat: show("base"),
            lambda pose, camera: show("moved"),
            lambda: show("preparing"),
        )
        self.clock = ManualClock(10.0)
        self.sinks = Sinks()
        console = Console(quiet=True)
        camera = EveningCamera(options, console, self.clock, ExitStack())
        self.host = NearHost(camera, console, self.front, self.clock, drawing, self.sinks)

    def turns(self, count: int) -> None:
        assert self.host.table is not None
        for _ in range(count):
            self.clock.set_s(self.clock.now_s() + TICK_S)
            out = self.host.table.advance(Incoming(), self.clock.now_s())
            self.sinks.take(self.host.table.moment(out, self.clock.now_s()))


def live_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the host keeps lies in this folder."""
    for module in (setup, hosting, files):
        monkeypatch.setattr(module, "games_folder", lambda: folder)


def start(game: str, seat: SeatName = SeatName.MIRROR) -> StartGame:
    party = Party(("Ann", "Ben"), ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    return StartGame(game, party, game_options(game)(), seat)


def moon(evening: Evening) -> MoonGame:
    assert evening.host.table is not None
    game = evening.host.table.game
    assert isinstance(game, MoonGame)
    return game
