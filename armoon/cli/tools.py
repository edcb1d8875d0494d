"""Commands that start no game: doctor, board, calibrate, licences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import armoon
from armoon.cli.commands import argument, command, flag
from armoon.cli.common import parsed, say, speak
from armoon.codec import decode_json
from armoon.messages import text
from armoon.options.kinds import Number, Size
from armoon.settings.files import apply_language, load_settings
from armoon.values.text import parse_count

#: Maximum pixels of a screen's side, about those of the largest screens.
MAX_PIXELS = 16384


@command(flag("--json", dest="as_json"))
def doctor(as_json: bool) -> int:
    from armoon.cli.doctor import doctor_command

    speak()
    return doctor_command(as_json=as_json)


BOARD = argument("--board", dest="description", metavar="FILE.json", type=Path)


@command(
    argument("--out", metavar="FILE", type=Path, default=Path("board.pdf")),
    argument("--paper", metavar="a4|letter", default="a4"),
    argument("--screen", metavar="INCHES", kind=Number(0.0)),
    argument("--pixels", metavar="WxH", default="1080x2400"),
    BOARD,
)
def board(out: Path, paper: str, screen: float | None, pixels: str, description: Path | None) -> int:
    from armoon.cli.calibration import print_board, show_board

    speak()
    if screen is None:
        return print_board(out, paper.lower(), description, say)
    sides = parsed("--pixels", pixels, parse_pixels, "pixels")
    return show_board(out.with_suffix(".png"), sides, screen, description, say)


def parse_pixels(pixels: str) -> tuple[int, int]:
    """Return a screen's size, at most MAX_PIXELS a side. Raises ValueError."""
    across, _, down = pixels.partition("x")
    width, height = parse_count(across), parse_count(down)
    if width is None or height is None or max(width, height) > MAX_PIXELS:
        raise ValueError(pixels)
    return width, height


@command(
    argument("pictures", nargs="*", metavar="PICTURE", type=Path),
    argument("--camera", metavar="N|FILE|URL", default="0"),
    argument("--size", kind=Size()),
    BOARD,
    argument("--ruler-mm", metavar="MM", kind=Number(0.0)),
    flag("--restore", dest="undo"),
)
def calibrate(
    pictures: list[Path],
    camera: str,
    size: tuple[int, int] | None,
    description: Path | None,
    ruler_mm: float | None,
    undo: bool,
) -> int:
    from armoon.camera.profiles import get_camera_name
    from armoon.camera.sources import CameraRequest
    from armoon.cli.calibration import board_of, calibrate_camera, calibrate_pictures, restore
    from armoon.settings.files import profiles_folder

    settings = apply_language(load_settings())
    folder = profiles_folder()
    width, height = size or settings.size
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
    what, remedy = text("licence.broken"), text("licence.broken_remedy")
    return decode_json(dict[str, tuple[Bundled, ...]], table.read_bytes(), what, remedy)["bundled"]


@command()
def licences() -> int:
    speak()
    say(text("licence.own"))
    _list(read_licences())
    if BROUGHT.is_file():
        say("\n" + text("licence.brought"))
        _list(read_licences(BROUGHT))
    return 0


def _list(table: tuple[Bundled, ...]) -> None:
    for one in table:
        fields = {"what": one.what, "files": ", ".join(one.files), "origin": one.origin}
        say("\n" + text("licence.row", **fields, licence=one.licence))
