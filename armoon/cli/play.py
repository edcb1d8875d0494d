"""The commands that show a game: play and replay."""

from __future__ import annotations

import secrets
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from armoon.cli.common import SIZE_EXAMPLE, chosen, ends_plainly, parsed, screen_or_film
from armoon.errors import ArmoonError, CameraError
from armoon.games.moon.rules.editions import Mode, OneHand, Options
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.values import IllegalSetup
from armoon.games.shared.seating import Beginner, FirstBy
from armoon.messages import set_language, text
from armoon.saves.library import game_of
from armoon.settings.options import (
    EDITIONS,
    GAMES,
    GRIPS,
    LANGUAGES,
    ONE_HAND,
    SEATS,
    SLOTS,
    TIERS,
    TURNS_DEG,
    PlayOptions,
    ReplayOptions,
    games_folder,
    load_settings,
    parse_players,
    parse_size,
)
from armoon.values.choices import RotatedDeg, SeatName

DEMO = "demo"
#: The rendered camera's picture where nobody asks for another: it has to be drawn as well as seen.
DEMO_SIZE = (640, 360)
#: A replay that came out differently; 2 is kept for faults.
DIFFERENT_EXIT_CODE = 1
#: Seeds are drawn from so many when none is given: short enough to be told to a friend.
SEEDS = 1_000_000
STRENGTHS = ("weak", "middle", "strong")
#: The lake's rules seat so many (ruling L2).
MOST_AT_LAKE = 4
SEATS_EXAMPLE = "for each seat hand, weak, middle or strong, as hand,strong"
FIRST_EXAMPLE = "moon, age, chance, or a player's number in the list"
PLAYERS_EXAMPLE = "up to six different short names, as A,B,C"


def play_with(
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="N|FILE|URL|demo", help="Webcam number, video file, stream, or the built-in demo."
        ),
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Open no window.")] = False,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE.mp4", help="Record the picture."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl", help="Where the game's log goes. Default: the user's data folder."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Chooses the die's faces and the ladders' order; a random one by default."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(metavar="A,B,C", help="The players' names, in the order of their turns."),
    ] = None,
    turns: Annotated[
        int | None,
        typer.Option(min=1, help="End after so many turns."),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="|".join(SEATS), help="Camera beside the player, or facing the player."),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(metavar="WxH", help="Picture size to ask the camera for."),
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(metavar="|".join(EDITIONS), help="Which printed rules."),
    ] = None,
    slots: Annotated[
        str | None,
        typer.Option(metavar="|".join(SLOTS), help="How the starting ladders stand in the base."),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(
            metavar="moon|age|chance|N",
            help="Who begins: by the players' profiles, by the seed, or the N-th named; as printed by default.",
        ),
    ] = None,
    together: Annotated[
        bool, typer.Option("--together", help="As one team, or alone: the co-operative game of kosmos-2022.")
    ] = False,
    young: Annotated[
        bool, typer.Option("--young", help="Three starting ladders, for young climbers.")
    ] = False,
    one_hand: Annotated[
        str | None,
        typer.Option(metavar="|".join(ONE_HAND), help="What a second hand at the structure costs."),
    ] = None,
    turn_limit: Annotated[
        float | None, typer.Option(min=1.0, metavar="SECONDS", help="Time limit of a turn; none by default.")
    ] = None,
    tears: Annotated[int | None, typer.Option(min=1, help="How many tears the moon holds.")] = None,
    game: Annotated[
        str, typer.Option(metavar="|".join(GAMES), help="Catch the Moon, or Jinns of the Lake.")
    ] = GAMES[0],
    bots: Annotated[
        str | None,
        typer.Option(metavar="hand,strong", help="Lake only: a hand or a bot, seat by seat."),
    ] = None,
    no_camera: Annotated[
        bool, typer.Option("--no-camera", help="Lake only: bots play alone, told line by line.")
    ] = False,
    tier: Annotated[
        str | None,
        typer.Option(metavar="|".join(TIERS), help="How rich the picture is; by measurement in a window."),
    ] = None,
    grip: Annotated[
        str | None,
        typer.Option(metavar="|".join(GRIPS), help="How a hand takes a ladder."),
    ] = None,
    turned: Annotated[
        int | None,
        typer.Option(metavar="0|90|180|270", help="Turn the camera's picture clockwise by so much."),
    ] = None,
    flipped: Annotated[bool, typer.Option("--flipped", help="The camera sends a mirrored picture.")] = False,
    resume: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="Go on with a saved game: its number, name or file."),
    ] = None,
    now: Annotated[
        bool, typer.Option("--now", help="Begin at once, without title and menus in the window.")
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(metavar="|".join(LANGUAGES), help="Language of the game's texts."),
    ] = None,
) -> int:
    """Play the moon game, or the lake game."""
    settings = load_settings()
    # What was typed is checked first: a wrong word should not cost the wait for a camera.
    spoken = chosen("--language", language or settings.language, LANGUAGES)
    set_language(spoken)
    chosen("--game", game, GAMES)
    if resume is not None and (saved := game_of(games_folder(), resume)) in GAMES:
        game = saved  # of another program's game it is said later that it can't go on
    names = parsed("--players", players.split(","), parse_players, PLAYERS_EXAMPLE) if players else None
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    if game == "lake" and no_camera:
        return _bots_alone(bots, names, seed)
    if game != "lake" and (bots or no_camera):
        raise typer.BadParameter("bots play the lake: --game lake --bots weak,weak --no-camera.")
    rules = chosen("--edition", edition or ("kosmos-2022" if together else settings.edition), EDITIONS)
    house = Options(
        mode=Mode.COOPERATIVE if together else Mode.COMPETITIVE,
        young_climbers=young,
        one_hand=OneHand(chosen("--one-hand", one_hand or settings.one_hand, ONE_HAND)),
        turn_limit_s=turn_limit,
        tears=tears,
    )
    names = names or settings.players
    begins = (
        parsed("--first", first, lambda word: parse_first(word, len(names)), FIRST_EXAMPLE) if first else None
    )
    seats = parsed("--bots", bots, parse_seats, SEATS_EXAMPLE) if bots else ()
    if resume is None:  # else the saved game knows who plays, and by which rules
        _check_players(game, names, len(seats), rules, house)
    if turned is not None and turned not in TURNS_DEG:
        raise typer.BadParameter("a picture is turned by 0, 90, 180 or 270 degrees.", param_hint="--turned")
    stand = chosen("--slots", slots or settings.slots, SLOTS)
    sits = chosen("--seat", seat, SEATS) if seat else settings.seat
    asked_size = parsed("--size", size, parse_size, SIZE_EXAMPLE) if size else None

    source = camera or settings.camera or _webcam_or_demo(asked_size or settings.size, settings.rate_hz)
    width, height = asked_size or (DEMO_SIZE if source == DEMO else settings.size)
    headless, record = screen_or_film(headless, record)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    options = PlayOptions(
        camera=source,
        width_px=width,
        height_px=height,
        rate_hz=settings.rate_hz,
        seat=sits or _usual_seat(source),
        headless=headless,
        record=record,
        log=log or games_folder() / f"armoon-{stamp}.jsonl",
        seed=seed,
        players=names,
        turns=turns,
        edition=rules,
        language=spoken,
        palm_length_m=settings.palm_length_m,
        options=house,
        slots=stand,
        grace_s=settings.grace_s if settings.grace_s > 0.0 else None,
        tier=chosen("--tier", tier, TIERS) if tier else settings.tier,
        grip=chosen("--grip", grip or settings.grip, GRIPS),
        depth_help=settings.depth_help,
        fine_gain=settings.fine_gain,
        turned_deg=settings.turned_deg if turned is None else RotatedDeg(turned),
        flipped=flipped or settings.flipped,
        game=game,
        bots=seats,
        first=begins,
        resume=resume,
        menu=not (headless or now or resume),
    )
    from armoon.app import play as play_game

    return play_game(options)


#: The command: the same, but a fault ends it with one sentence.
play = ends_plainly(play_with)


@ends_plainly
def hand(
    player: Annotated[str, typer.Argument(metavar="NAME", help="Whose hand it is.")],
    camera: Annotated[str, typer.Option(metavar="N|FILE|URL", help="Webcam, video file or stream.")] = "0",
    card: Annotated[
        bool, typer.Option("--card", help="A bank card is held beside the hand, instead of a table below it.")
    ] = False,
) -> int:
    """Measure a player's hand in ten seconds and keep it in the player's profile."""
    settings = load_settings()
    set_language(settings.language)
    (name,) = parsed("NAME", (player,), parse_players, "a short name")
    width, height = settings.size
    options = PlayOptions(
        camera=camera,
        width_px=width,
        height_px=height,
        rate_hz=settings.rate_hz,
        seat=SeatName.TABLE,
        headless=True,
        record=None,
        log=Path(),
        seed=0,
        players=(name,),
        turns=None,
        edition=settings.edition,
        language=settings.language,
        palm_length_m=settings.palm_length_m,
        turned_deg=settings.turned_deg,
        flipped=settings.flipped,
    )
    from armoon.app import measure

    return measure(options, name, card=card)


def parse_seats(words: str) -> tuple[str | None, ...]:
    """Who plays each seat of the lake: a bot's strength, or None for ``hand``; ValueError for anything else."""
    seats = tuple(word.strip() for word in words.split(","))
    if not set(seats) <= {"hand", *STRENGTHS}:
        raise ValueError(words)
    return tuple(None if seat == "hand" else seat for seat in seats)


def parse_first(word: str, players: int) -> Beginner | FirstBy:
    """Who begins, or how that is found; ValueError for anything else than ``--first`` takes."""
    if word.isdecimal():
        if not 1 <= int(word) <= players:
            raise ValueError(word)
        return Beginner(int(word) - 1, "chosen")
    way = FirstBy(word)
    if way is FirstBy.CHOSEN:
        raise ValueError(word)
    return way


def _bots_alone(bots: str | None, names: tuple[str, ...] | None, seed: int) -> int:
    """A whole lake game without camera and picture."""
    from armoon.games.lake.alone import BOTS_EXAMPLE, parse_bots, play_bots
    from armoon.games.lake.rules.values import IllegalSetup

    strengths = parsed("--bots", bots or "weak,weak", parse_bots, BOTS_EXAMPLE)
    try:
        play_bots(strengths, seed, names=names or (), say=typer.echo)
    except IllegalSetup as error:
        raise typer.BadParameter(str(error), param_hint="--players") from error
    return 0


@ends_plainly
def replay(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log that `armoon play` wrote.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Step it again from the logged hands and compare every bit.")
    ] = False,
    headless: Annotated[bool, typer.Option("--headless", help="Open no window.")] = False,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE.mp4", help="Record the picture."),
    ] = None,
) -> int:
    """Show a logged game again, or verify that it comes out the same."""
    settings = load_settings()
    set_language(settings.language)
    if verify:
        return _verify(log)
    headless, record = screen_or_film(headless, record)
    from armoon.app import replay as replay_game

    return replay_game(ReplayOptions(log, headless, record, settings.language))


def _verify(log: Path) -> int:
    from armoon.engine.replay import verify

    verification = verify(log)
    if not verification.same:
        typer.echo(text("replay.differs", difference=verification.difference))
        return DIFFERENT_EXIT_CODE
    typer.echo(text("replay.same", count=verification.verdicts, ticks=verification.ticks))
    if verification.damage:
        raise ArmoonError(
            f"The log {log} is not complete: {verification.damage}.",
            remedy="Everything before that was replayed and is in order.",
        )
    return 0


def _webcam_or_demo(size: tuple[int, int], rate_hz: float) -> str:
    """Webcam 0 if it gives a picture, else the demo, with a sentence that says so."""
    from armoon.camera.frame import CameraRequest
    from armoon.camera.sources import open_source

    try:
        open_source("0", CameraRequest(*size, rate_hz)).close()
    except CameraError:
        typer.echo(text("start.no_webcam"))
        return DEMO
    return "0"


def _usual_seat(source: str) -> SeatName:
    """Most webcams sit above a screen and face the player; the demo and films are of a table."""
    faces = source.isdigit() or source.startswith("/dev/video")
    return SeatName.MIRROR if faces else SeatName.TABLE


def _check_players(game: str, names: tuple[str, ...], seats: int, edition: str, options: Options) -> None:
    """typer.BadParameter where players, bots, edition and options don't go together; the rules' own sentence."""
    if game == "lake":
        if not 2 <= len(names) <= MOST_AT_LAKE or seats not in (0, len(names)):
            raise typer.BadParameter(
                f"the lake is for 2 to {MOST_AT_LAKE} players, and --bots names each seat.",
                param_hint="--players",
            )
        return
    try:
        initial(names, edition, options=options)
    except IllegalSetup as error:
        raise typer.BadParameter(str(error), param_hint="--players") from error
