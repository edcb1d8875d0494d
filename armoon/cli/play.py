"""Commands that show a game: play, join, hand and replay."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from armoon.app.sources import DemoPart, NothingPart, source_of
from armoon.cli.commands import argument, command, flag
from armoon.cli.common import (
    UsageError,
    announced_games_folder,
    confirm,
    parse_name,
    parsed,
    say,
    screen_or_film,
)
from armoon.cli.options import general, groups, value_of, values_of
from armoon.errors import ArmoonError, CameraError
from armoon.games import game_names, game_options
from armoon.games.options import GameOptions, list_command_options
from armoon.games.shared import FirstPlayer
from armoon.messages import set_language, text
from armoon.options.option import ALONE, COMMAND, HEADLESS, MENUS, NOW, UNSEEN, Option, WrongValue, options_in
from armoon.options.parts import default_parts, part_options, with_values
from armoon.remote.part import STANDARD_INPUT
from armoon.settings.files import apply_language, games_folder, load_settings
from armoon.settings.preferences import ALL_OPTIONS, LANGUAGE, PlayOptions, Settings
from armoon.sinks.sink import SinkPart
from armoon.values.choices import BY_HAND, SeatName

if TYPE_CHECKING:
    from armoon.engine.logbook import SavedGameWriter
    from armoon.engine.match import Match

#: The camera if none is chosen: the first webcam.
WEBCAM = "0"
#: Exit code of a replay with a different result; 2 is for errors.
DIFFERENT_EXIT_CODE = 1
#: Number of seeds to draw from if none is given; short enough to pass on to a friend.
SEEDS = 1_000_000

#: Options without effect for a resumed game or another table's game; the game's own options, except those in
#: ``COUNTS``, have none either.
SETTLED = {
    "resume": frozenset({"players", "first", "seed", "join"}),
    "join": frozenset({"first", "seed", "turns", "guests", "resume"}),
}
COUNTS = {"resume": frozenset({"no_camera"}), "join": frozenset({"bots", "no_camera"})}
#: Options of games at several tables, whose players are known only after they have connected.
REMOTE = frozenset({"remote", "join"})


def play_with(typed: Mapping[str, Any]) -> int:
    """Play: a window with title, pages and both games (``armoon play --help``: all options)."""
    # Options are checked before the camera is opened, which is slow.
    settings = apply_language(load_settings())
    if LANGUAGE.name in typed:
        set_language(value_of(LANGUAGE, typed[LANGUAGE.name]))
    asked = values_of(general(), typed)
    game = asked["game"] = _game_of(asked)
    _check_settled(typed, game)
    own = _own_options(game, settings, typed, resumed="resume" in asked)
    seed = asked["seed"] = asked.get("seed", SystemRandom().randrange(SEEDS))
    names = asked.get("players")
    alone = bool(own.collect_values().get("no_camera"))
    _check_works(typed, asked, alone=alone)
    if alone:
        try:
            _alone(game, own, names, seed)
        except ValueError as error:
            raise UsageError(str(error), "--players") from error
        return 0
    remote = bool(typed.keys() & REMOTE)
    names = asked["players"] = names or own.list_default_players(
        settings.players[:1] if remote else settings.players
    )
    if "resume" not in asked and not remote:  # otherwise players and rules are determined already
        try:
            own.check_players(names)
        except ValueError as error:
            described = list_command_options(game_options(game))
            meant = (one.spelling for one in described if one.name in typed and one.name != "trial")
            raise UsageError(str(error), next(meant, "--players")) from error
        _check_first(asked.get("first"), len(names))
    from armoon.app import play as play_game

    announced_games_folder()
    return play_game(_settled(settings, asked | {"asked": frozenset(typed)}, own))


@command(options=lambda: itertools.chain(*groups().values()))
def play(typed: Mapping[str, Any]) -> int:
    return play_with(typed)


#: Options that the host's table sets for all, or that apply only to a host.
_OF_HOST = ("game", "no_camera", "seed", "turns", "first", "resume", "now", "remote", "guests", "join")


@command(
    argument("link", nargs="?", metavar="LINK", default=STANDARD_INPUT),
    options=lambda: (one for one in groups()[""] if one.name not in _OF_HOST),
)
def join(link: str, typed: Mapping[str, Any]) -> int:
    return play_with({**typed, "join": link})


def play_options(settings: Settings, **changes: Any) -> PlayOptions:
    return PlayOptions(**{one.name: getattr(settings, one.name) for one in fields(Settings)}).with_values(
        changes
    )


def _settled(settings: Settings, asked: dict[str, Any], own: GameOptions) -> PlayOptions:
    size, rate_hz = asked.get("size", settings.size), asked.get("rate_hz", settings.rate_hz)
    headless, record, notices = screen_or_film(asked.get("headless", False), asked.get("record"))
    menu = not (headless or asked.keys() & {"now", "resume", *REMOTE})
    camera = asked.get("camera") or settings.camera
    if not camera and menu:  # a session opens it after its window, because that takes a second
        camera = WEBCAM
    elif not camera and not _has_webcam(size, rate_hz):
        # A film doesn't show whose hand it is; in a window the seats stay the players'.
        notices += (text("start.no_webcam" if headless else "start.no_webcam_now"),)
        camera = DemoPart.word if headless else NothingPart.word
    camera = camera or WEBCAM
    source = source_of(settings, camera)
    known = {
        "size": asked.get("size") or source.size or settings.size,
        "seat": asked.get("seat") or settings.seat or source.seat(camera),
        "log_replaces": not menu and _may_replace(asked.get("log")),
        "menu": menu,
        "notices": notices,
        "game_options": own,
    }
    return play_options(
        settings, **asked | known | {"camera": camera, "headless": headless, "record": record}
    )


def _check_works(typed: Mapping[str, Any], asked: Mapping[str, Any], *, alone: bool) -> None:
    """Raise UsageError for an option without effect; ``typed``: words by name, ``asked``: their values."""
    if alone:
        where = ALONE
    elif "headless" in typed:
        sinks = (one for one in with_values(default_parts(), asked) if isinstance(one, SinkPart))
        where = HEADLESS if any(one.draws for one in sinks) else UNSEEN
    else:
        where = NOW if typed.keys() & {"now", "resume", *REMOTE} else MENUS
    for one in general():
        # Without pages only camera-based input works.
        paged = one.name == "way" and where is not MENUS and asked.get("way") not in BY_HAND
        if one.name in typed and (where not in one.works or paged):
            why = text(f"option.not_where.{where}", flag=one.spelling)
            raise UsageError(why, one.spelling)
    _check_needs(typed)


def _check_needs(typed: Mapping[str, Any]) -> None:
    flags = {one.name: one.spelling for one in general()}
    for one in general():
        if one.name in typed and one.needs and not typed.keys() & set(one.needs):
            others = " / ".join(flags[name] for name in one.needs)
            why = text("option.needs", flag=one.spelling, others=others)
            raise UsageError(why, one.spelling)


def _check_settled(typed: Mapping[str, Any], game: str) -> None:
    for by in typed.keys() & SETTLED.keys():
        own = {
            one.name for name in game_names() for one in list_command_options(game_options(name))
        } - COUNTS[by]
        other_game = typed.get("game") not in (None, game)
        settled = SETTLED[by] | own | ({"game"} if other_game else set())
        flags = {one.name: one.spelling for group in groups().values() for one in group}
        for name in settled & typed.keys():
            why = text("option.settled", flag=flags[name], other=flags[by])
            raise UsageError(why, flags[name])


def _may_replace(log: Path | None) -> bool:
    """Return whether a log may overwrite its file; ask at a terminal. Raises LogError for no."""
    if log is None or not os.path.isfile(log):
        return False
    if not (sys.stdin.isatty() and confirm(text("start.overwrite", path=log))):
        from armoon.engine.logbook import file_exists_error

        raise file_exists_error(log)
    return True


def _game_of(asked: Mapping[str, Any]) -> str:
    from armoon.saves.game_file import game_of

    game = str(asked.get("game", game_names()[0]))
    if "resume" in asked and (saved := game_of(games_folder(), asked["resume"])) in game_names():
        return saved
    return game  # another program's saved game is refused later


def _alone(game: str, own: GameOptions, names: Sequence[str] | None, seed: int) -> None:
    """Play a whole game without camera and picture. Raises ValueError if names and options don't match."""
    from armoon.app.setup import open_save
    from armoon.games.contract import load_kind
    from armoon.saves.game_file import SHOWN_PREFIX

    def keep(match: Match) -> SavedGameWriter | None:
        # Games between bots aren't offered to be resumed.
        name = match.game if None in own.bots_by_seat else f"{SHOWN_PREFIX}{match.game}"
        return open_save(kind, match, games_folder(), say, name=name)

    kind = load_kind(game)
    kind.play_headless(own, names, seed, say, keep)


def _own_options(game: str, settings: Settings, typed: Mapping[str, Any], *, resumed: bool) -> GameOptions:
    """Return the game's own options, from settings and command line. Raises UsageError for another game's."""
    described = list_command_options(game_options(game))
    names = {one.name for one in described}
    for other in game_names():
        foreign = [
            one
            for one in list_command_options(game_options(other))
            if one.name in typed and one.name not in names
        ]
        if foreign and not resumed:
            raise UsageError(
                text("option.other_game", flag=foreign[0].spelling, game=other), foreign[0].spelling
            )
    own, asked = settings.options_for(game), values_of(described, typed)
    return own.with_command_line(asked)


def _check_first(first: object, players: int) -> None:
    if isinstance(first, FirstPlayer) and first.seat >= players:
        option = next(one for one in ALL_OPTIONS if one.name == "first")
        raise UsageError(str(WrongValue(option, first.seat + 1)), option.spelling)


@command(
    argument("player", metavar="NAME"),
    argument("--camera", metavar="N|FILE|URL", default="0"),
    flag("--card"),
)
def hand(player: str, camera: str, card: bool) -> int:
    settings = apply_language(load_settings())
    name = parsed("NAME", player, parse_name, "name")
    options = play_options(settings, camera=camera, seat=SeatName.TABLE, headless=True, players=(name,))
    from armoon.app.measuring import measure_hand

    announced_games_folder()
    return measure_hand(options, name, card=card)


#: Options of a replay in addition to those of sinks.
REPLAYED = ("headless", "on_air", "party_port", "lan")


def _replay_options() -> tuple[Option, ...]:
    shown = (one for one in general() if one.name in REPLAYED)
    return (*shown, *options_in(part_options(SinkPart), COMMAND))


@command(argument("log", metavar="LOG", type=Path), flag("--verify"), options=_replay_options)
def replay(log: Path, verify: bool, typed: Mapping[str, Any]) -> int:
    settings = apply_language(load_settings())
    if verify:
        return _verify(log)
    asked = values_of(general(), typed)
    _check_needs(typed)
    headless, record, notices = screen_or_film(asked.get("headless", False), asked.get("record"))
    from armoon.app.playing import replay_game

    shown = {"headless": headless, "record": record, "notices": notices}
    return replay_game(log, play_options(settings, **asked | shown))


def _verify(log: Path) -> int:
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
            f"The log {log} is not complete: {verification.damage}.",
            remedy="Everything before that was replayed and is in order.",
        )
    return 0


def _has_webcam(size: tuple[int, int], rate_hz: float) -> bool:
    from armoon.camera.sources import CameraRequest, open_source

    try:
        open_source(WEBCAM, CameraRequest(*size, rate_hz)).close()
    except CameraError:
        return False
    return True
