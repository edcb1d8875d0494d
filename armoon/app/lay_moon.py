"""Laying the moon game: a match with its world, its saved game, and its demo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from armoon import __version__
from armoon.app.players import begins, colours_of, hands_of, palms_of
from armoon.app.set_table import DEMO, SetTable, Viewed
from armoon.camera.seat import Seat
from armoon.games.moon.keeping import keeper_of
from armoon.games.moon.match import Match
from armoon.games.moon.play import MoonGame
from armoon.games.moon.saving import ResumePoint, resume_point
from armoon.games.moon.setup import MatchSetup
from armoon.messages import text
from armoon.players.demo import DemoOptions
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.library import find_game
from armoon.saves.profiles import load_profiles
from armoon.settings.options import PlayOptions, cache_folder, games_folder
from armoon.stage.look import StageLook
from armoon.world.local import LocalWorld
from armoon.world.process import ProcessWorld

#: Between the table's coming to rest and the next roll, long enough to read a verdict.
AUTO_ROLL_S = 2.5
#: Nobody has to read in lock step; the film still shows every card.
DEMO_AUTO_ROLL_S = 1.5


def lay_moon(
    options: PlayOptions, seat: Seat, folder: Path, console: Console, *, cropped: bool, on_time: bool
) -> SetTable:
    """A moon game ready to be played from this seat, or the saved one that the options name.

    ``cropped``: the tracker looks at the part of the picture where the game is played. ``on_time``: the game
    runs in real time, so the world gets a process of its own. Raises SaveError for what can't be resumed.
    """
    resumed = None
    if options.resume is not None:
        resumed = resume_game(games_folder(), options.resume, console)
        # Who plays is the save's to say; their palms and hands are read from their profiles of today.
        options = replace(options, players=resumed[1].state.players, colours=(), hands=())
    setup = match_setup(options, seat, cropped=cropped)
    if resumed is not None:
        setup = resumed_setup(resumed[1], setup)
    match = Match(setup, world=ProcessWorld if on_time else LocalWorld)
    keeper = keeper_of(match, folder, console.print, resumed) if options.saved else None
    viewed = Viewed(seat.camera, seat.table_from_camera, seat.mirrored, match.ladders, match.base)
    demo = DemoOptions(
        seat=seat,
        seed=options.seed,
        rate_hz=options.rate_hz,
        look=StageLook(seed=options.seed),
        cache_dir=cache_folder(),
        ladders=match.ladders,
        base=match.base,
    )
    return SetTable(MoonGame(match), keeper, viewed, demo)


def match_setup(options: PlayOptions, seat: Seat, *, cropped: bool = False) -> MatchSetup:
    """What a moon game with these options starts from, seen from this seat."""
    table = load_profiles(games_folder()).table(options.players)
    first = begins(options, table)
    return MatchSetup(
        version=__version__,
        seed=options.seed,
        edition=options.edition,
        players=options.players,
        seat=seat.name,
        mirrored=seat.mirrored,
        camera=seat.camera,
        table_from_camera=seat.table_from_camera,
        palm_length_m=options.palm_length_m,
        auto_roll_s=DEMO_AUTO_ROLL_S if options.camera == DEMO else AUTO_ROLL_S,
        slots=options.slots,
        options=options.options,
        grace_s=options.grace_s,
        grip=options.grip,
        depth_help=options.depth_help,
        fine_gain=options.fine_gain,
        palms_m=palms_of(options, table),
        hands=hands_of(options, table),
        colours=colours_of(options, table),
        first_player=first.seat,
        first_why=first.why,
        cropped=cropped,
    )


def resumed_setup(point: ResumePoint, now: MatchSetup) -> MatchSetup:
    """A saved game's set-up, played on before the camera and by the program of today."""
    saved = MatchSetup.from_record({**point.setup, "kind": "header"})
    return replace(
        saved,
        version=now.version,
        seat=now.seat,
        mirrored=now.mirrored,
        camera=now.camera,
        table_from_camera=now.table_from_camera,
        palm_length_m=now.palm_length_m,
        auto_roll_s=now.auto_roll_s,
        grace_s=now.grace_s,
        grip=now.grip,
        depth_help=now.depth_help,
        fine_gain=now.fine_gain,
        palms_m=now.palms_m,
        hands=now.hands,
        colours=saved.colours or now.colours,
        cropped=now.cropped,
        start=point,
    )


def resume_game(folder: Path, which: str, console: Console) -> tuple[SavedGame, ResumePoint]:
    """Where a game goes on, for `MoonRecorder.resume`; what is lost of it is said. Raises SaveError."""
    saved = GameFile.open(find_game(folder, which))
    point = resume_point(saved)
    if saved.damage:
        console.print(saved.damage)
    player = point.state.players[point.state.player]
    console.print(text("games.resumed", name=saved.path.stem, turn=point.state.turn, player=player))
    return saved, point
