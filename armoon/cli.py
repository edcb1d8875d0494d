"""The command line: reads options, merges them with the settings, starts what was asked for.

Every fault that a user can meet ends here as one sentence with its remedy on stderr and exit code 2. What a
command needs is imported inside it, so that ``--help`` answers at once.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, NoReturn, ParamSpec, TypeVar

import typer

from armoon import __version__
from armoon.errors import ArmoonError, CameraError
from armoon.messages import set_language, text
from armoon.settings import (
    EDITIONS,
    LANGUAGES,
    SEATS,
    PlayOptions,
    ReplayOptions,
    can_write,
    games_folder,
    has_display,
    load_settings,
    parse_players,
    parse_size,
)

DEMO = "demo"
#: The rendered camera's picture where nobody asks for another: it has to be drawn as well as seen.
DEMO_SIZE = (640, 360)
#: What a shell reports of a program that was ended with Ctrl-C.
INTERRUPTED_EXIT_CODE = 130
#: A replay that came out differently; 2 is kept for faults.
DIFFERENT_EXIT_CODE = 1
#: Seeds are drawn from so many when none is given: short enough to be told to a friend.
SEEDS = 1_000_000

app = typer.Typer(
    name="armoon",
    help="A hand in front of a webcam places virtual wooden ladders; a referee judges.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")


def main() -> None:
    """Run the command line of this process."""
    app(prog_name="armoon")


def ends_plainly(command: Callable[Parameters, int]) -> Callable[Parameters, NoReturn]:
    """Turn a command's result into the exit code, and a user's fault into one line instead of a traceback."""

    @functools.wraps(command)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> NoReturn:
        try:
            code = command(*args, **kwargs)
        except ArmoonError as error:
            typer.echo(f"armoon: {error}", err=True)
            code = error.exit_code
        except ImportError as error:
            if (error.name or "").partition(".")[0] == "armoon":
                raise
            typer.echo(f"armoon: {_part_missing(error)}", err=True)
            code = ArmoonError.exit_code
        except KeyboardInterrupt:
            code = INTERRUPTED_EXIT_CODE
        raise typer.Exit(code)

    return run


def _part_missing(error: ImportError) -> ArmoonError:
    """A package, or a system library that one opens (libGL, libEGL, libglib ...), isn't there."""
    return ArmoonError(
        f"A part of armoon can't be loaded ({error}).",
        remedy="scripts/play installs what is missing; `armoon doctor` tells what that is.",
    )


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"armoon {__version__}")
        raise typer.Exit


@app.callback()
def armoon(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """A hand in front of a webcam places virtual wooden ladders; a referee judges."""


@app.command()
@ends_plainly
def play(
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
    language: Annotated[
        str | None,
        typer.Option(metavar="|".join(LANGUAGES), help="Language of the game's texts."),
    ] = None,
) -> int:
    """Play the moon game."""
    settings = load_settings()
    # What was typed is checked first: a wrong word should not cost the wait for a camera.
    spoken = _chosen("--language", language or settings.language, LANGUAGES)
    rules = _chosen("--edition", edition or settings.edition, EDITIONS)
    seat = seat or settings.seat
    if seat:
        _chosen("--seat", seat, SEATS)
    names = _parsed("--players", players.split(","), parse_players) if players else settings.players
    asked_size = _parsed("--size", size, parse_size) if size else None
    _check_player_count(names, rules)
    set_language(spoken)

    source = camera or settings.camera or _webcam_or_demo(asked_size or settings.size, settings.rate_hz)
    width, height = asked_size or (DEMO_SIZE if source == DEMO else settings.size)
    headless, record = _screen_or_film(headless, record)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    options = PlayOptions(
        camera=source,
        width_px=width,
        height_px=height,
        rate_hz=settings.rate_hz,
        seat=seat or _usual_seat(source),
        headless=headless,
        record=record,
        log=log or games_folder() / f"armoon-{stamp}.jsonl",
        seed=secrets.randbelow(SEEDS) if seed is None else seed,
        players=names,
        turns=turns,
        edition=rules,
        language=spoken,
        palm_length_m=settings.palm_length_m,
    )
    from armoon.app import play as play_game

    return play_game(options)


@app.command()
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
    headless, record = _screen_or_film(headless, record)
    from armoon.app import replay as replay_game

    return replay_game(ReplayOptions(log, headless, record, settings.language))


@app.command()
@ends_plainly
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> int:
    """Check camera, model, GL, physics, disk and speed, and say what to do about each fault."""
    from armoon.doctor import doctor_command

    return doctor_command(as_json=as_json)


@app.command()
@ends_plainly
def ladders(
    sheet: Annotated[
        Path, typer.Option(metavar="FILE.png", help="Where to draw all thirty ladders side by side.")
    ],
    seed: Annotated[
        int | None, typer.Option(min=0, help="Another set of ladders than the game's own.")
    ] = None,
) -> int:
    """Draw a sheet that shows all the ladders."""
    from armoon.match.setup import LADDER_SEED
    from armoon.view.sheet import draw_sheet, write_png
    from armoon.world.ladders import make_ladder_set

    write_png(draw_sheet(make_ladder_set(LADDER_SEED if seed is None else seed)), sheet)
    typer.echo(str(sheet))
    return 0


@app.command()
@ends_plainly
def board(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")] = Path("board.pdf"),
    paper: Annotated[str, typer.Option(metavar="a4|letter", help="The paper it is printed on.")] = "a4",
    screen: Annotated[
        float | None,
        typer.Option(metavar="INCHES", help="Make a PNG for a screen of this diagonal instead."),
    ] = None,
    pixels: Annotated[
        str, typer.Option(metavar="WxH", help="The screen's size, held upright.")
    ] = "1080x2400",
    description: Annotated[
        Path | None, typer.Option("--board", metavar="FILE.json", help="Another board's description.")
    ] = None,
) -> int:
    """Make the calibration board: a PDF to print in exact size, or a picture for a phone or tablet."""
    from armoon.calibrate_cli import print_board, show_board

    if screen is None:
        return print_board(out, paper.lower(), description, typer.echo)
    # As settings read sizes, but phones have more pixels than webcams.
    across, _, down = pixels.partition("x")
    if not (across.isdigit() and down.isdigit()):
        raise typer.BadParameter("write it as 1080x2400.", param_hint="--pixels")
    picture = out.with_suffix(".png")
    return show_board(picture, (int(across), int(down)), screen, description, typer.echo)


@app.command()
@ends_plainly
def calibrate(
    pictures: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PICTURE]...", help="Photographs of the board, instead of a live camera."),
    ] = None,
    camera: Annotated[str, typer.Option(metavar="N|FILE|URL", help="Webcam, video or stream.")] = "0",
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Picture size for the webcam.")] = None,
    description: Annotated[
        Path | None, typer.Option("--board", metavar="FILE.json", help="The board's description.")
    ] = None,
    ruler_mm: Annotated[
        float | None, typer.Option("--ruler-mm", help="What the printed ruler of 100 mm really measures.")
    ] = None,
    undo: Annotated[bool, typer.Option("--restore", help="Put the camera's last good profile back.")] = False,
) -> int:
    """Measure the camera's lens with the printed board, and keep it as the camera's profile."""
    from armoon.calibrate_cli import board_of, calibrate_camera, calibrate_pictures, restore
    from armoon.camera.calibration.profiles import camera_name
    from armoon.camera.frame import CameraRequest
    from armoon.settings import profiles_folder

    settings = load_settings()
    folder = profiles_folder()
    width, height = _parsed("--size", size, parse_size) if size else settings.size
    request = CameraRequest(width, height, settings.rate_hz)
    if undo:
        return restore(camera, request, folder, typer.echo)
    used = board_of(description, ruler_mm)
    if pictures:
        return calibrate_pictures(pictures, camera_name(camera), used, folder, typer.echo)
    return calibrate_camera(camera, request, used, folder, typer.echo)


def _verify(log: Path) -> int:
    from armoon.replay import verify

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


def _usual_seat(source: str) -> str:
    """Most webcams sit above a screen and face the player; the demo and films are of a table."""
    return "mirror" if source.isdigit() or source.startswith("/dev/video") else "table"


def _screen_or_film(headless: bool, record: Path | None) -> tuple[bool, Path | None]:
    """Without a display the game goes into a film, with a sentence that says where."""
    if headless or has_display():
        return headless, record
    if record is None:
        folder = Path() if can_write(Path()) else games_folder()
        record = folder / f"armoon-{datetime.now().strftime('%Y%m%d-%H%M%S')}.mp4"
    typer.echo(text("start.no_display", path=record))
    return True, record


def _chosen(option: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(choices)}.", param_hint=option)
    return value


def _parsed(option: str, value: object, parse: Callable[[object], Value]) -> Value:
    try:
        return parse(value)
    except ValueError as error:
        example = {"--players": "up to six different short names, as A,B,C", "--size": "as 1280x720"}[option]
        raise typer.BadParameter(f"write {example}.", param_hint=option) from error


def _check_player_count(names: tuple[str, ...], edition: str) -> None:
    from armoon.rules.editions import EDITIONS as RULES

    rules = RULES[edition]
    if not rules.least_players <= len(names) <= rules.most_players:
        raise typer.BadParameter(
            f"{edition} is for {rules.least_players} to {rules.most_players} players.", param_hint="--players"
        )
