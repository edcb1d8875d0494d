"""Commands that start no game: doctor, board, calibrate, licences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import armoon
from armoon.cli.commands import argument, command, flag
from armoon.cli.common import apply_settings_language, parse_value, say
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

    apply_settings_language()
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

    apply_settings_language()
    if screen is None:
        return print_board(out, paper.lower(), description, say)
    sides = parse_value("--pixels", pixels, parse_pixels, "pixels")
    return show_board(out.with_suffix(".png"), sides, screen, description, say)


def parse_pixels(pixels: str) -> tuple[int, int]:
    """Parse a screen's size ``WxH``, at most MAX_PIXELS a side. Raises ValueError."""
    width_text, _, height_text = pixels.partition("x")
    width, height = parse_count(width_text), parse_count(height_text)
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
    from armoon.cli.calibration import calibrate_camera, calibrate_pictures, read_board, restore
    from armoon.settings.files import profiles_folder

    settings = apply_language(load_settings())
    folder = profiles_folder()
    width, height = size or settings.size
    request = CameraRequest(width, height, settings.rate_hz)
    if undo:
        return restore(camera, request, folder, say)
    calibration_board = read_board(description, ruler_mm)
    if pictures:
        return calibrate_pictures(pictures, get_camera_name(camera), calibration_board, folder, say)
    return calibrate_camera(camera, request, calibration_board, folder, say)


TABLE = Path(armoon.__file__).parent / "licences.json"

#: The table of Python, packages and libraries in the single file for Linux (scripts/appimage); absent elsewhere.
BUNDLE_TABLE = TABLE.with_name("bundled.json")


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
    problem, remedy = text("licence.broken"), text("licence.broken_remedy")
    return decode_json(dict[str, tuple[Bundled, ...]], table.read_bytes(), problem, remedy)["bundled"]


@command()
def licences() -> int:
    apply_settings_language()
    say(text("licence.own"))
    _print_table(read_licences())
    if BUNDLE_TABLE.is_file():
        say("\n" + text("licence.brought"))
        _print_table(read_licences(BUNDLE_TABLE))
    return 0


def _print_table(table: tuple[Bundled, ...]) -> None:
    for entry in table:
        fields = {"what": entry.what, "files": ", ".join(entry.files), "origin": entry.origin}
        say("\n" + text("licence.row", **fields, licence=entry.licence))
