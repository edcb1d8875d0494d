"""Laying the lake game: a match, its bots, its saved game, and its demo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from armoon import __version__
from armoon.app.players import begins, hands_of
from armoon.app.set_table import SetTable, Viewed
from armoon.camera.seat import Seat
from armoon.games.lake.bots.seats import LakeBots
from armoon.games.lake.keeping import keeper_of_lake, resumed_setup
from armoon.games.lake.play import LakeGame
from armoon.games.lake.rules.game import initial
from armoon.games.lake.rules.state import COLOURS_EACH
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import LakeSetup
from armoon.players.demo import DemoOptions
from armoon.saves.game_file import GameFile
from armoon.saves.library import find_game
from armoon.saves.profiles import load_profiles
from armoon.settings.options import PlayOptions, cache_folder, games_folder
from armoon.stage.look import StageLook

if TYPE_CHECKING:
    from armoon.view.scene.board import Board

#: How well the demo's hand plays where nobody says.
DEMO_STRENGTH = "weak"


def lay_lake(options: PlayOptions, seat: Seat, folder: Path, console: Console, *, on_time: bool) -> SetTable:
    """A lake game ready to be played from this seat, or the saved one that the options name.

    ``on_time``: the game runs in real time, so bots think in a process of their own. Raises SaveError.
    """
    players = options.players[: max(COLOURS_EACH)]
    table = load_profiles(games_folder()).table(players)
    first = begins(options, table)
    setup = LakeSetup(
        version=__version__,
        first=initial(players, options.seed, first_chooser=first.seat),
        first_why=first.why,
        hands=hands_of(options, table),
        seat=seat.name,
        mirrored=seat.mirrored,
        camera=seat.camera,
        table_from_camera=seat.table_from_camera,
        palm_length_m=options.palm_length_m,
        bots=options.bots,
        grace_s=options.grace_s,
        grip=options.grip,
    )
    saved = None
    if options.resume is not None:
        saved = GameFile.open(find_game(games_folder(), options.resume))
        setup = resumed_setup(saved, setup)
        table = load_profiles(games_folder()).table(setup.first.players)
        setup = replace(setup, hands=hands_of(replace(options, hands=()), table), first_why="")
    match = LakeMatch(setup)
    keeper = keeper_of_lake(setup, folder, console.print, saved)
    demo = DemoOptions(
        seat=seat,
        seed=options.seed,
        rate_hz=options.rate_hz,
        look=StageLook(seed=options.seed),
        cache_dir=cache_folder(),
        lake=tuple(bot or DEMO_STRENGTH for bot in setup.bots) or (DEMO_STRENGTH,),
    )
    viewed = Viewed(seat.camera, seat.table_from_camera, seat.mirrored, board=make_board)
    return SetTable(LakeGame(match, LakeBots(background=on_time)), keeper, viewed, demo)


def make_board() -> Board:
    """What is drawn of the lake; pyglet decides at its first import whether there is a screen."""
    from armoon.games.lake.view.board import LakeBoard

    return LakeBoard()
