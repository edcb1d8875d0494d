"""Commands that show a game: play, join and replay."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from armoon.app.sources import DemoPart, NothingPart, find_source
from armoon.cli.commands import argument, command, flag
from armoon.cli.common import UsageError, announce_games_folder, choose_screen_or_film, confirm, say
from armoon.cli.options import group_options, list_general_options, read_value, read_values
from armoon.errors import ArmoonError, CameraError
from armoon.games import game_names, game_options
from armoon.games.options import GameOptions, list_command_options
from armoon.games.shared import FirstPlayer
from armoon.messages import set_language, text
from armoon.options.option import COMMAND, Configuration, InvalidValueError, Option, filter_options
from armoon.options.parts import list_part_options, make_default_parts, with_values
from armoon.remote.part import STANDARD_INPUT
from armoon.settings.files import apply_language, games_folder, load_settings
from armoon.settings.preferences import ALL_OPTIONS, LANGUAGE, PlayOptions, Settings
from armoon.sinks.sink import SinkPart
from armoon.values.choices import BY_HAND

if TYPE_CHECKING:
    from armoon.engine.logbook import SavedGameWriter
    from armoon.engine.match import Match

#: The default camera: the first webcam.
WEBCAM = "0"
#: Exit code of a replay with a different result; errors have 2.
DIFFERENT_EXIT_CODE = 1
#: Number of possible seeds if none is given; a short number is easy to pass on to a friend.
SEEDS = 1_000_000

#: Options without effect in a resumed game, and in a game hosted by another table. Of the game's own options, only
#: those in ``EFFECTIVE`` have an effect there.
WITHOUT_EFFECT = {
    "resume": frozenset({"players", "first", "seed", "join"}),
    "join": frozenset({"first", "seed", "turns", "guests", "resume"}),
}
EFFECTIVE = {"resume": frozenset({"no_camera"}), "join": frozenset({"bots", "no_camera"})}
#: Options of games at several tables.
REMOTE = frozenset({"remote", "join"})


def play_with(args: Mapping[str, Any]) -> int:
    """Play with these command-line arguments, by option name; return the exit code. Raises ArmoonError."""
    # Options are checked first, because opening the camera is slow.
    settings = apply_language(load_settings())
    if LANGUAGE.name in args:
        set_language(read_value(LANGUAGE, args[LANGUAGE.name]))
    values = read_values(list_general_options(), args)
    game = values["game"] = _choose_game(values)
    _check_effective(args, game)
    own_options = _read_game_options(game, settings, args, resumed="resume" in values)
    seed = values["seed"] = values.get("seed", SystemRandom().randrange(SEEDS))
    names = values.get("players")
    without_camera = bool(own_options.collect_values().get("no_camera"))
    _check_mode(args, values, without_camera=without_camera)
    if without_camera:
        try:
            _play_without_camera(game, own_options, names, seed)
        except ValueError as error:
            raise UsageError(str(error), "--players") from error
        return 0
    remote = bool(args.keys() & REMOTE)
    names = values["players"] = names or own_options.list_default_players(
        settings.players[:1] if remote else settings.players
    )
    # A saved game contains its players and rules; players at other tables aren't known yet.
    if "resume" not in values and not remote:
        try:
            own_options.check_players(names)
        except ValueError as error:
            options = list_command_options(game_options(game))
            spellings = (o.spelling for o in options if o.name in args and o.name != "trial")
            raise UsageError(str(error), next(spellings, "--players")) from error
        _check_first_player(values.get("first"), len(names))
    from armoon.app import play as play_game

    announce_games_folder()
    return play_game(_merge_options(settings, values | {"explicit_names": frozenset(args)}, own_options))


@command(options=lambda: itertools.chain(*group_options().values()))
def play(args: Mapping[str, Any]) -> int:
    return play_with(args)


#: Options that the host chooses for all tables, or that only a host needs.
_HOST_ONLY = ("game", "no_camera", "seed", "turns", "first", "resume", "now", "remote", "guests", "join")


@command(
    argument("link", nargs="?", metavar="LINK", default=STANDARD_INPUT),
    options=lambda: (option for option in group_options()[""] if option.name not in _HOST_ONLY),
)
def join(link: str, args: Mapping[str, Any]) -> int:
    return play_with({**args, "join": link})


def make_play_options(settings: Settings, **changes: Any) -> PlayOptions:
    return PlayOptions(
        **{setting.name: getattr(settings, setting.name) for setting in fields(Settings)}
    ).with_values(changes)


def _merge_options(settings: Settings, values: dict[str, Any], own_options: GameOptions) -> PlayOptions:
    size, rate_hz = values.get("size", settings.size), values.get("rate_hz", settings.rate_hz)
    headless, record, notices = choose_screen_or_film(values.get("headless", False), values.get("record"))
    menu = not (headless or values.keys() & {"now", "resume", *REMOTE})
    camera = values.get("camera") or settings.camera
    if not camera and menu:  # the session opens it after its window, because that takes a second
        camera = WEBCAM
    elif not camera and not _has_webcam(size, rate_hz):
        # Without a window, the demo plays; with a window, the players play without a camera.
        notices += (text("start.no_webcam" if headless else "start.no_webcam_now"),)
        camera = DemoPart.word if headless else NothingPart.word
    camera = camera or WEBCAM
    source = find_source(settings, camera)
    derived = {
        "size": values.get("size") or source.size or settings.size,
        "seat": values.get("seat") or settings.seat or source.default_seat(camera),
        "log_replaces": not menu and _may_replace(values.get("log")),
        "menu": menu,
        "notices": notices,
        "game_options": own_options,
    }
    return make_play_options(
        settings, **values | derived | {"camera": camera, "headless": headless, "record": record}
    )


def _check_mode(args: Mapping[str, Any], values: Mapping[str, Any], *, without_camera: bool) -> None:
    """Raise UsageError if an option has no effect; ``args``: arguments by name, ``values``: their values."""
    if without_camera:
        mode = Configuration.ALONE
    elif "headless" in args:
        sinks = (part for part in with_values(make_default_parts(), values) if isinstance(part, SinkPart))
        mode = Configuration.HEADLESS if any(sink.needs_pictures for sink in sinks) else Configuration.UNSEEN
    else:
        mode = Configuration.NOW if args.keys() & {"now", "resume", *REMOTE} else Configuration.MENUS
    for option in list_general_options():
        # Without pages, the game can only be played by hand.
        needs_pages = (
            option.name == "way" and mode is not Configuration.MENUS and values.get("way") not in BY_HAND
        )
        if option.name in args and (mode not in option.works_in or needs_pages):
            reason = text(f"option.not_where.{mode}", flag=option.spelling)
            raise UsageError(reason, option.spelling)
    _check_needs(args)


def _check_needs(args: Mapping[str, Any]) -> None:
    flags = {option.name: option.spelling for option in list_general_options()}
    for option in list_general_options():
        if option.name in args and option.needs and not args.keys() & set(option.needs):
            others = " / ".join(flags[name] for name in option.needs)
            reason = text("option.needs", flag=option.spelling, others=others)
            raise UsageError(reason, option.spelling)


def _check_effective(args: Mapping[str, Any], game: str) -> None:
    for cause in args.keys() & WITHOUT_EFFECT.keys():
        game_specific = {
            option.name for name in game_names() for option in list_command_options(game_options(name))
        } - EFFECTIVE[cause]
        other_game = args.get("game") not in (None, game)
        ineffective = WITHOUT_EFFECT[cause] | game_specific | ({"game"} if other_game else set())
        flags = {option.name: option.spelling for group in group_options().values() for option in group}
        for name in ineffective & args.keys():
            reason = text("option.settled", flag=flags[name], other=flags[cause])
            raise UsageError(reason, flags[name])


def _may_replace(log: Path | None) -> bool:
    """Return whether the log exists and the player agrees to overwrite it. Raises LogError if the player doesn't."""
    if log is None or not os.path.isfile(log):
        return False
    if not (sys.stdin.isatty() and confirm(text("start.overwrite", path=log))):
        from armoon.engine.logbook import file_exists_error

        raise file_exists_error(log)
    return True


def _choose_game(values: Mapping[str, Any]) -> str:
    from armoon.saves.game_file import read_game_name

    game = str(values.get("game", game_names()[0]))
    if "resume" in values and (saved := read_game_name(games_folder(), values["resume"])) in game_names():
        return saved
    return game  # a saved game of another program is refused later


def _play_without_camera(game: str, options: GameOptions, names: Sequence[str] | None, seed: int) -> None:
    """Play a whole game without a camera or pictures. Raises ValueError if the names don't suit the options."""
    from armoon.app.setup import open_save
    from armoon.games.contract import load_kind
    from armoon.saves.game_file import DEMONSTRATION_PREFIX

    def create_save(match: Match) -> SavedGameWriter | None:
        # Games between bots can't be resumed.
        name = match.game if None in options.bots_by_seat else f"{DEMONSTRATION_PREFIX}{match.game}"
        return open_save(kind, match, games_folder(), say, name=name)

    kind = load_kind(game)
    kind.play_headless(options, names, seed, say, create_save)


def _read_game_options(
    game: str, settings: Settings, args: Mapping[str, Any], *, resumed: bool
) -> GameOptions:
    """Return the game's options from settings and command line. Raises UsageError for options of another game."""
    options = list_command_options(game_options(game))
    names = {option.name for option in options}
    for other in game_names():
        unsuitable = [
            option
            for option in list_command_options(game_options(other))
            if option.name in args and option.name not in names
        ]
        if unsuitable and not resumed:
            raise UsageError(
                text("option.other_game", flag=unsuitable[0].spelling, game=other), unsuitable[0].spelling
            )
    own_options, values = settings.options_for(game), read_values(options, args)
    return own_options.with_command_line(values)


def _check_first_player(first: object, players: int) -> None:
    if isinstance(first, FirstPlayer) and first.seat >= players:
        option = next(option for option in ALL_OPTIONS if option.name == "first")
        error = InvalidValueError(option, first.seat + 1)
        raise UsageError(error.explain(option.spelling), option.spelling)


#: Options of a replay in addition to the sinks' options.
REPLAY_OPTIONS = ("headless", "on_air", "party_port", "lan")


def _list_replay_options() -> tuple[Option, ...]:
    chosen = (option for option in list_general_options() if option.name in REPLAY_OPTIONS)
    return (*chosen, *filter_options(list_part_options(SinkPart), COMMAND))


@command(argument("log", metavar="LOG", type=Path), flag("--verify"), options=_list_replay_options)
def replay(log: Path, verify: bool, args: Mapping[str, Any]) -> int:
    settings = apply_language(load_settings())
    if verify:
        return _verify_log(log)
    values = read_values(list_general_options(), args)
    _check_needs(args)
    headless, record, notices = choose_screen_or_film(values.get("headless", False), values.get("record"))
    from armoon.app.playing import replay_game

    output = {"headless": headless, "record": record, "notices": notices}
    return replay_game(log, make_play_options(settings, **values | output))


def _verify_log(log: Path) -> int:
    from armoon.games.library import verify_log
    from armoon.world.physics import describe_build

    verification = verify_log(log)
    checked = verification.checked
    if verification.build:
        say(text("replay.other_build", logged=verification.build, here=describe_build()))
    if checked is not None and not checked.fault:
        say(text("replay.holds", count=checked.counted, structures=checked.structures))
    elif not verification.same:
        difference = verification.difference if checked is None else checked.fault
        say(text("replay.differs" if checked is None else "replay.fails", difference=difference))
        return DIFFERENT_EXIT_CODE
    else:
        say(text("replay.same", count=verification.verdicts, ticks=verification.ticks))
    if verification.damage:
        raise ArmoonError(
            "fault.log.incomplete", remedy="fault.log.verified_remedy", path=log, damage=verification.damage
        )
    return 0


def _has_webcam(size: tuple[int, int], rate_hz: float) -> bool:
    from armoon.camera.sources import CameraRequest, open_source

    try:
        open_source(WEBCAM, CameraRequest(*size, rate_hz)).close()
    except CameraError:
        return False
    return True
