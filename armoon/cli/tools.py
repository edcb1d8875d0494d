"""Commands that start no game: doctor, board, calibrate, licences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import armoon
from armoon.cli.common import ends_plainly, number_from, parsed, say
from armoon.codec import decode_json
from armoon.options.kinds import Size
from armoon.settings.files import load_settings
from armoon.values.text import parse_count

#: Maximum pixels of a screen's side, about those of the largest screens.
MAX_PIXELS = 16384


@ends_plainly
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> int:
    """Check camera, model, GL, physics, disk and speed, and say what to do about each fault."""
    from armoon.cli.doctor import doctor_command

    return doctor_command(as_json=as_json)


@ends_plainly
def board(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")] = Path("board.pdf"),
    paper: Annotated[str, typer.Option(metavar="a4|letter", help="The paper it is printed on.")] = "a4",
    screen: Annotated[
        float | None,
        typer.Option(
            parser=number_from(0.0),
            metavar="INCHES",
            help="Make a PNG for a screen of this diagonal instead.",
        ),
    ] = None,
    pixels: Annotated[
        str, typer.Option(metavar="WxH", help="The screen's size, held upright.")
    ] = "1080x2400",
    description: Annotated[
        Path | None, typer.Option("--board", metavar="FILE.json", help="Another board's description.")
    ] = None,
) -> int:
    """Make the calibration board: a PDF to print in exact size, or a picture for a phone or tablet."""
    from armoon.cli.calibration import print_board, show_board

    if screen is None:
        return print_board(out, paper.lower(), description, say)
    return show_board(out.with_suffix(".png"), parsed_pixels(pixels), screen, description, say)


def parsed_pixels(pixels: str) -> tuple[int, int]:
    """Return a screen's size, at most MAX_PIXELS a side."""
    across, _, down = pixels.partition("x")
    width, height = parse_count(across), parse_count(down)
    if width is None or height is None or max(width, height) > MAX_PIXELS:
        raise typer.BadParameter("write it as 1080x2400.", param_hint="--pixels")
    return width, height


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
        float | None,
        typer.Option(
            "--ruler-mm",
            parser=number_from(0.0),
            metavar="MM",
            help="What the printed ruler of 100 mm really measures.",
        ),
    ] = None,
    undo: Annotated[bool, typer.Option("--restore", help="Put the camera's last good profile back.")] = False,
) -> int:
    """Measure the camera's lens with the printed board, and keep it as the camera's profile."""
    from armoon.camera.profiles import get_camera_name
    from armoon.camera.sources import CameraRequest
    from armoon.cli.calibration import board_of, calibrate_camera, calibrate_pictures, restore
    from armoon.settings.files import profiles_folder

    settings = load_settings()
    folder = profiles_folder()
    width, height = parsed("--size", size, Size().read, "as 1280x720") if size else settings.size
    request = CameraRequest(width, height, settings.rate_hz)
    if undo:
        return restore(camera, request, folder, say)
    used = board_of(description, ruler_mm)
    if pictures:
        return calibrate_pictures(pictures, get_camera_name(camera), used, folder, say)
    return calibrate_camera(camera, request, used, folder, say)


TABLE = Path(armoon.__file__).parent / "licences.json"

#: Only in the single file for Linux, which contains Python, packages and libraries (scripts/appimage).
BROUGHT = TABLE.with_name("brought.json")


@dataclass(frozen=True)
class Bundled:
    """Files of one origin and licence."""

    what: str
    files: tuple[str, ...]
    """Patterns of their paths in the source."""
    origin: str
    licence: str


def read_licences(table: Path = TABLE) -> tuple[Bundled, ...]:
    """Return the table of all files that are neither code nor documentation. Raises ArmoonError."""
    what, remedy = "The table of licences is broken", "Install armoon again."
    return decode_json(dict[str, tuple[Bundled, ...]], table.read_bytes(), what, remedy)["bundled"]


@ends_plainly
def licences() -> int:
    """Show where every shipped file comes from, and under which licence it stands."""
    say(
        "armoon's own code and documentation: MIT, written for armoon. Packages that it uses stand under their own"
    )
    say("licences, and are shipped only with the one file for Linux (docs/dependencies.md). All other files:")
    _list(read_licences())
    if BROUGHT.is_file():
        say("\nWhat this file for Linux brings along (the texts are in it, beside the files named):")
        _list(read_licences(BROUGHT))
    return 0


def _list(table: tuple[Bundled, ...]) -> None:
    for one in table:
        say(
            f"\n{one.what}\n  files    {', '.join(one.files)}\n  origin   {one.origin}\n  licence  {one.licence}"
        )
